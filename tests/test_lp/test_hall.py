from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE, instances
from weighted_optimum import weighted, weighted_optimum

import lp.newton
from lp import cuts
from lp.bound import lp_bound
from lp.cuts import UNLIMITED, Network, least_cut
from lp.hall import hall_bound, hall_excess, hall_value, integral_hall, longest_job
from lp.newton import Search
from lp.optimum import brute_force_optimum, unit_optimum
from lp.segments import most_violated
from lp.windows import Windows
from online.errors import InvalidInput
from online.exact import column
from online.generate import Dice
from online.instance import Instance
from online.rows import Row
from online.weights import Weights

MORE = settings(REPRODUCIBLE, max_examples=60)


def room(instance: Instance, jobs: Iterable[int], length: dict[int, Fraction | int]) -> Fraction:
    """The sum over the machines of the union of `[r_j, r_j + length[j]]`, merged one by one."""
    total = Fraction(0)
    for i in range(instance.machines):
        reach = None
        for job in (instance.job(j) for j in sorted(jobs)):
            if i in job.eligible:
                start = job.release if reach is None else max(reach, Fraction(job.release))
                end = job.release + Fraction(length[job.position])
                total += max(Fraction(0), end - start)
                reach = end if reach is None else max(reach, end)
    return total


def volume(instance: Instance, jobs: Iterable[int]) -> int:
    return sum(instance.job(j).size for j in jobs)


