"""What machines hold at given moments of a run: accepted work that is not done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from online import exact
from online.exact import Column
from online.run import REJECTED, Run


def held(run: Run, moments: Sequence[int], among: Column | None = None) -> list[list[int | Fraction]]:
    """Just after the arrival of the job at each position: the ticks of work, of jobs `among` all, that machines hold.

    Claim: counted are jobs up to this one that were dispatched to the machine and not rejected by then, each with what
    is left of its size; where there is no time, with its size. A late rejection at the release of the job has happened,
    work from that time on has not.

    >>> from online.instance import Instance
    >>> from online.rows import Row
    >>> three = Instance.from_rows(2, [Row("a", 0, 2), Row("b", 1, 2), Row("c", 1, 2)])
    >>> held(Run(three, "max-flow", "example", Fraction(1), np.array([0, 0, 1]), ()), [0, 1, 2])
    [[2, 0], [3, 0], [3, 2]]
    """
    work = _Work.of(run)
    return [_held(run, work, moment, among) for moment in moments]


def _held(run: Run, work: _Work, moment: int, among: Column | None) -> list[int | Fraction]:
    instance = run.instance
    now = int(instance.release[moment]) * run.per_tick
    there = _there(run, moment, now)
    if among is not None:
        there &= among
    left = np.where(there, instance.size, 0)
    if run.problem != "load":
        left = left - np.where(there, work.before(now), 0)
    out: list[int | Fraction] = [0] * instance.machines
    for machine, ticks in zip(run.dispatch[there].tolist(), left[there].tolist(), strict=True):
        out[machine] += ticks
    return out


def _there(run: Run, moment: int, now: int) -> Column:
    """The jobs that have arrived and are not rejected by then."""
    there = np.asarray(run.dispatch != REJECTED, dtype=bool)
    there[moment + 1 :] = False
    gone = [one.job for one in run.late if (one.after <= moment if one.time is None else one.time <= now)]
    there[gone] = False
    return there


@dataclass(frozen=True)
class _Work:
    """Who works when, in columns; times in `1/per_tick` ticks, `rate` ticks of work are done in one of these."""

    jobs: int
    job: Column
    start: Column
    end: Column
    rate: Fraction

    @classmethod
    def of(cls, run: Run) -> _Work:
        """The pieces of a run, or first in, first out."""
        if run.problem == "load":
            none = np.zeros(0, dtype=np.int64)
            return cls(run.instance.n, none, none, none, Fraction(1))
        job, _, start, end = run.executed
        clock = run.speed / run.per_tick
        return cls(run.instance.n, np.array(job, dtype=np.int64), exact.column(start), exact.column(end), clock)

    def before(self, now: int) -> Column:
        """The ticks of work done on each job before a time."""
        spent = np.maximum(np.minimum(self.end, now) - self.start, 0)
        done = np.zeros(self.jobs, dtype=spent.dtype)
        np.add.at(done, self.job, spent)
        return done if self.rate == 1 else done.astype(object) * self.rate
