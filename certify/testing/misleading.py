"""Instances that mislead whoever sends a job to a least loaded machine, with their offline optimum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from certify.testing.strategies import WEIGHTED
from online.instance import Instance
from online.rows import Row

Case = tuple[Instance, Fraction]
"""An instance, and its T* in the units of the input."""


def misleading(problem: str) -> list[Case]:
    """A few of them, the smallest first; where sizes may differ, jobs that are long after short ones too."""
    machines = [list(range(m)) for m in (2, 4, 8)]
    orders = [order for some in machines for order in (some, some[::-1])]
    cases = [choosy(problem, order, each) for order in orders for each in (1, 2, 4)]
    cases += [choosy(problem, order, 2, gap=1) for order in ([0, 1], [1, 0])]
    return cases + ([long_after_short(m) for m in (2, 3, 4)] if problem in ("load", "weighted", "two-weights") else [])


def choosy(problem: str, order: Sequence[int], each: int, size: int = 1, weight: int = 1, gap: int = 0) -> Case:
    """Jobs that may run on all of m machines, then such for half of them, and so on, at last for the first alone.

    A least loaded machine gets up to `each * (log2(m) / 2 + 1)` of them for m a power of two. With a `gap` those for
    the first machine alone are released later.

    Claim: T* is that of `each` jobs of one instant on one machine: so many may run on the first one alone, and every
    other machine needs no more of those that may run there.
    """
    rows: list[tuple[int, list[int]]] = []
    left = len(order)
    while left:
        half = left // 2
        rows += [(0 if half else gap, sorted(order[:left]))] * (each * (left - half))
        left = half
    optimum = each * (1 if problem == "stretch" else size) * (weight if problem in WEIGHTED else 1)
    return _instance(len(order), ((release, size, some, weight) for release, some in rows)), Fraction(optimum)


def long_after_short(machines: int) -> Case:
    """Jobs of size 1 that fill m machines up to m - 1, then one of size m.

    Claim: T* = m: the long job takes so long, and the short ones fit onto the other machines in that time.
    """
    everywhere = list(range(machines))
    sizes = [1] * (machines * (machines - 1)) + [machines]
    return _instance(machines, ((0, size, everywhere, 1) for size in sizes)), Fraction(machines)


def _instance(machines: int, rows: Iterable[tuple[int, int, list[int], int]]) -> Instance:
    return Instance.from_rows(
        machines, [Row(k, release, size, some, weight) for k, (release, size, some, weight) in enumerate(rows, 1)]
    )
