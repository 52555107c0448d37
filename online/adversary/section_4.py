"""The example of section 4: sizes 1 and 2 on eight machines, against the shortest size first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from online.adversary.game import Game, Moves, Record, Stage, at_least
from online.algorithm import Algorithm
from online.baselines.per_size import PerSize
from online.exact import Column
from online.instance import Instance
from online.rows import Row

EVERYWHERE = tuple(range(8))
FIRST = ((EVERYWHERE, 4), (EVERYWHERE, 5), (EVERYWHERE, 6), (EVERYWHERE, 7), ((0, 1), 1), ((2, 3), 3), ((0,), 0))
"""Where the seven jobs of size 2 at time 0 may run, and where they do offline."""


@dataclass(frozen=True)
class Section4(Game):
    """Shortest size first on queues per size rejects a third of the jobs, where nobody need be rejected with T* = 2.

    Claim: at time 0 there are seven jobs of size 2, three of which get stuck on machine 1, and one of size 1. Then a
    job of size 1 arrives at every time, for any machine, and one of size 2 at every other time, for machine 1 alone.
    The small ones, finding no other small one anywhere, all go to machine 1, which runs nothing else: from a load of
    `T/epsilon` on it rejects all jobs of size 2. Of `3 time/2 + 8` jobs, `time/2 + 3 - 1/epsilon` are rejected (for
    whole `1/epsilon >= 3`), which exceeds any share below 1/3 in the end. Offline the small jobs go to machine 3.

    This is about a known guess T = T* = 2 and `epsilon < 1/3`, from `least_time` on.

    The instance does not depend on the algorithm. What another one does with it is no part of the claim: the paper says
    that algorithm A, which serves the queue with the most jobs, does well.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 4 (the example, with epsilon = 1/4).
    """

    epsilon: Fraction
    time: int
    machines: int = 8

    name: ClassVar[str] = "section-4"
    title: ClassVar[str] = "the example of section 4"
    problems: ClassVar[tuple[str, ...]] = ("max-flow", "weighted", "two-weights")
    opt: ClassVar[int] = 2
    options: ClassVar[tuple[str, ...]] = ("time",)
    against: ClassVar[str] = "per-size"
    guess: ClassVar[Fraction | None] = Fraction(2)
    adaptive: ClassVar[bool] = False

    @classmethod
    def sized(cls, epsilon: Fraction, size: Mapping[str, int]) -> Self:
        """By default up to time 240."""
        return cls(epsilon, at_least(size, "time", 1, 240))

    @property
    def most_jobs(self) -> int:
        return 8 + self.time + self.time // 2

    def moves(self, record: Record) -> Moves:
        rows = [record.row(0, 2, eligible, offline) for eligible, offline in FIRST]
        rows.append(record.row(0, 1, EVERYWHERE, 2))
        for now in range(1, self.time + 1):
            rows += self._at(now, record)
            if now % 20 == 0 or now == self.time:
                record.reached([0], [0])
        yield rows

    def _at(self, now: int, record: Record) -> Iterator[Row]:
        yield record.row(now, 1, EVERYWHERE, 2)
        if now % 2 == 0:
            yield record.row(now, 2, (0,), 0)

    def promise(self, stages: Sequence[Stage], rejected: Sequence[int]) -> Fraction:
        """Nothing about the objective."""
        return Fraction(0)

    def guarantee(self) -> Fraction:
        return Fraction(0)

    def kept(self, cost: Fraction, stages: Sequence[Stage], rejected: Sequence[int]) -> bool:
        """Whether just as many are rejected as the example says, which is more than an epsilon share."""
        return rejected[-1] == self.rejections() > self.epsilon * self.most_jobs

    def rejections(self) -> int:
        """For `epsilon <= 1/3`: of the large jobs from time 2 on, `ceil(1/epsilon) - 3` fit into machine 1's queue."""
        return max(self.time // 2 - (math.ceil(1 / self.epsilon) - 3), 0)

    @property
    def least_time(self) -> int:
        """The least time at which more than an epsilon share is rejected, for `epsilon < 1/3`.

        >>> Section4(Fraction(1, 4), 1).least_time
        26
        """
        fit = math.ceil(1 / self.epsilon) - 3
        return 2 * math.floor((fit + 8 * self.epsilon) / (1 - 3 * self.epsilon)) + 2

    def uncovered(self, algorithm: type[Algorithm], guess: Fraction | None) -> str | None:
        if algorithm is not PerSize:
            return "the example is about the shortest size first on queues per size"
        if guess != self.guess:
            return f"the example is about the known guess T = {self.guess}, which is T*"
        if self.epsilon * 3 >= 1:
            return "the example is about epsilon < 1/3"
        if self.rejections() <= self.epsilon * self.most_jobs:
            return f"no more than an epsilon share is rejected by time {self.time}; --time {self.least_time} will do"
        return None

    def stuck(self, instance: Instance) -> Column:
        """The jobs of size 2."""
        return np.asarray(instance.size * instance.tick > 1)
