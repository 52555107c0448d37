"""From prices in floats to exact evidence: prices and dials rounded, few ranges of completions for every job."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from lp.energy.curve import rounded_down
from lp.energy.prices import Prices, Ranges, tangent
from lp.energy.pricing import Market
from lp.program import Floats
from online.speed.power import Power

PRICE_BITS = 20
"""Prices are multiples of `2**-PRICE_BITS`."""

LOSS = 1e-6
"""Share of a job's cost that longer ranges may lose."""


def exact_prices(market: Market, power: Power, grid: Sequence[Fraction], price: Floats, y: Floats) -> Prices:
    """Evidence from prices and each job's best conjugates `y[j, i]` by completion cell.

    Each range is as long as one of the job's own dials holds out near the job's least cost.
    """
    exact = [Fraction(int(value * (1 << PRICE_BITS)), 1 << PRICE_BITS) for value in price.tolist()]
    shown = np.array([float(value) for value in exact])
    numbers: dict[Fraction, int] = {}
    ranges: list[Ranges] = []
    for j, home in enumerate(market.home.tolist()):
        dials = _dials(market, power, y[j, home:])
        own = cover(market, shown, j, _conjugates(power, dials))
        ranges.append(tuple((cell, numbers.setdefault(dials[d], len(numbers))) for cell, d in own))
    return Prices(tuple(grid), tuple(exact), tuple(numbers), tuple(ranges))


def _dials(market: Market, power: Power, y: Floats) -> list[Fraction]:
    dials = sorted({rounded_down(value) for value in market.curve.dial_of_conjugate(y).tolist()})
    low = [dial for dial in dials if tangent(power, dial).conjugate <= 1]
    if low:
        return dials
    return [rounded_down(float(market.curve.dial_of_conjugate(np.ones(1))[0]) * (1 - LOSS)), *dials]


def _conjugates(power: Power, dials: Sequence[Fraction]) -> Floats:
    return np.array([[float(value) for value in tangent(power, dial)] for dial in dials])


def cover(market: Market, price: Floats, j: int, lines: Floats) -> list[tuple[int, int]]:
    """Ranges (first cell, number of the line) over all completions of job j, the lines being (marginal, conjugate)."""
    home = int(market.home[j])
    proven = _proven(market, price, j, lines)
    good = proven >= proven.max(axis=0).min() * (1 - LOSS)
    cell, found = home, []
    while cell <= market.cells:
        open_cells = good[:, cell - home :]
        reach = np.where(open_cells.all(axis=1), open_cells.shape[1], np.argmin(open_cells, axis=1))
        best = int(np.argmax(reach))
        found.append((cell, best))
        cell += max(1, int(reach[best]))
    return found


def _proven(market: Market, price: Floats, j: int, lines: Floats) -> Floats:
    """What each line proves about completions in each cell from the home cell on, at the smaller end of the cell."""
    home = int(market.home[j])
    marginal, conjugate = lines[:, :1], lines[:, 1:]
    slopes = 1 - np.maximum(conjugate - price[home:], 0.0)
    rises = np.cumsum(slopes * market.length[home:], axis=1)
    height = np.column_stack([np.zeros(len(lines)), rises])
    ends = np.column_stack([height[:, 1:], np.where(conjugate <= 1, height[:, -1:], -np.inf)])
    return np.asarray(marginal * market.size[j] + np.minimum(height, ends), dtype=np.float64)
