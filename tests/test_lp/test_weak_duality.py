from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE, families, instances
from weighted_optimum import weighted, weighted_families, weighted_optimum

from lp.clusters import strongest_cluster
from lp.optimum import brute_force_optimum
from lp.weak_duality import Violation, largest_duals, lower_bound, tightened, violations
from online.errors import FalseClaim, InvalidInput
from online.family import IntervalFamily
from online.instance import Instance
from online.rows import Row
from online.weights import Weights


@st.composite
def claims(draw, per_tick: int = 1):
    """An instance and a family on its machines."""
    instance = draw(instances(least=1))
    return instance, draw(families(instance.machines, per_tick))


def counted_directly(instance: Instance, family: IntervalFamily) -> list[int]:
    """The largest duals by their definition: every interval against every job."""
    return [
        min(
            sum(one.multiplicity for one in family if one.machine == i and one.start <= job.release <= one.end)
            for i in job.eligible
        )
        for job in instance.jobs()
    ]


@REPRODUCIBLE
@given(st.one_of(claims(), claims(per_tick=3)))
def test_the_sweep_counts_as_the_definition_does(claim):
    """Largest duals by sweep equal those by comparing every closed interval with every release."""
    instance, family = claim
    assert largest_duals(instance, family) == counted_directly(instance, family)


@REPRODUCIBLE
@given(claims())
def test_any_family_bounds_the_optimum_from_below(claim):
    """Lemma 6.1: whatever the family, its bound is at most the optimum found by brute force."""
    instance, family = claim
    assert lower_bound(instance, family) <= brute_force_optimum(instance).value


@REPRODUCIBLE
@given(claims(), st.data())
def test_smaller_duals_give_smaller_bounds(claim, data):
    """Any alpha between 0 and the largest duals is feasible, and its bound is no larger."""
    instance, family = claim
    largest = largest_duals(instance, family)
    alpha = [data.draw(st.fractions(0, a, max_denominator=4)) for a in largest]
    assert violations(instance, family, alpha) == []
    assert lower_bound(instance, family, alpha) <= lower_bound(instance, family, largest)


@REPRODUCIBLE
@given(st.one_of(claims(), claims(per_tick=2)))
def test_tightening_keeps_the_duals_and_never_weakens(claim):
    """A tightened family has the same largest duals, whole ticks, and no weaker bound (or both <= 0)."""
    instance, family = claim
    tight = tightened(instance, family)
    assert tight.per_tick == 1
    assert largest_duals(instance, tight) == largest_duals(instance, family)
    assert max(0, lower_bound(instance, tight)) >= max(0, lower_bound(instance, family))
    releases = [{job.release for job in instance.jobs() if i in job.eligible} for i in range(instance.machines)]
    assert all({one.start, one.end} <= releases[one.machine] for one in tight)


def test_half_ticks_decide_exactly():
    """With two ticks of 1/2, [0, 1/2] does not contain a release at 1 and [0, 1] does."""
    instance = Instance.from_rows(1, [Row("a", 0, 2), Row("b", 1, 2)])
    assert largest_duals(instance, IntervalFamily.of([(0, 1, 0, 1)], per_tick=2)) == [1, 0]
    assert largest_duals(instance, IntervalFamily.of([(0, 1, 0, 2)], per_tick=2)) == [1, 1]
    assert lower_bound(instance, IntervalFamily.of([(0, 1, 0, 1)], per_tick=2)) == Fraction(3, 2)


def test_tightening_rounds_inwards():
    """[1/2, 3/2] counts only the release at 1, so it shrinks to [1, 1]; [1/2, 1/2] counts nobody and goes."""
    instance = Instance.from_rows(1, [Row(t, t, 1) for t in range(3)])
    tight = tightened(instance, IntervalFamily.of([(0, 4, 1, 3), (0, 5, 1, 1)], per_tick=2))
    assert [one[:4] for one in tight] == [(0, 4, 1, 1)]


