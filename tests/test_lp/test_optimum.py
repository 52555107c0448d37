from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from lp_instances import REPRODUCIBLE, instances

from lp.bound import lp_bound
from lp.optimum import brute_force_optimum, fifo_value, greedy_upper, unit_optimum
from lp.schedule import Schedule
from online.errors import InvalidInput, LimitReached
from online.instance import Instance
from online.rows import Row


def every_order_on_one_machine(instance: Instance) -> int:
    """The best maximum flow over all orders of the jobs, each started as soon as it can: no FIFO, no bound."""
    best = None
    for order in itertools.permutations(instance.jobs()):
        free = flow = 0
        for job in order:
            free = max(free, job.release) + job.size
            flow = max(flow, free - job.release)
        best = flow if best is None else min(best, flow)
    return best or 0


@REPRODUCIBLE
@given(instances(machines=1, jobs=5))
def test_first_in_first_out_is_optimal_on_one_machine(instance):
    """No order of the jobs has a smaller maximum flow than the order of arrival."""
    assert fifo_value(instance, [0] * instance.n) == every_order_on_one_machine(instance)


@REPRODUCIBLE
@given(instances(machines=3, jobs=5))
def test_the_search_finds_the_best_of_all_dispatches(instance):
    """Cutting branches off loses nothing: the value is the least over every dispatch, and its witness attains it."""
    dispatches = itertools.product(*(job.eligible for job in instance.jobs()))
    found = brute_force_optimum(instance)
    assert found.value == min(fifo_value(instance, dispatch) for dispatch in dispatches)
    assert found.value == fifo_value(instance, found.dispatch)


@REPRODUCIBLE
@given(instances(jobs=7, unit=3))
def test_matching_and_search_agree_on_unit_jobs(instance):
    """Two exact methods that share nothing but the greedy start find the same optimum, each with a witness."""
    matched, searched = unit_optimum(instance), brute_force_optimum(instance)
    assert matched.value == searched.value == fifo_value(instance, matched.dispatch)


@REPRODUCIBLE
@given(instances(jobs=7, unit=2))
def test_the_ladder_of_bounds_is_in_order(instance):
    """LP bound <= T* <= greedy, exactly."""
    bound = lp_bound(instance)
    assert bound.lower <= unit_optimum(instance).value <= greedy_upper(instance).value
    assert greedy_upper(instance).value == fifo_value(instance, greedy_upper(instance).dispatch)


@pytest.mark.parametrize(("flexible", "picky"), [(1, 1), (4, 2), (6, 4), (8, 8), (10, 6), (14, 2)])
def test_greedy_pays_for_looking_only_back(flexible, picky):
    """Flexible jobs fill both machines evenly, then picky ones queue on the first; the optimum had kept it free."""
    rows = [Row(j, 0, 1, [0] if j >= flexible else [0, 1]) for j in range(flexible + picky)]
    instance = Instance.from_rows(2, rows)
    assert greedy_upper(instance).value == (flexible + 1) // 2 + picky
    assert unit_optimum(instance).value == (flexible + picky + 1) // 2


def test_large_and_late_releases_are_no_obstacle():
    """Unit jobs at epoch nanoseconds are matched on slots counted from the first release."""
    epoch = 1_700_000_000_000_000_000
    instance = Instance.from_rows(2, [Row(j, epoch + 2 * (j // 3), 2) for j in range(9)])
    assert unit_optimum(instance).value == unit_optimum(instance.shifted(epoch)).value == 6


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([Row("a", 0, 1), Row("b", 0, 2)], "different sizes"),
        ([Row("a", 0, 2), Row("b", 1, 2)], "a release that is no multiple of the size 2"),
    ],
)
def test_the_matching_refuses_what_it_cannot_decide(rows, reason):
    """Other sizes or releases between the slots are bad input, not an approximate optimum."""
    with pytest.raises(InvalidInput, match=f"not a unit instance: got {reason}"):
        unit_optimum(Instance.from_rows(1, rows))


def test_limits_are_stated_and_no_answer_is_given_above_them():
    """Too many jobs, steps or edges end in LimitReached (exit code 3)."""
    many = Instance.from_rows(1, [Row(j, 0, 1) for j in range(201)])
    with pytest.raises(LimitReached, match="201 jobs are too many"):
        brute_force_optimum(many)
    hard = Instance.from_rows(3, [Row(j, 0, 7 + j) for j in range(12)])
    with pytest.raises(LimitReached, match="no exact optimum within 100 steps"):
        brute_force_optimum(hard, step_limit=100)
    with pytest.raises(LimitReached, match="over 50 edges"):
        unit_optimum(Instance.from_rows(2, [Row(j, 0, 1, [0, 1]) for j in range(12)]), edge_limit=50)


def test_a_dispatch_must_name_one_eligible_machine_a_job():
    """A witness with a job too few or on a machine outside its eligible set is bad input."""
    instance = Instance.from_rows(2, [Row("a", 0, 1, [0])])
    with pytest.raises(InvalidInput, match="wrong length"):
        fifo_value(instance, [])
    with pytest.raises(InvalidInput, match="dispatch of job 'a': machine not eligible: got 1"):
        fifo_value(instance, [1])


def test_no_jobs_need_no_time():
    """The optimum of an empty instance is 0 with an empty witness, by every method."""
    nobody = Instance.from_rows(2, [])
    assert greedy_upper(nobody) == unit_optimum(nobody) == brute_force_optimum(nobody) == Schedule(0, ())
