"""A ratio for s^alpha that holds for any number of jobs, by finitely many comparisons of rationals.

The potential is c1 = c / alpha, c2 = 2. In units of the servers, with U = n/m >= 1, S = U^(1/alpha), z = 2/c and
gamma = 1 - 1/alpha, the left minus right side of (7) over c m is at most

    A(r) = r - kappa (1 - 1/m)/2 - (1 + r)^(1/alpha) (J(r) + z - D)                 if n_o >= m, r = (n - n_o)/m > 0,
    B(U, d) = z U + kappa (d U - d (2d - 1)^+ / 2) - d - S (J(U - d) + z - D d)     if n_o = d m < m,

where J(x) is the integral of t^gamma from (x - 1)^+ to x. Every term is monotone in each variable, so a box is settled
by its corners, or cut in two. `largest` is a U from which on nothing is left to check.

Source: SPEED.md, section 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from certify.speed.verify import UNIT, backlog_excess, conjugate_law
from online.errors import LimitReached
from online.speed.power import BITS, power_law
from online.speed.sums import FRACTION_BITS, power_lower, power_upper

Box = tuple[tuple[Fraction, Fraction], ...]

MOST_BOXES = 200_000

MARGIN = Fraction(1, 1 << 20)
"""By so much G is below 0 where it is computed with rounded steps."""

PROVED = {
    Fraction(3, 2): (Fraction(23479, 10000), 4),
    Fraction(7, 4): (Fraction(25102, 10000), 2),
    Fraction(2): (Fraction(8, 3), 2),
    Fraction(7, 3): (Fraction(28682, 10000), 2),
    Fraction(5, 2): (Fraction(29662, 10000), 2),
    Fraction(3): (Fraction(32516, 10000), 2),
}
"""Ratios that are proved, by exponent, and the number of servers from which the inequalities on boxes hold.

