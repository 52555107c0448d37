from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from instances import small_unit_instances
from lp_instances import REPRODUCIBLE, families, instances
from weighted_optimum import weighted_optimum

from lp import cuts
from lp.flow import FlowBound, flow_bound
from lp.lindley import solve_lindley
from lp.optimum import brute_force_optimum, unit_optimum
from lp.queues import Queues
from lp.textbook import solve_primal
from lp.weak_duality import lower_bound
from online.errors import InvalidInput, LimitReached
from online.family import IntervalFamily
from online.generate import make
from online.instance import Instance
from online.readers import read
from online.rows import Row
from online.weights import Weights

DATA = Path(__file__).parents[3] / "shared" / "data"


def all_tiny_instances() -> Iterator[Instance]:
    """Up to three jobs on two machines, sizes and releases up to 2, in every combination."""
    kinds = list(itertools.product((0, 1, 2), (1, 2), ([0], [1], [0, 1])))
    for count in (1, 2, 3):
        for jobs in itertools.combinations_with_replacement(kinds, count):
            yield Instance.from_rows(2, [Row(j, r, p, chosen) for j, (r, p, chosen) in enumerate(jobs)])


def runs(times: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Every set of disjoint intervals with ends among ascending times."""
    if not times:
        yield []
        return
    yield from runs(times[1:])
    for k, end in enumerate(times):
        yield from ([(times[0], end), *rest] for rest in runs(times[k + 1 :]))


def best_disjoint_family(instance: Instance) -> Fraction:
    """The largest bound of all families whose intervals are disjoint on each machine; written without the package."""
    jobs = list(instance.jobs())
    chains = [runs(sorted({j.release for j in jobs if i in j.eligible})) for i in range(instance.machines)]
    best = Fraction(0)
    for chosen in itertools.product(*map(list, chains)):
        count = sum(map(len, chosen))
        covered = [j for j in jobs if all(any(s <= j.release <= e for s, e in chosen[i]) for i in j.eligible)]
        length = sum(e - s for machine in chosen for s, e in machine)
        if count:
            best = max(best, Fraction(sum(j.size for j in covered) - length, count))
    return best


def columns(family: IntervalFamily) -> list[list[int]]:
    return [family.machine.tolist(), family.start.tolist(), family.end.tolist(), family.multiplicity.tolist()]


def narrowing() -> Instance:
    """400 jobs in bursts that narrow down to a few machines: several cuts are needed."""
    return make("bursts", seed=3, jobs=400, machines=8)[0]


def test_all_tiny_instances_have_the_value_of_their_best_disjoint_family():
    """On all 1329: the value is exact, is the best of all families with covers 0 and 1, and has such a family."""
    for instance in all_tiny_instances():
        found = flow_bound(instance)
        assert found.optimal
        assert found.lower == best_disjoint_family(instance) == lower_bound(instance, found.family)
        assert found.lower <= brute_force_optimum(instance).value


def test_tiny_instances_have_the_value_of_the_program_as_printed():
    """One tiny instance in nine: the value lies in the brackets of both solver forms."""
    for instance in itertools.islice(all_tiny_instances(), 0, None, 9):
        value = flow_bound(instance).lower
        for form in (solve_primal(instance), solve_lindley(instance)):
            assert form.lower <= value <= form.upper


@REPRODUCIBLE
@given(instances(machines=5, jobs=14))
def test_the_value_lies_in_every_bracket(instance):
    """Minimum cuts agree with the solver on random instances, and the family gives exactly the value."""
    found, solved = flow_bound(instance), solve_lindley(instance)
    assert found.optimal
    assert solved.lower <= found.lower <= solved.upper
    assert found.lower == lower_bound(instance, found.family)


def test_the_value_is_at_most_the_optimum_of_unit_jobs():
    """LP <= T* on hundreds of unit instances, with equality on many."""
    pairs = [(flow_bound(one).lower, unit_optimum(one).value) for one in small_unit_instances(300, seed=5)]
    assert all(value <= optimum for value, optimum in pairs)
    assert sum(value == optimum for value, optimum in pairs) > 50


def test_both_libraries_take_the_same_steps(monkeypatch):
    """Without OR-Tools value, family and number of cuts are the same."""
    pytest.importorskip("ortools")
    several = [narrowing(), *small_unit_instances(60, seed=6), *itertools.islice(all_tiny_instances(), 0, None, 40)]
    fast = [flow_bound(one) for one in several]
    monkeypatch.setattr(cuts, "_library", lambda: None)
    for one, found in zip(several, fast, strict=True):
        pure = flow_bound(one)
        assert (pure.lower, pure.upper, pure.cuts) == (found.lower, found.upper, found.cuts)
        assert columns(pure.family) == columns(found.family)


def test_numbers_may_have_any_length():
    """With a clock up to 10^40 times finer, or an epoch of 10^60 ticks, the value grows by exactly that factor."""
    for small in [*small_unit_instances(40, seed=7), *itertools.islice(all_tiny_instances(), 0, None, 50)]:
        value = flow_bound(small).lower
        for factor in (10**6, 10**14, 10**15, 10**16, 10**17, 10**18, 10**40):
            assert flow_bound(small.refined(factor)).lower == factor * value
        for epoch in (10**18, 10**60):
            assert flow_bound(small.refined(10**6).shifted(-epoch)).lower == 10**6 * value


def test_a_gap_longer_than_any_queue_separates():
    """Two crowds 10^30 ticks apart have the value of the larger one, and its family."""
    rows = [Row(j, 0, 3) for j in range(4)] + [Row(9 + j, 10**30, 3, [0]) for j in range(3)]
    found = flow_bound(Instance.from_rows(2, rows))
    assert (found.lower, found.upper, [one[2] for one in found.family]) == (9, 9, [10**30])


def test_interchangeable_machines_count_each():
    """Seven unit jobs for three machines, some for two of them only: 7/3, with an interval on every machine."""
    instance = Instance.from_rows(4, [Row(j, 0, 1, [0, 1, 2] if j < 5 else [0, 1]) for j in range(7)])
    found = flow_bound(instance)
    assert (found.lower, found.family.machine.tolist()) == (Fraction(7, 3), [0, 1, 2])


@REPRODUCIBLE
@given(instances(machines=4, jobs=10))
def test_a_stopped_search_leaves_a_certificate(instance):
    """After any number of cuts: a true bracket, a family with exactly the lower bound, never worse than before."""
    value, stopped = flow_bound(instance).lower, [flow_bound(instance, cuts=k) for k in range(4)]
    for one in stopped:
        assert one.lower == lower_bound(instance, one.family) <= value <= one.upper
        assert one.optimal == (one.stopped == "")
    assert [one.lower for one in stopped] == sorted(one.lower for one in stopped)


def test_the_first_cut_beats_the_start():
    """Where the start is not optimal one cut gives a strictly better family, and several prove the last one."""
    instance = narrowing()
    begun, once, whole = flow_bound(instance, cuts=0), flow_bound(instance, cuts=1), flow_bound(instance)
    assert begun.lower < once.lower == lower_bound(instance, once.family) <= whole.lower == whole.upper
    assert (begun.stopped, once.cuts, once.optimal) == ("the limit of 0 cuts", 1, False)
    assert whole.cuts >= 2
    assert flow_bound(instance, time_limit=0).stopped == "the time limit"


@REPRODUCIBLE
@given(instances(machines=3, jobs=8), st.data())
def test_the_search_may_start_anywhere(instance, data):
    """From any family and from any number, also a false one, the value is the same; a start is never lost."""
    family = data.draw(families(instance.machines))
    guess = data.draw(st.fractions(-1, 40, max_denominator=7))
    value = flow_bound(instance).lower
    assert flow_bound(instance, start=family).lower == value == flow_bound(instance, start=guess).lower
    assert flow_bound(instance, start=family, cuts=0).lower >= lower_bound(instance, family)
    assert flow_bound(instance, start=guess, cuts=1).lower <= value
    assert flow_bound(instance, start=value).cuts <= flow_bound(instance).cuts + 1


def test_a_start_that_is_too_large_is_an_upper_bound():
    """One cut at 5, over the value of 4, proves `LP <= 5` and nothing from below."""
    instance = Instance.from_rows(2, [Row("a", 0, 4, [0]), Row("b", 1, 1)])
    begun = flow_bound(instance, start=Fraction(5), cuts=1)
    assert (begun.lower, begun.upper, begun.optimal) == (flow_bound(instance, cuts=0).lower, 5, False)
    assert flow_bound(instance, start=Fraction(5)).lower == 4


@REPRODUCIBLE
@given(instances(machines=3, jobs=5), st.sampled_from([2, 7, Fraction(1, 3), Fraction(5, 2)]))
def test_one_weight_multiplies_the_value(instance, weight):
    """With weight w for all the value is w times as large, with a certificate for these weights, and at most T*."""
    weights = Weights.of([weight] * instance.n)
    found = flow_bound(instance, weights=weights)
    assert found.optimal
    assert found.lower == weight * flow_bound(instance).lower
    assert found.lower == lower_bound(instance, found.family, weights=weights) <= weighted_optimum(instance, weights)
    assert flow_bound(instance, weights=weights, cuts=0).upper >= found.lower
    assert flow_bound(instance, weights=weights, start=found.family, cuts=0).lower == found.lower


def test_several_weights_are_refused():
    """The flow form has one class; the message names the forms that take several."""
    instance = Instance.from_rows(1, [Row("a", 0, 1), Row("b", 0, 2)])
    with pytest.raises(InvalidInput, match=r"2 distinct weights, .* lindley form or the Hall bound"):
        flow_bound(instance, weights=Weights.stretch(instance))
    with pytest.raises(InvalidInput, match="wrong length"):
        flow_bound(instance, weights=Weights.of([1]))


@pytest.mark.parametrize("start", [0.5, "x", True])
def test_an_inexact_start_is_refused(start):
    """A float is no bound to begin with, nor is what is no number."""
    with pytest.raises(InvalidInput, match="start: not an exact number"):
        flow_bound(Instance.from_rows(1, [Row("a", 0, 1)]), start=start)


@pytest.mark.parametrize("rows", [[], [Row("a", 3, 0)]], ids=["no jobs", "no work"])
def test_without_work_the_value_is_zero(rows):
    """0 from both sides, without a cut."""
    found = flow_bound(Instance.from_rows(2, rows, keep_zero_sizes=True))
    assert (found.lower, found.upper, found.optimal, found.cuts, len(found.family)) == (0, 0, True, 0, 0)


def test_limits_are_named(monkeypatch):
    """Over `edge_limit` the start stands; a first cut that no library can take is an error; a later one a stop."""
    instance = narrowing()
    limited = flow_bound(instance, edge_limit=10)
    assert (limited.cuts, limited.optimal, limited.lower) == (0, False, flow_bound(instance, cuts=0).lower)
    assert "over the limit of 10" in limited.stopped
    real, calls = cuts._solved, itertools.count()
    monkeypatch.setattr(cuts, "_library", lambda: None)
    monkeypatch.setattr(cuts, "PURE_ARCS", 10)
    with pytest.raises(LimitReached, match=r"pip install 'dualfit\[flow\]'"):
        flow_bound(instance)
    monkeypatch.setattr(cuts, "PURE_ARCS", 10**6)

    def once(*arguments: object) -> object:
        if next(calls):
            raise LimitReached("too long")
        return real(*arguments)

    monkeypatch.setattr(cuts, "_solved", once)
    stopped = flow_bound(instance)
    assert (stopped.cuts, stopped.stopped, stopped.optimal) == (1, "too long", False)
    assert stopped.lower == lower_bound(instance, stopped.family)


def test_a_family_that_does_not_beat_its_cut_is_an_error(monkeypatch):
    """A cut whose family is no better than T contradicts itself; the search neither goes on nor claims anything."""
    monkeypatch.setattr(Queues, "violated", lambda self, T: IntervalFamily.of([(0, 0, 0, 0)]))
    with pytest.raises(LimitReached, match="does not beat T"):
        flow_bound(Instance.from_rows(1, [Row("a", 0, 2)]))


def test_the_value_of_a_real_trace_is_exact():
    """1500 jobs of equal size on 24 machines of a GPU cluster: 11293 ticks, from both sides, whole or in pieces."""
    path = DATA / "openb-gpuspec33-24nodes.csv"
    if not path.exists():
        pytest.skip("the GPU trace is not here")
    instance = read(path).instance
    mean = round(Fraction(sum(instance.size.tolist()), instance.n))
    equal = replace(instance, size=instance.size * 0 + mean)
    found = flow_bound(equal)
    assert (found.lower, found.upper) == (11293, 11293)
    assert isinstance(found, FlowBound)
    solved, exact = solve_lindley(instance), flow_bound(instance)
    assert solved.lower <= exact.lower == exact.upper <= solved.upper
