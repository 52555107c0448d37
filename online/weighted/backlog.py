"""What algorithm A has left on a machine, and the order in which it serves it until the next arrival.

A queue of type k with R ticks left has priority `2^e R`, e the exponent of k; each tick of service lowers it by `2^e`.
So until the next arrival the ticks served are the elements `(2^e r, k)`, r = R, R-1, .., 1 over all k, in decreasing
order: by value, then by type. A merge of arithmetic progressions: any number of ticks is one jump, however the queues
alternate. Everything is exact, in Python ints.

Source: Rejecting jobs to minimize load and maximum flow-time, section 6.2 (algorithm A); the merge is ours.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import takewhile

from online.weighted.classes import Type

_Queue = tuple[int, Type, int, int]
"""Value of the first element, type, ticks, exponent; exponents are counted from the least one in the backlog."""


class Backlog:
    """The ticks left of each type, all positive; immutable.

    >>> two = Backlog({Type(0, 0): 8, Type(1, 1): 2})
    >>> [(kind.density, ticks) for kind, ticks in two.runs(99)]
    [(1, 1), (0, 4), (1, 1), (0, 4)]
    >>> list(two.after(5).ticks.values())
    [4, 1]
    """

    def __init__(self, ticks: Mapping[Type, int]) -> None:
        self.ticks = ticks
        self.volume = sum(ticks.values())

    def plus(self, kind: Type, size: int) -> Backlog:
        """With a job of this type and size, in ticks."""
        return Backlog({**self.ticks, kind: self.ticks.get(kind, 0) + size})

    def only(self, kinds: Collection[Type]) -> Backlog:
        """The queues of the given types alone."""
        return Backlog({kind: self.ticks[kind] for kind in kinds})

    @cached_property
    def _least(self) -> int:
        return min(map(sum, self.ticks), default=0)

    @cached_property
    def _queues(self) -> list[_Queue]:
        """In decreasing order of their first elements."""
        exponents = [(kind, ticks, kind[0] + kind[1] - self._least) for kind, ticks in self.ticks.items()]
        return sorted([(ticks << e, kind, ticks, e) for kind, ticks, e in exponents], reverse=True)

    @cached_property
    def _fluid(self) -> tuple[int, list[int], list[int], list[int]]:
        """Service in continuous time, tied queues sharing: `(top, joins, volume, share)`.

        After N ticks the first a queues have been served, a the number of `joins` that are at most N, down to the level
        `(volume[a-1] - N) 2^top / share[a-1]`: where `sum (R - level / 2^e) = N` over these queues.
        """
        top = max((queue[3] for queue in self._queues), default=0)
        joins, volumes, shares = [], [], []
        volume = share = 0
        for value, _, ticks, exponent in self._queues:
            joins.append(volume + (-value * share >> top) + 1)
            volume += ticks
            share += 1 << top - exponent
            volumes.append(volume)
            shares.append(share)
        return top, joins, volumes, shares

    def _level(self, slots: int) -> tuple[int, int]:
        """How many queues share after `slots` ticks in continuous time, and the level, rounded down.

        Claim: at least `slots` elements lie above the level, and the surplus is less than a tick a queue: rounding each
        `R - level / 2^e` up to whole elements adds less than one.
        """
        if slots >= self.volume:
            return len(self.ticks), 0
        top, joins, volume, share = self._fluid
        shared = bisect_right(joins, slots)
        return shared, (volume[shared - 1] - slots << top) // share[shared - 1]

    def at_least(self, kind: Type, slots: int) -> int:
        """A quick lower bound on `after(slots).ticks[kind]`, short by less than a tick a queue."""
        ticks = self.ticks.get(kind, 0)
        if slots <= 0 or not ticks:
            return ticks
        return min(ticks, self._level(slots)[1] >> kind.exponent - self._least)

    def at_most(self, kinds: Collection[Type], slots: int) -> int:
        """A quick upper bound on the ticks that these types get in the next `slots`, over by less than one a queue."""
        if slots <= 0:
            return 0
        level, least = self._level(slots)[1], self._least
        return sum(max(0, self.ticks[kind] - (level >> kind.exponent - least)) for kind in kinds)

    def after(self, slots: int) -> Backlog:
        """What is left after so many ticks of service and no arrival."""
        if slots <= 0:
            return self
        if slots >= self.volume:
            return Backlog({})
        shared, level = self._level(slots)
        queues = self._queues[:shared]
        unit = min(queue[3] for queue in queues)
        progressions = [(ticks, exponent - unit) for _, _, ticks, exponent in queues]
        level, served = _threshold(progressions, level >> unit, slots)
        ticks = dict(self.ticks)
        for (_, kind, _, exponent), (mine, _) in zip(queues, progressions, strict=True):
            ticks[kind] = min(mine, level >> exponent - unit)
        if served < slots:
            at_level = (kind for value, kind, _, e in queues if value >> unit >= level and not level % (1 << e - unit))
            for kind in sorted(at_level, reverse=True)[: slots - served]:
                ticks[kind] -= 1
        return Backlog({kind: left for kind, left in ticks.items() if left})

    def runs(self, slots: int) -> Iterator[tuple[Type, int]]:
        """The service of the next ticks in order: runs `(type, ticks)` of equal decisions."""
        exponent = {kind: exponent for _, kind, _, exponent in self._queues}
        left = dict(self.ticks)
        while slots and left:
            best = max(left, key=lambda kind: (left[kind] << exponent[kind], kind))
            others = ((left[kind] << exponent[kind]) - (best > kind) for kind in left if kind != best)
            ticks = min(slots, left[best] - min(left[best], max(others, default=0) >> exponent[best]))
            yield best, ticks
            slots -= ticks
            left[best] -= ticks
            if not left[best]:
                del left[best]

    def rank(self, kind: Type, element: int) -> int:
        """How many ticks are served before the given element, `1 <= element <= ticks[kind]`: its slot, from 0.

        >>> Backlog({Type(0, 0): 8, Type(1, 1): 2}).rank(Type(1, 1), 1)
        5
        """
        value = element << kind.exponent - self._least
        return sum(
            ticks - (value - (other > kind) >> exponent)
            for first, other, ticks, exponent in takewhile(lambda queue: queue[0] >= value, self._queues)
        )

    def slot_of(self, kinds: Collection[Type], count: int) -> int:
        """The slot, from 0, in which the given types together get their `count`-th tick; they have as many.

        >>> Backlog({Type(0, 0): 8, Type(1, 1): 2}).slot_of([Type(1, 1)], 2)
        5
        """
        _, kind, ticks, _ = self.only(kinds).after(count - 1)._queues[0]
        return self.rank(kind, ticks)


def _threshold(progressions: list[tuple[int, int]], level: int, slots: int) -> tuple[int, int]:
    """The least level, from the given one up, above which at most `slots` elements lie, and how many do.

    By doubling steps and bisection; a progression `(R, e)` has the elements `2^e r`, r = 1..R.
    """

    def above(level: int) -> int:
        return sum(ticks - (level >> exponent) for ticks, exponent in progressions if level >> exponent < ticks)

    served, step = above(level), 1
    if served <= slots:
        return level, served
    while (served := above(level + step)) > slots:
        level += step
        step *= 2
    high = level + step
    while high - level > 1:
        middle = (level + high) // 2
        count = above(middle)
        if count > slots:
            level = middle
        else:
            high, served = middle, count
    return high, served
