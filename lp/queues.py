"""The LP of one weight class for a given T, as a network: volume goes to machines, and waits there for at most T."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from lp.counted import Counted, Whole
from lp.cuts import UNLIMITED, Mask, Network, least_cut
from lp.merged import Merged
from online import exact
from online.exact import Column
from online.family import IntervalFamily


@dataclass(frozen=True, eq=False)
class Queues:
    """The nodes (machine, release time) of a merged instance, machine by machine in time.

    Of node k, `first[k]` is the first pair, `machine[k]` the machine, `copies[k]` how many that stands for, and
    `gap[k]` the ticks until the next node; `last[k]` says that there is none on this machine.

    In the network for T, volume flows from the source to its job, to nodes of that job's release, and then either to
    the sink, at most `min(gap, T)`, or waits for the next node, at most `max(0, T - gap)`; all times `copies`.

    Claim: T is feasible for the LP exactly if the network carries all volume. A node passes on at most
    `min(gap, T) + max(0, T - gap) = T`, so its inflow, the backlog Q of fact 3, is at most T; conversely a queue that
    works whenever it can leaves `max(0, Q - gap)`, within these capacities if Q <= T.

    Claim: cuts are families. A cut that has the nodes A on the source side pays, for a run of nodes of A that wait for
    one another, its length plus T; it has at best those jobs there too whose nodes are all in A. So its capacity is
    the total volume less `alpha p - length - count T` of the family of these runs, which has alpha 0 or 1, and every
    family of disjoint intervals a machine is a cut. Where `gap >= T` nothing waits: a run breaks there.

    Source: DUALITY.md, fact 3; Rejecting jobs to minimize load and maximum flow-time, section 6.1, Lemma 6.1.
    """

    merged: Merged
    counted: Counted
    first: Whole
    machine: Whole
    copies: Whole
    gap: Column
    last: Mask

    @classmethod
    def of(cls, merged: Merged) -> Queues:
        """Lay the nodes out; linear in the number of (machine, job) pairs.

        >>> from online.instance import Instance
        >>> from online.rows import Row
        >>> queues = Queues.of(Merged.of(Instance.from_rows(2, [Row("a", 0, 1), Row("b", 3, 1, [1])])))
        >>> queues.machine.tolist(), queues.gap.tolist(), queues.last.tolist()
        ([0, 1, 1], [0, 3, 0], [True, False, True])
        """
        counted = Counted.of(merged.instance)
        first = np.flatnonzero(np.diff(counted.node, prepend=-1))
        machine = counted.machine[first]
        last = np.append(machine[1:] != machine[:-1], True)
        time = exact.column(counted.times)[counted.rank[counted.job[first]]]
        gap = np.where(last, 0, np.append(time[1:], 0) - time)
        return cls(merged, counted, first, machine, _copies(merged)[machine], gap, last)

    @property
    def arcs(self) -> int:
        """Most arcs of the network."""
        return self.merged.instance.n + len(self.counted.job) + 2 * len(self.first)

    def violated(self, T: Fraction) -> IntervalFamily | None:
        """The smallest family that proves the LP value to be over T by most, `count * (bound - T)`; None if none does.

        Raises: `LimitReached` if there are too many arcs for the libraries at hand.
        """
        volume, nodes = self._volume(T), self.merged.instance.n + len(self.first)
        network, flow = self._network(T, volume)
        value, source_side = least_cut(network, nodes, nodes + 1, flow=flow)
        if value == sum(volume.tolist()):
            return None
        return self._family(source_side[self.merged.instance.n : nodes], self._links(T))

    def _network(self, T: Fraction, volume: Column) -> tuple[Network, Column]:
        """The network in ticks over T's denominator, and the flow of a greedy dispatch in it."""
        jobs, pairs, nodes = len(volume), len(self.counted.job), len(self.first)
        source, job, node = jobs + nodes, np.arange(jobs), jobs + np.arange(nodes)
        links, work = np.flatnonzero(self._links(T)), self._work(T)
        share = self._greedy(T)
        backlog = self._backlog(share, work)
        done, given = np.minimum(backlog, work), np.zeros_like(volume)
        np.add.at(given, self.counted.job, share)
        waits = self._within(T)[links] - work[links]
        arcs: list[tuple[Whole, Whole, Column, Column]] = [
            (np.full(jobs, source), job, volume, given),
            (self.counted.job, jobs + self.counted.node, np.full(pairs, UNLIMITED, dtype=volume.dtype), share),
            (node, np.full(nodes, source + 1), work, done),
            (node[links], node[links] + 1, waits, (backlog - done)[links]),
        ]
        tail, head, capacity, flow = (np.concatenate(column) for column in zip(*arcs, strict=True))
        return Network(jobs + nodes + 2, tail, head, capacity), flow

    def _greedy(self, T: Fraction) -> Column:
        """What each pair gets if every job in turn goes where it waits least, as far as that is at most T."""
        unit, most, order = T.denominator, T.numerator, np.argsort(self.counted.job, kind="stable")
        instance, copies = self.merged.instance, list(map(len, self.merged.members))
        free = [int(instance.release[0]) * unit] * len(copies)
        pairs, amounts, at = [], [], 0
        sets = list(instance.sets)
        jobs = zip(instance.release.tolist(), instance.size.tolist(), instance.eligible_set.tolist(), strict=True)
        for release, size, k in jobs:
            now, left, machines = release * unit, size * unit, sets[k]
            for i in sorted(machines, key=free.__getitem__):
                begin = max(free[i], now)
                amount = min(left, (now + most - begin) * copies[i])
                if amount <= 0:
                    break
                free[i] = begin - (-amount // copies[i])
                pairs.append(at + machines.index(i))
                amounts.append(amount)
                left -= amount
            at += len(machines)
        share = np.zeros(len(self.counted.job), dtype=self._dtype(T))
        share[order[np.array(pairs, dtype=np.int64)]] = amounts
        return share

    def _backlog(self, share: Column, work: Column) -> Column:
        """The volume at each node just after its arrivals: the recursion of fact 3, machine by machine."""
        arrived = np.add.reduceat(share, self.first)
        backlog = np.zeros_like(arrived)
        for a, b in pairwise([0, *(np.flatnonzero(self.last) + 1).tolist()]):
            before = np.cumsum(arrived[a:b]) - arrived[a:b]
            spent = np.cumsum(work[a:b]) - work[a:b]
            backlog[a:b] = arrived[a:b] + before - spent - np.minimum.accumulate(before - spent)
        return backlog

    def _family(self, inside: Mask, links: Mask) -> IntervalFamily:
        """The runs of nodes inside, on every machine that theirs stands for."""
        joined = np.append(inside[:-1] & inside[1:] & links[:-1], False)
        begin = np.flatnonzero(inside & ~np.append(False, joined[:-1]))
        end = np.flatnonzero(inside & ~joined)
        times, rank = self.counted.times, self.counted.rank[self.counted.job[self.first]]
        runs = zip(self.machine[begin].tolist(), rank[begin].tolist(), rank[end].tolist(), strict=True)
        return IntervalFamily.of((i, 0, times[a], times[b]) for c, a, b in runs for i in self.merged.members[c])

    def _volume(self, T: Fraction) -> Column:
        return self.merged.instance.size.astype(self._dtype(T)) * T.denominator

    def _within(self, T: Fraction) -> Column:
        return self.copies.astype(self._dtype(T)) * T.numerator

    def _work(self, T: Fraction) -> Column:
        """What can be done at each node before the next, of what waits at most T."""
        gap = np.minimum(self.gap.astype(self._dtype(T)) * T.denominator, T.numerator)
        return np.where(self.last, T.numerator, gap) * self.copies

    def _links(self, T: Fraction) -> Mask:
        return ~self.last & (self.gap.astype(self._dtype(T)) * T.denominator < T.numerator)

    def _dtype(self, T: Fraction) -> npt.DTypeLike:
        """int64 if no sum of this module can overflow, else Python ints."""
        longest, total = self._extent
        most = (longest + total) * T.denominator + T.numerator
        return np.dtype(np.int64) if most * int(self.copies.max()) < exact.SAFE else np.dtype(object)

    @cached_property
    def _extent(self) -> tuple[int, int]:
        """Ticks from the first to the last release, and of work."""
        times = self.counted.times
        return times[-1] - times[0], sum(self.merged.instance.size.tolist())


def _copies(merged: Merged) -> Whole:
    return np.array([len(machines) for machines in merged.members], dtype=np.int64)
