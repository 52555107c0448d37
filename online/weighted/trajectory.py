"""Algorithm A's queues over time: piece by piece, its completions, and the excursions of maxload above a mark."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from online.weighted.backlog import Backlog
from online.weighted.classes import Type, power
from online.weighted.doubling import Decisions

Arrival = tuple[int, int, Type, int]
"""Position, release, type, size."""


class Gap(NamedTuple):
    """The queues of one machine just after the arrivals at `start`; none come before `end` (None: never again).

    Claim: at a tick t of the gap `left.after(t - start)` is left. So maxload falls from tick to tick, and between two
    ticks it is not looked at.
    """

    start: int
    end: int | None
    left: Backlog

    def last(self, kinds: DensityRange, mark: Fraction | int, *, above: bool = False) -> int | None:
        """The last tick with maxload at least `mark` > 0 (`above`: more than `mark` >= 0); None if there is none.

        Claim: maxload is at least the mark as long as an element of that value is unserved; so the last such tick is
        the slot of the last such element.
        """
        marks = ((kind, kinds.ticks(kind, mark, above)) for kind in self.left.ticks if kinds.holds(kind))
        slots = [self.left.rank(kind, ticks) for kind, ticks in marks if ticks <= self.left.ticks[kind]]
        if not slots:
            return None
        last = self.start + max(slots)
        return last if self.end is None else min(last, self.end - 1)


@dataclass(frozen=True)
class DensityRange:
    """The density classes `low..low + width` and how maxload weighs their queues: `2^(d - low) load`.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.2: `low` is d*, `width` is log2 alpha.
    """

    low: int
    width: int

    def holds(self, kind: Type) -> bool:
        """Whether the type is of these classes."""
        return self.low <= kind.density <= self.low + self.width

    def ticks(self, kind: Type, mark: Fraction | int, above: bool = False) -> int:
        """The least number of ticks in the queue of this type that lifts maxload to the mark (or above it)."""
        ticks = mark / power(kind.exponent - self.low)
        return math.floor(ticks) + 1 if above else math.ceil(ticks)

    def maxload(self, left: Backlog) -> Fraction:
        """The largest `2^(d - low) 2^w ticks` over the queues of the range, in ticks times weight units."""
        loads = (ticks * power(kind.exponent - self.low) for kind, ticks in left.ticks.items() if self.holds(kind))
        return max(loads, default=Fraction(0))


def arrivals(decisions: Decisions, number: int, machine: int) -> Iterator[Arrival]:
    """The jobs that a phase of A dispatched to a machine, in order."""
    instance, types = decisions.types.instance, decisions.types.types
    for j, offer in decisions.offered(number):
        if offer.accepted and offer.machine == machine:
            yield j, int(instance.release[j]), types[j], int(instance.size[j])


def gaps(jobs: Iterable[Arrival]) -> Iterator[Gap]:
    """The queues of A on one machine, empty before the first of these jobs, as gaps without holes.

    >>> two = [(0, 2, Type(0, 0), 5), (1, 4, Type(0, 0), 1)]
    >>> [(gap.start, gap.end, *gap.left.ticks.values()) for gap in gaps(two)]
    [(2, 4, 5), (4, None, 4)]
    """
    left, clock = Backlog({}), 0
    for _, release, kind, size in jobs:
        if release != clock and left.ticks:
            yield Gap(clock, release, left)
        left, clock = left.after(release - clock).plus(kind, size), release
    if left.ticks:
        yield Gap(clock, None, left)


def excursions(pieces: Iterable[Gap], kinds: DensityRange, low: Fraction, high: Fraction) -> Iterator[tuple[int, int]]:
    """The intervals of Figure 4 for the marks `low < high`, as closed `(start, end)`, in order of time.

    Claim: they are, for every maximal run of ticks with maxload above `low` that reaches `high`, its first tick and its
    last tick with maxload at least `high`. Going back from the end, Figure 4 finds just these: t1 is the last tick
    that reaches `high`, t2 the first tick of its run, and before t2 lies the run before.

    Source: Rejecting jobs to minimize load and maximum flow-time, Figure 4 (sampled after the arrivals of a tick).
    """
    start: int | None = None
    reached: int | None = None
    for gap in pieces:
        over = gap.last(kinds, low, above=True)
        if over is not None:
            start = gap.start if start is None else start
            high_until = gap.last(kinds, high)
            reached = reached if high_until is None else high_until
        if over is None or gap.end is None or over < gap.end - 1:
            if start is not None and reached is not None:
                yield start, reached
            start = reached = None


def completions(jobs: Iterable[Arrival]) -> dict[int, int]:
    """When A completes these jobs on their machine, if it is never stopped; by position.

    Claim: in a queue with R ticks left, the first released job with p left completes in the slot of element R - p + 1.
    """
    jobs = deque(jobs)
    waiting: dict[Type, deque[tuple[int, int]]] = {}
    done: dict[int, int] = {}
    for gap in gaps(tuple(jobs)):
        while jobs and jobs[0][1] <= gap.start:
            job, _, kind, size = jobs.popleft()
            waiting.setdefault(kind, deque()).append((job, size))
        final = Backlog({}) if gap.end is None else gap.left.after(gap.end - gap.start)
        for kind in gap.left.ticks:
            done |= _completed(gap, kind, final.ticks.get(kind, 0), waiting[kind])
    return done


def _completed(gap: Gap, kind: Type, final: int, queue: deque[tuple[int, int]]) -> dict[int, int]:
    """The jobs of one queue that complete in the gap; the one in work then stays in front with what it has left."""
    done, ticks = {}, gap.left.ticks[kind]
    while queue and ticks - queue[0][1] >= final:
        job, size = queue.popleft()
        ticks -= size
        done[job] = gap.start + gap.left.rank(kind, ticks + 1) + 1
    if queue and ticks > final:
        job, size = queue.popleft()
        queue.appendleft((job, size - ticks + final))
    return done
