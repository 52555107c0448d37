"""Algorithm B(T) on one machine: the schedule, with A in the background."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from online.weighted.backlog import Backlog
from online.weighted.classes import Type, power
from online.weighted.parameters import Parameters

IDLE = None
Piece = tuple[int, int, int]
"""Position of the job, start, end, in ticks."""


class Stretch(NamedTuple):
    """Ticks `[start, end)` in which no job comes, completes or is dropped before the end: B only depends on A.

    While A serves a type, B serves job `owner[type]`; `owner[None]` while A is idle. `left` is A's backlog at the
    start, `slots` the ticks that A spends on each type in the stretch, under None those it is idle. `done` is the job
    that completes at the end, if one does.
    """

    start: int
    end: int
    left: Backlog
    owner: dict[Type | None, int]
    slots: dict[Type | None, int]
    done: int | None

    def pieces(self) -> Iterator[Piece]:
        """What B serves, in order of time, a piece for every run of A's equal decisions."""
        clock = self.start
        for kind, ticks in self.left.runs(self.end - self.start):
            yield self.owner[kind], clock, clock + ticks
            clock += ticks
        if clock < self.end:
            yield self.owner[IDLE], clock, self.end

    def packed(self) -> Iterator[Piece]:
        """The same work, one piece a job, the job that completes last.

        Claim: every job of the stretch is there from its start on and only `done` completes, at the end. So this order
        gives a feasible schedule with the same completion times, whose size follows events.
        """
        ticks: Counter[int] = Counter()
        for kind, count in self.slots.items():
            ticks[self.owner[kind]] += count
        clock = self.start
        for job in sorted(ticks, key=lambda job: (job == self.done, job)):
            yield job, clock, clock + ticks[job]
            clock += ticks[job]


class _Waiting:
    __slots__ = ("deadline", "job", "kind", "ticks")

    def __init__(self, job: int, kind: Type, ticks: int, deadline: int) -> None:
        self.job, self.kind, self.ticks, self.deadline = job, kind, ticks, deadline


_Plan = dict[Type | None, _Waiting]
"""Whom B serves while A serves a type, and under None while A is idle."""


