"""`dualfit compare`: many algorithms on one instance, each run certified, one bound for all."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from certify.commands.common import (
    EXACT,
    FILE,
    JSON,
    Several,
    load,
    make_folder,
    not_nan,
    present,
    reading_options,
    working,
)
from certify.commands.energy.compare import energy_compare_command
from certify.commands.energy.options import PROBLEMS, Shared
from certify.commands.run import constants_of, constants_options
from certify.compare_view import comparison_tables, draw
from certify.comparison import compare, contenders
from certify.plots import Page, check_plot
from online.errors import FalseClaim, InvalidInput, Problem
from online.play import check_epsilon


@click.command("compare", cls=Shared, energy=energy_compare_command)
@FILE
@click.option("--problem", type=click.Choice(PROBLEMS), default="max-flow", show_default=True, help="The objective.")
@click.option(
    "--epsilon",
    "epsilons",
    type=Several(EXACT),
    default="1/2,1/4,1/8",
    show_default=True,
    help="The shares that may be rejected, with commas between them.",
)
@click.option(
    "--algorithms",
    "names",
    type=Several(click.STRING),
    default="all",
    show_default=True,
    help="Names with commas between them: short names, package.module:Class, or `all` that are registered for the "
    "problem; NAME@5/4 or NAME@1+eps for another speed.",
)
@constants_options
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    callback=not_nan,
    help="Seconds for the bound on T*; what is proven by then stands. Without it the work is limited by size alone, "
    "so that the same input gives the same result.",
)
@click.option("--out-dir", "folder", type=click.Path(file_okay=False), help="Write every certificate into this folder.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Draw the ratios against epsilon: a .svg, .png or .pdf.")
@reading_options
@JSON
def compare_command(
    file: str,
    problem: str,
    epsilons: tuple[Fraction, ...],
    names: tuple[str, ...],
    alpha: Fraction | None,
    offset: Fraction | None,
    segment: Fraction | None,
    period: Fraction | None,
    time_limit: float | None,
    folder: str | None,
    plot: str | None,
    size: str | None,
    strict: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Compare algorithms on FILE: objective, rejected jobs, and the ratio to one certified bound on T*.

    Every run is certified and its certificate checked, with the best bound that the ladder of `dualfit bound` or any of
    the runs gives. An algorithm that does not admit the instance has a row that says why; so has a class
    that fails, and the exit code is 2 then. Seconds stand in the table
    alone: with --json the same input gives the same bytes. Flow time plus energy has options of its own: dualfit
    compare --problem energy --help.

    \b
    dualfit compare jobs.json --problem weighted --algorithms all,hdf@1+eps --alpha 1 --plot ratios.svg
    """
    if plot is not None:
        check_plot(plot)
    for epsilon in epsilons:
        check_epsilon(epsilon)
    entered = contenders(names, problem)
    options = constants_of(alpha, offset, segment, period)
    for name in options:
        if not any(name in one.algorithm.options for one in entered):
            raise InvalidInput(Problem(f"--{name}", "of no use", "given", "an algorithm that takes it", "omit it"))
    source = load(file, size, strict, chosen)
    make_folder(folder)
    with working("comparing") as progress:
        found = compare(
            source, problem, epsilons, entered, options, time_limit=time_limit, folder=folder, tell=progress.describe
        )
    document = found.to_document()
    if plot is not None:
        draw(document, Page(plot))
    present(document, lambda: comparison_tables(document, [row.seconds for row in found.rows]), as_json)
    if found.faults:
        raise InvalidInput(found.faults, printed=True)
    if found.false:
        raise FalseClaim("; ".join(found.false), printed=True)
