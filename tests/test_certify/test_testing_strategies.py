"""The shipped strategies: instances of every problem, known optima, budgets, names; and the assertions about them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import Phase, given, settings
from hypothesis import find as found
from hypothesis import strategies as st
from weighted_optimum import weighted_optimum

from certify.claims.claim import Entry, Verdict
from certify.testing import (
    algorithms,
    assert_accepted,
    assert_bound,
    assert_holds,
    assert_optimum,
    assert_ratio_at_most,
    assert_same_run,
    certified,
    epsilons,
    instances,
    planted,
    powers,
)
from certify.testing.strategies import ALL
from online.algorithm import PROBLEMS, find
from online.baselines.greedy import Greedy
from online.baselines.rules import Fifo
from online.errors import InvalidInput
from online.instance import Instance
from online.play import play
from online.rows import Row
from online.speed.power import Power, power_law
from online.speed.simulation import simulate
from online.weights import Weights

REPRODUCIBLE = settings(derandomize=True, deadline=None, max_examples=40, database=None)
QUICK = settings(REPRODUCIBLE, max_examples=12, phases=[Phase.generate, Phase.shrink])

BURST = Instance.from_rows(1, [Row(k, 0, 1) for k in range(4)])


@pytest.mark.parametrize("problem", ALL)
def test_the_smallest_instance_is_one_job_on_one_machine(problem: str) -> None:
    """Failing examples shrink to size, weight and release as small as can be."""
    smallest = found(instances(problem), lambda one: True, settings=QUICK)
    assert smallest == Instance.from_rows(1, [Row(1, 0, 1)])


@REPRODUCIBLE
@given(st.data(), st.sampled_from(ALL))
def test_instances_keep_to_what_was_asked_for(data: st.DataObject, problem: str) -> None:
    """Counts, sizes, weights, eligible sets, releases and ticks within their limits."""
    kind = data.draw(st.sampled_from(["any", "all", "one"]))
    instance = data.draw(
        instances(
            problem,
            min_jobs=2,
            max_jobs=4,
            min_machines=2,
            max_machines=3,
            sizes=[2, 3],
            weights=[5],
            eligible=kind,
            last_release=3,
            ticks=["1/7"],
        )
    )
    assert 2 <= instance.n <= 4
    assert 2 <= instance.machines <= 3
    assert {p * instance.tick for p in instance.size.tolist()} <= {Fraction(2, 7), Fraction(3, 7)}
    assert max(instance.release.tolist()) * instance.tick <= Fraction(3, 7) * (problem != "routing")
    weighted = problem in ("weighted", "two-weights")
    assert {w * instance.weight_unit for w in instance.flow_weight.tolist()} == {5 if weighted else 1}
    counts = {len(job.eligible) for job in instance.jobs()}
    everywhere = kind == "all" or problem in ("energy", "routing")
    assert counts <= ({instance.machines} if everywhere else {1} if kind == "one" else {1, 2, 3})
    if problem == "max-flow":
        assert instance.unit_size


def test_two_weights_differ_and_the_others_have_one() -> None:
    """Somewhere a rejection weight is no flow weight; never for the other problems."""
    differ = found(instances("two-weights"), lambda one: one.flow_weight[0] != one.rejection_weight[0], settings=QUICK)
    assert differ.n == 1

    @QUICK
    @given(instances("weighted"))
    def same(instance: Instance) -> None:
        assert instance.flow_weight.tolist() == instance.rejection_weight.tolist()

    same()


@pytest.mark.parametrize("problem", PROBLEMS)
def test_planted_optima_are_optima(problem: str) -> None:
    """A certificate shows them from both sides, on instances of up to 10 jobs and on larger ones."""

    @QUICK
    @given(planted(problem))
    def check(case: tuple[Instance, Fraction]) -> None:
        assert_optimum(*case, problem)

    check()


@pytest.mark.parametrize("problem", ["weighted", "stretch"])
@settings(QUICK, max_examples=25)
@given(st.data())
def test_planted_optima_agree_with_all_dispatches(problem: str, data: st.DataObject) -> None:
    """A second program without the package's bounds: every dispatch, earliest deadline first on each machine."""
    instance, best = data.draw(planted(problem, max_jobs=6, max_machines=2).filter(lambda case: case[0].n <= 6))
    unit = instance.tick * instance.weight_unit if problem == "weighted" else 1
    assert weighted_optimum(instance, Weights.objective(problem, instance)) * unit == best


@pytest.mark.parametrize("problem", ["energy", "routing"])
@QUICK
@given(st.data())
def test_planted_costs_are_least_costs(problem: str, data: st.DataObject) -> None:
    """At P(s) = s^2 work costs at least 2 a tick, and SRPT at the speeds of the paper pays no more."""
    instance, least = data.draw(planted(problem))
    work, power = sum(instance.size.tolist()), power_law(2)
    assert power.work_price_lower() * work == least / instance.tick == simulate(instance, power).trajectory.cost


@QUICK
@given(epsilons(), powers())
def test_budgets_and_powers_can_be_used(epsilon: Fraction, power: Power) -> None:
    """A budget is in (0, 1]; a job can be run at any of the power functions."""
    assert 0 < epsilon <= 1
    assert simulate(Instance.from_rows(1, [Row(1, 0, 2)]), power).trajectory.cost > 0


@pytest.mark.parametrize("problem", ALL)
def test_names_of_algorithms_are_found(problem: str) -> None:
    """Each name is that of an algorithm for the problem; the problem's own is among them."""
    name = found(algorithms(problem), lambda one: True, settings=QUICK)
    if problem in PROBLEMS:
        assert problem in (find(name, problem).problem, *find(name, problem).problems)
    own = {"load": "load-unit", "energy": "srpt", "routing": "round-robin"}.get(problem, problem)
    assert found(algorithms(problem), lambda one: one == own, settings=settings(QUICK, max_examples=500)) == own


