"""The only file that sees a solver: its signs, its statuses and its tolerances stop here.

Conventions D1-D4 of DUALITY.md: inside, every problem is a minimisation; outside, a dual value is the
derivative of the objective, as stated by the caller, with respect to the right-hand side of its row.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

from lp.program import EQ, GE, LE, Floats, LinearProgram, from_pulp
from online.errors import InvalidInput, LimitReached, Problem

__all__ = ["EQ", "GE", "LE", "LinearProgram", "NoBound", "Solution", "Status", "from_pulp", "solve"]

TOLERANCE = 1e-6
"""Largest relative error, against the scale of each sum, that `solve` accepts in what the solver says."""

LARGEST_COEFFICIENT = 1e15
LARGEST_BOUND = 1e20
SMALLEST_COEFFICIENT = 1e-9
"""HiGHS treats what lies beyond these as an error, as infinite, and as zero."""


_Highs: Any = highspy.Highs

LONG = 2_000
"""A program with more columns than this may take long enough for somebody to press Ctrl-C."""


class Status(Enum):
    """What a solver established; only `OPTIMAL` comes with values."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    INFEASIBLE_OR_UNBOUNDED = "infeasible or unbounded"
    LIMIT = "stopped at a limit"
    ERROR = "solver error"


class NoBound(LimitReached):
    """The solver gave no optimum, so there is no bound; nothing it holds may be read."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What `solve` established. Unless `status` is `OPTIMAL`, every value is None.

    `row_dual[k]` is d objective / d rhs of row k and `reduced_cost[j]` is d objective / d (active bound of
    column j), both of the problem as stated; they are None for problems with integer columns.
    """

    status: Status
    objective: float | None = None
    x: Floats | None = None
    row_dual: Floats | None = None
    reduced_cost: Floats | None = None
    reason: str = ""

    def optimal(self, place: str) -> Solution:
        """This solution. Raises: `NoBound` unless it is optimal."""
        if self.status is not Status.OPTIMAL:
            raise NoBound(f"{place}: no bound, the solver ended with: {self.status.value}. {self.reason}".strip())
        return self


_STATUS = {
    "kOptimal": Status.OPTIMAL,
    "kInfeasible": Status.INFEASIBLE,
    "kUnbounded": Status.UNBOUNDED,
    "kUnboundedOrInfeasible": Status.INFEASIBLE_OR_UNBOUNDED,
} | dict.fromkeys(
    (
        "kObjectiveBound", "kObjectiveTarget", "kTimeLimit", "kIterationLimit",
        "kSolutionLimit", "kInterrupt", "kMemoryLimit", "kHighsInterrupt",
    ),
    Status.LIMIT,
)  # fmt: skip


def solve(lp: LinearProgram, *, time_limit: float | None = None, node_limit: int | None = None) -> Solution:
    """Solve with HiGHS and verify the answer.

    Claim: an `OPTIMAL` answer satisfies the rows and bounds, its duals have the right signs, and
    sum(dual * rhs) + sum(reduced cost * bound) = objective, each within `TOLERANCE`; otherwise the status
    is `ERROR`. `time_limit` is in seconds; `node_limit` is on the tree of a program with integer columns.

    Raises: `InvalidInput` for numbers that HiGHS would refuse, drop or take for infinite.
    """
    _refuse_bad_numbers(lp)
    if len(lp.cost) == 0:
        return _without_columns(lp)
    if lp.maximise:
        least = replace(lp, cost=-lp.cost, constant=-lp.constant, maximise=False)
        return _negated(solve(least, time_limit=time_limit, node_limit=node_limit))
    highs = _silent_highs()
    complaint = _configure(highs, lp.is_integer, time_limit, node_limit) or _pass(highs, lp)
    if complaint:
        return Solution(Status.ERROR, reason=complaint)
    ended = _run(highs) if len(lp.cost) > LONG else highs.run()
    status = _STATUS.get(highs.getModelStatus().name, Status.ERROR)
    if status is not Status.OPTIMAL:
        return Solution(status, reason=f"HiGHS says {highs.getModelStatus().name}")
    if ended != highspy.HighsStatus.kOk:
        return Solution(Status.ERROR, reason=f"HiGHS says optimal, but its run returned {ended.name}")
    return _verified(lp, _read(highs, lp))


