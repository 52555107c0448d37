"""Assignments of all jobs to eligible machines: witnesses from above of the smallest possible largest load."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from online.errors import InvalidInput, Problem
from online.instance import Instance


class Assignment(NamedTuple):
    """One eligible machine a job, in arrival order; `value` is its largest load in ticks."""

    value: int
    dispatch: tuple[int, ...]


def loads(instance: Instance, dispatch: Sequence[int]) -> list[int]:
    """The load of each machine, in ticks. Raises: `InvalidInput` if the dispatch is not one eligible machine a job.

    >>> from online.rows import Row
    >>> loads(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 1, 1), Row("c", 1, 2)]), [0, 1, 0])
    [6, 1]
    """
    if len(dispatch) != instance.n:
        raise InvalidInput(
            Problem("dispatch", "wrong length", f"{len(dispatch)}", f"{instance.n}", "give one machine a job")
        )
    load, eligible = [0] * instance.machines, [frozenset(one) for one in instance.sets]
    columns = zip(instance.size.tolist(), instance.eligible_set.tolist(), dispatch, strict=True)
    for j, (size, k, i) in enumerate(columns):
        if i not in eligible[k]:
            raise InvalidInput(
                Problem(
                    f"dispatch of job {instance.ids[j]!r}", "machine not eligible", repr(i), "one of S_j", "correct it"
                )
            )
        load[i] += size
    return load


def assigned(instance: Instance, dispatch: Sequence[int]) -> Assignment:
    """The assignment with its exact value. Raises: `InvalidInput`, as `loads` does."""
    return Assignment(max(loads(instance, dispatch)), tuple(dispatch))


def greedy_load(instance: Instance) -> Assignment:
    """Give every job, in arrival order, to the least loaded eligible machine (ties: the smallest).

    Claim: an assignment of all jobs, so its value is an upper bound on T*. Linear in the total size of the eligible
    sets.

    >>> from online.rows import Row
    >>> greedy_load(Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1), Row("c", 1, 2)]))
    Assignment(value=3, dispatch=(0, 1, 0))
    """
    return assigned(instance, least_loaded(instance, range(instance.n)))


def least_loaded(instance: Instance, order: Iterable[int]) -> list[int]:
    """The dispatch that takes the jobs in this order, each to the least loaded eligible machine."""
    load, dispatch = [0] * instance.machines, [0] * instance.n
    sets, size, eligible_set = list(instance.sets), instance.size.tolist(), instance.eligible_set.tolist()
    for j in order:
        i = min(sets[eligible_set[j]], key=load.__getitem__)
        load[i] += size[j]
        dispatch[j] = i
    return dispatch
