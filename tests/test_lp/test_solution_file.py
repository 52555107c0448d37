"""Solutions of exported programs, as solvers wrote them, become certified bounds, whatever their signs and digits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import highspy
import pytest
from exported import weighted_instances
from hypothesis import given
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE
from weighted_optimum import weighted_optimum

from lp.export.files import cplex_lp, mps
from lp.export.forms import Forms, exact_program
from lp.lindley import solve_lindley
from lp.load.flow import flow_bound
from lp.solution_file import SolutionFile, parse, read
from lp.solver_duals import duals_bound, load_duals_bound
from lp.weak_duality import lower_bound
from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.weights import Weights

SOLUTIONS = Path(__file__).parent / "cases" / "solutions"
SOLVED = Instance.from_rows(2, [Row("x+", 0, 2), Row("x-", 1, 3), Row("1", 1, 2, [1])])
"""The instance whose programs the solvers solved in `cases/solutions`; their optimum is 5/2."""

NAMED = sorted(path.name for path in SOLUTIONS.iterdir() if "numbers" not in path.name)


def solved_by_highs(text: str, path: Path, style: int, negate: bool = False) -> SolutionFile:
    """What HiGHS writes about an exported file; `negate` maximises minus the objective instead."""
    path.write_text(text)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    if negate:
        costs = highs.getLp().col_cost_
        for k, cost in enumerate(costs):
            highs.changeColCost(k, -cost)
        maximise = highs.getObjectiveSense()[1] == highspy.ObjSense.kMinimize
        highs.changeObjectiveSense(highspy.ObjSense.kMaximize if maximise else highspy.ObjSense.kMinimize)
    highs.run()
    assert highs.writeSolution(f"{path}.sol", style) == highspy.HighsStatus.kOk
    return read(f"{path}.sol")


@pytest.mark.parametrize("name", NAMED)
def test_every_solver_gives_the_exact_value(name: str) -> None:
    """Files of six solvers, for three programs, in nine formats: the bound is the optimum 5/2, with small numbers."""
    found = duals_bound(SOLVED, read(SOLUTIONS / name))
    assert found.lower == Fraction(5, 2)
    assert found.program == name.split(".")[0].split("-")[-1]
    assert found.signs == "as given"
    assert lower_bound(SOLVED, found.family) == found.lower
    assert max(found.family.multiplicity.tolist()) <= 2


@pytest.mark.parametrize("name", [name for name in NAMED if "gurobi-dual.sol" not in name and "scip" not in name])
def test_columns_keep_their_values_and_rows_their_duals(name: str) -> None:
    """In every format that tells both apart, T is 5/2 where it is a column, and so is its price where it is a row."""
    found = read(SOLUTIONS / name)
    number = found.dual["T"] if "-dual" in name else found.value["T"]
    assert abs(number) == Fraction(5, 2)


@pytest.mark.parametrize("program", ["primal", "dual", "lindley"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("style", [0, 3])
@pytest.mark.parametrize("negate", [False, True])
def test_signs_do_not_matter(program: str, weighted: bool, style: int, negate: bool, tmp_path: Path) -> None:
    """A solver that maximises minus the objective negates its row duals; they are recognised and said to be so."""
    instance = Instance.from_rows(
        3, [Row(k, Fraction(k // 2, 4), 1 + k % 3, [k % 2, 2], flow_weight=Fraction(1 + k % 4, 3)) for k in range(9)]
    )
    weights = Weights.flow(instance) if weighted else Weights.ones(instance)
    made = exact_program(Forms(instance, weights), program)
    plain = duals_bound(instance, solved_by_highs(cplex_lp(made, []), tmp_path / "a.lp", style), weights)
    other = duals_bound(instance, solved_by_highs(mps(made, []), tmp_path / "b.mps", style, negate), weights)
    assert plain.lower == other.lower
    assert (plain.signs, plain.missing) == ("as given", 0)
    assert other.signs == ("negated" if negate and program != "dual" else "as given")
    assert weighted or plain.lower == solve_lindley(instance).lower


@given(weighted_instances(machines=2, jobs=4), st.sampled_from(["primal", "dual", "lindley"]), st.randoms())
@REPRODUCIBLE
def test_no_file_makes_a_bound_above_the_optimum(instance: Instance, program: str, random) -> None:
    """Whatever multipliers a file claims, the bound is at most the optimum of all schedules."""
    weights = Weights.flow(instance)
    made = exact_program(Forms(instance, weights), program)
    names = made.columns if program == "dual" else [row.name for row in made.rows]
    first = next(name for name in names if name.startswith(("b_1", "beta_1", "y_1")))
    claimed = "\n".join(f"{name} {random.choice(['0', '1', '0.25', '3e1', '2/7'])}" for name in names if name != first)
    found = duals_bound(instance, parse(f"{claimed}\n{first} 1"), weights)
    assert found.lower <= weighted_optimum(instance, weights)


@given(weighted_instances(), st.sampled_from(["primal", "dual"]))
@REPRODUCIBLE
def test_load_balancing_too(instance: Instance, program: str) -> None:
    """The prices of the best machine set, by name, give the exact value, and any others no more."""
    best = flow_bound(instance)
    prefix = {"primal": "b", "dual": "beta"}[program]
    text = "\n".join(f"{prefix}_{i + 1},{-0.125 * (i in best.machines)}" for i in range(instance.machines))
    found = load_duals_bound(instance, parse(text))
    assert (found.lower, found.program, found.signs, found.missing) == (best.lower, program, "negated", 0)
    other = "\n".join(f"{prefix}_{i + 1},{i + 1}" for i in range(instance.machines))
    assert load_duals_bound(instance, parse(other)).lower <= best.lower


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("b_1_1_1_2 0.5\nb_1_2_1_2 0.5\n", "name and value"),
        ("name,dual\nb_1_1_1_2,5e-1\nb_1_2_1_2,1/2\n", "name and value"),
        ('"b_1_1_1_2", .5\n\n# remark\n"b_1_2_1_2"\t0.50', "name and value"),
        ('{"b_1_1_1_2": 0.5, "b_1_2_1_2": "1/2"}', "JSON"),
    ],
)
def test_plain_lists_are_read_as_exact_numbers(text: str, form: str) -> None:
    """Lines, CSV and JSON objects; what is missing counts as 0, and how many are is said."""
    found = parse(text)
    assert (found.format, dict(found.dual)) == (form, {"b_1_1_1_2": Fraction(1, 2), "b_1_2_1_2": Fraction(1, 2)})
    assert found.value == found.dual
    bound = duals_bound(SOLVED, found)
    assert (bound.lower, bound.missing, bound.of) == (Fraction(5, 2), 4, 6)


def test_decimals_are_kept_digit_by_digit_where_that_is_better() -> None:
    """Multipliers in no simple ratio stay as written; near thirds count as thirds."""
    odd = duals_bound(SOLVED, parse("b_1_1_1_2 1.000001\nb_1_1_1_1 -0.0000001"))
    assert (odd.family.count, odd.signs) == (1, "as given")
    instance = Instance.from_rows(3, [Row(k, 0, 1) for k in range(4)])
    thirds = duals_bound(instance, parse("\n".join(f"b_1_{i}_1_1 0.33333{i}" for i in (1, 2, 3))))
    assert (thirds.lower, thirds.family.multiplicity.tolist()) == (Fraction(4, 3), [1, 1, 1])
    skewed = load_duals_bound(Instance.from_rows(2, [Row("a", 0, 1)]), parse("b_1 1\nb_2 0.00012345"))
    assert skewed.lower == Fraction(2469, 20002469)


def test_long_numbers_are_rounded() -> None:
    """Fractions without a common denominator of reasonable length cost strength, never validity or time."""
    instance = Instance.from_rows(1, [Row(k, k, 1) for k in range(60)])
    names = [row.name for row in Forms(instance, Weights.ones(instance)).textbook().rows if row.name.startswith("b_")]
    text = "\n".join(f"{name} 1/{10**300 + k}" for k, name in enumerate(names))
    found = duals_bound(instance, parse(text))
    assert 0 < found.lower <= 1
    assert max(found.family.multiplicity.tolist()) <= 10**40
    noisy = duals_bound(instance, parse(f"{names[0]} 0.123456789\n{names[1]} 1e-300"))
    assert (noisy.lower, noisy.family.count) == (1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T 4\nx_1_1 1", "no multipliers: got none of 6 names such as b_1_1_1_1"),
        ("b_1_1_1_1 0", "no multipliers: got 0 for all 6"),
        ("b_1_1_1_9 1\nx_9_9 0\n", "2 of them, the first is 'b_1_1_1_9'"),
        ("b_1_1_1_1 1\nb_1_2_1_1 -1", "mixed signs: got 1 times the largest in all above 0 and 1 below"),
        ("", "no name with a number"),
        ("b_1_1_1_1 1\nb_1_1_1_1 2", "two numbers: got 2 after 1"),
        ("b_1_1_1_1 inf", "'inf', which is no number"),
        ("b_1_1_1_1 nan", "'nan', which is no number"),
        ("b_1_1_1_1 1e9999", "exponent is over 1000"),
        ("b_1_1_1_1", "a name and a number"),
        ("b_1_1_1_1 1 2", "a name and a number"),
        ("c Problem: x\ns bas 4 3 f f 4\ni 1 b 2 0\n", "no names"),
        ("{", "not JSON"),
        ('{"b_1_1_1_1": null}', "'null', which is no number"),
        ('{"b_1_1_1_1": true}', "the boolean True"),
        ('{"b_1_1_1_1": [1]}', "of type list"),
        ('{"b_1_1_1_1": NaN}', "'NaN', which is no number"),
        ('{"b_1_1_1_1": 1, "b_1_1_1_1": 1}', "one name twice"),
        ('{"SolutionInfo": {}, "Vars": [{"X": 1}]}', "Vars without VTag"),
        ('{"SolutionInfo": {}, "Vars": 3}', "no names"),
        ('<CPLEXSolution><constraint index="0" dual="1"/>', "no names"),
        ("<html>", "no name with a number"),
        ("Optimal - objective value 4\n** 1 b_1 2 3\n", "not a line of Cbc"),
        ("# Dual solution values\nNone\n", "no name with a number"),
    ],
)
def test_what_is_no_solution_is_refused(text: str, message: str) -> None:
    """Every fault of a file is a message that names it; nothing is skipped in silence."""
    with pytest.raises(InvalidInput) as refused:
        duals_bound(SOLVED, parse(text))
    assert message in str(refused.value)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    """A missing file, a folder and bytes that are no text each give a message."""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00b_1 \x81")
    for name in ("missing", ".", "bytes"):
        with pytest.raises(InvalidInput, match=r"cannot be read|unreadable data"):
            read(tmp_path / name)
    with pytest.raises(InvalidInput, match="no names"):
        read(SOLUTIONS / "glpk-numbers.txt")


def test_an_instance_without_jobs_has_no_program() -> None:
    """There is nothing that a file could say about it."""
    with pytest.raises(InvalidInput, match="no jobs"):
        duals_bound(Instance.from_rows(1, []), parse("b_1_1_1_1 1"))
