"""Prices for many jobs: a coarse grid, few dials that all jobs share, and work near linear in the jobs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lp.deadline import Deadline
from lp.energy.curve import Curve, rounded_down
from lp.energy.prices import Prices, Ranges, tangent
from lp.program import Floats, Whole
from online.instance import Instance
from online.speed.power import Power

RATIO, DIAL_BITS, PRICE_BITS = 1.03, 12, 10
"""Ratio of neighbouring conjugates among the dials, bits of a dial, and fractional bits of a price."""

WINDOW, LOSS = 48, 5e-4
"""Cells looked at first; the share of a job's cost that longer ranges may lose."""

STEP, MEMORY = 1.0, 0.7
"""First change of a price where nobody runs, or twice as many want to as can; the share of a pull that is remembered.
"""


@dataclass(frozen=True, eq=False)
class Crowd:
    """Jobs, a grid in `1/fine` ticks, and dials from conjugate just below 1 to the dearest price and beyond.

    `lines[d]` is (marginal, conjugate) of dial d.
    """

    instance: Instance
    grid: Whole
    fine: int
    dials: tuple[Fraction, ...]
    lines: Floats

    @classmethod
    def of(cls, instance: Instance, power: Power, grid: Whole, fine: int, dearest: float) -> Crowd:
        """Dials in proportion, for prices up to `dearest`."""
        wanted = np.exp(np.arange(0.0, math.log(2 * (dearest + 2)), math.log(RATIO)))
        listed = Curve.of(power).dial_of_conjugate(wanted).tolist()
        dials = tuple(sorted({rounded_down(value, DIAL_BITS) for value in listed}))
        lines = np.array([[float(value) for value in tangent(power, dial)] for dial in dials])
        return cls(instance, grid, fine, dials, lines)

    @cached_property
    def times(self) -> Floats:
        """The grid in ticks."""
        return self.grid / self.fine

    @cached_property
    def home(self) -> Whole:
        """The cell of each job's release."""
        return np.searchsorted(self.grid, self.instance.release * self.fine, side="right") - 1

    def evidence(self, answer: Answer) -> Prices:
        """The exact evidence; prices are multiples of `2**-PRICE_BITS` already."""
        grid = tuple(Fraction(time, self.fine) for time in self.grid.tolist())
        return Prices(grid, tuple(Fraction(value) for value in answer.price.tolist()), self.dials, answer.ranges)


@dataclass(frozen=True, eq=False)
class Answer:
    """What prices prove in floats, the time that jobs run in each cell as they like best, and their ranges if asked."""

    price: Floats
    value: float
    demand: Floats
    ranges: tuple[Ranges, ...]


def answer(crowd: Crowd, price: Floats, *, ranges: bool = False) -> Answer:
    """Price every job: H of all dials by prefix sums, then a window of cells for each job."""
    price = np.floor(price * (1 << PRICE_BITS)) / (1 << PRICE_BITS)
    heights, length = _Heights.of(crowd, price), np.diff(crowd.times)
    demand, total, found = np.zeros(len(length)), 0.0, []
    release, size = crowd.instance.release.astype(np.float64), crowd.instance.size.astype(np.float64)
    for r, w, k in zip(release.tolist(), size.tolist(), crowd.home.tolist(), strict=True):
        window = heights.window(r, w, k)
        best = window.max(axis=0)
        cell = int(np.argmin(best))
        total += float(best[cell])
        if ranges:
            found.append(_cover(window >= best[cell] * (1 - LOSS), k))
        y, on = crowd.lines[int(np.argmax(window[:, cell])), 1], slice(k, k + cell + 1)
        demand[on] += np.where(y > price[on], length[on], 0.0)
    return Answer(price, total - crowd.instance.machines * float(price @ length), demand, tuple(found))


@dataclass(frozen=True, eq=False)
class _Heights:
    """H of every dial at every grid point, its slope after each, and the marginals."""

    times: Floats
    height: Floats
    slope: Floats
    marginal: Floats

    @classmethod
    def of(cls, crowd: Crowd, price: Floats) -> _Heights:
        marginal, conjugate = crowd.lines.T
        slope = 1 - np.maximum(conjugate[:, None] - np.append(price, 0.0), 0.0)
        rises = np.cumsum(slope[:, :-1] * np.diff(crowd.times), axis=1)
        return cls(crowd.times, np.column_stack([np.zeros(len(marginal)), rises]), slope, marginal)

    def window(self, release: float, size: float, k: int) -> Floats:
        """What each dial proves in each cell from k on, up to a last one that stands for all later completions.

        For those the first dial, with conjugate at most 1, proves enough: its H never falls.
        """
        start = self.height[:, k] + self.slope[:, k] * (release - self.times[k])
        base, cells, width = (self.marginal * size - start)[:, None], len(self.times) - 1, WINDOW
        while True:
            last = min(k + width, cells)
            ends = np.column_stack([start, self.height[:, k + 1 : last + 1]]) + base
            window = np.minimum(ends[:, :-1], ends[:, 1:])
            if last == cells or ends[0, -1] >= window.max(axis=0).min():
                tail = np.full((len(ends), 1), -np.inf)
                tail[0] = ends[0, -1]
                return np.column_stack([window, tail])
            width *= 4


def _cover(good: npt.NDArray[np.bool_], k: int) -> Ranges:
    """Ranges from cell k on, each with the dial that holds out longest."""
    cell, found = 0, []
    while cell < good.shape[1]:
        rest = good[:, cell:]
        reach = np.where(rest.all(axis=1), rest.shape[1], np.argmin(rest, axis=1))
        best = int(np.argmax(reach))
        found.append((k + cell, best))
        cell += max(1, int(reach[best]))
    return tuple(found)


def crowd_prices(crowd: Crowd, start: Floats, rounds: int, deadline: Deadline, tell: Callable[[str], None]) -> Answer:
    """The best of `rounds` prices: up where jobs want more servers than there are, down where they want fewer."""
    best = tried = answer(crowd, start)
    room = crowd.instance.machines * np.diff(crowd.times)
    pull: Floats | None = None
    for number in range(rounds):
        if deadline.passed():
            break
        tell(f"prices, round {number + 1} of {rounds}")
        want = np.clip(tried.demand / room - 1, -1.0, 1.0)
        pull = want if pull is None else MEMORY * pull + (1 - MEMORY) * want
        tried = answer(crowd, np.maximum(0.0, tried.price + STEP / math.sqrt(number + 1) * pull))
        best = max(best, tried, key=lambda found: found.value)
    return answer(crowd, best.price, ranges=True)
