"""Where algorithm B's late rejections are counted: intervals of time for one machine and density class."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from online.weighted.classes import Type
from online.weighted.schedule import Schedule

Span = tuple[int, int]
Arrived = tuple[int, int, int]
"""Release, weight class, position."""


class Wait(NamedTuple):
    """A job in B's queue at the ticks `[start, end)`, with its weight class; `late` if B drops it at the end."""

    start: int
    end: int
    weight: int
    job: int
    late: bool


class Step(NamedTuple):
    """At all ticks `[start, end)` B holds a job of the density class whose weight class is at least `weight`."""

    start: int
    end: int
    weight: int


class Interval(NamedTuple):
    """The ticks `[start, end)`, and the positions of the late-rejected jobs released in them: R(I).

    `least` is the smallest weight class in R(I): w_min. `steps` say which jobs count in I: those of the density class
    that are released in a step and have its weight class or more.
    """

    start: int
    end: int
    least: int
    late: tuple[int, ...]
    steps: tuple[Step, ...]

    def counts(self, release: int, weight: int) -> bool:
        """Whether a job of the density class counts."""
        return any(step.start <= release < step.end and step.weight <= weight for step in self.steps)


Rule = Callable[[list[Wait]], list[Interval]]


def figure_5(waits: list[Wait]) -> list[Interval]:
    """The unions of the waiting times of late-rejected jobs, as printed for one weight.

    Source: Rejecting jobs to minimize load and maximum flow-time, Figure 5 (sampled after the arrivals of a tick).

    >>> [one[:4] for one in figure_5([Wait(0, 9, 1, 7, False), Wait(4, 8, 0, 8, True)])]
    [(4, 8, 0, (8,))]
    """
    late = [wait for wait in waits if wait.late]
    return [_whole(span, late) for span in _unions(late)]


def figure_7(waits: list[Wait]) -> list[Interval]:
    """The maximal runs of ticks at which B holds a job of weight class w or more, and a late-rejected one of w comes.

    Claim: such runs, over all w, are disjoint or nested; the maximal ones hold each late-rejected job's whole wait, and
    just before one B holds no job of class w_min or more.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 7, Figure 7.

    >>> [one[:4] for one in figure_7([Wait(0, 9, 1, 7, False), Wait(4, 8, 0, 8, True)])]
    [(0, 9, 0, (8,))]
    """
    late = [wait for wait in waits if wait.late]
    runs = {span for weight in {wait.weight for wait in late} for span, _ in _kept(waits, weight)}
    maximal: list[Span] = []
    for start, end in sorted(runs, key=lambda span: (span[0], -span[1])):
        if not maximal or end > maximal[-1][1]:
            maximal.append((start, end))
    return [_whole(span, late) for span in maximal]


def look_back(waits: list[Wait]) -> list[Interval]:
    """From each late rejection back as far as B has always held a job of that weight class or more; then unions.

    Claim: every job that B serves in such a step, of the density class, was released in the step: nothing depends on
    later times or on phases.

    >>> [one[:4] for one in look_back([Wait(0, 9, 1, 7, False), Wait(4, 8, 0, 8, True)])]
    [(0, 8, 0, (8,))]
    """
    late = [wait for wait in waits if wait.late]
    steps = [
        Step(start, max(wait.end for wait in dropped), weight)
        for weight in sorted({wait.weight for wait in late})
        for (start, _), dropped in _kept(waits, weight)
    ]
    return [
        _whole(span, late)._replace(steps=tuple(step for step in steps if span[0] <= step.start < span[1]))
        for span in _unions(steps)
    ]


def _kept(waits: list[Wait], weight: int) -> list[tuple[Span, list[Wait]]]:
    """The runs of this weight class with its late-rejected jobs, where there are any."""
    runs = _unions(wait for wait in waits if wait.weight >= weight)
    kept: dict[Span, list[Wait]] = {}
    for wait in waits:
        if wait.late and wait.weight == weight:
            kept.setdefault(runs[bisect_right(runs, wait.start, key=itemgetter(0)) - 1], []).append(wait)
    return sorted(kept.items())


def _unions(spans: Iterable[Wait | Step]) -> list[Span]:
    out: list[Span] = []
    for start, end, *_ in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _whole(span: Span, late: list[Wait]) -> Interval:
    start, end = span
    inside = [wait for wait in late if start <= wait.start < end]
    least = min(wait.weight for wait in inside)
    return Interval(start, end, least, tuple(sorted(wait.job for wait in inside)), (Step(start, end, least),))