TWO = Instance.from_rows(2, [Row("a", 0, 3), Row("b", 2, 3, [1])], machine_names=["fast", "slow"])
FAMILY = IntervalFamily.of([(0, 1, 0, 2), (1, 1, 0, 0)])


def test_too_large_a_dual_is_a_false_claim_that_names_its_place():
    """The message names the job, the machine and the deficit; `violations` lists every such pair."""
    with pytest.raises(FalseClaim, match="job 'b' claims alpha = 1/2, but machine slow has 1/2 fewer"):
        lower_bound(TWO, FAMILY, [1, Fraction(1, 2)])
    assert violations(TWO, FAMILY, [3, 1]) == [Violation(0, 0, 2), Violation(0, 1, 2), Violation(1, 1, 1)]


def test_a_negative_dual_is_a_false_claim():
    """Duals are prices: they are not negative."""
    with pytest.raises(FalseClaim, match="job 'b' claims alpha = -1, which is negative"):
        lower_bound(TWO, FAMILY, [1, -1])


@pytest.mark.parametrize("alpha", [[1], [1, 0.5], [1, True]])
def test_duals_are_exact_and_one_a_job(alpha):
    """A missing, a floating-point or a boolean dual is bad input."""
    with pytest.raises(InvalidInput, match="alpha"):
        lower_bound(TWO, FAMILY, alpha)


@pytest.mark.parametrize(
    ("family", "what"),
    [
        (IntervalFamily.of([(0, 1, 5, 3)]), "ends before it starts"),
        (IntervalFamily.of([(2, 1, 0, 3)]), "machine that does not exist"),
        (IntervalFamily.of([(-1, 1, 0, 3)]), "machine that does not exist"),
        (IntervalFamily.of([(0, 1, 0, 3)], multiplicity=[-1]), "negative multiplicity"),
        (IntervalFamily.of([(0, 1, 0, 3)], per_tick=0), "bad per_tick"),
    ],
)
@pytest.mark.parametrize("use", [largest_duals, lower_bound, tightened])
def test_malformed_intervals_never_become_a_bound(family, what, use):
    """An interval of negative length would raise the bound, so it is refused, like other malformed families."""
    with pytest.raises(InvalidInput, match=what):
        use(TWO, family)


def test_no_intervals_bound_nothing():
    """The empty family gives 0, and the empty instance has no duals."""
    assert lower_bound(TWO, IntervalFamily.of([])) == 0
    nobody = Instance.from_rows(2, [])
    assert (largest_duals(nobody, FAMILY), lower_bound(nobody, FAMILY)) == ([], -1)


def test_times_beyond_64_bits_stay_exact():
    """Ticks of 10^30 and neighbours 1 apart are told apart, where floats would merge them."""
    far = 10**30
    instance = Instance.from_rows(1, [Row("a", far, 1), Row("b", far + 1, 1)])
    family = IntervalFamily.of([(0, 1, far, far)])
    assert largest_duals(instance, family) == [1, 0]
    assert lower_bound(instance, family) == 1


# ---------------------------------------------------------------------- weights (Lemma 6.6)
@st.composite
def weighted_claims(draw, per_tick: int = 1):
    """An instance with weights and a weighted family on its machines."""
    instance, weights = draw(weighted(least=1))
    return instance, weights, draw(weighted_families(instance.machines, weights, per_tick))


@REPRODUCIBLE
@given(st.one_of(weighted_claims(), weighted_claims(per_tick=3)))
def test_the_sweep_counts_weights_as_the_definition_does(claim):
    """An interval counts a job released in it if the job's weight is at least the interval's."""
    instance, weights, family = claim
    directly = [
        min(
            sum(
                one.multiplicity
                for one in family
                if one.machine == i and one.start <= job.release <= one.end and one.weight <= weights[job.position]
            )
            for i in job.eligible
        )
        for job in instance.jobs()
    ]
    assert largest_duals(instance, family, weights=weights) == directly
    assert violations(instance, family, directly, weights=weights) == []
    above = [dual + 1 for dual in directly]
    assert {wrong.job for wrong in violations(instance, family, above, weights=weights)} == set(range(instance.n))


