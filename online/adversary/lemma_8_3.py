"""Lemma 8.3: maximum flow time with unit jobs, immediate dispatch."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from online.adversary.game import Game, Moves, Record, Stage, at_least, highest
from online.rows import Row
from online.run import REJECTED
from online.session import Answer


@dataclass(frozen=True)
class Lemma83(Game):
    """Whoever rejects at most an epsilon share of unit jobs has flow time `Omega(1/epsilon)`, where 2 is possible.

    Claim: on `delta` machines, after stage l, `l + 1` of them hold 1, ..., l+1 jobs, had nobody been rejected; a job
    that is rejected takes one job away from one of them. After the last stage they hold 1, ..., delta - 1, and
    `jobs(delta - 2)` jobs have arrived, about `(2/3) delta^3`. So with R rejections some machine keeps `highest`, the
    largest k for which removing any R jobs leaves one with k. For `delta = 1/(3 epsilon)` an epsilon share leaves about
    `1/(9 epsilon)`.

    Offline: whenever two machines may run a job, it goes to the one that the algorithm did not choose. If nobody has
    more than one job before a gadget, or before the last job of a stage, then nobody ever has more than 2, and nobody
    more than one afterwards: T* <= 2.

    The paper has job j of Figure 8 run on M_0 only, and claims that offline all machines have one job before and after.
    That fails when the algorithm gives j_1 to the machine that has j: on `{a, b}` with loads 0 and 1, a must run j, j'
    and j'', three jobs by t+2 on top of its own, so it ends with two. Here j may run on M_0 or on the spare machine M',
    both idle, and offline the other one runs it; the gadget works as claimed then, and 2 jobs at a time are enough, not
    3. Claim 8.4 also says m + 3 jobs (in the proof i + 3) where Figure 8 releases 2m + 2.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemma 8.3, Claim 8.4, Figures 8 and 9.
    """

    epsilon: Fraction
    machines: int

    name: ClassVar[str] = "lemma-8.3"
    title: ClassVar[str] = "Lemma 8.3"
    problems: ClassVar[tuple[str, ...]] = ("max-flow", "weighted", "two-weights", "stretch")
    opt: ClassVar[int] = 2
    options: ClassVar[tuple[str, ...]] = ("delta",)
    against: ClassVar[str] = "max-flow"

    @classmethod
    def sized(cls, epsilon: Fraction, size: Mapping[str, int]) -> Self:
        """By default `1/epsilon + 1` machines: those that reject little come to flow time `1/epsilon`."""
        return cls(epsilon, at_least(size, "delta", 2, math.ceil(1 / epsilon) + 1))

    @property
    def most_jobs(self) -> int:
        return jobs(self.machines - 2)

    def moves(self, record: Record) -> Moves:
        yield from Tower(self.machines, record).stages()

    def promise(self, stages: Sequence[Stage], rejected: Sequence[int]) -> Fraction:
        return Fraction(highest(stages[-1].loads, rejected[-1]))

    def guarantee(self) -> Fraction:
        last = range(self.machines - 1)
        return Fraction(max(highest(range(1, k + 2), math.floor(self.epsilon * jobs(k))) for k in last))


def jobs(stage: int) -> int:
    """The number of jobs up to the end of a stage, from 0: stage l has `2 l^2 + 3 l + 2`.

    >>> [jobs(stage) for stage in range(3)]
    [2, 9, 25]
    """
    return (stage + 1) * (4 * stage**2 + 11 * stage + 12) // 6


class Tower:
    """The moves of Figures 8 and 9.

    `queues[k]` is the machine with k jobs, had nobody been rejected; `queues[0]` is M_0. `now` is the time.
    """

    def __init__(self, machines: int, record: Record) -> None:
        self.record, self.machines, self.now = record, machines, 0
        self.queues = [0]
        self.due: list[Row] = []

    def stages(self) -> Moves:
        """ReleaseJobs (Figure 9) for every stage; jobs that only one machine may run wait for the next question."""
        for stage in range(self.machines - 1):
            spare = stage + 1
            for top in range(stage, 0, -1):
                spare = yield from self.increase_load(top, spare)
            self.queues[0], other = yield from self.ask(self.queues[0], spare)
            self.record.step("one more", [*self.queues, other])
            self.now += 1
            self.keep_busy(self.queues)
            self.record.step("keep busy", [*self.queues, other])
            self.record.reached(self.queues, range(1, stage + 2))
            self.queues = [other, *self.queues]
        yield self.due

    def increase_load(self, top: int, spare: int) -> Generator[list[Row], Answer, int]:
        """IncreaseLoad (Figure 8) on machines with 0, ..., top jobs, who then have 0, 1, ..., top - 1, top + 1.

        Those above are kept busy. Returns the spare machine, which may have changed places with M_0.
        """
        queues, record = self.queues, self.record
        queues[0], spare = yield from self.ask(queues[0], spare)
        record.step("j", [*queues, spare])
        for i in range(1, top + 1):
            queues[i], queues[i - 1] = yield from self.ask(queues[i - 1], queues[i])
            record.step(f"j_{i}", [*queues, spare])
        self.now += 1
        self.keep_busy(queues[top:])
        record.step("j'", [*queues, spare])
        self.now += 1
        self.keep_busy(queues[1:])
        record.step("j''", [*queues, spare])
        return spare

    def ask(self, one: int, two: int) -> Generator[list[Row], Answer, tuple[int, int]]:
        """A job for two machines: the one it was dispatched to, and the other, where it goes offline."""
        row = self.record.row(self.now, 1, sorted((one, two)), one)
        answer = yield [*self.due, row]
        self.due = []
        chosen = answer.dispatch[-1]
        if chosen == REJECTED:
            chosen = min(one, two)
        other = one + two - chosen
        self.record.correct(other)
        return chosen, other

    def keep_busy(self, machines: Sequence[int]) -> None:
        """One job for each of these machines alone."""
        self.due += [self.record.row(self.now, 1, (i,), i) for i in machines]
