"""Both linear programs of Lemmas 6.1 and 6.6 as printed, in PuLP: to read, to teach, to check others against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from pulp import LpMaximize, LpMinimize, LpProblem, lpSum

from lp.backend import from_pulp, solve
from lp.bracket import LpBound, best_family, best_value, scales, shown, whole
from lp.counted import Counted, IntervalRow, interval_rows
from lp.printed import readable
from lp.program import Floats
from lp.unit import Unit, lightness
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

__all__ = ["ROW_LIMIT", "Textbook", "dual", "primal", "readable", "solve_dual", "solve_primal", "solved"]

ROW_LIMIT = 20_000
"""Most interval rows that the textbook form will build: n jobs on one machine make n (n + 1) / 2."""


@dataclass(frozen=True, eq=False)
class Textbook:
    """A PuLP model whose names are running numbers, and what the numbers mean.

    `x3` is the share of the job on the machine of `pairs[3]`, `a3` the dual of job 3 (by position), `b3` that of
    `intervals[3]`; rows are named after the variable of the other program that prices them. Times and sizes are
    in mean sizes (`unit`) and T is divided by the largest weight, so that solvers see numbers near 1.
    """

    problem: Any
    counted: Counted
    intervals: list[IntervalRow]
    unit: Unit
    weights: Weights

    @property
    def lightness(self) -> list[float]:
        """heaviest / weight of each class: the coefficient of T."""
        return lightness(self.weights)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The (job, machine) of each x, by running number."""
        return list(zip(self.counted.job.tolist(), self.counted.machine.tolist(), strict=True))


def primal(instance: Instance, *, weights: Weights | None = None, row_limit: int = ROW_LIMIT) -> Textbook:
    """The primal: minimise T, where each machine interval's volume is at most its length plus T/weight.

    Claim: its value is at most the optimum of max w_j F_j; linear in the number of terms to build.

    Raises: `LimitReached` above `row_limit` interval rows.

    Source: Rejecting jobs to minimize load and maximum flow-time, the LPs in the proofs of Lemmas 6.1 and 6.6;
    sizes p_j as in DUALITY.md.
    """
    model = _empty("primal", LpMinimize, instance, weights, row_limit)
    problem, size = model.problem, _sizes(instance, model)
    T = problem.add_variable("T", 0)
    x = [problem.add_variable(f"x{k}", 0) for k in range(len(size))]
    problem += lpSum([T])
    lightness = model.lightness
    for n, (_, w, start, end, pairs) in enumerate(model.intervals):
        volume = (-size[k] * x[k] for k in pairs)
        problem += (lpSum([lightness[w] * T, *volume]) >= model.unit.units(start - end), f"b{n}")
    shares: list[list[Any]] = [[] for _ in range(instance.n)]
    for k, j in enumerate(model.counted.job.tolist()):
        shares[j].append(x[k])
    for j, own in enumerate(shares):
        problem += (lpSum(own) >= 1, f"a{j}")
    return model


def dual(instance: Instance, *, weights: Weights | None = None, row_limit: int = ROW_LIMIT) -> Textbook:
    """The dual: maximise sum a - sum length b, where a_j is at most p_j times the b of the intervals counting j.

    Claim: every feasible point bounds the optimum from below, and so does its value. The b are priced at 1/weight.

    Raises: `LimitReached` above `row_limit` interval rows.

    Source: Rejecting jobs to minimize load and maximum flow-time, the dual LPs of Lemmas 6.1 and 6.6.
    """
    model = _empty("dual", LpMaximize, instance, weights, row_limit)
    problem, size = model.problem, _sizes(instance, model)
    a = [problem.add_variable(f"a{j}", 0) for j in range(instance.n)]
    b = [problem.add_variable(f"b{n}", 0) for n in range(len(model.intervals))]
    lengths = (model.unit.units(row.start - row.end) for row in model.intervals)
    problem += lpSum([*a, *(length * one for length, one in zip(lengths, b, strict=True))])
    counting: list[list[Any]] = [[] for _ in size]
    for n, row in enumerate(model.intervals):
        for k in row.pairs:
            counting[k].append(-size[k] * b[n])
    for k, j in enumerate(model.counted.job.tolist()):
        problem += (lpSum([a[j], *counting[k]]) <= 0, f"x{k}")
    lightness = model.lightness
    shares = (lightness[row.weight_class] * one for row, one in zip(model.intervals, b, strict=True))
    problem += (lpSum(shares) <= 1, "T")
    return model


