"""The weight of every job in an objective `max w_j F_j`, and coarser weights that keep bounds valid."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from online import exact
from online.exact import Column
from online.instance import Instance

Weight = int | Fraction


@dataclass(frozen=True, eq=False)
class Weights:
    """Job j has weight `values[rank[j]]`; `values` are distinct, positive and ascending.

    Values of an objective `max w_j F_j` are in ticks times the unit of the weights: `weight_unit` for flow weights,
    1 where all weights are 1, `1/tick` for stretch.
    """

    values: tuple[Weight, ...]
    rank: Column

    @classmethod
    def of(cls, weights: Iterable[Weight]) -> Weights:
        """Rank the jobs by weight.

        >>> weights = Weights.of([4, 1, 4])
        >>> weights.values, weights.rank.tolist()
        ((1, 4), [1, 0, 1])
        """
        listed = list(weights)
        values = tuple(sorted(set(listed)))
        number = {value: k for k, value in enumerate(values)}
        return cls(values, np.array([number[one] for one in listed], dtype=np.int64))

    @classmethod
    def ones(cls, instance: Instance) -> Weights:
        """All weights 1: maximum flow time."""
        return cls((1,) if instance.n else (), np.zeros(instance.n, dtype=np.int64))

    @classmethod
    def flow(cls, instance: Instance) -> Weights:
        """The flow weights, in `weight_unit`s: maximum weighted flow time."""
        return cls.of(instance.flow_weight.tolist())

    @classmethod
    def stretch(cls, instance: Instance) -> Weights:
        """The weights 1/p_j, in `1/tick`s: maximum stretch."""
        return cls.of(Fraction(1, size) for size in instance.size.tolist())

    @classmethod
    def objective(cls, problem: str, instance: Instance) -> Weights:
        """The weights in the objective of a problem; all 1 for maximum flow time and load."""
        kinds = {"weighted": cls.flow, "two-weights": cls.flow, "stretch": cls.stretch}
        return kinds.get(problem, cls.ones)(instance)

    @property
    def classes(self) -> int:
        """Number of distinct weights."""
        return len(self.values)

    def __getitem__(self, j: int) -> Weight:
        return self.values[int(self.rank[j])]

    def tolist(self) -> list[Weight]:
        """The weight of every job."""
        return list(map(self.values.__getitem__, self.rank.tolist()))

    def alone(self, instance: Instance) -> list[Weight]:
        """`w_j p_j` of every job: what it costs by itself, and no schedule makes that less."""
        return list(map(operator.mul, self.tolist(), instance.size.tolist()))

    def where(self, mask: Column) -> Weights:
        """The weights of the chosen jobs only."""
        used, rank = np.unique(self.rank[mask], return_inverse=True)
        return Weights(tuple(self.values[k] for k in used.tolist()), rank.astype(np.int64))

    def classes_of(self, thresholds: Sequence[Weight]) -> list[int]:
        """Per distinct weight, the number of the largest threshold that is no larger; -1 if there is none.

        >>> Weights.of([1, 4, 6]).classes_of([2, 4])
        [-1, 1, 1]
        """
        return [bisect_right(thresholds, value) - 1 for value in self.values]

    def coarse(self, most: int) -> Weights:
        """These weights if there are at most `most`; else each lowered to the least of its power-of-two class.

        Claim: no weight grows, so a bound for the coarse weights is one for these. Weights that are powers of two
        stay what they are; in general a coarse weight is at least the power of two below, as in [R] section 6.2.

        Source: Rejecting jobs to minimize load and maximum flow-time, section 6.2 (rounding of weights).

        >>> Weights.of([3, 4, 5, 7]).coarse(2).values
        (3, 4)
        """
        if self.classes <= most:
            return self
        power = [exact.floor_log2(value) for value in self.values]
        first = [k for k, own in enumerate(power) if k == 0 or power[k - 1] < own]
        number = {power[k]: c for c, k in enumerate(first)}
        new = np.array([number[own] for own in power], dtype=np.int64)
        return Weights(tuple(self.values[k] for k in first), new[self.rank])
