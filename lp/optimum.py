"""The offline optimum of maximum flow time, exactly where that is possible, and witnesses from above.

Nothing is rejected here, and weights are not used. Values are in ticks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import networkx as nx

from online.errors import InvalidInput, LimitReached, Problem
from online.instance import Instance

STEP_LIMIT, JOB_LIMIT = 1_000_000, 200
"""Most partial dispatches, and most jobs, that `brute_force_optimum` looks at."""

EDGE_LIMIT = 2_000_000
"""Most (job, machine, slot) triples that one matching of `unit_optimum` may have."""


class Schedule(NamedTuple):
    """A dispatch (one machine a job, in arrival order), each machine FIFO; `value` is its maximum flow in ticks."""

    value: int
    dispatch: tuple[int, ...]


def fifo_value(instance: Instance, dispatch: Sequence[int]) -> int:
    """The maximum flow time, in ticks, when every machine runs what it got in arrival order; 0 for no jobs.

    Claim: no schedule with this dispatch, preemptive or not, does better. Let job j attain the maximum, at time
    C, and let s be the last time before C at which its machine turned busy. The machine works without a break in
    [s, C], on jobs released in [s, r_j] (FIFO) of total volume C - s. No schedule starts them before s, so in
    each the last of them ends at C or later, and its release is at most r_j: its flow is at least C - r_j.

    Raises: `InvalidInput` if the dispatch is not one eligible machine a job.

    >>> from online.rows import Row
    >>> fifo_value(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 1, 1), Row("c", 1, 2)]), [0, 1, 0])
    5
    """
    if len(dispatch) != instance.n:
        raise InvalidInput(
            Problem("dispatch", "wrong length", f"{len(dispatch)}", f"{instance.n}", "give one machine a job")
        )
    free, largest = [0] * instance.machines, 0
    for job, i in zip(instance.jobs(), dispatch, strict=True):
        if i not in job.eligible:
            raise InvalidInput(
                Problem(f"dispatch of job {job.id!r}", "machine not eligible", repr(i), "one of S_j", "correct it")
            )
        free[i] = max(free[i], job.release) + job.size
        largest = max(largest, free[i] - job.release)
    return largest


def greedy_upper(instance: Instance) -> Schedule:
    """Dispatch every job to the eligible machine that would finish it first (ties: the smallest), FIFO.

    Claim: a feasible schedule without rejection, so its value is an upper bound on T*. Linear in the total size
    of the eligible sets.

    >>> from online.rows import Row
    >>> greedy_upper(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 1, 1), Row("c", 1, 2)]))
    Schedule(value=4, dispatch=(0, 1, 1))
    """
    free, dispatch, largest = [0] * instance.machines, [], 0
    for job in instance.jobs():
        start, i = min((max(free[i], job.release), i) for i in job.eligible)
        free[i] = start + job.size
        dispatch.append(i)
        largest = max(largest, free[i] - job.release)
    return Schedule(largest, tuple(dispatch))


def unit_optimum(instance: Instance, *, edge_limit: int = EDGE_LIMIT) -> Schedule:
    """The exact optimum when all sizes equal U and all releases are multiples of U.

    Claim: some optimal schedule is FIFO on every machine (`fifo_value`), so it starts jobs at multiples of U and
    T* is a multiple of U; value T is feasible exactly if a matching sends every job to its own slot [t, t + U) of
    an eligible machine with r_j <= t <= r_j + T - U. Bisection on T, from the largest p to `greedy_upper`.

    Raises: `InvalidInput` for other sizes or releases; `LimitReached` above `edge_limit` triples, or if a chain of
    exchanges in the matching is too long.
    """
    if instance.n == 0:
        return Schedule(0, ())
    unit = _unit(instance)
    best = greedy_upper(instance)
    low, high = 1, best.value // unit
    while low < high:
        T = (low + high) // 2
        found = _matched(instance, unit, T, edge_limit)
        if found is None:
            low = T + 1
        else:
            high, best = T, Schedule(T * unit, found)
    return Schedule(fifo_value(instance, best.dispatch), best.dispatch)


def brute_force_optimum(instance: Instance, *, step_limit: int = STEP_LIMIT) -> Schedule:
    """The exact optimum of a tiny instance of any sizes: every dispatch, FIFO on each machine, cut off early.

    Claim: FIFO is optimal for a given dispatch (`fifo_value`), so the best dispatch is the optimum; a partial
    dispatch is given up once its flow reaches the best value known.

    Raises: `LimitReached` above `JOB_LIMIT` jobs or after `step_limit` partial dispatches.

    >>> from online.rows import Row
    >>> brute_force_optimum(Instance.from_rows(2, [Row("a", 0, 2), Row("b", 0, 2), Row("c", 0, 3, [0])])).value
    4
    """
    if instance.n > JOB_LIMIT:
        raise LimitReached(f"{instance.n} jobs are too many for brute force, the limit is {JOB_LIMIT}")
    search = _Search(instance, step_limit)
    search.extend(0, 0)
    return search.best


class _Search:
    def __init__(self, instance: Instance, step_limit: int) -> None:
        self.jobs, self.limit, self.steps = list(instance.jobs()), step_limit, 0
        self.free, self.trail = [0] * instance.machines, [0] * instance.n
        self.best = greedy_upper(instance)

    def extend(self, j: int, flow: int) -> None:
        """Try every machine for job j; the jobs before it are dispatched, with maximum flow `flow`."""
        if j == len(self.jobs):
            self.best = Schedule(flow, tuple(self.trail))
            return
        job = self.jobs[j]
        for i in job.eligible:
            self.steps += 1
            if self.steps > self.limit:
                raise LimitReached(f"no exact optimum within {self.limit} steps; use the bounds, or fewer jobs")
            before = self.free[i]
            done = max(before, job.release) + job.size
            if max(flow, done - job.release) < self.best.value:
                self.free[i], self.trail[j] = done, i
                self.extend(j + 1, max(flow, done - job.release))
                self.free[i] = before


def _unit(instance: Instance) -> int:
    unit = instance.unit_size
    if unit is None or any(release % unit for release in instance.release.tolist()):
        raise InvalidInput(
            Problem(
                "unit optimum",
                "not a unit instance",
                "different sizes" if unit is None else f"a release that is no multiple of the size {unit}",
                "equal sizes, and releases that are multiples of the size",
                "round the instance, or use brute_force_optimum",
            )
        )
    return unit


def _matched(instance: Instance, unit: int, T: int, edge_limit: int) -> tuple[int, ...] | None:
    """The machine of each job in a matching of all jobs to slots with flow at most T units, if there is one."""
    n, machines = instance.n, instance.machines
    first = int(instance.release[0]) // unit
    if T * sum(len(job.eligible) for job in instance.jobs()) > edge_limit:
        raise LimitReached(f"a matching for T = {T} units has over {edge_limit} edges; use the LP bound")
    graph = nx.Graph()
    for job in instance.jobs():
        slot = job.release // unit - first
        graph.add_edges_from(
            (job.position, n + (slot + wait) * machines + i) for wait in range(T) for i in job.eligible
        )
    try:
        matching = nx.bipartite.hopcroft_karp_matching(graph, range(n))
    except RecursionError:
        raise LimitReached("a chain of exchanges in the matching is too long; use the LP bound") from None
    return tuple((matching[j] - n) % machines for j in range(n)) if len(matching) == 2 * n else None
