from __future__ import annotations

import itertools
from random import Random

import numpy as np
import pytest
from hypothesis import given
from lp_instances import REPRODUCIBLE, instances
from tree_replay import accepted, proves
from weighted_optimum import weighted, weighted_optimum

from lp import mip
from lp import optimum as optimum_module
from lp.backend import Solution, Status
from lp.bound import lp_bound
from lp.cases import distinguish
from lp.grid import Grid
from lp.hall import hall_bound
from lp.mip import Answer, schedule_below
from lp.optimum import Optimum, brute_force_optimum, optimum, unit_optimum
from lp.schedule import Schedule, best_schedule
from lp.transport import Transport
from online.errors import LimitReached
from online.generate import make
from online.instance import Instance
from online.rows import Row
from online.weights import Weights

OPEN = Instance.from_rows(2, [Row(j, 0, p) for j, p in enumerate([5, 5, 4])])
"""The machines share 14 ticks, so T* >= 7; but one of them gets two jobs, so T* = 9."""


def random_instance(random: Random, jobs: int, machines: int, span: int = 6, largest: int = 5) -> Instance:
    rows = [
        Row(
            j,
            random.randint(0, span),
            random.randint(1, largest),
            random.sample(range(machines), random.randint(1, machines)),
            random.choice([1, 2, 4, 3]),
        )
        for j in range(jobs)
    ]
    return Instance.from_rows(machines, rows)


def tiny_instances() -> list[Instance]:
    """All of up to 3 jobs on 2 machines with sizes and releases up to 2, weights 1, 2 and 4, first release 0."""
    kinds = list(itertools.product(range(3), (1, 2), ([0], [1], [0, 1]), (1, 2, 4)))
    chosen = (jobs for n in (1, 2, 3) for jobs in itertools.combinations_with_replacement(kinds, n) if jobs[0][0] == 0)
    return [Instance.from_rows(2, [Row(j, *job) for j, job in enumerate(jobs)]) for jobs in chosen]


def exact_by_cases(instance: Instance, weights: Weights) -> None:
    best = weighted_optimum(instance, weights)
    tree = distinguish(instance, best, weights)
    assert isinstance(tree, list)
    assert proves(instance, weights, {"rule": "C10", "value": best, "tree": tree}, best)
    above = distinguish(instance, Grid.of(instance, weights).after(best), weights)
    assert isinstance(above, Schedule)
    assert above.value == best == best_schedule(instance, above.dispatch, weights).value


def test_cases_decide_every_tiny_instance():
    """A tree that a slow reader accepts proves T*, just above T* a schedule is found: on some of all tiny instances."""
    for instance in tiny_instances()[::61]:
        exact_by_cases(instance, Weights.flow(instance))


@pytest.mark.slow
def test_cases_decide_all_tiny_instances():
    """The same for each of the 20 000 tiny instances, and the bracket closes on them."""
    for instance in tiny_instances():
        exact_by_cases(instance, Weights.flow(instance))
        assert optimum(instance, Weights.flow(instance)).optimal


@REPRODUCIBLE
@given(weighted(jobs=6, least=1))
def test_cases_decide_for_any_weights(given):
    """The same for weights like 1/3, 3 and 5."""
    exact_by_cases(*given)


def test_the_optimum_of_random_instances_is_known_and_certified():
    """Up to 6 jobs on 3 machines: both bounds are the brute-force optimum, and the checker accepts them."""
    random, rules = Random(5), set()
    for _ in range(200):
        instance = random_instance(random, random.randint(1, 6), random.randint(1, 3))
        problem = random.choice(["max-flow", "weighted", "stretch"])
        weights = {"max-flow": Weights.ones, "weighted": Weights.flow, "stretch": Weights.stretch}[problem](instance)
        found = optimum(instance, weights)
        assert found.lower == found.upper.value == weighted_optimum(instance, weights)
        assert proves(instance, weights, found.proof, found.lower)
        assert any(f"T* = {found.lower}" in line for line in accepted(instance, problem, found))
        rules.add(found.proof["rule"])
    assert rules == {"C0", "C5", "C10"}


def test_larger_instances_are_closed_by_cases_where_no_single_set_suffices():
    """Twenty jobs on three or four machines: the Hall bound is below T*, a tree of a few dozen cases proves it."""
    random, gaps = Random(9), 0
    for _ in range(6):
        instance = random_instance(random, 20, random.randint(3, 4), span=5, largest=20)
        weights = Weights.flow(instance)
        found = optimum(instance, weights)
        assert found.optimal
        assert proves(instance, weights, found.proof, found.lower)
        gaps += hall_bound(instance, weights=weights, integral=True).value < found.lower
    assert gaps


@REPRODUCIBLE
@given(weighted(jobs=7))
def test_the_bracket_holds_at_every_limit(given):
    """No cases, no time: lower <= T* <= upper, and the lower bound has its proof."""
    instance, weights = given
    best = weighted_optimum(instance, weights)
    for limits in ({"nodes": 0}, {"nodes": 2}, {"time_limit": 0}, {"nodes": 1, "time_limit": 0}):
        found = optimum(instance, weights, **limits)
        assert found.lower <= best <= found.upper.value
        assert not instance.n or proves(instance, weights, found.proof, found.lower)
        assert found.solver_bound is None or found.lower < found.solver_bound <= best


@REPRODUCIBLE
@given(instances(jobs=7, unit=3))
def test_unit_jobs_need_no_cases(instance):
    """For unit jobs on the grid the integral Hall bound is T* (Hall's theorem), with weights and without."""
    weights = Weights.of([1 + j % 3 for j in range(instance.n)])
    for own in (None, weights):
        found, matched = optimum(instance, own), unit_optimum(instance, own)
        assert found.lower == found.upper.value == matched.value
        assert found.proof is None or found.proof["rule"] in ("C0", "C5")
        assert matched == best_schedule(instance, matched.dispatch, own)
    assert unit_optimum(instance, weights).value == weighted_optimum(instance, weights)


