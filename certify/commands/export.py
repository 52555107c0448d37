"""`dualfit export`: the linear programs for other solvers, and proofs for other checkers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import click

from certify.commands.common import FILE, JSON, emit, load, not_nan, reading_options, save, working
from certify.commands.energy.options import NotEnergy
from lp.export.files import cplex_lp, legend, mps
from lp.export.forms import Forms, exact_program
from lp.export.program import ExactProgram
from lp.export.vipr import lindley_multipliers, load_multipliers, textbook_multipliers, vipr
from lp.lindley import solve_lindley
from lp.load.flow import flow_bound
from lp.load.weak_duality import prices
from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.weights import Weights

VALUES = {
    "max-flow": "the optimal maximum flow time",
    "weighted": "the optimal maximum weighted flow time",
    "load": "the optimal largest load",
}
"""What T* is in each problem, of schedules that reject nobody."""


class Export(NamedTuple):
    """The text of a file, the program in it, what its objective is to be multiplied by, the bound that it proves."""

    text: str
    program: ExactProgram
    factor: Fraction
    lower: Fraction | None = None


@click.command("export")
@FILE
@click.option(
    "--problem", type=NotEnergy(list(VALUES)), default="max-flow", show_default=True, help="Whose linear program."
)
@click.option(
    "--program",
    type=click.Choice(["primal", "dual", "lindley"]),
    default="primal",
    show_default=True,
    help="primal and dual as printed in the paper; lindley: the primal in linear size (not for load).",
)
@click.option(
    "--to",
    type=click.Choice(["mps", "lp", "vipr"]),
    default="mps",
    show_default=True,
    help="mps (free format), lp (CPLEX LP), or vipr: the primal or lindley program with a proof of a lower bound.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    callback=not_nan,
    help="Seconds for the solver that finds the proof (vipr); past it the command ends with exit code 3.",
)
@reading_options
@click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write to this file, not standard output.")
@JSON
def export_command(
    file: str,
    problem: str,
    program: str,
    to: str,
    time_limit: float | None,
    size: str | None,
    strict: bool,
    out: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Write a linear program of FILE for another solver, exactly, or a proof of its bound for a VIPR checker.

    All numbers are whole: rows are scaled until they are, and the comments at the head of the file say by what the
    objective is to be multiplied and what the names of rows and columns mean. `dualfit bound --duals` reads what the
    solver found.
    """
    instance = load(file, size, strict, chosen).instance
    with working("exporting"):
        written = exported(instance, problem, program, to, time_limit)
    if out is not None:
        save(out, written.text, file)
    if as_json:
        emit(to_document(written, problem, program, to, out))
    elif out is None:
        click.echo(written.text, nl=False)
    else:
        size_of = f"{len(written.program.columns)} columns, {len(written.program.rows)} rows"
        click.echo(f"Wrote {out}: {size_of}; objective times {exact.text(written.factor)} bounds {VALUES[problem]}.")


def exported(instance: Instance, problem: str, program: str, to: str, time_limit: float | None = None) -> Export:
    """The file of a problem and program, in a format.

    Raises: `InvalidInput` for a program or proof that there is not; `LimitReached` for one that is too large.
    """
    weighted = problem == "weighted"
    weights = Weights.flow(instance) if weighted else Weights.ones(instance)
    forms = Forms(instance, weights)
    made = exact_program(forms, program, load=problem == "load")
    weight_unit = instance.weight_unit if weighted else Fraction(1)
    head = legend(instance, weights, made, VALUES[problem], weight_unit)
    factor = made.unit * instance.tick * weight_unit
    if to != "vipr":
        text = mps(made, head) if to == "mps" else cplex_lp(made, head)
        return Export(text, made, -factor if to == "mps" and made.maximise else factor)
    if made.maximise:
        fix = "use --program primal or lindley"
        raise InvalidInput(Problem("--program", "no proof", "dual", "a minimisation, whose optimum bounds T*", fix))
    text, bound = vipr(made, _multipliers(forms, problem, program, time_limit), head)
    return Export(text, made, factor, bound * factor)


def _multipliers(forms: Forms, problem: str, program: str, time_limit: float | None) -> dict[str, Fraction]:
    if problem == "load":
        return load_multipliers(forms, prices(forms.instance, flow_bound(forms.instance).machines))
    found = solve_lindley(forms.instance, weights=forms.weights, time_limit=time_limit)
    how = textbook_multipliers if program == "primal" else lindley_multipliers
    return how(forms, found.family)


def to_document(written: Export, problem: str, program: str, to: str, out: str | None) -> dict[str, Any]:
    """The export as one JSON object; `text` is the file itself unless it was written to `out`."""
    return {
        "problem": problem,
        "program": program,
        "format": to,
        "columns": len(written.program.columns),
        "rows": len(written.program.rows),
        "entries": written.program.entries,
        "factor": exact.text(written.factor),
        "lower": None if written.lower is None else exact.text(written.lower),
        "out": out,
        "text": None if out is not None else written.text,
    }
