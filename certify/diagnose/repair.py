"""What a claim can be made into: feasible duals for its intervals, as strong as they can be, each a certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from certify.diagnose.claim import Claim
from certify.evidence import Bound, family_bound, price_bound
from certify.problems.track import Tell, silent
from lp.clusters import strongest_cluster
from lp.multiplicities import best_multiplicities
from lp.support import supporting_family
from lp.weak_duality import lower_bound
from online import exact
from online.errors import InvalidInput, LimitReached, one_line
from online.family import IntervalFamily

BY_PROGRAM = {
    "multiplicities": "the same intervals, the best b for them by a linear program",
    "intervals": "the duals in their ratios or larger, the best intervals for them by a linear program",
}


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

    @property
    def certifiable(self) -> bool:
        """Whether its numbers are short enough for a certificate."""
        numbers = (self.family.count, self.bound.numerator, self.bound.denominator)
        return all(abs(one) < exact.LIMIT for one in numbers)

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


def repairs(claim: Claim, leave_out: Tell = silent) -> Iterator[Repair]:
    """What the claim can be made into, by what is kept: its intervals, their support, its duals, a part in time.

    Claim: all are feasible. No feasible duals for the intervals as given bound more than the first, as every constraint
    bounds one dual alone. Negative b become 0. Where a linear program is too large, or no solver takes its numbers,
    `leave_out` is told. Nothing is made of intervals without one of b > 0.
    """
    assert claim.family is not None
    family = claim.family.where(claim.family.multiplicity > 0)
    if family.count:
        yield _pointwise(claim, family)
        yield from _found("multiplicities", _other_multiplicities, claim, family, leave_out)
    if any(value > 0 for value in claim.value or ()):
        yield from _found("intervals", _other_intervals, claim, family, leave_out)
    if family.count:
        yield from _part(claim, family)


def _found(
    name: str,
    make: Callable[[Claim, IntervalFamily], IntervalFamily],
    claim: Claim,
    family: IntervalFamily,
    leave_out: Tell,
) -> Iterator[Repair]:
    try:
        best = make(claim, family)
    except (InvalidInput, LimitReached) as refused:
        leave_out(f"the repair by {name}: {one_line(str(refused))}")
        return
    if best.count:
        value = lower_bound(claim.subject, best, weights=claim.weights)
        yield Repair(name, BY_PROGRAM[name], value * claim.unit, best)


def _other_multiplicities(claim: Claim, family: IntervalFamily) -> IntervalFamily:
    return best_multiplicities(claim.subject, family, claim.weights)[1]


def _other_intervals(claim: Claim, family: IntervalFamily) -> IntervalFamily:
    return supporting_family(claim.subject, claim.need, claim.weights).family


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
