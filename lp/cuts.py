"""Least cuts of networks in whole numbers: the only file that sees the libraries that find them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
from networkx.algorithms.flow import preflow_push

from lp.counted import Whole
from online.errors import LimitReached
from online.exact import Column

Mask = npt.NDArray[np.bool_]

UNLIMITED = -1
"""The capacity of an arc that carries any amount; arcs out of the source may not have it."""

FITS = 1 << 62
"""What leaves the source stays below this where the fast library is used."""

PURE_ARCS, FAST_ARCS = 1_000_000, 40_000_000
"""Most arcs of one cut without and with the fast library: about a gigabyte and a minute; nine and some minutes."""


@dataclass(frozen=True, eq=False)
class Network:
    """Arc a leads from node `tail[a]` to node `head[a]` and carries at most `capacity[a]`, a whole number.

    Nodes are numbered from 0. Capacities are int64, or Python ints in a column of objects; parallel arcs add up.
    """

    nodes: int
    tail: Whole
    head: Whole
    capacity: Column

    def across(self, source_side: Mask) -> int:
        """The capacity of a cut; `ValueError` if an unlimited arc crosses it."""
        crossing = self.capacity[source_side[self.tail] & ~source_side[self.head]]
        if (crossing == UNLIMITED).any():
            raise ValueError("an unlimited arc crosses the cut")
        return sum(crossing.tolist())

    def excess(self, flow: Column) -> Column:
        """What flows into each node, less what flows out of it. Raises: `ValueError` if an arc cannot carry `flow`."""
        if (flow < 0).any() or ((flow > self.capacity) & (self.capacity != UNLIMITED)).any():
            raise ValueError("an arc carries less than nothing or more than its capacity")
        total = np.zeros(self.nodes, dtype=flow.dtype)
        np.add.at(total, self.head, flow)
        np.subtract.at(total, self.tail, flow)
        return total

    def residual(self, flow: Column) -> Network:
        """What a flow leaves: the rest of every capacity, and the flow itself to be taken back."""
        rest = np.where(self.capacity == UNLIMITED, UNLIMITED, self.capacity - flow)
        more, back = np.flatnonzero(rest), np.flatnonzero(flow)
        return Network(
            self.nodes,
            np.concatenate([self.tail[more], self.head[back]]),
            np.concatenate([self.head[more], self.tail[back]]),
            np.concatenate([rest[more], flow[back]]),
        )


def least_cut(
    network: Network, source: int, sink: int, *, largest: bool = False, flow: Column | None = None
) -> tuple[int, Mask]:
    """The capacity of a least cut, and which nodes are on its source side.

    Claim: no cut has less capacity, and the side is the smallest (or `largest`) of all least cuts: least cuts are
    closed under union and intersection, so value and side are unique, whichever library finds them. OR-Tools
    (`pip install 'dualfit[flow]'`) does it where it is installed and numbers stay below 2^62, else networkx, in
    Python ints of any length. What a library says is a proof or an error: its flow must equal the capacity of its cut.

    `flow` is a flow to begin with, one amount an arc: the least cuts of what it leaves are those of the network,
    because every cut loses the same, the value of the flow. A good flow saves nearly all of the time.

    Raises: `LimitReached` for more arcs than the library at hand can take, or if its answer is inconsistent;
    `ValueError` for a malformed network or a `flow` that is none.

    >>> network = Network(4, *map(np.array, ([0, 0, 1, 2], [1, 2, 3, 3], [5, 2, 3, 4])))
    >>> least_cut(network, 0, 3)
    (5, array([ True,  True, False, False]))
    """
    _check(network, source)
    begun = 0
    rest = network
    if flow is not None:
        begun = _value(network, source, sink, flow)
        rest = network.residual(flow)
    try:
        added, source_side = _solved(rest, source, sink, largest)
        if not source_side[source] or source_side[sink] or network.across(source_side) != begun + added:
            raise ValueError("its flow is not equal to its cut")
    except ValueError as wrong:
        raise LimitReached(f"the flow library is inconsistent: {wrong}") from None
    return begun + added, source_side


def fast(most: int = 0) -> bool:
    """Whether the fast library is installed and can take networks in which `most` leaves the source."""
    return _library() is not None and most < FITS - 1


def arc_limit(most: int = 0) -> int:
    """Most arcs that `least_cut` takes with the libraries at hand, if `most` leaves the source."""
    return FAST_ARCS if fast(most) else PURE_ARCS


def _solved(network: Network, source: int, sink: int, largest: bool) -> tuple[int, Mask]:
    most = sum(network.capacity[network.tail == source].tolist())
    arcs, limit = len(network.tail), arc_limit(most)
    if arcs > limit:
        missing = "install the fast library: pip install 'dualfit[flow]'"
        advice = "use fewer jobs" if fast(most) else "use a coarser tick, below 2^62 in all" if fast() else missing
        raise LimitReached(f"a cut in a network of {arcs} arcs, over the limit of {limit}; {advice}")
    if fast(most):
        return _fast(network, source, sink, largest, most)
    return _pure(network, source, sink, largest)


@cache
def _library() -> Any | None:
    try:
        from ortools.graph.python import max_flow
    except ImportError:
        return None
    return max_flow


def _fast(network: Network, source: int, sink: int, largest: bool, most: int) -> tuple[int, Mask]:
    """By OR-Tools; an arc that could carry more than `most` is never full, so `most + 1` is as good as unlimited."""
    unlimited = network.capacity == UNLIMITED
    capacity = np.where(unlimited, most + 1, np.minimum(network.capacity, most + 1)).astype(np.int64)
    library = _library()
    assert library is not None
    solver = library.SimpleMaxFlow()
    arcs = solver.add_arcs_with_capacity(network.tail.astype(np.int32), network.head.astype(np.int32), capacity)
    solver.add_arc_with_capacity(source, sink, 0)
    status = solver.solve(source, sink)
    if status != solver.OPTIMAL:
        raise LimitReached(f"the flow library ended with {status.name}, so there is no cut")
    whole = Network(network.nodes, network.tail, network.head, capacity)
    value = _value(whole, source, sink, solver.flows(arcs).astype(np.int64))
    side = np.zeros(network.nodes, dtype=bool)
    side[solver.get_sink_side_min_cut() if largest else solver.get_source_side_min_cut()] = True
    return value, ~side if largest else side


def _pure(network: Network, source: int, sink: int, largest: bool) -> tuple[int, Mask]:
    """By networkx, which leaves the largest source side; the smallest is what that leaves in the reversed network."""
    tail, head = network.tail.tolist(), network.head.tolist()
    if not largest:
        tail, head, source, sink = head, tail, sink, source
    amounts: dict[tuple[int, int], int] = {}
    for u, v, capacity in zip(tail, head, network.capacity.tolist(), strict=True):
        before = amounts.get((u, v), 0)
        amounts[u, v] = UNLIMITED if UNLIMITED in (before, capacity) else before + capacity
    graph = nx.DiGraph()
    graph.add_nodes_from(range(network.nodes))
    for (u, v), capacity in amounts.items():
        graph.add_edge(u, v, **({} if capacity == UNLIMITED else {"capacity": capacity}))
    value, (near, _) = nx.minimum_cut(graph, source, sink, flow_func=preflow_push)
    side = np.zeros(network.nodes, dtype=bool)
    side[list(near)] = True
    return value, side if largest else ~side


def _value(network: Network, source: int, sink: int, flow: Column) -> int:
    """What a flow brings to the sink. Raises: `ValueError` if a node between gives or keeps anything."""
    excess = network.excess(flow)
    value = int(excess[sink])
    excess[[source, sink]] += [value, -value]
    if excess.any():
        raise ValueError("what flows into a node does not flow out of it")
    return value


def _check(network: Network, source: int) -> None:
    if not len(network.tail) == len(network.head) == len(network.capacity):
        raise ValueError("tail, head and capacity have different lengths")
    if (network.capacity < UNLIMITED).any():
        raise ValueError("a capacity is negative")
    if (network.capacity[network.tail == source] == UNLIMITED).any():
        raise ValueError("an arc out of the source is unlimited")
