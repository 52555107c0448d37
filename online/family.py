"""Interval families: the witnesses of lower bounds on the offline optimum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from online import exact
from online.exact import Column
from online.instance import Job


class MachineInterval(NamedTuple):
    """View of one machine interval: closed `[start, end]` in ticks, on `machine`, of `level`, for `weight` or more."""

    machine: int
    level: int
    start: Fraction
    end: Fraction
    multiplicity: int
    weight: int | Fraction = 1

    @property
    def length(self) -> Fraction:
        """`end - start`, in ticks."""
        return self.end - self.start

    def counts(self, job: Job, weight: int | Fraction = 1) -> bool:
        """Whether it counts a job that has this weight in the objective.

        >>> one = MachineInterval(0, 1, Fraction(0), Fraction(3), 1, weight=4)
        >>> job = Job(0, "a", 3, 1, 4, 4, (0, 1))
        >>> one.counts(job, 4), one.counts(job, 2), one.counts(job._replace(release=4), 4)
        (True, False, False)
        """
        return self.start <= job.release <= self.end and self.machine in job.eligible and self.weight <= weight


@dataclass(frozen=True, eq=False)
class IntervalFamily:
    """A multiset of machine intervals in columns, each for the jobs of some weight on.

    `start` and `end` are whole numbers of `1/per_tick` ticks; an interval is closed, so a job released at
    either end lies inside; `multiplicity` says how often it counts. Only ratios of multiplicities matter for
    a bound, so whole numbers lose nothing. Interval k is for jobs of weight `weights[weight_class[k]]` at least;
    `weights` are positive and ascending, `(1,)` where there are no weights.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1, Lemma 6.1 and Figure 3; section 6.2,
    Lemma 6.6 and Figure 4 (weighted machine intervals).
    """

    machine: Column
    level: Column
    start: Column
    end: Column
    multiplicity: Column
    weight_class: Column
    weights: tuple[int | Fraction, ...] = (1,)
    per_tick: int = 1

    @classmethod
    def of(
        cls,
        intervals: Iterable[tuple[int, int, int, int]],
        per_tick: int = 1,
        multiplicity: Iterable[int] | None = None,
        weight_class: Iterable[int] | None = None,
        weights: Sequence[int | Fraction] = (1,),
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
            machine=exact.column(machine),
            level=exact.column(level),
            start=exact.column(start, summed=True),
            end=exact.column(end, summed=True),
            multiplicity=exact.column(times, summed=True),
            weight_class=exact.column([0] * len(rows) if weight_class is None else list(weight_class)),
            weights=tuple(weights),
            per_tick=per_tick,
        )

    def __len__(self) -> int:
        return len(self.machine)

    def __iter__(self) -> Iterator[MachineInterval]:
        columns = (self.machine, self.level, self.start, self.end, self.multiplicity, self.weight_class)
        for i, level, start, end, times, w in zip(*(c.tolist() for c in columns), strict=True):
            unit = self.per_tick
            yield MachineInterval(i, level, Fraction(start, unit), Fraction(end, unit), times, self.weights[w])

    @property
    def count(self) -> int:
        """Number of intervals, with multiplicity."""
        return sum(self.multiplicity.tolist())

    @cached_property
    def total_length(self) -> Fraction:
        """Sum of the lengths, with multiplicity, in ticks."""
        spans = zip(self.start.tolist(), self.end.tolist(), self.multiplicity.tolist(), strict=True)
        return Fraction(sum((end - start) * times for start, end, times in spans), self.per_tick)

    @cached_property
    def share(self) -> Fraction:
        """Sum of 1/weight over the intervals, with multiplicity: what a bound is divided by; `count` without weights.

        >>> IntervalFamily.of([(0, 0, 0, 3), (1, 0, 0, 3)], weight_class=[0, 1], weights=(1, 4)).share
        Fraction(5, 4)
        """
        times = [0] * len(self.weights)
        for w, count in zip(self.weight_class.tolist(), self.multiplicity.tolist(), strict=True):
            times[w] += count
        return sum((Fraction(count) / weight for count, weight in zip(times, self.weights, strict=True)), Fraction(0))

    def where(self, mask: Column) -> IntervalFamily:
        """The intervals chosen by a boolean mask."""
        chosen = np.asarray(mask, dtype=bool)
        columns = ("machine", "level", "start", "end", "multiplicity", "weight_class")
        return replace(self, **{name: getattr(self, name)[chosen] for name in columns})
