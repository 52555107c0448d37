"""Lemma 8.1: load balancing with unit jobs, immediate dispatch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from online.adversary.game import Game, Moves, Record, Stage, at_least
from online.exact import ceil_log2


@dataclass(frozen=True)
class Lemma81(Game):
    """Whoever rejects at most an epsilon share of unit jobs has load `log2(1/epsilon)` or more, where 2 is possible.

    Claim: in phase l the machines `M_l` hold at least l each. They are paired, and every pair gets 2 jobs that only it
    may run; the fuller one goes to `M_(l+1)` if it now holds l+1. The offline schedule gives both jobs to the other
    one, which gets no more jobs: `T* <= 2`. A pair sends nobody on only if 2 of its jobs were rejected in this phase,
    as it held 2l and got 2. So `m_(l+1) >= floor(m_l / 2) - R_l / 2`, hence `m_l >= a_l - R/2` with `a_0 = m` and
    `a_(l+1) = floor(a_l / 2)`, when R jobs are rejected in all: the load reaches each l with `a_l > floor(R/2)`. With m
    a power of two, at most `2 m (1 - 2^-l)` jobs arrive in l phases: all l with `2^l < 1 + 1/epsilon` are reached.

    Rejections may come late, but count when they come. The game ends where the largest load is.

    The paper has `(1/2) log2(1/(8 epsilon))` phases, as it lets one rejection take a machine away, and does not use
    that the survivors can be more than a quarter.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemma 8.1.
    """

    epsilon: Fraction
    machines: int

    name: ClassVar[str] = "lemma-8.1"
    title: ClassVar[str] = "Lemma 8.1"
    problems: ClassVar[tuple[str, ...]] = ("load",)
    opt: ClassVar[int] = 2
    options: ClassVar[tuple[str, ...]] = ("machines",)
    against: ClassVar[str] = "load"

    @classmethod
    def sized(cls, epsilon: Fraction, size: Mapping[str, int]) -> Self:
        """By default `4/epsilon` machines, rounded up to a power of two: room for `log2(1/epsilon) + 2` phases."""
        return cls(epsilon, at_least(size, "machines", 2, 1 << ceil_log2(4 / epsilon)))

    @property
    def most_jobs(self) -> int:
        return 2 * self.machines

    def moves(self, record: Record) -> Moves:
        alive, level = list(range(self.machines)), 0
        while len(alive) >= 2:
            pairs = list(zip(alive[::2], alive[1::2], strict=False))
            first = len(record.offline)
            yield [record.row(0, 1, pair, pair[0]) for pair in pairs for _ in pair]
            level += 1
            fuller = [max(pair, key=record.kept.__getitem__) for pair in pairs]
            record.offline[first:] = [sum(pair) - i for pair, i in zip(pairs, fuller, strict=True) for _ in pair]
            alive = [i for i in fuller if record.kept[i] >= level]
            if alive:
                record.reached(alive, [level] * len(alive))

    def promise(self, stages: Sequence[Stage], rejected: Sequence[int]) -> Fraction:
        return self._reached(rejected)

    def guarantee(self) -> Fraction:
        return self._reached([math.floor(self.epsilon * jobs) for _, jobs in self._phases()])

    def _reached(self, rejected: Sequence[int]) -> Fraction:
        """The last phase that somebody survives, when so many jobs are rejected up to each."""
        phases = zip(self._phases(), rejected, strict=False)
        return Fraction(max((k for k, ((left, _), gone) in enumerate(phases, 1) if left > gone // 2), default=0))

    def _phases(self) -> Iterator[tuple[int, int]]:
        """After each phase of a game without rejection: the machines that survive, and the jobs so far."""
        alive, jobs = self.machines, 0
        while alive >= 2:
            jobs += 2 * (alive // 2)
            alive //= 2
            yield alive, jobs
