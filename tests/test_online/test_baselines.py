"""Baselines: priority rules from a central queue, greedy, and any algorithm at a speed."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from baselines import EPSILONS, NOT_PREEMPTIVE, RULES, SPEEDS, TIMED, by_ticks, small_instances
from baselines import moments as moments_of
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.testing.differ import taken_back
from lp.load.bound import load_bracket
from lp.optimum import optimum
from online.algorithm import find, registered
from online.errors import InvalidInput
from online.exact import ceil_log2, floor_log2
from online.instance import Instance
from online.play import play
from online.rows import Row
from online.run import Run
from online.speed import faster, play_at_speed
from online.weights import Weights

HALF = Fraction(1, 2)


def _run(instance: Instance, name: str, problem: str = "max-flow", epsilon: Fraction = HALF, **more: Fraction) -> Run:
    return play(instance, find(name, problem), epsilon, name=name, **more)  # type: ignore[arg-type]


def _one_machine(*jobs: tuple[int, int], weights: tuple[int, ...] = ()) -> Instance:
    rows = [Row(k, r, p, None, w) for k, ((r, p), w) in enumerate(zip(jobs, weights or (1,) * len(jobs), strict=True))]
    return Instance.from_rows(1, rows)


@pytest.mark.parametrize(
    ("name", "ends"),
    [("fifo", [4, 6, 9, 10]), ("spt", [4, 7, 10, 5]), ("srpt", [7, 3, 10, 4]), ("hdf", [10, 3, 7, 4])],
)
def test_each_rule_on_four_jobs(name: str, ends: list[int]) -> None:
    """Sizes 4, 2, 3, 1 at 0, 1, 2, 3: first come, shortest, shortest remaining, densest first."""
    assert _run(_one_machine((0, 4), (1, 2), (2, 3), (3, 1)), name).completion.tolist() == ends


def test_what_remains_counts_for_srpt_and_the_whole_size_for_hdf() -> None:
    """A job of size 5 with 1 tick left stays ahead of a new job of size 2 under srpt, not under hdf."""
    late = _one_machine((0, 5), (4, 2))
    assert _run(late, "srpt").completion.tolist() == [5, 7]
    assert _run(late, "hdf").completion.tolist() == [7, 6]


def test_jobs_of_one_instant_are_all_there_before_a_machine_chooses() -> None:
    """Of jobs released together the shortest goes first, even if it stands last in the input, and preempts nobody."""
    run = _run(_one_machine((0, 3), (0, 1)), "spt")
    assert run.completion.tolist() == [4, 1]
    assert run.pieces is not None
    assert len(run.pieces.job) == 2


def test_a_job_that_has_started_does_not_migrate() -> None:
    """Preempted on its machine, it waits there although the other machine falls idle."""
    rows = [Row("long", 0, 9), Row("short", 0, 2, [1]), Row("urgent", 1, 3, [0])]
    run = _run(Instance.from_rows(2, rows), "srpt")
    assert run.dispatch.tolist() == [0, 1, 0]
    assert run.completion.tolist() == [12, 2, 4]


def test_the_job_that_comes_last_is_preempted() -> None:
    """A new job takes the machine of the longest remaining one, not the first machine."""
    rows = [Row("a", 0, 4, [0]), Row("b", 0, 9, [1]), Row("c", 1, 1)]
    assert _run(Instance.from_rows(2, rows), "srpt").dispatch.tolist() == [0, 1, 1]


def test_densities_are_those_of_the_problem() -> None:
    """Weights count for weighted flow time, not for maximum flow time; for stretch the shortest is densest."""
    heavy = _one_machine((0, 2), (0, 3), weights=(1, 5))
    ends = [_run(heavy, "hdf", problem).completion.tolist() for problem in TIMED]
    assert ends == [[2, 5], [5, 3], [5, 3], [2, 5]]


def test_a_late_job_doubles_the_guess_of_edf_and_changes_the_order() -> None:
    """The first job costs 2. The second is done at 5 and late for every guess below 3, so the next one finds 4."""
    rows = [Row(0, 0, 2, None, 1), Row(1, 2, 3, None, 1), Row(2, 6, 1, None, 1)]
    run = _run(Instance.from_rows(1, rows), "edf", "weighted")
    assert run.guesses == (2, 4)
    assert [(phase.first, phase.last, phase.ended) for phase in run.phases] == [(0, 1, False), (2, 2, False)]


def test_greedy_takes_the_machine_with_the_least_work_left() -> None:
    """Machine 0 has 1 tick left at 3, machine 1 has 2; an idle machine has 0, however long it has been idle."""
    rows = [Row(0, 0, 4, [0]), Row(1, 0, 5, [1]), Row(2, 3, 7), Row(3, 5, 1), Row(4, 9, 1, [0, 1])]
    assert _run(Instance.from_rows(2, rows), "greedy").dispatch.tolist() == [0, 1, 0, 1, 1]


def test_greedy_load_counts_all_volume() -> None:
    """Without time a machine never gets free: the third job goes to the smaller sum."""
    rows = [Row(0, 0, 4), Row(1, 9, 5), Row(2, 99, 1), Row(3, 99, 1)]
    assert _run(Instance.from_rows(2, rows), "greedy-load", "load").dispatch.tolist() == [0, 1, 0, 0]


def test_threshold_load_rejects_at_once_above_guess_over_epsilon() -> None:
    """With T = 2 and epsilon = 1/2 a machine with load 4 takes nothing more."""
    run = _run(_one_machine(*[(0, 1)] * 6), "threshold-load", "load", guess=Fraction(2))
    assert run.dispatch.tolist() == [0, 0, 0, 0, -1, -1]
    assert not run.late


@settings(derandomize=True, max_examples=60, deadline=None)
@given(small_instances(), st.sampled_from(TIMED), st.sampled_from(EPSILONS))
def test_every_kth_job_of_a_class_is_rejected_within_the_budget(
    instance: Instance, problem: str, epsilon: Fraction
) -> None:
    """hdf-reject keeps the budget at every prefix, by number or weight; by number a class gets all it may have."""
    run = _run(instance, "hdf-reject", problem, epsilon)
    assert all(rejected <= epsilon * arrived for rejected, arrived in run.prefixes())
    if run.budget == "count":
        kinds = defaultdict(list)
        weights = Weights.objective(problem, instance).tolist()
        for j, size in enumerate(instance.size.tolist()):
            kinds[floor_log2(weights[j]), floor_log2(size)].append(bool(run.accepted[j]))
        assert all(kept.count(False) == len(kept) * epsilon // 1 for kept in kinds.values())


@pytest.mark.parametrize("name", ["greedy", "fifo", "spt", "srpt", "hdf", "edf"])
@settings(derandomize=True, max_examples=15, deadline=None)
@given(small_instances(), st.sampled_from(TIMED))
def test_the_others_reject_nobody(name: str, instance: Instance, problem: str) -> None:
    """Whatever the instance."""
    assert _run(instance, name, problem).rejected_count == 0


def _key(name: str, problem: str, instance: Instance, j: int, left: Fraction) -> tuple[Fraction, int]:
    """Who goes first, as the textbooks say; deadlines are those of the guess 7."""
    release, size = int(instance.release[j]), int(instance.size[j])
    weight = Fraction(Weights.objective(problem, instance)[j])
    density = -weight / size
    keys = {"fifo": release, "spt": size, "srpt": left, "hdf": density, "hdf-reject": density}
    return Fraction(release + 7 / weight if name == "edf" else keys[name]), j


@pytest.mark.parametrize("name", RULES)
@settings(derandomize=True, max_examples=25, deadline=None)
@given(small_instances(), st.sampled_from(TIMED))
def test_no_machine_is_idle_or_serves_a_later_job_while_an_earlier_one_waits(
    name: str, instance: Instance, problem: str
) -> None:
    """At every tick, for every waiting job and machine where it may run; not preemptive: when the running one began."""
    known = {"guess": Fraction(7)} if name == "edf" else {}
    run = _run(instance, name, problem, **known)
    before: dict[int, int] = {}
    for moment in moments_of(run):
        for j, places in moment.waiting.items():
            for i in places:
                other = moment.running[i]
                if name not in NOT_PREEMPTIVE or before.get(i) != other:
                    keys = [_key(name, problem, instance, k, moment.left[k]) for k in (other, j)]
                    assert keys[0] < keys[1]
        before = moment.running


@pytest.mark.parametrize("name", RULES)
@settings(derandomize=True, max_examples=25, deadline=None)
@given(small_instances(), st.sampled_from(TIMED))
def test_events_and_ticks_agree(name: str, instance: Instance, problem: str) -> None:
    """A naive program that looks at every tick finds the same machines and times of completion."""
    run = _run(instance, name, problem, **({"guess": Fraction(7)} if name == "edf" else {}))

    def key(j: int, left: int) -> object:
        return _key(name, problem, instance, j, Fraction(left))

    refused = set(np.flatnonzero(~run.accepted).tolist())
    assert by_ticks(instance, key, name not in NOT_PREEMPTIVE, refused) == (
        run.dispatch.tolist(),
        run.completion.tolist(),
    )


@pytest.mark.parametrize("name", NOT_PREEMPTIVE)
@settings(derandomize=True, max_examples=25, deadline=None)
@given(small_instances())
def test_rules_without_preemption_run_each_job_in_one_piece(name: str, instance: Instance) -> None:
    """As many pieces as jobs."""
    run = _run(instance, name)
    assert run.pieces is not None
    assert sorted(run.pieces.job) == list(range(instance.n))


@pytest.mark.parametrize("name", RULES)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(small_instances(), st.sampled_from(TIMED))
def test_what_happens_before_a_release_does_not_depend_on_that_job(name: str, instance: Instance, problem: str) -> None:
    """The run of every prefix of the jobs is the same up to the next release: the rules are online."""
    whole = _run(instance, name, problem)
    for n in range(1, instance.n):
        prefix = _run(instance.restrict([j < n for j in range(instance.n)]), name, problem)
        assert taken_back(prefix, whole, immediate=False) is None


@settings(derandomize=True, max_examples=40, deadline=None)
@given(small_instances(machines=1, jobs=5))
def test_srpt_has_the_least_total_flow_time_on_one_machine(instance: Instance) -> None:
    """No choice of jobs, tick by tick, does better: brute force over all of them."""
    release = instance.release.tolist()

    @cache
    def best(now: int, left: tuple[int, ...]) -> int:
        if not any(left):
            return 0
        present = [j for j, ticks in enumerate(left) if ticks and release[j] <= now]
        waiting = len(present)
        after = [best(now + 1, (*left[:j], left[j] - 1, *left[j + 1 :])) for j in present]
        return waiting + min(after) if after else best(now + 1, left)

    assert sum(_run(instance, "srpt").flow.tolist()) == best(0, tuple(instance.size.tolist()))


@pytest.mark.parametrize("problem", TIMED)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(small_instances(machines=1, jobs=6), st.sampled_from([0, Fraction(1, 2), 3]))
def test_edf_is_in_time_on_one_machine_if_the_guess_is_at_least_the_optimum(
    problem: str, instance: Instance, more: Fraction
) -> None:
    """With T = T* its objective is T*, with a larger T it is at most T."""
    known = optimum(instance, Weights.objective(problem, instance))
    assert known.optimal
    least = Fraction(known.lower)
    objective = _run(instance, "edf", problem, guess=least + more).objective
    assert least <= objective <= least + more


@settings(derandomize=True, max_examples=30, deadline=None)
@given(small_instances(machines=1))
def test_greedy_and_fifo_are_the_same_on_one_machine_and_optimal_for_max_flow(instance: Instance) -> None:
    """There is nothing to choose, and first in, first out has the least maximum flow time."""
    greedy, fifo = _run(instance, "greedy"), _run(instance, "fifo")
    assert greedy.completion.tolist() == fifo.completion.tolist()
    assert greedy.objective == optimum(instance).lower


@settings(derandomize=True, max_examples=30, deadline=None)
@given(small_instances(jobs=7))
def test_fifo_on_equal_machines_is_within_three_of_the_optimum(instance: Instance) -> None:
    """At most `3 - 2/m` times the least maximum flow time, if all jobs may run everywhere."""
    rows = [Row(job.id, job.release, job.size) for job in instance.jobs()]
    equal = Instance.from_rows(instance.machines, rows)
    assert _run(equal, "fifo").objective <= (3 - Fraction(2, equal.machines)) * optimum(equal).upper.value


@settings(derandomize=True, max_examples=30, deadline=None)
@given(small_instances(machines=4, jobs=10))
def test_greedy_load_is_within_a_logarithm_of_the_optimum(instance: Instance) -> None:
    """At most `ceil(log2 m) + 1` times the least maximum load."""
    least = load_bracket(instance, "exact", None).upper
    assert _run(instance, "greedy-load", "load").objective <= (ceil_log2(instance.machines) + 1) * least


def _sizes_over(instance: Instance, speed: Fraction) -> Instance:
    rows = [
        Row(job.id, job.release, job.size / speed, job.eligible, job.flow_weight, job.rejection_weight)
        for job in instance.jobs()
    ]
    return Instance.from_rows(instance.machines, rows)


@pytest.mark.parametrize("name", ["greedy", *RULES])
@settings(derandomize=True, max_examples=15, deadline=None)
@given(small_instances(), st.sampled_from(TIMED), st.sampled_from(SPEEDS))
def test_a_run_at_a_speed_is_the_run_of_jobs_that_are_shorter(
    name: str, instance: Instance, problem: str, speed: Fraction
) -> None:
    """Reading p/speed from a file and running at speed 1 gives the same dispatch and the same times of completion."""
    fast, short = faster(instance, speed), _sizes_over(instance, speed)
    assert fast == short.refined(int(short.tick / fast.tick))
    run, other = play_at_speed(instance, find(name, problem), HALF, speed), _run(fast, name, problem)
    assert run.dispatch.tolist() == other.dispatch.tolist()
    assert run.completion[run.accepted].tolist() == [
        end * fast.tick for end in other.completion[other.accepted].tolist()
    ]
    scale = speed if problem == "stretch" else 1 / fast.tick
    assert run.objective * scale == other.objective
    assert [guess * scale for guess in run.guesses] == list(other.guesses)


@settings(derandomize=True, max_examples=20, deadline=None)
@given(small_instances(two_weights=False), st.sampled_from(SPEEDS))
def test_the_algorithms_of_the_paper_run_at_a_speed_too(instance: Instance, speed: Fraction) -> None:
    """A known guess means the same at any speed, and is recorded as it was given."""
    run = play_at_speed(instance, find("weighted"), HALF, speed, guess=Fraction(5), options={"alpha": Fraction(1)})
    assert run.parameters == {"guess": "5", "alpha": "1"}
    assert run.guesses == (5,)
    assert run.speed == speed


def test_speed_one_is_no_speed() -> None:
    """The run is the plain one, first in, first out."""
    run = play_at_speed(_one_machine((0, 1)), find("greedy"), HALF, 1)
    assert (run.pieces, run.per_tick, run.speed) == (None, 1, 1)


@pytest.mark.parametrize(("name", "speed"), [("fifo", Fraction(0)), ("fifo", Fraction(-1)), ("load", Fraction(2))])
def test_speeds_that_mean_nothing_are_refused(name: str, speed: Fraction) -> None:
    """A speed is positive, and load has no time."""
    with pytest.raises(InvalidInput, match="speed"):
        play_at_speed(_one_machine((0, 1)), find(name), HALF, speed)


def test_a_job_of_size_zero_is_refused_by_the_rules() -> None:
    """It would never run; instances in columns may have one."""
    empty = Instance.from_columns(1, release=[0], size=[0], eligible_set=[0], sets=[[0]])
    with pytest.raises(InvalidInput, match="zero size"):
        _run(empty, "srpt")


def test_an_algorithm_is_found_for_each_of_its_problems_and_for_no_other() -> None:
    """The same class every time; a wrong problem is refused with the right ones."""
    assert find("hdf", "weighted") is find("hdf", "weighted")
    assert find("hdf", "max-flow") is find("hdf")
    assert find("hdf", "stretch").problem == "stretch"
    for name, problem in (("hdf", "load"), ("max-flow", "weighted"), ("greedy-load", "max-flow")):
        with pytest.raises(InvalidInput, match="wrong problem"):
            find(name, problem)


NAMES = ("greedy", "greedy-load", "threshold-load", *RULES)


def test_all_baselines_are_registered() -> None:
    """Under their short names."""
    assert set(NAMES) <= set(registered())
