"""A point of the primal beside one of the dual, row by row: what is tight, and where the gap comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from lp.bracket import best_family, best_shares, scales, whole
from lp.counted import Counted, IntervalRow, interval_rows
from lp.textbook import priced_family, primal, solved
from lp.weak_duality import tightened
from online.errors import FalseClaim
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights


class Row(NamedTuple):
    """A row at a point of its program: how much is left before it fails, and the other program's variable for it.

    The primal has rows `left >= right`, the dual `left <= right`.
    """

    left: Fraction
    right: Fraction
    slack: Fraction
    multiplier: Fraction

    @property
    def tight(self) -> bool:
        """Whether nothing is left."""
        return self.slack == 0

    @property
    def cost(self) -> Fraction:
        """What the row adds to the gap: its multiplier times its slack."""
        return self.multiplier * self.slack


@dataclass(frozen=True, eq=False)
class Shape:
    """The program of an instance: one row of the primal an interval and a job, of the dual a pair and one for T.

    With weights it is that of Lemma 6.6, without that of Lemma 6.1; `of_load` has that of section 5.
    """

    instance: Instance
    weights: Weights
    counted: Counted
    intervals: list[IntervalRow]

    @classmethod
    def of(cls, instance: Instance, limit: int, weights: Weights | None = None) -> Shape:
        """Raises: `LimitReached` for over `limit` interval rows."""
        counted = Counted.of(instance)
        weights = Weights.ones(instance) if weights is None else weights
        return cls(instance, weights, counted, interval_rows(counted, limit, weights))

    @classmethod
    def of_load(cls, instance: Instance) -> Shape:
        """Section 5: all releases are equal, and every machine has one row, also if nobody may use it."""
        together = replace(instance, release=np.zeros(instance.n, dtype=np.int64))
        counted, start = Counted.of(together), Counted.of(together).start.tolist()
        rows = [IntervalRow(i, 0, 0, 0, list(range(start[i], start[i + 1]))) for i in range(instance.machines)]
        return cls(together, Weights.ones(together), counted, rows)

    def dispatched(self, dispatch: Sequence[int]) -> list[Fraction]:
        """The x of a dispatch: 1 for the pair of a job and its machine, 0 for the others."""
        pairs = zip(self.counted.job.tolist(), self.counted.machine.tolist(), strict=True)
        return [Fraction(int(dispatch[j] == i)) for j, i in pairs]

    def multipliers(self, family: IntervalFamily) -> list[Fraction]:
        """The b of a family, scaled so that sum b / weight is 1, on the rows that are no weaker than its intervals.

        Claim: the dual's value is at least the bound of the family if that is not negative (DUALITY.md, fact 2). All 0
        for an empty one.
        """
        number = {(row.machine, row.weight_class, row.start, row.end): k for k, row in enumerate(self.intervals)}
        times = [0] * len(self.intervals)
        for one in tightened(self.instance, family, weights=self.weights):
            times[number[self._row_of(one.machine, one.start, one.end, Fraction(one.weight))]] += one.multiplicity
        return self._scaled(times)

    def prices(self, beta: Sequence[int]) -> list[Fraction]:
        """The b of prices of machines, scaled so that they sum to 1."""
        return self._scaled(beta)

    def _scaled(self, times: Sequence[int]) -> list[Fraction]:
        light = (one * self.lightness(row) for one, row in zip(times, self.intervals, strict=True))
        share = sum(light, Fraction(0))
        return [Fraction(one) / share if share else Fraction(0) for one in times]

    def lightness(self, row: IntervalRow) -> Fraction:
        """1/weight of a row: the coefficient of T in it."""
        return 1 / Fraction(self.weights.values[row.weight_class]) if self.weights.values else Fraction(1)

    def _row_of(self, machine: int, start: Fraction, end: Fraction, weight: Fraction) -> tuple[int, int, int, int]:
        """The key of the row for an interval whose ends are releases of jobs that it counts."""
        a, b = self.counted.start[machine : machine + 2].tolist()
        jobs = self.counted.job[a:b]
        release, values = self.instance.release[jobs], self.weights.values
        inside = (release >= int(start)) & (release <= int(end))
        ranks = self.weights.rank[jobs[inside]].tolist()
        return machine, min(k for k in ranks if values[k] >= weight), int(start), int(end)


@dataclass(frozen=True, eq=False)
class PrimalDual:
    """A point `(T, x)` of the primal and one `(a, b)` of the dual of a program, in ticks and units of the weights.

    `x` has one number a counted pair, `b` one an interval row. `a` are the largest that b allows. Claim, for feasible
    points: `T - dual value = sum of multiplier * slack` over all rows of both programs. So both are optimal exactly if
    each row is tight or its multiplier 0 (complementary slackness).
    """

    shape: Shape
    T: Fraction
    x: list[Fraction]
    b: list[Fraction]

    @cached_property
    def cover(self) -> list[Fraction]:
        """Per pair, the b of the intervals on the machine that count the job, added up."""
        cover = [Fraction(0)] * len(self.x)
        for row, b in zip(self.shape.intervals, self.b, strict=True):
            for k in row.pairs if b else ():
                cover[k] += b
        return cover

    @cached_property
    def a(self) -> list[Fraction]:
        """The dual of each job: its size times the least cover of its pairs."""
        least: list[Fraction | None] = [None] * self.shape.instance.n
        for j, cover in zip(self.shape.counted.job.tolist(), self.cover, strict=True):
            known = least[j]
            least[j] = cover if known is None else min(known, cover)
        return [size * (one or 0) for size, one in zip(self._sizes, least, strict=True)]

    @property
    def _sizes(self) -> list[Fraction]:
        return list(map(Fraction, self.shape.instance.size.tolist()))

    @cached_property
    def value(self) -> Fraction:
        """The value of the dual point: a lower bound on T*."""
        lengths = ((row.end - row.start) * b for row, b in zip(self.shape.intervals, self.b, strict=True))
        return sum(self.a, Fraction(0)) - sum(lengths, Fraction(0))

    @property
    def gap(self) -> Fraction:
        """The primal's value less the dual's."""
        return self.T - self.value

    @cached_property
    def intervals(self) -> list[Row]:
        """The primal's rows `T/w >= volume - length`, with b."""
        sizes, jobs = self._sizes, self.shape.counted.job.tolist()
        rows = []
        for row, b in zip(self.shape.intervals, self.b, strict=True):
            left = self.T * self.shape.lightness(row)
            right = sum((sizes[jobs[k]] * self.x[k] for k in row.pairs), Fraction(row.start - row.end))
            rows.append(Row(left, right, left - right, b))
        return rows

    @cached_property
    def jobs(self) -> list[Row]:
        """The primal's rows `sum x >= 1`, with a."""
        total = [Fraction(0)] * self.shape.instance.n
        for j, x in zip(self.shape.counted.job.tolist(), self.x, strict=True):
            total[j] += x
        return [Row(one, Fraction(1), one - 1, a) for one, a in zip(total, self.a, strict=True)]

    @cached_property
    def pairs(self) -> list[Row]:
        """The dual's rows `a <= p * sum b`, with x."""
        sizes, a = self._sizes, self.a
        jobs = self.shape.counted.job.tolist()
        rights = [sizes[j] * cover for j, cover in zip(jobs, self.cover, strict=True)]
        return [Row(a[j], right, right - a[j], x) for j, right, x in zip(jobs, rights, self.x, strict=True)]

    @cached_property
    def share(self) -> Row:
        """The dual's row `sum b / w <= 1`, with T."""
        parts = (b * self.shape.lightness(row) for row, b in zip(self.shape.intervals, self.b, strict=True))
        left = sum(parts, Fraction(0))
        return Row(left, Fraction(1), 1 - left, self.T)

    @property
    def rows(self) -> list[Row]:
        """All rows of both programs."""
        return [*self.intervals, *self.jobs, *self.pairs, self.share]

    def check(self) -> None:
        """Raises: `FalseClaim` if a row fails, or a variable is negative."""
        if min((row.slack for row in self.rows), default=0) < 0 or min([self.T, *self.x, *self.b]) < 0:
            raise FalseClaim("a point of the linear program is not feasible")


