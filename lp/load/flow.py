"""The LP of load balancing solved exactly, in whole numbers, by minimum cuts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from lp.cuts import FAST_ARCS, UNLIMITED, Network, arc_limit, least_cut
from lp.load.volumes import Volumes
from lp.load.weak_duality import check_machines
from online import exact
from online.instance import Instance

EDGE_LIMIT = FAST_ARCS
"""Most (eligible set, machine) pairs of one minimum cut."""


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
    sets take about one microsecond an edge, 30 to 60 without the fast library of `lp.cuts`.

    After `cuts` minimum cuts, or above `edge_limit` edges or what the libraries at hand can take, the best set so far
    is returned, with `optimal` false.

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
    while not optimal and cuts != 0 and _can_be_cut(volumes, best.lower, edge_limit):
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


def _can_be_cut(volumes: Volumes, T: Fraction, edge_limit: int) -> bool:
    pairs = sum(map(len, volumes.sets))
    arcs = pairs + len(volumes.sets) + len(volumes.machines)
    return pairs <= edge_limit and arcs <= arc_limit(sum(volumes.volume) * T.denominator)


def _source_side(volumes: Volumes, T: Fraction) -> list[int]:
    """The machines on the source side of the least cut for T, the largest such side; equal machines count as one."""
    members, grouped = volumes.grouped()
    one, group = np.arange(len(grouped.sets)), len(grouped.sets) + np.arange(len(members))
    source = len(one) + len(group)
    wide = np.array(list(map(len, grouped.sets)))
    machine = len(one) + np.array([c for groups in grouped.sets for c in groups])
    capacity = [volume * T.denominator for volume in grouped.volume]
    capacity += [UNLIMITED] * len(machine) + [T.numerator * len(machines) for machines in members]
    tail = np.concatenate([np.full(len(one), source), np.repeat(one, wide), group])
    head = np.concatenate([one, machine, np.full(len(group), source + 1)])
    network = Network(source + 2, tail, head, exact.column(capacity))
    _, source_side = least_cut(network, source, source + 1, largest=True)
    return [i for c, machines in enumerate(members) if source_side[group[c]] for i in machines]
