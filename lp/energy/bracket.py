"""Flow time plus energy, bracketed: schedules from above, server prices from below, until they are close."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from lp.deadline import Deadline
from lp.energy.curve import Curve
from lp.energy.dual import Priced, best_prices, priced
from lp.energy.evidence import exact_prices
from lp.energy.orders import good_plan
from lp.energy.plan import Plan
from lp.energy.prices import Prices, price_bound
from lp.energy.pricing import Market
from lp.energy.realise import realised
from online.instance import Instance
from online.speed.power import Power
from online.speed.trajectory import Trajectory, check_instance

CELLS = 32
"""Cells of the first grid, besides those between events that are closer."""

FACTORS = (0.0, 0.5, 0.7, 0.9, 1.0, 1.1)
"""Prices tried first: a factor times (n/m - 1)^+ along a schedule."""


@dataclass(frozen=True)
class Rung:
    """A lower bound in ticks, its evidence, and how it was found."""

    method: str
    value: Fraction
    prices: Prices


@dataclass(frozen=True)
class EnergyBracket:
    """Claim: every rung's value <= the optimal flow time plus energy <= `upper.cost`, in ticks."""

    rungs: tuple[Rung, ...]
    upper: Trajectory

    @property
    def lower(self) -> Fraction:
        """The largest bound from below; 0 without jobs."""
        return max((rung.value for rung in self.rungs), default=Fraction(0))


def energy_bracket(
    instance: Instance,
    power: Power,
    *,
    time_limit: float | None = None,
    gap: float = 1e-3,
    tell: Callable[[str], None] = lambda words: None,
) -> EnergyBracket:
    """Bracket the optimal flow time plus energy."""
    check_instance(instance)
    deadline, curve = Deadline(time_limit), Curve.of(power)
    tell("schedules")
    plan = good_plan(instance, curve, deadline)
    assert plan is not None
    upper = realised(instance, power, plan)
    trivial = Prices.trivial(instance, power)
    rungs = [Rung("size", price_bound(instance, power, trivial), trivial)]
    tell("prices")
    grid = _grid(instance, plan, CELLS)
    market = market_of(instance, curve, grid)
    start = _along(market, instance, grid, plan)
    rungs.append(_rung("schedule", instance, power, market, grid, start))
    scale = _scale(instance)
    best = best_prices(market, start, plan.cost / scale, gap, deadline)
    rungs.append(_rung("dual", instance, power, market, grid, best))
    return EnergyBracket(tuple(rungs), upper)


def _scale(instance: Instance) -> float:
    return float(np.mean(instance.size.astype(np.float64)))


def market_of(instance: Instance, curve: Curve, grid: list[Fraction]) -> Market:
    """Jobs and grid in units of the mean size."""
    scale = _scale(instance)
    home = np.searchsorted(np.array([float(t) for t in grid]), instance.release.astype(np.float64))
    times = np.array([float(t) for t in grid]) / scale
    return Market(instance.machines, times, home, instance.size.astype(np.float64) / scale, curve)


def _grid(instance: Instance, plan: Plan, cells: int) -> list[Fraction]:
    """Events of the plan and releases, and equal parts between them, on a fine grid."""
    span = max(1, int(plan.time[-1]) + 1 - int(plan.time[0]))
    unit = Fraction(2) ** (span.bit_length() - 20)
    events = sorted(
        {round(Fraction(t) / unit) * unit for t in plan.time.tolist()} | set(map(Fraction, instance.release.tolist()))
    )
    longest = (events[-1] - events[0]) / cells
    grid = [events[0]]
    for a, b in pairwise(events):
        parts = -((a - b) // longest)
        grid += [a + round((b - a) * k / parts / unit) * unit for k in range(1, parts)] + [b]
    return sorted(set(grid))


def _along(market: Market, instance: Instance, grid: list[Fraction], plan: Plan) -> Priced:
    middle = np.array([float(a + b) / 2 for a, b in pairwise(grid)])
    begun = instance.release.astype(np.float64)[:, None] <= middle
    count = (begun & (plan.completion[:, None] > middle)).sum(axis=0)
    queue = np.maximum(count / instance.machines - 1, 0.0)
    return max((priced(market, factor * queue) for factor in FACTORS), key=lambda tried: tried.value)


def _rung(method: str, instance: Instance, power: Power, market: Market, grid: list[Fraction], tried: Priced) -> Rung:
    prices = exact_prices(market, power, grid, tried.price, tried.quotes.y)
    return Rung(method, price_bound(instance, power, prices), prices)
