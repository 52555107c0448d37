"""A fractional dispatch that keeps every weighted backlog below a guess as long as it can."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lp.chains import Chains
from lp.program import Floats
from lp.unit import lightness


def guarded_dispatch(chains: Chains, T: float) -> Floats:
    """The volume of each pair, in units, if jobs in arrival order fill their machines up to T, the least loaded first.

    The cost of a machine to a job is the largest weight times backlog of the classes that it adds to, its own and the
    lighter ones. What is left when all are full goes to the machine that was least loaded. T is as in the programs.
    """
    counted, instance, light = chains.counted, chains.merged.instance, lightness(chains.merged.weights)
    order = np.argsort(counted.job, kind="stable")
    start = np.searchsorted(counted.job[order], np.arange(instance.n + 1)).tolist()
    pairs, machine = order.tolist(), counted.machine.tolist()
    queues = [_Queue(n, [0.0] * len(light), int(instance.release[0])) for n in chains.copies.tolist()]
    volume, total, unit = [0.0] * len(pairs), chains.unit.total, chains.unit.jobs / chains.unit.total
    jobs = zip(instance.release.tolist(), chains.merged.weights.rank.tolist(), chains.sizes.tolist(), strict=True)
    for j, (release, rank, left) in enumerate(jobs):
        own = pairs[start[j] : start[j + 1]]
        for e in own:
            queues[machine[e]].work_until(release, total, unit)
        ranked = sorted((queues[machine[e]].cost(rank, light), e) for e in own)
        for _, e in ranked:
            queue = queues[machine[e]]
            part = min(left / queue.copies, queue.room(rank, light, T))
            queue.add(rank, part)
            volume[e] += part
            left -= part * queue.copies
        if left > 0:
            e = ranked[0][1]
            queues[machine[e]].add(rank, left / queues[machine[e]].copies)
            volume[e] += left / queues[machine[e]].copies
    return np.array(volume)


@dataclass
class _Queue:
    """The backlogs of a machine, one a weight class and the heavier ones, at a time in ticks."""

    copies: int
    backlog: list[float]
    now: int

    def work_until(self, time: int, longest: int, unit: float) -> None:
        if time > self.now:
            done = min(time - self.now, longest) * unit
            self.backlog = [max(0.0, left - done) for left in self.backlog]
            self.now = time

    def cost(self, rank: int, light: list[float]) -> tuple[float, float]:
        return max(self.backlog[c] / light[c] for c in range(rank + 1)), self.backlog[0]

    def room(self, rank: int, light: list[float], T: float) -> float:
        return max(0.0, min(T * light[c] - self.backlog[c] for c in range(rank + 1)))

    def add(self, rank: int, volume: float) -> None:
        for c in range(rank + 1):
            self.backlog[c] += volume
