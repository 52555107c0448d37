"""The offline optimum of `max w_j F_j`: exact for unit jobs and small instances, else between proven bounds.

Nothing is rejected here. Values are in ticks times the unit of the weights; without weights, in ticks.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lp.backend import Status
from lp.cases import NODES, Tree, distinguish, longest
from lp.deadline import Deadline
from lp.dispatch import least_finishing
from lp.grid import Grid
from lp.hall import hall_bound
from lp.improve import good_schedule
from lp.matching import unit_optimum
from lp.mip import schedule_below
from lp.schedule import Schedule, best_schedule, fifo_value
from online import exact
from online.errors import LimitReached
from online.instance import Instance
from online.weights import Weight, Weights

__all__ = ["Optimum", "brute_force_optimum", "fifo_value", "greedy_upper", "optimum", "unit_optimum"]

STEP_LIMIT, JOB_LIMIT = 1_000_000, 200
"""Most partial dispatches, and most jobs, that `brute_force_optimum` looks at."""

ATTEMPTS = 8
"""Most values at which a lower bound is tried by cases where the optimum itself is out of reach."""


@dataclass(frozen=True)
class Optimum:
    """The optimum T* between a proven value and a schedule.

    Claim: lower <= T* <= upper.value. `proof` is the evidence for `lower`, by keys: one job (rule C0), a set of jobs
    (C5) or a case distinction (C10); None for no jobs. `solver_bound` is a larger lower bound where a solver says so:
    its integer program found no schedule below, which nothing here proves.
    """

    lower: Weight
    upper: Schedule
    proof: dict[str, Any] | None
    solver_bound: Weight | None = None

    @property
    def optimal(self) -> bool:
        """Whether T* is known, with a proof."""
        return self.lower == self.upper.value


def optimum(
    instance: Instance, weights: Weights | None = None, *, time_limit: float | None = None, nodes: int = NODES
) -> Optimum:
    """Bracket T* by the Hall bound and good schedules, then by cases, then by an integer program and cases again.

    Claim: lower <= T* <= upper, both proven; each means is used only while the bracket is open. `nodes` limits each
    case distinction; `time_limit`, in seconds, may end the work sooner, with what holds by then.

    >>> from online.rows import Row
    >>> three = Instance.from_rows(2, [Row(j, 0, 2) for j in range(3)])
    >>> found = optimum(three)
    >>> found.lower, found.upper.value, found.proof["rule"]
    (Fraction(4, 1), 4, 'C5')
    """
    weights = weights or Weights.ones(instance)
    if not instance.n:
        return Optimum(0, Schedule(0, ()), None)
    search = _Bracket(instance, weights, time_limit)
    search.close(nodes)
    if search.is_open():
        search.ask_solver()
        search.close(nodes)
    for _ in range(ATTEMPTS):
        search.raise_lower(nodes // ATTEMPTS)
    return Optimum(search.lower, search.upper, search.proof, search.said if search.said > search.lower else None)


class _Bracket:
    """The bracket so far; `said` is the solver's lower bound, `tried` the least value that cases could not prove."""

    def __init__(self, instance: Instance, weights: Weights, time_limit: float | None) -> None:
        self.instance, self.weights, self.grid = instance, weights, Grid.of(instance, weights)
        self.deadline = Deadline(time_limit)
        hall = hall_bound(instance, weights=weights, integral=True, time_limit=time_limit)
        self.lower: Weight = hall.value
        self.proof: dict[str, Any] = {"rule": "C0", "job": longest(instance, weights)}
        if hall.jobs:
            value = exact.text(hall.value)
            self.proof = {"rule": "C5", "job": list(hall.jobs), "value": value, "round": True}
        self.upper = good_schedule(instance, weights, target=self.lower, time_limit=self.deadline.left())
        self.said: Weight = self.lower
        self.tried = self.upper.value

    def is_open(self) -> bool:
        """Whether the bracket is open and time is left."""
        return self.lower < self.upper.value and not self.deadline.passed()

    def close(self, nodes: int) -> None:
        """Distinguish cases just below the best schedule, until there is nothing below or a limit is reached."""
        with suppress(LimitReached):
            while self.is_open():
                self._distinguish(self.upper.value, nodes)

    def raise_lower(self, nodes: int) -> None:
        """Distinguish cases half way between the bounds."""
        top = min(self.tried, self.upper.value)
        value = self._between(self.lower, top)
        if not self.is_open() or value >= top:
            return
        try:
            self._distinguish(value, nodes)
        except LimitReached:
            self.tried = value

    def ask_solver(self) -> None:
        """Halve the range in which the solver knows no schedule, while it finds one or says that there is none."""
        with suppress(LimitReached):
            while self.is_open() and self.said < self.upper.value:
                value = self._between(self.said, self.upper.value)
                answer = schedule_below(self.instance, value, self.weights, time_limit=self.deadline.left())
                if answer.schedule is not None:
                    self.upper = answer.schedule
                elif answer.status is Status.INFEASIBLE:
                    self.said = value
                else:
                    return

    def _distinguish(self, value: Weight, nodes: int) -> None:
        found = distinguish(self.instance, value, self.weights, nodes=nodes, time_limit=self.deadline.left())
        if isinstance(found, Schedule):
            self.upper = found
        else:
            self.lower, self.proof = value, _evidence(value, found)

    def _between(self, low: Weight, high: Weight) -> Weight:
        """A value of the grid above `low`, at most `high`, near the middle."""
        return self.grid.after(self.grid.at_most(Fraction(low + high) / 2))


def _evidence(value: Weight, tree: Tree) -> dict[str, Any]:
    """A tree of one leaf is that leaf."""
    leaf: dict[str, Any] | None = tree[0].get("leaf")
    return leaf or {"rule": "C10", "value": exact.text(value), "tree": tree}


def greedy_upper(instance: Instance) -> Schedule:
    """Dispatch every job to the eligible machine that would finish it first (ties: the smallest), FIFO.

    Claim: a feasible schedule without rejection, so its value is an upper bound on the least maximum flow time, in
    ticks. Linear in the total size of the eligible sets.

    >>> from online.rows import Row
    >>> greedy_upper(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 1, 1), Row("c", 1, 2)]))
    Schedule(value=4, dispatch=(0, 1, 1), pieces=None)
    """
    return best_schedule(instance, least_finishing(instance))


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
