"""What the density classes of a phase of algorithm A show about the offline optimum: a bound each, the best of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from lp.clusters import strongest_cluster
from online.family import IntervalFamily
from online.weighted.classes import Type, power
from online.weighted.laminar import Marks
from online.weighted.trail import Trail
from online.weighted.trajectory import DensityRange
from online.weighted.witness import density_witness
from online.weights import Weights

FAMILIES = (Marks.corrected, Marks.printed, Marks.every)
"""The families that are tried for each class, in this order."""


class ClassBound(NamedTuple):
    """The strongest cluster of a family of Figure 4 for density class `low`: `T* >= value`.

    `value` is in ticks times the unit of the weights; `marks` says which family; `family` holds the cluster alone.
    """

    low: int
    marks: Marks
    family: IntervalFamily
    value: Fraction


def class_bounds(
    trail: Trail, lows: Iterable[int] | None = None, weights: Weights | None = None
) -> Iterator[ClassBound]:
    """The bound of each family that has an interval, for each of the density classes `lows`.

    Claim: T* >= value, for the optimum of the whole instance: all its jobs count, with the largest duals that (5)
    allows. `lows` are the classes of rejected jobs, or all classes of the phase if nobody was rejected; `weights` the
    true flow weights.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemma 6.6.
    """
    types = trail.decisions.types
    weights = Weights.of(types.flow) if weights is None else weights
    peaks = _peaks(trail)
    for low in trail.rejected_classes or trail.classes if lows is None else lows:
        tried: list[Marks] = []
        for rule in FAMILIES:
            marks = rule(trail.alpha, trail.guess)
            family = None
            if marks not in tried and _reached(peaks, trail.range_of(low), marks):
                family = density_witness(trail, low, marks).family
            tried.append(marks)
            if family is not None and len(family):
                yield ClassBound(low, marks, *strongest_cluster(types.instance, family, weights=weights))


def _peaks(trail: Trail) -> dict[Type, int]:
    """The largest queue of each type on any machine, in ticks: a queue only grows at arrivals."""
    peaks: dict[Type, int] = {}
    for piece in itertools.chain.from_iterable(trail.pieces):
        for kind in piece.added:
            peaks[kind] = max(peaks.get(kind, 0), piece.left[kind])
    return peaks


def _reached(peaks: Mapping[Type, int], kinds: DensityRange, marks: Marks) -> bool:
    """Whether maxload ever reaches the first mark; if not, there is no interval."""
    first = marks.levels.start * marks.height
    lifted = (power(kind.exponent - kinds.low) * ticks for kind, ticks in peaks.items() if kinds.holds(kind))
    return bool(marks.levels) and any(load >= first for load in lifted)


def best_class(bounds: Iterable[ClassBound]) -> ClassBound | None:
    """The bound of largest value, the first among equals; None if there is none.

    Eight unit jobs at once, alpha = 2 and T = 1: the queue holds three; they need eight ticks.

    >>> from online.instance import Instance
    >>> from online.rows import Row
    >>> from online.weighted.classes import Types
    >>> from online.weighted.doubling import decide
    >>> from online.weighted.parameters import Parameters
    >>> types = Types.weighted(Instance.from_rows(1, [Row(k, 0, 1) for k in range(8)]))
    >>> decisions = decide(types, Parameters.one_weight(Fraction(1, 2), alpha=2), Fraction(1))
    >>> best = best_class(class_bounds(Trail(decisions, 0)))
    >>> best.low, best.value, list(best.family)[0][:4]
    (0, Fraction(7, 1), (0, 1, Fraction(0, 1), Fraction(2, 1)))
    """
    return max(bounds, key=lambda one: one.value, default=None)
