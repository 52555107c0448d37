"""Intervals for a claim that has duals only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from certify.diagnose.claim import Claim
from lp.support import Supported, point_family, spanning_family, supporting_family
from online import exact
from online.errors import InvalidInput, LimitReached
from online.family import IntervalFamily


def supported(claim: Claim) -> Claim:
    """The claim with intervals that allow its duals; of those found, the ones of the largest bound.

    Claim: every dual constraint between duals and intervals holds, exactly. In the normalisation `family` there are
    always such intervals. In `dual` their sum b / weight must be at most 1: if that of no intervals is, the claim gets
    those of the least sum, and its excess is exact. The bound is the largest only as far as the solver's precision
    and its size limit go: beyond it, the intervals have length 0, or the least share.
    """
    need = claim.need
    if not any(need):
        return replace(claim, family=IntervalFamily.of([]), notes=(*claim.notes, "no intervals: no dual is above 0"))
    made = [(words, _with(claim, found)) for words, found in _families(claim, need)]
    allowed = [one for one in made if claim.normalisation == "family" or one[1].reckoned().share <= 1]
    words, best = max(allowed or made[:1], key=lambda one: one[1].says or Fraction(0))
    return replace(best, notes=(*claim.notes, f"no intervals claimed; allowed by {words}"))


def _families(claim: Claim, need: list[Fraction]) -> Iterator[tuple[str, Supported]]:
    yield "intervals of least share, however long", spanning_family(claim.subject, need, claim.weights)
    if claim.problem == "load":
        return
    with suppress(LimitReached):
        yield "intervals of length 0", point_family(claim.subject, need, claim.weights)
    with suppress(InvalidInput, LimitReached):
        yield (
            "the intervals of largest bound, by a linear program",
            supporting_family(claim.subject, need, claim.weights),
        )


def _with(claim: Claim, found: Supported) -> Claim:
    """b is the multiplicity over the unit."""
    family, unit = found
    times = exact.column([one * unit.denominator for one in family.multiplicity.tolist()], summed=True)
    return replace(claim, family=replace(family, multiplicity=times), scale=unit.numerator)
