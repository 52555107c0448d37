"""Few jobs: convex programs for orders of completions, cutting planes for prices, each in the light of the other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lp.deadline import Deadline
from lp.energy.curve import Curve
from lp.energy.dual import Priced, best_prices, priced
from lp.energy.evidence import exact_prices
from lp.energy.orders import Search
from lp.energy.plan import Plan
from lp.energy.prices import Prices
from lp.energy.pricing import Market
from lp.energy.realise import realised
from lp.program import Floats
from online.errors import LimitReached
from online.instance import Instance
from online.speed.power import Power
from online.speed.trajectory import Trajectory

CELLS, GRID_BITS = 32, 20
"""Cells of a grid, besides those between events that are closer; the span has about `2**GRID_BITS` grid points."""

MOST_CELLS = 512
"""Cells of the finest grid, which is for those who give a time limit."""

FACTORS = (0.0, 0.5, 0.7, 0.9, 1.0, 1.1)
"""Prices tried first: a factor times (n/m - 1)^+ along a schedule."""

ATTEMPTS, LEAST_ATTEMPTS, EFFORT = 12, 2, 768
"""Orders tried after the first ones, within these; times the square of the number of jobs."""

SPREAD = 0.2
"""Share by which completions that are read off the prices may cost more than the cheapest."""


class _Found(NamedTuple):
    """Prices on a grid: along a plan, and the best."""

    grid: list[Fraction]
    market: Market
    along: Priced
    best: Priced


class FewJobs:
    """A bracket under way, in floats: the best plan, and the best prices on a grid made for a plan.

    Nothing is random: the noise is the same every time.
    """

    def __init__(self, instance: Instance, power: Power, gap: Fraction, deadline: Deadline) -> None:
        self.instance, self.power, self.gap, self.deadline = instance, power, float(gap), deadline
        self.curve, self.scale = Curve.of(power), _scale(instance)
        self.search = Search(instance, self.curve, deadline)
        self.random = np.random.default_rng(1)
        self.cells = CELLS
        self.found: _Found | None = None

    def work(self, tell: Callable[[str], None]) -> None:
        """Schedules, prices, and schedules that the prices suggest, until the gap is closed or nothing helps.

        With a time limit, then the same on finer grids.

        Raises: `LimitReached` if the solver copes with no order.
        """
        tell("schedules")
        self.search.start()
        if self.search.best is None:
            raise LimitReached("the solver found no schedule")
        tell("prices")
        self.price()
        self.reorders(tell)
        while self.deadline.left() is not None and not self.closed() and self.cells < MOST_CELLS:
            self.cells *= 2
            tell(f"prices in {self.cells} cells")
            self.price()
            self.reorders(tell)

    def reorders(self, tell: Callable[[str], None]) -> None:
        """Offer several orders, until the gap is closed."""
        attempts = min(ATTEMPTS, max(LEAST_ATTEMPTS, EFFORT // self.instance.n**2))
        for number in range(attempts):
            if self.closed():
                break
            tell(f"order {number + 1} of {attempts}")
            self.reorder(number)

    @property
    def plan(self) -> Plan:
        assert self.search.best is not None
        return self.search.best

    def price(self) -> None:
        """Prices on a grid made for the best plan: those along the plan, then better ones; the best are kept."""
        grid = _grid(self.instance, self.plan, self.cells)
        market = market_of(self.instance, self.curve, grid)
        along = _along(market, self.instance, grid, self.plan)
        best = best_prices(market, along, self.plan.cost / self.scale, self.gap, self.deadline)
        if self.found is None or best.value > self.found.best.value:
            self.found = _Found(grid, market, along, best)

    @property
    def prices(self) -> _Found:
        assert self.found is not None
        return self.found

    def closed(self) -> bool:
        """Whether the gap is small enough, or no time is left."""
        return self.plan.cost <= self.prices.best.value * self.scale * (1 + self.gap) or self.deadline.passed()

    def reorder(self, number: int) -> None:
        """Offer another order: as the prices let jobs complete, and as the best plan does, with noise by turns."""
        offer = self._by_prices(number // 2) if number % 2 == 0 else self._shaken()
        if self.search.offer(offer, wide=True):
            self.price()

    def _by_prices(self, number: int) -> Floats:
        """The ends of the cheapest cells at first, then those of any that cost little more."""
        value, times = self.prices.best.quotes.value, self.prices.market.grid
        bound = value.min(axis=1, keepdims=True) * (1 + SPREAD * number / ATTEMPTS)
        end = np.append(times[1:], times[-1])
        noise = self.random.random(value.shape)
        cell = np.argmax(np.where(value <= bound, 1 + noise, 0.0), axis=1)
        return np.asarray(end[cell] * self.scale, dtype=np.float64)

    def _shaken(self) -> Floats:
        """The completions of the best plan, each moved by about the mean flow time."""
        completion = self.plan.completion
        flow = float(np.mean(completion - self.instance.release))
        return completion + flow * self.random.standard_normal(self.instance.n)

    def evidence(self) -> dict[str, tuple[Prices, float]]:
        """Prices along the best plan, and the best ones, each with what floats say that they prove."""
        return {"schedule": self._exact(self.prices.along), "dual": self._exact(self.prices.best)}

    def _exact(self, tried: Priced) -> tuple[Prices, float]:
        market, grid = self.prices.market, self.prices.grid
        prices = exact_prices(market, self.power, grid, tried.price, tried.quotes.y)
        return prices, tried.value * self.scale

    def upper(self) -> Trajectory:
        """The exact schedule of the best plan."""
        return realised(self.instance, self.power, self.plan)


def _scale(instance: Instance) -> float:
    return float(np.mean(instance.size.astype(np.float64)))


def market_of(instance: Instance, curve: Curve, grid: list[Fraction]) -> Market:
    """Jobs and grid in units of the mean size."""
    scale = _scale(instance)
    home = np.array([bisect_left(grid, release) for release in instance.release.tolist()])
    times = np.array([float(time) for time in grid]) / scale
    return Market(instance.machines, times, home, instance.size.astype(np.float64) / scale, curve)


def _grid(instance: Instance, plan: Plan, cells: int) -> list[Fraction]:
    """Events of the plan and releases, and equal parts between them, on a fine grid."""
    span = max(1, int(plan.time[-1]) + 1 - int(plan.time[0]))
    unit = Fraction(2) ** (span.bit_length() - GRID_BITS)
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
