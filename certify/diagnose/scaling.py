"""How far a claim has to be scaled to be feasible, and what is left of its bound then."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from certify.diagnose.claim import Claim


class Scaling(NamedTuple):
    """The largest factor for the duals alone, the one for the intervals after that, and the bound of both, exactly.

    `alpha` is the largest theta >= 0 such that theta times the duals is feasible for the intervals as given; `job` is
    one that holds it there, None where alpha is 0. `whole` is what duals and intervals are multiplied by to make
    sum b / weight = 1: the bound is divided by the sum, whichever normalisation.
    """

    alpha: Fraction
    job: int
    whole: Fraction
    bound: Fraction


def scaling(claim: Claim) -> Scaling | None:
    """The largest feasible scaling; None where there is none, or no largest, or nothing to scale.

    There is none if some b is negative, no largest if no dual is above 0, and no bound without intervals.

    Claim: theta = min over jobs with alpha_j > 0 of (least sum of b that counts j) / alpha_j; 0 if some dual is
    negative. The constraints are linear and homogeneous in (alpha, b) but for sum b / weight <= 1.
    """
    if claim.value is None or claim.family is None or claim.signed:
        return None
    made_of = claim.reckoned()
    limits = [(j, _limit(claim, j, value)) for j, value in enumerate(claim.value) if value]
    if not limits or not made_of.share:
        return None
    job, theta = min(limits, key=lambda one: one[1])
    scaled = made_of._replace(volume=theta * made_of.volume)
    assert scaled.bound is not None
    return Scaling(theta, job, 1 / made_of.share, scaled.bound)


def _limit(claim: Claim, j: int, value: Fraction) -> Fraction:
    return Fraction(0) if value < 0 else claim.factor[j] * claim.least[j] / (claim.scale * value)
