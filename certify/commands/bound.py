"""`dualfit bound`: how small can the objective be for anybody who rejects nobody?"""

from __future__ import annotations

from typing import Any

import click

from certify import check
from certify.build import certify_bound, to_text
from certify.commands.common import FILE, JSON, OUT, Input, emit, load, not_nan, out, reading_options, save, working
from certify.problems.registry import TRACKS
from certify.problems.track import Bracket
from certify.show import bound_table
from online import exact
from online.errors import FalseClaim


@click.command("bound")
@FILE
@click.option(
    "--problem", type=click.Choice(list(TRACKS)), default="max-flow", show_default=True, help="The objective."
)
@click.option(
    "--method",
    default=None,
    metavar="METHOD",
    help="max-flow: lp (of Lemma 6.1), witness (the intervals of the unit-size algorithm), size (the largest job). "
    "load: flow (the LP, exact), lp (the same by HiGHS), exact (integral), witness, size. The first is the default.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    callback=not_nan,
    help="Seconds for the solver (methods lp and exact); past it the command ends with exit code 3.",
)
@reading_options
@OUT
@JSON
def bound_command(
    file: str,
    problem: str,
    method: str | None,
    time_limit: float | None,
    size: str | None,
    strict: bool,
    out: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Bound the offline optimum T* of FILE from both sides, exactly.

    The lower bound has a certificate (--out) that the checker accepts; the upper bound is a schedule, or an assignment,
    that rejects nobody.
    """
    source = load(file, size, strict, chosen)
    track = TRACKS[problem]
    with working("bounding"):
        found = track.bracket(source.instance, method or track.methods[0], time_limit)
    document = certify_bound(source.instance, problem, found.lower, source.source)
    verdict = check.check_document(document)
    if out is not None:
        save(out, to_text(document), file)
    report(source, found, verdict.verdict, out, as_json)


def report(source: Input, found: Bracket, verdict: str, path: str | None, as_json: bool) -> None:
    """Print the bracket. Raises: `FalseClaim` if the checker did not accept the certificate."""
    document = to_document(source, found, verdict)
    if as_json:
        emit(document)
    else:
        out().print(bound_table(document, path))
    if verdict != "accepted":
        raise FalseClaim("the checker did not accept the certificate of this bound", printed=True)


def to_document(source: Input, found: Bracket, verdict: str) -> dict[str, Any]:
    """The bracket as one JSON object, in the input's time unit."""
    tick = source.instance.tick
    lower = found.lower.value * tick if found.lower else 0
    return {
        "method": found.method,
        "lower": exact.text(lower),
        "upper": exact.text(found.upper * tick),
        "upper_from": found.upper_from,
        "lp_upper": None if found.lp_upper is None else exact.text(found.lp_upper * tick),
        "form": found.form,
        "lower_by_search": None if found.searched is None else exact.text(found.searched * tick),
        "bound_from": found.lower.origin if found.lower else "no jobs",
        "verdict": verdict,
        "reading": source.account(),
    }