def optimal_pair(shape: Shape, time_limit: float | None = None) -> PrimalDual:
    """What a solver finds, made exact: a feasible point of each program, as near to the optimum as rounding allows.

    Claim: both points are feasible, so the LP value lies between their values; where the gap is 0, both are optimal.

    Raises: `NoBound` if the solver ends without an optimum; `InvalidInput` for numbers that it does not take;
    `LimitReached` for a program too large for the textbook form.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(2, [Row("a", 0, 3), Row("b", 0, 1), Row("c", 0, 4, [1])])
    >>> found = optimal_pair(Shape.of(instance, 100))
    >>> found.T, found.value, found.gap
    (Fraction(4, 1), Fraction(4, 1), Fraction(0, 1))
    """
    instance, counted, weights = shape.instance, shape.counted, shape.weights
    if not instance.size.any():
        return PrimalDual(shape, Fraction(0), _anywhere(shape), [Fraction(0)] * len(shape.intervals))
    model = primal(instance, weights=weights)
    columns, duals, _ = solved(model.problem, time_limit)
    price = np.array([duals[f"b{n}"] for n in range(len(model.intervals))])
    _, family = best_family(
        instance, scales(price), lambda scale: priced_family(model, whole(price, scale)), weights=weights
    )
    share = np.array([columns[f"x{k}"] for k in range(len(counted.job))])
    copies = np.ones(instance.machines, dtype=np.int64)
    T, x = best_shares(instance, counted, share, copies, weights=weights)
    found = PrimalDual(shape, T, x, shape.multipliers(family))
    found.check()
    return found


def _anywhere(shape: Shape) -> list[Fraction]:
    """Every job on its first machine."""
    first = [one[0] for one in shape.instance.sets]
    return shape.dispatched([first[k] for k in shape.instance.eligible_set.tolist()])
