"""The LP of load balancing solved exactly, in whole numbers, by minimum cuts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction

import networkx as nx
from networkx.algorithms.flow import preflow_push

from lp.load.volumes import Volumes
from lp.load.weak_duality import check_machines
from online.instance import Instance

EDGE_LIMIT = 1_000_000
"""Most (eligible set, machine) pairs of one minimum cut: about a gigabyte and a minute."""


@dataclass(frozen=True)
class LoadBound:
    """A set of machines and its bound in ticks: the total size of the jobs confined to it, over its number.

    Claim: lower <= LP value <= T*; `lower` is the LP value if `optimal`. All machines and 0 if there is no work.
    """

    lower: Fraction
    machines: tuple[int, ...]
    optimal: bool


def flow_bound(
    instance: Instance, start: Collection[int] = (), *, cuts: int | None = None, edge_limit: int = EDGE_LIMIT
) -> LoadBound:
    """The exact value of the LP: the largest `confined(M) / |M|` over all sets M of machines, and such a set.

    Claim: this largest ratio is the LP value. A given T is feasible exactly if the network source -> eligible set
    (its volume) -> its machines -> sink (T each) carries all volume. A cut that has the machines M on the source side
    has at best just the sets inside M there too; so the least cut is the total volume exactly if
    `confined(M) <= T |M|` for every M.

    The search is Newton's: T is the ratio of the best set known, at first of `start` or of a simple set; the least cut
    gives the largest M that maximises `confined(M) - T |M|`; if that is 0, T is optimal, else M is strictly better.
    For every set B better than T, `B & M` is as good as B, because `confined` is supermodular and `B | M` gains
    nothing over M; so the network shrinks to M, and there are at most as many cuts as machines, in practice a few, of
    which only the first is large. Scaled by a denominator, all capacities are whole numbers, of any length.

    A cut in K distinct sets has at most K m edges. Preflow-push has the worst case O((K + m)^2 sqrt(K m)); random
    sets take 30 to 60 microseconds an edge.

    After `cuts` minimum cuts, or above `edge_limit` edges, the best set so far is returned, with `optimal` false.

    Raises: `InvalidInput` for an unknown machine in `start`.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5: the sets M_s are such sets.

    >>> from online.rows import Row
    >>> flow_bound(Instance.from_rows(3, [Row("a", 0, 4), Row("b", 1, 2, [1]), Row("c", 2, 5, [1, 2])]))
    LoadBound(lower=Fraction(11, 3), machines=(0, 1, 2), optimal=True)
    """
    check_machines(instance, start)
    volumes = Volumes.of(instance)
    if not volumes.sets:
        return LoadBound(Fraction(0), tuple(range(instance.machines)), True)
    best, optimal = _first(volumes, start), False
    while not optimal and cuts != 0 and sum(map(len, volumes.sets)) <= edge_limit:
        cuts = None if cuts is None else cuts - 1
        volumes = volumes.inside(_source_side(volumes, best.lower))
        found = _whole(volumes)
        optimal = found.lower <= best.lower
        best = best if optimal else found
    return replace(best, optimal=optimal)


def _first(volumes: Volumes, start: Collection[int]) -> LoadBound:
    """The best of `start`, all machines, and the eligible set that is fullest by its own jobs."""
    density = [Fraction(v, len(one)) for one, v in zip(volumes.sets, volumes.volume, strict=True)]
    fullest = volumes.sets[density.index(max(density))]
    candidates = [_whole(volumes), *(_whole(volumes.inside(one)) for one in (start, fullest))]
    return max(candidates, key=lambda bound: bound.lower)


def _whole(volumes: Volumes) -> LoadBound:
    """The bound of all machines that these sets use."""
    machines = volumes.machines
    return LoadBound(Fraction(sum(volumes.volume), max(1, len(machines))), machines, False)


def _source_side(volumes: Volumes, T: Fraction) -> list[int]:
    """The machines on the source side of the least cut for T, the largest such side; equal machines count as one."""
    members, grouped = volumes.grouped()
    network = nx.DiGraph()
    for k, (one, volume) in enumerate(zip(grouped.sets, grouped.volume, strict=True)):
        network.add_edge("source", ("set", k), capacity=volume * T.denominator)
        network.add_edges_from((("set", k), c) for c in one)
    for c, machines in enumerate(members):
        network.add_edge(c, "sink", capacity=T.numerator * len(machines))
    _, (source_side, _) = nx.minimum_cut(network, "source", "sink", flow_func=preflow_push)
    return [i for c, machines in enumerate(members) if c in source_side for i in machines]
