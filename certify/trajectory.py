"""Queues over time: what machines hold in a run, exactly, in columns."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from online import exact
from online.exact import Column
from online.fifo import completions
from online.run import REJECTED, Phase, Run
from online.speed.trajectory import Trajectory
from online.witness import phase_dispatch

Changes = tuple[Iterable[int], Iterable[int]]
"""Times, and by how much something changes there."""


@dataclass(frozen=True, eq=False)
class Course:
    """A quantity over time: linear between its breakpoints, where it may jump; 0 at first, constant after the last.

    At breakpoint k, `time[k]` in `1/per_tick` ticks (of `load`: arrivals), it comes from `before[k]` and goes on from
    `after[k]`, in `1/per_unit` ticks of work, or jobs.
    """

    time: Column
    before: Column
    after: Column
    per_tick: int = 1
    per_unit: int = 1

    @classmethod
    def of(cls, jumps: Changes, slopes: Changes = ((), ()), per_tick: int = 1, per_unit: int = 1) -> Course:
        """From jumps, and changes of the slope (per time), in any order; what cancels at a time is no breakpoint.

        >>> course = Course.of(([0, 1, 9], [4, 4, 4]), ([0, 8, 9], [-1, 1, -1]))
        >>> course.time.tolist(), course.before.tolist(), course.after.tolist()
        ([0, 1, 8, 9], [0, 3, 0, 0], [4, 7, 0, 4])
        """
        jump, slope = _summed(jumps), _summed(slopes)
        times = sorted(time for time in jump.keys() | slope.keys() if jump.get(time) or slope.get(time))
        before, after, level, rate, last = [], [], 0, 0, 0
        for time in times:
            level += rate * (time - last)
            before.append(level)
            level += jump.get(time, 0)
            after.append(level)
            rate, last = rate + slope.get(time, 0), time
        return cls(exact.column(times), exact.column(before), exact.column(after), per_tick, per_unit)

    def __len__(self) -> int:
        return len(self.time)

    @property
    def peak(self) -> Fraction:
        """The largest value, in ticks of work or jobs."""
        largest = max((max(column.tolist(), default=0) for column in (self.before, self.after)), default=0)
        return Fraction(largest, self.per_unit)

    def at(self, time: Fraction) -> Fraction:
        """The value just after what happens at a time (ticks).

        >>> Course.of(([0, 2], [2, 1]), ([0, 3], [-1, 1]), per_tick=2).at(Fraction(1, 2))
        Fraction(1, 1)
        """
        moment = time * self.per_tick
        k = int(np.searchsorted(self.time, math.floor(moment), side="right"))
        if not k:
            return Fraction(0)
        value = Fraction(int(self.after[k - 1]))
        if k < len(self):
            start, end = int(self.time[k - 1]), int(self.time[k])
            value += (int(self.before[k]) - value) * (moment - start) / (end - start)
        return value / self.per_unit


def _summed(changes: Changes) -> dict[int, int]:
    out: dict[int, int] = {}
    for time, change in zip(*changes, strict=True):
        out[time] = out.get(time, 0) + change
    return out


def work_left(run: Run, machine: int | None = None) -> Course:
    """The accepted work that a machine (None: all of them together) has not done yet, of all phases of a run.

    A job counts from its release on the machine it is dispatched to; when it is rejected late, what is left of it goes.
    For `load`, which has no time, it is what the machine was given and keeps, after so many arrivals.
    """
    instance, jobs = run.instance, _dispatched(run, machine)
    size = instance.size[jobs].tolist()
    if run.problem == "load":
        return _after_arrivals(run, jobs, size)
    per_unit = run.per_tick * run.speed.denominator
    release = [r * run.per_tick for r in instance.release[jobs].tolist()]
    rate = run.speed.numerator
    done = dict.fromkeys(jobs.tolist(), 0)
    starts, ends = [], []
    for job, start, end in _pieces(run, jobs):
        done[job] += (end - start) * rate
        starts.append(start)
        ends.append(end)
    arrivals = list(zip(release, (p * per_unit for p in size), strict=True))
    full = dict(zip(done, (work for _, work in arrivals), strict=True))
    late = [(one.time, done[one.job] - full[one.job]) for one in run.late if one.time is not None and one.job in done]
    jumps = [list(column) for column in zip(*arrivals, *late, strict=True)] or [[], []]
    slopes = (starts + ends, [-rate] * len(starts) + [rate] * len(ends))
    return Course.of((jumps[0], jumps[1]), slopes, run.per_tick, per_unit)


def number_left(run: Run, machine: int | None = None) -> Course:
    """How many accepted jobs a machine (None: all of them together) has not completed yet.

    For `load`: how many it was given and keeps, after so many arrivals.
    """
    jobs = _dispatched(run, machine)
    if run.problem == "load":
        return _after_arrivals(run, jobs, [1] * len(jobs))
    kept = jobs[run.accepted[jobs]]
    arrive = [r * run.per_tick for r in run.instance.release[jobs].tolist()]
    own = set(jobs.tolist())
    leave = [one.time for one in run.late if one.time is not None and one.job in own]
    done = zip(run.completion[kept].tolist(), run.instance.release[kept].tolist(), strict=True)
    leave += [int(max(end, release) * run.per_tick) for end, release in done]
    return Course.of((arrive + leave, [1] * len(arrive) + [-1] * len(leave)), per_tick=run.per_tick)


def phase_work(run: Run, phase: Phase, machine: int) -> Course:
    """`load_i(t)` of a phase of a first in, first out run: its own jobs, as if the machine had been empty before it.

    The job that ended the phase counts where this phase had put it.
    """
    jobs = phase.first + np.flatnonzero(phase_dispatch(run, phase) == machine)
    release, size = run.instance.release[jobs], run.instance.size[jobs]
    end = completions(release, size)
    slopes = ((end - size).tolist() + end.tolist(), [-1] * len(jobs) + [1] * len(jobs))
    return Course.of((release.tolist(), size.tolist()), slopes)


def servers(run: Trajectory) -> tuple[Course, Course]:
    """The unfinished jobs n(t), and the sum of the speeds, of a schedule with speeds."""
    per_tick = exact.common_denominator(run.breakpoints)
    moves = [(time, 1) for time in map(Fraction, run.instance.release.tolist())]
    moves += [(time, -1) for time in run.completion]
    jobs = Course.of(([int(t * per_tick) for t, _ in moves], [by for _, by in moves]), per_tick=per_tick)
    speeds: dict[int, Fraction] = {}
    for start, end, running in run.segments:
        speed = sum((run.power.at(dial).speed for _, dial in running), Fraction(0))
        for time, by in ((start, speed), (end, -speed)):
            at = int(time * per_tick)
            speeds[at] = speeds.get(at, Fraction(0)) + by
    per_unit = exact.common_denominator(speeds.values())
    changes = [int(by * per_unit) for by in speeds.values()]
    return jobs, Course.of((list(speeds), changes), per_tick=per_tick, per_unit=per_unit)


def busiest(run: Run, most: int) -> list[int]:
    """The machines with the most accepted work, at most so many, by number; among equals the first."""
    loads = run.loads
    chosen = sorted(range(len(loads)), key=lambda i: (-loads[i], i))[:most]
    return sorted(chosen)


def _dispatched(run: Run, machine: int | None) -> Column:
    return np.flatnonzero(run.dispatch != REJECTED if machine is None else run.dispatch == machine)


def _after_arrivals(run: Run, jobs: Column, amount: list[int]) -> Course:
    own = dict(zip(jobs.tolist(), amount, strict=True))
    late = [(one.after + 1, -own[one.job]) for one in run.late if one.job in own]
    times = [job + 1 for job in own] + [time for time, _ in late]
    return Course.of((times, [*own.values(), *(by for _, by in late)]))


def _pieces(run: Run, jobs: Column) -> Iterable[tuple[int, int, int]]:
    """The pieces of these jobs: job, start and end, in `1/per_tick` ticks."""
    own = set(jobs.tolist())
    rows = zip(run.executed.job, run.executed.start, run.executed.end, strict=True)
    return [row for row in rows if row[0] in own]