def solve_primal(
    instance: Instance,
    *,
    weights: Weights | None = None,
    time_limit: float | None = None,
    row_limit: int = ROW_LIMIT,
) -> LpBound:
    """Solve the primal as printed; the certificate is made of its row duals.

    Claim: lower <= LP value <= upper, exact, in ticks times the unit of the weights. `time_limit` is in seconds.

    Raises: `NoBound` if the solver ends without an optimum; `LimitReached` above `row_limit` interval rows.

    >>> from online.rows import Row
    >>> bound = solve_primal(Instance.from_rows(2, [Row("x+", 0, 3), Row("x-", 0, 1), Row("1", 0, 4, [1])]))
    >>> bound.lower == bound.upper == 4
    True
    """
    if not instance.size.any():
        return LpBound.of_empty("textbook primal")
    model = primal(instance, weights=weights, row_limit=row_limit)
    columns, rows, _ = solved(model.problem, time_limit)
    return _bracket(instance, model, "textbook primal", columns, rows, columns["T"])


def solve_dual(
    instance: Instance,
    *,
    weights: Weights | None = None,
    time_limit: float | None = None,
    row_limit: int = ROW_LIMIT,
) -> LpBound:
    """Solve the dual as printed; the certificate is made of its b, the dispatch from above of its row duals.

    Claim: lower <= LP value <= upper, exact, in ticks times the unit of the weights. `time_limit` is in seconds.

    Raises: `NoBound` if the solver ends without an optimum; `LimitReached` above `row_limit` interval rows.
    """
    if not instance.size.any():
        return LpBound.of_empty("textbook dual")
    model = dual(instance, weights=weights, row_limit=row_limit)
    columns, rows, objective = solved(model.problem, time_limit)
    return _bracket(instance, model, "textbook dual", rows, columns, objective)


def _empty(name: str, sense: int, instance: Instance, weights: Weights | None, row_limit: int) -> Textbook:
    weights = Weights.ones(instance) if weights is None else weights
    counted = Counted.of(instance)
    intervals = interval_rows(counted, row_limit, weights)
    return Textbook(LpProblem(name, sense), counted, intervals, Unit.of(instance), weights)


def _sizes(instance: Instance, model: Textbook) -> list[float]:
    """The size of each pair's job, in units."""
    sizes = list(map(model.unit.units, instance.size.tolist()))
    return [sizes[j] for j in model.counted.job.tolist()]


def solved(problem: Any, time_limit: float | None) -> tuple[dict[str, float], dict[str, float], float]:
    """Solve a PuLP model: the value of each column, the dual of each row, and the objective.

    Raises: `NoBound` if the solver ends without an optimum.
    """
    program = from_pulp(problem)
    solution = solve(program, time_limit=time_limit).optimal(f"textbook {problem.name}")
    assert solution.objective is not None
    columns = dict(zip(program.column_names, _floats(solution.x), strict=True))
    return columns, dict(zip(program.row_names, _floats(solution.row_dual), strict=True)), solution.objective


def _floats(values: Floats | None) -> list[float]:
    assert values is not None
    return list(map(float, values))


def _bracket(
    instance: Instance,
    model: Textbook,
    form: str,
    x: Mapping[str, float],
    b: Mapping[str, float],
    value: float,
) -> LpBound:
    share = np.array([x[f"x{k}"] for k in range(len(model.counted.job))])
    weight = np.array([b[f"b{n}"] for n in range(len(model.intervals))])
    lower, family = best_family(
        instance, scales(weight), lambda scale: priced_family(model, whole(weight, scale)), weights=model.weights
    )
    copies = np.ones(instance.machines, dtype=np.int64)
    upper = best_value(instance, model.counted, share, copies, weights=model.weights)
    ticks = model.unit.ticks(value) * shown(model.weights.values[-1])
    return LpBound(lower, upper, family, form, ticks, model.weights.classes)


def priced_family(model: Textbook, multiplicity: list[int]) -> IntervalFamily:
    """The intervals of a model, each as often as it says."""
    used = [(row, times) for row, times in zip(model.intervals, multiplicity, strict=True) if times]
    rows = [(row.machine, 0, row.start, row.end) for row, _ in used]
    return IntervalFamily.of(
        rows,
        multiplicity=[times for _, times in used],
        weight_class=[row.weight_class for row, _ in used],
        weights=model.weights.values,
    )
