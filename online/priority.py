"""Dispatching by priority from a central queue, event by event: a rule is one function."""

from __future__ import annotations

import heapq
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, TypeAlias

import numpy as np

from online import exact
from online.algorithm import Engine
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.run import REJECTED, Phase, Pieces, Run
from online.weights import Weights

Key: TypeAlias = int | tuple[int, int]
Order: TypeAlias = Callable[[int, int], Key]
"""The key of a job (position) that has so many ticks left; the smallest key goes first."""

Entry: TypeAlias = tuple[Key, int]
"""A key and the job's position, which breaks ties."""


class PriorityRule(Engine):
    """A central queue and a rule for who goes first.

    At every instant, first machines finish jobs, then jobs arrive and join the queue, then idle machines, in their
    order, take the first waiting job that they may run. If the rule is `preemptive`, each job that has just arrived and
    still waits, the first one first, may then take over the eligible machine whose job comes last, if it comes after
    it. A preempted job waits for its own machine: nobody migrates.

    Claim: a machine is idle only if no waiting job may run there; with `preemptive`, no waiting job ever comes before a
    job that runs on a machine where it may run, as running jobs only come nearer to the front.

    Time: n log n and, for each job that waits, the number of its eligible machines.
    """

    takes_guess: ClassVar[bool] = False
    problems: ClassVar[tuple[str, ...]] = ("weighted", "two-weights", "stretch")
    preemptive: ClassVar[bool] = True

    @classmethod
    def admits(cls, instance: Instance) -> None:
        """Raises: `InvalidInput` for a job of size 0, which would never run."""
        if not instance.size.all():
            place = f"job {instance.ids[int((instance.size == 0).argmax())]!r}"
            raise InvalidInput(Problem(place, "zero size", "size 0", "a size > 0", "drop such jobs: --zero-size drop"))

    @classmethod
    @abstractmethod
    def order(cls, instance: Instance) -> Order:
        """Who goes first. A key may depend on a job and the ticks that it has left, on nothing else."""

    @classmethod
    def rejected(cls, instance: Instance, epsilon: Fraction) -> Iterable[int]:
        """The jobs (positions) to reject on arrival; by default nobody."""
        return ()

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
        refused = frozenset(cls.rejected(instance, epsilon))
        floor = Floor(instance, cls.order(instance), cls.preemptive)
        serve(floor, refused)
        phases = (Phase(None, 0, instance.n - 1, False),) if instance.n else ()
        return finished(cls, floor, epsilon, name, phases)


def densest(problem: str, instance: Instance) -> Order:
    """Highest density first: the weight in the objective of the problem over the size."""
    weights = Weights.objective(problem, instance).tolist()
    sparsity = [Fraction(size) / weight for size, weight in zip(instance.size.tolist(), weights, strict=True)]
    rank = Weights.of(sparsity).rank.tolist()
    return lambda j, left: rank[j]


def finished(
    algorithm: type[Engine],
    floor: Floor,
    epsilon: Fraction,
    name: str,
    phases: tuple[Phase, ...],
    guess: Fraction | None = None,
) -> Run:
    """The run that a floor has seen."""
    return Run(
        instance=floor.instance,
        problem=algorithm.problem,
        algorithm=name,
        epsilon=epsilon,
        dispatch=np.array(floor.machine, dtype=np.int64),
        phases=phases,
        parameters={} if guess is None else {"guess": exact.text(guess)},
        pieces=Pieces(*zip(*floor.pieces, strict=True)) if floor.pieces else Pieces((), (), (), ()),
    )


def serve(floor: Floor, refused: frozenset[int] = frozenset()) -> None:
    """Let all jobs but the refused arrive, and run until nobody waits."""
    release = floor.instance.release.tolist()
    j, n = 0, len(release)
    while j < n or floor.ends:
        now = min(release[j : j + 1] + [end for end, *_ in floor.ends[:1]])
        first = j
        while j < n and release[j] == now:
            j += 1
        floor.step(now, [k for k in range(first, j) if k not in refused])


