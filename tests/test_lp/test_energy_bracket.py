"""Brackets of flow time plus energy: never crossed, near known optima, and near one another."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lp.energy.bracket import FEW, EnergyBracket, energy_bracket, run_bound
from lp.energy.curve import Curve
from lp.energy.few import _grid, market_of
from lp.energy.plan import cheapest, order_of
from lp.energy.prices import price_bound
from lp.energy.pricing import patterns, quote
from lp.energy.realise import realised
from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.speed.power import Power, power_law
from online.speed.power_text import read_power, table_of
from online.speed.simulation import simulate

SQUARE = power_law(2)
TABLE = table_of([(Fraction(1), Fraction(1)), (Fraction(2), Fraction(4)), (Fraction(3), Fraction(9))])
ALPHAS = ("3/2", "2", "5/2", "3")
TARGET = Fraction(51, 50)


def _jobs(machines: int, *jobs: tuple[int, int]) -> Instance:
    return Instance.from_rows(machines, [Row(str(k), release, size) for k, (release, size) in enumerate(jobs)])


def _random(seed: int, jobs: int, machines: int, span: int, largest: int) -> Instance:
    random = np.random.default_rng(seed)
    drawn = zip(random.integers(0, span, jobs).tolist(), random.integers(1, largest + 1, jobs).tolist(), strict=True)
    return _jobs(machines, *sorted(drawn))


def _sound(instance: Instance, power: Power, found: EnergyBracket) -> None:
    """Bounds that their evidence proves, below the cost of a schedule that checks itself."""
    assert found.upper.instance == instance
    for rung in found.rungs:
        assert rung.value == price_bound(instance, power, rung.prices) <= found.upper.cost


@pytest.mark.parametrize("alpha", ALPHAS)
def test_one_server_and_all_jobs_at_once(alpha: str) -> None:
    """The optimum mu0 sum k^(1 - 1/alpha) w_(k), sizes falling, lies in the bracket, which is narrow."""
    power, sizes = power_law(alpha), (5, 1, 3, 3, 8)
    found = energy_bracket(_jobs(1, *((7, size) for size in sizes)), power)
    ranked = list(enumerate(sorted(sizes, reverse=True), 1))
    assert found.lower <= sum(power.work_price_upper(k) * size for k, size in ranked)
    assert found.upper.cost >= sum(power.work_price_lower(k) * size for k, size in ranked)
    assert found.ratio <= 1 + Fraction(1, 450)


def test_equal_jobs_dealt_to_servers() -> None:
    """Six unit jobs at once on three servers: two a server, 3 mu0 (1 + 2^(1 - 1/alpha)), migration does not help."""
    power = power_law("5/2")
    found = energy_bracket(_jobs(3, *[(0, 1)] * 6), power)
    optimum = 3 * (power.work_price_upper(1) + power.work_price_upper(2))
    assert found.lower <= optimum
    assert found.upper.cost <= optimum * (1 + Fraction(1, 1000))
    assert found.ratio <= 1 + Fraction(1, 400)


def test_without_jobs_there_is_nothing_to_bound() -> None:
    """No jobs cost nothing and need no evidence."""
    found = energy_bracket(Instance.from_rows(2, []), SQUARE)
    assert (found.rungs, found.lower, found.upper.cost, found.ratio) == ((), 0, 0, 1)


def test_round_robin_is_not_optimal_against_migration() -> None:
    """Three unit jobs at 0, four at 1, two servers, s^2: whatever round robin does costs 17.1207, migration 16.8236.

    Each of its servers is an instance of its own, and its bound holds for any speeds.
    """
    fine = Fraction(1, 20_000)
    arrivals = [0, 0, 0, 1, 1, 1, 1]
    servers = [_jobs(1, *((release, 1) for release in arrivals[k::2])) for k in range(2)]
    dealt = [energy_bracket(server, SQUARE, gap=fine) for server in servers]
    free = energy_bracket(_jobs(2, *((release, 1) for release in arrivals)), SQUARE)
    assert sum(found.lower for found in dealt) >= Fraction("17.12")
    assert free.upper.cost < Fraction("16.8236")


@settings(derandomize=True, max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 3), st.sampled_from(ALPHAS), st.sampled_from((1, 6, 20))
)
def test_small_brackets_are_sound_and_narrow(seed: int, jobs: int, machines: int, alpha: str, span: int) -> None:
    """lower <= upper with evidence, and upper / lower <= 1.02 by default."""
    instance, power = _random(seed, jobs, machines, span, 9), power_law(alpha)
    found = energy_bracket(instance, power)
    _sound(instance, power, found)
    assert found.ratio <= TARGET


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_thousands_of_brackets_are_narrow(block: int) -> None:
    """Up to eight jobs, up to four servers: lower <= upper <= 1.02 lower on a hundred instances a block."""
    random = np.random.default_rng(block)
    for k in range(100):
        jobs, machines = int(random.integers(1, 9)), int(random.integers(1, 5))
        span, largest = int(random.choice([1, 5, 20, 40])), int(random.choice([1, 4, 30]))
        instance, power = _random(1000 * block + k, jobs, machines, span, largest), power_law(ALPHAS[k % 4])
        found = energy_bracket(instance, power)
        assert found.lower <= found.upper.cost <= TARGET * found.lower


@pytest.mark.parametrize("power", [read_power("s^2+s"), read_power("2s^3+0.1s"), TABLE], ids=str)
def test_other_powers(power: Power) -> None:
    """Sums of powers and tables go the same way."""
    instance = _random(3, 4, 2, 6, 9)
    found = energy_bracket(instance, power)
    _sound(instance, power, found)
    assert found.ratio <= TARGET


@pytest.mark.parametrize("jobs", [((0, 1), (0, 10**9)), ((10**12, 3), (10**12 + 1, 2)), ((0, 1), (5, 10**13))])
def test_sizes_and_times_far_apart(jobs: tuple[tuple[int, int], ...]) -> None:
    """Where the solver does not help, runs and coarse prices do; late times stay exact."""
    instance = _jobs(1, *jobs)
    found = energy_bracket(instance, SQUARE)
    _sound(instance, SQUARE, found)
    assert found.ratio <= TARGET


def test_many_jobs() -> None:
    """Above the limit of the search: runs and a coarse grid, sound, and better than the size bound and the run's."""
    instance = _random(5, FEW + 30, 2, 300, 20)
    found = energy_bracket(instance, SQUARE)
    _sound(instance, SQUARE, found)
    values = {rung.method: rung.value for rung in found.rungs}
    assert values["size"] < values["schedule"] < values["dual"]
    assert found.ratio <= Fraction(21, 20)
    assert found.upper.cost <= simulate(instance, SQUARE, "srpt").trajectory.cost


