"""What a server's speed costs: power functions with exact values at rational dials.

Speed is dimensionless (ticks of work per tick of time), power is in jobs: cost is the integral of number of unfinished
jobs plus powers, hence in ticks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from online import exact
from online.errors import InvalidInput, Problem
from online.exact import Number

BITS = 20
"""Significant bits of a dial that stands for an irrational one."""


class Point(NamedTuple):
    """P at one speed: `marginal` is a subgradient there, `conjugate` is P*(marginal) = marginal * speed - power."""

    speed: Fraction
    power: Fraction
    marginal: Fraction
    conjugate: Fraction


class Power(ABC):
    """An increasing convex P with P(0) = 0, finite everywhere, seen through a dial that makes all values rational.

    Claim: speed, power, marginal and conjugate do not fall as the dial grows.

    Source: [S] Assumption 1, read as: strictly convex, differentiable, and above s for large s.
    """

    @cached_property
    def _known(self) -> dict[Fraction, Point]:
        return {}

    def at(self, dial: Fraction) -> Point:
        """The exact values at a dial >= 0."""
        found = self._known.get(dial)
        if found is None:
            found = self._known[dial] = self._point(dial)
        return found

    @abstractmethod
    def _point(self, dial: Fraction) -> Point: ...

    @property
    @abstractmethod
    def strict(self) -> bool:
        """Whether P is known to be strictly convex and differentiable."""

    @property
    @abstractmethod
    def submultiplicative(self) -> bool | None:
        """Whether P(xy) <= P(x) P(y) for all x, y > 0; None if that is not known. Source: [S] Assumption 2."""

    @property
    @abstractmethod
    def beta(self) -> Fraction | None:
        """sup s P''(s) / P'(s), the exponent less one for a power law; None if P is not twice differentiable."""

    @property
    def alpha(self) -> Fraction | None:
        """The exponent if P(s) = c s^alpha, else None."""
        return None

    @property
    def root(self) -> int:
        """The q of speed = dial^q."""
        return 1

    @abstractmethod
    def to_document(self) -> dict[str, Any]:
        """The exact description, texts only."""

    def dial_below(self, admitted: Callable[[Point], bool], bits: int = BITS) -> Fraction:
        """The largest dial of `bits` significant bits at which `admitted` holds, as it must at small dials only.

        Claim: the supremum of such dials is less than the answer times `1 + 2**(1 - bits)`.
        """
        unit = Fraction(1)
        while admitted(self.at(unit)):
            unit *= 2
        while not admitted(self.at(unit)):
            unit /= 2
        low, high = 1 << (bits - 1), 1 << bits
        unit /= low
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if admitted(self.at(unit * middle)) else (low, middle)
        return unit * low

    def dial_for_power(self, power: Fraction | int, bits: int = BITS) -> Fraction:
        """The largest dial of `bits` significant bits whose power is at most `power` > 0.

        >>> power_law(2).dial_for_power(4), power_law(3).dial_for_power(2, 8)
        (Fraction(2, 1), Fraction(161, 128))
        """
        return _dial_for_power(self, Fraction(power), bits)

    def dial_for_speed(self, speed: Fraction | int, bits: int = BITS) -> Fraction:
        """The largest dial of `bits` significant bits whose speed is at most `speed` > 0."""
        _positive("speed", Fraction(speed))
        return self.dial_below(lambda point: point.speed <= speed, bits)

    def dial_for_waiting(self, jobs: Fraction | int, bits: int = BITS) -> Fraction:
        """About the dial at which work is cheapest while `jobs` wait: the largest whose conjugate is at most `jobs`."""
        return _dial_for_waiting(self, Fraction(jobs), bits)

    def work_price_lower(self, jobs: Fraction | int = 1, bits: int = 2 * BITS) -> Fraction:
        """At most min_s (jobs + P(s)) / s, the least cost of a tick of work while `jobs` > 0 jobs are unfinished.

        Proof: any u with P*(u) <= jobs has us - P(s) <= jobs for all s.

        >>> power_law(2).work_price_lower()
        Fraction(2, 1)
        """
        return self.at(self.dial_for_waiting(jobs, bits)).marginal

    def work_price_upper(self, jobs: Fraction | int = 1, bits: int = BITS) -> Fraction:
        """The price (jobs + P(s)) / s of a tick of work at one good speed s."""
        point = self.at(self.dial_for_waiting(jobs, bits))
        return (jobs + point.power) / point.speed

    @cached_property
    def mu0_lower(self) -> Fraction:
        """At most mu0 = min_s (1 + P(s)) / s, the least cost of a tick of work."""
        return self.work_price_lower()

    @cached_property
    def theta_upper(self) -> Fraction:
        """At least theta = sup_s s / (1 + P(s)) = 1 / mu0."""
        return 1 / self.mu0_lower

    @cached_property
    def unit_speed_lower(self) -> Fraction:
        """At most P^{-1}(1)."""
        return self.at(self.dial_for_power(1, 2 * BITS)).speed

    @property
    def sbar_upper(self) -> Fraction | None:
        """At least sbar = inf {s > 0: P(s) > s}, and that itself where it is found; None if there is no such s.

        By convexity {P(s) > s} is an upper ray.
        """
        first = self.at(Fraction(0)).marginal
        if first > 1 or (first == 1 and self.strict):
            return Fraction(0)
        dial = self.dial_below(lambda point: point.power <= point.speed, 2 * BITS)
        point = self.at(dial)
        return point.speed if point.power == point.speed else self.at(dial * (1 + Fraction(2, 1 << 2 * BITS))).speed


