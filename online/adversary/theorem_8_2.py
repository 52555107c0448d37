"""Theorem 8.2: load balancing with any sizes, immediate dispatch and immediate rejection."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from online.adversary.game import Game, Moves, Record, Stage, at_least
from online.algorithm import Algorithm, OnlineAlgorithm


@dataclass(frozen=True)
class Theorem82(Game):
    """Whoever dispatches and rejects at once has load `phases / 2` on `2 * 4^(phases - 1)` machines; 2 is possible.

    Claim: for `epsilon <= 1/8`. In phase l the machines `M_l`, `m_l = m / 4^l` of them, hold at least l/2 each. They
    are paired, and every pair gets `2 * 8^l` jobs of size `8^-l` that only it may run; the fuller one of a pair, if it
    now holds `(l+1)/2`, may go to `M_(l+1)`, and a quarter of `M_l` does (of the last pair, one machine). The offline
    schedule gives all jobs of the pair to the other one, which gets no more jobs: `T* <= 2`. A pair sends nobody on
    only if more than `8^l` of its jobs are rejected: of volume 2 both got less than 1/2. For too few to be left, more
    than `m_l / 4` pairs must do so (in the last phase the one pair), which needs more than `m 2^l / 4` rejections. No
    more than `epsilon m (2^(l+1) - 1)` are allowed.

    The paper asks for `epsilon < 1/16`: it names the machine of a pair that goes on before looking at rejections. The
    sizes fall by 8 from phase to phase, so the tick is fixed from the start, and `m (2^phases - 1)` jobs are released.

    Source: Rejecting jobs to minimize load and maximum flow-time, Theorem 8.2.
    """

    epsilon: Fraction
    phases: int
    machines: int

    name: ClassVar[str] = "theorem-8.2"
    title: ClassVar[str] = "Theorem 8.2"
    problems: ClassVar[tuple[str, ...]] = ("load",)
    opt: ClassVar[int] = 2
    options: ClassVar[tuple[str, ...]] = ("machines",)
    against: ClassVar[str] = "greedy-load"

    @classmethod
    def sized(cls, epsilon: Fraction, size: Mapping[str, int]) -> Self:
        """As many phases as the machines, 128 by default, have room for; the rest of the machines gets no jobs."""
        machines = at_least(size, "machines", 2, 128)
        return cls(epsilon, 1 + ((machines // 2).bit_length() - 1) // 2, machines)

    @property
    def tick(self) -> Fraction:
        """The smallest size."""
        return Fraction(1, 8 ** (self.phases - 1))

    @property
    def most_jobs(self) -> int:
        return (1 << 2 * self.phases - 1) * ((1 << self.phases) - 1)

    def moves(self, record: Record) -> Moves:
        alive = list(range(2 * 4 ** (self.phases - 1)))
        for phase, (machines, _, _) in enumerate(self._needs()):
            if len(alive) < machines:
                return
            pairs = list(zip(alive[::2], alive[1::2], strict=True))
            first, count = len(record.offline), 2 * 8**phase
            yield [record.row(0, Fraction(1, 8**phase), pair, pair[0]) for pair in pairs for _ in range(count)]
            fuller = [max(pair, key=record.kept.__getitem__) for pair in pairs]
            record.offline[first:] = [
                sum(pair) - i for pair, i in zip(pairs, fuller, strict=True) for _ in range(count)
            ]
            half = Fraction(phase + 1, 2) / self.tick
            kept = sorted((i for i in fuller if record.kept[i] >= half), key=lambda i: -record.kept[i])
            alive = sorted(kept[: max(machines // 4, 1)])
            if alive:
                record.reached(alive, [math.ceil(half)] * len(alive))

    def promise(self, stages: Sequence[Stage], rejected: Sequence[int]) -> Fraction:
        return self._reached([after - before for before, after in zip([0, *rejected], rejected, strict=False)])

    def guarantee(self) -> Fraction:
        return self._reached([math.floor(self.epsilon * jobs) for _, jobs, _ in self._needs()])

    def note(self) -> str | None:
        """More may be rejected than the theorem allows for."""
        if self.epsilon * 8 <= 1:
            return None
        return "the theorem is about epsilon <= 1/8; what is promised here is what its count still gives"

    def uncovered(self, algorithm: type[Algorithm], guess: Fraction | None) -> str | None:
        """An algorithm with a `prune` of its own, or an engine, may reject late."""
        if not issubclass(algorithm, OnlineAlgorithm) or algorithm.prune is not OnlineAlgorithm.prune:
            return "the theorem is about immediate rejection, and this algorithm may reject late"
        return None

    def _reached(self, rejected: Sequence[int]) -> Fraction:
        """Half the phases that succeed when so many jobs are rejected in each."""
        reached = 0
        for (_, _, needed), gone in zip(self._needs(), rejected, strict=False):
            if gone >= needed:
                break
            reached += 1
        return Fraction(reached, 2)

    def _needs(self) -> Iterator[tuple[int, int, int]]:
        """For each phase: its machines, the jobs up to its end, and the rejections in it without which it succeeds."""
        machines, jobs = 2 * 4 ** (self.phases - 1), 0
        for phase in range(self.phases):
            jobs += machines * 8**phase
            yield machines, jobs, (machines // 4 + 1) * (8**phase + 1)
            machines //= 4
