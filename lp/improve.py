"""Better schedules at scale: jobs leave the machines that are late, and push others on, until nobody is late."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lp.deadline import Deadline
from lp.dispatch import followed_shares, largest_shares, least_backlog, least_finishing, picky_first
from lp.grid import Grid
from lp.schedule import Miss, Schedule, best_schedule, first_miss
from online.exact import Column
from online.fifo import completions, per_machine
from online.instance import Instance
from online.weights import Weight, Weights

EFFORT = 2_000_000
"""Most jobs that `improve` looks at: some seconds. A count, so that results repeat."""

LOOK = 60
"""What one look at a machine counts for at least."""

TRIED = (40, 40, 10)
"""Most jobs of a late set that are tried, by how many more may be pushed on: none, one, two."""


def improve(
    instance: Instance,
    schedule: Schedule,
    weights: Weights | None = None,
    *,
    target: Weight = 0,
    effort: int = EFFORT,
    time_limit: float | None = None,
) -> Schedule:
    """A schedule that is no worse: its dispatch changed, job by job, while the value falls.

    Claim: the value is exact and at most that of `schedule` with its dispatch. A goal V between `target` and the value
    gives every job a window; on a machine that cannot keep them, jobs of a set that lacks room (`first_miss`) move to
    machines that can take them, or whose own jobs can move on. Without success the next goal is nearer to the value;
    the last one is to be just below it. Ends there, at `target` (a lower bound, say), or after `effort` looks at a job;
    `time_limit`, in seconds, may end it sooner.

    >>> from online.rows import Row
    >>> rows = [Row("a", 0, 2), Row("b", 0, 3), Row("c", 0, 3, [0])]
    >>> instance = Instance.from_rows(2, rows)
    >>> improve(instance, best_schedule(instance, [0, 1, 0]), target=4).value, best_schedule(instance, [1, 0, 0]).value
    (5, 6)
    """
    weights = weights or Weights.ones(instance)
    best = best_schedule(instance, schedule.dispatch, weights)
    plan = _Plan(instance, effort, Deadline(time_limit))
    grid, part = Grid.of(instance, weights), 64
    while best.value > target and not plan.over():
        goal = grid.after(grid.at_most(best.value - Fraction(best.value - target) / part))
        found = plan.within(best.dispatch, grid.short_of(min(goal, best.value)))
        if found is not None:
            best, part = best_schedule(instance, found, weights), max(2, part // 2)
        elif goal >= best.value:
            break
        else:
            part *= 8
    return best


def good_schedule(
    instance: Instance,
    weights: Weights | None = None,
    *,
    shares: tuple[Sequence[int], Sequence[int], Sequence[Any]] | None = None,
    target: Weight = 0,
    effort: int = EFFORT,
    time_limit: float | None = None,
) -> Schedule:
    """The best of several dispatches, each with its best schedule, then improved.

    Claim: a schedule of all jobs, so its exact value is an upper bound on T*. `shares` are columns (job, machine,
    share) of a fractional dispatch, to be rounded as well. `target`, `effort` and `time_limit` as in `improve`.

    >>> from online.rows import Row
    >>> rows = [Row(j, 0, 1, [0] if j > 3 else [0, 1]) for j in range(6)]
    >>> good_schedule(Instance.from_rows(2, rows)).value
    3
    """
    weights = weights or Weights.ones(instance)
    order = picky_first(instance, weights)
    dispatches = [least_backlog(instance, weights), least_backlog(instance, weights, order)]
    if weights.classes > 1:
        dispatches.append(least_finishing(instance, order))
    if shares is not None:
        dispatches += [largest_shares(instance, *shares), followed_shares(instance, *shares)]
    best = min((best_schedule(instance, one, weights) for one in dispatches), key=lambda found: found.value)
    return improve(instance, best, weights, target=target, effort=effort, time_limit=time_limit)


class _Plan:
    """A dispatch being changed: the jobs `on` each machine, and a trail of shifts that can be taken back."""

    def __init__(self, instance: Instance, effort: int, deadline: Deadline) -> None:
        self.machines, self.release, self.size = instance.machines, instance.release, instance.size
        self.eligible = [instance.sets[k] for k in instance.eligible_set.tolist()]
        self.effort, self.deadline = effort, deadline
        self.on: list[Column] = []
        self.due = self.release
        self.trail: list[tuple[int, int, int]] = []
        self.moved: set[int] = set()

    def over(self) -> bool:
        """Whether the effort or the time is used up."""
        return self.effort < 0 or self.deadline.passed()

    def within(self, dispatch: tuple[int, ...], flow: Column) -> list[int] | None:
        """A dispatch with which every job can end `flow` ticks after its release, from one that is changed; or None."""
        self.due = self.release + flow
        self.on = [np.zeros(0, dtype=np.int64)] * self.machines
        for i, jobs in per_machine(np.array(dispatch, dtype=np.int64), self.machines):
            self.on[i] = jobs
        self.trail, self.moved = [], set()
        for i in range(self.machines):
            while miss := self._miss(i, 0, len(self.release) - 1):
                if not any(self._ease(i, miss, chain) for chain in range(len(TRIED))):
                    return None
        out = list(dispatch)
        for j, _, goal in self.trail:
            out[j] = goal
        return out

    def _ease(self, i: int, miss: Miss, chain: int) -> bool:
        """Take one of the late jobs off machine i; up to `chain` others may be pushed on, one after another."""
        lack = sum(self.size[j] for j in miss.jobs) - (miss.due - miss.start)
        late = [j for j in miss.jobs if j not in self.moved and len(self.eligible[j]) > 1]
        late.sort(key=lambda j: (self.size[j] < lack, abs(self.size[j] - lack), j))
        for j in late[: TRIED[chain]]:
            for goal in self.eligible[j]:
                if self.over():
                    return False
                if goal != i and self._fits(j, i, goal, chain):
                    return True
        return False

    def _fits(self, j: int, source: int, goal: int, chain: int) -> bool:
        """Move job j to a machine, and others off it where that must be; take all back if it fails."""
        mark = len(self.trail)
        self._move(j, source, goal)
        self.trail.append((j, source, goal))
        self.moved.add(j)
        while miss := self._miss(goal, j, j):
            if not chain or not self._ease(goal, miss, chain - 1):
                self._take_back(mark)
                return False
        return True

    def _take_back(self, mark: int) -> None:
        while len(self.trail) > mark:
            j, source, goal = self.trail.pop()
            self._move(j, goal, source)
            self.moved.discard(j)

    def _move(self, j: int, source: int, goal: int) -> None:
        self.on[source] = np.delete(self.on[source], np.searchsorted(self.on[source], j))
        self.on[goal] = np.insert(self.on[goal], np.searchsorted(self.on[goal], j), j)

    def _miss(self, i: int, first: int, last: int) -> Miss | None:
        """Jobs that machine i cannot finish in time, among those that are busy together with `first` to `last`.

        A machine is busy at the same times in whatever order it runs its jobs, unless it idles.
        """
        jobs = self.on[i]
        if not len(jobs):
            return None
        release = self.release[jobs]
        done = completions(release, self.size[jobs])
        cuts = np.flatnonzero(release[1:] >= done[:-1]) + 1
        busy = np.concatenate([[0], cuts, [len(jobs)]])
        a = busy[np.searchsorted(busy, np.searchsorted(jobs, first), side="right") - 1]
        b = busy[np.searchsorted(busy, np.searchsorted(jobs, last, side="right"))]
        self.effort -= len(jobs) // 8 + LOOK
        if bool((done[a:b] <= self.due[jobs[a:b]]).all()):
            return None
        self.effort -= int(b - a)
        part = jobs[a:b]
        found = first_miss(release[a:b].tolist(), self.size[part].tolist(), self.due[part].tolist())
        return found and found._replace(jobs=tuple(part[list(found.jobs)].tolist()))
