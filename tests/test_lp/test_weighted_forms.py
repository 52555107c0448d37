from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE, instances
from weighted_optimum import WEIGHTS, weighted, weighted_optimum

from lp.backend import GE, LinearProgram, solve
from lp.bound import lp_bound
from lp.chains import Chains
from lp.counted import Counted, interval_rows
from lp.lindley import solve_lindley
from lp.merged import Merged
from lp.textbook import readable, solve_dual, solve_primal
from lp.weak_duality import lower_bound
from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.weights import Weights

SOLVERS = [solve_primal, solve_dual, solve_lindley]


def full_form(instance: Instance, weights: Weights) -> float:
    """The LP over every machine, two release times and weight, counted or not; written without the package."""
    jobs = list(instance.jobs())
    column = {pair: k for k, pair in enumerate(((j.position, i) for j in jobs for i in j.eligible), start=1)}
    rows = [({column[j.position, i]: 1.0 for i in j.eligible}, GE, 1.0) for j in jobs]
    ends = itertools.combinations_with_replacement(sorted({j.release for j in jobs}), 2)
    for i, (s, e), w in itertools.product(range(instance.machines), list(ends), weights.values):
        inside = {
            column[j.position, i]: -float(j.size)
            for j in jobs
            if i in j.eligible and s <= j.release <= e and weights[j.position] >= w
        }
        rows.append(({0: float(1 / Fraction(w)), **inside}, GE, float(s - e)))
    solution = solve(LinearProgram.of([1.0, *[0.0] * len(column)], rows)).optimal("full form")
    assert solution.objective is not None
    return solution.objective


def assert_all_forms_agree(instance: Instance, weights: Weights) -> None:
    """Brackets meet, are points, equal the full enumeration, and their certificates are at most the optimum."""
    brackets = [form(instance, weights=weights) for form in SOLVERS]
    optimum, full = weighted_optimum(instance, weights), full_form(instance, weights)
    for one in brackets:
        assert one.width == 0
        assert one.lower == brackets[0].lower == lower_bound(instance, one.family, weights=weights)
        assert one.lower <= optimum
        assert float(one.lower) == pytest.approx(full, abs=1e-6)
        assert one.value == pytest.approx(full, abs=1e-6)


@settings(REPRODUCIBLE, max_examples=120)
@given(weighted())
def test_every_form_has_the_same_value_whatever_the_weights(case):
    """Textbook primal = dual = Lindley = the LP over all weighted intervals, exactly (Lemma 6.6, facts 2 and 3)."""
    assert_all_forms_agree(*case)


JOBS = list(itertools.product(range(3), (1, 2), ([0], [1], [0, 1]), (1, 2, 4)))


def small_cases(most: int):
    """All instances of up to `most` jobs on 2 machines: releases to 2, sizes 1 and 2, weights 1, 2 and 4."""
    for n in range(1, most + 1):
        yield from itertools.combinations_with_replacement(JOBS, n)


def assert_agrees(jobs) -> None:
    rows = [Row(j, release, size, chosen, weight) for j, (release, size, chosen, weight) in enumerate(jobs)]
    instance = Instance.from_rows(2, rows)
    assert_all_forms_agree(instance, Weights.flow(instance))


def test_every_form_agrees_on_small_instances():
    """Every 401st of the 29 315 instances of up to 3 jobs, in order."""
    for jobs in itertools.islice(small_cases(3), 0, None, 401):
        assert_agrees(jobs)


@pytest.mark.slow
def test_every_form_agrees_on_all_small_instances():
    """All 29 315 instances of up to 3 jobs, and every 997th of those of 4."""
    for jobs in small_cases(3):
        assert_agrees(jobs)
    for jobs in itertools.islice(itertools.combinations_with_replacement(JOBS, 4), 0, None, 997):
        assert_agrees(jobs)


@REPRODUCIBLE
@given(instances(least=1), st.sampled_from(WEIGHTS))
def test_one_weight_scales_the_value(instance, weight):
    """If all jobs weigh w, the LP value is w times that without weights, in every form."""
    for form in SOLVERS:
        assert form(instance, weights=Weights.of([weight] * instance.n)).lower == weight * form(instance).lower


@REPRODUCIBLE
@given(weighted(least=1), st.integers(1, 3))
def test_lowered_weights_give_certificates_for_the_true_ones(case, most):
    """With few classes the family bounds the same for lowered and true weights, and says whether it lowered."""
    instance, weights = case
    found = lp_bound(instance, weights=weights, most_classes=most)
    assert found.lower == lower_bound(instance, found.family, weights=weights)
    assert found.lower <= lp_bound(instance, weights=weights).lower
    assert found.lowered == (weights.classes > most)
    assert found.classes == weights.coarse(most).classes


@REPRODUCIBLE
@given(weighted(least=1))
def test_the_intervals_of_one_weight_are_laminar(case):
    """The Lindley form's intervals on a machine for one weight are nested or disjoint, with ends at releases."""
    instance, weights = case
    family = solve_lindley(instance, weights=weights).family
    for one, other in itertools.combinations(family, 2):
        if (one.machine, one.weight) == (other.machine, other.weight):
            (a, b), (c, d) = sorted([(one.start, one.end), (other.start, other.end)])
            assert b < c or d <= b or a == c


