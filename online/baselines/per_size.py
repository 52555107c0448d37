"""Queues per size and the shortest size first: the heuristic that section 4 warns of."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from online import exact
from online.algorithm import Engine
from online.instance import Instance, Job
from online.run import REJECTED, Phase, Pieces, Run


class PerSize(Engine):
    """Dispatch to the machine with the least work of the job's own size; each machine runs its shortest size first.

    Guarantee: none. With a known guess a machine holds less than `T/epsilon` of each size, plus one job, but more than
    an epsilon share may be rejected even with T = T*. Without a guess the budget is kept, and flow times have no bound.

    Algorithm: reject a job if every eligible machine has at least `T/epsilon` of its size left. Preemptive; among equal
    sizes first in, first out; ties of machines go to the smallest number. Without a guess, T is the first job's size
    and doubles when a rejection would exceed an epsilon share of the jobs; queues stay as they are.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 4 (the example).

    >>> from online.play import play
    >>> from online.rows import Row
    >>> three = Instance.from_rows(1, [Row("a", 0, 2), Row("b", 1, 1), Row("c", 1, 2)])
    >>> run = play(three, PerSize, Fraction(1), guess=Fraction(1))
    >>> run.dispatch.tolist(), run.completion.tolist()
    ([0, 0, -1], [3, 2, -1])
    """

    @classmethod
    def play(
        cls,
        instance: Instance,
        epsilon: Fraction,
        *,
        guess: Fraction | None,
        name: str,
        options: Mapping[str, Fraction],
    ) -> Run:
        hall = _Hall(instance, epsilon, guess)
        dispatch = [hall.arrive(job) for job in instance.jobs()]
        pieces = [piece for server in hall.servers for piece in server.finish()]
        return Run(
            instance=instance,
            problem=cls.problem,
            algorithm=name,
            epsilon=epsilon,
            dispatch=np.array(dispatch, dtype=np.int64),
            phases=hall.closed(),
            parameters={} if guess is None else {"guess": exact.text(guess)},
            pieces=Pieces(*zip(*pieces, strict=True)) if pieces else Pieces((), (), (), ()),
        )


class _Hall:
    """The machines, and the guess; `rejected` counts jobs."""

    def __init__(self, instance: Instance, epsilon: Fraction, guess: Fraction | None) -> None:
        self.servers = [_Server(machine) for machine in range(instance.machines)]
        self.epsilon, self.doubling, self.rejected, self.first = epsilon, guess is None, 0, 0
        self.guess = guess if guess is not None else Fraction(int(instance.size[0])) if instance.n else Fraction(1)
        self.phases: list[Phase] = []
        self.n = instance.n

    def arrive(self, job: Job) -> int:
        for machine in job.eligible:
            self.servers[machine].advance(job.release)
        best = min(job.eligible, key=lambda machine: self.servers[machine].load[job.size])
        load = self.servers[best].load[job.size]
        while load * self.epsilon >= self.guess and self.doubling and self._over(job):
            self.phases.append(Phase(self.guess, self.first, job.position, True))
            self.first, self.guess = job.position, 2 * self.guess
        if load * self.epsilon >= self.guess:
            self.rejected += 1
            return REJECTED
        self.servers[best].take(job)
        return best

    def _over(self, job: Job) -> bool:
        return self.rejected + 1 > self.epsilon * (job.position + 1)

    def closed(self) -> tuple[Phase, ...]:
        return (*self.phases, Phase(self.guess, self.first, self.n - 1, False)) if self.n else ()


class _Server:
    """One machine: a heap of `(size, position)`, what is left of each job, the load of each size."""

    def __init__(self, machine: int) -> None:
        self.machine, self.now = machine, 0
        self.heap: list[tuple[int, int]] = []
        self.left: dict[int, int] = {}
        self.load: Counter[int] = Counter()
        self.pieces: list[tuple[int, int, int, int]] = []

    def take(self, job: Job) -> None:
        heapq.heappush(self.heap, (job.size, job.position))
        self.left[job.position] = job.size
        self.load[job.size] += job.size

    def advance(self, until: int) -> None:
        while self.heap and self.now < until:
            self._run(min(self.left[self.heap[0][1]], until - self.now))
        self.now = max(self.now, until)

    def finish(self) -> list[tuple[int, int, int, int]]:
        while self.heap:
            self._run(self.left[self.heap[0][1]])
        return self.pieces

    def _run(self, ticks: int) -> None:
        size, job = self.heap[0]
        self.pieces.append((job, self.machine, self.now, self.now + ticks))
        self.now += ticks
        self.left[job] -= ticks
        self.load[size] -= ticks
        if self.left[job] == 0:
            heapq.heappop(self.heap)
