"""The values that the optimum of `max w_j F_j` can have, and the flow times that a value allows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from online import exact
from online.exact import Column
from online.instance import Instance
from online.weights import Weight, Weights


def common_divisor(release: Column, size: Column) -> int:
    """The greatest common divisor of the sizes and of the differences of the releases; 0 if there is neither.

    >>> common_divisor(exact.column([5, 11]), exact.column([6, 9]))
    3
    """
    return math.gcd(*size.tolist(), *(release - release[:1]).tolist())


@dataclass(frozen=True, eq=False)
class Grid:
    """All numbers `w_j k` for whole multiples k of `unit`, in ticks times the unit of the weights.

    Claim: T* is 0 or one of them. Keep the dispatch of an optimal schedule and let every machine run the earliest
    deadline first, deadlines `r_j + T*/w_j`: the value stays T* (`lp.schedule`). The machine switches jobs only at
    releases and completions, so, if `unit` divides all sizes and all differences of releases, every flow time is a
    multiple of it.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(1, [Row("a", 0, 4), Row("b", 6, 2, flow_weight=5)])
    >>> grid = Grid.of(two, Weights.flow(two))
    >>> grid.unit, grid.at_most(9), grid.after(9), grid.at_most(Fraction(1, 2))
    (2, 8, 10, 0)
    """

    weights: Weights
    unit: int

    @classmethod
    def of(cls, instance: Instance, weights: Weights) -> Grid:
        """The coarsest such grid of an instance."""
        return cls(weights, common_divisor(instance.release, instance.size) or 1)

    def at_most(self, value: Weight) -> Weight:
        """The largest value of the grid that is not above `value`; 0 if there is none."""
        return max((w * flow for w, flow in zip(self.weights.values, self._reach(value), strict=True)), default=0)

    def after(self, value: Weight) -> Weight:
        """The smallest value of the grid above `value`, for at least one job."""
        return min(w * (flow + self.unit) for w, flow in zip(self.weights.values, self._reach(value), strict=True))

    def reach(self, value: Weight) -> Column:
        """Per job, the longest flow time on the grid with `w_j F_j <= value`, in ticks."""
        return exact.column(self._reach(value), summed=True)[self.weights.rank]

    def short_of(self, value: Weight) -> Column:
        """Per job, the longest flow time on the grid with `w_j F_j < value`, in ticks; 0 if there is none.

        >>> from online.rows import Row
        >>> one = Instance.from_rows(1, [Row("a", 0, 3)])
        >>> [Grid.of(one, Weights.ones(one)).short_of(V).tolist() for V in (3, Fraction(7, 2), 9)]
        [[0], [3], [6]]
        """
        short = [max(0, self.unit * (math.ceil(Fraction(value) / (w * self.unit)) - 1)) for w in self.weights.values]
        return exact.column(short, summed=True)[self.weights.rank]

    def _reach(self, value: Weight) -> list[int]:
        return [self.unit * (Fraction(value) // (w * self.unit)) for w in self.weights.values]
