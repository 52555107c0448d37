"""From a solver's floats to a rational bracket: a certificate from below, a feasible point from above."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from lp.counted import Counted, Whole
from lp.program import Floats
from lp.weak_duality import lower_bound
from online import exact
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

FINEST = 1 << 40
"""Fallback denominator for values of order 1: a double holds little more."""


@dataclass(frozen=True, eq=False)
class LpBound:
    """The value of the LP of Lemmas 6.1 and 6.6 on an instance, bracketed exactly.

    Claim: lower <= LP value <= upper, in ticks times the unit of the weights; `lower` is the bound of `family`,
    `upper` the value of a feasible fractional dispatch. The LP is that of `classes` distinct weights; where these
    were `lowered` (no weight grows), its value may be below that for the true weights, and `upper` with it. For true
    weights, too, `lower` <= T* and `lower` is the bound of `family`. `value` is what the solver said: for display only.
    """

    lower: Fraction
    upper: Fraction
    family: IntervalFamily
    form: str
    value: float
    classes: int = 1
    lowered: bool = False

    @property
    def width(self) -> Fraction:
        """`upper - lower`: what the solver's floats cost."""
        return self.upper - self.lower

    @classmethod
    def of_empty(cls, form: str) -> LpBound:
        """The bracket of an instance without work: 0, optimal, no interval needed."""
        return cls(Fraction(0), Fraction(0), IntervalFamily.of([]), form, 0.0)


def shown(value: Fraction | int) -> float:
    """An exact number as a float, infinite where it is too large for one: for display."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def scales(values: Floats) -> list[int]:
    """Denominators worth trying for rounding `values`: their common one if it is small, and `FINEST`.

    >>> scales(np.array([0.5, 1 / 3, 0.0])) == [6, FINEST]
    True
    """
    common = 1
    for value in np.unique(np.round(values, 9)).tolist():
        near = Fraction(value).limit_denominator(5000)
        common = math.lcm(common, near.denominator)
        if abs(near - Fraction(value)) > 1e-8 or common > FINEST:
            return [FINEST]
    return [common, FINEST]


def whole(values: Floats, scale: int) -> list[int]:
    """Non-negative whole multiples of `1/scale` near `values`."""
    return [max(0, round(value * scale)) for value in values.tolist()]


def best_family(
    instance: Instance,
    values: Iterable[int],
    build: Callable[[int], IntervalFamily],
    *,
    weights: Weights | None = None,
) -> tuple[Fraction, IntervalFamily]:
    """The strongest of the families built at several scales, with its exact bound.

    Claim: any non-negative multiplicities give a valid bound (DUALITY.md, fact 1), so rounding costs strength only.
    """
    families = list(map(build, values))
    bounds = [lower_bound(instance, family, weights=weights) for family in families]
    best = max(range(len(families)), key=bounds.__getitem__)
    return bounds[best], families[best]


def best_value(
    instance: Instance, counted: Counted, share: Floats, copies: Whole, *, weights: Weights | None = None
) -> Fraction:
    """The exact value of a fractional dispatch near `share`, as `best_shares` finds it."""
    return _best(instance, counted, share, copies, weights)[0]


def best_shares(
    instance: Instance, counted: Counted, share: Floats, copies: Whole, *, weights: Weights | None = None
) -> tuple[Fraction, list[Fraction]]:
    """A fractional dispatch near `share` and its exact value; machine i stands for `copies[i]` equal ones.

    Claim: the rounded shares of every job sum to at least 1 over its eligible machines, so the value is an upper
    bound on the LP value. Shares that sum to more are scaled down first: solvers may put idle machines to use.
    """
    value, shares, scale = _best(instance, counted, share, copies, weights)
    return value, [Fraction(one, scale) for one in shares.tolist()]


def _best(
    instance: Instance, counted: Counted, share: Floats, copies: Whole, weights: Weights | None
) -> tuple[Fraction, Whole, int]:
    weights = Weights.ones(instance) if weights is None else weights
    share = np.maximum(share, 0.0)
    total = np.bincount(counted.job, share * copies[counted.machine], len(counted.rank))
    share = share / np.maximum(total, 1.0)[counted.job]
    found = [(_filled(counted, share, copies, scale), scale) for scale in scales(share)]
    values = [_largest_cost(instance, counted, weights, *one) for one in found]
    best = min(range(len(found)), key=values.__getitem__)
    return values[best], *found[best]


def _filled(counted: Counted, share: Floats, copies: Whole, scale: int) -> Whole:
    """Whole shares of `1/scale`, each job's largest one corrected so that they sum to 1 or just above."""
    shares, job = np.rint(share * scale).astype(np.int64), counted.job
    missing = np.full(len(counted.rank), scale)
    np.subtract.at(missing, job, shares * copies[counted.machine])
    order = np.lexsort((-shares, job))
    largest = order[np.diff(job[order], prepend=-1) > 0]
    shares[largest] = np.maximum(0, shares[largest] - (-missing // copies[counted.machine[largest]]))
    return shares


def _largest_cost(instance: Instance, counted: Counted, weights: Weights, shares: Whole, scale: int) -> Fraction:
    """Largest weight times backlog of the jobs of that weight on, in closed form (fact 3)."""
    span = int(instance.release[-1]) - int(instance.release[0]) + sum(instance.size.tolist())
    kind = np.dtype(np.int64 if 2 * span * scale < exact.SAFE else object)
    clock = ((instance.release - instance.release[0]).astype(kind) * scale)[counted.job]
    volume = instance.size.astype(kind)[counted.job] * shares.astype(kind)
    rank = weights.rank[counted.job]
    largest = Fraction(0)
    for w, weight in enumerate(weights.values):
        for a, b in pairwise(counted.start.tolist()):
            own = np.flatnonzero(rank[a:b] >= w) + a
            if len(own):
                done = np.cumsum(volume[own]) - clock[own]
                idle = np.minimum.accumulate(done - volume[own])
                largest = max(largest, Fraction(weight) * int((done - idle).max()))
    return largest / scale
