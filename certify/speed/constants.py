"""The constants of the theorems, as rationals on the safe side: at most, or at least, the real number.

Source: Multiple server SRPT with speed scaling is competitive, Theorems 1 and 2; SPEED.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from certify.speed.fluid import PROVED
from online.speed.power import BITS, Power

GRAIN = 1 + Fraction(2, 1 << 2 * BITS)
"""By less than this factor a dial of 2 * BITS bits lies below the real one."""


@dataclass(frozen=True)
class Constant:
    """A competitive ratio c: below <= c <= above, and whether its hypothesis on P is met (None: not known)."""

    below: Fraction
    above: Fraction
    met: bool | None

    def times(self, factor: Fraction) -> Constant:
        """The same ratio, `factor` times as large."""
        return Constant(factor * self.below, factor * self.above, self.met)


NO_CONSTANT = Constant(Fraction(1), Fraction(1), False)
"""Of a theorem that has no c for this P."""


def theta(power: Power) -> Constant:
    """theta_P = sup_s s / (1 + P(s)): any speed bounds it from below, any u with P*(u) <= 1 from above.

    >>> from online.speed.power import power_law
    >>> theta(power_law(2)).below, theta(power_law(2)).above
    (Fraction(1, 2), Fraction(1, 2))
    """
    point = power.at(power.dial_for_waiting(1))
    return Constant(point.speed / (1 + point.power), power.theta_upper, True)


def unit_speed(power: Power) -> Constant:
    """P^{-1}(1)."""
    return speed_at(power, Fraction(1))


def speed_at(power: Power, limit: Fraction) -> Constant:
    """P^{-1}(limit), for a limit > 0.

    >>> from online.speed.power import power_law
    >>> speed_at(power_law(2), Fraction(9, 4)).above
    Fraction(3, 2)
    """
    dial = power.dial_for_power(limit, 2 * BITS)
    point = power.at(dial)
    return Constant(point.speed, point.speed if point.power == limit else power.at(dial * GRAIN).speed, True)


def augmented_power(power: Power, machines: int) -> Constant:
    """P(2 - 1/m)."""
    speed = 2 - Fraction(1, machines)
    dial = power.dial_for_speed(speed, 2 * BITS)
    point = power.at(dial)
    return Constant(point.power, point.power if point.speed == speed else power.at(dial * GRAIN).power, True)


def shortest_first(power: Power, machines: int) -> Constant:
    """T1-OS, sharp: 2 + 2 theta_P / P^{-1}(1) against references that serve only their m shortest."""
    return _plus(Fraction(2), power, power.strict)


def shortest_first_printed(power: Power, machines: int) -> Constant:
    """T1-OS as printed: 2 + (2 / P^{-1}(1)) max(1, P(sbar)); Assumption 2 makes the maximum 1. 4 for s^alpha."""
    unit = unit_speed(power)
    met = power.submultiplicative if power.strict else False
    return Constant(2 + 2 / unit.above, 2 + 2 / unit.below, met)


def theorem_1(power: Power, machines: int) -> Constant:
    """P(2 - 1/m) (2 + (2 / P^{-1}(1)) max(1, P(sbar))); 4 (2 - 1/m)^alpha for s^alpha.

    >>> from online.speed.power import power_law
    >>> theorem_1(power_law(2), 2).below
    Fraction(9, 1)
    """
    first, second = augmented_power(power, machines), shortest_first_printed(power, machines)
    return Constant(first.below * second.below, first.above * second.above, second.met)


def theorem_2(power: Power, machines: int) -> Constant:
    """3 + 2 / (2 - alpha) for s^alpha, 1 < alpha < 2."""
    alpha = power.alpha
    if alpha is None or alpha >= 2:
        return NO_CONSTANT
    ratio = 3 + 2 / (2 - alpha)
    return Constant(ratio, ratio, True)


def theorem_td(power: Power, machines: int) -> Constant:
    """TD: 2 (1 + beta) + 2 theta_P / P^{-1}(1); 2 alpha + 2 theta_alpha for s^alpha."""
    if power.beta is None:
        return NO_CONSTANT
    return _plus(2 * (1 + power.beta), power, True)


def theorem_fluid(power: Power, machines: int) -> Constant:
    """TF: 2 / (1 - (alpha - 1) alpha^(-alpha / (alpha - 1))), rounded up, where it is proved; 8/3 for s^2.

    >>> from online.speed.power import power_law
    >>> theorem_fluid(power_law(2), 8).above, theorem_fluid(power_law("9/4"), 8).met
    (Fraction(8, 3), False)
    """
    if power.alpha not in PROVED:
        return NO_CONSTANT
    ratio, _ = PROVED[power.alpha]
    return Constant(ratio, ratio, True)


def one_server(power: Power, machines: int) -> Constant:
    """T-m1: 2, on one server."""
    return Constant(Fraction(2), Fraction(2), machines == 1 and power.strict)


def _plus(base: Fraction, power: Power, met: bool) -> Constant:
    unit, sup = unit_speed(power), theta(power)
    return Constant(base + 2 * sup.below / unit.above, base + 2 * sup.above / unit.below, met)


THEOREMS: dict[str, Callable[[Power, int], Constant]] = {
    "T1": theorem_1,
    "T2": theorem_2,
    "TD": theorem_td,
    "TF": theorem_fluid,
    "T-m1": one_server,
}
"""The ratios that are claimed against the offline optimum."""
