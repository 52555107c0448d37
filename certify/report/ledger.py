"""The section with the ledger: every claim on this run, its two sides, and its slack as a bar."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from certify.claims.claim import Entry, Verdict
from certify.problems.energy import TITLE
from certify.problems.registry import TRACKS
from certify.report.section import Section, render
from certify.report.shown import briefly, share, width

if TYPE_CHECKING:
    from certify.report.scene import Scene

SPOKEN = (Verdict.FAILS, Verdict.UNDECIDED, Verdict.HOLDS)
"""The verdicts on claims that say something about the run, the worst first."""

TIGHTEST = 3
"""How many of the tightest claims are named."""


def ledger(scene: Scene) -> Section | None:
    """Every claim of the paper's section on the run of the certificate; None without a run."""
    entries, title = scene.entries, "The ledger of claims"
    if not entries and scene.unmeasured is None:
        return None
    return Section("ledger", title, render("ledger", **_content(scene, entries), unmeasured=scene.unmeasured))


def _content(scene: Scene, entries: Sequence[Entry]) -> dict[str, Any]:
    place = TRACKS[scene.problem].title if scene.problem in TRACKS else TITLE
    return {
        "place": place,
        "counts": [(verdict.value, sum(one.verdict is verdict for one in entries)) for verdict in Verdict],
        "spoken": [_row(one) for verdict in SPOKEN for one in entries if one.verdict is verdict],
        "unmet": [_row(one) for one in entries if one.verdict is Verdict.NOT_MET],
        "vacuous": [_row(one) for one in entries if one.verdict is Verdict.VACUOUS],
        "tightest": [_row(one) for one in tightest(entries)],
        "anchors": {one.claim.id for one in entries},
        "anchor": anchor,
        "briefly": briefly,
    }


def tightest(entries: Sequence[Entry]) -> list[Entry]:
    """The claims that hold with the least share of slack, in the order of the ledger among equals."""
    holding = [one for one in entries if one.verdict is Verdict.HOLDS]
    return sorted(holding, key=lambda one: 1 - filled(one))[:TIGHTEST]


def filled(entry: Entry) -> Fraction:
    """How much of a bar the smaller side fills of the larger one: 1 without slack, 0 where the sides' signs differ.

    Claim: 1 less |slack| over the largest of |lhs|, |rhs| and |slack|; so lhs / rhs where 0 <= lhs <= rhs.
    """
    reading, slack = entry.reading, entry.slack
    if reading is None or slack is None:
        return Fraction(0)
    sides = abs(Fraction(reading.lhs)), abs(Fraction(reading.rhs))
    gap = abs(entry.claim.slack(reading))
    return 1 - gap / max(*sides, gap) if gap else Fraction(1)


def _row(entry: Entry) -> dict[str, Any]:
    reading, full = entry.reading, filled(entry)
    return {
        "claim": entry.claim,
        "verdict": entry.verdict.value,
        "lhs": None if reading is None else reading.lhs * entry.scale,
        "rhs": entry.rhs,
        "slack": entry.slack,
        "where": "" if reading is None else reading.where,
        "width": width(full, 1),
        "share": "" if reading is None else share(full, 1, "up"),
        "tight": entry.slack == 0,
        "over": entry.verdict is Verdict.FAILS,
        "open": entry.verdict is Verdict.UNDECIDED,
    }


def anchor(claim: str) -> str:
    """The place of a claim on the page.

    >>> anchor("6.1.alpha'")
    'claim-6.1.alpha-27'
    """
    return "claim-" + "".join(c if c.isalnum() or c in "._" else f"-{ord(c):x}" for c in claim)
