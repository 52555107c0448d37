"""How the intervals of Figure 4 cover jobs, lie in one another, and what A serves in them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from certify.claims.weighted_scene import ClassView
from online.exact import floor_log2
from online.weighted.classes import power

Span = tuple[int, int, int, int, Fraction]


def covered(view: ClassView) -> Iterator[tuple[int, int, int]]:
    """`(job, levels, due)` for each job with a level due: on its worst machine so many consecutive levels cover it.

    A level covers j on machine i if an interval of that level on i contains r_j and is for a weight of at most w_j. Due
    are the levels l from the first on with j in J(l + 1).
    """
    trail, instance = view.scene.trail, view.scene.trail.decisions.types.instance
    first, sweep = view.marks.levels.start, _Sweep(view)
    for (j, _), depth in zip(trail.offers, view.witness.depth.tolist(), strict=True):
        if depth > first:
            sweep.advance(int(instance.release[j]))
            eligible = instance.sets[int(instance.eligible_set[j])]
            weight = trail.decisions.types.types[j].weight
            yield j, min(bisect_right(sweep.reach(i), weight) for i in eligible), depth - first


class _Sweep:
    """Moves over time, keeping for each machine the weight classes of the intervals that contain the present."""

    def __init__(self, view: ClassView) -> None:
        spans = [(start, end, i, level, floor_log2(w)) for i, level, start, end, w in view.spans]
        self.opening = sorted(((start, i, level, w) for start, _, i, level, w in spans), reverse=True)
        self.closing = sorted(((end, i, level) for _, end, i, level, _ in spans), reverse=True)
        self.first = view.marks.levels.start
        self.inside: dict[int, dict[int, int]] = {}
        self.known: dict[int, list[int]] = {}

    def advance(self, now: int) -> None:
        """Go to the tick `now`; intervals are closed and those of a level are disjoint."""
        while self.closing and self.closing[-1][0] < now:
            end, i, level = self.closing.pop()
            self._open(end)
            del self.inside[i][level]
            self.known.pop(i, None)
        self._open(now)

    def _open(self, now: int) -> None:
        while self.opening and self.opening[-1][0] <= now:
            _, i, level, weight = self.opening.pop()
            self.inside.setdefault(i, {})[level] = weight
            self.known.pop(i, None)

    def reach(self, machine: int) -> list[int]:
        """For consecutive levels from the first on, the largest weight class up to there."""
        if machine not in self.known:
            inside = self.inside.get(machine, {})
            run: list[int] = []
            while self.first + len(run) in inside:
                run.append(inside[self.first + len(run)])
            self.known[machine] = list(accumulate(run, max))
        return self.known[machine]


def by_level(view: ClassView) -> dict[tuple[int, int], list[Span]]:
    """The intervals of each (machine, level), in order of time."""
    rows: dict[tuple[int, int], list[Span]] = {}
    for span in view.spans:
        rows.setdefault(span[:2], []).append(span)
    return rows


def nested_count(view: ClassView) -> tuple[int, int]:
    """How many intervals lie in one of the level below for no larger weight, and how many are above the first level."""
    rows = by_level(view)
    inside = due = 0
    for (machine, level), spans in rows.items():
        if level > view.marks.levels.start:
            outer = rows.get((machine, level - 1), [])
            due += len(spans)
            inside += sum(_lies_in(span, outer) for span in spans)
    return inside, due


def _lies_in(span: Span, outer: list[Span]) -> bool:
    k = bisect_right(outer, span[2], key=lambda one: one[2]) - 1
    return k >= 0 and span[3] <= outer[k][3] and outer[k][4] <= span[4]


class Processing(NamedTuple):
    """What A did in an interval `[a, b)`, in ticks: on the classes of the range; on none of d* or more.

    `arrived` is the volume of the jobs of J(l - 1) released in `[a, b]` and dispatched to the machine.
    """

    span: Span
    within: int
    wasted: int
    arrived: int


def processing(view: ClassView, *, heavy_only: bool) -> Iterator[Processing]:
    """For every interval; `heavy_only` counts only jobs of at least its weight."""
    for span in view.spans:
        i, level, start, end, weight = span
        served = view.scene.service[i].served(view.kinds, start, end)
        release, size, depth, weights = view.dispatched[i]
        mine = slice(bisect_left(release, start), bisect_right(release, end))
        chosen = depth[mine] >= level - 1
        if heavy_only:
            chosen &= weights[mine] >= floor_log2(weight)
        volume = int(size[mine][chosen].sum()) if chosen.any() else 0
        yield Processing(span, served.within, end - start - served.within - served.above, volume)


class Priority(NamedTuple):
    """The tick of an interval at which A serves the least `2^(d - d*) load`; by how much a queue is not the fullest."""

    span: Span
    tick: int
    lifted: Fraction
    shortfall: Fraction


def priorities(view: ClassView) -> Iterator[Priority]:
    """For every interval that is longer than 0.

    Claim: from tick to tick the largest `2^d load` falls until a job arrives; so only the last ticks before arrivals
    are looked at.
    """
    for span in view.spans:
        i, _, start, end, _ = span
        service = view.scene.service[i]
        pieces = range(bisect_left(service.starts, start), bisect_left(service.starts, end))
        choices = [service.choice(k, end) for k in pieces]
        if choices:
            lifted = [choice.load * power(choice.kind.density - view.low) for choice in choices]
            least = min(range(len(choices)), key=lifted.__getitem__)
            shortfall = max(choice.largest - choice.load for choice in choices)
            yield Priority(span, choices[least].tick, lifted[least], shortfall)
