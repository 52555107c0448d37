"""What servers did: which jobs ran when and at which dial, and what that cost, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, NoReturn

from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.speed.power import Power


class Segment(NamedTuple):
    """From `start` to `end` (ticks) the jobs of `running`, by position, run at their dials, one server each."""

    start: Fraction
    end: Fraction
    running: tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A schedule with speeds on identical servers.

    Claim: feasible, or construction raises: segments follow one another, at most `machines` jobs run at a time, none
    twice, none before its release or after its completion, and each does its size in work; with `overshoot` it may do
    more, which costs what it costs. A job is complete at the end of the last segment in which it runs.

    Times are in ticks, powers in jobs, costs in ticks.

    Raises: `InvalidInput` naming the segment or the job.

    Source: [S], the model and its cost: integral of n(t) plus the sum of powers.

    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> one = Instance.from_rows(1, [Row("a", 0, 2)])
    >>> run = Trajectory(one, power_law(2), (Segment(Fraction(0), Fraction(2), ((0, Fraction(1)),)),))
    >>> run.flow, run.energy, run.cost
    (Fraction(2, 1), Fraction(2, 1), Fraction(4, 1))
    """

    instance: Instance
    power: Power
    segments: Sequence[Segment]
    overshoot: bool = False

    def __post_init__(self) -> None:
        check_instance(self.instance)
        before = Fraction(0)
        releases = self.instance.release.tolist()
        for k, segment in enumerate(self.segments):
            self._check(k, segment, before, releases)
            before = segment.end
        for j, (done, size) in enumerate(zip(self.work, self.instance.size.tolist(), strict=True)):
            if done < size or (done > size and not self.overshoot):
                _refuse(f"job {self.instance.ids[j]!r}", "work that is not the size", str(done), str(size))

    def _check(self, k: int, segment: Segment, before: Fraction, releases: Sequence[int]) -> None:
        jobs = [job for job, _ in segment.running]
        place = f"segment {k + 1}"
        if not before <= segment.start < segment.end:
            _refuse(place, "segments out of order", f"{segment.start} to {segment.end}", f"a start from {before} on")
        if len(jobs) > self.instance.machines or len(set(jobs)) < len(jobs):
            _refuse(place, "too many servers", f"jobs {jobs}", f"at most {self.instance.machines} jobs, each once")
        present = math.floor(segment.start)
        for job, dial in segment.running:
            if not 0 <= job < self.instance.n or present < releases[job] or dial.numerator <= 0:
                _refuse(place, "job that may not run", f"job {job} at dial {dial}", "a released job, a dial > 0")

    @cached_property
    def work(self) -> list[Fraction]:
        """Work done for each job, in ticks."""
        done = [
            {dial: self.power.at(dial).speed * (end - start) for dial in set(dict(running).values())}
            for start, end, running in self.segments
        ]
        unit = exact.common_denominator(value for each in done for value in each.values())
        sums = [0] * self.instance.n
        for (_, _, running), each in zip(self.segments, done, strict=True):
            whole = {dial: value.numerator * (unit // value.denominator) for dial, value in each.items()}
            for job, dial in running:
                sums[job] += whole[dial]
        return [Fraction(value, unit) for value in sums]

    @cached_property
    def completion(self) -> list[Fraction]:
        """When each job is complete; its release, for a job of size 0 that never runs."""
        ends = [Fraction(r) for r in self.instance.release.tolist()]
        for _, end, running in self.segments:
            for job, _ in running:
                ends[job] = end
        return ends

    @cached_property
    def flow(self) -> Fraction:
        """Total flow time, in ticks."""
        return total(self.completion) - sum(map(int, self.instance.release.tolist()))

    @cached_property
    def energy(self) -> Fraction:
        """Total energy: the integral of the powers, in ticks."""
        return total(
            (end - start) * sum((self.power.at(dial).power for _, dial in running), Fraction(0))
            for start, end, running in self.segments
        )

    @property
    def cost(self) -> Fraction:
        """Flow plus energy, in ticks."""
        return self.flow + self.energy

    @cached_property
    def breakpoints(self) -> list[Fraction]:
        """Times at which something may change: releases, completions, ends of segments; ascending."""
        times = {Fraction(r) for r in self.instance.release.tolist()} | set(self.completion)
        for start, end, _ in self.segments:
            times |= {start, end}
        return sorted(times)

    @cached_property
    def unfinished(self) -> list[tuple[Fraction, Fraction, int]]:
        """(from, to, n(t)) between neighbouring breakpoints."""
        change = dict.fromkeys(self.breakpoints, 0)
        for release, end in zip(self.instance.release.tolist(), self.completion, strict=True):
            change[Fraction(release)] += 1
            change[end] -= 1
        n, out = 0, []
        for start, end in pairwise(self.breakpoints):
            n += change[start]
            out.append((start, end, n))
        return out

    def remaining(self) -> Iterator[tuple[Segment, list[Fraction]]]:
        """Each segment with the remaining sizes of all jobs at its start, never below 0."""
        left = [Fraction(size) for size in self.instance.size.tolist()]
        for segment in self.segments:
            yield segment, list(left)
            for job, dial in segment.running:
                left[job] -= self.power.at(dial).speed * (segment.end - segment.start)
                left[job] = max(left[job], Fraction(0))


def check_instance(instance: Instance) -> None:
    """Raise `InvalidInput` unless every job may run on every server, and every job has a size > 0."""
    everywhere = tuple(range(instance.machines))
    for job in instance.jobs():
        if job.eligible != everywhere:
            _refuse(f"job {job.id!r}", "restricted machines", "a job that may not run everywhere", "identical servers")
        if job.size <= 0:
            _refuse(f"job {job.id!r}", "zero size", "size 0", "a size > 0")


def total(values: Iterator[Fraction] | Sequence[Fraction]) -> Fraction:
    """The sum, by numerators over each denominator: quick for many values of few denominators.

    >>> total([Fraction(1, 2), Fraction(1, 3), Fraction(1, 2)])
    Fraction(4, 3)
    """
    sums: dict[int, int] = {}
    for value in values:
        sums[value.denominator] = sums.get(value.denominator, 0) + value.numerator
    return sum((Fraction(top, bottom) for bottom, top in sums.items()), Fraction(0))


def _refuse(place: str, reason: str, got: str, expected: str) -> NoReturn:
    raise InvalidInput(Problem(place, reason, got, expected, "correct the schedule or the instance"))