class Floor:
    """The machines at work: who runs where since when, and who waits; `pieces` are `(job, machine, start, end)`.

    `machine[j]` is where job j has started, `REJECTED` before. Every machine has a heap of entries; one counts if it is
    its job's `entry`, and the job waits and may run there. `ends` holds when running jobs will be done.
    """

    def __init__(self, instance: Instance, order: Order, preemptive: bool) -> None:
        self.instance, self.order, self.preemptive = instance, order, preemptive
        sets = list(instance.sets)
        self.eligible: list[tuple[int, ...]] = [sets[k] for k in instance.eligible_set.tolist()]
        self.left: list[int] = instance.size.tolist()
        self.machine = [REJECTED] * instance.n
        self.entry: list[Entry | None] = [None] * instance.n
        self.waiting: list[list[Entry]] = [[] for _ in range(instance.machines)]
        self.running: list[int | None] = [None] * instance.machines
        self.since = [0] * instance.machines
        self.ends: list[tuple[int, int, int]] = []
        self.pieces: list[tuple[int, int, int, int]] = []
        self.stale = False

    def step(self, now: int, arrivals: Sequence[int]) -> None:
        """All that happens at one instant."""
        free = self._finish(now)
        moved = self._reorder() if self.stale else []
        for j in arrivals:
            self._wait(j)
            free.update(i for i in self.eligible[j] if self.running[i] is None)
        for i in sorted(free):
            self._take(i, now)
        if self.preemptive:
            self._preempt([*moved, *arrivals], now)

    def done(self, job: int, now: int) -> None:
        """Called when a job is complete; may set `stale`, if keys have changed."""

    def places(self, j: int) -> tuple[int, ...]:
        """Where a waiting job may run."""
        return self.eligible[j] if self.machine[j] == REJECTED else (self.machine[j],)

    def key(self, j: int, now: int) -> Entry:
        """The entry of a running job: by then it has less left than when it began."""
        return self.order(j, self.left[j] - (now - self.since[self.machine[j]])), j

    def _finish(self, now: int) -> set[int]:
        free = set()
        while self.ends and self.ends[0][0] == now:
            _, i, j = heapq.heappop(self.ends)
            if self.running[i] == j and self.since[i] + self.left[j] == now:
                self._stop(i, now)
                free.add(i)
                self.done(j, now)
        return free

    def _reorder(self) -> list[int]:
        """Work out the keys of all waiting jobs anew."""
        self.stale = False
        self.waiting = [[] for _ in self.waiting]
        jobs = [j for j, entry in enumerate(self.entry) if entry is not None]
        for j in jobs:
            self._wait(j)
        return jobs

    def _wait(self, j: int) -> None:
        entry = self.entry[j] = (self.order(j, self.left[j]), j)
        for i in self.places(j):
            heapq.heappush(self.waiting[i], entry)

    def _take(self, i: int, now: int) -> None:
        """The first waiting job that may run on this machine starts there."""
        heap = self.waiting[i]
        while heap:
            entry = heapq.heappop(heap)
            j = entry[1]
            if self.entry[j] is entry and self.machine[j] in (REJECTED, i):
                self._start(j, i, now)
                return

    def _start(self, j: int, i: int, now: int) -> None:
        self.entry[j], self.machine[j] = None, i
        self.running[i], self.since[i] = j, now
        heapq.heappush(self.ends, (now + self.left[j], i, j))

    def _stop(self, i: int, now: int) -> None:
        j, start = self.running[i], self.since[i]
        assert j is not None
        self.running[i] = None
        self.left[j] -= now - start
        self.pieces.append((j, i, start, now))

    def _preempt(self, jobs: Iterable[int], now: int) -> None:
        for entry in sorted(found for j in jobs if (found := self.entry[j]) is not None):
            j = entry[1]
            last, i = max((self.key(k, now), -i) for i in self.places(j) if (k := self.running[i]) is not None)
            if entry < last:
                self._stop(-i, now)
                self._wait(last[1])
                self._start(j, -i, now)
