"""Who ran where and when, in columns: what a timeline draws."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from certify.report.columns import drawn
from online import exact
from online.exact import Column
from online.fifo import per_machine
from online.run import REJECTED, Run

ACCEPTED, AT_ONCE, LATE = 0, 1, 2
"""What became of a job: it was accepted, rejected on arrival, or rejected late."""


@dataclass(frozen=True, eq=False)
class Execution:
    """The bars of a run and what became of each job.

    `job`, `machine`, `start`, `end` have one entry a piece, `leave` and `fate` one a job; times are in `1/per_tick`
    ticks. `leave` is when a job is done or rejected. Without time (`load`), bars are the jobs of a machine on top of
    one another, in ticks of load, the ones rejected late last; `leave` is the position of the arrival after which a job
    was rejected late, and its own for the others.
    """

    job: Column
    machine: Column
    start: Column
    end: Column
    leave: Column
    fate: Column
    per_tick: int

    @classmethod
    def of(cls, run: Run) -> Execution:
        """The bars of a run."""
        fate = np.where(run.dispatch == REJECTED, AT_ONCE, ACCEPTED)
        fate[[one.job for one in run.late]] = LATE
        if run.problem == "load":
            return cls(*_stacked(run, fate), _after(run), fate, 1)
        job, machine, start, end = [exact.column(column) for column in run.executed]
        return cls(job, machine, start, end, _leaving(run), fate, run.per_tick)

    def unit(self, tick: Fraction) -> Fraction:
        """What `start`, `end` and `leave` count."""
        return tick / self.per_tick


def _leaving(run: Run) -> Column:
    """When each job is done or rejected, in `1/per_tick` ticks."""
    times = [
        int(r) * run.per_tick if c == REJECTED else int(c * run.per_tick)
        for r, c in zip(run.instance.release.tolist(), run.completion.tolist(), strict=True)
    ]
    for one in run.late:
        times[one.job] = one.time if one.time is not None else times[one.job]
    return exact.column(times)


def _after(run: Run) -> Column:
    positions = np.arange(run.instance.n)
    positions[[one.job for one in run.late]] = [one.after for one in run.late]
    return positions


def _stacked(run: Run, fate: Column) -> tuple[Column, Column, Column, Column]:
    """All jobs on their machines, and those rejected on arrival on one heap of their own."""
    order = np.argsort(fate == LATE, kind="stable")
    machine, size = run.dispatch[order], run.instance.size[order]
    end = np.zeros(len(order), dtype=size.dtype)
    for _, places in per_machine(machine - REJECTED, run.instance.machines + 1):
        end[places] = np.cumsum(size[places])
    return order, machine, end - size, end


class Steps(NamedTuple):
    """Step functions, one after another: `value` from `time` on; the i-th is at `first[i] .. first[i + 1] - 1`."""

    first: list[int]
    time: Column
    value: Column


def queue_steps(machine: Column, start: Column, end: Column, machines: int) -> Steps:
    """How many jobs each machine holds over time, jobs being there from `start` to before `end`; the last is of all.

    >>> queue_steps(np.array([0, 0]), np.array([0, 1]), np.array([3, 4]), 1)
    Steps(first=[0, 4, 8], time=array([0, 1, 3, 4, 0, 1, 3, 4]), value=array([1, 2, 1, 0, 1, 2, 1, 0], dtype=int32))
    """
    row = np.concatenate([machine, machine, np.full(2 * len(machine), machines)])
    time = np.concatenate([start, end, start, end])
    change = np.concatenate([np.ones(len(machine), dtype=np.int32), -np.ones(len(machine), dtype=np.int32)] * 2)
    order = np.lexsort((time, row))
    row, time, value = row[order], time[order], np.cumsum(change[order], dtype=np.int32)
    last = np.ones(len(row), dtype=bool)
    last[:-1] = (row[1:] != row[:-1]) | (time[1:] != time[:-1])
    first = np.searchsorted(row[last], np.arange(machines + 2)).tolist()
    return Steps(first, time[last], value[last])


def queues(run: Run, execution: Execution) -> Steps:
    """The jobs dispatched to each machine, and to any, that are neither done nor rejected, over time."""
    tick, there = run.instance.tick, np.flatnonzero(execution.fate != AT_ONCE)
    start = drawn(run.instance.release[there], tick)
    end = drawn(execution.leave[there], execution.unit(tick))
    return queue_steps(run.dispatch[there], start, end, run.instance.machines)


def loads(run: Run) -> Steps:
    """The load of each machine after each arrival, and the largest of all; the first arrival is at 1."""
    late: dict[int, list[int]] = {}
    for one in run.late:
        late.setdefault(one.after, []).append(one.job)
    now = [0] * run.instance.machines
    rows: list[tuple[list[int], list[int]]] = [([], []) for _ in range(run.instance.machines + 1)]
    sizes, dispatch = run.instance.size.tolist(), run.dispatch.tolist()
    most = 0
    for position, machine in enumerate(dispatch):
        changed = {dispatch[job]: 0 for job in late.get(position, [])}
        if machine != REJECTED:
            now[machine] += sizes[position]
            changed[machine] = 0
        for job in late.get(position, []):
            now[dispatch[job]] -= sizes[job]
        for i in changed:
            rows[i][0].append(position + 1)
            rows[i][1].append(now[i])
        if changed and max(now) != most:
            most = max(now)
            rows[-1][0].append(position + 1)
            rows[-1][1].append(most)
    first = [0, *np.cumsum([len(times) for times, _ in rows]).tolist()]
    time = np.array([t for times, _ in rows for t in times], dtype=np.float64)
    return Steps(first, time, drawn([v for _, values in rows for v in values], run.instance.tick))


def sizes_in_stacks(run: Run, execution: Execution) -> Steps:
    """The size of the job at each height of each machine's stack."""
    tick, machines = run.instance.tick, run.instance.machines
    first, time, value = [0], [], []
    for i in range(machines):
        mine = np.flatnonzero(execution.machine == i)
        mine = mine[np.argsort(execution.start[mine], kind="stable")]
        if len(mine):
            time += [*drawn(execution.start[mine], tick).tolist(), drawn(execution.end[mine[-1:]], tick).tolist()[0]]
            value += [*drawn(run.instance.size[execution.job[mine]], tick).tolist(), 0]
        first.append(len(time))
    return Steps(first, np.array(time, dtype=np.float64), np.array(value, dtype=np.float64))
