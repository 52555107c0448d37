"""Witnesses of a phase of algorithm A: the interval families of Figure 4 and their duals, by density class."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

import numpy as np

from online import exact
from online.exact import Column
from online.family import IntervalFamily
from online.weighted.classes import power
from online.weighted.laminar import Marks, nested
from online.weighted.trail import Trail

OUT_OF_RANGE = -1


@dataclass(frozen=True, eq=False)
class DensityWitness:
    """What a phase shows about the offline optimum, for density class `low` (d* in the paper).

    Columns have one entry an offered job of `trail`. `depth` is the largest l with the job in J(l), at most the level
    after the last; `OUT_OF_RANGE` for jobs of other density classes. `duals` is alpha_j / p_j. Intervals are in ticks,
    for jobs whose flow weight is at least a power of two; true weights are counted as the rounded ones are.
    """

    trail: Trail
    low: int
    marks: Marks
    depth: Column
    duals: Column
    family: IntervalFamily


def density_witness(trail: Trail, low: int, marks: Marks) -> DensityWitness:
    """The families of Figure 4 of all levels and the duals before Claim 6.9.

    Claim: an accepted job of J(l) has `alpha_j = p_j (l - first level)` for its largest l; a rejected one of class
    `low` as if it had filled the queue. There the levels end: l is at most alpha/4. Feasible for (5) with the marks
    `printed` and `corrected` if T is at least every `2^w p`. One pass over the gaps of each machine: the cost follows
    arrivals and intervals.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.2, Figure 4 and before Claim 6.9.
    """
    depth = _depths(trail, low, marks)
    full, first = marks.levels.stop - marks.lag, marks.levels.start
    types = trail.decisions.types.types
    counted = [offer.accepted or types[j].density == low for j, offer in trail.offers]
    duals = np.where(counted, np.maximum(np.minimum(depth, full) - first, 0), 0)
    return DensityWitness(trail, low, marks, depth, duals, _family(trail, low, marks, depth))


def _depths(trail: Trail, low: int, marks: Marks) -> Column:
    kinds, types = trail.range_of(low), trail.decisions.types.types
    top, bottom = marks.height.numerator, marks.height.denominator
    depth = np.full(len(trail.offers), OUT_OF_RANGE, dtype=np.int64)
    for k, (j, offer) in enumerate(trail.offers):
        kind = types[j]
        if kinds.holds(kind):
            shift, level = kind.exponent - low, offer.level * bottom
            lifted = level << shift if shift >= 0 else level
            depth[k] = min(lifted // (top if shift >= 0 else top << -shift), marks.levels.stop)
    return depth


def _family(trail: Trail, low: int, marks: Marks, depth: Column) -> IntervalFamily:
    rows: list[tuple[int, int, int, int]] = []
    classes: list[int] = []
    released = _Released(trail, marks, depth)
    for machine, pieces in enumerate(trail.pieces):
        found = nested(pieces, trail.range_of(low), marks) if marks.levels else []
        for level, group in groupby(sorted(found), itemgetter(0)):
            spans = [(start, end) for _, start, end in group]
            classes += released.lightest(machine, level, spans)
            rows += [(machine, level, *span) for span in spans]
    weights = sorted(set(classes))
    number = {w: k for k, w in enumerate(weights)}
    powers = [power(w) for w in weights] or [Fraction(1)]
    return IntervalFamily.of(rows, weight_class=[number[w] for w in classes], weights=powers)


class _Released:
    """The jobs of the sets J(l), by machine that they may go to and release."""

    def __init__(self, trail: Trail, marks: Marks, depth: Column) -> None:
        instance, types = trail.decisions.types.instance, trail.decisions.types.types
        deep = np.flatnonzero(depth >= max(marks.levels.start - marks.lag, 0))
        jobs = [trail.offers[k][0] for k in deep.tolist()]
        self.marks, self.depth = marks, depth[deep]
        self.release, self.chosen = instance.release[jobs], instance.eligible_set[jobs]
        self.weight = np.array([types[j].weight for j in jobs], dtype=np.int64)
        sets = instance.sets
        self.owner = np.repeat(np.arange(len(sets)), np.diff(sets.start))
        self.order = np.argsort(sets.machines, kind="stable")
        self.first = np.searchsorted(sets.machines[self.order], np.arange(instance.machines + 1))
        self.machine = -1

    def lightest(self, machine: int, level: int, spans: list[tuple[int, int]]) -> list[int]:
        """The smallest weight class in J(level - lag) released in each of these disjoint intervals, in order of time.

        Claim: there is one. Maxload rises from the low mark to the high mark in the interval, so the load of some type
        does, and the job that lifts it there is in J(level).
        """
        if machine != self.machine:
            mine = np.zeros(len(self.owner) + 1, dtype=bool)
            mine[self.owner[self.order[self.first[machine] : self.first[machine + 1]]]] = True
            self.machine, self.own = machine, np.flatnonzero(mine[self.chosen])
        jobs = self.own[self.depth[self.own] >= level - self.marks.lag]
        release = self.release[jobs]
        starts, ends = (exact.column([span[k] for span in spans]) for k in (0, 1))
        bounds = np.empty(2 * len(spans), dtype=np.int64)
        bounds[::2] = np.searchsorted(release, starts, side="left")
        bounds[1::2] = np.searchsorted(release, ends, side="right")
        weight = np.append(self.weight[jobs], 0)
        return np.minimum.reduceat(weight, bounds)[::2].tolist()  # type: ignore[no-any-return]
