"""Every job's cheapest completion at given server prices, in floats: proposals for dials, and patterns for the dual."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lp.energy.curve import Curve
from lp.program import Floats, Whole


@dataclass(frozen=True, eq=False)
class Market:
    """Jobs on a grid that contains their releases, in ticks.

    `home[j]` is the cell that begins with job j's release. Cell `cells` goes on for ever, at price 0.
    """

    machines: int
    grid: Floats
    home: Whole
    size: Floats
    curve: Curve

    @property
    def cells(self) -> int:
        """Number of cells that end."""
        return len(self.grid) - 1

    @property
    def length(self) -> Floats:
        """Lengths of the cells that end."""
        return np.diff(self.grid)


@dataclass(frozen=True, eq=False)
class Quotes:
    """For job j and completion cell i: best conjugate `y[j, i]` and cost `value[j, i]`, infinite before home."""

    y: Floats
    value: Floats

    @property
    def least(self) -> Floats:
        """phi_j."""
        return np.asarray(self.value.min(axis=1), dtype=np.float64)


def quote(market: Market, price: Floats) -> Quotes:
    """The best dial for every job and completion cell.

    F(C, mu) is linear in C within a cell and concave in mu, so its value there is max over mu of the smaller end:
    the right y is 1 + price, if that lies between the best ones for the two ends, else the nearer of those.
    """
    T, n = market.cells, len(market.size)
    at_end = _ends(market, price)
    full = np.append(price, 0.0)
    y = np.clip(full + 1, np.column_stack([at_end[:, 1:], np.zeros(n)]), at_end)
    cells = np.arange(T)
    y[np.arange(T + 1) < market.home[:, None]] = 0.0
    rent = np.maximum(y[:, :, None] - price, 0.0) * market.length
    inside = (cells >= market.home[:, None, None]) & (cells < np.arange(T + 1)[:, None])
    spent = (rent * inside).sum(axis=2)
    length = np.append(market.length, 0.0)
    work = market.curve.marginal_of_conjugate(y) * market.size[:, None]
    value = market.grid - market.grid[market.home][:, None] + work - spent
    value += np.minimum(0.0, length * (1 - np.maximum(y - full, 0.0)))
    value[np.arange(T + 1) < market.home[:, None]] = np.inf
    return Quotes(y, value)


def _ends(market: Market, price: Floats) -> Floats:
    """The best y for completion at each grid point: run in all cells cheaper than y, at the speed right for y."""
    T = market.cells
    order = np.argsort(price, kind="stable")
    cells = order[None, :]
    ready = cells >= market.home[:, None]
    usable = ready[:, None, :] & (order < np.arange(T + 1)[:, None])
    time = np.cumsum(usable * market.length[order], axis=2)
    with np.errstate(divide="ignore"):
        wanted = market.curve.conjugate_of_speed(market.size[:, None, None] / time)
    used = (wanted > price[order]).sum(axis=2)
    last = np.take_along_axis(wanted, np.maximum(used - 1, 0)[:, :, None], axis=2)[:, :, 0]
    following = np.append(price[order], np.inf)[used]
    found = np.where(used > 0, np.minimum(last, following), following)
    found[np.arange(T + 1) <= market.home[:, None]] = np.inf
    return np.asarray(found, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Patterns:
    """Ways to serve jobs: pattern p serves `job[p]`, runs `time[p, k]` in cell k and costs `cost[p]` beside rent."""

    job: Whole
    time: Floats
    cost: Floats


def patterns(market: Market, quotes: Quotes, price: Floats, job: Whole, cell: Whole) -> Patterns:
    """The cheapest pattern of each job for completion in the given cell."""
    T = market.cells
    y = quotes.y[job, cell]
    total = market.size[job] / market.curve.speed_of_conjugate(y)
    cells = np.arange(T + 1)
    effective = np.where(cells == cell[:, None], np.append(price, 0.0) + 1, np.append(price, np.inf))
    length = np.append(market.length, np.inf)
    usable = (cells >= market.home[job][:, None]) & (cells <= cell[:, None])
    effective = np.where(usable, effective, np.inf)
    order = np.argsort(effective, axis=1, kind="stable")
    room = np.where(np.take_along_axis(usable, order, axis=1), length[order], 0.0)
    before = np.cumsum(np.column_stack([np.zeros(len(job)), room[:, :-1]]), axis=1)
    run = np.clip(total[:, None] - before, 0.0, room)
    time = np.zeros_like(run)
    np.put_along_axis(time, order, run, axis=1)
    done = time.sum(axis=1)
    energy = done * market.curve.power_of_speed(market.size[job] / done)
    own = np.take_along_axis(time, cell[:, None], axis=1)[:, 0]
    cost = market.grid[cell] - market.grid[market.home[job]] + own + energy
    return Patterns(job, time[:, :T], cost)
