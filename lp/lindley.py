"""The LP of Lemma 6.1 in linear size: one queue recursion per machine, solved at once, its dual made a family."""

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
from lp.unit import Unit
from online.family import IntervalFamily
from online.instance import Instance

FORM = "lindley"


def solve_lindley(instance: Instance, *, time_limit: float | None = None) -> LpBound:
    """Bracket the LP value of an instance, with a laminar interval family as the certificate from below.

    Claim: the form has the same value as the textbook form (DUALITY.md, fact 3) and linear size: per machine and
    distinct release time of its jobs, three rows. Releases enter as gaps and all numbers in mean sizes, so
    neither the epoch nor the tick of a trace matters. Weights are not used. `time_limit` is in seconds.

    Raises: `NoBound` if the solver ends without an optimum.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1, the LP in the proof of Lemma 6.1.

    >>> from online.rows import Row
    >>> bound = solve_lindley(Instance.from_rows(2, [Row(j, 0, 1) for j in range(5)]))
    >>> bound.lower, bound.upper, bound.family.count
    (Fraction(5, 2), Fraction(5, 2), 2)
    """
    merged = Merged.of(instance)
    if merged.instance.n == 0:
        return LpBound.of_empty(FORM)
    chains = Chains.of(merged)
    solution = solve(chains.program(), time_limit=time_limit).optimal("lindley form")
    assert solution.x is not None
    assert solution.row_dual is not None
    cover, linked, share = chains.read(solution.x, solution.row_dual)
    duals = np.concatenate([cover, linked])
    lower, family = best_family(
        instance, scales(duals), lambda scale: chains.family(whole(cover, scale), whole(linked, scale))
    )
    upper = best_value(merged.instance, chains.counted, share, chains.copies)
    return LpBound(lower, upper, family, FORM, chains.unit.ticks(float(solution.x[0])))


@dataclass(frozen=True, eq=False)
class Chains:
    """The nodes (machine, release time) of a merged instance, machine by machine in time.

    `first[k]` is the first pair of node k, `gap[k]` the ticks since the node before it on its machine, and
    `link[k]` whether work can be left over from that one even if the machine got all the jobs that it counts.
    """

    merged: Merged
    counted: Counted
    copies: Whole
    first: Whole
    gap: list[int]
    link: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, merged: Merged) -> Chains:
        """Lay the nodes out; linear in the number of (machine, job) pairs."""
        counted = Counted.of(merged.instance)
        first = np.flatnonzero(np.diff(counted.node, prepend=-1))
        machine = counted.machine[first]
        time = [counted.times[k] for k in counted.rank[counted.job[first]].tolist()]
        volume = merged.instance.size[counted.job]
        volumes = np.add.reduceat(volume, first).tolist()
        gap, link, most = [0] * len(first), [False] * len(first), 0
        for k in range(1, len(first)):
            most += volumes[k - 1]
            same = machine[k] == machine[k - 1]
            gap[k] = time[k] - time[k - 1] if same else 0
            most = max(0, most - gap[k]) if same else 0
            link[k] = most > 0
        copies = np.array([len(machines) for machines in merged.members], dtype=np.int64)
        return cls(merged, counted, copies, first, gap, np.array(link))

    @cached_property
    def unit(self) -> Unit:
        """The mean size of the merged jobs."""
        return Unit.of(self.merged.instance)

    @cached_property
    def sizes(self) -> Floats:
        """The size of each merged job, in units."""
        return np.array(list(map(self.unit.units, self.merged.instance.size.tolist())))

    def program(self) -> LinearProgram:
        """Minimise T; columns T, the volume v of each pair, and per node its backlog Q and what is left over, R.

        Rows, all >=: `sum copies v >= volume` a job; `Q - R - sum v >= 0`, `R - Q_before >= -gap` (links only)
        and `T - Q >= 0` a node.
        """
        pairs, nodes, jobs = len(self.counted.job), len(self.first), self.merged.instance.n
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
            (jobs + self.counted.node, v, -1.0),
            (left, r, 1.0),
            (left, q[links - 1], -1.0),
            (top, np.zeros_like(node), 1.0),
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
        jobs, nodes, links = self.merged.instance.n, len(self.first), np.flatnonzero(self.link)
        copies = self.copies[self.counted.machine[self.first]]
        linked = np.zeros(nodes)
        linked[links] = row_dual[jobs + nodes : jobs + nodes + len(links)] / copies[links]
        share = x[1 : 1 + len(self.counted.job)] / self.sizes[self.counted.job]
        return row_dual[jobs : jobs + nodes] / copies, linked, share

    def family(self, cover: list[int], linked: list[int]) -> IntervalFamily:
        """The laminar family that covers node k `cover[k]` times, `linked[k]` of them together with node k - 1.

        The dual is a flow along the chain; splitting it last in, first out makes the intervals laminar.
        """
        rows, multiplicity = [], []
        times, members = self.counted.times, self.merged.members
        rank = self.counted.rank[self.counted.job[self.first]].tolist()
        machine = self.counted.machine[self.first].tolist()
        for a, b, count in split(cover, linked):
            for i in members[machine[a]]:
                rows.append((i, 0, times[rank[a]], times[rank[b]]))
                multiplicity.append(count)
        return IntervalFamily.of(rows, multiplicity=multiplicity)


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
