"""The offline optimum of load balancing between proven whole numbers, closed where the means suffice."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from lp.cases import Tree
from lp.load.assignment import Assignment, greedy_load
from lp.load.cases import distinguish_loads
from lp.load.descent import descending_load
from lp.load.flow import LoadBound, flow_bound
from lp.load.mip import mip_load
from lp.load.search import best_assignment
from lp.load.weak_duality import prices, whole_bound
from online.errors import LimitReached
from online.instance import Instance

SEARCH_STEPS = 200_000
"""Most partial assignments that a proof of optimality by search may look at: about a second."""


@dataclass(frozen=True)
class IntegralBracket:
    """The optimum T*, in ticks, between whole numbers.

    Claim: lower <= T* <= upper, both proven; `upper` is the largest load of `dispatch`, `bound` is the linear
    program's. `proof` says what gives `lower`: `prices`, `prices, rounded up`, `longest job`, `cases` or `search`.
    `cases` is the tree of that proof, for rule C10.
    """

    lower: int
    upper: int
    dispatch: tuple[int, ...]
    bound: LoadBound
    proof: str
    cases: Tree | None = None

    @property
    def optimal(self) -> bool:
        """Whether T* is known."""
        return self.lower == self.upper


def integral_optimum(
    instance: Instance, time_limit: float | None = None, *, search_steps: int = SEARCH_STEPS
) -> IntegralBracket:
    """Bracket T* by the exact LP and a good assignment, an integer program, case distinction, then exhaustive search.

    Claim: lower <= T* <= upper. No word of the solver enters `lower`, and of its assignment only the exact value enters
    `upper`; so where it alone knows that nothing is better, the bracket stays open. Each means is used only while the
    bracket is open. `time_limit`, in seconds, is that of the integer program, `search_steps` is that of the search, and
    one in ten that of the cases.

    >>> from online.rows import Row
    >>> found = integral_optimum(Instance.from_rows(2, [Row(k, 0, 2) for k in range(3)]))
    >>> found.bound.lower, found.lower, found.upper
    (Fraction(3, 1), 4, 4)
    """
    bound = flow_bound(instance)
    lower, proof = whole_bound(instance, prices(instance, bound.machines))
    best = min(greedy_load(instance), descending_load(instance, target=lower))
    if best.value > lower:
        best = min(best, _solved(instance, lower, best, time_limit))
    tree: Tree | None = None
    if best.value > lower:
        best, tree = _distinguished(instance, best, search_steps // 10)
        if tree is not None:
            lower, proof = best.value, "cases"
    if best.value > lower:
        found = _searched(instance, lower, best, search_steps)
        if found is not None:
            lower, best, proof = found.value, found, "search" if found.value > lower else proof
    return IntegralBracket(lower, best.value, best.dispatch, bound, proof, tree)


def _solved(instance: Instance, lower: int, best: Assignment, time_limit: float | None) -> Assignment:
    """What the integer program finds, or `best` where it is too large or finds nothing."""
    try:
        return mip_load(instance, lower, best.value, time_limit=time_limit) or best
    except LimitReached:
        return best


def _distinguished(instance: Instance, best: Assignment, nodes: int) -> tuple[Assignment, Tree | None]:
    """The best assignment that cases find, and the tree that proves it optimal, if there is one in time."""
    with suppress(LimitReached):
        while True:
            found = distinguish_loads(instance, best.value, nodes=nodes)
            if isinstance(found, list):
                return best, found
            best = found
    return best, None


def _searched(instance: Instance, lower: int, best: Assignment, steps: int) -> Assignment | None:
    """The proven optimum, if the search ends in time."""
    try:
        return best_assignment(instance, best, lower, steps)
    except LimitReached:
        return None
