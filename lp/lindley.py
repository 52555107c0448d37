"""The LP of Lemma 6.6 in linear size: a queue recursion per machine and weight, its dual made a family."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from lp.backend import solve
from lp.bracket import LpBound, best_family, best_value, scales, shown, whole
from lp.chains import Chains, split
from lp.merged import Merged
from lp.periods import Improvement
from lp.program import Floats
from online.instance import Instance
from online.weights import Weights

__all__ = ["FORM", "solve_lindley", "split"]

FORM = "lindley"

LARGE = 20_000
"""Where more volumes than this arrive at nodes, time is solved period by period."""


def solve_lindley(instance: Instance, *, weights: Weights | None = None, time_limit: float | None = None) -> LpBound:
    """Bracket the LP value of an instance, with an interval family, laminar in each weight, as certificate from below.

    Claim: the form has the same value as the textbook form (DUALITY.md, fact 3) and linear size: per machine, weight
    on it and distinct release time of its jobs that weigh no less, three rows. Releases enter as gaps and all numbers
    in mean sizes, so neither the epoch nor the tick of a trace matters. `time_limit` is in seconds.

    Raises: `NoBound` if the solver ends without an optimum; `InvalidInput` for weights too far apart for it.

    Source: Rejecting jobs to minimize load and maximum flow-time, sections 6.1 and 6.2, the LPs in the proofs of
    Lemmas 6.1 and 6.6.

    >>> from online.rows import Row
    >>> bound = solve_lindley(Instance.from_rows(2, [Row(j, 0, 1) for j in range(5)]))
    >>> bound.lower, bound.upper, bound.family.count
    (Fraction(5, 2), Fraction(5, 2), 2)

    A job of weight 4 beside one of weight 1: alone it costs 8, behind the other both cost 5:

    >>> bound = solve_lindley(Instance.from_rows(1, [Row("a", 0, 3), Row("b", 0, 2)]), weights=Weights.of([1, 4]))
    >>> bound.lower, bound.upper
    (Fraction(8, 1), Fraction(8, 1))
    """
    weights = Weights.ones(instance) if weights is None else weights
    merged = Merged.of(instance, weights)
    if merged.instance.n == 0:
        return LpBound.of_empty(FORM)
    chains = Chains.of(merged)
    if len(chains.pair) > LARGE:
        return _by_periods(instance, weights, chains, time_limit)
    return _at_once(instance, weights, chains, time_limit)


def _at_once(instance: Instance, weights: Weights, chains: Chains, time_limit: float | None) -> LpBound:
    solution = solve(chains.everything.program(), time_limit=time_limit).optimal("lindley form")
    assert solution.x is not None
    cover, linked, volume = chains.everything.read(solution)
    lower, family = best_family(
        instance,
        scales(np.concatenate([cover, linked])),
        lambda scale: chains.family(whole(cover, scale), whole(linked, scale)),
        weights=weights,
    )
    value = chains.unit.ticks(float(solution.x[0])) * shown(chains.heaviest)
    return LpBound(lower, _upper(chains, volume), family, FORM, value, weights.classes)


def _by_periods(instance: Instance, weights: Weights, chains: Chains, time_limit: float | None) -> LpBound:
    found = Improvement.of(instance, weights, chains, time_limit)
    return LpBound(found.lower, _upper(chains, found.volume), found.family, FORM, shown(found.lower), weights.classes)


def _upper(chains: Chains, volume: Floats) -> Fraction:
    merged, counted = chains.merged, chains.counted
    share = volume / chains.sizes[counted.job]
    return best_value(merged.instance, counted, share, chains.copies, weights=merged.weights)
