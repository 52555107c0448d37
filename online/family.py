"""Interval families: the witnesses of lower bounds on the offline optimum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from online import exact
from online.exact import Column


class MachineInterval(NamedTuple):
    """View of one machine interval: closed `[start, end]` in ticks, on `machine`, of `level`."""

    machine: int
    level: int
    start: Fraction
    end: Fraction
    multiplicity: int


@dataclass(frozen=True, eq=False)
class IntervalFamily:
    """A multiset of machine intervals in columns.

    `start` and `end` are whole numbers of `1/per_tick` ticks; an interval is closed, so a job released at
    either end lies inside; `multiplicity` says how often it counts. Only ratios of multiplicities matter for
    a bound, so whole numbers lose nothing.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1, Lemma 6.1 and Figure 3.
    """

    machine: Column
    level: Column
    start: Column
    end: Column
    multiplicity: Column
    per_tick: int = 1

    @classmethod
    def of(
        cls,
        intervals: Iterable[tuple[int, int, int, int]],
        per_tick: int = 1,
        multiplicity: Iterable[int] | None = None,
    ) -> IntervalFamily:
        """Store `(machine, level, start, end)` rows, times in `1/per_tick` ticks.

        >>> family = IntervalFamily.of([(0, 1, 0, 3)], per_tick=2)
        >>> family.count, family.total_length, list(family)[0].end
        (1, Fraction(3, 2), Fraction(3, 2))
        """
        rows = list(intervals)
        machine, level, start, end = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [])
        times = [1] * len(rows) if multiplicity is None else list(multiplicity)
        return cls(
            exact.column(machine),
            exact.column(level),
            exact.column(start, summed=True),
            exact.column(end, summed=True),
            exact.column(times, summed=True),
            per_tick,
        )

    def __len__(self) -> int:
        return len(self.machine)

    def __iter__(self) -> Iterator[MachineInterval]:
        columns = (self.machine, self.level, self.start, self.end, self.multiplicity)
        for i, level, start, end, times in zip(*(c.tolist() for c in columns), strict=True):
            yield MachineInterval(i, level, Fraction(start, self.per_tick), Fraction(end, self.per_tick), times)

    @property
    def count(self) -> int:
        """Number of intervals, with multiplicity."""
        return sum(self.multiplicity.tolist())

    @cached_property
    def total_length(self) -> Fraction:
        """Sum of the lengths, with multiplicity, in ticks."""
        spans = zip(self.start.tolist(), self.end.tolist(), self.multiplicity.tolist(), strict=True)
        return Fraction(sum((end - start) * times for start, end, times in spans), self.per_tick)

    def where(self, mask: Column) -> IntervalFamily:
        """The intervals chosen by a boolean mask."""
        chosen = np.asarray(mask, dtype=bool)
        return IntervalFamily(
            self.machine[chosen],
            self.level[chosen],
            self.start[chosen],
            self.end[chosen],
            self.multiplicity[chosen],
            self.per_tick,
        )