class Foreground:
    """Algorithm B on one machine; `completion` and `late` map positions of jobs to ticks, `immediate` lists positions.

    Algorithm: let D be the largest density class waiting, and d the class that A serves. B serves class D if it is at
    least d + offset, else class d if one of it waits, else class D; it serves class D when A is idle. In a class the
    largest weight class goes first, in it the first released. A job of weight class w released in segment k, of length
    `s = ceil(beta T / 2^w)` ticks, is dropped at `(k + 2) s` if it is not done. With two weights every `period`-th
    job of a type and size class is dropped on arrival. A keeps what B drops. At a tick B drops, then jobs arrive, then
    it serves.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.2 (algorithm B), section 6.3, section 7.
    """

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.clock = 0
        self.left = Backlog({})
        self.queues: dict[int, dict[int, deque[_Waiting]]] = {}
        self.counts: Counter[tuple[Type, int]] = Counter()
        self.completion: dict[int, int] = {}
        self.late: dict[int, int] = {}
        self.immediate: list[int] = []

    def restart(self, guess: Fraction) -> None:
        """Begin a phase: A forgets its queues, B treats its jobs as released now."""
        self.left = Backlog({})
        self.length = self.parameters.beta * guess
        self.segments: dict[int, int] = {}
        for of_class in self.queues.values():
            for weight, queue in of_class.items():
                for waiting in queue:
                    waiting.deadline = self._deadline(weight)

    def _deadline(self, weight: int) -> int:
        if weight not in self.segments:
            self.segments[weight] = math.ceil(self.length / power(weight))
        segment = self.segments[weight]
        return (self.clock // segment + 2) * segment

    def arrive(self, job: int, kind: Type, size_class: int, size: int) -> None:
        """A job that A dispatched here arrives now."""
        self.left = self.left.plus(kind, size)
        if self._drops(kind, size_class):
            self.immediate.append(job)
            return
        queue = self.queues.setdefault(kind.density, {}).setdefault(kind.weight, deque())
        queue.append(_Waiting(job, kind, size, self._deadline(kind.weight)))

    def _drops(self, kind: Type, size_class: int) -> bool:
        if self.parameters.period is None:
            return False
        self.counts[kind, size_class] += 1
        return self.counts[kind, size_class] % self.parameters.period == 0

    def advance(self, until: int | None) -> Iterator[Stretch]:
        """Serve and drop up to tick `until`, its drops included; to the end if None."""
        while self.queues and (until is None or self.clock < until):
            deadline = min(queue[0].deadline for of_class in self.queues.values() for queue in of_class.values())
            yield self._stretch(deadline if until is None else min(deadline, until))
            if self.clock == deadline:
                self._drop()
        if until is not None and self.clock < until:
            self.left = self.left.after(until - self.clock)
            self.clock = until

    def _drop(self) -> None:
        for of_class in list(self.queues.values()):
            for queue in list(of_class.values()):
                while queue and queue[0].deadline <= self.clock:
                    self.late[queue[0].job] = self.clock
                    self._remove(queue[0])

    def _remove(self, first: _Waiting) -> None:
        density, weight = first.kind
        of_class = self.queues[density]
        of_class[weight].popleft()
        if not of_class[weight]:
            del of_class[weight]
            if not of_class:
                del self.queues[density]

    def _stretch(self, stop: int) -> Stretch:
        left, start, plan = self.left, self.clock, self._plan()
        span = self._span(plan, stop - start)
        self.left = left.after(span)
        self.clock += span
        slots = _slots(left, self.left, span)
        done = self._work(plan, slots)
        return Stretch(start, self.clock, left, {kind: one.job for kind, one in plan.items()}, slots, done)

    def _plan(self) -> _Plan:
        top, offset = max(self.queues), self.parameters.offset
        heads = {density: of_class[max(of_class)][0] for density, of_class in self.queues.items()}
        plan: _Plan = {IDLE: heads[top]}
        for kind in self.left.ticks:
            density = kind.density
            plan[kind] = heads[top] if top >= density + offset else heads.get(density, heads[top])
        return plan

    def _span(self, plan: _Plan, span: int) -> int:
        """The span, or how long it takes until a job of the plan completes, if that is less."""
        left, idle = self.left, plan[IDLE]
        kinds: dict[int, list[Type]] = {one.job: [] for one in plan.values()}
        for kind in left.ticks:
            kinds[plan[kind].job].append(kind)
        if len(kinds) == 1:
            return min(span, idle.ticks)
        for waiting in {one.job: one for one in plan.values()}.values():
            mine = kinds[waiting.job]
            volume = sum(left.ticks[kind] for kind in mine)
            if waiting.ticks <= volume:
                if left.at_most(mine, span) >= waiting.ticks:
                    span = min(span, left.slot_of(mine, waiting.ticks) + 1)
            elif waiting is idle:
                span = min(span, left.volume + waiting.ticks - volume)
        return span

    def _work(self, plan: _Plan, slots: dict[Type | None, int]) -> int | None:
        for kind, ticks in slots.items():
            plan[kind].ticks -= ticks
        done = next((one for one in plan.values() if not one.ticks), None)
        if done is None:
            return None
        self.completion[done.job] = self.clock
        self._remove(done)
        return done.job


def _slots(before: Backlog, now: Backlog, span: int) -> dict[Type | None, int]:
    """How often A served each type, and how long it was idle, in a span of ticks."""
    slots: dict[Type | None, int] = {kind: ticks - now.ticks.get(kind, 0) for kind, ticks in before.ticks.items()}
    slots[IDLE] = span - before.volume + now.volume
    return {kind: ticks for kind, ticks in slots.items() if ticks}
