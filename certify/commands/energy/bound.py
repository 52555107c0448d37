"""`dualfit bound --problem energy`: how little can flow time plus energy be, for anybody?"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from certify import check
from certify.build import to_text
from certify.commands.common import FILE, JSON, OUT, Input, present, reading_options, save, working
from certify.commands.energy.options import PROBLEM, power_from, power_options
from certify.commands.energy.search import bounding, search_options
from certify.commands.energy.source import load_jobs
from certify.energy_build import ORIGINS, certify_bracket
from certify.energy_show import bound_tables
from certify.evidence import Document
from lp.energy.bracket import EnergyBracket
from online import exact
from online.errors import FalseClaim
from online.speed.power import Power


@click.command("bound")
@FILE
@PROBLEM
@power_options
@search_options
@reading_options
@OUT
@JSON
def energy_bound_command(
    file: str,
    alpha: Fraction | None,
    described: str | None,
    time_limit: float | None,
    gap: Fraction,
    size: str | None,
    strict: bool,
    out: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Bound the least flow time plus energy of FILE from both sides, exactly, for identical servers with speeds.

    From above stands a schedule with its exact cost. The bounds from below hold for every schedule, at any speeds, with
    any preemptions and migrations:

    \b
    size      the least cost of a tick of work, times the total size
    schedule  what prices of a server prove, higher while more jobs wait in a good schedule
    dual      the same for the best prices that were found

    Schedules and prices are improved until they are within the gap, nothing helps, or the time is up.
    """
    power = power_from(alpha, described)
    source = load_jobs(file, size, strict, chosen)
    found = bounding(source.instance, power, time_limit, gap)
    with working("writing and checking the certificate"):
        certificate = certify_bracket(source.instance, power, found, source.source)
        verdict = check.check_document(certificate).verdict
    if out is not None:
        save(out, to_text(certificate), file)
    report(to_document(source, power, found, gap, verdict), out, as_json)


def report(document: Document, path: str | None, as_json: bool) -> None:
    """Print the bracket. Raises: `FalseClaim` if the checker did not accept the certificate."""
    present(document, lambda: bound_tables(document, path), as_json)
    if document["verdict"] != "accepted":
        raise FalseClaim("the checker did not accept the certificate of these bounds", printed=True)


def to_document(source: Input, power: Power, found: EnergyBracket, gap: Fraction, verdict: str) -> Document:
    """The bracket as one JSON object, in the input's units."""
    tick, rung = source.instance.tick, found.rung
    return {
        "problem": "energy",
        "power": str(power),
        "machines": source.instance.machines,
        "lower": exact.text(found.lower * tick),
        "upper": exact.text(found.upper.cost * tick),
        "width": exact.text((found.upper.cost - found.lower) * tick),
        "ratio": exact.text(found.ratio),
        "gap": exact.text(gap),
        "closed": found.ratio <= 1 + gap,
        "rung": rung.method if rung else None,
        "bound_from": ORIGINS[rung.method] if rung else "no jobs",
        "ladder": [
            {
                "rung": one.method,
                "lower": exact.text(one.value * tick),
                "below_upper": exact.text(1 - one.value / found.upper.cost),
                "grid": one.cells,
                "loss": exact.text(Fraction(round(Fraction(one.loss) * 10**12), 10**12)),
                "dials": len(one.prices.dials),
                "bound_from": ORIGINS[one.method],
            }
            for one in found.rungs
        ],
        "verdict": verdict,
        "reading": source.account(),
    }