@pytest.mark.parametrize("policy", ["srpt", "fifo", "round-robin"])
def test_the_prices_of_a_run_bound_the_optimum(policy: str) -> None:
    """(n/m - 1)^+ along any run proves a bound below OPT, above mu0 times the sizes, wherever time starts."""
    instance = _random(5, 12, 2, 20, 9)
    run = simulate(instance, SQUARE, policy).trajectory
    found, later = run_bound(run), run_bound(simulate(instance.shifted(-1000), SQUARE, policy).trajectory)
    assert found.value == price_bound(instance, SQUARE, found.prices) == later.value
    assert 2 * int(instance.size.sum()) < found.value <= energy_bracket(instance, SQUARE, time_limit=0).upper.cost


def test_what_rounding_lost_is_stated() -> None:
    """The exact bound is near what floats promised: dials and prices are fine enough."""
    few, many = energy_bracket(_random(5, 6, 2, 9, 9), SQUARE), energy_bracket(_random(5, 40, 2, 90, 9), SQUARE)
    assert all(abs(rung.loss) < 1e-5 for rung in few.rungs)
    assert all(abs(rung.loss) < 1e-3 for rung in many.rungs)


def test_the_same_bytes_again() -> None:
    """Equal input, equal evidence and equal schedule."""
    first, second = (energy_bracket(_random(8, 5, 2, 9, 9), SQUARE) for _ in range(2))
    assert [rung.prices for rung in first.rungs] == [rung.prices for rung in second.rungs]
    assert first.upper.segments == second.upper.segments


def test_a_time_limit_leaves_what_is_valid() -> None:
    """No time at all still gives a schedule and bounds."""
    instance = _random(8, 6, 2, 9, 9)
    _sound(instance, SQUARE, energy_bracket(instance, SQUARE, time_limit=0))


def test_restricted_jobs_are_refused() -> None:
    """Servers are identical: a job that may not run everywhere has no place here."""
    with pytest.raises(InvalidInput, match="restricted"):
        energy_bracket(Instance.from_rows(2, [Row("a", 0, 1, [0])]), SQUARE)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 3), st.sampled_from(ALPHAS))
def test_a_quote_is_what_its_pattern_costs(seed: int, jobs: int, machines: int, alpha: str) -> None:
    """Strong duality of a job alone (E6): the best dial for a completion cell and the cheapest way agree."""
    instance, curve = _random(seed, jobs, machines, 10, 9), Curve.of(power_law(alpha))
    plan = cheapest(instance, curve, order_of(instance, instance.release + 2.0 * instance.size))
    assert plan is not None
    market = market_of(instance, curve, _grid(instance, plan, 12))
    price = np.random.default_rng(seed).uniform(0, 2, market.cells)
    quotes = quote(market, price)
    job, cell = np.nonzero(np.isfinite(quotes.value))
    ways = patterns(market, quotes, price, job, cell)
    assert np.allclose(ways.cost + ways.time @ price, quotes.value[job, cell], rtol=1e-6)


def test_the_order_program_against_all_permutations() -> None:
    """On one server with all jobs at once, shortest first is the cheapest of all orders, at its closed form."""
    instance, curve = _jobs(1, (0, 2), (0, 5), (0, 3)), Curve.of(SQUARE)
    plans = {
        order: cheapest(instance, curve, order_of(instance, np.array(order) + 1.0), 1e-7)
        for order in permutations(range(3))
    }
    costs = {order: plan.cost for order, plan in plans.items() if plan is not None}
    best = min(costs, key=costs.__getitem__)
    assert best == (0, 2, 1)
    assert costs[best] == pytest.approx(2 * (5 + 3 * 2**0.5 + 2 * 3**0.5), rel=1e-6)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 3))
def test_whatever_the_plan_the_schedule_is_feasible(seed: int, jobs: int, machines: int) -> None:
    """A plan becomes an exact schedule that costs no more; a spoilt one still becomes a feasible one (E9)."""
    instance, curve = _random(seed, jobs, machines, 10, 9), Curve.of(SQUARE)
    plan = cheapest(instance, curve, order_of(instance, instance.release + 2.0 * instance.size))
    assert plan is not None
    assert float(realised(instance, SQUARE, plan).cost) <= plan.cost * (1 + 1e-6)
    random = np.random.default_rng(seed)
    plan.run[:] *= random.uniform(0.5, 1.5, plan.run.shape)
    plan.time[:] += random.uniform(0, 0.1)
    assert realised(instance, SQUARE, plan).cost >= 2 * int(instance.size.sum())