@REPRODUCIBLE
@given(instances(jobs=6, least=1))
def test_the_ladder_of_bounds_is_in_order_for_all_sizes(instance):
    """LP <= Hall <= integral Hall <= T*, by three methods that share nothing."""
    hall = hall_bound(instance)
    whole = hall_bound(instance, integral=True)
    assert lp_bound(instance).lower <= hall.value <= whole.value <= brute_force_optimum(instance).value
    assert optimum(instance).lower == brute_force_optimum(instance).value


@REPRODUCIBLE
@given(weighted(jobs=6, least=1))
def test_the_integer_program_knows_the_optimum(given):
    """It finds a schedule exactly where there is one below the value; its word of the opposite is right here too."""
    instance, weights = given
    best = weighted_optimum(instance, weights)
    found = schedule_below(instance, Grid.of(instance, weights).after(best), weights)
    assert found.schedule.value == best
    assert schedule_below(instance, best, weights).status is Status.INFEASIBLE


def test_the_integer_program_ends_honestly(monkeypatch):
    """Limits, errors and answers that are no dispatch give no schedule and say why."""
    instance = random_instance(Random(2), 12, 3)
    assert schedule_below(instance, 30, rounds=0).status is Status.LIMIT
    monkeypatch.setattr(mip, "COLUMN_LIMIT", 5)
    with pytest.raises(LimitReached, match="columns, over the limit of 5"):
        schedule_below(instance, 30)
    monkeypatch.undo()
    wide = Instance.from_rows(2, [Row("a", 0, 10**12 + 1), Row("b", 1, 1)])
    with pytest.raises(LimitReached, match="beyond the solver's tolerance"):
        schedule_below(wide, 10**13)
    for status in (Status.LIMIT, Status.ERROR, Status.INFEASIBLE_OR_UNBOUNDED):
        monkeypatch.setattr(mip, "solve", lambda lp, status=status, **limits: Solution(status, reason="why"))
        assert schedule_below(instance, 30) == Answer(None, status, "why")
    monkeypatch.setattr(mip, "solve", lambda lp, **limits: Solution(Status.OPTIMAL, x=np.ones(len(lp.cost))))
    assert schedule_below(instance, 30).status is Status.ERROR


def test_what_the_solver_says_is_kept_apart(monkeypatch):
    """Without cases, its schedules count by their exact value, and its lower bound is only shown."""
    found = optimum(OPEN, nodes=1)
    assert (found.optimal, found.lower, found.upper.value, found.solver_bound) == (False, 7, 9, 9)
    monkeypatch.setattr(optimum_module, "schedule_below", lambda *given, **limits: Answer(None, Status.ERROR))
    assert optimum(OPEN, nodes=1).solver_bound is None
    assert optimum(OPEN).optimal


def test_a_lie_of_the_solver_is_not_believed(monkeypatch):
    """If it calls everything infeasible, T* and its proof stay what they are."""
    instance = random_instance(Random(4), 12, 3)
    truth = optimum(instance)
    monkeypatch.setattr(optimum_module, "schedule_below", lambda *given, **limits: Answer(None, Status.INFEASIBLE))
    found = optimum(instance, nodes=1)
    assert found.lower <= truth.lower <= found.upper.value


@REPRODUCIBLE
@given(instances(jobs=6))
def test_a_transport_finds_room_or_a_set_without(instance):
    """Against all sets of jobs: it is short exactly if some set lacks room, also after jobs were confined and freed."""
    flow = [min(9, 2 * (1 + j)) for j in range(instance.n)]
    transport = Transport(instance, flow)
    jobs = list(instance.jobs())

    def lacks(chosen, machines) -> bool:
        ticks = {(i, jobs[j].release + k) for j in chosen for i in machines[j] for k in range(flow[j])}
        return len(ticks) < sum(jobs[j].size for j in chosen)

    sets = [chosen for k in range(instance.n + 1) for chosen in itertools.combinations(range(instance.n), k)]
    for j in [*range(instance.n), None]:
        found = transport.short()
        assert (found is not None) == any(lacks(chosen, transport.machines) for chosen in sets)
        assert found is None or lacks(found, transport.machines)
        if j is not None:
            transport.confine(j, transport.machines[j][:1])
    for job in jobs:
        transport.confine(job.position, job.eligible)
    found = transport.short()
    assert (found is not None) == any(lacks(chosen, [job.eligible for job in jobs]) for chosen in sets)


def test_equal_input_gives_equal_proofs():
    """Two calls give the same tree and the same schedule."""
    instance = random_instance(Random(9), 20, 3, span=5, largest=20)
    assert optimum(instance, Weights.flow(instance)) == optimum(instance, Weights.flow(instance))


def test_limits_of_cases_are_stated():
    """Too many cases, too little time, too many jobs: LimitReached, and a bracket that stays open."""
    with pytest.raises(LimitReached, match="within 1 cases"):
        distinguish(OPEN, 9, nodes=1)
    with pytest.raises(LimitReached, match="within the time limit"):
        distinguish(OPEN, 9, time_limit=0)
    many, _ = make("uniform", seed=1, jobs=300, machines=4)
    with pytest.raises(LimitReached, match="300 jobs are too many for a case distinction"):
        distinguish(many, 1000)
    found = optimum(many)
    assert found.lower <= unit_optimum(many).value <= found.upper.value


def test_nobody_has_the_optimum_zero():
    """Without jobs T* = 0 and there is nothing to prove."""
    assert optimum(Instance.from_rows(2, [])) == Optimum(0, Schedule(0, ()), None)
