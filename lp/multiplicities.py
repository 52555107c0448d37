"""Multiplicities for given intervals: as good as a linear program finds them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from lp.backend import GE, LE, LinearProgram, solve
from lp.bracket import best_family, scales, shown, whole
from lp.program import Row
from lp.unit import Unit, lightness
from online import exact
from online.errors import LimitReached
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

ENTRIES = 300_000
"""Most entries of the program."""


def best_multiplicities(
    instance: Instance, family: IntervalFamily, weights: Weights | None = None, *, time_limit: float | None = None
) -> tuple[Fraction, IntervalFamily]:
    """The intervals of a family with other multiplicities, as good as a linear program finds them; and their bound.

    Claim: the bound is valid, as any multiplicities >= 0 are; no others of the same intervals give a larger one, up to
    the solver's precision. Jobs that the same intervals count are one row.

    Raises: `LimitReached` for over `ENTRIES` entries, or if the solver ends without an optimum; `InvalidInput` for
    numbers that no solver takes.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(2, [Row("a", 0, 3, [0]), Row("b", 0, 1, [1])])
    >>> best_multiplicities(two, IntervalFamily.of([(0, 1, 0, 0), (1, 1, 0, 0)]))[0]
    Fraction(3, 1)
    """
    weights = Weights.ones(instance) if weights is None else weights
    groups = _groups(instance, family, weights)
    program = _multiplying(instance, family, groups)
    found = solve(program, time_limit=time_limit).optimal("multiplicities for given intervals")
    assert found.x is not None
    b = found.x[: len(family)]

    def build(scale: int) -> IntervalFamily:
        times = exact.column(whole(b, scale), summed=True)
        return replace(family, multiplicity=times).where(times > 0)

    return best_family(instance, scales(b), build, weights=weights)


class _Group(NamedTuple):
    """Jobs that the same intervals count: their volume in ticks, and the intervals of each of their machines."""

    volume: int
    intervals: list[list[int]]


def _groups(instance: Instance, family: IntervalFamily, weights: Weights) -> list[_Group]:
    """The groups that some interval counts on every machine; the duals of all other jobs are 0."""
    clock = sorted({*(2 * family.start).tolist(), *(2 * family.end + 1).tolist()})
    own = np.array(weights.classes_of(family.weights), dtype=np.int64)[weights.rank]
    volumes: dict[tuple[int, int, int], int] = {}
    columns = (instance.release, instance.eligible_set, own, instance.size)
    for release, k, w, size in zip(*(column.tolist() for column in columns), strict=True):
        key = (bisect_right(clock, 2 * family.per_tick * release), w, k)
        volumes[key] = volumes.get(key, 0) + size
    open_at = _Open(family, clock)
    groups, entries = [], 0
    for (segment, w, k), volume in sorted(volumes.items()):
        counting = [open_at(segment, i, w) for i in instance.sets[k]]
        entries += sum(map(len, counting))
        if entries > ENTRIES:
            raise LimitReached(f"over the limit of {ENTRIES} entries (interval, group of jobs, machine)")
        if all(counting):
            groups.append(_Group(volume, counting))
    return groups


class _Open:
    """The intervals open on a machine in one segment of time after another."""

    def __init__(self, family: IntervalFamily, clock: list[int]) -> None:
        number = {time: k + 1 for k, time in enumerate(clock)}
        self.opens: dict[int, list[int]] = {}
        self.closes: dict[int, list[int]] = {}
        for k, (start, end) in enumerate(zip(family.start.tolist(), family.end.tolist(), strict=True)):
            self.opens.setdefault(number[2 * start], []).append(k)
            self.closes.setdefault(number[2 * end + 1], []).append(k)
        self.machine, self.weight_class = family.machine.tolist(), family.weight_class.tolist()
        self.now, self.open = 0, {i: dict[int, None]() for i in set(self.machine)}

    def __call__(self, segment: int, machine: int, weight_class: int) -> list[int]:
        while self.now < segment:
            self.now += 1
            for k in self.closes.get(self.now, ()):
                del self.open[self.machine[k]][k]
            for k in self.opens.get(self.now, ()):
                self.open[self.machine[k]][k] = None
        return [k for k in self.open.get(machine, ()) if self.weight_class[k] <= weight_class]


def _multiplying(instance: Instance, family: IntervalFamily, groups: list[_Group]) -> LinearProgram:
    """Maximise volume times dual minus length times b; columns b, then the dual of each group."""
    unit, columns = Unit.of(instance), len(family)
    light = np.array(lightness(Weights(family.weights, family.weight_class)), dtype=np.float64)
    rows: list[Row] = []
    for g, group in enumerate(groups):
        rows += [({**dict.fromkeys(own, 1), columns + g: -1}, GE, 0) for own in group.intervals]
    rows.append((dict(enumerate(light[family.weight_class].tolist())), LE, 1))
    spans = (family.end - family.start).tolist()
    lengths = [shown(Fraction(span * unit.jobs, family.per_tick * unit.total)) for span in spans]
    gains = [unit.units(group.volume) for group in groups]
    return LinearProgram.of([*lengths, *(-gain for gain in gains)], rows)
