"""One call for both bounds on the offline optimum of load balancing, by a chosen method."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lp.cases import Tree
from lp.load.descent import descending_load
from lp.load.flow import flow_bound
from lp.load.optimum import integral_optimum
from lp.load.textbook import solve_primal
from lp.load.weak_duality import prices, whole_bound
from online.errors import InvalidInput, Problem
from online.instance import Instance

METHODS = ("lp", "flow", "exact")


@dataclass(frozen=True)
class LoadBracket:
    """Whole bounds on the optimum T* of load balancing, in ticks, with their evidence.

    Claim: lower <= T* <= upper. `upper` is the largest load of `dispatch`. `lp_lower <= LP value <= lp_upper` (None
    if unknown), and `lp_lower`, at most `lower`, is the bound of the prices `beta`, one a machine. `proof` says what
    gives `lower`: `prices`, `prices, rounded up`, `longest job`, `cases` (their tree, for rule C10) or `search`.
    """

    method: str
    lower: int
    upper: int
    dispatch: tuple[int, ...]
    beta: tuple[int, ...]
    lp_lower: Fraction
    lp_upper: Fraction | None
    proof: str
    cases: Tree | None = None

    @property
    def optimal(self) -> bool:
        """Whether T* is known."""
        return self.lower == self.upper


def load_bracket(instance: Instance, method: str = "flow", time_limit: float | None = None) -> LoadBracket:
    """Bound T* from both sides: `lp` by the textbook form, `flow` by minimum cuts, `exact` by all means of the package.

    Claim: see `LoadBracket`; all numbers are exact whichever method. The price of each machine is all a checker needs
    for `lp_lower`; `time_limit`, in seconds, is that of the solver, which `flow` does not use.

    Raises: `InvalidInput` for an unknown method, or for sizes too far apart for `lp`; `LimitReached` if the textbook
    form is too large; `NoBound` if its solver ends without an optimum.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5.

    >>> from online.rows import Row
    >>> found = load_bracket(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 0, 1), Row("c", 0, 2, [1])]))
    >>> found.lp_lower, found.lower, found.upper, found.proof
    (Fraction(7, 2), 4, 4, 'longest job')
    """
    if method not in METHODS:
        raise InvalidInput(
            Problem("method", "unknown method", repr(method), " or ".join(METHODS), "choose one of them")
        )
    return {"lp": _lp, "flow": _flow, "exact": _exact}[method](instance, time_limit)


def _lp(instance: Instance, time_limit: float | None) -> LoadBracket:
    found = solve_primal(instance, time_limit=time_limit)
    lower, proof = whole_bound(instance, found.beta)
    best = descending_load(instance, target=lower)
    return LoadBracket("lp", lower, *best, found.beta, found.lower, found.upper, proof)


def _flow(instance: Instance, time_limit: float | None) -> LoadBracket:
    found = flow_bound(instance)
    beta = prices(instance, found.machines)
    lower, proof = whole_bound(instance, beta)
    best = descending_load(instance, target=lower)
    return LoadBracket("flow", lower, *best, beta, found.lower, found.lower if found.optimal else None, proof)


def _exact(instance: Instance, time_limit: float | None) -> LoadBracket:
    found = integral_optimum(instance, time_limit)
    beta, bound = prices(instance, found.bound.machines), found.bound
    lp_upper = bound.lower if bound.optimal else None
    sides = found.lower, found.upper, found.dispatch
    return LoadBracket("exact", *sides, beta, bound.lower, lp_upper, found.proof, found.cases)