def _run(highs: Any) -> Any:
    """Run in a thread of its own, so that Ctrl-C is heard; it cancels the solver and goes on as an interrupt."""
    highs.HandleUserInterrupt = True
    highs.startSolve()
    done, ended = False, None
    try:
        while not done:
            done, ended = highs.wait(0.1)
    except KeyboardInterrupt:
        highs.cancelSolve()
        highs.wait()
        raise
    return ended


def _silent_highs() -> Any:
    _print_banner_nowhere()
    return _Highs()


@cache
def _print_banner_nowhere() -> None:
    """The first HiGHS of a process writes a banner to file descriptor 1, before any option can be set."""
    try:
        kept = os.dup(1)
    except OSError:  # standard output is closed
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        _Highs()
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _configure(highs: Any, integer: bool, time_limit: float | None, node_limit: int | None) -> str:
    options: dict[str, object] = {"output_flag": False, "parallel": "off"}
    if integer:
        options |= {"mip_rel_gap": 0.0, "mip_abs_gap": 0.0}
    if time_limit is not None:
        options["time_limit"] = float(time_limit)
    if node_limit is not None:
        options["mip_max_nodes"] = node_limit
    for name, value in options.items():
        if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            return f"HiGHS refused the option {name} = {value!r}"
    return ""


def _pass(highs: Any, lp: LinearProgram) -> str:
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(lp.cost), len(lp.rhs)
    model.col_cost_, model.col_lower_, model.col_upper_ = lp.cost, lp.lower, lp.upper
    model.offset_ = lp.constant
    model.row_lower_ = np.where(lp.sense == LE, -np.inf, lp.rhs)
    model.row_upper_ = np.where(lp.sense == GE, np.inf, lp.rhs)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = lp.start.astype(np.int32)
    model.a_matrix_.index_ = lp.index.astype(np.int32)
    model.a_matrix_.value_ = lp.value
    if lp.integer is not None and lp.is_integer:
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        model.integrality_ = [kinds[whole] for whole in lp.integer.astype(int).tolist()]
    passed = highs.passModel(model)
    if passed != highspy.HighsStatus.kOk:
        return f"HiGHS refused the model ({passed.name})"
    got = (highs.getNumCol(), highs.getNumRow(), highs.getNumNz())
    wanted = (len(lp.cost), len(lp.rhs), len(lp.value))
    return "" if got == wanted else f"HiGHS holds columns, rows, entries {got} instead of {wanted}"


def _read(highs: Any, lp: LinearProgram) -> Solution:
    found = highs.getSolution()
    objective = float(highs.getInfo().objective_function_value)
    x = np.array(found.col_value, dtype=np.float64)
    if lp.is_integer:
        return Solution(Status.OPTIMAL, objective, x)
    y, d = np.array(found.row_dual, dtype=np.float64), np.array(found.col_dual, dtype=np.float64)
    return Solution(Status.OPTIMAL, objective, x, y, d)


def _negated(solution: Solution) -> Solution:
    def minus(values: Floats | None) -> Floats | None:
        return None if values is None else 0.0 - values

    objective = None if solution.objective is None else 0.0 - solution.objective
    return replace(
        solution,
        objective=objective,
        row_dual=minus(solution.row_dual),
        reduced_cost=minus(solution.reduced_cost),
    )


def _without_columns(lp: LinearProgram) -> Solution:
    holds = np.where(lp.sense == GE, lp.rhs <= 0, np.where(lp.sense == LE, lp.rhs >= 0, lp.rhs == 0))
    if not holds.all():
        return Solution(Status.INFEASIBLE, reason="there is no column, and 0 violates a row")
    none = np.zeros(0)
    return Solution(Status.OPTIMAL, lp.constant, none, np.zeros(len(lp.rhs)), none)


