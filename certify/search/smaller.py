"""Instances that are a little smaller than another: the moves of shrinking."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from online.instance import Instance, Job
from online.validate import JobId


def rebuilt(instance: Instance, jobs: Iterable[Job], machines: int | None = None) -> Instance:
    """The instance with these jobs instead, put in order of release; jobs of one instant stay as they stand."""
    rows = sorted(jobs, key=lambda job: job.release)
    numbers: dict[tuple[int, ...], int] = {}
    return Instance.from_columns(
        instance.machines if machines is None else machines,
        tick=instance.tick,
        weight_unit=instance.weight_unit,
        ids=[job.id for job in rows],
        release=[job.release for job in rows],
        size=[job.size for job in rows],
        flow_weight=[job.flow_weight for job in rows],
        rejection_weight=[job.rejection_weight for job in rows],
        eligible_set=[numbers.setdefault(job.eligible, len(numbers)) for job in rows],
        sets=list(numbers),
        machine_names=instance.machine_names if machines is None else None,
    )


def numbered(instance: Instance) -> Instance:
    """The instance with the jobs called 1, 2, ... in order of arrival.

    >>> from online.rows import Row
    >>> numbered(Instance.from_rows(1, [Row("b", 0, 1), Row("a", 1, 1)])).ids
    (1, 2)
    """
    return rebuilt(instance, (job._replace(id=k) for k, job in enumerate(instance.jobs(), 1)))


def changed(instance: Instance, ids: Collection[JobId], **values: Any) -> Instance:
    """The instance in which the named jobs have other values."""
    return rebuilt(instance, (job._replace(**values) if job.id in ids else job for job in instance.jobs()))


def without_jobs(instance: Instance, start: int, end: int) -> Instance:
    """The instance without the jobs at positions `start..end-1`."""
    return instance.restrict([not start <= j < end for j in range(instance.n)])


def without_machines(instance: Instance, start: int, end: int) -> Instance | None:
    """The instance without the machines `start..end-1` and the jobs that only they may run; None if no job is left.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1, [0])])
    >>> [job.id for job in without_machines(two, 0, 1).jobs()]
    ['a']
    """
    number = {i: i if i < start else i - (end - start) for i in range(instance.machines) if not start <= i < end}
    narrowed = (job._replace(eligible=tuple(number[i] for i in job.eligible if i in number)) for job in instance.jobs())
    jobs = [job for job in narrowed if job.eligible]
    if not jobs:
        return None
    names = instance.machine_names
    return replace(rebuilt(instance, jobs, len(number)), machine_names=names and names[:start] + names[end:])


def without_eligible(instance: Instance, job: Job, start: int, end: int) -> Instance:
    """The instance in which the job may not run on its eligible machines number `start..end-1`."""
    return changed(instance, [job.id], eligible=job.eligible[:start] + job.eligible[end:])


def divided(instance: Instance, divisor: int, columns: Collection[str]) -> Instance:
    """The instance with the numbers of these columns divided by a common divisor."""
    jobs = (job._replace(**{name: getattr(job, name) // divisor for name in columns}) for job in instance.jobs())
    return rebuilt(instance, jobs)


def earlier(instance: Instance, since: int, ticks: int) -> Instance:
    """The instance in which all jobs released at `since` or later come so many ticks earlier."""
    return rebuilt(
        instance,
        (job._replace(release=job.release - ticks) if job.release >= since else job for job in instance.jobs()),
    )
