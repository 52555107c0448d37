"""Weak duality for load balancing: any prices of the machines bound the largest load from below, exactly."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import compress

from lp.load.volumes import Volumes
from online.errors import InvalidInput, Problem
from online.instance import Instance


def load_bound(instance: Instance, beta: Sequence[int]) -> Fraction:
    """The lower bound `sum_j p_j min_{i in S_j} beta_i / sum_i beta_i` on T*, in ticks; `beta` is one price a machine.

    Claim: T* is at least this. Let `L_i` be the loads of any assignment of all jobs, fractional or not. Then
    `T * sum_i beta_i >= sum_i beta_i L_i = sum_j p_j sum_i beta_i x_ij >= sum_j p_j min_{i in S_j} beta_i`. Linear in n
    and in the total size of the distinct eligible sets.

    Raises: `InvalidInput` unless `beta` has one whole number >= 0 a machine, not all 0.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5, by the dual of its LP.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(2, [Row("a", 0, 4), Row("b", 1, 2), Row("c", 2, 5, [1])])
    >>> load_bound(instance, [1, 1]), load_bound(instance, [0, 1])
    (Fraction(11, 2), Fraction(5, 1))
    """
    _check(instance, beta)
    volumes = Volumes.of(instance)
    priced = zip(volumes.sets, volumes.volume, strict=True)
    return Fraction(sum(v * min(beta[i] for i in machines) for machines, v in priced), sum(beta))


def largest_duals(instance: Instance, beta: Sequence[int]) -> list[int]:
    """The price of each job's cheapest eligible machine; the dual's `a_j` is `p_j` times it, over `sum beta`.

    Claim: the largest feasible a for this beta. Raises: `InvalidInput`, as `load_bound` does.

    >>> from online.rows import Row
    >>> largest_duals(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 1, 2, [1])]), [2, 3])
    [2, 3]
    """
    _check(instance, beta)
    least = [min(beta[i] for i in machines) for machines in instance.sets]
    return [least[k] for k in instance.eligible_set.tolist()]


def rounded_bound(instance: Instance, beta: Sequence[int]) -> int:
    """The bound of these prices, in ticks, rounded up as far as the sizes allow.

    Claim: T* is at least this. Leave out the jobs that are priced 0: T* does not grow, the bound stays, and every load
    is a multiple of the common divisor of the sizes left, so the bound may be rounded up to one.

    Raises: `InvalidInput`, as `load_bound` does.

    >>> from online.rows import Row
    >>> rounded_bound(Instance.from_rows(2, [Row(k, 0, 2) for k in range(3)]), [1, 1])
    4
    """
    step = max(1, math.gcd(*compress(instance.size.tolist(), largest_duals(instance, beta))))
    return -(-load_bound(instance, beta) // step) * step


def whole_bound(instance: Instance, beta: Sequence[int]) -> tuple[int, str]:
    """The best whole lower bound on T* from these prices and the longest job, in ticks, and which of both gives it.

    Raises: `InvalidInput`, as `load_bound` does.

    >>> from online.rows import Row
    >>> whole_bound(Instance.from_rows(2, [Row(k, 0, 2) for k in range(3)]), [1, 1])
    (4, 'prices, rounded up')
    """
    bound, rounded = load_bound(instance, beta), rounded_bound(instance, beta)
    longest = max(instance.size.tolist(), default=0)
    if bound < longest and rounded <= longest:
        return longest, "longest job"
    return rounded, "prices" if rounded == bound else "prices, rounded up"


def confined(instance: Instance, machines: Collection[int]) -> int:
    """The total size, in ticks, of the jobs whose eligible machines all lie in `machines`.

    Claim: these machines must do this work, so T* is at least `confined / number of machines`: the bound of the
    prices 1 on `machines`, 0 elsewhere.

    Raises: `InvalidInput` for an unknown machine.

    >>> from online.rows import Row
    >>> confined(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 1, 2, [1])]), [1])
    2
    """
    check_machines(instance, machines)
    return sum(Volumes.of(instance).inside(machines).volume)


def prices(instance: Instance, machines: Collection[int]) -> tuple[int, ...]:
    """The prices of a set of machines: 1 on `machines`, 0 elsewhere. Raises: `InvalidInput` for an unknown machine."""
    check_machines(instance, machines)
    chosen = frozenset(machines)
    return tuple(int(i in chosen) for i in range(instance.machines))


def check_machines(instance: Instance, machines: Collection[int]) -> None:
    """Raises: `InvalidInput` for an unknown machine."""
    for i in machines:
        if type(i) is not int or not 0 <= i < instance.machines:
            raise InvalidInput(
                Problem("machines", "unknown machine", repr(i), f"0..{instance.machines - 1}", "correct the set")
            )


def _check(instance: Instance, beta: Sequence[int]) -> None:
    if len(beta) != instance.machines:
        raise InvalidInput(
            Problem("beta", "wrong length", f"{len(beta)} prices", f"{instance.machines}", "give one price a machine")
        )
    for i, price in enumerate(beta):
        if type(price) is not int or price < 0:
            raise InvalidInput(Problem(f"beta[{i}]", "bad price", repr(price), "a whole number >= 0", "correct it"))
    if not any(beta):
        raise InvalidInput(
            Problem("beta", "no price", "0 for every machine", "one price > 0", "price the machines that are full")
        )
