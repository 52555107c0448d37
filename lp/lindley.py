"""The LP of Lemma 6.6 in linear size: a queue recursion per machine and weight, its dual made a family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lp.backend import GE, LinearProgram, solve
from lp.bracket import LpBound, best_family, best_value, scales, whole
from lp.counted import Counted, Whole
from lp.merged import Merged
from lp.program import Floats
from lp.unit import Unit, lightness
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weight, Weights

FORM = "lindley"


def solve_lindley(instance: Instance, *, weights: Weights | None = None, time_limit: float | None = None) -> LpBound:
    """Bracket the LP value of an instance, with an interval family, laminar in each weight, as certificate from below.

    Claim: the form has the same value as the textbook form (DUALITY.md, fact 3) and linear size: per machine, weight
    on it and distinct release time of its jobs that weigh no less, three rows. Releases enter as gaps and all numbers
    in mean sizes, so neither the epoch nor the tick of a trace matters. `time_limit` is in seconds.

    Raises: `NoBound` if the solver ends without an optimum; `InvalidInput` for weights too far apart for it.

    Source: Rejecting jobs to minimize load and maximum flow-time, sections 6.1 and 6.2, the LPs in the proofs of
    Lemmas 6.1 and 6.6.

    >>> from online.rows import Row
    >>> bound = solve_lindley(Instance.from_rows(2, [Row(j, 0, 1) for j in range(5)]))
    >>> bound.lower, bound.upper, bound.family.count
    (Fraction(5, 2), Fraction(5, 2), 2)

    A job of weight 4 beside one of weight 1: alone it costs 8, behind the other both cost 5:

    >>> bound = solve_lindley(Instance.from_rows(1, [Row("a", 0, 3), Row("b", 0, 2)]), weights=Weights.of([1, 4]))
    >>> bound.lower, bound.upper
    (Fraction(8, 1), Fraction(8, 1))
    """
    weights = Weights.ones(instance) if weights is None else weights
    merged = Merged.of(instance, weights)
    if merged.instance.n == 0:
        return LpBound.of_empty(FORM)
    chains = Chains.of(merged)
    solution = solve(chains.program(), time_limit=time_limit).optimal("lindley form")
    assert solution.x is not None
    assert solution.row_dual is not None
    cover, linked, share = chains.read(solution.x, solution.row_dual)
    lower, family = best_family(
        instance,
        scales(np.concatenate([cover, linked])),
        lambda scale: chains.family(whole(cover, scale), whole(linked, scale)),
        weights=weights,
    )
    upper = best_value(merged.instance, chains.counted, share, chains.copies, weights=merged.weights)
    value = chains.unit.ticks(float(solution.x[0])) * float(chains.heaviest)
    return LpBound(lower, upper, family, FORM, value, weights.classes)


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
    def sizes(self) -> Floats:
        """The size of each merged job, in units."""
        return np.array(list(map(self.unit.units, self.merged.instance.size.tolist())))

    def program(self) -> LinearProgram:
        """Minimise T; columns T, the volume v of each pair, and per node its backlog Q and what is left over, R.

        Rows, all >=: `sum copies v >= volume` a job; `Q - R - sum v >= 0`, `R - Q_before >= -gap` (links only)
        and `heaviest/weight T - Q >= 0` a node.

        Raises: `InvalidInput` for weights further apart than the solver's numbers reach.
        """
        pairs, nodes, jobs = len(self.counted.job), len(self.gap), self.merged.instance.n
        node, links = np.arange(nodes), np.flatnonzero(self.link)
        link = np.arange(len(links))
        v = 1 + np.arange(pairs)
        q = 1 + pairs + node
        r = 1 + pairs + nodes + link
        fill = jobs + node
        left = jobs + nodes + link
        top = jobs + nodes + len(links) + node
        entries: list[tuple[Whole, Whole, float | Floats]] = [
            (self.counted.job, v, self.copies[self.counted.machine].astype(np.float64)),
            (fill, q, 1.0),
            (fill[links], r, -1.0),
            (jobs + self.node, v[self.pair], -1.0),
            (left, r, 1.0),
            (left, q[links - 1], -1.0),
            (top, np.zeros_like(node), np.array(lightness(self.merged.weights))[self.weight_class]),
            (top, q, -1.0),
        ]
        cost = np.zeros(1 + pairs + nodes + len(links))
        cost[0] = 1.0
        gaps = np.array([-self.unit.units(self.gap[k]) for k in links.tolist()])
        rhs = np.concatenate([self.sizes, np.zeros(nodes), gaps, np.zeros(nodes)])
        return LinearProgram.from_triplets(cost, entries, np.full(len(rhs), GE), rhs)

    def read(self, x: Floats, row_dual: Floats) -> tuple[Floats, Floats, Floats]:
        """Per node how often it is covered and how often together with the node before; per pair its share.

        Covers are those of one machine, so the duals of a machine that stands for many are divided by its copies.
        """
        jobs, nodes, links = self.merged.instance.n, len(self.gap), np.flatnonzero(self.link)
        copies = self.copies[self.machine]
        linked = np.zeros(nodes)
        linked[links] = row_dual[jobs + nodes : jobs + nodes + len(links)] / copies[links]
        share = x[1 : 1 + len(self.counted.job)] / self.sizes[self.counted.job]
        return row_dual[jobs : jobs + nodes] / copies, linked, share

    def family(self, cover: list[int], linked: list[int]) -> IntervalFamily:
        """The family that covers node k `cover[k]` times, `linked[k]` of them together with node k - 1.

        The dual is a flow along each chain; splitting it last in, first out makes the intervals of a class laminar.
        """
        rows, multiplicity, classes = [], [], []
        times, members = self.counted.times, self.merged.members
        rank, machine, weight_class = self.rank.tolist(), self.machine.tolist(), self.weight_class.tolist()
        for a, b, count in split(cover, linked):
            for i in members[machine[a]]:
                rows.append((i, 0, times[rank[a]], times[rank[b]]))
                multiplicity.append(count)
                classes.append(weight_class[a])
        weights = self.merged.weights.values
        return IntervalFamily.of(rows, multiplicity=multiplicity, weight_class=classes, weights=weights)


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