@REPRODUCIBLE
@given(weighted_claims())
def test_any_weighted_family_bounds_the_optimum_from_below(claim):
    """Lemma 6.6: whatever the family, its bound is at most the least max w_j F_j, found by trying every dispatch."""
    instance, weights, family = claim
    assert lower_bound(instance, family, weights=weights) <= weighted_optimum(instance, weights)


@REPRODUCIBLE
@given(st.one_of(weighted_claims(), weighted_claims(per_tick=2)))
def test_tightening_a_weighted_family_never_weakens(claim):
    """Tightened to the releases of jobs heavy enough: the same largest duals, no weaker bound (or both <= 0)."""
    instance, weights, family = claim
    tight = tightened(instance, family, weights=weights)
    assert largest_duals(instance, tight, weights=weights) == largest_duals(instance, family, weights=weights)
    assert max(0, lower_bound(instance, tight, weights=weights)) >= max(
        0, lower_bound(instance, family, weights=weights)
    )
    for one in tight:
        jobs = [j for j in instance.jobs() if one.machine in j.eligible and weights[j.position] >= one.weight]
        assert {one.start, one.end} <= {job.release for job in jobs}


@REPRODUCIBLE
@given(st.one_of(weighted_claims(), weighted_claims(per_tick=2)))
def test_the_strongest_cluster_bounds_as_much_as_the_whole(claim):
    """One part in time proves at least what the family proves, and what is reported is exactly its bound."""
    instance, weights, family = claim
    if family.count:
        part, value = strongest_cluster(instance, family, weights=weights)
        assert value == lower_bound(instance, part, weights=weights) >= lower_bound(instance, family, weights=weights)


@REPRODUCIBLE
@given(weighted_claims())
def test_lower_weights_give_valid_bounds(claim):
    """A family's bound for coarse weights is at most its optimum, which is at most that for the true weights."""
    instance, weights, family = claim
    coarse = weights.coarse(1)
    assert lower_bound(instance, family, weights=coarse) <= weighted_optimum(instance, coarse)
    assert weighted_optimum(instance, coarse) <= weighted_optimum(instance, weights)


def test_heavy_jobs_divide_by_little():
    """Three unit jobs of weight 4 at once cost 12; as an interval for weight 1 they prove no more than 3."""
    instance, weights = Instance.from_rows(1, [Row(j, 0, 1) for j in range(3)]), Weights.of([4, 4, 4])
    for threshold, bound in ((4, 12), (Fraction(5, 2), Fraction(15, 2)), (1, 3), (5, 0)):
        family = IntervalFamily.of([(0, 0, 0, 0)], weights=(threshold,))
        assert lower_bound(instance, family, weights=weights) == bound


@pytest.mark.parametrize(
    ("classes", "listed", "what"),
    [([1], (1,), "not listed"), ([0], (0,), "bad weights"), ([0], (2, 2), "bad weights"), ([-1], (1,), "not listed")],
)
def test_malformed_weights_never_become_a_bound(classes, listed, what):
    """Weights of a family are listed, positive and ascending."""
    with pytest.raises(InvalidInput, match=what):
        lower_bound(TWO, IntervalFamily.of([(0, 1, 0, 2)], weight_class=classes, weights=listed))
    with pytest.raises(InvalidInput, match="got 1 weights, expected 2"):
        lower_bound(TWO, FAMILY, weights=Weights.of([1]))


def test_a_false_weighted_claim_names_the_weight():
    """The deficit of a job that is too light for an interval is reported with its weight."""
    family = IntervalFamily.of([(0, 0, 0, 9), (1, 0, 0, 9)], weights=(2,))
    with pytest.raises(FalseClaim, match=r"1 fewer .* its release 0 and .* weights of at most 1"):
        lower_bound(TWO, family, [1, 1], weights=Weights.of([1, 2]))
