"""Figure 4 of section 6.2 tick by tick, backward in time as printed: slow, and from the paper alone."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from naive_weighted import Naive, largest_exponent, play

from online.instance import Instance
from online.weighted.doubling import Decisions


class Tick(NamedTuple):
    """An interval of Figure 4: level, machine, first and last tick, weight class."""

    level: int
    machine: int
    start: int
    end: int
    weight: int


class Phase:
    """A phase of A played alone, tick by tick: its jobs, the one that ended it included, and all loads."""

    def __init__(self, decisions: Decisions, number: int) -> None:
        phase, types, parameters = decisions.phases[number], decisions.types, decisions.parameters
        self.alpha, self.T = parameters.alpha, phase.guess
        self.jobs = range(phase.first, phase.last + 1)
        keep = [j in self.jobs for j in range(types.instance.n)]
        part: Instance = types.instance.restrict(keep)
        flow, rejection = types.flow[phase.first : phase.last + 1], types.rejection[phase.first : phase.last + 1]
        self.run: Naive = play(
            part, flow, rejection, epsilon=parameters.epsilon, alpha=self.alpha, offset=1, beta=1, guess=phase.guess
        )
        self.list = list(part.jobs())
        self.w = [largest_exponent(Fraction(x)) for x in flow]
        self.v = [largest_exponent(Fraction(x)) for x in rejection]
        self.d = [largest_exponent(Fraction(2) ** v / j.size) for v, j in zip(self.v, self.list, strict=True)]
        self.width = largest_exponent(Fraction(self.alpha))
        self.flow, self.rejection = flow, rejection

    def in_range(self, d: int, low: int) -> bool:
        return low <= d <= low + self.width

    def lifted_level(self, k: int, low: int) -> Fraction:
        """`2^(d - d*) level(j)`, the job itself included, weighted."""
        return Fraction(2) ** (self.d[k] - low + self.w[k]) * self.run.level[k]

    def maxload(self, i: int, t: int, low: int) -> Fraction:
        loads = self.run.loads[i][t].items() if t < len(self.run.loads[i]) else ()
        lifted = (Fraction(2) ** (d - low + w) * left for (d, w), left in loads if self.in_range(d, low))
        return max(lifted, default=Fraction(0))

    def intervals(self, low: int, height: Fraction, levels: range, lag: int) -> list[Tick]:
        """All levels and machines, sorted."""
        found = []
        for i in range(len(self.run.loads)):
            load = [self.maxload(i, t, low) for t in range(len(self.run.loads[i]))]
            for level in levels:
                t = len(load) - 1
                while t >= 0:
                    if load[t] < level * height:
                        t -= 1
                        continue
                    start = t
                    while start > 0 and load[start - 1] > (level - 1) * height:
                        start -= 1
                    weight = min(
                        self.w[k]
                        for k, job in enumerate(self.list)
                        if start <= job.release <= t
                        and i in job.eligible
                        and self.in_range(self.d[k], low)
                        and self.lifted_level(k, low) >= (level - lag) * height
                    )
                    found.append(Tick(level, i, start, t, weight))
                    t = start - 1
        return sorted(found)
