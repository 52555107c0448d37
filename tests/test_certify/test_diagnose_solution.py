"""A solver's solution of an exported program is a claim in the dual normalisation, digit by digit."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from exported import weighted_instances
from hypothesis import HealthCheck, given, settings

from certify.diagnose.claim import Claim
from certify.diagnose.claim_file import Chosen, read_claim
from certify.diagnose.diagnosis import diagnosed
from certify.diagnose.solution import claim_of_solution
from lp.backend import solve
from lp.bound import lp_bound
from lp.export.forms import Forms, exact_program
from lp.program import GE, LinearProgram
from lp.solution_file import SolutionFile, parse
from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.weights import Weights

SOLUTIONS = Path(__file__).parent.parent / "test_lp" / "cases" / "solutions"
SOLVED = Instance.from_rows(2, [Row("x+", 0, 2), Row("x-", 1, 3), Row("1", 1, 2, [1])])
"""The instance whose programs the solvers solved; their optimum is 5/2."""

NAMED = sorted(path.name for path in SOLUTIONS.iterdir() if "numbers" not in path.name)
TINY = Fraction(1, 10**6)


@pytest.mark.parametrize("name", NAMED)
def test_what_the_solvers_found_is_feasible_and_comes_to_the_optimum(name: str) -> None:
    """Six solvers, three programs, nine formats: no violation; of the lindley form only the intervals are claimed."""
    claim = read_claim(SOLVED, str(SOLUTIONS / name))
    found = diagnosed(claim, lp=False)
    assert found.feasible
    assert claim.says == Fraction(5, 2)
    assert (claim.value is None) == ("lindley" in name)


@settings(derandomize=True, deadline=None, max_examples=15, database=None, suppress_health_check=list(HealthCheck))
@given(weighted_instances())
def test_units_and_weights_of_an_exported_dual_are_those_of_the_input(instance: Instance) -> None:
    """HiGHS's floats, read as decimals, violate nothing by much, and come to the value of the linear program."""
    weights = Weights.flow(instance)
    program = exact_program(Forms(instance, weights), "primal")
    rows = [({k: int(a) for k, a in row.terms}, GE, int(row.rhs)) for row in program.rows]
    solution = solve(LinearProgram.of(list(program.cost), rows))
    assert solution.row_dual is not None
    duals = {row.name: Fraction(str(y)) for row, y in zip(program.rows, solution.row_dual.tolist(), strict=True)}
    claim = claim_of_solution(instance, SolutionFile("HiGHS", {}, duals), "weighted", None, None)
    found = diagnosed(claim, lp=False)
    best = lp_bound(instance, weights=weights).lower * claim.unit
    assert claim.says is not None
    assert abs(claim.says - best) <= TINY * best
    assert all(row.deficit <= TINY * best for row in found.violations.rows)
    assert found.violations.excess <= TINY


def test_a_tolerance_shows_as_a_violation_with_its_exact_size() -> None:
    """A dual of 1.0000001 where 1 is allowed is over by 1/10000000; the scaling takes it back."""
    one = Instance.from_rows(1, [Row("a", 0, 1)])
    claim = claim_of_solution(one, parse("alpha_1 1.0000001\nbeta_1_1_1_1 1\n"), "max-flow", None, None)
    found = diagnosed(claim)
    assert [row.deficit for row in found.violations.rows] == [Fraction(1, 10**7)]
    assert found.scaling is not None
    assert found.scaling.bound == 1


def test_load_has_prices() -> None:
    """Two machines, prices 1/2: the duals of its program are those of jobs, bound 3/2."""
    two = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 2)])
    text = "alpha_1 0.5\nalpha_2 1\nbeta_1 0.5\nbeta_2 0.5\n"
    claim = claim_of_solution(two, parse(text), "load", None, None)
    assert isinstance(claim, Claim)
    assert (diagnosed(claim).feasible, claim.says) == (True, Fraction(3, 2))


@pytest.mark.parametrize("chosen", [Chosen(problem="stretch"), Chosen(normalisation="dual")])
def test_what_an_exported_program_does_not_have_is_refused(chosen: Chosen) -> None:
    """There is none of stretch, and no other normalisation than its own."""
    with pytest.raises(InvalidInput):
        read_claim(SOLVED, str(SOLUTIONS / "highs-dual.sol"), chosen)
