"""The offline optimum of max w_j F_j by trying every dispatch, for tests; and small instances with weights."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

from online.family import IntervalFamily
from online.instance import Instance, Job
from online.rows import Row
from online.weights import Weight, Weights

WEIGHTS: Sequence[Weight] = (1, 2, 4, 3, 5, Fraction(1, 3))


def weighted_optimum(instance: Instance, weights: Weights) -> Fraction:
    """The least max w_j F_j over all dispatches, with the best preemptive schedule of each machine."""
    jobs = list(instance.jobs())
    dispatches = itertools.product(*(job.eligible for job in jobs))
    return min((_of_dispatch(jobs, weights, chosen, instance.machines) for chosen in dispatches), default=Fraction(0))


def _of_dispatch(jobs: list[Job], weights: Weights, chosen: tuple[int, ...], machines: int) -> Fraction:
    parts = ([job for job, i in zip(jobs, chosen, strict=True) if i == machine] for machine in range(machines))
    return max((_one_machine(part, weights) for part in parts if part), default=Fraction(0))


def _one_machine(jobs: list[Job], weights: Weights) -> Fraction:
    """The least T for which EDF meets all deadlines: completions are whole, so T is a weight times a whole number."""
    volume = sum(job.size for job in jobs)
    span = max(job.release for job in jobs) - min(job.release for job in jobs) + volume
    values = sorted({Fraction(weights[job.position]) * k for job in jobs for k in range(span + 1)})
    low, high = 0, len(values) - 1
    while low < high:
        middle = (low + high) // 2
        if _edf_meets(jobs, weights, values[middle]):
            high = middle
        else:
            low = middle + 1
    assert _edf_meets(jobs, weights, values[low])
    return values[low]


def _edf_meets(jobs: list[Job], weights: Weights, bound: Fraction) -> bool:
    waiting = sorted(jobs, key=lambda job: job.release)
    ready: list[tuple[Fraction, int, int]] = []
    now = 0
    while waiting or ready:
        if not ready:
            now = max(now, waiting[0].release)
        while waiting and waiting[0].release <= now:
            job = waiting.pop(0)
            heapq.heappush(ready, (job.release + bound / weights[job.position], job.position, job.size))
        deadline, position, left = heapq.heappop(ready)
        step = min(left, waiting[0].release - now) if waiting else left
        now += step
        if now > deadline:
            return False
        if left > step:
            heapq.heappush(ready, (deadline, position, left - step))
    return True


@st.composite
def weighted(draw, machines: int = 3, jobs: int = 5, least: int = 0) -> tuple[Instance, Weights]:
    """Up to `jobs` jobs of any of `WEIGHTS` on up to `machines` machines."""
    m = draw(st.integers(1, machines))
    sets = st.lists(st.integers(0, m - 1), min_size=1, unique=True)
    job = st.tuples(st.integers(0, 8), st.integers(1, 5), sets, st.sampled_from(WEIGHTS))
    rows = sorted(draw(st.lists(job, min_size=least, max_size=jobs)), key=lambda row: row[0])
    instance = Instance.from_rows(m, [Row(j, r, p, chosen) for j, (r, p, chosen, _) in enumerate(rows)])
    return instance, Weights.of(w for *_, w in rows)


@st.composite
def weighted_families(draw, machines: int, weights: Weights, per_tick: int = 1) -> IntervalFamily:
    """Any multiset of up to 6 closed intervals with ends up to 13 ticks, for weights near those of the jobs."""
    listed = sorted({*weights.values, *draw(st.sets(st.sampled_from([Fraction(1, 2), 1, 3, 6]), min_size=1))})
    interval = st.tuples(
        st.integers(0, machines - 1),
        st.integers(0, 2),
        st.integers(0, 9 * per_tick),
        st.integers(0, 4 * per_tick),
        st.integers(0, 3),
        st.integers(0, len(listed) - 1),
    )
    rows = draw(st.lists(interval, max_size=6))
    return IntervalFamily.of(
        [(i, level, s, s + d) for i, level, s, d, _, _ in rows],
        per_tick,
        [times for *_, times, _ in rows],
        [w for *_, w in rows],
        listed,
    )