@dataclass(frozen=True)
class PowerLaw(Power):
    """P(s) = sum of c s^e, all c > 0 and e >= 1 rational, one e > 1; `terms` are (c, e) by falling e.

    With q the common denominator of the exponents a dial x stands for the speed x^q, so that all values are rational.

    >>> power_law("5/2").at(Fraction(3)).speed
    Fraction(9, 1)
    >>> law = PowerLaw(((Fraction(1), Fraction(2)), (Fraction(1), Fraction(1))))
    >>> law.at(Fraction(2)), law.beta, law.submultiplicative, str(law)
    (Point(speed=Fraction(2, 1), power=Fraction(6, 1), marginal=Fraction(5, 1), conjugate=Fraction(4, 1)), \
Fraction(1, 1), True, 's^2 + s')
    """

    terms: tuple[tuple[Fraction, Fraction], ...]

    @cached_property
    def root(self) -> int:
        return exact.common_denominator([e for _, e in self.terms])

    def _point(self, dial: Fraction) -> Point:
        speed = dial**self.root
        each = [(e, c * dial ** int(e * self.root - self.root)) for c, e in self.terms]
        power = speed * sum((value for _, value in each), Fraction(0))
        marginal = sum((e * value for e, value in each), Fraction(0))
        return Point(speed, power, marginal, marginal * speed - power)

    @property
    def strict(self) -> bool:
        return True

    @property
    def submultiplicative(self) -> bool | None:
        """With all c >= 1 the diagonal of the product P(x) P(y) suffices; P(1) >= 1 is needed (x = y = 1)."""
        if all(c >= 1 for c, _ in self.terms):
            return True
        return False if sum(c for c, _ in self.terms) < 1 or len(self.terms) == 1 else None

    @property
    def beta(self) -> Fraction | None:
        """s P''/P' is an average of the e - 1, and tends to the largest."""
        return self.terms[0][1] - 1

    @property
    def alpha(self) -> Fraction | None:
        return self.terms[0][1] if len(self.terms) == 1 else None

    def to_document(self) -> dict[str, Any]:
        return {"terms": [[exact.text(c), exact.text(e)] for c, e in self.terms]}

    def __str__(self) -> str:
        return " + ".join(_term(c, e) for c, e in self.terms)


