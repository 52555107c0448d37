"""The exact optimum of small instances by trying all assignments, cut off early."""

from __future__ import annotations

from lp.load.assignment import Assignment, assigned, greedy_load
from lp.load.volumes import Volumes
from online.errors import LimitReached
from online.instance import Instance

STEP_LIMIT, JOB_LIMIT = 1_000_000, 200
"""Most partial assignments, and most jobs, that a search looks at."""


def brute_force_load(instance: Instance, *, step_limit: int = STEP_LIMIT) -> Assignment:
    """The optimum T* of a tiny instance, with an assignment that attains it; no linear program is used.

    Claim: exact. Raises: `LimitReached` above `JOB_LIMIT` jobs or after `step_limit` partial assignments.

    >>> from online.rows import Row
    >>> brute_force_load(Instance.from_rows(2, [Row("a", 0, 2), Row("b", 0, 2), Row("c", 0, 3, [0])])).value
    4
    """
    return best_assignment(instance, greedy_load(instance), max(instance.size.tolist(), default=0), step_limit)


def best_assignment(instance: Instance, known: Assignment, floor: int, step_limit: int = STEP_LIMIT) -> Assignment:
    """The optimum, found from a `known` assignment and a proven lower bound `floor`, where the search ends.

    Claim: exact. The longest jobs come first; a partial assignment is given up once a load reaches the best value
    known, or if its loads, up to an exchange of interchangeable machines, were seen before at the same job.

    Raises: `LimitReached` above `JOB_LIMIT` jobs or after `step_limit` partial assignments.
    """
    if known.value <= floor:
        return known
    if instance.n > JOB_LIMIT:
        raise LimitReached(f"{instance.n} jobs are too many to search, the limit is {JOB_LIMIT}")
    search = _Search(instance, known, floor, step_limit)
    search.extend(0)
    return assigned(instance, search.best.dispatch)


class _Search:
    def __init__(self, instance: Instance, known: Assignment, floor: int, step_limit: int) -> None:
        self.best, self.floor, self.limit, self.steps = known, floor, step_limit, 0
        jobs = [(job.size, job.eligible, job.position) for job in instance.jobs()]
        self.jobs = sorted(jobs, key=lambda job: (-job[0], len(job[1]), job[2]))
        self.members, _ = Volumes.of(instance).grouped()
        self.load, self.trail = [0] * instance.machines, [0] * instance.n
        self.seen: set[tuple[int, tuple[tuple[int, ...], ...]]] = set()

    def extend(self, k: int) -> None:
        """Try every machine for the k-th longest job; the longer ones are assigned, all loads are below the best."""
        if k == len(self.jobs):
            self.best = Assignment(max(self.load), tuple(self.trail))
            return
        size, eligible, j = self.jobs[k]
        for i in eligible:
            if self.best.value <= self.floor:
                return
            if self.load[i] + size < self.best.value:
                self.load[i] += size
                self.trail[j] = i
                if self._is_new(k + 1):
                    self.extend(k + 1)
                self.load[i] -= size

    def _is_new(self, k: int) -> bool:
        self.steps += 1
        if self.steps > self.limit:
            raise LimitReached(f"no exact optimum within {self.limit} steps; use the bounds, or fewer jobs")
        state = (k, tuple(tuple(sorted(self.load[i] for i in group)) for group in self.members))
        if state in self.seen:
            return False
        self.seen.add(state)
        return True
