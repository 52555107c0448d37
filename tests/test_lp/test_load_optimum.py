from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from load_instances import least_largest_load, tiny_instances
from lp_instances import REPRODUCIBLE, instances
from tree_replay import both_bounds

from lp.backend import Solution, Status
from lp.load import mip
from lp.load.assignment import assigned, greedy_load, loads
from lp.load.bound import METHODS, load_bracket
from lp.load.descent import descending_load, improved
from lp.load.mip import mip_load
from lp.load.optimum import IntegralBracket, integral_optimum
from lp.load.search import brute_force_load
from lp.load.weak_duality import load_bound
from lp.schedule import upper_evidence
from online.errors import InvalidInput, LimitReached
from online.instance import Instance
from online.readers import read
from online.rows import Row

CASES = Path(__file__).parent / "cases"
SHIPPED = Path(__file__).parents[1] / "cases"


def on_two(*sizes: int) -> Instance:
    """Jobs of these sizes that may run on either of two machines."""
    return Instance.from_rows(2, [Row(j, 0, p) for j, p in enumerate(sizes)])


OPEN = on_two(5, 5, 4)
"""The machines share 14 ticks, the longest job has 5, but no assignment is better than 9."""


def shown_by_cases(instance: Instance, found: IntegralBracket) -> list[str]:
    """What the checker says it was shown of both sides of a bracket that cases closed."""
    tree = {"rule": "C10", "value": found.lower, "tree": found.cases}
    verdict = both_bounds(
        instance, "load", found.lower, tree, found.upper, upper_evidence(found.dispatch, "assignment")
    )
    assert verdict.verdict == "accepted", verdict.failed
    return verdict.shown


def test_the_search_finds_the_best_of_all_assignments():
    """Cutting branches off loses nothing: the least value over every assignment, on thousands of instances."""
    for instance in tiny_instances(2000, seed=11):
        found = brute_force_load(instance)
        assert found.value == least_largest_load(instance) == max(loads(instance, found.dispatch))


def test_the_bracket_closes_on_tiny_instances():
    """Bounds, integer program and search together always know T*, and say rightly what proves it."""
    proofs = set()
    for instance in tiny_instances(600, seed=12, most_jobs=7):
        found = integral_optimum(instance)
        assert found.optimal
        assert found.lower == least_largest_load(instance) == max(loads(instance, found.dispatch))
        longest = max(instance.size.tolist(), default=0)
        assert found.proof != "prices" or found.lower == found.bound.lower
        assert found.proof != "longest job" or found.lower == longest > found.bound.lower
        proofs.add(found.proof)
        if found.proof == "cases" and all(instance.size > 0):
            assert f"T* = {found.lower}" in " ".join(shown_by_cases(instance, found))
    assert proofs == {"prices", "prices, rounded up", "longest job", "cases"}


@REPRODUCIBLE
@given(instances(machines=4, jobs=8))
def test_witnesses_from_above_are_assignments(instance):
    """Greedy in arrival order and longest first give every job to an eligible machine; T* is at most their value."""
    optimum = brute_force_load(instance).value
    for found in (greedy_load(instance), descending_load(instance), mip_load(instance, 0, optimum)):
        assert found.value == max(loads(instance, found.dispatch)) >= optimum
        assert all(i in job.eligible for job, i in zip(instance.jobs(), found.dispatch, strict=True))


def test_greedy_is_least_loaded_in_arrival_order():
    """Each job sees the loads before it; the smallest machine wins ties."""
    instance = Instance.from_rows(3, [Row("a", 0, 2), Row("b", 0, 1), Row("c", 0, 3, [0, 1]), Row("d", 9, 1)])
    assert greedy_load(instance) == (4, (0, 1, 1, 2))


def test_improvement_never_harms_and_may_stop_at_any_time():
    """From any start, after any effort, the value is at most that of the start."""
    for instance in tiny_instances(200, seed=13):
        start = greedy_load(instance)
        for effort in (0, 3, 10, 1000):
            assert improved(instance, list(start.dispatch), effort=effort).value <= start.value