But for 8/3 they are rounded up in the fourth digit.
"""


@dataclass(frozen=True)
class Fluid:
    """The inequalities for one alpha and one ratio c.

    >>> square = Fluid(Fraction(2), Fraction(8, 3))
    >>> square.kappa, square.small(), square.large(2)
    ((Fraction(1, 4), Fraction(1, 4)), True, True)
    >>> Fluid(Fraction(2), Fraction(5, 2)).small()
    False
    """

    alpha: Fraction
    ratio: Fraction

    @property
    def z(self) -> Fraction:
        """c2 / c, and the cost 2n of the algorithm over c n."""
        return 2 / self.ratio

    @property
    def gamma(self) -> Fraction:
        """Delta(x) is alpha x^gamma."""
        return 1 - 1 / self.alpha

    @cached_property
    def kappa(self) -> tuple[Fraction, Fraction]:
        """P*(x^gamma) = kappa x, kappa = (alpha - 1) alpha^(-alpha / (alpha - 1)), from below and above."""
        base, exponent = 1 / self.alpha, self.alpha / (self.alpha - 1)
        return (self.alpha - 1) * power_lower(base, exponent), (self.alpha - 1) * power_upper(base, exponent)

    @cached_property
    def gain(self) -> Fraction:
        """At least P*(1 + z)."""
        return conjugate_law(self.alpha, 1 + self.z)

    @property
    def extra(self) -> Fraction:
        """D: P*(u^gamma + z) <= kappa u + D S for u <= U, as P* has the degree 1 / gamma and is convex."""
        return self.gain - self.kappa[0]

    def small(self) -> bool:
        """The conditions for n < m, and what the others rest on: kappa + z <= 1, P*(1 + z) < 1, D <= z."""
        return self.kappa[1] + self.z <= 1 and self.gain < 1 and self.extra <= self.z

    @property
    def largest(self) -> Fraction:
        """From this U on S >= 2 and S (z - D) >= 1/2, so A <= 1/2 - S (z - D) <= 0, and B alike."""
        return power_upper(max(Fraction(2), 1 / (2 * (self.z - self.extra))), self.alpha)

    def large(self, machines: int) -> bool:
        """Whether A < 0 and B < 0 for all n >= m, if there are `machines` servers or more."""
        top, one = self.largest, Fraction(1)
        first = _negative(self.far(machines), ((Fraction(0), top),))
        return first and _negative(self.near, ((one, top), (Fraction(0), one)))

    def far(self, machines: int) -> Callable[[Box], Fraction]:
        """A from above on an interval of r, for `machines` servers or more."""
        share = self.kappa[0] * (1 - Fraction(1, machines)) / 2

        def above(box: Box) -> Fraction:
            low, high = box[0]
            return high - share - power_lower(1 + low, 1 / self.alpha) * (self._area(low) + self.z - self.extra)

        return above

    def near(self, box: Box) -> Fraction:
        """B from above on a box of (U, d)."""
        (low, high), (least, most) = box
        bent = least * max(Fraction(0), 2 * least - 1) / 2
        served = self.kappa[1] * most * high - self.kappa[0] * bent
        own = self._area(max(Fraction(0), low - most)) + self.z - self.extra * most
        return self.z * high + served - least - power_lower(low, 1 / self.alpha) * own

    def _area(self, x: Fraction) -> Fraction:
        """At most the integral of t^gamma from (x - 1)^+ to x."""
        degree = 1 + self.gamma
        below = power_upper(x - 1, degree) if x > 1 else Fraction(0)
        return max(Fraction(0), power_lower(x, degree) - below) / degree

    def few(self, machines: int) -> bool:
        """Whether (7) holds for exactly `machines` servers and all n < m * `largest`: G of SPEED.md, section 7.

        Claim: G <= -`MARGIN` for the steps rounded down, but at n = n_o = 0, where no step counts and G = 0. So G < 0
        for the exact steps, those of `large`: they only lower the terms of the algorithm; and as each is less than
        2^-48 c larger, each of the m terms c P*(w) of the reference grows by less than 2^-48 c s, s being the largest
        best speed at an exact w. All of them stay below `MARGIN`.
        """
        law, jobs = power_law(self.alpha), ceil(machines * self.largest)
        steps = [self.ratio * power_lower(Fraction(i, machines), self.gamma) for i in range(1, jobs + 1)]
        for n in range(jobs + 1):
            low = law.dial_for_power(max(Fraction(n, machines), Fraction(1)))
            for dial in (low, low * (1 + Fraction(2, 1 << BITS))):
                sides = backlog_excess(self.alpha, machines, steps, Fraction(2), self.ratio, n, dial)
                if any(excess > -MARGIN * UNIT for held, excess in enumerate(sides) if n or held):
                    return False
        return machines * self.ratio * self._best_speed(Fraction(jobs, machines)) < MARGIN * (1 << FRACTION_BITS)

    def _best_speed(self, size: Fraction) -> Fraction:
        """At least the speed at which the reference gains most from the step at `size`."""
        weight = power_upper(size, self.gamma) + self.z
        return power_upper(weight / self.alpha, 1 / (self.alpha - 1))

    def proved(self, machines: int = 2) -> bool:
        """Whether c is proved for every number of servers: T-m1 for one, `few` below `machines`, `large` from there on.

        T-m1 suffices for one server, as kappa > 0 and so c > 2.
        """
        return self.small() and all(self.few(m) for m in range(2, machines)) and self.large(machines)


def _negative(above: Callable[[Box], Fraction], box: Box) -> bool:
    """Whether the function is below 0 on the box, given its bounds from above on boxes, which are cut in two.

    Raises: `LimitReached` after `MOST_BOXES` boxes.
    """
    boxes = [box]
    for _ in range(MOST_BOXES):
        if not boxes:
            return True
        one = boxes.pop()
        if above(one) < 0:
            continue
        side = max(range(len(one)), key=lambda k: one[k][1] - one[k][0])
        low, high = one[side]
        if high - low < Fraction(1, 1 << 16):
            return False
        middle = (low + high) / 2
        boxes += [(*one[:side], half, *one[side + 1 :]) for half in ((low, middle), (middle, high))]
    raise LimitReached(f"more than {MOST_BOXES} boxes")
