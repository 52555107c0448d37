"""Prices for many jobs: a coarse grid, few dials shared by all jobs, and near-linear work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lp.energy.curve import Curve, rounded_down
from lp.energy.prices import Prices, Ranges, tangent
from lp.program import Floats, Whole
from online.instance import Instance
from online.speed.power import Power

RATIO, DIAL_BITS, PRICE_BITS = 1.02, 12, 10
"""Ratio of neighbouring conjugates among the dials, bits of a dial, and fractional bits of a price."""

WINDOW, LOSS = 64, 1e-3
"""Cells looked at first; the share of a job's cost that longer ranges may lose."""


@dataclass(frozen=True, eq=False)
class Crowd:
    """Jobs, a grid of whole ticks, and dials from conjugate just below 1 to the dearest price and beyond.

    `lines[d]` is (marginal, conjugate) of dial d.
    """

    instance: Instance
    grid: Whole
    dials: tuple[Fraction, ...]
    lines: Floats

    @classmethod
    def of(cls, instance: Instance, power: Power, grid: Whole, dearest: float) -> Crowd:
        """Dials in proportion, for prices up to `dearest`."""
        curve = Curve.of(power)
        wanted = np.exp(np.arange(0.0, np.log(2 * (dearest + 2)), np.log(RATIO)))
        listed = [rounded_down(value, DIAL_BITS) for value in curve.dial_of_conjugate(wanted).tolist()]
        dials = tuple(sorted(set(listed)))
        lines = np.array([[float(value) for value in tangent(power, dial)] for dial in dials])
        return cls(instance, grid, dials, lines)


@dataclass(frozen=True, eq=False)
class Answer:
    """What prices prove, with each job's ranges and the time it runs in each cell at its cheapest completion."""

    price: Floats
    value: float
    ranges: tuple[Ranges, ...]
    demand: Floats

    def exact(self, crowd: Crowd) -> Prices:
        """The evidence: prices are multiples of `2**-PRICE_BITS` already."""
        price = tuple(Fraction(int(value * (1 << PRICE_BITS)), 1 << PRICE_BITS) for value in self.price.tolist())
        return Prices(tuple(map(Fraction, crowd.grid.tolist())), price, crowd.dials, self.ranges)


def answer(crowd: Crowd, price: Floats) -> Answer:
    """Price every job: H of all dials by prefix sums, then a window of cells for each job.

    From where the dial with conjugate <= 1 proves more than the least so far, it covers all later completions, since
    its H never falls.
    """
    price = np.floor(price * (1 << PRICE_BITS)) / (1 << PRICE_BITS)
    grid, length = crowd.grid.astype(np.float64), np.diff(crowd.grid).astype(np.float64)
    marginal, conjugate = crowd.lines.T
    slope = np.column_stack([1 - np.maximum(conjugate[:, None] - price, 0.0), 1 - conjugate])
    height = np.column_stack([np.zeros(len(marginal)), np.cumsum(slope[:, :-1] * length, axis=1)])
    release, size = crowd.instance.release.astype(np.float64), crowd.instance.size.astype(np.float64)
    home = np.searchsorted(crowd.grid, crowd.instance.release, side="right") - 1
    demand, total = np.zeros(len(grid)), 0.0
    ranges: list[Ranges] = []
    for r, w, k in zip(release.tolist(), size.tolist(), home.tolist(), strict=True):
        begin = height[:, k] + slope[:, k] * (r - grid[k])
        window = _window(height, begin, marginal * w, k)
        target = window.max(axis=0).min()
        total += target * (1 - LOSS)
        ranges.append(_cover(window >= target * (1 - LOSS), k))
        cell = int(np.argmin(window.max(axis=0)))
        d = int(np.argmax(window[:, cell]))
        on = slice(k, k + cell + 1)
        demand[on] += (conjugate[d] > np.append(price, np.inf)[on]) * np.append(length, 0.0)[on]
        demand[k] -= (conjugate[d] > np.append(price, np.inf)[k]) * (r - grid[k])
    rent = float(crowd.instance.machines * (price @ length))
    return Answer(price, total - rent, tuple(ranges), demand[:-1])


def _window(height: Floats, begin: Floats, work: Floats, k: int) -> Floats:
    """What each dial proves in the cells from k on, up to where the first dial proves enough for all later ones."""
    cells, width = height.shape[1] - 1, WINDOW
    while True:
        last = min(k + width, cells)
        ends = np.column_stack([begin, height[:, k + 1 : last + 1]]) - begin[:, None] + work[:, None]
        window = np.minimum(ends[:, :-1], ends[:, 1:])
        least = window.max(axis=0).min(initial=np.inf)
        if last == cells or ends[0, -1] >= least:
            tail = np.full((len(work), 1), -np.inf)
            tail[0] = ends[0, -1]
            return np.column_stack([window, tail])
        width *= 4


def _cover(good: np.ndarray, k: int) -> Ranges:  # type: ignore[type-arg]
    cell, found = 0, []
    while cell < good.shape[1]:
        rest = good[:, cell:]
        reach = np.where(rest.all(axis=1), rest.shape[1], np.argmin(rest, axis=1))
        best = int(np.argmax(reach))
        found.append((k + cell, best))
        cell += max(1, int(reach[best]))
    return tuple(found)


def improve(crowd: Crowd, price: Floats, rounds: int) -> Sequence[Answer]:
    """Raise prices where the jobs want more than the servers have, and lower them where they want less."""
    found = [answer(crowd, price)]
    length = np.diff(crowd.grid).astype(np.float64)
    for number in range(rounds):
        want = found[-1].demand / (crowd.instance.machines * length) - 1
        price = np.maximum(0.0, found[-1].price + 0.5 / (number + 2) ** 0.5 * np.clip(want, -1, 1))
        found.append(answer(crowd, price))
    return found
