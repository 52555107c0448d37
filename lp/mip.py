"""Schedules below a value as an integer program: the solver dispatches, the rows that it overlooked are added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lp.backend import EQ, LE, LinearProgram, Status, solve
from lp.deadline import Deadline
from lp.grid import Grid
from lp.program import Floats, Row
from lp.schedule import Schedule, best_schedule, first_miss
from online.errors import LimitReached
from online.fifo import per_machine
from online.instance import Instance
from online.weights import Weight, Weights

COLUMN_LIMIT = 5_000
"""Most (job, eligible machine) pairs that go into the integer program."""

LARGEST = 10**9
"""Largest volume, in units of the grid: beyond, the solver's tolerance exceeds a unit."""

ROUNDS = 100
"""Most programs that are solved, one after another, for one value."""

BRANCHES = 2_000
"""Most nodes of the solver's own tree, for one program: a count, so that results repeat."""


class Answer(NamedTuple):
    """A schedule with a value below the one asked for; or None, with the solver's `status`.

    `INFEASIBLE` is the solver's word that there is none, and proves nothing.
    """

    schedule: Schedule | None
    status: Status
    reason: str = ""


def schedule_below(
    instance: Instance,
    value: Weight,
    weights: Weights | None = None,
    *,
    time_limit: float | None = None,
    rounds: int = ROUNDS,
) -> Answer:
    """Look for a schedule with an objective below `value` by an integer program with lazy rows.

    Claim: `schedule` is exact and below `value`. The columns x_ij say whether job j is on machine i. In a schedule
    below the value every job ends in its window (`Grid.short_of`), so for all a and c machine i has at most c - a of
    the jobs whose windows lie in [a, c]; together these rows suffice (`edf`). Only rows that a dispatch of the solver
    violates are written, for all machines at once. `time_limit` is in seconds, for all programs together.

    Raises: `LimitReached` above `COLUMN_LIMIT` columns or beyond `LARGEST`.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(2, [Row("a", 0, 2), Row("b", 0, 2), Row("c", 0, 3, [0])])
    >>> schedule_below(two, 5).schedule.value, schedule_below(two, 4).status
    (4, <Status.INFEASIBLE: 'infeasible'>)
    """
    weights = weights or Weights.ones(instance)
    program = _Lazy(instance, Grid.of(instance, weights), value)
    deadline = Deadline(time_limit)
    for _ in range(rounds):
        solution = solve(program.linear(), time_limit=deadline.left(), node_limit=BRANCHES)
        if solution.status is not Status.OPTIMAL or solution.x is None:
            return Answer(None, solution.status, solution.reason)
        dispatch = program.read(solution.x)
        overlooked = None if dispatch is None else program.overlooked(dispatch)
        if dispatch is not None and not overlooked:
            return Answer(best_schedule(instance, dispatch, weights), Status.OPTIMAL)
        if overlooked is None or not program.add(overlooked):
            return Answer(None, Status.ERROR, "the dispatch violates a row within the solver's tolerance")
    return Answer(None, Status.LIMIT, f"no schedule after {rounds} programs")


class _Lazy:
    """The program with the rows that are known; row (a, c) stands for one on each machine. Times are in ticks."""

    def __init__(self, instance: Instance, grid: Grid, value: Weight) -> None:
        self.machines, self.unit = instance.machines, grid.unit
        self.release, self.size = instance.release.tolist(), instance.size.tolist()
        flow = grid.short_of(value).tolist()
        self.due = [r + f for r, f in zip(self.release, flow, strict=True)]
        sets = list(instance.sets)
        self.pairs = [(j, i) for j, k in enumerate(instance.eligible_set.tolist()) for i in sets[k]]
        self.rows: set[tuple[int, int]] = set()
        if len(self.pairs) > COLUMN_LIMIT:
            raise LimitReached(f"the integer program has {len(self.pairs)} columns, over the limit of {COLUMN_LIMIT}")
        span = max([*self.due, 0]) - min([*self.release, 0])
        if max(sum(self.size), span) > LARGEST * self.unit:
            raise LimitReached(f"the integer program has numbers over {LARGEST}, beyond the solver's tolerance")
        self.add({(a, c) for a in set(self.release) for c in (max(self.due),)})

    def add(self, rows: set[tuple[int, int]]) -> bool:
        """Whether any of the rows was new."""
        known = len(self.rows)
        self.rows |= rows
        return len(self.rows) > known

    def linear(self) -> LinearProgram:
        """Every job is on one machine; no machine has more of the jobs inside [a, c] than fit there."""
        jobs: list[dict[int, float]] = [{} for _ in self.release]
        for column, (j, _) in enumerate(self.pairs):
            jobs[j][column] = 1
        rows: list[Row] = [(job, EQ, 1) for job in jobs]
        for a, c in sorted(self.rows):
            rows += [(volume, LE, (c - a) // self.unit) for volume in self._volumes(a, c)]
        count = len(self.pairs)
        return LinearProgram.of([0] * count, rows, upper=[1] * count, integer=np.ones(count, dtype=bool))

    def _volumes(self, a: int, c: int) -> Iterator[dict[int, float]]:
        found: list[dict[int, float]] = [{} for _ in range(self.machines)]
        for column, (j, i) in enumerate(self.pairs):
            if self.release[j] >= a and self.due[j] <= c:
                found[i][column] = self.size[j] // self.unit
        return (volume for volume in found if sum(volume.values()) > (c - a) // self.unit)

    def read(self, x: Floats) -> list[int] | None:
        """The machine of every job; None if some job has none or several."""
        chosen = [self.pairs[column] for column in np.flatnonzero(x * 2 > 1).tolist()]
        complete = [j for j, _ in chosen] == list(range(len(self.release)))
        return [i for _, i in chosen] if complete else None

    def overlooked(self, dispatch: list[int]) -> set[tuple[int, int]]:
        """The rows (a, c) that a dispatch violates, one of each machine that is late."""
        found = set()
        for _, column in per_machine(np.array(dispatch, dtype=np.int64), self.machines):
            jobs = column.tolist()
            miss = first_miss(*([values[j] for j in jobs] for values in (self.release, self.size, self.due)))
            if miss is not None:
                found.add((miss.start, miss.due))
        return found