@REPRODUCIBLE
@given(weighted(least=1))
def test_the_rows_are_counted_before_they_are_built(case):
    """`interval_rows` refuses below the number of rows; no two of them count the same pairs."""
    instance, weights = case
    counted = Counted.of(instance)
    rows = interval_rows(counted, 10**6, weights)
    assert (
        len({(row.machine, tuple(row.pairs)) for row in rows})
        == len(rows)
        == len(interval_rows(counted, len(rows), weights))
    )
    with pytest.raises(Exception, match=f"has {len(rows)} interval rows"):
        interval_rows(counted, len(rows) - 1, weights)
    for row in rows:
        members = [int(counted.job[k]) for k in row.pairs]
        assert min(weights[j] for j in members) == weights.values[row.weight_class]
        assert {row.start, row.end} <= {int(instance.release[j]) for j in members}


def test_jobs_of_other_weights_are_not_merged():
    """Jobs of one release and eligible set add up only if they weigh the same."""
    instance = Instance.from_rows(1, [Row(j, 0, 1) for j in range(4)])
    merged = Merged.of(instance, Weights.of([1, 4, 1, 9]))
    assert (merged.instance.size.tolist(), merged.weights.tolist()) == ([2, 1, 1], [1, 4, 9])


def test_a_machine_has_chains_for_the_weights_on_it_only():
    """A machine with heavy jobs only needs no chain for light ones: its rows would be implied."""
    instance = Instance.from_rows(2, [Row("light", 0, 1, [0]), Row("heavy", 1, 1)])
    chains = Chains.of(Merged.of(instance, Weights.of([1, 4])))
    chain = zip(chains.weight_class.tolist(), chains.machine.tolist(), chains.rank.tolist(), strict=True)
    assert list(chain) == [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1)]


def test_heavy_jobs_wait_for_none_but_heavy_ones():
    """A heavy job released with many light ones: the LP lets it go first, so the light ones set the value."""
    rows = [Row("light", 0, 9), Row("heavy", 1, 1)]
    bound = lp_bound(Instance.from_rows(1, rows), weights=Weights.of([1, 5]))
    assert bound.lower == bound.upper == 9
    bound = lp_bound(Instance.from_rows(1, rows), weights=Weights.of([1, 10]))
    assert bound.lower == bound.upper == 10


@pytest.mark.parametrize("unit", [Fraction(1, 10**30), 1, 10**30, 10**400])
def test_only_ratios_of_weights_matter(unit):
    """Weights of order 10^-30, 10^30 or beyond floats are as good as weights near 1."""
    instance = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 0, 2), Row("c", 1, 2)])
    for form in SOLVERS:
        bound = form(instance, weights=Weights.of([unit, 4 * unit, 2 * unit]))
        assert bound.lower == bound.upper == 8 * unit


@pytest.mark.parametrize("form", SOLVERS)
def test_weights_too_far_apart_are_refused(form):
    """A ratio over 10^12 is bad input with a way out, not a solver error; one of 10^12 is solved."""
    instance = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 0, 2)])
    assert form(instance, weights=Weights.of([1, 10**12])).lower == 2 * 10**12
    with pytest.raises(InvalidInput, match=r"too far apart for a solver.*leave the lightest jobs out"):
        form(instance, weights=Weights.of([1, 10**12 + 1]))


def test_sizes_beyond_64_bits_are_priced_exactly():
    """The value from above does not overflow: sizes of 10^20 ticks."""
    instance = Instance.from_rows(2, [Row("a", 0, 10**20), Row("b", 0, 10**20), Row("c", 0, 10**20)])
    bound = lp_bound(instance, weights=Weights.of([2, 2, 2]))
    assert bound.lower == bound.upper == 3 * 10**20


def test_weighted_programs_are_printed_as_in_lemma_6_6():
    """T is divided by the weight of the row; the last row of the dual prices b at 1/weight."""
    instance = Instance.from_rows(1, [Row("a", 0, 2), Row("b", 3, 1)])
    weights = Weights.of([4, Fraction(2, 3)])
    assert readable(instance, "primal", weights=weights).splitlines() == [
        "minimise  T",
        "subject to",
        "  3/2 T >= 2 x[a,1] + x[b,1] - 3     interval [0, 3] on machine 1, weight 2/3 or more",
        "  3/2 T >= x[b,1]                    interval [3, 3] on machine 1, weight 2/3 or more",
        "  T/4 >= 2 x[a,1]                    interval [0, 0] on machine 1, weight 4 or more",
        "  x[a,1] >= 1                        job a",
        "  x[b,1] >= 1                        job b",
        "  T, x >= 0",
    ]
    assert "  3/2 b[0..3,1,2/3] + 3/2 b[3..3,1,2/3] + 1/4 b[0..0,1,4] <= 1" in readable(
        instance, "dual", weights=weights
    )
    assert r"& T/4 \ge 2 x_{\text{a, 1}}" in readable(instance, "primal", latex=True, weights=weights)
