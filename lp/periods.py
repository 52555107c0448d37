"""The LP of Lemma 6.6 on long instances: a dispatch of all jobs, improved period by period where it is worst."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from lp.backend import NoBound, solve
from lp.bracket import best_family, scales, whole
from lp.chains import Chains, Period, Reading
from lp.cuts import fast
from lp.deadline import Deadline
from lp.dispatch import least_backlog, picky_first
from lp.flow import flow_bound
from lp.guarded import guarded_dispatch
from lp.program import Floats
from online.errors import LimitReached
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

FIRST = 256
"""Jobs of the first period around a worst moment."""

GROWTH = 4
"""By what a period grows on one side: programs take more than linear time, so what was in vain costs little."""

CLOSE = 1e-7
"""Relative difference from which on a value from above counts as larger than one from below."""


@dataclass
class Improvement:
    """A fractional dispatch, `volume` of each pair in units, and the best family so far with its bound `lower`.

    Nodes whose cost is proven to be needed, or brought below what is proven, are `settled`.

    A period's program keeps the rest of the dispatch as it is: the work left over from before, and by how much the
    backlog grows after it. So its solution raises the cost nowhere above the larger of what it was and the period's T.
    If the intervals of its dual alone, without what is kept, prove T, no dispatch is better there; else the period
    grows, at last to all of time.

    Claim: `lower` is the bound of `family` and `volume` dispatches every job, after any number of steps.
    """

    instance: Instance
    weights: Weights
    chains: Chains
    volume: Floats
    settled: npt.NDArray[np.bool_]
    lower: Fraction
    family: IntervalFamily
    deadline: Deadline
    cut: bool = False

    @classmethod
    def of(cls, instance: Instance, weights: Weights, chains: Chains, time_limit: float | None) -> Improvement:
        """Improve until both sides meet, up to `CLOSE`, or time is up.

        Raises: `NoBound` if the solver ends without an optimum before anything is proven.
        """
        deadline = Deadline(time_limit)
        volume = first_dispatch(instance, weights, chains)
        settled = np.zeros(len(chains.gap), dtype=bool)
        state = cls(instance, weights, chains, volume, settled, Fraction(0), IntervalFamily.of([]), deadline)
        try:
            while (worst := state.worst()) is not None:
                before = state.lower
                state.settle(worst)
                settled[worst] = True
                if state.lower > before:
                    state.dispatch_again()
        except NoBound:
            if not state.lower:
                raise
        return state

    @property
    def proven(self) -> float:
        """`lower` as T stands in the programs: over the largest weight, in units."""
        unit = self.chains.unit
        return float(self.lower / Fraction(self.chains.heaviest) * unit.jobs / unit.total)

    def below(self, T: float) -> bool:
        """Whether `proven` is below T, by more than `CLOSE`."""
        return self.proven * (1 + CLOSE) < T

    def worst(self) -> int | None:
        """The node with the largest weight times backlog that is not settled; None if that is proven."""
        cost = np.where(self.settled, 0.0, self.costs(self.volume))
        node = int(np.argmax(cost))
        return node if self.below(float(cost[node])) else None

    def costs(self, volume: Floats) -> Floats:
        """Weight times backlog of each node, as T stands in the programs."""
        return self.chains.backlogs(volume)[0] / self.chains.lightness

    def dispatch_again(self) -> None:
        """Where many nodes are above what is proven, dispatch below it as long as possible, if fewer are above then."""
        most = self.proven * (1 + CLOSE)
        above = int((self.costs(self.volume) > most).sum())
        if above * FIRST > self.chains.merged.instance.n:
            volume = guarded_dispatch(self.chains, self.proven)
            if (self.costs(volume) > most).sum() < above:
                self.volume = volume
                self.settled[:] = False

    def settle(self, node: int) -> None:
        """Solve larger and larger periods around a node until their T is proven."""
        chains = self.chains
        rank, jobs = chains.counted.rank, chains.merged.instance.n
        middle = int(np.searchsorted(rank, chains.rank[node]))
        before, after = FIRST * 3 // 4, FIRST // 4
        while True:
            first, last = max(0, middle - before), min(jobs - 1, middle + after)
            period = self.surrounded(int(rank[first]), int(rank[last]) + 1)
            T, reading = self.solved(period)
            if not self.below(T):
                return
            self.prove(period, reading)
            if self.below(T) and not self.cut and fast():
                self.cut_weights()
            if not self.below(T) or len(period.jobs) == jobs:
                return
            early, late = ((reading.cover[kept > 0] > CLOSE).any() for kept in (period.entry, period.exit))
            before *= GROWTH if early or not late else 1
            after *= GROWTH if late or not early else 1

    def surrounded(self, begin: int, end: int) -> Period:
        """The releases of rank `begin` to `end - 1`, with what is left over from before and comes after."""
        chains, period = self.chains, self.chains.period(begin, end)
        backlog, growth = chains.backlogs(self.volume)
        nodes = period.nodes
        opens = (np.diff(nodes, prepend=-2) != 1) & chains.link[nodes]
        closes = np.diff(nodes, append=len(chains.gap) + 1) != 1
        entry = np.where(opens, np.maximum(0.0, backlog[nodes - 1] - chains.drop[nodes]), 0.0)
        return replace(period, entry=entry, exit=np.where(closes, growth[nodes], 0.0))

    def solved(self, period: Period) -> tuple[float, Reading]:
        """Solve the program of a period, with T at least what is proven, and take over its dispatch."""
        solution = solve(period.program(self.proven), time_limit=self.deadline.left()).optimal("lindley form")
        assert solution.x is not None
        reading = period.read(solution)
        self.volume[period.pairs] = reading.volume
        return float(solution.x[0]), reading

    def prove(self, period: Period, reading: Reading) -> None:
        """Keep the intervals of a period's dual if their bound is the best so far."""
        cover, linked, _ = reading
        number = self.chains.merged.number
        inside = (number >= period.jobs[0]) & (number <= period.jobs[-1])
        lower, family = best_family(
            self.instance.restrict(inside),
            scales(np.concatenate([cover, linked])),
            lambda scale: self.chains.family(whole(cover, scale), whole(linked, scale), period.nodes),
            weights=self.weights.where(inside),
        )
        self.keep(lower, family)

    def cut_weights(self) -> None:
        """Keep the best bound of one weight class on: all its jobs taken to be of the least weight, solved by cuts.

        Long intervals cost many programs to prove, and few cuts; most often one class on proves as much as all do.
        """
        self.cut = True
        with suppress(LimitReached):
            for w, weight in enumerate(self.weights.values):
                heavy = self.weights.rank >= w
                jobs = self.instance.restrict(heavy)
                found = flow_bound(jobs, weights=Weights.of([weight] * jobs.n), time_limit=self.deadline.left())
                self.keep(found.lower, found.family)

    def keep(self, lower: Fraction, family: IntervalFamily) -> None:
        """Keep a family of the whole instance if its bound is the best so far."""
        if lower > self.lower:
            self.lower, self.family = lower, family


def first_dispatch(instance: Instance, weights: Weights, chains: Chains) -> Floats:
    """The volume of each pair, in units, if every job goes where it makes the worst weighted backlog least."""
    merged, counted = chains.merged, chains.counted
    group = np.zeros(instance.machines, dtype=np.int64)
    for c, machines in enumerate(merged.members):
        group[machines] = c
    machine = group[least_backlog(instance, weights, picky_first(instance, weights))]
    works = np.flatnonzero(merged.number >= 0)
    key = counted.machine * merged.instance.n + counted.job
    pair = np.searchsorted(key, machine[works] * merged.instance.n + merged.number[works])
    size = np.array([chains.unit.units(p) for p in instance.size[works].tolist()])
    return np.bincount(pair, size, len(key)) / chains.copies[counted.machine]
