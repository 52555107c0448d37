"""The time-indexed linear program: every job's completion cell and running times at once; its duals are server prices.

An independent form beside the cutting planes of `dual.py`, on the same grid; nothing here decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lp.backend import EQ, GE, LE, solve
from lp.energy.dual import Priced, priced
from lp.energy.pricing import Market
from lp.program import Floats, LinearProgram, Whole

RATIO = 1.05
"""Ratio of the conjugates of neighbouring tangents."""


@dataclass(frozen=True, eq=False)
class Timed:
    """The optimum of the program in units of the mean size, and what its prices prove in floats."""

    value: float
    best: Priced


class _Columns(NamedTuple):
    """Pairs of a job and a completion cell, and the running times of each pair: `pair[r]` runs in `work[r]`."""

    job: Whole
    cell: Whole
    pair: Whole
    work: Whole


def timed_prices(market: Market, time_limit: float | None = None) -> Timed:
    """Solve the program, and price the jobs at the duals of its capacities.

    Claim: up to the solver's tolerance `value` is at most the cost of every schedule, by E10 of ENERGY.md; what
    `best.price` proves is for `price_bound` to say.

    Raises: `NoBound` without an optimum; `InvalidInput` for sizes too far apart for the solver.
    """
    program = timed_program(market, conjugates(market))
    found = solve(program, time_limit=time_limit).optimal("time-indexed program")
    assert found.objective is not None
    assert found.row_dual is not None
    price = np.maximum(0.0, -found.row_dual[len(market.size) :][: market.cells])
    return Timed(found.objective, priced(market, price))


def conjugates(market: Market) -> Floats:
    """Conjugates in proportion, from that of a job alone up to those of prices at which every job waits."""
    dearest = 1 + 2 * len(market.size) / market.machines
    return np.asarray(RATIO ** np.arange(-1, np.log(dearest) / np.log(RATIO) + 1), dtype=np.float64)


def timed_program(market: Market, y: Floats) -> LinearProgram:
    """Shares c of each job by completion cell, times z in cells up to it, their sums Z, energies e (E10).

    Rows: shares of a job sum to 1; capacity m L of each cell; z <= L c; Z = sum of z; e >= mu w c - y Z for each y.
    """
    columns = _columns(market)
    n, T, pairs, runs = len(market.size), market.cells, len(columns.job), len(columns.pair)
    length, p, r = np.append(market.length, 0.0), np.arange(pairs), np.arange(runs)
    c, z, total, e = p, pairs + r, pairs + runs + p, 2 * pairs + runs + p
    ending, own = columns.work < T, columns.work == columns.cell[columns.pair]
    cost = np.concatenate(
        [market.grid[columns.cell] - market.grid[market.home[columns.job]], own, np.zeros(pairs), np.ones(pairs)]
    )
    short, sums, cuts = n + T, n + T + int(ending.sum()), n + T + int(ending.sum()) + pairs
    size, mu = market.size[columns.job], market.curve.marginal_of_conjugate(y)
    within = short + np.arange(int(ending.sum()))
    entries: list[tuple[Whole, Whole, float | Floats]] = [
        (columns.job, c, 1.0),
        (n + columns.work[ending], z[ending], 1.0),
        (within, z[ending], 1.0),
        (within, c[columns.pair[ending]], -length[columns.work[ending]]),
        (sums + p, total, 1.0),
        (sums + columns.pair, z, -1.0),
    ]
    for k in range(len(y)):
        row = cuts + k * pairs + p
        entries += [(row, e, 1.0), (row, total, float(y[k])), (row, c, -mu[k] * size)]
    sense = np.repeat([EQ, LE, EQ, GE], [n, T + len(within), pairs, len(y) * pairs])
    rhs = np.zeros(len(sense))
    rhs[:n], rhs[n : n + T] = 1.0, market.machines * market.length
    return LinearProgram.from_triplets(cost, entries, sense, rhs)


def _columns(market: Market) -> _Columns:
    """All completion cells from the job's release on, the endless one too, and all cells from there to each."""
    cells = np.arange(market.cells + 1)
    job, cell = np.nonzero(cells >= market.home[:, None])
    pair, work = np.nonzero((cells >= market.home[job][:, None]) & (cells <= cell[:, None]))
    return _Columns(job, cell, pair, work)
