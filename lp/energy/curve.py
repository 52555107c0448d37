"""A power function in floats, for proposing dials and schedules; nothing here decides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from lp.program import Floats
from online.speed.power import Power, Tabulated

OCTAVES, STEPS, BITS = 40, 32, 24
"""Powers of two to each side of 1 that are sampled, samples of each, and bits of a dial that is proposed."""


HUGE = Fraction(10) ** 300


@dataclass(frozen=True, eq=False)
class Curve:
    """Columns along P by rising dial: `dial`, speed, power, marginal P'(speed), conjugate P*(P'(speed)).

    Between the samples a law is read on logarithmic scales, which is exact for one term, a table on plain ones.
    """

    dial: Floats
    speed: Floats
    power: Floats
    marginal: Floats
    conjugate: Floats
    logarithmic: bool

    @classmethod
    def of_rows(cls, rows: list[list[float]], *, logarithmic: bool) -> Curve:
        """From rows of the five columns."""
        dial, speed, power, marginal, conjugate = np.ascontiguousarray(np.array(rows).T)
        return cls(dial, speed, power, marginal, conjugate, logarithmic)

    @classmethod
    def of(cls, power: Power) -> Curve:
        """Sample a power function, as far as doubles reach."""
        return _table(power) if isinstance(power, Tabulated) else _law(power)

    def _read(self, x: Floats, given: Floats, wanted: Floats) -> Floats:
        if not self.logarithmic:
            return np.interp(x, given, wanted)
        with np.errstate(divide="ignore"):
            found: Floats = np.exp(np.interp(np.log(x), given, wanted, left=-np.inf))
        return found

    def power_of_speed(self, s: Floats) -> Floats:
        """P(s)."""
        return self._read(s, self.speed, self.power)

    def conjugate_of_speed(self, s: Floats) -> Floats:
        """P*(P'(s)): the price of a server at which speed s is right."""
        return self._read(s, self.speed, self.conjugate)

    def speed_of_conjugate(self, y: Floats) -> Floats:
        """The speed that is right at server price y."""
        return self._read(y, self.conjugate, self.speed)

    def marginal_of_conjugate(self, y: Floats) -> Floats:
        """The price of work mu with P*(mu) = y."""
        return self._read(y, self.conjugate, self.marginal)

    def dial_of_conjugate(self, y: Floats) -> Floats:
        """The dial at server price y."""
        return self._read(y, self.conjugate, self.dial)


def rounded_down(value: float, bits: int = BITS) -> Fraction:
    """The largest number of so many significant bits that is at most `value` >= 0.

    >>> rounded_down(2 / 3, 4), rounded_down(0.0)
    (Fraction(5, 8), Fraction(0, 1))
    """
    mantissa, exponent = math.frexp(value)
    return Fraction(int(mantissa * (1 << bits))) * Fraction(2) ** (exponent - bits)


@cache
def _law(power: Power) -> Curve:
    rows = []
    for octave in range(-OCTAVES, OCTAVES):
        for step in range(STEPS):
            dial = Fraction(2) ** octave * Fraction(STEPS + step, STEPS)
            values = (dial, *power.at(dial))
            if all(HUGE > value > 1 / HUGE for value in values):
                rows.append([math.log(float(value)) for value in values])
    return Curve.of_rows(rows, logarithmic=True)


def _table(power: Tabulated) -> Curve:
    """Both ends of every slope at every point, and a point far out on the last one; here the dial is the slope."""
    far = power.points[-1][0] * (1 << 20)
    corners = [(Fraction(0), Fraction(0)), *power.points, (far, power.at(far).power)]
    slopes = [Fraction(0), *power.slopes, power.slopes[-1]]
    rows = []
    for k, (speed, value) in enumerate(corners):
        for slope in slopes[k : k + 2]:
            rows.append([float(x) for x in (slope, speed, value, slope, max(slope * speed - value, Fraction(0)))])
    return Curve.of_rows(rows, logarithmic=False)
