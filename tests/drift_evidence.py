"""Evidence as plain JSON values, and back into the numbers that a second program checks.

`drift`: two schedules, a table, a ratio; shown: cost(algorithm) <= ratio * cost(reference). `backlog`: a run of SRPT
and a table; shown: cost(algorithm) <= ratio * OPT. Numbers are `p/q` strings; jobs are [release, size] in ticks,
segments [start, end, [[job, dial], ...]].

Source: SPEED.md, sections 2 and 7.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import schedule_faults

from certify.speed.backlog import Table
from certify.speed.drift import Drift
from certify.speed.verify import backlog_fault
from online import exact
from online.errors import InvalidInput, Problem
from online.speed.power import PowerLaw
from online.speed.trajectory import Trajectory


def drift_keys(drift: Drift, ratio: Fraction) -> dict[str, Any]:
    """The evidence that the first schedule costs at most `ratio` times the second."""
    return {
        "rule": "drift",
        **_instance(drift.algorithm),
        "algorithm": _segments(drift.algorithm),
        "reference": _segments(drift.reference),
        "steps": [exact.text(step) for step in drift.potential.steps],
        "linear": exact.text(drift.potential.linear),
        "ratio": exact.text(ratio),
    }


def backlog_keys(run: Trajectory, table: Table) -> dict[str, Any]:
    """The evidence that a run of SRPT costs at most the table's ratio times the optimum; the table may be longer."""
    backlog = max((n for _, _, n in run.unfinished), default=0)
    return {
        "rule": "backlog",
        **_instance(run),
        "algorithm": _segments(run),
        "dials": [[exact.text(dial) for dial in table.dials(n)] for n in range(backlog + 1)],
        "steps": [exact.text(step) for step in table.steps],
        "linear": exact.text(table.linear),
        "ratio": exact.text(table.ratio),
    }


def fault(document: dict[str, Any]) -> str:
    """The first thing that is wrong with the evidence; empty if it shows what it says."""
    terms = [(Fraction(c), Fraction(e)) for c, e in document["power"]["terms"]]
    jobs = [(release, size) for release, size in document["jobs"]]
    table = [Fraction(step) for step in document["steps"]], Fraction(document["linear"]), Fraction(document["ratio"])
    algorithm = _read(document["algorithm"])
    if document["rule"] == "drift":
        return schedule_faults.drift_fault(
            terms, document["machines"], jobs, algorithm, _read(document["reference"]), *table
        )
    if len(terms) > 1 or terms[0][0] != 1:
        return "not a power law s^alpha"
    dials = [(Fraction(low), Fraction(high)) for low, high in document["dials"]]
    return schedule_faults.srpt_fault(terms, document["machines"], jobs, algorithm, dials) or backlog_fault(
        terms[0][1], document["machines"], *table, dials
    )


def _instance(run: Trajectory) -> dict[str, Any]:
    if not isinstance(run.power, PowerLaw):
        raise InvalidInput(
            Problem(str(run.power), "no evidence", "a table of powers", "a sum of powers", "use s^2, 3s^(5/2), s^2+s")
        )
    columns = zip(run.instance.release.tolist(), run.instance.size.tolist(), strict=True)
    return {
        "power": run.power.to_document(),
        "machines": run.instance.machines,
        "jobs": [[int(release), int(size)] for release, size in columns],
    }


def _segments(run: Trajectory) -> list[Any]:
    return [
        [exact.text(start), exact.text(end), [[job, exact.text(dial)] for job, dial in running]]
        for start, end, running in run.segments
    ]


def _read(segments: list[Any]) -> schedule_faults.Segments:
    return [
        (Fraction(start), Fraction(end), [(job, Fraction(dial)) for job, dial in running])
        for start, end, running in segments
    ]
