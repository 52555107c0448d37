"""The set of jobs with the largest excess, by a least cut: jobs on one side, pieces of machine time on the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lp.counted import Whole
from lp.cuts import UNLIMITED, Mask, Network, least_cut
from lp.lengths import Lengths
from lp.windows import Windows
from online import exact
from online.exact import Column

SOURCE, SINK = 0, 1


class Links(NamedTuple):
    """For each link the pair (its number) at its tail and the node of the segment tree at its head."""

    pair: Whole
    node: Whole


def most_violated(windows: Windows, lengths: Lengths, edge_limit: int) -> Mask | None:
    """The smallest set of rows with the largest excess, volume minus length of the union; None over `edge_limit`.

    Claim: the set is empty exactly if no set of rows has an excess > 0. In the network source -> row (its volume) ->
    the segments of its windows -> sink (their lengths), a cut that has the rows J on the source side has at best
    just the segments in their windows there too: its capacity is the total volume minus the excess of J.

    The ends of all windows on a machine cut it into segments. A window is linked to the O(log n) nodes of a segment
    tree that make it up, and these to their segments, so that n windows need O(n log n) edges.
    """
    union = windows.union(lengths)
    ends = np.unique(np.concatenate([union.begin, union.end]))
    count = max(1, len(ends) - 1)
    links = tree_links(np.searchsorted(ends, union.begin), np.searchsorted(ends, union.end), count)
    used = _used(links.node, count)
    inner, leaf = np.flatnonzero(used[:count]), np.flatnonzero(used[count:])
    if len(links.pair) + 2 * len(inner) + len(leaf) + len(windows) > edge_limit:
        return None
    rows, node = 2 + np.arange(len(windows)), 1 + len(windows) + np.cumsum(used)
    length = (ends[leaf + 1] - ends[leaf]) * windows.copies[(ends[leaf] // union.stride).astype(np.int64)]
    volume = _scaled(windows, lengths.per_tick)
    unlimited = np.array(UNLIMITED)
    edges = [
        (np.full(len(rows), SOURCE), rows, volume),
        (rows[windows.pair[links.pair]], node[links.node], unlimited),
        (node[inner], node[2 * inner], unlimited),
        (node[inner], node[2 * inner + 1], unlimited),
        (node[count + leaf], np.full(len(leaf), SINK), length),
    ]
    tail, head, capacity = (
        np.concatenate([np.broadcast_to(edge[k], edge[0].shape) for edge in edges]) for k in range(3)
    )
    _, source_side = least_cut(Network(2 + len(rows) + int(used.sum()), tail, head, capacity), SOURCE, SINK)
    return source_side[rows]


def tree_links(first: Whole, last: Whole, count: int) -> Links:
    """Take the ranges `first..last - 1` of `count` segments apart into nodes of a segment tree.

    Node k < count has the children 2k and 2k + 1, node count + s is segment s. A range has at most two nodes a level.

    >>> tree_links(np.array([0, 1]), np.array([4, 3]), 4)
    Links(pair=array([1, 1, 0]), node=array([5, 6, 1]))
    """
    pair, a, b = np.arange(len(first)), first + count, last + count
    links = [(pair[:0], a[:0])]
    while len(pair):
        odd_a, odd_b = (a & 1).astype(bool) & (a < b), (b & 1).astype(bool) & (a < b)
        links += [(pair[odd_a], a[odd_a]), (pair[odd_b], b[odd_b] - 1)]
        a, b = (a + odd_a) >> 1, (b - odd_b) >> 1
        left = a < b
        pair, a, b = pair[left], a[left], b[left]
    return Links(*(np.concatenate(column) for column in zip(*links, strict=True)))


def _used(node: Whole, count: int) -> Mask:
    """The nodes of the tree that are linked, or below one that is."""
    used = np.zeros(2 * count, dtype=bool)
    used[node] = True
    low = 1
    while low < count:
        above = used[low : min(2 * low, count)]
        used[2 * low : 2 * low + 2 * len(above)] |= np.repeat(above, 2)
        low *= 2
    return used


def _scaled(windows: Windows, per_tick: int) -> Column:
    """The volumes in `1/per_tick` ticks."""
    kind: Any = np.int64 if windows.total * per_tick < exact.SAFE else object
    return windows.volume.astype(kind) * per_tick
