"""The unit of time that solvers see, so that sizes are near 1 whatever the tick."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.weights import Weights

LONGEST = 10**19
"""Longest time, in units, that may enter a program: just below what solvers take for infinite."""

LARGEST = 10**300
"""Largest total size, in ticks, whose mean still fits a float."""


WIDEST = 10**12
"""Largest ratio of two weights that enters a program."""


class Unit(NamedTuple):
    """The mean size, `total / jobs` ticks; 1 tick if there is no work."""

    total: int
    jobs: int

    @classmethod
    def of(cls, instance: Instance) -> Unit:
        """The mean size of an instance's jobs. Raises: `InvalidInput` if it is too large for a float."""
        total = sum(instance.size.tolist())
        if total >= LARGEST:
            raise InvalidInput(
                Problem(
                    "instance", "sizes too large for a solver", "10^300 ticks or more", "fewer", "use a coarser tick"
                )
            )
        return cls(total, instance.n) if total else cls(1, 1)

    def units(self, ticks: int) -> float:
        """A time in ticks as a float in units, correctly rounded.

        Raises: `InvalidInput` if it is over `LONGEST` units.

        >>> Unit(30, 4).units(10**400 // 10**399)
        1.3333333333333333
        """
        if abs(ticks) * self.jobs > LONGEST * self.total:
            raise InvalidInput(
                Problem(
                    "instance",
                    "time too long for a solver",
                    f"a span of over {LONGEST} mean sizes",
                    "a shorter one",
                    "use the lindley form, or split the instance at the gap",
                )
            )
        return ticks * self.jobs / self.total

    def ticks(self, value: float) -> float:
        """A solver's time in ticks, as a float: for display."""
        return value * (self.total / self.jobs)


def lightness(weights: Weights) -> list[float]:
    """The largest weight over each: the coefficients of T in a program whose T is divided by the largest weight.

    Raises: `InvalidInput` for weights further apart than solvers' numbers reach.

    >>> lightness(Weights.of([1, 4, Fraction(1, 2)]))
    [8.0, 4.0, 1.0]
    """
    ratios = [weights.values[-1] / Fraction(value) for value in weights.values]
    if ratios and max(ratios) > WIDEST:
        got, expected = f"a ratio of over {WIDEST}", "weights closer together"
        fix = "leave the lightest jobs out: what is left is still a lower bound"
        raise InvalidInput(Problem("weights", "too far apart for a solver", got, expected, fix))
    return list(map(float, ratios))