@pytest.mark.parametrize(
    ("sizes", "start", "value"),
    [
        ((4, 2, 2), (0, 0, 1), 4),
        ((6, 4, 5, 3), (0, 0, 1, 1), 9),
        ((6, 6, 30, 11, 14, 15), (0, 0, 0, 1, 1, 1), 41),
        ((5, 3, 3, 3), (0, 0, 1, 1), 8),
    ],
    ids=["a job moves", "two jobs swap", "a pair goes for one job", "nothing helps"],
)
def test_jobs_leave_the_fullest_machine(sizes, start, value):
    """6 | 2, 10 | 8 and 42 | 40 become even by one step each; 8 | 6 is kept, it is optimal."""
    assert improved(on_two(*sizes), list(start)).value == value == brute_force_load(on_two(*sizes)).value


@pytest.mark.parametrize(
    ("name", "optimum", "proof"), [("edata-la01", 609, "prices"), ("vdata-la40", 765, "prices, rounded up")]
)
def test_published_optima(name, optimum, proof):
    """The LP value rounded up, 609 and 765, is attained: the bracket closes without solver or search."""
    found = integral_optimum(read(SHIPPED / f"hurink-{name}.csv").instance, time_limit=0, search_steps=0)
    assert (found.lower, found.upper, found.proof) == (optimum, optimum, proof)


def test_names_that_clash_have_the_optimum_four():
    """LP value 4 and optimum 4, by every method."""
    instance = read(CASES / "names_that_clash.json").instance
    for method in METHODS:
        found = load_bracket(instance, method)
        assert (found.lp_lower, found.lower, found.upper) == (4, 4, 4)


def test_the_longest_job_may_prove_the_optimum():
    """Jobs of 4 (anywhere) and 2 (second machine): the LP says 3, the longest job 4, and 4 is the optimum."""
    instance = Instance.from_rows(2, [Row("ok", 0, 4), Row("dup", 0, 2, [1, 1])])
    for method in METHODS:
        found = load_bracket(instance, method)
        assert (found.lp_lower, found.lp_upper, found.lower, found.upper) == (3, 3, 4, 4)
        assert found.proof == "longest job"


@pytest.mark.parametrize("method", METHODS)
def test_brackets_are_true_by_every_method(method):
    """lp_lower <= lower <= T* <= upper, the prices prove lp_lower, the dispatch upper."""
    for instance in tiny_instances(150, seed=14):
        try:
            found = load_bracket(instance, method)
        except InvalidInput:
            assert method == "lp"
            continue
        assert found.lp_lower == load_bound(instance, found.beta) <= found.lower
        assert found.lower <= least_largest_load(instance) <= found.upper == max(loads(instance, found.dispatch))
        assert found.lp_upper is not None
        assert found.lp_lower <= found.lp_upper


@pytest.mark.parametrize("method", METHODS)
def test_an_instance_without_jobs_has_the_optimum_zero(method):
    """0 from both sides, known, with an empty dispatch."""
    found = load_bracket(Instance.from_rows(2, []), method)
    assert (found.lower, found.upper, found.dispatch, found.optimal) == (0, 0, (), True)


def test_sizes_with_a_common_divisor_round_up_to_it():
    """Three jobs of 10^20 on two machines share 1.5 * 10^20 each, so one gets 2 * 10^20; no search is needed."""
    found = integral_optimum(on_two(*[10**20] * 3), search_steps=0)
    assert (found.bound.lower, found.lower, found.upper) == (15 * 10**19, 2 * 10**20, 2 * 10**20)


def test_at_a_limit_the_bracket_stays_open():
    """The solver finds 9, but its word that nothing is better is no proof: 7 <= T* <= 9, until cases prove 9."""
    stopped, searched, closed = (integral_optimum(OPEN, search_steps=steps) for steps in (0, 9, 1000))
    assert (stopped.lower, stopped.upper, stopped.optimal, stopped.proof) == (7, 9, False, "prices")
    assert (searched.lower, searched.upper, searched.optimal, searched.proof) == (9, 9, True, "search")
    assert (closed.lower, closed.upper, closed.optimal, closed.proof) == (9, 9, True, "cases")
    assert searched.cases is None