# ---------------------------------------------------------------------- verification
def _verified(lp: LinearProgram, found: Solution) -> Solution:
    """`found` if it proves itself, else an `ERROR` that says what failed."""
    assert found.x is not None
    assert found.objective is not None
    wrong = _primal_fault(lp, found.x, found.objective)
    if not wrong and found.row_dual is not None and found.reduced_cost is not None:
        wrong = _dual_fault(lp, found.row_dual, found.reduced_cost, found.objective)
    return Solution(Status.ERROR, reason=f"the answer of HiGHS is inconsistent: {wrong}") if wrong else found


def _primal_fault(lp: LinearProgram, x: Floats, objective: float) -> str:
    slack = lp.times(x) - lp.rhs
    short = np.where(lp.sense == EQ, np.abs(slack), -lp.sense * slack)
    scale = replace(lp, value=np.abs(lp.value)).times(np.abs(x)) + np.abs(lp.rhs) + 1
    if (short > TOLERANCE * scale).any():
        return f"row {int(np.argmax(short / scale))} is violated"
    out = np.maximum(lp.lower - x, x - lp.upper)
    if (out > TOLERANCE * (np.abs(x) + 1)).any():
        return f"column {int(np.argmax(out))} is outside its bounds"
    if lp.integer is not None and (np.abs(x - np.round(x))[lp.integer] > TOLERANCE).any():
        return "an integer column is not whole"
    return _unequal("sum(cost * x)", lp.cost * x, lp.constant, objective)


def _dual_fault(lp: LinearProgram, y: Floats, d: Floats, objective: float) -> str:
    if (lp.sense * y < -TOLERANCE * (np.abs(y).max(initial=0) + 1)).any():
        return f"the dual of row {int(np.argmin(lp.sense * y))} has the wrong sign"
    scale = np.abs(lp.cost) + replace(lp, value=np.abs(lp.value)).transposed(np.abs(y)) + 1
    if (np.abs(lp.cost - lp.transposed(y) - d) > TOLERANCE * scale).any():
        return "reduced costs differ from cost - A' dual"
    bound = np.where(d > 0, lp.lower, lp.upper)
    loose = ~np.isfinite(bound)
    if (np.abs(d[loose]) > TOLERANCE * scale[loose]).any():
        return "a reduced cost leans on an infinite bound"
    terms = np.concatenate([y * lp.rhs, d[~loose] * bound[~loose]])
    return _unequal("sum(dual * rhs) + sum(reduced cost * bound)", terms, lp.constant, objective)


def _unequal(name: str, terms: Floats, constant: float, objective: float) -> str:
    total = float(terms.sum()) + constant
    scale = float(np.abs(terms).max(initial=0)) + abs(constant) + abs(objective) + 1
    return "" if abs(total - objective) <= TOLERANCE * scale else f"{name} = {total}, the objective {objective}"


def _refuse_bad_numbers(lp: LinearProgram) -> None:
    largest, bound, least = LARGEST_COEFFICIENT, LARGEST_BOUND, SMALLEST_COEFFICIENT
    _refuse(
        "entry", lp.value, ~(np.abs(lp.value) <= largest) | (np.abs(lp.value) <= least), f"{least} < |a| <= {largest}"
    )
    _refuse("cost of column", lp.cost, ~(np.abs(lp.cost) <= largest), f"|c| <= {largest}")
    _refuse("right-hand side of row", lp.rhs, ~(np.abs(lp.rhs) < bound), f"|b| < {bound}")
    low, high = lp.lower, lp.upper
    _refuse("lower bound of column", low, ~(np.abs(low) < bound) & (low != -np.inf), f"-inf or |l| < {bound}")
    _refuse("upper bound of column", high, ~(np.abs(high) < bound) & (high != np.inf), f"inf or |u| < {bound}")
    _refuse("objective constant", np.array([lp.constant]), np.array([not abs(lp.constant) < bound]), f"below {bound}")


def _refuse(what: str, values: Floats, bad: npt.NDArray[np.bool_], expected: str) -> None:
    if bad.any():
        k = int(np.argmax(bad))
        raise InvalidInput(
            Problem(
                f"linear program: {what} {k}",
                "number out of the solver's range",
                repr(float(values[k])),
                expected,
                "shift times to start at 0 and scale them so that sizes are near 1",
            )
        )
