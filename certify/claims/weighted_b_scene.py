"""What the claims about algorithm B look at: its schedule, and the intervals of its late rejections."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from online.exact import ceil_log2, floor_log2
from online.weighted.classes import Type, Types, power
from online.weighted.doubling import Decisions
from online.weighted.intervals import Measured, figure_5, figure_7, look_back, measured
from online.weighted.parameters import Parameters
from online.weighted.schedule import Schedule


class Progress(NamedTuple):
    """One machine when B drops jobs: rounded rejection weights, and `work`, the sum of `2^d` over B's ticks so far."""

    machine: int
    time: int
    late: Fraction
    work: Fraction
    arrived: Fraction


@dataclass(frozen=True, eq=False)
class ServiceScene:
    """A whole run of algorithm B under the microscope; times in ticks, weights rounded down to powers of two."""

    schedule: Schedule

    @classmethod
    def of(cls, decisions: Decisions) -> ServiceScene:
        """Run B on what A decided."""
        return cls(Schedule.of(decisions))

    @property
    def decisions(self) -> Decisions:
        """What A decided."""
        return self.schedule.decisions

    @property
    def parameters(self) -> Parameters:
        """Constants of both algorithms."""
        return self.decisions.parameters

    @property
    def types(self) -> Types:
        """Type of each job."""
        return self.decisions.types

    @property
    def guess(self) -> Fraction:
        """T of the last phase."""
        return self.guesses[-1]

    @cached_property
    def guesses(self) -> list[Fraction]:
        """T of each phase."""
        return [phase.guess or Fraction(0) for phase in self.decisions.phases]

    @cached_property
    def starts(self) -> list[int]:
        """The tick at which each phase begins."""
        return [self.release[phase.first] for phase in self.decisions.phases]

    @cached_property
    def release(self) -> list[int]:
        """`r_j`."""
        return list(self.types.instance.release.tolist())

    @cached_property
    def size(self) -> list[int]:
        """`p_j`."""
        return list(self.types.instance.size.tolist())

    @cached_property
    def rejection(self) -> list[Fraction]:
        """Rejection weight of each job, rounded down to a power of two."""
        return [power(floor_log2(weight)) for weight in self.types.rejection]

    @property
    def one_phase(self) -> bool:
        """Whether one guess served for the whole run, as sections 6.2 and 7 assume."""
        return len(self.guesses) == 1

    @property
    def one_weight(self) -> bool:
        """Whether this is the algorithm of section 6.2: flow and rejection weights agree, nobody is dropped at once."""
        return self.parameters.period is None and self.types.flow == self.types.rejection

    @cached_property
    def fits(self) -> bool:
        """Whether `2^w p_j <= T`, T of the phase, for every job that A dispatched."""
        jobs = ((self.phase_of(j), j) for j, offer in enumerate(self.decisions.offers) if offer.accepted)
        return all(power(self.types.types[j].weight) * self.size[j] <= self.guesses[phase] for phase, j in jobs)

    def phase_of(self, job: int) -> int:
        """The number of the phase that dispatched a job (position)."""
        firsts = [phase.first for phase in self.decisions.phases]
        return bisect_left(firsts, job + 1) - 1

    @property
    def as_in_6_2(self) -> bool:
        """Whether the constants are those of section 6.2 and alpha >= 2."""
        alpha, epsilon = self.parameters.alpha, self.parameters.epsilon
        enough = alpha >= 2 and self.parameters.beta >= (alpha / epsilon) ** 2
        return self.one_weight and enough and self.parameters.offset == ceil_log2(1 / epsilon)

    @property
    def as_in_7(self) -> bool:
        """Whether the constants are those of section 7, with N in the place of 1/epsilon and segments long enough."""
        alpha, n = self.parameters.alpha, self.parameters.period
        if n is None:
            return False
        enough = self.parameters.beta >= (4 + Fraction(2, n)) * (alpha**2 + 2) * n**4
        return enough and self.parameters.offset == ceil_log2(n**2)

    @cached_property
    def _intervals(self) -> list[list[Measured]]:
        machines = range(self.types.instance.machines)
        found = [measured(self.schedule, i, figure_5, figure_7, look_back) for i in machines]
        return [[one for by_rule in found for one in by_rule[rule]] for rule in range(3)]

    @property
    def figure_5(self) -> list[Measured]:
        """The intervals of Figure 5, all machines and density classes."""
        return self._intervals[0]

    @property
    def figure_7(self) -> list[Measured]:
        """The intervals of Figure 7."""
        return self._intervals[1]

    @property
    def look_back(self) -> list[Measured]:
        """Our intervals, for any number of phases."""
        return self._intervals[2]

    def place(self, one: Measured) -> str:
        """How an interval is named in the ledger; its ends are ticks."""
        machine = self.types.instance.machine_name(one.machine)
        return f"machine {machine}, density class {one.density}, ticks [{one.interval.start}, {one.interval.end})"

    @cached_property
    def progress(self) -> list[Progress]:
        """Every machine at every time at which B drops jobs there."""
        return [one for machine in range(self.types.instance.machines) for one in self._progress(machine)]

    def _progress(self, machine: int) -> Iterator[Progress]:
        jobs = [j for j, offer in enumerate(self.decisions.offers) if offer.accepted and offer.machine == machine]
        drops = sorted((self.schedule.late[j], j) for j in jobs if j in self.schedule.late)
        times = sorted({time for time, _ in drops})
        late, arrived, k, n = Fraction(0), Fraction(0), 0, 0
        for time, work in zip(times, self._work(machine, times), strict=True):
            while n < len(jobs) and self.release[jobs[n]] < time:
                arrived += self.rejection[jobs[n]]
                n += 1
            while k < len(drops) and drops[k][0] <= time:
                late += self.rejection[drops[k][1]]
                k += 1
            yield Progress(machine, time, late, work, arrived)

    def _work(self, machine: int, times: list[int]) -> Iterator[Fraction]:
        total, k = Fraction(0), 0
        for stretch in self.schedule.stretches(machine) if times else ():
            for kind, ticks in stretch.slots.items():
                total += ticks * power(self.types.types[stretch.owner[kind]].density)
            if k < len(times) and stretch.end == times[k]:
                yield total
                k += 1

    def left_over(self, phase: int) -> Iterator[tuple[int, Type, int]]:
        """Machine, type and remaining size of what B holds when a phase begins."""
        when = self.starts[phase]
        for machine in range(self.types.instance.machines):
            served: Counter[int] = Counter()
            for stretch in itertools.takewhile(lambda one: one.end <= when, self.schedule.stretches(machine)):
                for kind, ticks in stretch.slots.items():
                    served[stretch.owner[kind]] += ticks
            held: Counter[Type] = Counter()
            for j, offer in enumerate(self.decisions.offers[: self.decisions.phases[phase].first]):
                if offer.accepted and offer.machine == machine and self._end(j) > when:
                    held[self.types.types[j]] += self.size[j] - served[j]
            yield from ((machine, kind, ticks) for kind, ticks in sorted(held.items(), key=itemgetter(0)))

    def _end(self, job: int) -> int:
        return self.schedule.completion.get(job, self.schedule.late.get(job, self.release[job]))