def test_a_bound_on_energy_is_certified_and_refuted() -> None:
    """One job of size 3 at s^2 costs 6 at least, and about that."""
    one = Instance.from_rows(1, [Row(1, 0, 3)])
    assert_bound(one, "energy", 6)
    with pytest.raises(AssertionError, match=r"T\* >= 7 for energy: a schedule shows that it is false"):
        assert_bound(one, "energy", 7)
    with pytest.raises(InvalidInput, match="unknown problem: got 'throughput'"):
        assert_bound(one, "throughput", 7)


@pytest.mark.parametrize("asked", [{"problem": "throughput"}, {"eligible": "some"}])
def test_what_there_is_not_is_refused(asked: dict[str, str]) -> None:
    """With the known ones."""
    with pytest.raises(InvalidInput, match="expected one of"):
        found(instances(**asked), lambda one: True, settings=QUICK)  # type: ignore[arg-type]


def test_assertions_are_silent_where_all_is_well() -> None:
    """Four unit jobs at once on one machine: T* = 4, and the algorithm is as good."""
    result = certified("max-flow", BURST, epsilon="1/2", guess=4)
    assert_accepted(result)
    assert_accepted(result.certificate)
    assert_bound(BURST, "max-flow", 4)
    assert_optimum(BURST, "4", "max-flow")
    assert_ratio_at_most(result, 1)
    assert_holds(result, ["6.1", "6.3"], vacuous=True)
    assert_same_run(result, certified("max-flow", BURST, epsilon="1/2", guess=4))


def _without_work(result: object) -> dict:
    document = dict(result.certificate)  # type: ignore[attr-defined]
    goals = [{**goal, "value": "3"} if goal["claim"] == "objective" else goal for goal in document["goal"]]
    return {**document, "goal": goals}


FAILING = {
    r"the certificate is rejected\n  failed: \$.goal\[2\]": lambda: assert_accepted(
        _without_work(certified("max-flow", BURST, epsilon="1/2", guess=4))
    ),
    r"T\* >= 5 for max-flow: a schedule shows that it is false, by 1\n  shown: 4 <= T\* <= 4\n  missing: 1\n  "
    r'instance {"machines": 1': lambda: assert_bound(BURST, "max-flow", 5),
    r"T\* >= 3 for max-flow: it is not shown\n  shown: 1 <= T\* <= 4\n  missing: 2": lambda: assert_bound(
        BURST, "max-flow", 3, method="size"
    ),
    r"T\* = 3 for max-flow: it is another\n  shown: 4 <= T\* <= 4": lambda: assert_optimum(BURST, 3, "max-flow"),
    r"T\* = 3 for max-flow: it is not shown": lambda: assert_optimum(BURST, 3, "max-flow", method="size"),
    r"objective <= 1/2 \* bound: 4 <= 2, exceeded by 2\n  run: max-flow for max-flow, epsilon 1/2, guess 4\n  "
    r"bound: 4 <= T\*, from .*\n  ratio: 1\n": lambda: assert_ratio_at_most(
        certified("max-flow", BURST, epsilon="1/2", guess=4), "1/2"
    ),
    r"the runs of max-flow and max-flow differ\n  job 2 \(number 3\): rejected and machine 1\n": lambda: (
        assert_same_run(
            certified("max-flow", BURST, epsilon="1/2", guess=1, bound="none"),
            certified("max-flow", BURST, epsilon="1/2", guess=4, bound="none"),
        )
    ),
    r"claims that do not hold here\n  5.2 fails: 2 >= 3, slack -1, at .* \(Corollary 5.2": lambda: assert_holds(
        certified(
            "load-unit",
            Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1, [0])]),
            epsilon=1,
            guess=1,
            claims="5.2",
            options={"alpha": 2},
        ),
        "5.2",
    ),
    r"6.5.rejected is vacuous: it says nothing on this run": lambda: assert_holds(
        certified("max-flow", BURST, epsilon="1/2", guess=4), "6.5.rejected"
    ),
}


@pytest.mark.parametrize("words", FAILING)
def test_a_failing_assertion_shows_both_sides(words: str) -> None:
    """Exact numbers, the difference, the first job or place."""
    with pytest.raises(AssertionError, match=words):
        FAILING[words]()


def test_runs_that_end_at_other_times_differ_though_they_dispatch_alike() -> None:
    """A job of size 1 behind one of size 3 on one machine, in another order."""
    jobs = Instance.from_rows(1, [Row("long", 0, 3), Row("short", 0, 1)])
    srpt, fifo = (play(jobs, find(name), Fraction(1, 2), name=name) for name in ("srpt", "fifo"))
    with pytest.raises(AssertionError, match="job 'long' ends at 4 and 3, difference -1"):
        assert_same_run(srpt, fifo)
    assert_same_run(fifo, play(jobs, Fifo, Fraction(1, 2)))
    assert_same_run(fifo, play(jobs, Greedy, Fraction(1, 2)))


def test_claims_without_a_reading_are_told_apart() -> None:
    """`vacuous` lets through what says nothing, not what fails."""
    result = certified("max-flow", BURST, epsilon="1/2", guess=4)
    silent = [entry.claim.id for entry in result.ledger if entry.verdict is Verdict.VACUOUS]
    assert silent
    assert_holds(result, silent, vacuous=True)
    failing = [Entry(entry.claim, Verdict.FAILS, entry.reading, entry.scale) for entry in result.ledger]
    with pytest.raises(AssertionError):
        assert_holds(failing, "6.1", vacuous=True)
