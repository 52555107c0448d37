"""The assignment of load balancing as an integer program: the solver searches, its assignment is then added up."""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from lp.backend import EQ, GE, LinearProgram, Solution, Status, solve
from lp.load.assignment import Assignment, assigned
from lp.program import Floats, Row
from online.errors import LimitReached
from online.instance import Instance

COLUMN_LIMIT = 20_000
"""Most (kind of job, eligible machine) pairs that go into the integer program."""

LARGEST = 10**9
"""Largest load in the solver's unit: the sizes' common divisor, or a coarser one to which sizes are rounded down."""


class _Kinds:
    """Jobs of one size and one eligible set are of one kind; a column says how many of a kind a machine gets."""

    def __init__(self, instance: Instance) -> None:
        members: dict[tuple[int, int], list[int]] = {}
        for j, kind in enumerate(zip(instance.size.tolist(), instance.eligible_set.tolist(), strict=True)):
            members.setdefault(kind, []).append(j)
        self.jobs = list(members.values())
        self.size = [size for size, _ in members]
        self.sets = [instance.sets[k] for _, k in members]
        self.first = list(accumulate(map(len, self.sets), initial=1))


def mip_load(instance: Instance, lower: int, upper: int, *, time_limit: float | None = None) -> Assignment | None:
    """The assignment that the solver finds best, with its exact value; None if it found none it is sure of.

    Claim: `value` is exact and an upper bound on T*. That nothing is better is the solver's word, and is not claimed.
    `lower` and `upper` are proven bounds on T*, `time_limit` is in seconds.

    Raises: `LimitReached` above `COLUMN_LIMIT` columns.
    """
    kinds = _Kinds(instance)
    if kinds.first[-1] > COLUMN_LIMIT:
        raise LimitReached(f"the integer program has {kinds.first[-1]} columns, over the limit of {COLUMN_LIMIT}")
    solution = solve(_program(instance, kinds, lower, upper), time_limit=time_limit)
    return _read(instance, kinds, solution)


def _program(instance: Instance, kinds: _Kinds, lower: int, upper: int) -> LinearProgram:
    """Minimise T >= lower; each kind is dispatched, each machine's load is at most T; in units of `unit` ticks."""
    count, unit = kinds.first[-1], max(1, math.gcd(*kinds.size))
    least = lower // unit
    if upper // unit > LARGEST:
        unit = upper // LARGEST
        least = max(0, lower // unit - instance.n)
    rows: list[Row] = [
        (dict.fromkeys(range(first, first + len(one)), 1), EQ, len(jobs))
        for first, one, jobs in zip(kinds.first, kinds.sets, kinds.jobs, strict=False)
    ]
    loads: list[dict[int, float]] = [{0: 1} for _ in range(instance.machines)]
    for first, one, size in zip(kinds.first, kinds.sets, kinds.size, strict=False):
        for column, i in enumerate(one, first):
            loads[i][column] = -(size // unit)
    rows += [(load, GE, 0) for load in loads]
    nothing = [0] * (count - 1)
    return LinearProgram.of([1, *nothing], rows, [least, *nothing], integer=np.ones(count, dtype=bool))


def _read(instance: Instance, kinds: _Kinds, solution: Solution) -> Assignment | None:
    if solution.status is not Status.OPTIMAL or solution.x is None:
        return None
    dispatch = [-1] * instance.n
    for first, one, jobs in zip(kinds.first, kinds.sets, kinds.jobs, strict=False):
        chosen = _machines(one, solution.x[first : first + len(one)])
        if len(chosen) != len(jobs):
            return None
        for j, i in zip(jobs, chosen, strict=True):
            dispatch[j] = i
    return assigned(instance, dispatch)


def _machines(machines: tuple[int, ...], counts: Floats) -> list[int]:
    return [i for i, count in zip(machines, counts.tolist(), strict=True) for _ in range(round(count))]
