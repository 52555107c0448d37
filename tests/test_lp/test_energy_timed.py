"""The time-indexed program: equal to its longer form, below schedules, and as good as the cutting planes."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pulp
import pytest

from lp.backend import from_pulp, solve
from lp.deadline import Deadline
from lp.energy.dual import best_prices, priced
from lp.energy.evidence import exact_prices
from lp.energy.few import FewJobs, _grid, market_of
from lp.energy.prices import price_bound
from lp.energy.pricing import Market
from lp.energy.realise import realised
from lp.energy.timed import RATIO, conjugates, timed_prices, timed_program
from lp.program import Floats
from online.instance import Instance
from online.rows import Row
from online.speed.power import Power, power_law
from online.speed.power_text import read_power

CASES = [(seed, jobs, machines, alpha) for seed, (jobs, machines) in enumerate(((3, 1), (4, 2), (5, 1), (5, 2), (6, 3)))
         for alpha in ("3/2", "2", "3")]  # fmt: skip


def _jobs(machines: int, *jobs: tuple[int, int]) -> Instance:
    return Instance.from_rows(machines, [Row(str(k), release, size) for k, (release, size) in enumerate(jobs)])


def _random(seed: int, jobs: int, machines: int) -> Instance:
    random = np.random.default_rng(seed)
    drawn = zip([0, *random.integers(0, 9, jobs - 1).tolist()], random.integers(1, 6, jobs).tolist(), strict=True)
    return _jobs(machines, *sorted(drawn))


def _planned(instance: Instance, power: Power, cells: int) -> tuple[FewJobs, list[Fraction], Market]:
    few = FewJobs(instance, power, Fraction(1, 1000), Deadline(None))
    few.search.start()
    grid = _grid(instance, few.plan, cells)
    return few, grid, market_of(instance, few.curve, grid)


def _long_form(market: Market, y: Floats) -> float:
    """Work x, time z and energy e of every job in every cell, by completion cell, each energy above every tangent."""
    T, mu = market.cells, market.curve.marginal_of_conjugate(y)
    model, objective = pulp.LpProblem("timed", pulp.LpMinimize), pulp.LpAffineExpression()
    room = [pulp.LpAffineExpression() for _ in range(T)]
    new = iter(range(10**6))
    rows: list[pulp.LpConstraint] = []
    for size, home in zip(market.size.tolist(), market.home.tolist(), strict=True):
        shares = []
        for i in range(home, T + 1):
            share = model.add_variable(f"v{next(new)}", 0)
            shares.append(share)
            objective += (market.grid[i] - market.grid[home]) * share
            work = pulp.LpAffineExpression()
            for k in range(home, i + 1):
                x, z, e = (model.add_variable(f"v{next(new)}", 0) for _ in range(3))
                work += x
                objective += e + (z if k == i else 0)
                rows += [e >= float(m) * x - float(c) * z for m, c in zip(mu, y, strict=True)]
                if k < T:
                    rows.append(z <= market.length[k] * share)
                    room[k] += z
            rows.append(work == size * share)
        rows.append(pulp.lpSum(shares) == 1)
    model += objective
    for number, row in enumerate([*rows, *(room[k] <= market.machines * market.length[k] for k in range(T))]):
        model += row, f"row{number}"
    found = solve(from_pulp(model)).objective
    assert found is not None
    return found


@pytest.mark.parametrize("power", [power_law(2), power_law("3/2"), read_power("s^3+s")], ids=str)
@pytest.mark.parametrize("machines", [1, 2])
def test_one_energy_for_each_completion_is_enough(power: Power, machines: int) -> None:
    """The program with an energy in every cell has the same optimum: sharing work as time is cheapest (E10)."""
    _, _, market = _planned(_random(machines, 3, machines), power, 6)
    y = np.array([0.5, 1.0, 1.5, 2.5, 4.0])
    short = solve(timed_program(market, y)).objective
    assert short == pytest.approx(_long_form(market, y), rel=1e-6)


@pytest.mark.parametrize(("seed", "jobs", "machines", "alpha"), CASES)
def test_value_and_prices_are_below_a_schedule_and_near_the_cutting_planes(
    seed: int, jobs: int, machines: int, alpha: str
) -> None:
    """Optimum <= what its prices prove <= a schedule, and both ways to find prices prove the same to 1/500."""
    instance, power = _random(seed, jobs, machines), power_law(alpha)
    few, grid, market = _planned(instance, power, 14)
    upper = realised(instance, power, few.plan).cost
    timed = timed_prices(market)
    cut = best_prices(market, priced(market, np.zeros(market.cells)), few.plan.cost / few.scale, 0.0, Deadline(None))
    exact = [
        price_bound(instance, power, exact_prices(market, power, grid, one.price, one.quotes.y))
        for one in (timed.best, cut)
    ]
    assert timed.value * few.scale <= float(upper) * (1 + 1e-6)
    assert timed.value <= timed.best.value * (1 + 1e-6)
    assert max(exact) <= upper
    assert abs(exact[0] - exact[1]) <= upper / 500
    assert float(exact[0]) >= timed.value * few.scale * (1 - 1e-5)


def test_two_unit_jobs_at_once() -> None:
    """One server, s^2: the optimum is 2 (1 + sqrt 2); tangents in proportion 1.05 lose less than a thousandth."""
    _, _, market = _planned(_jobs(1, (0, 1), (0, 1)), power_law(2), 16)
    assert 2 * (1 + sqrt(2)) * (1 - 1e-3) <= timed_prices(market).value <= 2 * (1 + sqrt(2)) * (1 + 1e-6)


def test_tangents_reach_from_a_job_alone_to_a_price_at_which_all_wait() -> None:
    """A job alone runs where P* = 1; a server costs n/m jobs at most, so P* = 1 + n/m suffices in its last cell."""
    _, _, market = _planned(_random(5, 6, 2), power_law(2), 8)
    y = conjugates(market)
    assert y[0] < 1 < 1 + 6 / 2 < y[-1]
    assert np.allclose(y[1:] / y[:-1], RATIO)
