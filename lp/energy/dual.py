"""Server prices that prove much: cutting planes for the Lagrangian dual, in a box around the best prices so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lp.backend import GE, solve
from lp.deadline import Deadline
from lp.energy.pricing import Market, Patterns, Quotes, patterns, quote
from lp.program import Floats, LinearProgram
from online.errors import InvalidInput

TIES = 3
"""Most patterns that a job gets at once: its cheapest completion cells."""

ROUNDS, SMALL = 100, 1e-5
"""Most rounds, and the share of the bound below which a promise is not worth another."""

BOX, GROW, SHRINK, PATIENCE = 0.3, 1.5, 0.6, 4
"""The first box as a share of the prices, and how it changes."""

SHORT = 1e-8
"""Shares of a cell that the linear program does not see."""


@dataclass(frozen=True, eq=False)
class Priced:
    """Prices, what they prove in floats, and the quotes behind it."""

    price: Floats
    quotes: Quotes
    value: float


def priced(market: Market, price: Floats) -> Priced:
    """What prices prove: the sum of the jobs' least costs minus the rent of all servers."""
    quotes = quote(market, price)
    return Priced(price, quotes, float(quotes.least.sum() - market.machines * (price @ market.length)))


def best_prices(market: Market, start: Priced, target: float, gap: float, deadline: Deadline) -> Priced:
    """Raise the bound from `start` until it is within `gap` of `target`, or no prices in the box promise more.

    Each round asks the linear program over all patterns so far for the best prices in a box around the best known
    ones, tries the prices half way to them, and adds every job's cheapest patterns there. The box shrinks after
    `PATIENCE` rounds in vain.
    """
    best, box, vain = start, BOX * (float(start.price.max(initial=0.0)) + 1), 0
    known = [_offers(market, start)]
    for _ in range(ROUNDS):
        if best.value >= target * (1 - gap) or deadline.passed():
            break
        found = _ask(market, known, best.price, box)
        if found is None or found.value - best.value <= SMALL * abs(best.value):
            break
        tried = priced(market, (best.price + found.price) / 2)
        known.append(_offers(market, tried))
        if tried.value > best.value:
            best, box, vain = tried, box * (GROW if 2 * tried.value > best.value + found.value else 1), 0
        else:
            vain += 1
            box *= SHRINK if vain % PATIENCE == 0 else 1
    return best


class _Promise(NamedTuple):
    price: Floats
    value: float


def _offers(market: Market, tried: Priced) -> Patterns:
    """The patterns of each job's locally cheapest completion cells."""
    value = tried.quotes.value
    before = np.column_stack([np.full(len(value), np.inf), value[:, :-1]])
    after = np.column_stack([value[:, 1:], np.full(len(value), np.inf)])
    dips = np.where((value <= before) & (value <= after), value, np.inf)
    chosen = np.argsort(dips, axis=1, kind="stable")[:, :TIES]
    job = np.repeat(np.arange(len(value)), chosen.shape[1])
    cell = chosen.ravel()
    real = np.isfinite(dips[job, cell])
    return patterns(market, tried.quotes, tried.price, job[real], cell[real])


def _ask(market: Market, known: list[Patterns], centre: Floats, box: float) -> _Promise | None:
    """The best prices in the box as far as the patterns tell: maximise sum of theta_j minus the rent of the servers."""
    n = len(market.size)
    job = np.concatenate([p.job for p in known])
    time = np.concatenate([p.time for p in known])
    cost = np.concatenate([p.cost for p in known])
    row, cell = np.nonzero(time > SHORT * market.length)
    k = np.arange(len(job))
    program = LinearProgram.from_triplets(
        np.concatenate([-np.ones(n), market.machines * market.length]),
        [(k, job, -1.0), (row, n + cell, time[row, cell])],
        np.full(len(job), GE),
        -cost,
    )
    program.lower[:n] = -np.inf
    program.lower[n:] = np.maximum(0.0, centre - box)
    program.upper[n:] = centre + box
    try:
        found = solve(program)
    except InvalidInput:  # sizes too far apart for the solver
        return None
    if found.x is None or found.objective is None:
        return None
    return _Promise(np.maximum(found.x[n:], 0.0), -found.objective)
