"""Good assignments at scale: longest first, then jobs move or swap off the fullest machine while that helps."""

from __future__ import annotations

from bisect import bisect_left, insort
from itertools import combinations
from typing import NamedTuple

from lp.load.assignment import Assignment, assigned, least_loaded, loads
from online.instance import Instance

EFFORT = 5_000_000
"""Most jobs that `descending_load` looks at while it improves: some seconds. A count, so that results repeat."""

FEW = 40
"""Pairs of jobs are exchanged as well between machines that have at most this many jobs to exchange."""


def descending_load(instance: Instance, *, target: int = 0, effort: int = EFFORT) -> Assignment:
    """Give the longest jobs first to the least loaded eligible machine, then improve; also with picky jobs first.

    Claim: an assignment of all jobs, so its value is an upper bound on T*; the same instance and limits give the same
    one. Ends at `target`, when no move or swap helps, or after `effort` looks at a job; `target` may be a lower bound.

    >>> from online.rows import Row
    >>> descending_load(Instance.from_rows(2, [Row(k, 0, size) for k, size in enumerate([3, 3, 2, 2, 2])])).value
    6
    """
    best = None
    for order in _orders(instance):
        found = improved(instance, least_loaded(instance, order), target=target, effort=effort // 2)
        best = found if best is None else min(best, found)
        if best.value <= target:
            break
    assert best is not None
    return best


def _orders(instance: Instance) -> list[list[int]]:
    """Longest first; fewest eligible machines first, then longest."""
    size, choice = instance.size.tolist(), instance.eligible_set.tolist()
    width = [len(one) for one in instance.sets]
    longest = sorted(range(instance.n), key=lambda j: -size[j])
    return [longest, sorted(longest, key=lambda j: width[choice[j]])]


def improved(instance: Instance, dispatch: list[int], *, target: int = 0, effort: int = EFFORT) -> Assignment:
    """Move or swap jobs off the fullest machine while its load falls and the other one stays below it."""
    descent = _Descent(instance, dispatch, effort)
    while max(descent.load) > target and descent.step():
        pass
    return assigned(instance, descent.dispatch)


class _Shift(NamedTuple):
    """The jobs `given` leave the fullest machine for `machine`, the jobs `taken` come back."""

    worse: int
    machine: int
    given: tuple[int, ...]
    taken: tuple[int, ...]


class _Descent:
    def __init__(self, instance: Instance, dispatch: list[int], effort: int) -> None:
        self.size = instance.size.tolist()
        masks = [sum(1 << i for i in one) for one in instance.sets]
        self.mask = [masks[k] for k in instance.eligible_set.tolist()]
        self.dispatch, self.load, self.effort = dispatch, loads(instance, dispatch), effort
        self.on: list[list[int]] = [[] for _ in self.load]
        for j in sorted(range(instance.n), key=self.size.__getitem__):
            self.on[dispatch[j]].append(j)

    def step(self) -> bool:
        """Make the best shift off the fullest machine; False if none helps."""
        full = self.load.index(max(self.load))
        shifts = (self._shift(full, i) for i in range(len(self.load)))
        best = min((shift for shift in shifts if shift), default=None)
        if best is None or self.effort < 0:
            return False
        for jobs, source, goal in ((best.given, full, best.machine), (best.taken, best.machine, full)):
            for j in jobs:
                self._put(j, source, goal)
        return True

    def _shift(self, full: int, i: int) -> _Shift | None:
        """The shift from `full` to `i` after which the fuller of the two is least, if it is less full than now."""
        gap = self.load[full] - self.load[i]
        if gap < 2 or self.effort < 0:
            return None
        given, taken = self._parts(full, i), sorted([(0, ()), *self._parts(i, full)])
        best = None
        for size, jobs in given:
            at = bisect_left(taken, (size - gap // 2, ()))
            for back, returned in taken[max(0, at - 1) : at + 1]:
                if 0 < size - back < gap:
                    worse = self.load[i] + max(size - back, gap - size + back)
                    shift = _Shift(worse, i, jobs, returned)
                    best = shift if best is None else min(best, shift)
        return best

    def _parts(self, source: int, goal: int) -> list[tuple[int, tuple[int, ...]]]:
        """What may go from `source` to `goal`: single jobs, and pairs of them while there are few."""
        self.effort -= len(self.on[source])
        jobs = [j for j in self.on[source] if self.mask[j] >> goal & 1]
        pairs = list(combinations(jobs, 2)) if len(jobs) <= FEW else []
        self.effort -= len(pairs)
        return [(self.size[j], (j,)) for j in jobs] + [(self.size[j] + self.size[k], (j, k)) for j, k in pairs]

    def _put(self, j: int, source: int, goal: int) -> None:
        self.on[source].remove(j)
        insort(self.on[goal], j, key=self.size.__getitem__)
        self.load[source] -= self.size[j]
        self.load[goal] += self.size[j]
        self.dispatch[j] = goal
