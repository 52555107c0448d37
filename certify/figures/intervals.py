"""Machine intervals as a picture wants them: of a witness, or of a certificate's evidence."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.evidence import Document, weights_of
from certify.figures.fates import fates
from certify.trajectory import Course, phase_work
from lp.density_classes import class_bounds
from online import exact
from online.exact import Column
from online.family import IntervalFamily
from online.instance import Instance
from online.run import Run
from online.weighted.backlog import Backlog
from online.weighted.laminar import Marks
from online.weighted.trail import Piece, Trail
from online.weighted.trajectory import DensityRange
from online.weighted.witness import density_witness
from online.weights import Weight, Weights
from online.witness import Witness

SAMPLES = 2000
"""Maxload between arrivals is worked out at about so many ticks of a machine, and drawn straight in between."""


@dataclass(frozen=True, eq=False)
class Picture:
    """Intervals, and the jobs `first..` (one entry each in `dispatch` and `weight`) that they may count.

    Where the levels have a `height` (ticks, times the unit of the weights), level l lies between `(l - 1) height` and
    `l height` of the load that `course` gives for a machine; without, intervals lie in lanes. `guess` is T, `words` are
    for the title, `low` is the density class.
    """

    instance: Instance
    family: IntervalFamily
    words: tuple[str, ...]
    first: int
    dispatch: Column | None
    weight: Sequence[Weight]
    height: Fraction | None = None
    guess: Fraction | None = None
    course: Callable[[int], Course] | None = None
    low: int | None = None

    @property
    def levels(self) -> list[int]:
        """The levels that have intervals."""
        return sorted(set(self.family.level.tolist()))

    def at_level(self, level: int) -> Picture:
        """With the intervals of one level alone."""
        return replace(self, family=self.family.where(self.family.level == level))

    def ranked(self) -> list[int]:
        """All machines, those with most intervals first, then those with longest; among equals the first."""
        count, length = [0] * self.instance.machines, [0] * self.instance.machines
        spans = (self.family.end - self.family.start).tolist()
        for machine, times, span in zip(
            self.family.machine.tolist(), self.family.multiplicity.tolist(), spans, strict=True
        ):
            count[machine] += times
            length[machine] += times * span
        return sorted(range(self.instance.machines), key=lambda i: (-count[i], -length[i], i))

    def counted(self, machine: int) -> tuple[Column, Column]:
        """The jobs (positions) that may run on a machine, and which of them one of its intervals counts.

        An interval counts a job that is released in it, at either end too, and has its weight at least.
        """
        instance, own = self.instance, self.family.where(self.family.machine == machine)
        jobs = self.first + np.flatnonzero(_may_run(instance, machine)[self.first : self.first + len(self.weight)])
        release = instance.release[jobs] * own.per_tick
        inside = np.zeros(len(jobs), dtype=bool)
        for number, threshold in enumerate(own.weights):
            spans = own.where(own.weight_class == number)
            heavy = np.array([self.weight[j - self.first] >= threshold for j in jobs.tolist()], dtype=bool)
            inside |= heavy & _covered(release, spans)
        return jobs, inside


def _may_run(instance: Instance, machine: int) -> Column:
    sets = instance.sets
    owner = np.repeat(np.arange(len(sets)), np.diff(sets.start))
    mine = np.zeros(len(sets), dtype=bool)
    mine[owner[sets.machines == machine]] = True
    return mine[instance.eligible_set]


def _covered(times: Column, spans: IntervalFamily) -> Column:
    """Which of the times lie in one of the closed intervals: more have begun by then than have ended before."""
    begun = np.searchsorted(np.sort(spans.start), times, side="right")
    return np.asarray(begun > np.searchsorted(np.sort(spans.end), times, side="left"))


def of_witness(run: Run, witness: Witness) -> Picture:
    """The intervals of Figure 3 of a phase, under the load of that phase."""
    phase, size = witness.phase, witness.phase.last - witness.phase.first + 1
    return Picture(
        instance=run.instance,
        family=witness.family,
        words=(_phase_words(run, run.phases.index(phase)), f"T = {_shown(witness.guess * run.instance.tick)}"),
        first=phase.first,
        dispatch=fates(run, phase),
        weight=[1] * size,
        height=witness.guess,
        guess=witness.guess,
        course=lambda machine: phase_work(run, phase, machine),
    )


def of_trail(run: Run, trail: Trail, low: int | None, unit: Fraction) -> Picture:
    """The intervals of Figure 4 of a phase for density class `low`, under maxload.

    None: that of the best bound; if none says anything, that of most intervals; without intervals, that of most jobs.
    """
    types = trail.decisions.types
    bounds = class_bounds(trail, None if low is None else [low], Weights.of(types.flow))
    best = max(bounds, key=lambda one: (max(one.value, 0), len(one.family), one.value), default=None)
    if low is None:
        densities = [types.types[j].density for j, _ in trail.offers]
        low = max(trail.classes, key=densities.count) if best is None else best.low
    marks = Marks.every(trail.alpha, trail.guess) if best is None else best.marks
    witness = density_witness(trail, low, marks)
    jobs = [j for j, _ in trail.offers]
    kinds = trail.range_of(low)
    words = (_phase_words(run, trail.number), f"T = {_shown(trail.guess * unit)}", f"density classes {low} on")
    return Picture(
        instance=run.instance,
        family=witness.family,
        words=words,
        first=jobs[0],
        dispatch=fates(run, run.phases[trail.number]),
        weight=[types.flow[j] for j in jobs],
        height=marks.height,
        guess=trail.guess,
        course=lambda machine: maxload(trail.pieces[machine], kinds),
        low=low,
    )


def maxload(pieces: Sequence[Piece], kinds: DensityRange) -> Course:
    """Maxload of a machine over time: exact just before and after arrivals and at some ticks between them."""
    rows: list[tuple[int, Fraction, Fraction]] = []
    before, each = Fraction(0), SAMPLES // max(len(pieces), 1) + 1
    for piece in pieces:
        left = Backlog(piece.left)
        rows.append((piece.start, before, kinds.maxload(left)))
        end = piece.start + left.volume if piece.end is None else min(piece.end, piece.start + left.volume)
        for tick in range(piece.start + max((end - piece.start) // each, 1), end, max((end - piece.start) // each, 1)):
            value = kinds.maxload(left.after(tick - piece.start))
            rows.append((tick, value, value))
        before = kinds.maxload(left.after(end - piece.start))
        if end != piece.end:
            rows.append((end, before, before))
    unit = exact.common_denominator(value for row in rows for value in row[1:])
    columns = zip(*((time, int(low * unit), int(high * unit)) for time, low, high in rows), strict=True)
    time, low, high = (exact.column(list(column)) for column in columns) if rows else (exact.column([]),) * 3
    return Course(time, low, high, per_unit=unit)


def of_evidence(document: Document, instance: Instance, run: Run | None, number: int, unit: Fraction) -> Picture:
    """The intervals of an item of evidence of rule C3, or the windows of a crowded set (C5)."""
    item, problem = document["evidence"][number], document["problem"]
    weights = weights_of(problem, instance) or Weights.ones(instance)
    if item["rule"] == "C3":
        family = _family(item)
        words = f"{family.count} interval{'s' if family.count > 1 else ''}"
    else:
        family = _windows(item, instance, weights)
        words = f"windows of {len(item['job'])} jobs at T* < {_shown(exact.rational(item['value']) * unit)}"
    head = item.get("origin", f"evidence {number}")
    dispatch = None if run is None else fates(run)
    return Picture(instance, family, (head, words), 0, dispatch, _only(item, weights.tolist()))


def _only(item: Document, weights: list[Weight]) -> Sequence[Weight]:
    """Of a crowded set, its own jobs count alone: the others have no weight."""
    if item["rule"] != "C5":
        return weights
    chosen = set(item["job"])
    return [weight if j in chosen else 0 for j, weight in enumerate(weights)]


def _family(item: Document) -> IntervalFamily:
    rows = list(zip(item["machine"], item["start"], item["end"], strict=True))
    lanes = _lanes(rows)
    weights = [exact.rational(weight) for weight in item["weights"]] if "weights" in item else [Fraction(1)]
    return IntervalFamily.of(
        [(machine, lane, start, end) for (machine, start, end), lane in zip(rows, lanes, strict=True)],
        per_tick=item["per_tick"],
        multiplicity=item.get("multiplicity"),
        weight_class=item.get("class"),
        weights=weights,
    )


def _lanes(rows: Sequence[tuple[int, int, int]]) -> list[int]:
    """A lane from 1 on for each interval, so that those of a machine in one lane are disjoint; longer ones lie lower.

    >>> _lanes([(0, 1, 2), (0, 0, 5), (0, 3, 4), (1, 0, 9)])
    [2, 1, 2, 1]
    """
    lanes, free, busy, machine = [0] * len(rows), list[int](), list[tuple[int, int]](), -1
    for k in sorted(range(len(rows)), key=lambda k: (rows[k][0], rows[k][1], -rows[k][2])):
        if rows[k][0] != machine:
            machine, free, busy, most = rows[k][0], [], [], 0
        while busy and busy[0][0] < rows[k][1]:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if not free:
            most += 1
            heapq.heappush(free, most)
        lanes[k] = heapq.heappop(free)
        heapq.heappush(busy, (rows[k][2], lanes[k]))
    return lanes


def _windows(item: Document, instance: Instance, weights: Weights) -> IntervalFamily:
    """The union of the windows `[r_j, r_j + V / w_j]` of the set's jobs on each machine."""
    value = exact.rational(item["value"])
    spans: dict[int, list[tuple[Fraction, Fraction]]] = {}
    for j in item["job"]:
        release = Fraction(int(instance.release[j]))
        for machine in instance.job(j).eligible:
            spans.setdefault(machine, []).append((release, release + value / weights[j]))
    merged = [(machine, *span) for machine, own in sorted(spans.items()) for span in _merged(sorted(own))]
    per_tick = exact.common_denominator(time for _, start, end in merged for time in (start, end))
    rows = [(machine, 1, int(start * per_tick), int(end * per_tick)) for machine, start, end in merged]
    return IntervalFamily.of(rows, per_tick, weights=[min(weights.values, default=1)])


def _merged(spans: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    out: list[tuple[Fraction, Fraction]] = []
    for start, end in spans:
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def _phase_words(run: Run, number: int) -> str:
    return f"phase {number + 1} of {len(run.phases)}" if len(run.phases) > 1 else ""


def _shown(value: Fraction) -> str:
    return exact.decimal(value, 3)
