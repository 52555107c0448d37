"""How long the windows `[r_j, r_j + T/w_j]` are, per weight class: exactly, or rounded to a grid of time."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from online.weights import Weights


class Lengths(NamedTuple):
    """The length of a window: `of[k]` for weight class k, in `1/per_tick` ticks."""

    of: list[int]
    per_tick: int

    def reach(self, other: Lengths) -> bool:
        """Whether no class has a shorter window than in `other`."""
        return all(a * other.per_tick >= b * self.per_tick for a, b in zip(self.of, other.of, strict=True))

    def rounded_down(self, per_tick: int) -> Lengths:
        """Rounded down to multiples of `1/per_tick` ticks."""
        return Lengths([a * per_tick // self.per_tick for a in self.of], per_tick)

    def enlarged(self, grid: int) -> Lengths:
        """Rounded up to multiples of `grid` ticks, and one more: enough if windows also begin at the multiple before.

        >>> Lengths([3, 8], 1).enlarged(4)
        Lengths(of=[8, 12], per_tick=1)
        """
        return Lengths([(-(-a // (grid * self.per_tick)) + 1) * grid for a in self.of], 1)


class Rates(NamedTuple):
    """How fast windows grow with T: by `of[k] / unit` ticks for weight class k, which is 1/weight."""

    of: list[int]
    unit: int

    @classmethod
    def of_weights(cls, weights: Weights) -> Rates:
        """The reciprocals of the weights over one denominator.

        >>> Rates.of_weights(Weights.of([1, 4, Fraction(2, 3)]))
        Rates(of=[6, 4, 1], unit=4)
        """
        unit = math.lcm(*(weight.numerator for weight in weights.values))
        return cls([unit // weight.numerator * weight.denominator for weight in weights.values], unit)

    @property
    def weights(self) -> list[Fraction]:
        """The weights."""
        return [Fraction(self.unit, rate) for rate in self.of]

    def reached(self, lengths: Lengths) -> Fraction:
        """The smallest T whose windows are at least as long."""
        ends = zip(lengths.of, self.of, strict=True)
        return max(Fraction(a * self.unit, rate * lengths.per_tick) for a, rate in ends)

    def exact(self, T: Fraction) -> Lengths:
        """T/w."""
        lengths, unit = [T.numerator * rate for rate in self.of], T.denominator * self.unit
        common = math.gcd(unit, *lengths)
        return Lengths([length // common for length in lengths], unit // common)

    def rounded_up(self, T: Fraction, grid: int, per_tick: int) -> Lengths:
        """T/w, rounded up to multiples of `grid/per_tick` ticks."""
        unit = T.denominator * self.unit * grid
        return Lengths([-(-T.numerator * rate * per_tick // unit) * grid for rate in self.of], per_tick)

    def within(self, T: Fraction, grid: int) -> Lengths:
        """The largest multiple of `grid` ticks that is at most T/w."""
        unit = T.denominator * self.unit * grid
        return Lengths([T.numerator * rate // unit * grid for rate in self.of], 1)

    def below(self, T: Fraction, grid: int) -> Lengths:
        """The largest multiple of `grid` ticks that is less than T/w, for T > 0."""
        unit = T.denominator * self.unit * grid
        return Lengths([(T.numerator * rate - 1) // unit * grid for rate in self.of], 1)