@pytest.mark.parametrize("status", [Status.LIMIT, Status.ERROR, Status.INFEASIBLE])
def test_a_solver_that_stops_leaves_true_bounds(monkeypatch, status):
    """Whatever the solver ends with, only the assignment from above may suffer."""
    monkeypatch.setattr(mip, "solve", lambda *_, **__: Solution(status))
    assert mip_load(OPEN, 7, 9) is None
    found = integral_optimum(OPEN, time_limit=0, search_steps=0)
    assert found.lower <= 9 <= found.upper


@pytest.mark.parametrize("x", [[7, 0, 2, 0, 1], [7, 0, 0, 0, 0], [7, 2, 2, 1, 0]])
def test_a_solver_that_errs_cannot_lower_the_optimum(monkeypatch, x):
    """A claimed T = 7 is added up again: the assignment has a load of at least 9, or it is none and is left."""
    monkeypatch.setattr(mip, "solve", lambda *_, **__: Solution(Status.OPTIMAL, 7, np.array(x, dtype=np.float64)))
    answer = mip_load(OPEN, 7, 9)
    assert answer is None or answer.value == max(loads(OPEN, answer.dispatch)) >= 9
    assert integral_optimum(OPEN, search_steps=0).upper == 9


def test_the_solver_gets_sizes_it_can_hold():
    """Sizes of 40 digits with small differences: the assignment it proposes is valued exactly."""
    base = 10**40
    instance = on_two(3 * base + 1, 3 * base, 2 * base + 7, 2 * base, 2 * base)
    found = mip_load(instance, 0, greedy_load(instance).value)
    assert found is not None
    assert found.value == brute_force_load(instance).value == 6 * base + 7


def test_equal_jobs_are_one_kind():
    """A thousand equal jobs are two columns and T, and the solver's counts become a dispatch."""
    instance = on_two(*[3] * 1000)
    assert mip._Kinds(instance).first == [1, 3]
    found = mip_load(instance, 0, 3000)
    assert found is not None
    assert found.value == 1500


@pytest.mark.parametrize(
    "ask",
    [
        lambda: brute_force_load(on_two(*range(1, 30)), step_limit=20),
        lambda: brute_force_load(on_two(*range(1, 300))),
        lambda: mip_load(on_two(*range(1, mip.COLUMN_LIMIT)), 0, 10**9),
    ],
    ids=["steps", "jobs", "columns"],
)
def test_limits_are_stated(ask):
    """What is too large ends in a message, not in hours or a wrong number."""
    with pytest.raises(LimitReached, match=r"limit|steps"):
        ask()


def test_the_same_instance_gives_the_same_answer():
    """Nothing depends on hashing, time or chance."""
    dice = list(tiny_instances(20, seed=15))
    assert [load_bracket(i, "exact") for i in dice] == [load_bracket(i, "exact") for i in dice]


@pytest.mark.parametrize(("dispatch", "words"), [([0], "wrong length"), ([0, 0, 2], "machine not eligible")])
def test_what_is_no_assignment_is_refused(dispatch, words):
    """One eligible machine a job, or the job is named."""
    with pytest.raises(InvalidInput, match=words):
        assigned(OPEN, dispatch)


def test_an_unknown_method_is_refused():
    """The message lists the methods."""
    with pytest.raises(InvalidInput, match="lp or flow or exact"):
        load_bracket(OPEN, "magic")


def test_a_fractional_bound_is_kept_beside_the_whole_one():
    """Four unit jobs on three machines: the LP says 4/3, whole ticks make it 2."""
    found = load_bracket(Instance.from_rows(3, [Row(j, 0, 1) for j in range(4)]))
    assert (found.lp_lower, found.lp_upper, found.lower, found.upper) == (Fraction(4, 3), Fraction(4, 3), 2, 2)
