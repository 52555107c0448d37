"""What a claim can be made into: feasible duals for its intervals, as strong as they can be, each a certificate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from certify.diagnose.claim import Claim
from certify.evidence import Bound, family_bound, price_bound
from lp.clusters import strongest_cluster
from lp.multiplicities import best_multiplicities
from lp.support import supporting_family
from lp.weak_duality import lower_bound
from online.errors import InvalidInput, LimitReached
from online.family import IntervalFamily


@dataclass(frozen=True)
class Repair:
    """Feasible duals and intervals made from a claim: their exact bound in the input's units, and what was changed.

    `lowered` and `raised` count the jobs whose dual is now smaller or larger, None where nothing can be compared.
    """

    name: str
    words: str
    bound: Fraction
    family: IntervalFamily = field(repr=False)
    lowered: int | None = None
    raised: int | None = None

    def evidence(self, claim: Claim) -> Bound:
        """The repair as evidence for a certificate, its intervals shrunk to the releases that they count.

        Its value is at least that of the repair, unless that is negative. For load prices may be rounded up.
        """
        origin = f"a claim, repaired: {self.words}"
        if claim.problem == "load":
            beta = [0] * claim.instance.machines
            for one in self.family:
                beta[one.machine] += one.multiplicity
            return price_bound(claim.instance, beta, origin)
        return family_bound(claim.instance, self.family, origin, claim.weights)


def repairs(claim: Claim) -> Iterator[Repair]:
    """What the claim can be made into, by what is kept: its intervals, their support, its duals, a part in time.

    Claim: all are feasible. No feasible duals for the intervals as given bound more than the first, as every constraint
    bounds one dual alone. Negative b become 0. The two by linear program are left out where that is too large, those of
    intervals without one of b > 0.
    """
    assert claim.family is not None
    family = claim.family.where(claim.family.multiplicity > 0)
    if family.count:
        yield _pointwise(claim, family)
        yield from _other_multiplicities(claim, family)
    yield from _other_intervals(claim)
    if family.count:
        yield from _part(claim, family)


def _other_multiplicities(claim: Claim, family: IntervalFamily) -> Iterator[Repair]:
    with suppress(InvalidInput, LimitReached):
        value, best = best_multiplicities(claim.subject, family, claim.weights)
        if best.count:
            words = "the same intervals, the best b for them by a linear program"
            yield Repair("multiplicities", words, value * claim.unit, best)


def _other_intervals(claim: Claim) -> Iterator[Repair]:
    need = claim.need
    if not any(need):
        return
    with suppress(InvalidInput, LimitReached):
        best = supporting_family(claim.subject, need, claim.weights).family
        value = lower_bound(claim.subject, best, weights=claim.weights)
        words = "the duals in their ratios or larger, the best intervals for them by a linear program"
        yield Repair("intervals", words, value * claim.unit, best)


def _part(claim: Claim, family: IntervalFamily) -> Iterator[Repair]:
    part, value = strongest_cluster(claim.subject, family, weights=claim.weights)
    if len(part) < len(family):
        words = "the part of the intervals, connected in time, that bounds most"
        yield Repair("part", words, value * claim.unit, part)


def _pointwise(claim: Claim, family: IntervalFamily) -> Repair:
    words = "the intervals as given, each dual as large as they allow"
    if claim.signed:
        words = "the intervals of b > 0 as given, each dual as large as they allow"
    bound = lower_bound(claim.subject, family, weights=claim.weights) * claim.unit
    if claim.value is None:
        return Repair("alpha", words, bound, family)
    least = Claim(claim.instance, claim.problem, family=family).least if claim.signed else claim.least
    pairs = [
        (value * claim.scale, factor * most)
        for value, factor, most in zip(claim.value, claim.factor, least, strict=True)
    ]
    return Repair("alpha", words, bound, family, sum(a > b for a, b in pairs), sum(a < b for a, b in pairs))
