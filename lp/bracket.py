"""From a solver's floats to a rational bracket: a certificate from below, a feasible point from above."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lp.counted import Counted, Whole
from lp.program import Floats
from lp.weak_duality import lower_bound
from online.family import IntervalFamily
from online.instance import Instance

FINEST = 1 << 40
"""Fallback denominator for values of order 1: a double holds little more."""


@dataclass(frozen=True, eq=False)
class LpBound:
    """The value of the LP of Lemma 6.1 on an instance, bracketed exactly.

    Claim: lower <= LP value <= upper and lower <= T*, all in ticks; `lower` is the bound of `family` (Lemma 6.1),
    `upper` the value of a feasible fractional dispatch. `value` is what the solver said: for display only.
    """

    lower: Fraction
    upper: Fraction
    family: IntervalFamily
    form: str
    value: float

    @property
    def width(self) -> Fraction:
        """`upper - lower`, in ticks: what the solver's floats cost."""
        return self.upper - self.lower

    @classmethod
    def of_empty(cls, form: str) -> LpBound:
        """The bracket of an instance without work: 0, optimal, no interval needed."""
        return cls(Fraction(0), Fraction(0), IntervalFamily.of([]), form, 0.0)


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
    instance: Instance, values: Iterable[int], build: Callable[[int], IntervalFamily]
) -> tuple[Fraction, IntervalFamily]:
    """The strongest of the families built at several scales, with its exact bound in ticks.

    Claim: any non-negative multiplicities give a valid bound (DUALITY.md, fact 1), so rounding costs strength only.
    """
    families = list(map(build, values))
    bounds = [lower_bound(instance, family) for family in families]
    best = max(range(len(families)), key=bounds.__getitem__)
    return bounds[best], families[best]


def best_value(instance: Instance, counted: Counted, share: Floats, copies: Whole) -> Fraction:
    """The exact value, in ticks, of a fractional dispatch near `share`; machine i stands for `copies[i]` equal ones.

    Claim: the rounded shares of every job sum to at least 1 over its eligible machines, so the value is an upper
    bound on the LP value. Shares that sum to more are scaled down first: solvers may put idle machines to use.
    """
    share = np.maximum(share, 0.0)
    total = np.bincount(counted.job, share * copies[counted.machine], len(counted.rank))
    share = share / np.maximum(total, 1.0)[counted.job]
    values = (
        Fraction(_largest_backlog(instance, counted, _filled(counted, share, copies, scale), scale), scale)
        for scale in scales(share)
    )
    return min(values)


def _filled(counted: Counted, share: Floats, copies: Whole, scale: int) -> list[int]:
    """Whole shares of `1/scale`, each job's largest one corrected so that they sum to 1 or just above."""
    shares, jobs, times = whole(share, scale), counted.job.tolist(), copies[counted.machine].tolist()
    missing = [scale] * len(counted.rank)
    largest = [-1] * len(counted.rank)
    for e, (j, g) in enumerate(zip(jobs, times, strict=True)):
        missing[j] -= g * shares[e]
        if largest[j] < 0 or shares[e] > shares[largest[j]]:
            largest[j] = e
    for lack, e in zip(missing, largest, strict=True):
        shares[e] = max(0, shares[e] - (-lack // times[e]))
    return shares


def _largest_backlog(instance: Instance, counted: Counted, shares: list[int], scale: int) -> int:
    """Largest work left on a machine just after an arrival, in `1/scale` ticks: the queue recursion (fact 3)."""
    release, size = instance.release.tolist(), instance.size.tolist()
    largest = backlog = before = 0
    machine = -1
    for i, j, share in zip(counted.machine.tolist(), counted.job.tolist(), shares, strict=True):
        if i != machine:
            machine, backlog, before = i, 0, release[j]
        backlog = max(0, backlog - (release[j] - before) * scale) + size[j] * share
        before = release[j]
        largest = max(largest, backlog)
    return largest
