from __future__ import annotations

import csv
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pulp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE

from lp import backend
from lp.backend import EQ, GE, LE, LinearProgram, NoBound, Solution, Status, from_pulp, solve
from online.errors import InvalidInput

CASES = Path(__file__).parent / "cases"
SENSES = {">=": GE, "<=": LE}
INF = math.inf


def signs(which: str) -> dict:
    return json.loads((CASES / "dual_signs.json").read_text())[which]


def direct(which: str) -> LinearProgram:
    rows = [
        ({k: row.get(v, 0) for k, v in enumerate("uv")}, SENSES[row["sense"]], row["rhs"])
        for row in signs(which)["rows"].values()
    ]
    return LinearProgram.of(list(signs(which)["c"].values()), rows, maximise=which == "max")


def in_pulp(which: str) -> pulp.LpProblem:
    problem = pulp.LpProblem(which, pulp.LpMaximize if which == "max" else pulp.LpMinimize)
    column = {v: problem.add_variable(v, 0) for v in "uv"}
    problem += pulp.lpSum([c * column[v] for v, c in signs(which)["c"].items()])
    for name, row in signs(which)["rows"].items():
        left = pulp.lpSum([row[v] * column[v] for v in "uv" if v in row])
        problem += (left >= row["rhs"] if row["sense"] == ">=" else left <= row["rhs"], name)
    return problem


@pytest.mark.parametrize("build", [direct, lambda which: from_pulp(in_pulp(which))], ids=["direct", "pulp"])
@pytest.mark.parametrize(
    ("which", "objective", "x", "duals"), [("min", 9, [3, 1], [3, -1]), ("max", 11, [1, 3], [2, 1])]
)
def test_duals_are_derivatives_of_the_stated_objective(build, which, objective, x, duals):
    """A dual is d objective / d rhs of the problem as stated, minimise or maximise, built directly or in PuLP."""
    solution = solve(build(which))
    assert solution.status is Status.OPTIMAL
    assert solution.objective == pytest.approx(objective)
    assert solution.x == pytest.approx(x)
    assert solution.row_dual == pytest.approx(duals)


@pytest.mark.parametrize("which", ["min", "max"])
def test_raising_a_right_hand_side_moves_the_objective_by_the_dual(which):
    """The duals of both examples agree with a finite difference of the objective."""
    program = direct(which)
    base = solve(program)
    for row in range(2):
        rhs = program.rhs.copy()
        rhs[row] += 0.25
        moved = solve(LinearProgram(**{**vars(program), "rhs": rhs}))
        assert (moved.objective - base.objective) / 0.25 == pytest.approx(base.row_dual[row])


@REPRODUCIBLE
@given(st.data())
def test_strong_duality_holds_for_every_optimum(data):
    """sum(dual * rhs) + sum(reduced cost * active bound) equals the objective, in both directions of optimising."""
    n = data.draw(st.integers(1, 4))
    number = st.integers(-4, 4)
    cost = data.draw(st.lists(number, min_size=n, max_size=n))
    coefficients = st.lists(number, min_size=n, max_size=n).map(lambda row: dict(enumerate(row)))
    row = st.tuples(coefficients, st.sampled_from([GE, EQ, LE]), number)
    rows = data.draw(st.lists(row, max_size=4))
    maximise = data.draw(st.booleans())
    lower = data.draw(st.lists(st.sampled_from([0, -2, -INF]), min_size=n, max_size=n))
    upper = data.draw(st.lists(st.sampled_from([3, 5, INF]), min_size=n, max_size=n))
    program = LinearProgram.of(cost, rows, lower, upper, maximise=maximise)
    solution = solve(program)
    assert solution.status is not Status.ERROR
    if solution.status is not Status.OPTIMAL:
        assert solution.x is None
        return
    at_lower = solution.reduced_cost * (-1 if maximise else 1) > 0
    bound = np.where(at_lower, program.lower, program.upper)
    bound[np.abs(solution.reduced_cost) < 1e-9] = 0
    dual = solution.row_dual @ program.rhs + solution.reduced_cost @ bound
    assert dual == pytest.approx(solution.objective, abs=1e-6)


