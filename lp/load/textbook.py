"""Both linear programs of load balancing as printed, in PuLP: to read, to teach, and to check the cuts against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from pulp import LpMaximize, LpMinimize, LpProblem, lpSum

from lp.bracket import best_value, scales, whole
from lp.counted import Counted
from lp.load.printed import readable
from lp.load.weak_duality import load_bound, prices
from lp.textbook import solved
from lp.unit import Unit
from online.errors import InvalidInput, LimitReached, Problem
from online.instance import Instance

__all__ = ["PAIR_LIMIT", "LoadLp", "Textbook", "dual", "primal", "readable", "solve_dual", "solve_primal"]

PAIR_LIMIT = 100_000
"""Most (job, eligible machine) pairs that the textbook form will build."""

RANGE = 10**9
"""Most that the mean size may be in terms of the smallest one."""


@dataclass(frozen=True, eq=False)
class LoadLp:
    """The value of the LP on an instance, bracketed exactly.

    Claim: lower <= LP value <= upper and lower <= T*, all in ticks; `lower` is the bound of the prices `beta`, one a
    machine, `upper` the largest load of a fractional dispatch. `value` is what the solver said: for display only.
    """

    lower: Fraction
    upper: Fraction
    beta: tuple[int, ...]
    value: float


@dataclass(frozen=True, eq=False)
class Textbook:
    """A PuLP model whose names are running numbers, and what the numbers mean.

    `x3` is the share of the job on the machine of pair 3 of `counted`, `a3` the dual of job 3 (by position), `b3` the
    price of machine 3; rows are named after the variable of the other program that prices them. Sizes are in mean
    sizes (`unit`), so that solvers see numbers near 1.
    """

    problem: Any
    counted: Counted
    unit: Unit
    size: list[float]


def primal(instance: Instance, *, pair_limit: int = PAIR_LIMIT) -> Textbook:
    """The primal: minimise T, where the sizes dispatched to each machine add up to at most T.

    Claim: its value is at most T*, for a dispatch is a feasible point.

    Raises: `LimitReached` above `pair_limit` pairs of a job and an eligible machine.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5.
    """
    model = _empty("load primal", LpMinimize, instance, pair_limit)
    problem, counted = model.problem, model.counted
    T = problem.add_variable("T", 0)
    x = [problem.add_variable(f"x{k}", 0) for k in range(len(model.size))]
    problem += lpSum([T])
    for i in range(instance.machines):
        volume = (-model.size[k] * x[k] for k in range(counted.start[i], counted.start[i + 1]))
        problem += (lpSum([T, *volume]) >= 0, f"b{i}")
    shares: list[list[Any]] = [[] for _ in range(instance.n)]
    for k, j in enumerate(counted.job.tolist()):
        shares[j].append(x[k])
    for j, own in enumerate(shares):
        problem += (lpSum(own) >= 1, f"a{j}")
    return model


def dual(instance: Instance, *, pair_limit: int = PAIR_LIMIT) -> Textbook:
    """The dual: maximise sum a, where a_j is at most p_j times the price b_i of each eligible machine, and sum b <= 1.

    Claim: every feasible point bounds T* from below, and so does its value.

    Raises: `LimitReached` above `pair_limit` pairs of a job and an eligible machine.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5.
    """
    model = _empty("load dual", LpMaximize, instance, pair_limit)
    problem, counted = model.problem, model.counted
    a = [problem.add_variable(f"a{j}", 0) for j in range(instance.n)]
    b = [problem.add_variable(f"b{i}", 0) for i in range(instance.machines)]
    problem += lpSum(a)
    for k, (j, i) in enumerate(zip(counted.job.tolist(), counted.machine.tolist(), strict=True)):
        problem += (lpSum([a[j], -model.size[k] * b[i]]) <= 0, f"x{k}")
    problem += (lpSum(b) <= 1, "T")
    return model


def solve_primal(instance: Instance, *, time_limit: float | None = None, pair_limit: int = PAIR_LIMIT) -> LoadLp:
    """Solve the primal as printed; the prices are its row duals. `time_limit` is in seconds.

    Claim: lower <= LP value <= upper, exact, in ticks.

    Raises: `NoBound` if the solver ends without an optimum; `LimitReached` above `pair_limit` pairs.

    >>> from online.rows import Row
    >>> bound = solve_primal(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 0, 2), Row("c", 0, 3, [1])]))
    >>> bound.lower == bound.upper == Fraction(9, 2), bound.beta
    (True, (1, 1))
    """
    if not instance.size.any():
        return _without_work(instance)
    model = primal(instance, pair_limit=pair_limit)
    columns, rows, _ = solved(model.problem, time_limit)
    return _bracket(instance, model, columns, rows, columns["T"])


def solve_dual(instance: Instance, *, time_limit: float | None = None, pair_limit: int = PAIR_LIMIT) -> LoadLp:
    """Solve the dual as printed; the dispatch from above is made of its row duals. `time_limit` is in seconds.

    Claim: lower <= LP value <= upper, exact, in ticks.

    Raises: `NoBound` if the solver ends without an optimum; `LimitReached` above `pair_limit` pairs.
    """
    if not instance.size.any():
        return _without_work(instance)
    model = dual(instance, pair_limit=pair_limit)
    columns, rows, objective = solved(model.problem, time_limit)
    return _bracket(instance, model, rows, columns, objective)


def _without_work(instance: Instance) -> LoadLp:
    return LoadLp(Fraction(0), Fraction(0), prices(instance, range(instance.machines)), 0)


def _empty(name: str, sense: int, instance: Instance, pair_limit: int) -> Textbook:
    counted = Counted.of(instance)
    if len(counted.job) > pair_limit:
        raise LimitReached(
            f"the textbook form has {len(counted.job)} pairs of a job and a machine, over the limit of {pair_limit}; "
            "use `dualfit bound`, which merges equal eligible sets"
        )
    unit = Unit.of(instance)
    _refuse_tiny(instance, unit)
    sizes = list(map(unit.units, instance.size.tolist()))
    return Textbook(LpProblem(name.replace(" ", "_"), sense), counted, unit, [sizes[j] for j in counted.job.tolist()])


def _refuse_tiny(instance: Instance, unit: Unit) -> None:
    """Solvers drop coefficients of 10^-9 and less."""
    tiny = [p for p in instance.size.tolist() if 0 < p * unit.jobs * RANGE <= unit.total]
    if tiny:
        raise InvalidInput(
            Problem(
                "instance",
                "sizes too far apart for a solver",
                f"{len(tiny)} jobs of at most 1/{RANGE} of the mean size",
                "larger ones",
                "use the flow form, which is exact whatever the sizes",
            )
        )


def _bracket(
    instance: Instance, model: Textbook, x: Mapping[str, float], b: Mapping[str, float], value: float
) -> LoadLp:
    """Round the prices and the shares; with all releases equal, the largest backlog is the largest load."""
    share = np.array([x[f"x{k}"] for k in range(len(model.size))])
    price = np.array([b[f"b{i}"] for i in range(instance.machines)])
    beta = max((tuple(whole(price, scale)) for scale in scales(price)), key=lambda beta: load_bound(instance, beta))
    together = replace(instance, release=np.zeros(instance.n, dtype=np.int64))
    upper = best_value(together, model.counted, share, np.ones(instance.machines, dtype=np.int64))
    return LoadLp(load_bound(instance, beta), upper, beta, model.unit.ticks(value))
