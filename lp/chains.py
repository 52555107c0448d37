"""The queues of the LP of Lemma 6.6, one chain a machine and weight class, and the program of a period of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lp.backend import GE, LinearProgram, Solution
from lp.counted import Counted, Whole
from lp.merged import Merged
from lp.program import Floats
from lp.unit import Unit, lightness
from online.family import IntervalFamily
from online.weights import Weight, Weights


@dataclass(frozen=True, eq=False)
class Chains:
    """The nodes (weight class, machine, release time) of a merged instance, class by class, machine by machine in time.

    Node k is for the jobs of class `weight_class[k]` on; a machine has a chain of nodes for each class that one of its
    jobs is of. `rank[k]` is the release, `gap[k]` the ticks since the node before it on its chain, and `link[k]`
    whether work can be left over from that one even if the machine got all the jobs that it counts. The volume of pair
    `pair[e]` of `counted` arrives at node `node[e]`.
    """

    merged: Merged
    counted: Counted
    copies: Whole
    pair: Whole
    node: Whole
    weight_class: Whole
    machine: Whole
    rank: Whole
    gap: list[int]
    link: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, merged: Merged) -> Chains:
        """Lay the nodes out; linear in the number of (machine, job) pairs times that of classes."""
        counted = Counted.of(merged.instance)
        weight_class, pair = _counted_pairs(counted, merged.weights)
        machine, rank = counted.machine[pair], counted.rank[counted.job[pair]]
        fresh = np.diff(weight_class, prepend=-1) | np.diff(machine, prepend=-1)
        node = np.cumsum((fresh != 0) | (np.diff(rank, prepend=-1) != 0)) - 1
        first = np.flatnonzero(np.diff(node, prepend=-1))
        volumes = np.add.reduceat(merged.instance.size[counted.job[pair]], first).tolist()
        gap, link = _gaps([counted.times[k] for k in rank[first].tolist()], volumes, (fresh[first] != 0).tolist())
        copies = np.array([len(machines) for machines in merged.members], dtype=np.int64)
        nodes = (weight_class[first], machine[first], rank[first])
        return cls(merged, counted, copies, pair, node, *nodes, gap, np.array(link))

    @cached_property
    def unit(self) -> Unit:
        """The mean size of the merged jobs."""
        return Unit.of(self.merged.instance)

    @cached_property
    def heaviest(self) -> Weight:
        """The largest weight: T enters the program as T / heaviest, in units."""
        return self.merged.weights.values[-1]

    @cached_property
    def lightness(self) -> Floats:
        """heaviest / weight of each node. Raises: `InvalidInput` for weights too far apart for a solver."""
        return np.array(lightness(self.merged.weights))[self.weight_class]

    @cached_property
    def sizes(self) -> Floats:
        """The size of each merged job, in units."""
        return np.array(list(map(self.unit.units, self.merged.instance.size.tolist())))

    @cached_property
    def drop(self) -> Floats:
        """The gap before each node, in units; where nothing can be left over, all work on both sides of it."""
        most = np.bincount(self.node, self.sizes[self.counted.job[self.pair]], len(self.gap))
        starts = np.flatnonzero(~self.link)
        work = np.add.reduceat(most, starts)
        drop = np.zeros(len(self.gap))
        drop[starts] = work + np.concatenate([np.zeros(1), work[:-1]])
        links = np.flatnonzero(self.link)
        drop[links] = [self.unit.units(self.gap[k]) for k in links.tolist()]
        return drop

    def backlogs(self, volume: Floats) -> tuple[Floats, Floats]:
        """Under a dispatch of `volume` to each pair: each node's backlog, and by how much it grows at most later on.

        Claim: with `drop` for the gaps the recursion of fact 3 starts anew wherever nothing can be left over, so all
        chains are one sequence, and both are running extrema. In units, as floats.
        """
        arrived = np.bincount(self.node, volume[self.pair], len(self.gap)).astype(np.float64)
        done = np.cumsum(arrived) - np.cumsum(self.drop)
        backlog = done - np.minimum.accumulate(done - arrived)
        growth = np.maximum.accumulate(done[::-1])[::-1] - done
        return backlog, growth

    @cached_property
    def everything(self) -> Period:
        """The whole of time as one period."""
        return self.period(0, len(self.counted.times))

    def period(self, begin: int, end: int) -> Period:
        """The jobs and nodes with releases of rank `begin` to `end - 1`."""
        inside = (self.rank >= begin) & (self.rank < end)
        job_inside = (self.counted.rank >= begin) & (self.counted.rank < end)
        pairs = np.flatnonzero(job_inside[self.counted.job])
        zeros = np.zeros(int(inside.sum()))
        return Period(self, np.flatnonzero(job_inside), pairs, np.flatnonzero(inside), zeros, zeros)

    def family(self, cover: list[int], linked: list[int], nodes: Whole | None = None) -> IntervalFamily:
        """The family that covers node k (of `nodes`) `cover[k]` times, `linked[k]` of them together with node k - 1.

        The dual is a flow along each chain; splitting it last in, first out makes the intervals of a class laminar.
        """
        nodes = np.arange(len(self.gap)) if nodes is None else nodes
        rows, multiplicity, classes = [], [], []
        times, members = self.counted.times, self.merged.members
        columns = (self.rank[nodes].tolist(), self.machine[nodes].tolist(), self.weight_class[nodes].tolist())
        rank, machine, weight_class = columns
        for a, b, count in split(cover, linked):
            for i in members[machine[a]]:
                rows.append((i, 0, times[rank[a]], times[rank[b]]))
                multiplicity.append(count)
                classes.append(weight_class[a])
        weights = self.merged.weights.values
        return IntervalFamily.of(rows, multiplicity=multiplicity, weight_class=classes, weights=weights)


class Reading(NamedTuple):
    """What a solution says: per node how often it is covered, and how often together with the node before; volumes.

    Covers are those of one machine: the duals of a machine that stands for many are divided by its copies.
    """

    cover: Floats
    linked: Floats
    volume: Floats


@dataclass(frozen=True, eq=False)
class Period:
    """Some consecutive releases: `jobs`, `pairs` and `nodes` of them, by number.

    `entry[k]` is the work that is left over at node k from before the period, `exit[k]` by how much the backlog of node
    k grows at most after the period, both in units.
    """

    chains: Chains
    jobs: Whole
    pairs: Whole
    nodes: Whole
    entry: Floats
    exit: Floats

    @cached_property
    def links(self) -> Whole:
        """The nodes, numbered within the period, that have the node before in the period and work left over from it."""
        inner = np.diff(self.nodes, prepend=-2) == 1
        return np.flatnonzero(inner & self.chains.link[self.nodes])

    def program(self, least: float = 0.0) -> LinearProgram:
        """Minimise T >= `least`; columns T, the volume v of each pair, per node its backlog Q and what is left over, R.

        Rows, all >=: `sum copies v >= volume` a job; `Q - R - sum v >= entry`, `R - Q_before >= -gap` (links only)
        and `heaviest/weight T - Q >= exit` a node.
        """
        chains, links = self.chains, self.links
        pairs, nodes, jobs = len(self.pairs), len(self.nodes), len(self.jobs)
        node, link = np.arange(nodes), np.arange(len(links))
        v, q, r = 1 + np.arange(pairs), 1 + pairs + node, 1 + pairs + nodes + link
        fill, left, top = jobs + node, jobs + nodes + link, jobs + nodes + len(links) + node
        arrivals, arriving = self._arrivals()
        owner, machine = chains.counted.job[self.pairs], chains.counted.machine[self.pairs]
        entries: list[tuple[Whole, Whole, float | Floats]] = [
            (np.searchsorted(self.jobs, owner), v, chains.copies[machine].astype(np.float64)),
            (fill, q, 1.0),
            (fill[links], r, -1.0),
            (jobs + arrivals, v[arriving], -1.0),
            (left, r, 1.0),
            (left, q[links - 1], -1.0),
            (top, np.zeros_like(node), chains.lightness[self.nodes]),
            (top, q, -1.0),
        ]
        cost = np.zeros(1 + pairs + nodes + len(links))
        cost[0] = 1.0
        rhs = np.concatenate([chains.sizes[self.jobs], self.entry, -chains.drop[self.nodes[links]], self.exit])
        made = LinearProgram.from_triplets(cost, entries, np.full(len(rhs), GE), rhs)
        return replace(made, lower=least * cost)

    def _arrivals(self) -> tuple[Whole, Whole]:
        """The nodes and the pairs of the period, by their numbers in it, wherever a pair arrives at a node."""
        chains = self.chains
        number = np.full(len(chains.counted.job), -1)
        number[self.pairs] = np.arange(len(self.pairs))
        inside = np.flatnonzero(number[chains.pair] >= 0)
        return np.searchsorted(self.nodes, chains.node[inside]), number[chains.pair[inside]]

    def read(self, solution: Solution) -> Reading:
        """What an optimal solution of the program says."""
        assert solution.x is not None
        assert solution.row_dual is not None
        jobs, nodes = len(self.jobs), len(self.nodes)
        copies = self.chains.copies[self.chains.machine[self.nodes]]
        linked = np.zeros(nodes)
        linked[self.links] = solution.row_dual[jobs + nodes : jobs + nodes + len(self.links)] / copies[self.links]
        return Reading(solution.row_dual[jobs : jobs + nodes] / copies, linked, solution.x[1 : 1 + len(self.pairs)])


def _counted_pairs(counted: Counted, weights: Weights) -> tuple[Whole, Whole]:
    """Class by class, the pairs of that class on, on the machines that count somebody of the class."""
    own = weights.rank[counted.job]
    found = []
    for w in range(weights.classes):
        machines = np.bincount(counted.machine[own == w], minlength=len(counted.start) - 1) > 0
        found.append(np.flatnonzero((own >= w) & machines[counted.machine]))
    return np.repeat(np.arange(weights.classes), list(map(len, found))), np.concatenate(found)


def _gaps(times: list[int], volumes: list[int], fresh: list[bool]) -> tuple[list[int], list[bool]]:
    """Of each node, the time since the node before on its chain, and whether work can be left over from that."""
    gap, link, most = [0] * len(times), [False] * len(times), 0
    for k in range(1, len(times)):
        most += volumes[k - 1]
        gap[k] = 0 if fresh[k] else times[k] - times[k - 1]
        most = 0 if fresh[k] else max(0, most - gap[k])
        link[k] = most > 0
    return gap, link


def split(cover: list[int], linked: list[int]) -> Iterator[tuple[int, int, int]]:
    """Split a flow along a chain into `(first node, last node, multiplicity)`, last in, first out.

    A link carries at most what both of its ends cover.

    >>> list(split([1, 2, 1], [0, 1, 1]))
    [(1, 1, 1), (0, 2, 1)]
    >>> list(split([1, 2], [0, 9]))
    [(1, 1, 1), (0, 1, 1)]
    """
    carried = [min(z, a, b) for z, a, b in zip([*linked, 0], [*cover, 0], [0, *cover], strict=True)]
    open_intervals: list[tuple[int, int]] = []
    for k, (count, enter, leave) in enumerate(zip(cover, carried[:-1], carried[1:], strict=True)):
        if count > enter:
            open_intervals.append((k, count - enter))
        ending = count - leave
        while ending:
            start, times = open_intervals.pop()
            used = min(times, ending)
            yield start, k, used
            ending -= used
            if times > used:
                open_intervals.append((start, times - used))