UNBOUNDED = LinearProgram.of([1, 1], [], [-INF, 0], [INF, 1])
STATUSES = {
    "unbounded_lp": (UNBOUNDED, {Status.UNBOUNDED}),
    "unbounded_mip": (
        LinearProgram(**{**vars(UNBOUNDED), "integer": np.array([False, True])}),
        {Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED},
    ),
    "infeasible": (LinearProgram.of([1], [({0: 1}, GE, 2)], [0], [1]), {Status.INFEASIBLE}),
    "half": (
        LinearProgram.of([1, 0], [({1: 1}, EQ, 0.5)], [0, -INF], integer=np.array([False, True])),
        {Status.INFEASIBLE},
    ),
}


@pytest.mark.parametrize("name", STATUSES)
def test_without_an_optimum_nothing_can_be_read(name):
    """Unbounded and infeasible are told apart, and neither leaves a value to be taken for a bound; exit code 3."""
    program, allowed = STATUSES[name]
    solution = solve(program)
    assert solution.status in allowed
    assert (solution.objective, solution.x, solution.row_dual, solution.reduced_cost) == (None,) * 4
    with pytest.raises(NoBound, match=f"{name}: no bound, the solver ended with: .*{solution.status.value}") as none:
        solution.optimal(name)
    assert none.value.exit_code == 3


def test_programs_without_columns_or_rows_have_a_status_too():
    """No columns: 0 is optimal unless it violates a row; no rows: the bounds alone decide."""
    assert solve(LinearProgram.of([], [], constant=7.0)).objective == 7
    assert solve(LinearProgram.of([], [({}, GE, 1)])).status is Status.INFEASIBLE
    assert solve(LinearProgram.of([2], [], [3], [4])).objective == 6
    assert solve(LinearProgram.of([2], [({}, GE, 1)])).status is Status.INFEASIBLE


@pytest.mark.parametrize("seed", range(4))
def test_integer_programs_are_solved_to_the_end(seed):
    """A knapsack comes out as dynamic programming finds it, not within a gap of it, and without duals."""
    rng = np.random.default_rng(seed)
    weight = rng.integers(20, 100, 35)
    profit = weight + rng.integers(-10, 10, 35)
    room = int(weight.sum() // 2)
    best = np.zeros(room + 1)
    for w, p in zip(weight.tolist(), profit.tolist(), strict=True):
        best[w:] = np.maximum(best[w:], best[:-w] + p)
    rows = [(dict(enumerate(weight.tolist())), LE, room)]
    whole = np.full(35, True)
    solution = solve(LinearProgram.of(profit.tolist(), rows, upper=[1] * 35, integer=whole, maximise=True))
    assert solution.objective == pytest.approx(best[room], abs=1e-6)
    assert solution.row_dual is None


def test_a_time_limit_is_a_limit_and_no_answer():
    """With no time at all the status is LIMIT and there is no value."""
    rng = np.random.default_rng(0)
    rows = [(dict(enumerate(rng.integers(1, 50, 60).tolist())), GE, 1000) for _ in range(60)]
    solution = solve(LinearProgram.of(rng.integers(1, 50, 60).tolist(), rows), time_limit=0.0)
    assert (solution.status, solution.x) == (Status.LIMIT, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": np.array([2e15, 1.0, 1.0])}, "entry 0"),
        ({"value": np.array([1e-10, 1.0, 1.0])}, "entry 0"),
        ({"value": np.array([np.nan, 1.0, 1.0])}, "entry 0"),
        ({"rhs": np.array([1.0, 1e20])}, "right-hand side of row 1"),
        ({"cost": np.array([1.0, np.inf])}, "cost of column 1"),
        ({"lower": np.array([-1e20, 0.0])}, "lower bound of column 0"),
        ({"upper": np.array([1.0, np.nan])}, "upper bound of column 1"),
        ({"constant": np.nan}, "objective constant 0"),
    ],
)
def test_numbers_that_the_solver_would_misread_are_refused(change, message):
    """Coefficients that HiGHS refuses, drops or takes for infinite never reach it."""
    with pytest.raises(InvalidInput, match=f"{message}: number out of the solver's range"):
        solve(LinearProgram(**{**vars(direct("min")), **change}))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"x": np.array([2.0, 1.0])}, "row 0 is violated"),
        ({"x": np.array([5.0, -1.0])}, "is violated|outside its bounds"),
        ({"objective": 10.0}, r"sum\(cost \* x\) = 9.0, the objective 10.0"),
        ({"row_dual": np.array([-3.0, 1.0])}, "wrong sign"),
        ({"row_dual": np.array([2.0, 0.0])}, "reduced costs differ"),
        ({"row_dual": np.array([2.0, 0.0]), "reduced_cost": np.array([0.0, 1.0])}, r"sum\(dual \* rhs\)"),
        ({"row_dual": np.array([4.0, 0.0]), "reduced_cost": np.array([-2.0, -1.0])}, "infinite bound"),
    ],
)
def test_an_answer_that_does_not_prove_itself_is_an_error(change, complaint, monkeypatch):
    """Whatever the solver claims, a wrong point, dual, sign or objective ends in ERROR without values."""
    truth = {
        "objective": 9.0,
        "x": np.array([3.0, 1.0]),
        "row_dual": np.array([3.0, -1.0]),
        "reduced_cost": np.zeros(2),
    }
    monkeypatch.setattr(backend, "_read", lambda highs, lp: Solution(Status.OPTIMAL, **{**truth, **change}))
    solution = solve(direct("min"))
    assert (solution.status, solution.x, solution.row_dual) == (Status.ERROR, None, None)
    assert re.search(complaint, solution.reason)


