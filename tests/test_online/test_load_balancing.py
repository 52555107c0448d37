"""The load-balancing algorithms of section 5: decisions, witnesses, late rejections, doubling."""

from __future__ import annotations

from fractions import Fraction

import pytest

from online.errors import InvalidInput
from online.generate import Dice
from online.generate.tournaments import general, narrowing, tournament, unit
from online.instance import Instance
from online.load_balancing.general import GroupedLoad, size_class
from online.load_balancing.one_class import BoundedLoad, UnitLoad
from online.play import play
from online.rows import Row
from online.run import LateRejection, Phase, Run


def _one_machine(sizes: list[object]) -> Instance:
    return Instance.from_rows(1, [Row(k, 0, p) for k, p in enumerate(sizes)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("epsilon", "unit_levels", "bounded_levels", "class_levels", "groups"),
    [("1", 2, 2, 4, 3), ("1/2", 3, 4, 6, 4), ("1/4", 4, 6, 8, 5), ("1/3", 4, 6, 8, 5), ("1/8", 5, 8, 10, 6)],
)
def test_constants(epsilon: str, unit_levels: int, bounded_levels: int, class_levels: int, groups: int) -> None:
    """alpha = log(1/eps) + 2, 2 log(1/eps) + 2; general sizes use eps/2; logarithms are rounded up."""
    value = Fraction(epsilon)
    assert (UnitLoad.levels(value), BoundedLoad.levels(value)) == (unit_levels, bounded_levels)
    assert (GroupedLoad.levels(value), GroupedLoad.groups(value)) == (class_levels, groups)


def test_a_machine_fills_up_to_alpha_t() -> None:
    """Epsilon 1/2: three levels of height 2 take six unit jobs; the seventh is rejected."""
    run = play(_one_machine([1] * 7), UnitLoad, Fraction(1, 2), guess=Fraction(2))
    assert run.dispatch.tolist() == [0] * 6 + [-1]
    assert (run.objective, run.loads) == (6, [6])


def test_volume_counts_for_sizes_within_a_factor_two() -> None:
    """Epsilon 1, alpha 2, T = 1: loads 0, 3/4, 3/2 are below 2, load 9/4 is not."""
    run = play(_one_machine(["3/4"] * 4), BoundedLoad, Fraction(1), guess=Fraction(4))
    assert run.instance.tick == Fraction(1, 4)
    assert run.dispatch.tolist() == [0, 0, 0, -1]


@pytest.mark.parametrize(("algorithm", "sizes"), [(UnitLoad, [1, 2]), (BoundedLoad, [1, 2]), (BoundedLoad, ["0.5", 1])])
def test_sizes_that_differ_too_much_are_refused(algorithm: type[UnitLoad], sizes: list[object]) -> None:
    """Sizes in [1,2) means that 2 is out."""
    with pytest.raises(InvalidInput, match="load"):
        play(_one_machine(sizes), algorithm, Fraction(1, 2))


@pytest.mark.parametrize(
    ("size", "name"), [("1", 0), ("1.999", 0), ("2", 1), ("0.5", -1), ("0.49", -2), ("1e-6", -20), ("1e6", 19)]
)
def test_classes_may_be_negative(size: str, name: int) -> None:
    """Class k holds the sizes in [2^k, 2^(k+1)), measured in the input's unit whatever the tick is."""
    value = Fraction(size)
    for tick in (Fraction(1, 10**6), Fraction(1, 3 * 10**9)):
        assert size_class(int(value / tick), tick) == name


def test_stage_2_removes_the_largest_and_stage_1_does_not_notice() -> None:
    """Epsilon 1, alpha 4, delta 3, T = 1, cap 8: forty jobs of 1/8 and four of 1 weigh 9; one job of 1 goes, the last.

    Classes -3 and 0 are of one group. Stage 1 still sees load 4 of class 0, so the fifth job of size 1 is rejected.
    """
    sizes: list[object] = ["1/8"] * 32 + [1] * 4 + ["1/8"] + [1]
    run = play(_one_machine(sizes), GroupedLoad, Fraction(1), guess=Fraction(8))
    assert run.dispatch.tolist() == [0] * 36 + [-1] * 2
    assert run.late == ()
    sizes = ["1/8"] * 31 + ["5/32"] + [1] * 4
    run = play(_one_machine(sizes), GroupedLoad, Fraction(1), guess=Fraction(32))
    assert run.late == (LateRejection(35, 35),)
    assert run.objective * run.instance.tick == 8 - 1 + Fraction(1, 32)


def _naive(instance: Instance, epsilon: Fraction, guess: Fraction) -> tuple[list[int], set[int]]:
    """A second program: all loads are summed anew each time, the kept jobs sorted anew each time."""
    alpha, delta = GroupedLoad.levels(epsilon), GroupedLoad.groups(epsilon)
    dispatch: list[int] = []
    gone: set[int] = set()
    jobs = list(instance.jobs())
    names = [size_class(job.size, instance.tick) for job in jobs]
    for job in jobs:
        mine = [k for k in range(job.position) if names[k] == names[job.position]]
        loads = {i: sum(jobs[k].size for k in mine if dispatch[k] == i) for i in job.eligible}
        best = min(job.eligible, key=lambda i: (loads[i], i))
        if loads[best] >= alpha * guess:
            dispatch.append(-1)
            continue
        dispatch.append(best)
        group = [k for k in range(job.position + 1) if (names[k] - names[job.position]) % delta == 0]
        kept = sorted((jobs[k].size, k) for k in group if dispatch[k] == best and k not in gone)
        while sum(size for size, _ in kept) > 2 * alpha * guess:
            gone.add(kept.pop()[1])
    return dispatch, gone


def test_the_general_algorithm_agrees_with_a_naive_program() -> None:
    """Same dispatch and same late rejections on 600 instances with sizes over nine orders of magnitude."""
    dice, late, rejected = Dice(3), 0, 0
    for _ in range(600):
        instance = narrowing(dice, 1 + dice.below(3), 4 + dice.below(22), general)
        epsilon = (Fraction(1), Fraction(1, 2), Fraction(1, 3))[dice.below(3)]
        guess = Fraction(max(instance.size.tolist()), 1 + dice.below(60))
        run = play(instance, GroupedLoad, epsilon, guess=guess)
        dispatch, gone = _naive(instance, epsilon, guess)
        assert run.dispatch.tolist() == dispatch
        assert {one.job for one in run.late} == gone
        late += len(gone) > 0
        rejected += -1 in dispatch
    assert late > 100
    assert rejected > 20


def test_ticks_do_not_matter() -> None:
    """The same instance in finer ticks runs the same way."""
    dice = Dice(9)
    for _ in range(50):
        instance = narrowing(dice, 3, 15, general)
        one, two = (play(each, GroupedLoad, Fraction(1, 2)) for each in (instance, instance.refined(7)))
        assert (one.dispatch.tolist(), one.late) == (two.dispatch.tolist(), two.late)


@pytest.mark.parametrize(("algorithm", "size"), [(UnitLoad, unit), (GroupedLoad, general)])
def test_the_budget_holds_at_every_prefix_of_a_doubling_run(algorithm: type[UnitLoad], size: object) -> None:
    """Early and late rejections together stay within epsilon after every arrival."""
    dice, with_rejections = Dice(17), 0
    for _ in range(400):
        instance = narrowing(dice, 1 + dice.below(4), 1 + dice.below(20), size)  # type: ignore[arg-type]
        epsilon = (Fraction(1), Fraction(1, 2), Fraction(1, 4))[dice.below(3)]
        run = play(instance, algorithm, epsilon)
        assert all(rejected <= epsilon * (k + 1) for k, rejected in enumerate(run.rejections()))
        with_rejections += run.rejected_count > 0
    assert with_rejections > 40


def test_a_phase_may_end_at_a_late_rejection() -> None:
    """The decision of the ended phase for the job at hand is kept; its late rejections do not take place."""
    run = play(_one_machine([1, 100, 1]), GroupedLoad, Fraction(1, 4))
    assert run.phases[0] == Phase(Fraction(1), 0, 1, True, 0)
    assert run.dispatch.tolist() == [0, 0, 0]
    assert run.late == ()


def test_a_tournament_fills_one_machine_although_the_optimum_is_one_job_each() -> None:
    """2^k machines, pairs of equally loaded ones: the winner of k rounds gets k jobs, T* = 1."""
    instance = tournament(5)
    run = play(instance, UnitLoad, Fraction(1, 8), guess=Fraction(1))
    assert (run.objective, run.rejected_count, instance.n) == (5, 0, 31)


def test_objectives_of_a_hand_made_run() -> None:
    """Late and early rejections do not count in loads."""
    instance = Instance.from_rows(2, [Row(k, 0, p) for k, p in enumerate([5, 3, 2, 7])])
    run = Run(
        instance,
        "load",
        "example",
        Fraction(1),
        play(instance, GroupedLoad, Fraction(1), guess=Fraction(100)).dispatch,
        (),
        (LateRejection(3, 3),),
    )
    assert run.loads == [8, 2]
    assert (run.objective, run.rejected_count, list(run.rejections())) == (8, 1, [0, 0, 0, 1])


@pytest.mark.parametrize("algorithm", [UnitLoad, BoundedLoad, GroupedLoad])
def test_alpha_can_be_given(algorithm: type[UnitLoad] | type[GroupedLoad]) -> None:
    """With alpha = 1 a machine that holds T is full; the run and its witness know it, and the proven one is default."""
    four = Instance.from_rows(1, [Row(k, 0, 1) for k in range(8)])
    guess, epsilon, given = Fraction(2), Fraction(1, 2), {"alpha": Fraction(1)}
    run = play(four, algorithm, epsilon, guess=guess, options=given)
    assert run.dispatch.tolist() == [0] * 2 + [-1] * 6
    assert run.parameters == {"guess": "2", "alpha": "1"}
    witness = algorithm.explain(run, run.phases[0])
    assert witness is not None
    assert witness.alpha == 1
    proven = {"alpha": Fraction(algorithm.levels(epsilon))}
    runs = [play(four, algorithm, epsilon, guess=guess, options=options) for options in ({}, proven)]
    assert runs[0].dispatch.tolist() == runs[1].dispatch.tolist()
    for bad in (Fraction(0), Fraction(3, 2)):
        with pytest.raises(InvalidInput, match="--alpha: out of range"):
            play(four, algorithm, epsilon, guess=guess, options={"alpha": bad})
