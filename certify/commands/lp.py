"""`dualfit lp`: the linear programs of the paper, to read."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import click

from certify.commands.common import EXACT, FILE, JSON, emit, load, out, reading_options, working
from certify.commands.energy.options import NotEnergy
from certify.evidence import weights_of
from certify.lp_view import View, solved_view
from certify.show import lp_tables
from lp.lines import one_document
from lp.load import printed as load_printed
from lp.textbook import readable
from online.instance import Instance
from online.play import check_epsilon

SHOW = ("primal", "dual", "both")


def _weighted(problem: str, instance: Instance, which: str, latex: bool) -> str:
    return readable(instance, which, latex, weights=weights_of(problem, instance))


PROGRAMS: dict[str, Callable[[Instance, str, bool], str]] = {
    "max-flow": readable,
    "weighted": partial(_weighted, "weighted"),
    "stretch": partial(_weighted, "stretch"),
    "load": load_printed.readable,
}
"""How each problem's program is written out."""


@click.command("lp")
@FILE
@click.option(
    "--problem", type=NotEnergy(list(PROGRAMS)), default="max-flow", show_default=True, help="Whose linear program."
)
@click.option("--show", type=click.Choice(SHOW), default="both", show_default=True, help="Which program to print.")
@click.option("--latex", is_flag=True, help="Print LaTeX (amsmath) instead of text.")
@click.option(
    "--epsilon",
    type=EXACT,
    default=Fraction(1, 2),
    show_default="1/2",
    help="For the algorithm whose duals stand beside the optimal ones.",
)
@click.option(
    "--solve/--no-solve",
    default=True,
    show_default=True,
    help="Solve it and show the duals, the algorithm's own beside them.",
)
@reading_options
@JSON
def lp_command(
    file: str,
    problem: str,
    show: str,
    latex: bool,
    epsilon: Fraction,
    solve: bool,
    size: str | None,
    strict: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Print a linear program of the paper for FILE and its dual, line by line, and solve both.

    max-flow: the program of Lemma 6.1, with one row for each machine and pair of release times; weighted: that of Lemma
    6.6, with such a row for each weight too; stretch: the same with the weights 1/size; load: that of section 5. Meant
    for small instances. Beside the optimal duals stand those that the algorithm of the problem leaves.
    """
    check_epsilon(epsilon)
    instance = load(file, size, strict, chosen).instance
    which = ("primal", "dual") if show == "both" else (show,)
    texts = {name: PROGRAMS[problem](instance, name, latex) for name in which}
    view: View | None = None
    if solve and not latex:
        with working("solving"):
            view = solved_view(instance, problem, epsilon)
    if as_json:
        emit({**texts, **({} if view is None else view.to_document())})
        return
    if instance.tick != 1 and not latex:
        click.echo(f"Times and sizes of the program are in ticks; a tick is {instance.tick} of the time unit of FILE.")
    if instance.weight_unit != 1 and problem == "weighted" and not latex:
        click.echo(f"Weights of the program are in units of {instance.weight_unit}.")
    for text in [one_document(texts.values())] if latex else texts.values():
        click.echo(text)
    if view is not None:
        for table in lp_tables(view):
            out().print(table)
