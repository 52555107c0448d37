"""The baselines, small instances for them, and what is going on at every tick of their schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from certify.testing import instances
from online.instance import Instance
from online.run import Run

TIMED = ("max-flow", "weighted", "two-weights", "stretch")
RULES = ("fifo", "spt", "srpt", "hdf", "hdf-reject", "edf")
NOT_PREEMPTIVE = ("fifo", "spt")
SPEEDS = (Fraction(5, 4), Fraction(3, 2), Fraction(2, 3), Fraction(2))
EPSILONS = (Fraction(1, 2), Fraction(1, 3), Fraction(2, 5), Fraction(1, 8), Fraction(1))


def small_instances(machines: int = 3, jobs: int = 9, two_weights: bool = True) -> st.SearchStrategy[Instance]:
    """Up to so many jobs on up to so many machines; sizes up to 5, weights up to 6, releases up to 8."""
    problem = "two-weights" if two_weights else "weighted"
    return instances(problem, max_jobs=jobs, max_machines=machines, sizes=5, weights=6, last_release=8)


class Moment(NamedTuple):
    """One tick of a run: who runs on each machine, who waits where he may run, and the ticks that each job has left."""

    now: int
    running: dict[int, int]
    waiting: dict[int, list[int]]
    left: list[Fraction]


def moments(run: Run) -> Iterator[Moment]:
    """Every tick of a run with pieces; with a speed, in the finer ticks of its pieces."""
    assert run.pieces is not None
    rows = list(zip(*run.pieces, strict=True))
    left = [p * run.per_tick / run.speed for p in run.instance.size.tolist()]
    release = [r * run.per_tick for r in run.instance.release.tolist()]
    places = {job.position: list(job.eligible) for job in run.instance.jobs() if run.accepted[job.position]}
    for now in range(max((end for *_, end in rows), default=0)):
        running = {i: j for j, i, start, end in rows if start <= now < end}
        present = [j for j in places if release[j] <= now and left[j] > 0 and j not in running.values()]
        yield Moment(now, running, {j: places[j] for j in present}, list(left))
        for i, j in running.items():
            left[j] -= 1
            places[j] = [i]


Key = Callable[[int, int], object]
"""The key of a job with so many ticks left."""


def by_ticks(instance: Instance, key: Key, preemptive: bool, refused: set[int]) -> tuple[list[int], list[int]]:
    """A second, naive program: where each job runs and when it is done, one tick at a time, with plain lists."""
    release, left = instance.release.tolist(), instance.size.tolist()
    machine, done = [-1] * instance.n, [-1] * instance.n
    running: list[int | None] = [None] * instance.machines
    now = 0

    def first(jobs: list[int]) -> list[int]:
        return sorted(jobs, key=lambda j: (key(j, left[j]), j))

    def present() -> list[int]:
        there = [j for j, r in enumerate(release) if r <= now and left[j] and j not in refused and j not in running]
        return first(there)

    while any(ticks and j not in refused for j, ticks in enumerate(left)):
        for i, j in enumerate(running):
            if j is None:
                able = [j for j in present() if i in (instance.job(j).eligible if machine[j] < 0 else [machine[j]])]
                if able:
                    running[i], machine[able[0]] = able[0], i
        for j in [j for j in present() if release[j] == now] if preemptive else []:
            last = first([k for i in instance.job(j).eligible if (k := running[i]) is not None])[-1]
            if first([j, last])[0] == j:
                machine[j] = machine[last]
                running[machine[j]] = j
        now += 1
        for i, j in enumerate(running):
            if j is not None:
                left[j] -= 1
                if not left[j]:
                    running[i], done[j] = None, now
    return machine, done
