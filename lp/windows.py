"""Where the jobs of a schedule of value T run: each in its window `[r_j, r_j + T/w_j]`, on its eligible machines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from lp.counted import Counted, Whole
from lp.cuts import Mask
from lp.lengths import Lengths, Rates
from lp.merged import interchangeable
from online import exact
from online.exact import Column
from online.instance import Instance
from online.weights import Weights


class Union(NamedTuple):
    """The windows of every pair as `[begin, end]` on one axis, machine after machine, and what each adds to the union.

    Machine c has the stretch from `c * stride` on. `before` is how far the pairs before one reach, `added` what it
    adds to the length of the union, once for every copy of the machine.
    """

    begin: Column
    end: Column
    before: Column
    added: Column
    stride: int


@dataclass(frozen=True, eq=False)
class Windows:
    """The jobs of an instance as rows: one row for all jobs of one release, eligible set and weight.

    `jobs` has the number of the row of each job, -1 for jobs of size 0, which need no time; `row` are the numbers
    that are left here, `release` in ticks after the first, `volume` in ticks, `rank` the weight class. A pair is a
    row on one of its machines; pairs are ordered by machine, then release. Machine c stands for `copies[c]`
    interchangeable ones: their windows are the same.
    """

    jobs: Whole
    row: Whole
    release: Column
    volume: Column
    rank: Whole
    chosen: Whole
    machine: Whole
    pair: Whole
    copies: Whole
    rates: Rates

    @classmethod
    def of(cls, instance: Instance, weights: Weights) -> Windows:
        """Merge equal jobs and interchangeable machines; a sort, else linear in the total size of the eligible sets.

        >>> from online.rows import Row
        >>> rows = [Row("a", 0, 3), Row("b", 0, 1), Row("c", 5, 2, [2])]
        >>> windows = Windows.of(instance := Instance.from_rows(3, rows), Weights.ones(instance))
        >>> windows.jobs.tolist(), windows.volume.tolist(), windows.machine.tolist(), windows.copies.tolist()
        ([0, 0, 1], [4, 2], [0, 1, 1], [2, 1])
        """
        real = np.flatnonzero(instance.size > 0)
        release, chosen = instance.release[real], instance.eligible_set[real]
        when = np.cumsum(np.diff(release, prepend=release[:1]) > 0)
        key = (when * len(instance.sets) + chosen) * max(1, weights.classes) + weights.rank[real]
        first, row, volume = merged(key, instance.size[real])
        jobs = np.full(instance.n, -1)
        jobs[real] = row
        used, number = np.unique(chosen[first], return_inverse=True)
        members, sets = interchangeable([instance.sets[k] for k in used.tolist()])
        counted = Counted.of(
            Instance.from_columns(
                max(1, len(members)),
                release=release[first].tolist(),
                size=volume.tolist(),
                eligible_set=number,
                sets=sets,
            )
        )
        return cls(
            jobs=jobs,
            row=np.arange(len(first)),
            release=release[first] - (release[0] if len(real) else 0),
            volume=volume,
            rank=weights.rank[real][first],
            chosen=number,
            machine=counted.machine,
            pair=counted.job,
            copies=np.array([len(one) for one in members], dtype=np.int64),
            rates=Rates.of_weights(weights),
        )

    def where(self, mask: Mask) -> Windows:
        """The windows of the chosen rows only."""
        kept, number = mask[self.pair], np.cumsum(mask) - 1
        return replace(
            self,
            row=self.row[mask],
            release=self.release[mask],
            volume=self.volume[mask],
            rank=self.rank[mask],
            chosen=self.chosen[mask],
            machine=self.machine[kept],
            pair=number[self.pair[kept]],
        )

    def coarse(self, grid: int) -> tuple[Windows, Whole]:
        """The rows with releases rounded down to multiples of `grid` ticks and equal ones made one; who went where.

        >>> from online.rows import Row
        >>> instance = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 5, 1), Row("c", 7, 2)])
        >>> fewer, number = Windows.of(instance, Weights.ones(instance)).coarse(4)
        >>> fewer.release.tolist(), fewer.volume.tolist(), number.tolist()
        ([0, 4], [3, 3], [0, 1, 1])
        """
        release = self.release // grid
        sets, classes = 1 + int(self.chosen.max()), len(self.rates.of)
        first, number, volume = merged(
            (release.astype(np.int64) * sets + self.chosen) * classes + self.rank, self.volume
        )
        order = np.argsort(first)
        fewer = self.where(np.isin(np.arange(len(self)), first))
        fewer = replace(fewer, row=np.arange(len(first)), release=release[first[order]] * grid, volume=volume[order])
        return fewer, np.argsort(order)[number]

    def __len__(self) -> int:
        return len(self.row)

    @cached_property
    def total(self) -> int:
        """The volume of all rows, in ticks."""
        return int(self.volume.sum()) if len(self) else 0

    @property
    def positions(self) -> tuple[int, ...]:
        """The jobs of these rows, as ascending positions in the instance."""
        return tuple(np.flatnonzero(np.isin(self.jobs, self.row) & (self.jobs >= 0)).tolist())

    def spans(self, lengths: Lengths) -> tuple[Column, Column, int]:
        """Begin and end of each row's window, and a stride beyond them all; int64 if a stride a machine is safe."""
        stride = (int(self.release.max()) * lengths.per_tick if len(self) else 0) + max(lengths.of, default=0) + 1
        kind: Any = object if stride * (int(self.copies.sum()) + 1) >= exact.SAFE else np.int64
        begin = self.release.astype(kind) * lengths.per_tick
        return begin, begin + np.array(lengths.of, dtype=kind)[self.rank], stride

    def union(self, lengths: Lengths) -> Union:
        """Lay the windows out, machine after machine, and unite them; linear."""
        first, last, stride = self.spans(lengths)
        base = self.machine.astype(first.dtype) * stride
        begin, end = base + first[self.pair], base + last[self.pair]
        before = np.concatenate([begin[:1], np.maximum.accumulate(end)[:-1]])
        added = np.maximum(end - np.maximum(before, begin), 0) * self.copies[self.machine]
        return Union(begin, end, before, added, stride)

    def finest(self, lengths: Lengths) -> int:
        """The most parts of a tick for which 62 bits hold the volume and the span of these windows on all machines."""
        span = int(self.release.max()) + max(lengths.of) // lengths.per_tick + 3
        return (exact.SAFE - 1) // max(self.total + 1, span * (int(self.copies.sum()) + 1))

    def crowded(self, lengths: Lengths, part: Whole) -> Mask:
        """The rows of parts (as for `excesses`) with more volume than their shortest window, the others fit anyhow."""
        begin, end, _ = self.spans(lengths)
        shortest = np.minimum.reduceat(end - begin, np.flatnonzero(np.diff(part, prepend=-1)))
        volume = summed(self.volume, part, len(shortest))
        more = [v * lengths.per_tick > s for v, s in zip(volume, shortest.tolist(), strict=True)]
        return np.array(more, dtype=bool)[part]

    def excess(self, lengths: Lengths) -> Fraction:
        """The volume less the length of the union of the windows over all machines, in ticks."""
        return self.total - Fraction(int(self.union(lengths).added.sum()), lengths.per_tick)

    def components(self, lengths: Lengths) -> Whole:
        """Number the rows by connected parts, in time, of all windows; windows that only touch are apart."""
        begin, end, _ = self.spans(lengths)
        before = np.concatenate([begin[:1], np.maximum.accumulate(end)[:-1]])
        return np.cumsum(begin >= before) - 1

    def excesses(self, lengths: Lengths, part: Whole) -> list[Fraction]:
        """The excess of each part; `part` numbers the rows, windows of different parts may touch but not overlap."""
        count = int(part.max()) + 1
        covered = summed(self.union(lengths).added, part[self.pair], count)
        volume = summed(self.volume, part, count)
        return [v - Fraction(c, lengths.per_tick) for v, c in zip(volume, covered, strict=True)]

    def slopes(self, T: Fraction, part: Whole) -> list[Fraction]:
        """How fast the union of each part (as for `excesses`) grows with T, from T on.

        Each connected stretch on a machine grows as the fastest window that reaches its end.
        """
        union = self.union(self.rates.exact(T))
        changed = (np.diff(self.machine, prepend=-1) != 0) | (np.diff(part[self.pair], prepend=-1) != 0)
        first = np.flatnonzero((union.begin > union.before) | changed)
        reach = np.maximum.reduceat(union.end, first)
        latest = union.end == np.repeat(reach, np.diff(first, append=len(self.pair)))
        speed = np.where(latest, self._speed[self.rank[self.pair]], 0)
        growth = np.maximum.reduceat(speed, first) * self.copies[self.machine[first]]
        return [Fraction(s, self.rates.unit) for s in summed(growth, part[self.pair[first]], int(part.max()) + 1)]

    @cached_property
    def _speed(self) -> Column:
        wide = max(self.rates.of, default=0) * int(self.copies.sum()) * max(1, len(self)) >= exact.SAFE
        return np.array(self.rates.of, dtype=object if wide else np.int64)


def merged(key: Whole, volume: Column) -> tuple[Whole, Whole, Column]:
    """For the distinct keys, ascending: where each occurs first, which one each entry has, and their volumes."""
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    total = np.zeros(len(first), dtype=volume.dtype)
    np.add.at(total, number, volume)
    return first, number, total


def summed(values: Column, number: Whole, count: int) -> list[int]:
    """The sum of the values of each number, exactly; the caller knows that sums fit the column's type."""
    total = np.zeros(count, dtype=values.dtype)
    np.add.at(total, number, values)
    return total.tolist()