def test_pulp_models_that_would_lose_something_are_refused():
    """Two columns of one name would merge, so such a model does not enter."""
    problem = pulp.LpProblem("clash", pulp.LpMinimize)
    one, other = problem.add_variable("x", 0), problem.add_variable("x", 0)
    problem += pulp.lpSum([one, other])
    problem += (pulp.lpSum([one, 2 * other]) >= 1, "r0")
    with pytest.raises(InvalidInput, match="repeated names: got two variables of one name"):
        from_pulp(problem)


def test_pulp_bounds_integers_and_constants_are_kept():
    """Free, bounded, whole and binary columns, an equality and a constant in the objective arrive as written."""
    problem = pulp.LpProblem("kinds", pulp.LpMaximize)
    free, low = problem.add_variable("free"), problem.add_variable("low", -2, 7)
    whole = problem.add_variable("n", 0, 9, "Integer")
    bit = problem.add_variable("bit", cat="Binary")
    problem += pulp.lpSum([free, low, whole, bit]) + 5
    problem += (pulp.lpSum([free, 2 * whole]) == 3, "r0")
    program = from_pulp(problem)
    assert program.column_names == ("n", "bit", "low", "free")
    assert program.lower.tolist() == [0, 0, -2, -INF]
    assert program.upper.tolist() == [9, 1, 7, INF]
    assert program.integer.tolist() == [True, True, False, False]
    assert (program.sense.tolist(), program.rhs.tolist(), program.constant) == ([EQ], [3], 5)
    assert solve(program).objective == pytest.approx(7 + 1 + 3 + 5)


def completion_time_program(jobs: list[tuple[int, int]], scale: int) -> LinearProgram:
    """min sum (C_j - r_j), C_j >= r_j + p_j, sum p_j C_j >= (P^2 + sum p_j^2) / 2 + P min r; one machine."""
    total, first = sum(p for _, p in jobs), min(r for r, _ in jobs)
    volume = (total * total + sum(p * p for _, p in jobs)) // 2 + first * total
    return LinearProgram.of(
        [1.0] * len(jobs),
        [({k: p / scale for k, (_, p) in enumerate(jobs)}, GE, volume / scale**2)],
        lower=[(r + p) / scale for r, p in jobs],
        constant=-sum(r for r, _ in jobs) / scale,
    )


def test_epoch_timestamps_are_refused_and_shifted_ones_give_the_bound():
    """A right-hand side of 6.8e21 is refused, not dropped; shifted to 0 and in seconds the bound is 5.5 s."""
    rows = list(csv.DictReader((CASES / "epoch_microseconds.csv").read_text().splitlines()))
    jobs = [(int(row["r"]), int(row["p"])) for row in rows]
    with pytest.raises(InvalidInput, match=r"right-hand side of row 0: .* got 6\.8.*e\+21"):
        solve(completion_time_program(jobs, 1))
    first = min(r for r, _ in jobs)
    shifted = [(r - first, p) for r, p in jobs]
    assert solve(completion_time_program(shifted, 10**6)).objective == pytest.approx(5.5)
    assert solve(completion_time_program(shifted, 1)).objective == pytest.approx(5500000)


def test_the_solver_prints_nothing():
    """A process that solves has only its own output on standard output, solver banners included."""
    code = "from lp.backend import *; print(solve(LinearProgram.of([1], [({0: 1}, GE, 2)])).objective)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "2.0\n"