def proves(instance: Instance, jobs: tuple[int, ...], weights: Weights, value: Fraction, cut_down: bool) -> bool:
    """The inequality that a checker looks at: too little room for any value below this one."""
    if not cut_down:
        return room(instance, jobs, {j: value / weights[j] for j in jobs}) <= volume(instance, jobs)
    first = instance.job(jobs[0]).release
    g = int(np.gcd.reduce([n for j in jobs for n in (instance.job(j).size, instance.job(j).release - first)]))
    below = {j: g * (-(-value // (Fraction(weights[j]) * g)) - 1) for j in jobs}
    return room(instance, jobs, below) < volume(instance, jobs)


def all_sets(instance: Instance) -> list[tuple[int, ...]]:
    n = range(instance.n)
    return [jobs for k in range(1, instance.n + 1) for jobs in itertools.combinations(n, k)]


def spread_out(case: tuple[Instance, Weights], factor: int, dice: Dice) -> tuple[Instance, Weights]:
    """The same jobs at a finer tick, with sizes and releases moved a little: hardly any ends coincide."""
    instance, weights = case
    release = [t * factor + dice.below(factor) for t in instance.release.tolist()]
    order = sorted(range(instance.n), key=release.__getitem__)
    size = [instance.job(j).size * factor + dice.below(factor) for j in order]
    moved = replace(
        instance,
        release=column([release[j] for j in order]),
        size=column(size, summed=True),
        eligible_set=instance.eligible_set[order],
    )
    return moved, Weights.of(weights[j] for j in order)


@MORE
@given(weighted(least=1), st.fractions(0, 40, max_denominator=12))
def test_the_excess_is_volume_minus_room(case, T):
    """Merged jobs, merged machines and one sweep give what a union of intervals, machine by machine, gives."""
    instance, weights = case
    everyone = range(instance.n)
    windows = {j: T / weights[j] for j in everyone}
    assert hall_excess(instance, everyone, T, weights) == volume(instance, everyone) - room(instance, everyone, windows)


@MORE
@given(weighted(least=1), st.fractions(0, 40, max_denominator=12), st.fractions(0, 40, max_denominator=12))
def test_the_excess_falls_with_the_value(case, S, T):
    """Windows grow with T, and the last end of a union moves on: the excess is strictly decreasing."""
    instance, weights = case
    low, high = sorted([S, T])
    excess = [hall_excess(instance, range(instance.n), x, weights) for x in (low, high)]
    assert (excess[0] > excess[1]) == (low < high)


@MORE
@given(weighted(least=1))
def test_the_value_of_a_set_is_where_its_excess_is_zero(case):
    """Newton with bisection ends at the root itself, and the set alone proves the value but no more."""
    instance, weights = case
    everyone = tuple(range(instance.n))
    value = hall_value(instance, everyone, weights)
    assert hall_excess(instance, everyone, value, weights) == 0
    assert proves(instance, everyone, weights, value, cut_down=False)
    assert not proves(instance, everyone, weights, value + Fraction(1, 10**9), cut_down=False)


def test_windows_of_different_weights_make_the_excess_neither_convex_nor_concave():
    """A long window overtakes a short one, the union grows faster from there on; the root is still exact."""
    instance = Instance.from_rows(1, [Row("long", 0, 30), Row("short", 10, 40)])
    weights = Weights.of([1, 10])
    slopes = [
        hall_excess(instance, [0, 1], T, weights) - hall_excess(instance, [0, 1], T + 1, weights) for T in (1, 10, 12)
    ]
    assert slopes == [Fraction(11, 10), Fraction(1, 10), 1]
    assert hall_value(instance, [0, 1], weights) == 70


@MORE
@given(weighted(least=1))
def test_cutting_windows_down_to_the_grid_proves_no_less(case):
    """The integral value is the largest that the checker's inequality accepts among all multiples of g and a weight."""
    instance, weights = case
    everyone = tuple(range(instance.n))
    value, integral = hall_value(instance, everyone, weights), integral_hall(instance, everyone, weights)
    assert value <= integral <= weighted_optimum(instance, weights)
    assert proves(instance, everyone, weights, integral, cut_down=True)
    assert not proves(instance, everyone, weights, integral + Fraction(1, 10**9), cut_down=True)


@MORE
@given(weighted(), st.booleans())
def test_the_bound_is_the_best_over_all_sets(case, integral):
    """Least cuts find what trying every set finds; the set found proves the value on its own."""
    instance, weights = case
    value_of = integral_hall if integral else hall_value
    best = max((value_of(instance, jobs, weights) for jobs in all_sets(instance)), default=Fraction(0))
    bound = hall_bound(instance, weights=weights, integral=integral)
    assert bound.optimal
    if integral:
        on_grid = max((hall_value(instance, jobs, weights) for jobs in all_sets(instance)), default=Fraction(0))
        assert on_grid <= bound.value <= max(best, longest_job(instance, weights))
    else:
        assert bound.value == max(best, longest_job(instance, weights))
    if bound.jobs:
        assert bound.value == value_of(instance, bound.jobs, weights)
        assert proves(instance, bound.jobs, weights, bound.value, cut_down=integral)
    else:
        assert bound.value == longest_job(instance, weights)


@MORE
@given(weighted())
def test_the_ladder_is_in_order(case):
    """LP of Lemma 6.6 <= Hall <= integral Hall <= T*, exactly, whatever the weights."""
    instance, weights = case
    hall = hall_bound(instance, weights=weights)
    integral = hall_bound(instance, weights=weights, integral=True)
    assert lp_bound(instance, weights=weights).upper <= hall.value or instance.n == 0
    assert hall.value <= integral.value <= weighted_optimum(instance, weights)


@MORE
@given(weighted(), st.sampled_from([Weights.ones, Weights.stretch]))
def test_the_ladder_is_in_order_for_flow_time_and_stretch(case, weights_of):
    """The weights 1 and 1/p_j are weights like others."""
    instance, _ = case
    weights = weights_of(instance)
    integral = hall_bound(instance, weights=weights, integral=True)
    assert hall_bound(instance, weights=weights).value <= integral.value <= weighted_optimum(instance, weights)


@MORE
@given(instances(jobs=5, least=1))
def test_with_equal_weights_the_best_set_is_worth_the_lp(instance):
    """One weight: first in first out turns a point of the LP of Lemma 6.1 into windows that hold everything."""
    bound = lp_bound(instance)
    assert bound.width == 0
    assert max(hall_value(instance, jobs) for jobs in all_sets(instance)) == bound.lower


def test_with_two_weights_a_set_is_worth_more_than_the_lp():
    """A long light job and a heavy one inside its window: the LP sees 4, the set 6, and 6 is the optimum."""
    instance = Instance.from_rows(1, [Row("light", 2, 2), Row("heavy", 3, 1)])
    weights = Weights.of([2, 4])
    assert lp_bound(instance, weights=weights).upper == 4
    bound = hall_bound(instance, weights=weights)
    assert (bound.value, bound.jobs) == (6, (0, 1))
    assert weighted_optimum(instance, weights) == 6


@MORE
@given(instances(jobs=7, unit=3))
def test_for_unit_jobs_the_integral_bound_is_the_optimum(instance):
    """Hall's theorem: if all sets fit on the grid, every unit job gets a slot of its own."""
    bound = hall_bound(instance, integral=True)
    assert bound.value == unit_optimum(instance).value == brute_force_optimum(instance).value


@MORE
@given(weighted(jobs=5))
def test_for_weighted_unit_jobs_the_integral_bound_is_the_optimum(case):
    """The same with weights, against every dispatch."""
    drawn, weights = case
    instance = drawn.with_unit_size(drawn.tick)
    assert hall_bound(instance, weights=weights, integral=True).value == weighted_optimum(instance, weights)


def test_a_set_may_have_a_coarser_grid_than_the_instance():
    """Three jobs of size 2 on two machines prove 4, though a job of size 1 elsewhere makes the common grid 1."""
    instance = Instance.from_rows(2, [*(Row(j, 0, 2) for j in range(3)), Row("far", 99, 1)])
    bound = hall_bound(instance, integral=True)
    assert (bound.value, bound.jobs) == (4, (0, 1, 2))


@MORE
@given(weighted(least=1), st.fractions(0, 40, max_denominator=12))
def test_a_segment_tree_stands_for_all_links(case, T):
    """The network with one arc per window and segment has the same smallest set of largest excess."""
    instance, weights = case
    windows = Windows.of(instance, weights)
    lengths = windows.rates.exact(T)
    union = windows.union(lengths)
    ends = np.unique(np.concatenate([union.begin, union.end])).tolist()
    rows, unit = len(windows), lengths.per_tick
    arcs = [(0, 2 + k, int(p) * unit) for k, p in enumerate(windows.volume)]
    for k, i, a, b in zip(*(x.tolist() for x in (windows.pair, windows.machine, union.begin, union.end)), strict=True):
        for s in range(ends.index(a), ends.index(b)):
            arcs.append((2 + k, 2 + rows + s, UNLIMITED))
            arcs.append((2 + rows + s, 1, int(windows.copies[i]) * (ends[s + 1] - ends[s])))
    arcs = list(dict.fromkeys(arcs))
    network = Network(2 + rows + len(ends), *map(np.array, zip(*arcs, strict=True)))
    value, side = least_cut(network, 0, 1)
    found = most_violated(windows, lengths, 10**6)
    assert found is not None
    assert found.tolist() == side[2 : 2 + rows].tolist()
    most = max(hall_excess(instance, jobs, T, weights) for jobs in [(), *all_sets(instance)])
    assert volume(instance, range(instance.n)) - Fraction(value, unit) == most


@REPRODUCIBLE
@given(weighted(jobs=5, least=2), st.integers(0, 10**6), st.booleans())
def test_coarse_grids_and_rounding_lose_nothing(case, seed, integral):
    """With sizes of hundreds of ticks the search starts on coarse windows and still ends at the best of all sets."""
    instance, weights = spread_out(case, 500, Dice(seed))
    search = Search(instance, Windows.of(instance, weights), longest_job(instance, weights), integral, 10**6)
    assert len(search.grids) >= 2 - integral
    bound = hall_bound(instance, weights=weights, integral=integral)
    best = max(hall_value(instance, jobs, weights) for jobs in all_sets(instance))
    assert bound.optimal
    if integral:
        assert max(best, longest_job(instance, weights)) <= bound.value <= weighted_on_grid(instance, weights)
        assert not bound.jobs or bound.value == integral_hall(instance, bound.jobs, weights)
    else:
        assert bound.value == max(best, longest_job(instance, weights))


def weighted_on_grid(instance: Instance, weights: Weights) -> Fraction:
    """The best integral bound of any set, or the longest job: no search proves more."""
    sets = (integral_hall(instance, jobs, weights) for jobs in all_sets(instance))
    return max(longest_job(instance, weights), *sets)


@pytest.mark.parametrize("factor", [10**9, 10**17, 10**30])
@pytest.mark.parametrize("integral", [False, True])
def test_long_numbers_change_nothing(factor, integral):
    """Times far beyond 62 bits only scale the value, and the same set proves it."""
    rows = [Row(j, j % 3, 1 + j % 4, [[0], [0, 1]][j % 2], 1 + j % 3) for j in range(8)]
    small = Instance.from_rows(2, rows)
    large = Instance.from_columns(
        2,
        release=[t * factor for t in small.release.tolist()],
        size=[p * factor for p in small.size.tolist()],
        eligible_set=small.eligible_set,
        sets=list(small.sets),
    )
    weights = Weights.flow(small)
    one, other = (hall_bound(x, weights=weights, integral=integral) for x in (small, large))
    assert (one.value * factor, one.jobs, True) == (other.value, other.jobs, other.optimal)
    assert one.jobs


PRIMES = [1_000_000_007, 998_244_353, 999_999_937, 1_000_000_009]


def with_awkward_weights() -> tuple[Instance, Weights]:
    """Weights whose least common multiple has over 100 bits: exact windows do not fit 62."""
    rows = [Row(j, j % 4 * 2, 5 + 3 * j % 8, [[0], [0, 1], [1]][j % 3]) for j in range(8)]
    return Instance.from_rows(2, rows), Weights.of(PRIMES[j % 4] for j in range(8))


def test_windows_are_rounded_up_where_62_bits_do_not_hold_them():
    """Rounded up they come close, rounded down they leave one part, an exact cut ends the search; every set agrees."""
    instance, weights = with_awkward_weights()
    bound = hall_bound(instance, weights=weights)
    assert bound.optimal
    assert bound.value == max(hall_value(instance, jobs, weights) for jobs in all_sets(instance))
    assert len(bound.jobs) > 4


def test_a_gap_is_left_where_an_exact_cut_would_be_too_large(monkeypatch):
    """Without cuts in long numbers the value is proven and the best of all sets lies between it and `upper`."""
    instance, weights = with_awkward_weights()
    exactly = hall_bound(instance, weights=weights)
    monkeypatch.setattr(lp.newton, "LONG_EDGES", 0)
    bound = hall_bound(instance, weights=weights)
    assert bound.upper is not None
    assert bound.value <= exactly.value <= bound.upper
    assert bound.upper - bound.value < bound.value / 10**6
    assert not bound.optimal


@pytest.mark.parametrize("limits", [{"cuts": 0}, {"cuts": 1}, {"time_limit": 0}, {"edge_limit": 0}])
def test_a_search_cut_short_still_proves_its_value(limits):
    """Whatever stops it, the set found so far proves the value, and it beats the longest job."""
    instance = Instance.from_rows(2, [Row(j, j % 3, 1 + j % 4, [[0], [0, 1]][j % 2], 1 + j % 3) for j in range(12)])
    weights = Weights.flow(instance)
    whole, part = hall_bound(instance, weights=weights), hall_bound(instance, weights=weights, **limits)
    assert longest_job(instance, weights) < part.value <= whole.value
    assert part.value == hall_value(instance, part.jobs, weights)
    assert part.cuts <= limits.get("cuts", 0)
    assert whole.optimal
    assert part.upper is None


@REPRODUCIBLE
@given(weighted(least=1), st.fractions(0, 3, max_denominator=8))
def test_a_start_is_returned_unless_a_set_is_better(case, factor):
    """Begun from a value proven elsewhere, the search returns a set exactly if one proves more."""
    instance, weights = case
    best = hall_bound(instance, weights=weights)
    bound = hall_bound(instance, weights=weights, start=best.value * factor)
    assert bound.value == max(best.value, best.value * factor)
    assert bound.optimal
    assert bool(bound.jobs) == (factor < 1 and bool(best.jobs))


def test_the_flow_library_does_not_matter(monkeypatch):
    """Without the fast library the same bound, set and number of cuts come out."""
    instance = Instance.from_rows(3, [Row(j, j % 5, 1 + j % 4, [j % 3, (j + j % 2) % 3], 1 + j % 3) for j in range(20)])
    weights = Weights.flow(instance)
    fast = hall_bound(instance, weights=weights)
    monkeypatch.setattr(cuts, "_library", lambda: None)
    assert hall_bound(instance, weights=weights) == fast
    assert fast.cuts > 1


@pytest.mark.parametrize("integral", [False, True])
def test_nothing_to_do_is_a_bound_of_zero(integral):
    """No jobs, or only jobs of size 0: the bound is 0 and known to be the best."""
    nobody = Instance.from_rows(2, [])
    zero = Instance.from_rows(1, [Row("a", 3, 0)], keep_zero_sizes=True)
    for instance in (nobody, zero):
        bound = hall_bound(instance, integral=integral)
        assert (bound.value, bound.jobs, bound.optimal) == (0, (), True)
        assert hall_value(instance, range(instance.n)) == integral_hall(instance, range(instance.n)) == 0


def test_jobs_of_size_zero_are_left_out():
    """They need no time, so they never widen the room of a set."""
    rows = [Row("a", 0, 4), Row("b", 1, 4), Row("z", 50, 0)]
    instance = Instance.from_rows(1, rows, keep_zero_sizes=True)
    assert hall_bound(instance).jobs == (0, 1)
    assert hall_value(instance, [0, 1, 2]) == hall_value(instance, [0, 1]) == 7


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda instance: hall_value(instance, [0, 2]), "unknown position"),
        (lambda instance: integral_hall(instance, [-1]), "unknown position"),
        (lambda instance: hall_excess(instance, [0], Fraction(-1)), "negative"),
        (lambda instance: hall_bound(instance, start=-1), "negative"),
    ],
)
def test_bad_arguments_are_named(call, reason):
    """Positions outside the instance and negative values are invalid input."""
    with pytest.raises(InvalidInput, match=reason):
        call(Instance.from_rows(1, [Row("a", 0, 1), Row("b", 0, 1)]))
