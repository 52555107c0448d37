"""Where the gap between a schedule and a family of intervals comes from, for many jobs: the rows that can add to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from lp.complementary import Row
from lp.counted import Counted
from lp.weak_duality import tightened
from online.exact import Column, common_denominator
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights


@dataclass(frozen=True, eq=False)
class Gap:
    """A schedule of value `T` by dispatch and a family, as points of the programs (`lp.complementary.PrimalDual`).

    `volume` is what each interval counts of the jobs on its machine, in ticks; `cover` how many intervals count the
    job of each pair, by multiplicity; `alpha` the least of those of a job; `placed` the number of each job's own pair.
    Claim: `T - value = idle + spread`, for the other rows are tight or have multiplier 0.
    """

    instance: Instance
    family: IntervalFamily
    T: Fraction
    counted: Counted
    volume: Column
    cover: Column
    alpha: Column
    placed: Column

    @classmethod
    def of(
        cls, instance: Instance, family: IntervalFamily, dispatch: Sequence[int], T: Fraction, weights: Weights
    ) -> Gap:
        """Sort and sweep, machine by machine; memory is the total size of the eligible sets.

        Two jobs of size 2 at once, one a machine, and the interval [0, 0] on both: T - bound is 2 - 2.

        >>> from online.rows import Row as Job
        >>> two = Instance.from_rows(2, [Job("a", 0, 2), Job("b", 0, 2)])
        >>> both = IntervalFamily.of([(0, 1, 0, 0), (1, 1, 0, 0)])
        >>> even = Gap.of(two, both, [0, 1], Fraction(2), Weights.ones(two))
        >>> uneven = Gap.of(two, both, [0, 0], Fraction(4), Weights.ones(two))
        >>> (even.value, even.idle, even.spread), (uneven.value, uneven.idle, uneven.spread)
        ((Fraction(2, 1), Fraction(0, 1), Fraction(0, 1)), (Fraction(2, 1), Fraction(2, 1), Fraction(0, 1)))
        """
        family = tightened(instance, family, weights=weights)
        counted = Counted.of(instance)
        own = np.array(weights.classes_of(family.weights), dtype=np.int64)[weights.rank]
        placed = counted.machine == np.asarray(dispatch, dtype=np.int64)[counted.job]
        volume = np.zeros(len(family), dtype=instance.size.dtype)
        cover = np.zeros(len(counted.job), dtype=family.multiplicity.dtype)
        for numbers in _groups(family):
            i, w = int(family.machine[numbers[0]]), int(family.weight_class[numbers[0]])
            pairs = np.arange(counted.start[i], counted.start[i + 1])
            pairs = pairs[own[counted.job[pairs]] >= w]
            start, end, times = (column[numbers] for column in (family.start, family.end, family.multiplicity))
            cover[pairs] += _open(start, end, times, instance.release[counted.job[pairs]])
            volume[numbers] = _inside(instance, counted.job[pairs[placed[pairs]]], start, end)
        by_job = np.argsort(counted.job, kind="stable")
        first = np.flatnonzero(np.diff(counted.job[by_job], prepend=-1))
        alpha = np.minimum.reduceat(cover[by_job], first) if instance.n else cover
        mine = np.flatnonzero(placed)
        return cls(instance, family, T, counted, volume, cover, alpha, mine[np.argsort(counted.job[mine])])

    @cached_property
    def value(self) -> Fraction:
        """The bound of the family: the dual's value."""
        sizes = zip(self.alpha.tolist(), self.instance.size.tolist(), strict=True)
        volume = sum(alpha * size for alpha, size in sizes)
        return (volume - self.family.total_length) / self.family.share if len(self.family) else Fraction(0)

    def interval(self, k: int) -> Row:
        """The primal's row of interval k of the family: `T/w >= volume - length`, with b."""
        family = self.family
        left = self.T / Fraction(family.weights[int(family.weight_class[k])])
        right = Fraction(int(self.volume[k]) + int(family.start[k]) - int(family.end[k]))
        return Row(left, right, left - right, int(family.multiplicity[k]) / family.share)

    def job(self, j: int) -> Row:
        """The dual's row of job j and the machine that it is on: `a <= p * sum b`, with x = 1."""
        size, share = int(self.instance.size[j]), self.family.share or Fraction(1)
        left, right = int(self.alpha[j]) * size / share, int(self.cover[self.placed[j]]) * size / share
        return Row(left, right, right - left, Fraction(1))

    @cached_property
    def unused(self) -> tuple[list[int], int]:
        """The slack of each interval's row in whole parts of a tick, and how many of these make a tick."""
        family = self.family
        lefts = [self.T / Fraction(weight) for weight in family.weights]
        parts = common_denominator(lefts)
        whole = [int(left * parts) for left in lefts]
        columns = (family.weight_class, family.start, family.end, self.volume)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [whole[w] + parts * (end - start - volume) for w, start, end, volume in rows], parts

    @cached_property
    def excess(self) -> list[int]:
        """The slack of each job's row times the share of the family: what the job is counted too often, by its size."""
        columns = (self.alpha, self.cover[self.placed], self.instance.size)
        return [
            (cover - alpha) * size for alpha, cover, size in zip(*(column.tolist() for column in columns), strict=True)
        ]

    @cached_property
    def costs(self) -> list[int]:
        """What each interval adds to the gap, times the share and the parts of `unused`."""
        return [times * left for times, left in zip(self.family.multiplicity.tolist(), self.unused[0], strict=True)]

    @property
    def idle(self) -> Fraction:
        """What intervals that are not full add to the gap."""
        return sum(self.costs) / (self.unused[1] * self.family.share) if len(self.family) else Fraction(0)

    @property
    def spread(self) -> Fraction:
        """What jobs add that more intervals count where they are than on another machine."""
        return sum(self.excess) / self.family.share if len(self.family) else Fraction(0)

    @property
    def tight_pairs(self) -> int:
        """How many of all pairs of a job and an eligible machine have a tight row in the dual."""
        return int((self.cover == self.alpha[self.counted.job]).sum())


def _groups(family: IntervalFamily) -> list[Column]:
    """The numbers of the intervals of each machine and weight class."""
    if not len(family):
        return []
    order = np.lexsort((family.weight_class, family.machine))
    machine, weight = family.machine[order], family.weight_class[order]
    changed = (np.diff(machine) != 0) | (np.diff(weight) != 0)
    return list(np.split(order, np.flatnonzero(changed) + 1))


def _open(start: Column, end: Column, times: Column, release: Column) -> Column:
    """How many of the intervals, by multiplicity, contain each release."""
    by_start, by_end = np.argsort(start, kind="stable"), np.argsort(end, kind="stable")
    opened = np.searchsorted(start[by_start], release, side="right")
    closed = np.searchsorted(end[by_end], release, side="left")
    return _sums(times[by_start])[opened] - _sums(times[by_end])[closed]


def _inside(instance: Instance, jobs: Column, start: Column, end: Column) -> Column:
    """The volume of the jobs, in arrival order, that are released inside each interval."""
    release, sums = instance.release[jobs], _sums(instance.size[jobs])
    return sums[np.searchsorted(release, end, side="right")] - sums[np.searchsorted(release, start, side="left")]


def _sums(values: Column) -> Column:
    return np.concatenate([np.zeros(1, dtype=values.dtype), np.cumsum(values)])
