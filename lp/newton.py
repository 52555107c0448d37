"""Newton's method for one set of jobs, and for the best of all sets: the searches behind `lp.hall`."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from lp.counted import Whole
from lp.cuts import Mask
from lp.grid import common_divisor
from lp.lengths import Lengths
from lp.segments import most_violated
from lp.windows import Windows
from online import exact
from online.instance import Instance

LONG_EDGES = 50_000
"""Most edges of a least cut in numbers beyond 62 bits."""

COARSER, CELLS = 8, 8
"""Each coarse grid is this many times the next finer one, and the coarsest at most 1/CELLS of the longest window."""


def grid(instance: Instance) -> int:
    """The greatest common divisor, in ticks, of the sizes and of the differences of the releases; without size 0.

    >>> from online.rows import Row
    >>> grid(Instance.from_rows(1, [Row("a", 3, 4), Row("b", 9, 8)]))
    2
    """
    real = instance.size > 0
    return common_divisor(instance.release[real], instance.size[real])


def least_value(windows: Windows, low: Fraction) -> Fraction:
    """The T at which the windows of all rows just hold their volume, which they do not at `low`.

    Claim: exact. The excess is piecewise linear but neither convex nor concave in T. A step goes to the zero of the
    line that starts at `low`: right if that line lasts as far; else beyond one of its finitely many breakpoints, if
    too low; if too high, the interval is halved next. All numbers stay as short as the ends of a line.
    """
    part = np.zeros(len(windows), dtype=np.int64)
    high = (
        Fraction(windows.total * windows.rates.unit, max(windows.rates.of[k] for k in set(windows.rank.tolist()))) + 1
    )
    excess, target = windows.excess(windows.rates.exact(low)), high
    while True:
        if excess > 0:
            target = low + excess / windows.slopes(low, part)[0]
        T = target if low < target < high else _between(low, high)
        excess = windows.excess(windows.rates.exact(T))
        if excess == 0:
            return T
        low, high = (T, high) if excess > 0 else (low, T)


def integral_value(windows: Windows, g: int, low: Fraction) -> Fraction:
    """The largest V at which windows cut to multiples of g below V/w do not hold the volume; `low` is less than V."""
    unit = Fraction(g, exact.common_denominator(windows.rates.weights))
    z, step = low // unit + 1, 1
    while _proven(windows, g, (z + step) * unit):
        z, step = z + step, 2 * step
    while step > 1:
        step //= 2
        if _proven(windows, g, (z + step) * unit):
            z += step
    return z * unit


def _proven(windows: Windows, g: int, V: Fraction) -> bool:
    return windows.excess(windows.rates.below(V, g)) > 0


def _between(low: Fraction, high: Fraction) -> Fraction:
    """A fraction of small denominator in the middle half of an interval."""
    d = math.ceil(2 / (high - low))
    return Fraction(round((low + high) / 2 * d), d)


class View(NamedTuple):
    """What is cut at one stage: windows on a grid, the row there of each true row, the grid in ticks (0: none)."""

    windows: Windows
    number: Whole
    grid: int


class Search:
    """The best value T so far, the jobs that prove it, and, once it is known, an `upper` that no set of jobs exceeds.

    If `cut_down`, windows are cut down to multiples of the instance's grid. Cuts go from coarse windows, larger than
    the true ones but with few distinct ends, to the true ones: a set violated there is violated. `open` are the rows
    of the present view in parts, connected in time, that may have a violated set: a part has none if it is made of
    parts that had none in shorter windows. So where 62 bits do not hold the true windows, they are first rounded up,
    which finds sets, then down, which leaves few parts open, and these are cut in long numbers.
    """

    def __init__(self, instance: Instance, windows: Windows, T: Fraction, cut_down: bool, edge_limit: int) -> None:
        self.instance, self.windows, self.edge_limit = instance, windows, edge_limit
        self.grid, self.cut_down = grid(instance), cut_down
        self.T, self.upper, self.cuts = T, None if len(windows) else T, 0
        self.jobs: tuple[int, ...] = ()
        self.view, self.open = View(windows, np.arange(len(windows)), 0), np.ones(len(windows), dtype=bool)
        self.lengths = windows.rates.exact(Fraction(0))
        if len(windows):
            self._rise(windows)
            self.grids = self._grids()
            self._next_view()

    def step(self) -> bool:
        """One least cut, or none if there is nothing to cut; false if it would be too large."""
        windows, lengths = self.view.windows, self._lengths()
        part = windows.components(lengths)
        if not lengths.reach(self.lengths):
            self.open = np.ones(len(windows), dtype=bool)
        self.open, self.lengths = spread(self.open, part) & windows.crowded(lengths, part), lengths
        violated = np.zeros(len(windows), dtype=bool)
        if self.open.any():
            short = lengths.per_tick <= windows.finest(lengths)
            limit = self.edge_limit if short else min(self.edge_limit, LONG_EDGES)
            found = most_violated(windows.where(self.open), lengths, limit)
            if found is None:
                return False
            self.cuts += 1
            violated[self.open] = found
        self.open &= spread(violated, part)
        low = self.T
        if violated.any():
            self._rise(self.windows.where(violated[self.view.number]))
        if low == self.T:
            self._settle(bool(violated.any()))
        return True

    def _grids(self) -> list[int]:
        """The grids of the stages, the finest first; 0 for windows on no grid. Numbers beyond 62 bits get no grid."""
        lengths = self._true_lengths()
        if not self.windows.finest(lengths):
            return [0]
        most = max(lengths.of) // lengths.per_tick // CELLS
        coarse = [self.grid]
        while coarse[-1] * COARSER <= most:
            coarse.append(coarse[-1] * COARSER)
        return [*([] if self.cut_down else [0, 0, 0]), *coarse]

    def _next_view(self) -> None:
        cell, everyone = self.grids.pop(), np.arange(len(self.windows))
        windows, number = self.windows.coarse(cell) if cell > self.grid else (self.windows, everyone)
        if windows is not self.view.windows:
            self.open = np.ones(len(windows), dtype=bool)
        self.view = View(windows, number, cell)

    def _true_lengths(self) -> Lengths:
        """The windows of the bound itself."""
        rates = self.windows.rates
        return rates.within(self.T, self.grid) if self.cut_down else rates.exact(self.T)

    def _lengths(self) -> Lengths:
        """The windows to cut at this stage: longer than the true ones, but for those rounded down next to the last."""
        rates, true, left = self.windows.rates, self._true_lengths(), len(self.grids)
        if self.view.grid > self.grid:
            return true.enlarged(self.view.grid)
        if self.view.grid:
            return true if self.cut_down else rates.rounded_up(self.T, self.grid, 1)
        finest = self.windows.finest(true)
        if not left or not 0 < finest < true.per_tick:
            return true
        return rates.rounded_up(self.T, 1, finest) if left == 2 else true.rounded_down(finest)

    def _settle(self, violated: bool) -> None:
        """No set proves more than the T that windows without a violated set reach; finer ones follow if that is over T.

        Where sets are violated but do not prove more than T, windows were rounded down: only their parts stay open.
        """
        if not violated and self.view.grid <= self.grid:
            self.upper = max(self.T, self.windows.rates.reached(self.lengths))
        if self.upper != self.T:
            self._next_view()

    def _rise(self, found: Windows) -> None:
        """Raise T to the value of the best part of a set, as long as the set has a violated part."""
        while True:
            lengths = self._true_lengths()
            part = found.components(lengths)
            excess = found.excesses(lengths, part)
            if max(excess) <= 0:
                return
            slopes = [Fraction(1)] * len(excess) if self.cut_down else found.slopes(self.T, part)
            gain = [e / slope for e, slope in zip(excess, slopes, strict=True)]
            best = found.where(part == gain.index(max(gain)))
            self.jobs = best.positions
            self.T = self._value(best)

    def _value(self, best: Windows) -> Fraction:
        if not self.cut_down:
            return least_value(best, self.T)
        own = np.isin(np.arange(self.instance.n), self.jobs)
        return integral_value(best, grid(self.instance.restrict(own)), self.T)


def spread(mask: Mask, part: Whole) -> Mask:
    """All rows of the parts that have a row in the mask."""
    hit = np.zeros(int(part.max()) + 1, dtype=bool)
    hit[part[mask]] = True
    return hit[part]
