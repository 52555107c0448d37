"""The Hall bound: in a schedule of value T a set of jobs runs inside the union of its windows, so it must fit there.

For a set J of jobs and a value T let `U_i(T)` be the union of `[r_j, r_j + T/w_j]` over the j in J with i in `S_j`.
In a schedule of value T, preemptive and migratory even, the jobs of J run inside these unions: the *excess*
`sum_J p_j - sum_i |U_i(T)|` is at most 0. It is continuous and strictly falling in T, so each J has one T at which it
is 0, and that is a lower bound on T*. Values are in ticks times the unit of the weights; jobs of size 0 are left out.

Source: none; the LPs of [R] sections 6.1 and 6.2 are weaker (`hall_bound`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lp.cuts import arc_limit
from lp.deadline import Deadline
from lp.newton import Search, grid, integral_value, least_value
from lp.windows import Windows
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.weights import Weights


@dataclass(frozen=True)
class HallBound:
    """A lower bound on T*, and the jobs (ascending positions) whose Hall bound it is.

    Claim: value <= T*. Without `jobs` the value is the largest `w_j p_j` or the `start` that was given, and no set
    was found that proves more. No set proves more than `upper`, which is None if the search was stopped early. If
    `integral`, the bound of `jobs` is `integral_hall`, and `upper` says that windows on the grid of the whole instance
    hold all sets; a set with a coarser grid of its own may still prove more. `cuts` is the number of least cuts made.
    """

    value: Fraction
    jobs: tuple[int, ...]
    upper: Fraction | None
    integral: bool
    cuts: int

    @property
    def optimal(self) -> bool:
        """Whether the search came to its end."""
        return self.upper == self.value


def hall_excess(
    instance: Instance, jobs: Collection[int], T: Fraction | int, weights: Weights | None = None
) -> Fraction:
    """The volume of the jobs at these positions minus the length of the union of their windows at T, in ticks.

    Claim: above 0 only if T* > T. Linear in the total size of the eligible sets, after a sort.

    Raises: `InvalidInput` for an unknown position or a negative T.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(2, [Row("a", 0, 4), Row("b", 1, 4), Row("c", 9, 1)])
    >>> hall_excess(instance, [0, 1], 3), hall_excess(instance, [0, 1, 2], 3)
    (Fraction(0, 1), Fraction(-5, 1))
    """
    if T < 0:
        raise InvalidInput(Problem("T", "negative", f"{T}", "a value of at least 0", "give the value of a schedule"))
    windows = Windows.of(*_restricted(instance, jobs, weights))
    return windows.excess(windows.rates.exact(Fraction(T)))


def hall_value(instance: Instance, jobs: Collection[int], weights: Weights | None = None) -> Fraction:
    """The smallest T at which the jobs at these positions fit into their windows; 0 if they have no volume.

    Claim: T* >= this. Exact; a few evaluations of the excess (`least_value`).

    Raises: `InvalidInput` for an unknown position.

    Six ticks of work at once on two machines, then three more while at most T of the first are left:

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(2, [Row("a", 0, 6), Row("b", 1, 3)])
    >>> hall_value(instance, [0]), hall_value(instance, [0, 1])
    (Fraction(3, 1), Fraction(7, 2))
    """
    windows = Windows.of(*_restricted(instance, jobs, weights))
    return least_value(windows, Fraction(0)) if len(windows) else Fraction(0)


def integral_hall(instance: Instance, jobs: Collection[int], weights: Weights | None = None) -> Fraction:
    """The largest V that the jobs at these positions prove with windows cut down to their grid; 0 without volume.

    Claim: T* >= this >= `hall_value`. Let g be the common divisor of their sizes and release differences. Take an
    optimal schedule and leave out all other jobs; on every machine run what it gets by earliest deadline
    `r_j + T*/w_j`. It meets all deadlines, as some schedule does, and only switches at releases and completions, so
    all completions are at `r_0` plus multiples of g. If T* < V, each flow is a multiple of g below V/w_j, so the
    jobs run inside `[r_j, r_j + l_j]` with `l_j` the largest such multiple, and fit there. V is proven if they do not.
    The excess of these windows only changes just above multiples of g over the denominators of the weights.

    Raises: `InvalidInput` for an unknown position.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(2, [Row(j, 0, 2) for j in range(3)])
    >>> hall_value(instance, range(3)), integral_hall(instance, range(3))
    (Fraction(3, 1), Fraction(4, 1))
    """
    part, own = _restricted(instance, jobs, weights)
    windows = Windows.of(part, own)
    return integral_value(windows, grid(part), Fraction(0)) if len(windows) else Fraction(0)


def hall_bound(
    instance: Instance,
    *,
    weights: Weights | None = None,
    start: Fraction | int | None = None,
    integral: bool = False,
    time_limit: float | None = None,
    cuts: int | None = None,
    edge_limit: int | None = None,
) -> HallBound:
    """The best Hall bound over all sets of jobs, and such a set.

    Claim: as for `HallBound`. The search is Newton's, from the largest `w_j p_j` or `start`, a lower bound proven
    elsewhere: for fixed T a least cut gives a set of the largest excess; if that is 0, T is optimal, else a part of
    the set proves more than T. So it can be stopped at any time: by `time_limit` (seconds; looked at between cuts),
    `cuts` (their number) or `edge_limit` (edges of one cut; without one, what the flow library at hand can take).
    About ten cuts, the last with 10 to 15 edges for every pair of a job and one of its machines.

    The value is at least that of the LP of Lemma 6.6, whatever its thresholds: if T admits no violated set, the flow
    of the network is a division of the jobs over the machines in which the jobs of weight w or more released in
    [s, e] are done in [s, e + T/w], so T is feasible for the LP. With one weight the two are equal: a feasible point
    of the LP, first in first out on each machine, ends each job within its window.

    If `integral`, windows are cut down to the instance's grid as in `integral_hall`: value is at least the smallest V
    in {w_j g k} at which no set is violated. If all sizes are g that is T*: a largest flow can be chosen in multiples
    of g, and then gives each job a slot of its own in its window on an eligible machine.

    Windows that 62 bits do not hold are rounded first, and cut exactly only where that leaves a doubt (`Search`); where
    such a cut would be large, a gap between value and `upper` is left.

    Raises: `InvalidInput` for a negative `start`; `LimitReached` if the flow library fails.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.2, Lemma 6.6 (the LP it is compared to).

    >>> from online.rows import Row
    >>> rows = [Row("a", 0, 6), Row("b", 1, 3), Row("c", 20, 3)]
    >>> bound = hall_bound(Instance.from_rows(1, rows))
    >>> bound.value, bound.jobs, bound.optimal
    (Fraction(8, 1), (0, 1), True)
    """
    if start is not None and start < 0:
        raise InvalidInput(Problem("start", "negative", f"{start}", "a value of at least 0", "give a lower bound"))
    weights = Weights.ones(instance) if weights is None else weights
    deadline = Deadline(time_limit)
    low = max(longest_job(instance, weights), Fraction(start or 0))
    limit = arc_limit() if edge_limit is None else edge_limit
    search = Search(instance, Windows.of(instance, weights), low, integral, limit)
    while search.upper != search.T and (cuts is None or search.cuts < cuts):
        if deadline.passed() or not search.step():
            break
    return HallBound(search.T, search.jobs, search.upper, integral, search.cuts)


def longest_job(instance: Instance, weights: Weights) -> Fraction:
    """The largest `w_j p_j`; 0 without jobs."""
    return Fraction(max(weights.alone(instance), default=0))


def _restricted(instance: Instance, jobs: Collection[int], weights: Weights | None) -> tuple[Instance, Weights]:
    """The instance and the weights of the jobs at these positions only."""
    wrong = [j for j in jobs if not 0 <= j < instance.n]
    if wrong:
        raise InvalidInput(
            Problem("jobs", "unknown position", f"{wrong[0]}", f"0..{instance.n - 1}", "number jobs in arrival order")
        )
    mask = np.zeros(instance.n, dtype=bool)
    mask[list(jobs)] = True
    return instance.restrict(mask), (Weights.ones(instance) if weights is None else weights).where(mask)
