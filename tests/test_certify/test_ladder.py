"""The ladder of bounds: it is monotone, never crosses T*, and every rung has a certificate."""

from __future__ import annotations

from fractions import Fraction

import pytest
from weighted_optimum import weighted_optimum

from certify import check
from certify.build import certify_bounds
from certify.problems.registry import TRACKS
from lp.bound import lp_bound
from lp.flow import flow_bound
from lp.hall import hall_bound
from lp.optimum import optimum
from online.errors import InvalidInput
from online.generate import Dice, make
from online.generate.tiny import tiny_instances
from online.instance import Instance
from online.rows import Row
from online.weights import Weights


def mixed(seed: int, jobs: int, machines: int) -> Instance:
    """Sizes up to 5, releases up to 9, weights 1 to 6, any eligible sets."""
    dice = Dice(seed)
    return Instance.from_rows(
        machines,
        [
            Row(
                j, dice.below(10), 1 + dice.below(5), list(dice.subset(machines, 1 + dice.below(machines))),
                flow_weight=1 + dice.below(6),
            )
            for j in range(jobs)
        ],
    )  # fmt: skip


def climb(instance: Instance, weights: Weights) -> list[Fraction]:
    """The LP, the Hall bound, the same on the grid, the proven optimum, and a schedule."""
    program = lp_bound(instance, weights=weights)
    hall = hall_bound(instance, weights=weights)
    grid = hall_bound(instance, weights=weights, integral=True)
    found = optimum(instance, weights)
    assert hall.optimal
    return [program.lower, hall.value, grid.value, Fraction(found.lower), Fraction(found.upper.value)]


def test_the_ladder_is_monotone_and_ends_at_the_optimum() -> None:
    """LP <= Hall <= Hall on the grid <= proven = optimum by brute force, weighted, on 150 random instances."""
    strict = 0
    for seed in range(150):
        instance = mixed(seed, 1 + seed % 6, 1 + seed % 3)
        weights = Weights.flow(instance)
        rungs = climb(instance, weights)
        assert rungs == sorted(rungs), seed
        assert rungs[-2] == rungs[-1] == weighted_optimum(instance, weights), seed
        strict += rungs[0] < rungs[1]
    assert strict >= 10


def test_the_forms_agree_exactly_on_every_instance_of_three_jobs() -> None:
    """Two machines, sizes and releases up to 2: flow = lindley, Hall >= both, and none is above the proven optimum."""
    for jobs in (1, 2, 3):
        for instance in tiny_instances(jobs):
            agree(instance)


@pytest.mark.slow
def test_the_forms_agree_exactly_on_every_instance_of_four_jobs() -> None:
    """The same with four jobs, and with the textbook form."""
    for instance in tiny_instances(4):
        exact = agree(instance)
        printed = lp_bound(instance, "textbook")
        assert printed.lower == printed.upper == exact


def two_weights() -> Instance:
    """Three jobs of two weights and two sizes."""
    return Instance.from_rows(2, [Row(j, 0, 1 + j % 2, flow_weight=1 + j % 2) for j in range(3)])


def agree(instance: Instance) -> Fraction:
    """The LP value, the same by all forms; equal weights, so that the Hall bound is the LP or the largest job."""
    flow, lindley = flow_bound(instance), lp_bound(instance, "lindley")
    assert flow.optimal
    assert lindley.lower == lindley.upper == flow.lower
    hall, grid = hall_bound(instance), hall_bound(instance, integral=True)
    assert hall.value == max(flow.lower, *instance.size.tolist())
    found = optimum(instance)
    assert hall.value <= grid.value <= found.lower == found.upper.value
    return flow.lower


@pytest.mark.parametrize("problem", ["max-flow", "weighted", "stretch", "load"])
def test_every_rung_is_accepted_by_the_checker(problem: str) -> None:
    """Whatever the method, all its bounds from below and the one from above make one accepted certificate."""
    for seed in range(6):
        instance = mixed(seed, 7, 3)
        if seed == 0:
            instance = instance.with_unit_size(2)
        several = problem in ("weighted", "stretch")
        for method in TRACKS[problem].methods:
            if method == "flow" and several:
                with pytest.raises(InvalidInput):
                    TRACKS[problem].bracket(two_weights(), method)
                continue
            found = TRACKS[problem].bracket(instance, method)
            bounds = [rung.bound for rung in found.rungs]
            verdict = check.check_document(certify_bounds(instance, problem, bounds, found.upper))
            assert verdict.verdict == "accepted", (seed, method, verdict)
            assert found.lower is not None
            assert found.lower.value <= found.upper.value
            if method in ("best", "exact"):
                assert found.lower.value == found.upper.value


@pytest.mark.parametrize("seed", range(8))
def test_a_planted_optimum_is_found(seed: int) -> None:
    """The weighted generator's optimum is bracketed, and met from both sides on instances of 12 jobs."""
    instance, known = make("planted-weighted", seed=seed, jobs=12, machines=3)
    assert known is not None
    found = TRACKS["weighted"].bracket(instance, "best")
    assert found.lower is not None
    assert found.lower.value == found.upper.value == Fraction(known["optimum"])


@pytest.mark.parametrize("seed", range(4))
def test_a_planted_optimum_of_many_jobs_is_bracketed(seed: int) -> None:
    """With 300 jobs the Hall bound reaches the planted optimum, and no schedule is below it."""
    instance, known = make("planted-weighted", seed=seed, jobs=300, machines=6)
    assert known is not None
    found = TRACKS["weighted"].bracket(instance, "hall")
    assert found.lower is not None
    assert found.lower.value == Fraction(known["optimum"]) <= found.upper.value
