"""Tiny instances of load balancing by the thousand, and enumerations to compare with, written without the package."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from online.generate import Dice
from online.instance import Instance

SCALES = (1, 1, 1, 10**6, 10**13, 10**30)


def tiny_instances(count: int, seed: int, *, most_jobs: int = 6) -> Iterator[Instance]:
    """Up to `most_jobs` jobs on up to 4 machines; a third have sizes over many orders of magnitude, some are 0."""
    dice = Dice(seed)
    for _ in range(count):
        machines, jobs, wide = 1 + dice.below(4), dice.below(most_jobs + 1), dice.below(3) == 0
        scales = [SCALES[dice.below(len(SCALES))] if wide else 1 for _ in range(jobs)]
        yield Instance.from_columns(
            machines,
            release=sorted(dice.below(5) for _ in range(jobs)),
            size=[dice.below(10) * scale for scale in scales],
            eligible_set=list(range(jobs)),
            sets=[dice.subset(machines, 1 + dice.below(machines)) for _ in range(jobs)],
        )


def least_largest_load(instance: Instance) -> int:
    """T* over every assignment, one by one."""
    jobs = list(instance.jobs())
    best = None
    for chosen in itertools.product(*(job.eligible for job in jobs)):
        load = [0] * instance.machines
        for job, i in zip(jobs, chosen, strict=True):
            load[i] += job.size
        best = max(load) if best is None else min(best, max(load))
    assert best is not None
    return best


def fullest_set(instance: Instance) -> Fraction:
    """The largest (volume confined to M) / |M| over every set M of machines, one by one."""
    jobs = list(instance.jobs())
    return max(
        Fraction(sum(job.size for job in jobs if set(job.eligible) <= set(chosen)), count)
        for count in range(1, instance.machines + 1)
        for chosen in itertools.combinations(range(instance.machines), count)
    )
