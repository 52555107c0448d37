"""The optimum of unit jobs on a grid of slots, by matching every job to a slot of its own."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx

from lp.dispatch import least_backlog
from lp.grid import Grid
from lp.schedule import Schedule, best_schedule
from online.errors import InvalidInput, LimitReached, Problem
from online.instance import Instance
from online.weights import Weight, Weights

EDGE_LIMIT = 2_000_000
"""Most (job, machine, slot) triples that one matching may have."""


def unit_optimum(instance: Instance, weights: Weights | None = None, *, edge_limit: int = EDGE_LIMIT) -> Schedule:
    """The exact optimum when all sizes equal U and all releases are multiples of U.

    Claim: some optimal schedule starts jobs at multiples of U only, and T* is on the grid (`Grid`); a value is
    feasible exactly if a matching sends every job to its own slot [t, t + U) of an eligible machine inside its window.
    Bisection on the grid, from the largest w_j U to a dispatch by backlog.

    Raises: `InvalidInput` for other sizes or releases; `LimitReached` above `edge_limit` triples, or if a chain of
    exchanges in the matching is too long.
    """
    weights = weights or Weights.ones(instance)
    if instance.n == 0:
        return Schedule(0, ())
    unit = _unit(instance)
    grid = Grid(weights, unit)
    best = best_schedule(instance, least_backlog(instance, weights), weights)
    low: Weight = weights.values[-1] * unit
    while low < best.value:
        middle = grid.at_most(Fraction(low + best.value) / 2)
        found = _matched(instance, unit, (grid.reach(middle) // unit).tolist(), edge_limit)
        if found is None:
            low = grid.after(middle)
        else:
            best = best_schedule(instance, found, weights)
    return best


def _unit(instance: Instance) -> int:
    unit = instance.unit_size
    if unit is None or any(release % unit for release in instance.release.tolist()):
        raise InvalidInput(
            Problem(
                "unit optimum",
                "not a unit instance",
                "different sizes" if unit is None else f"a release that is no multiple of the size {unit}",
                "equal sizes, and releases that are multiples of the size",
                "round the instance, or use optimum",
            )
        )
    return unit


def _matched(instance: Instance, unit: int, waits: list[int], edge_limit: int) -> tuple[int, ...] | None:
    """The machine of each job in a matching of all jobs to slots, job j to one of its first `waits[j]`, if possible."""
    n, machines = instance.n, instance.machines
    first = int(instance.release[0]) // unit
    if sum(wait * len(job.eligible) for wait, job in zip(waits, instance.jobs(), strict=True)) > edge_limit:
        raise LimitReached(f"a matching of all jobs to slots has over {edge_limit} edges; use the Hall bound")
    graph = nx.Graph()
    for job, count in zip(instance.jobs(), waits, strict=True):
        slot = job.release // unit - first
        graph.add_edges_from(
            (job.position, n + (slot + wait) * machines + i) for wait in range(count) for i in job.eligible
        )
    try:
        matching = nx.bipartite.hopcroft_karp_matching(graph, range(n))
    except RecursionError:
        raise LimitReached("a chain of exchanges in the matching is too long; use the Hall bound") from None
    return tuple((matching[j] - n) % machines for j in range(n)) if len(matching) == 2 * n else None
