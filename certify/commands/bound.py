"""`dualfit bound`: how small can the objective be for anybody who rejects nobody?"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from certify import check
from certify.build import certify_bounds, to_text
from certify.commands.common import (
    FILE,
    JSON,
    OUT,
    Input,
    load,
    not_nan,
    present,
    reading_options,
    save,
    working,
)
from certify.commands.energy.bound import energy_bound_command
from certify.commands.energy.options import PROBLEMS, Shared
from certify.commands.places import one_standard_input
from certify.problems.imported import imported_bracket
from certify.problems.registry import TRACKS
from certify.problems.track import Bracket
from certify.show import bound_tables
from online import exact
from online.errors import FalseClaim, InvalidInput, Problem

METHODS = tuple(dict.fromkeys(method for one in TRACKS.values() for method in one.methods))


@click.command("bound", cls=Shared, energy=energy_bound_command)
@FILE
@click.option("--problem", type=click.Choice(PROBLEMS), default="max-flow", show_default=True, help="The objective.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help="How to bound from below; the default is best. See below.",
)
@click.option(
    "--duals",
    type=click.Path(dir_okay=False),
    help="Instead of --method: the dual solution that another solver found on a program of `dualfit export` "
    "(`-`: standard input).",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    callback=not_nan,
    help="Seconds for the bounding, looked at between its steps, so it may take longer; what is proven by then stands. "
    "A linear program that is not solved by then ends with exit code 3.",
)
@reading_options
@OUT
@JSON
def bound_command(
    file: str,
    problem: str,
    method: str | None,
    duals: str | None,
    time_limit: float | None,
    size: str | None,
    strict: bool,
    out: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Bound the offline optimum T* of FILE from both sides, exactly.

    Bounds from below form a ladder, each rung with evidence; the one from above is a schedule, or an assignment, that
    rejects nobody. The certificate (--out) holds them all, and the checker accepts it.

    \b
    best      climbs: every rung below that is not too large, until it meets the schedule
    size      the largest job
    witness   what an online algorithm of the problem leaves (max-flow: with equal sizes)
    lp        the linear program of Lemma 6.1 or 6.6, by HiGHS in the form that fits, repaired; load: as printed
    textbook  the same as printed in the paper (small instances)
    lindley   the same in linear size
    flow      the same exactly, by minimum cuts, where all weights are equal; load: exactly
    hall      a crowded set of jobs: at least as strong as the linear program
    exact     the optimum itself: crowded sets, an integer program, and a case distinction that proves it

    Load has best, size, witness, lp, flow and exact, the other problems have all of them. Flow time plus energy has
    options of its own: dualfit bound --problem energy --help.
    """
    if duals is not None and method is not None:
        raise InvalidInput(Problem("--duals", "contradicting options", "--method too", "one of the two", "omit one"))
    if duals is not None and out is not None and Path(out).resolve() == Path(duals).resolve():
        raise InvalidInput(Problem("--out", "would overwrite the duals", out, "another file", "choose another --out"))
    one_standard_input({"FILE": file, "--duals": duals})
    source = load(file, size, strict, chosen)
    with working("bounding") as progress:
        tell = progress.describe
        if duals is not None:
            found = imported_bracket(source.instance, problem, duals, tell)
        else:
            found = TRACKS[problem].bracket(source.instance, method or "best", time_limit, tell)
        tell("checking the certificate")
        lower = [rung.bound for rung in found.rungs]
        document = certify_bounds(source.instance, problem, lower, found.upper, source.source)
        verdict = check.check_document(document)
    if out is not None:
        save(out, to_text(document), file)
    report(source, problem, found, verdict.verdict, out, as_json)


def report(source: Input, problem: str, found: Bracket, verdict: str, path: str | None, as_json: bool) -> None:
    """Print the bracket. Raises: `FalseClaim` if the checker did not accept the certificate."""
    document = to_document(source, problem, found, verdict)
    present(document, lambda: bound_tables(document, path), as_json)
    if verdict != "accepted":
        raise FalseClaim("the checker did not accept the certificate of these bounds", printed=True)


def to_document(source: Input, problem: str, found: Bracket, verdict: str) -> dict[str, Any]:
    """The bracket as one JSON object, in the input's units."""
    unit = TRACKS[problem].unit(source.instance)
    lower = found.lower.value if found.lower else Fraction(0)
    rung = found.rung
    return {
        "problem": problem,
        "method": found.method,
        "lower": exact.text(lower * unit),
        "upper": exact.text(found.upper.value * unit),
        "width": exact.text((found.upper.value - lower) * unit),
        "ratio": exact.text(found.upper.value / lower) if lower > 0 else None,
        "optimal": lower == found.upper.value,
        "rung": rung.method if rung else None,
        "bound_from": rung.bound.origin if rung else "no jobs",
        "upper_from": found.upper.origin,
        "ladder": [
            {
                "rung": one.method,
                "lower": exact.text(one.bound.value * unit),
                "form": one.form or None,
                "at_most": None if one.at_most is None else exact.text(one.at_most * unit),
                "bound_from": one.bound.origin,
            }
            for one in found.rungs
        ],
        "skipped": list(found.skipped),
        "unproven": found.unproven and {"lower": exact.text(found.unproven.value * unit), "by": found.unproven.by},
        "verdict": verdict,
        "reading": source.account(),
    }
