"""Schedules of a dispatch, and the best one: each machine runs the earliest deadline first."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from online.errors import InvalidInput, Problem
from online.exact import Column
from online.fifo import completions, per_machine
from online.instance import Instance
from online.run import Pieces
from online.weights import Weight, Weights


class Schedule(NamedTuple):
    """A dispatch (one machine a job, in arrival order) with its `value` max w_j F_j, in ticks times the weights' unit.

    `pieces` say what runs when; None means that every machine runs what it got first in, first out.
    """

    value: Weight
    dispatch: tuple[int, ...]
    pieces: Pieces | None = None

    def evidence(self) -> dict[str, Any]:
        """The schedule as a certificate holds it, by keys (rule C6)."""
        return upper_evidence(self.dispatch, "fifo" if self.pieces is None else self.pieces)


def upper_evidence(dispatch: Sequence[int], schedule: str | Pieces) -> dict[str, Any]:
    """A witness from above by keys (rule C6): `schedule` is `fifo`, `assignment` (no time), or pieces."""
    if isinstance(schedule, Pieces):
        columns = {name: list(column) for name, column in schedule._asdict().items()}
        return {"rule": "C6", "dispatch": list(dispatch), "schedule": {"per_tick": 1, **columns}}
    return {"rule": "C6", "dispatch": list(dispatch), "schedule": schedule}


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
    largest = 0
    for _, jobs in per_machine(_checked(instance, dispatch), instance.machines):
        done = completions(instance.release[jobs], instance.size[jobs])
        largest = max(largest, int((done - instance.release[jobs]).max()))
    return largest


def edf(instance: Instance, dispatch: Sequence[int], value: Weight, weights: Weights | None = None) -> Schedule:
    """The schedule in which every machine runs the earliest deadline first; job j is due at `r_j + value/w_j`.

    Claim: its own value, which is exact, is at most `value` if any schedule with this dispatch has one so small. Say
    job j misses its deadline d, and let a be the last time before its completion C at which its machine idled or ran
    a job due after d. In [a, C] it runs without a break jobs due by d; none of them was released before a, or it would
    have run then. So their volume is over d - a, and no schedule does them all between a and d. Jobs switch only at
    releases and completions, so all times are whole ticks, and deadlines may be rounded down to whole ticks; equal
    ones go in arrival order. Each release causes at most one preemption; n log n.

    Raises: `InvalidInput` if the dispatch is not one eligible machine a job.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(1, [Row("long", 0, 4), Row("urgent", 1, 1, flow_weight=3)])
    >>> [edf(two, [0, 0], T, Weights.flow(two)).value for T in (1, 5)]
    [12, 5]
    """
    weights = weights or Weights.ones(instance)
    return _played(instance, _checked(instance, dispatch), value, weights)


def best_schedule(instance: Instance, dispatch: Sequence[int], weights: Weights | None = None) -> Schedule:
    """The best schedule with a given dispatch: the smallest value that the earliest deadline first attains.

    Claim: exact. From a value T too small, EDF finds jobs J that miss: all released at a or later, on one machine,
    of volume v (`edf`). In any schedule with this dispatch one of them ends at a + v or later, so the value is at least
    the smallest `w_j (a + v - r_j)` of J. That is above T, and the next T. The first T without a miss is attained, and
    was shown to be a lower bound. One weight: FIFO, no search (`fifo_value`).

    Raises: `InvalidInput` if the dispatch is not one eligible machine a job.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(1, [Row("long", 0, 4), Row("urgent", 1, 1, flow_weight=3)])
    >>> best = best_schedule(two, [0, 0], Weights.flow(two))
    >>> best.value, best.pieces.job, best.pieces.start
    (5, (0, 1, 0), (0, 1, 2))
    """
    weights = weights or Weights.ones(instance)
    if weights.classes <= 1:
        value = fifo_value(instance, dispatch)
        return Schedule(value * weights.values[0] if value else 0, tuple(dispatch))
    column = _checked(instance, dispatch)
    return _played(instance, column, _smallest(instance, column, weights), weights)


class Miss(NamedTuple):
    """Jobs that one machine cannot all finish in time: released at `start` or later, due by `due`, volume above that.

    `jobs` are positions in the columns that were given, ascending.
    """

    start: int
    due: int
    jobs: tuple[int, ...]


def first_miss(release: list[int], size: list[int], due: list[int]) -> Miss | None:
    """Jobs that prove that one machine cannot meet all deadlines, or None if the earliest deadline first does.

    Claim: the volume of the jobs found exceeds `due - start` (`edf`). Columns in arrival order, in ticks; the miss by
    most ticks is taken.

    >>> first_miss([0, 1, 9], [4, 1, 1], [4, 9, 10]), first_miss([0, 1, 9], [4, 1, 1], [4, 4, 10])
    (None, Miss(start=0, due=4, jobs=(0, 1)))
    """
    machine = _Machine(release, size, due)
    late = [done - d for done, d in zip(machine.done, due, strict=True)]
    worst = max(range(len(late)), key=late.__getitem__, default=-1)
    return machine.blamed(worst) if worst >= 0 and late[worst] > 0 else None


class _Machine:
    """One machine that runs the earliest deadline first, ties in arrival order."""

    def __init__(self, release: list[int], size: list[int], due: list[int]) -> None:
        self.due, self.done = due, [0] * len(release)
        self.pieces: list[tuple[int, int, int]] = []
        waiting: list[tuple[int, int]] = []
        left, next_job, now, n = list(size), 0, 0, len(release)
        while waiting or next_job < n:
            if not waiting:
                now = max(now, release[next_job])
            while next_job < n and release[next_job] <= now:
                heapq.heappush(waiting, (due[next_job], next_job))
                next_job += 1
            j = waiting[0][1]
            end = now + left[j] if next_job == n else min(now + left[j], release[next_job])
            self._run(j, now, end)
            left[j] -= end - now
            now = end
            if not left[j]:
                heapq.heappop(waiting)
                self.done[j] = now

    def _run(self, j: int, start: int, end: int) -> None:
        if self.pieces and self.pieces[-1][0] == j and self.pieces[-1][2] == start:
            start = self.pieces.pop()[1]
        if start < end:
            self.pieces.append((j, start, end))

    def blamed(self, worst: int) -> Miss:
        """The jobs due no later than `worst` that ran without a break before it ended."""
        limit, start, jobs = self.due[worst], self.done[worst], {worst}
        for j, begin, end in reversed(self.pieces):
            if end > self.done[worst]:
                continue
            if end < start or self.due[j] > limit:
                break
            start = begin
            jobs.add(j)
        return Miss(start, limit, tuple(sorted(jobs)))


def _checked(instance: Instance, dispatch: Sequence[int]) -> Column:
    if len(dispatch) != instance.n:
        raise InvalidInput(
            Problem("dispatch", "wrong length", f"{len(dispatch)}", f"{instance.n}", "give one machine a job")
        )
    sets = [frozenset(one) for one in instance.sets]
    for j, (k, i) in enumerate(zip(instance.eligible_set.tolist(), dispatch, strict=True)):
        if i not in sets[k]:
            place = f"dispatch of job {instance.ids[j]!r}"
            raise InvalidInput(Problem(place, "machine not eligible", repr(i), "one of S_j", "correct it"))
    return np.array(dispatch, dtype=np.int64)


def _due(release: list[int], weight: list[Weight], value: Weight) -> list[int]:
    """Per job, `r_j + value/w_j` rounded down to a whole tick."""
    top, bottom = value.numerator, value.denominator
    return [r + top * w.denominator // (bottom * w.numerator) for r, w in zip(release, weight, strict=True)]


def _smallest(instance: Instance, dispatch: Column, weights: Weights) -> Weight:
    release, size, weight = instance.release.tolist(), instance.size.tolist(), weights.tolist()
    value: Weight = max(w * p for w, p in zip(weight, size, strict=True))
    for _, column in per_machine(dispatch, instance.machines):
        jobs = column.tolist()
        mine, sizes, own = ([values[j] for j in jobs] for values in (release, size, weight))
        while miss := first_miss(mine, sizes, _due(mine, own, value)):
            end = miss.start + sum(sizes[k] for k in miss.jobs)
            value = min(own[k] * (end - mine[k]) for k in miss.jobs)
    return value


def _played(instance: Instance, dispatch: Column, value: Weight, weights: Weights) -> Schedule:
    release, size = instance.release.tolist(), instance.size.tolist()
    due = _due(release, weights.tolist(), value)
    rows: list[tuple[int, int, int, int]] = []
    flow = [0] * instance.n
    for i, column in per_machine(dispatch, instance.machines):
        jobs = column.tolist()
        machine = _Machine(*([values[j] for j in jobs] for values in (release, size, due)))
        rows += [(jobs[k], i, start, end) for k, start, end in machine.pieces]
        for j, done in zip(jobs, machine.done, strict=True):
            flow[j] = done - release[j]
    columns = map(tuple, zip(*rows, strict=True)) if rows else ((),) * 4
    longest = [0] * weights.classes
    for k, f in zip(weights.rank.tolist(), flow, strict=True):
        longest[k] = max(longest[k], f)
    exact_value = max((w * f for w, f in zip(weights.values, longest, strict=True)), default=0)
    return Schedule(exact_value, tuple(dispatch.tolist()), Pieces(*columns))