def power_law(alpha: Number, coefficient: Number = 1) -> PowerLaw:
    """The power c s^alpha, for rationals alpha > 1 and c > 0."""
    return PowerLaw(((exact.rational(coefficient), exact.rational(alpha)),))


@dataclass(frozen=True)
class Tabulated(Power):
    """P is linear between the given (speed, power) points, from (0, 0) on; the last slope continues for ever.

    Not strictly convex: nothing that needs Assumption 1 is claimed. The subgradient at a point is the slope after it.

    >>> table = Tabulated(((Fraction(1), Fraction(1)), (Fraction(2), Fraction(4))))
    >>> table.at(Fraction(3, 2)).power, table.mu0_lower
    (Fraction(5, 2), Fraction(2, 1))
    """

    points: tuple[tuple[Fraction, Fraction], ...]

    @cached_property
    def _corners(self) -> tuple[tuple[Fraction, Fraction], ...]:
        return ((Fraction(0), Fraction(0)), *self.points)

    @cached_property
    def slopes(self) -> tuple[Fraction, ...]:
        """The slope before each point."""
        corners = self._corners
        return tuple((b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(corners))

    def _point(self, dial: Fraction) -> Point:
        k = min(bisect_right(self._corners, dial, key=lambda corner: corner[0]), len(self.points)) - 1
        (left, base), slope = self._corners[k], self.slopes[k]
        power = base + slope * (dial - left)
        return Point(dial, power, slope, slope * dial - power)

    @cached_property
    def largest_conjugate(self) -> Fraction:
        """P* at the last slope: so many waiting jobs make work cheapest at a finite speed, more do not."""
        return self.at(self.points[-1][0]).conjugate

    @property
    def strict(self) -> bool:
        return False

    @property
    def submultiplicative(self) -> bool | None:
        return False if self.at(Fraction(1)).power < 1 else None

    @property
    def beta(self) -> Fraction | None:
        return None

    def dial_for_waiting(self, jobs: Fraction | int, bits: int = BITS) -> Fraction:
        """The point at which work is cheapest."""
        return min(((jobs + power) / speed, speed) for speed, power in self.points)[1]

    def work_price_lower(self, jobs: Fraction | int = 1, bits: int = 2 * BITS) -> Fraction:
        """Exact: between two points (jobs + P(s)) / s is monotone, and after the last it tends to the last slope."""
        return min(min((jobs + power) / speed for speed, power in self.points), self.slopes[-1])

    @property
    def sbar_upper(self) -> Fraction | None:
        return super().sbar_upper if self.slopes[-1] > 1 else None

    def to_document(self) -> dict[str, Any]:
        return {"points": [[exact.text(speed), exact.text(power)] for speed, power in self.points]}

    def __str__(self) -> str:
        points = ", ".join(f"{speed}:{power}" for speed, power in self.points)
        return f"table {points}, then on with slope {self.slopes[-1]}"


@cache
def _dial_for_power(power: Power, limit: Fraction, bits: int) -> Fraction:
    _positive("power", limit)
    return power.dial_below(lambda point: point.power <= limit, bits)


@cache
def _dial_for_waiting(power: Power, jobs: Fraction, bits: int) -> Fraction:
    _positive("number of jobs", jobs)
    return power.dial_below(lambda point: point.conjugate <= jobs, bits)


def _positive(name: str, value: Fraction) -> None:
    if value <= 0:
        raise InvalidInput(Problem("dial", f"{name} must be positive", str(value), f"a {name} > 0", "ask for more"))


def _term(c: Fraction, e: Fraction) -> str:
    shown = "s" if e == 1 else f"s^{e}" if e.denominator == 1 else f"s^({e})"
    return shown if c == 1 else f"{c}{shown}" if c.denominator == 1 else f"({c}){shown}"
