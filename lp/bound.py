"""One call for the LP bound of an instance, in either form."""

from __future__ import annotations

from lp.bracket import LpBound
from lp.lindley import solve_lindley
from lp.textbook import solve_primal
from online.errors import InvalidInput, Problem
from online.instance import Instance

FORMS = ("auto", "textbook", "lindley")


def lp_bound(instance: Instance, form: str = "auto", *, time_limit: float | None = None) -> LpBound:
    """Bracket the value of the LP of Lemma 6.1, a lower bound on the offline optimum without rejection.

    Claim: lower <= LP value <= upper, exact, in ticks, whichever form; `auto` takes the lindley form, which is
    never the larger. `time_limit` is in seconds and covers the solver alone.

    Raises: `NoBound` if the solver ends without an optimum; `LimitReached` if the textbook form is too large;
    `InvalidInput` for an unknown form.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1, Lemma 6.1.

    Two jobs at once and one a tick later share one machine; they need three ticks of work in one tick plus T:

    >>> from online.rows import Row
    >>> bound = lp_bound(Instance.from_rows(1, [Row("a", 0, 1), Row("b", 0, 1), Row("c", 1, 1)]))
    >>> bound.lower == bound.upper == 2
    True
    """
    if form not in FORMS:
        raise InvalidInput(Problem("form", "unknown form", repr(form), " or ".join(FORMS), "choose one of them"))
    if form == "textbook":
        return solve_primal(instance, time_limit=time_limit)
    return solve_lindley(instance, time_limit=time_limit)
