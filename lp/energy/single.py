"""One job alone at given server prices: what it provably costs at least, and a way to serve it at some cost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lp.energy.curve import Curve
from lp.energy.evidence import exact_prices
from lp.energy.few import market_of
from lp.energy.prices import Prices, job_bounds
from lp.energy.pricing import quote
from online.errors import LimitReached
from online.instance import Instance
from online.speed.power import Power

ENTRIES = 20_000_000
"""Most (job, cell, cell) that are looked at."""

SLOWEST = Fraction(1, 1 << 30)
"""Least speed that is tried."""

FASTER = 1 + Fraction(1, 1 << 20)
"""By how much a speed is raised where rounding it down left too little time."""


class Alone(NamedTuple):
    """Flow time, energy and rent of each job served alone, in ticks: at least `least`, and at most `most`.

    `prices` is the evidence for `least`: the given ones on a grid with all releases, dials and ranges for each job.
    """

    least: tuple[Fraction, ...]
    most: tuple[Fraction, ...]
    prices: Prices


def alone(instance: Instance, power: Power, grid: Sequence[Fraction], price: Sequence[Fraction]) -> Alone:
    """Bracket what each job costs alone, exactly; floats only propose dials, ranges and schedules.

    Claim: `least[j]` is the phi_j that E4 of lp/ENERGY.md proves for these prices, `most[j]` the exact cost of a way to
    serve job j at one speed. So phi_j up to `least[j]` are feasible duals of the prices, those over `most[j]` are not.
    `grid` is ascending, begins at or before every release, and has one price >= 0 a cell; after it servers cost 0.

    Raises: `LimitReached` for too many jobs and cells.

    At s^2 a job of size 3 alone costs 6 when servers are free of charge:

    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> found = alone(Instance.from_rows(1, [Row("a", 0, 3)]), power_law(2), [Fraction(0)], [])
    >>> found.least, found.most
    ((Fraction(6, 1),), (Fraction(6, 1),))
    """
    first = int(instance.release.min())
    moved = instance.shifted(first)
    cells, prices = _refined(moved, [time - first for time in grid], price)
    if instance.n * len(cells) ** 2 > ENTRIES:
        raise LimitReached(f"{instance.n} jobs in {len(cells)} cells are over the limit of {ENTRIES}")
    market = market_of(moved, Curve.of(power), cells)
    quotes = quote(market, np.array(prices, dtype=np.float64))
    made = exact_prices(market, power, cells, np.array(prices, dtype=np.float64), quotes.y)
    made = Prices(made.grid, tuple(prices), made.dials, made.ranges)
    speeds = market.curve.speed_of_conjugate(quotes.y)
    served = []
    for job, home in zip(moved.jobs(), market.home.tolist(), strict=True):
        cell = int(np.argmin(quotes.value[job.position]))
        speed = max(Fraction(speeds[job.position, cell].item()), SLOWEST)
        served.append(_cost(power, speed, job.size, _Stretch(cells[home:], prices[home:], cell - home)))
    return Alone(tuple(job_bounds(moved, power, made)), tuple(served), made.shifted(first))


def _refined(
    moved: Instance, grid: Sequence[Fraction], price: Sequence[Fraction]
) -> tuple[list[Fraction], list[Fraction]]:
    """The grid with all releases on it and a cell after them, and the price of each cell."""
    cells = sorted({*grid, *map(Fraction, moved.release.tolist())})
    cells.append(cells[-1] + 1)
    given = dict(zip(grid, [*price, Fraction(0)], strict=True))
    now, prices = Fraction(0), []
    for time in cells[:-1]:
        now = given.get(time, now)
        prices.append(now)
    return cells, prices


class _Stretch(NamedTuple):
    """The cells from a release on, their prices, and the one in which the job is to complete."""

    grid: Sequence[Fraction]
    price: Sequence[Fraction]
    last: int


def _cost(power: Power, speed: Fraction, size: int, stretch: _Stretch) -> Fraction:
    """Served at about this speed, in the cells that are cheapest for a job that completes in the last one."""
    while True:
        point = power.at(power.dial_for_speed(speed))
        time, cost = size / point.speed, Fraction(0)
        rooms = [(b - a, value) for (a, b), value in zip(pairwise(stretch.grid), stretch.price, strict=True)]
        rooms = [*rooms, (time, Fraction(0))][: stretch.last + 1]
        left, used = time, [Fraction(0)] * len(rooms)
        for k in sorted(range(len(rooms)), key=lambda k: (rooms[k][1] + (k == stretch.last), k)):
            used[k] = min(left, rooms[k][0])
            left -= used[k]
            cost += used[k] * rooms[k][1]
        if not left:
            ended = max(k for k in range(len(used)) if used[k])
            flow = stretch.grid[ended] - stretch.grid[0] + used[ended]
            return cost + flow + time * point.power
        speed *= FASTER if left < time / 1000 else 2
