"""P*(u) = sup_s (u s - P(s)) from above: what a reference that may choose any speed can take out of a weight."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import ceil

from online.errors import InvalidInput, Problem
from online.speed.power import Power

UNIT = 1 << 40
"""Values are rounded up to multiples of 1 / UNIT."""


def up(value: Fraction) -> Fraction:
    """The least multiple of 1 / UNIT that is at least `value`."""
    return Fraction(ceil(value * UNIT), UNIT)


@cache
def conjugate_above(power: Power, weight: Fraction) -> Fraction:
    """At least P*(weight), and close to it; 0 for weight <= P'(0).

    Between the marginals u1 <= weight < u2 of two neighbouring dials the convex P* lies below its chord.

    Raises: `InvalidInput` for a P that is not strictly convex, where P* may be infinite.

    >>> from online.speed.power import power_law
    >>> conjugate_above(power_law(2), Fraction(3)), conjugate_above(power_law(3), Fraction(12))
    (Fraction(9, 4), Fraction(16, 1))
    """
    if not power.strict:
        raise InvalidInput(
            Problem(str(power), "no conjugate", "a P with corners", "a strictly convex P", "use s^2, s^(3/2), s^2+s")
        )
    if weight <= power.at(Fraction(0)).marginal:
        return Fraction(0)
    dial = power.dial_below(lambda point: point.marginal <= weight)
    low, high = power.at(dial), power.at(dial * (1 + Fraction(1, 1 << 19)))
    share = (weight - low.marginal) / (high.marginal - low.marginal)
    return up(low.conjugate + share * (high.conjugate - low.conjugate))