@dataclass(frozen=True, eq=False)
class Measured:
    """An interval and what happened in it on its machine; d* is `density`.

    `spent` counts the ticks by the type that A serves (None: idle), the type that B serves, and whether B's job is in
    R(I). `dispatched` is the total size of the jobs of class d* that count in I, by weight class; A dispatched them.
    """

    machine: int
    density: int
    interval: Interval
    rejected: int
    dispatched: Counter[int]
    spent: Counter[tuple[Type | None, Type, bool]] = field(default_factory=Counter)

    @property
    def length(self) -> int:
        """`b - a`."""
        return self.interval.end - self.interval.start

    def ticks(self, chosen: Callable[[Type | None, Type, bool], bool]) -> int:
        """How many ticks of I are such."""
        return sum(count for key, count in self.spent.items() if chosen(*key))

    def of_a(self, least: int | None = None, most: int | None = None) -> int:
        """P^A: ticks at which A serves class d*, of weight classes `least..most`."""
        return self.ticks(lambda a, _, __: a is not None and self._mine(a, least, most))

    def of_b(self, least: int | None = None) -> int:
        """Ticks at which B serves class d*, of weight class `least` or more."""
        return self.ticks(lambda _, b, __: self._mine(b, least))

    def above(self, density: int) -> int:
        """Ticks at which B serves a density class that is at least `density`."""
        return self.ticks(lambda _, b, __: b.density >= density)

    @property
    def joint(self) -> int:
        """P: ticks at which A and B both serve class d*."""
        return self.ticks(lambda a, b, _: a is not None and a.density == b.density == self.density)

    @property
    def light(self) -> int:
        """Joint ticks at which B's job has a weight class below w_min."""
        most = self.interval.least - 1
        return self.ticks(lambda a, b, _: a is not None and a.density == self.density and self._mine(b, most=most))

    @property
    def bad(self) -> int:
        """Joint ticks at which B's job is in R(I)."""
        return self.ticks(lambda a, _, late: late and a is not None and a.density == self.density)

    def _mine(self, kind: Type, least: int | None = None, most: int | None = None) -> bool:
        return (
            kind.density == self.density
            and (least is None or kind.weight >= least)
            and (most is None or kind.weight <= most)
        )


def measured(schedule: Schedule, machine: int, *rules: Rule) -> list[list[Measured]]:
    """The intervals of a machine by each rule, over all density classes, in order of time.

    Claim: between the ends of stretches B's queue does not change, so every interval is a union of stretches; they are
    gone through once.
    """
    by_rule = [_empty(schedule, machine, rule) for rule in rules]
    coming = sorted((one for found in by_rule for one in found), key=lambda one: -one.interval.start)
    types, now = schedule.decisions.types.types, list[Measured]()
    for stretch in schedule.stretches(machine) if coming else ():
        now = [one for one in now if one.interval.end > stretch.start]
        while coming and coming[-1].interval.start <= stretch.start:
            now.append(coming.pop())
        for one in now:
            for kind, ticks in stretch.slots.items():
                job = stretch.owner[kind]
                own = job in schedule.late and types[job].density == one.density
                one.spent[kind, types[job], own] += ticks
    return by_rule


def _empty(schedule: Schedule, machine: int, rule: Rule) -> list[Measured]:
    found = []
    jobs, size = _of_class(schedule, machine), schedule.decisions.types.instance.size.tolist()
    for density, (waits, arrivals) in sorted(jobs.items()):
        for one in rule(waits):
            dispatched: Counter[int] = Counter()
            first, last = (bisect_left(arrivals, (when,)) for when in (one.start, one.end))
            for release, weight, job in arrivals[first:last]:
                if one.counts(release, weight):
                    dispatched[weight] += size[job]
            found.append(Measured(machine, density, one, sum(size[j] for j in one.late), dispatched))
    return sorted(found, key=lambda one: one.interval[:2])


def _of_class(schedule: Schedule, machine: int) -> dict[int, tuple[list[Wait], list[Arrived]]]:
    """For each density class that B rejects late: its waits, and all jobs that A dispatched, by release."""
    decisions = schedule.decisions
    release, types = decisions.types.instance.release.tolist(), decisions.types.types
    of_class: dict[int, tuple[list[Wait], list[Arrived]]] = defaultdict(lambda: ([], []))
    for j, offer in enumerate(decisions.offers):
        if offer.accepted and offer.machine == machine:
            waits, arrivals = of_class[types[j].density]
            arrivals.append((release[j], types[j].weight, j))
            end = schedule.completion.get(j, schedule.late.get(j))
            if end is not None:
                waits.append(Wait(release[j], end, types[j].weight, j, j in schedule.late))
    for _, arrivals in of_class.values():
        arrivals.sort()
    return {density: pair for density, pair in of_class.items() if any(wait.late for wait in pair[0])}
