"""One call for the LP bound of an instance, in any form."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from lp.bracket import LpBound, shown
from lp.cuts import fast
from lp.flow import flow_bound
from lp.lindley import LARGE, solve_lindley
from lp.textbook import solve_primal
from online.errors import InvalidInput, LimitReached, Problem
from online.instance import Instance
from online.weights import Weights

MOST_CLASSES = 16
"""Most distinct weights that enter the program as they are."""


def _flow(instance: Instance, *, weights: Weights, time_limit: float | None) -> LpBound:
    found = flow_bound(instance, weights=weights, time_limit=time_limit)
    return LpBound(found.lower, found.upper, found.family, "flow", shown(found.lower))


def _auto(instance: Instance, *, weights: Weights, time_limit: float | None) -> LpBound:
    if weights.classes == 1 and instance.pairs > LARGE and fast():
        with suppress(LimitReached):
            return _flow(instance, weights=weights, time_limit=time_limit)
    return solve_lindley(instance, weights=weights, time_limit=time_limit)


FORMS: dict[str, Callable[..., LpBound]] = {
    "auto": _auto,
    "textbook": solve_primal,
    "lindley": solve_lindley,
    "flow": _flow,
}
"""The solver of each form, called with an instance, `weights` and `time_limit`; `flow` takes one weight only."""


def lp_bound(
    instance: Instance,
    form: str = "auto",
    *,
    weights: Weights | None = None,
    most_classes: int = MOST_CLASSES,
    time_limit: float | None = None,
) -> LpBound:
    """Bracket the value of the LP of Lemmas 6.1 and 6.6, a lower bound on the offline optimum without rejection.

    Claim: lower <= LP value <= upper, exact, in ticks times the unit of the weights, whichever form. `auto` takes the
    lindley form, which is never the larger, or the flow form where there is one weight, many jobs and a fast library.
    Without `weights` all are 1. More than `most_classes` distinct weights are lowered to the least of their
    power-of-two class: the LP is then that of the lower weights, and its value, like the bound of the family, is at
    most that of the true ones. `time_limit` is in seconds and covers the solver alone.

    Raises: `NoBound` if the solver ends without an optimum; `LimitReached` if the textbook form is too large;
    `InvalidInput` for an unknown form, weights that the form does not take, or weights too far apart for the solver.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemmas 6.1 and 6.6.

    Two jobs at once and one a tick later share one machine; they need three ticks of work in one tick plus T:

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(1, [Row("a", 0, 1), Row("b", 0, 1), Row("c", 1, 1)])
    >>> bound = lp_bound(instance)
    >>> bound.lower == bound.upper == 2
    True

    If the last one weighs 3, it costs 3 even alone:

    >>> lp_bound(instance, weights=Weights.of([1, 1, 3])).lower
    Fraction(3, 1)
    """
    if form not in FORMS:
        raise InvalidInput(Problem("form", "unknown form", repr(form), " or ".join(FORMS), "choose one of them"))
    true = Weights.ones(instance) if weights is None else weights
    coarse = true.coarse(most_classes)
    found = FORMS[form](instance, weights=coarse, time_limit=time_limit)
    return replace(found, classes=coarse.classes, lowered=coarse is not true)
