"""What a claim can be made into: feasible duals for its intervals, as strong as they can be, each a certificate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from certify.diagnose.claim import Claim
from certify.evidence import Bound, family_bound, price_bound
from lp.clusters import strongest_cluster
from lp.weak_duality import lower_bound
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
    """The largest duals for the intervals as given, then those of the part in time that bounds most; both near linear.

    Claim: the first is feasible, and no feasible duals for these intervals give a larger bound, as every constraint
    bounds one dual alone. Negative b become 0. Nothing without an interval of b > 0.
    """
    if claim.family is None:
        return
    family = claim.family.where(claim.family.multiplicity > 0)
    if not family.count:
        return
    yield _pointwise(claim, family)
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
