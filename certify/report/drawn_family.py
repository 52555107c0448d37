"""The interval families of a certificate and of its run, ready to be drawn: which to choose from, and every alpha_j."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np

from certify.evidence import weights_of
from certify.reopen import reopen_family
from certify.report.origins import least_of, origins
from certify.report.scene import Scene
from certify.show import number
from lp.density_classes import best_class, class_bounds
from lp.weak_duality import covers
from online import exact
from online.exact import Column
from online.family import IntervalFamily
from online.instance import Instance
from online.weighted.trail import Trail
from online.weighted.witness import density_witness
from online.weights import Weights
from online.witness import Witness

CROWD = "The jobs of the set need more time than their machines have for them, if each is done in less than the bound."

MOST_ALPHAS = 3_000_000
"""All families together say alpha of so many jobs at most; the later ones are left out."""


@dataclass(frozen=True, eq=False)
class DrawnFamily:
    """One interval family with its duals.

    `lane` says at which height of its machine each interval is drawn, of `lanes`. The other columns have one entry for
    each job from position `first` on: its dual `alpha`, the `most` that is allowed, the first eligible `machine` that
    allows no more, and `heaviest`, the number of the largest weight of the family that counts it, -1 for none. `loads`,
    where the run has them, are what the algorithm saw, in ticks, with `guess`. Of a `crowd` alpha says who is in it,
    and the intervals are the time that machines have for these jobs. `bound` is what a density class shows, in ticks.
    """

    title: str
    note: str
    family: IntervalFamily
    lane: Column
    lanes: int
    levels: range
    first: int
    alpha: Sequence[int]
    most: Sequence[int]
    machine: Sequence[int]
    heaviest: Sequence[int]
    loads: Sequence[int] | None = field(default=None)
    guess: Fraction | None = None
    crowd: bool = False
    bound: Fraction = Fraction(0)


def families_of(scene: Scene) -> Iterator[DrawnFamily]:
    """Those of the evidence first, the best bound's before all; then those that the run's algorithm leaves."""
    if scene.instance is None or not scene.instance.n or scene.problem in ("load", "energy"):
        return
    yield from _evidence(scene, scene.instance)
    for phase, found in enumerate(scene.explanations, start=1):
        if isinstance(found, Witness):
            yield _levels(scene, scene.instance, found, phase)
        elif isinstance(found, Trail):
            yield from _classes(scene, scene.instance, found, phase)


def few(found: Iterable[DrawnFamily]) -> tuple[list[DrawnFamily], int]:
    """The first families with no more than `MOST_ALPHAS` duals, and how many are left out."""
    kept: list[DrawnFamily] = []
    left = duals = 0
    for one in found:
        duals += len(one.alpha)
        if duals > MOST_ALPHAS and kept:
            left += 1
        else:
            kept.append(one)
    return kept, left


def _evidence(scene: Scene, instance: Instance) -> Iterator[DrawnFamily]:
    weights = weights_of(scene.problem, instance) or Weights.ones(instance)
    for goal, e in by_strength(scene):
        evidence = scene.evidence[e]
        if evidence["rule"] == "C5":
            yield from _crowd(scene, instance, weights, evidence, goal)
        if evidence["rule"] != "C3":
            continue
        found = origins(scene.problem, instance, evidence)
        assert found is not None
        family = reopen_family(evidence)
        lane, lanes = lanes_of(family)
        title = f"{goal}: {evidence.get('origin', f'evidence {e}')}"
        note = "Here alpha_j is what the certificate says; at most the least number of intervals that count the job."
        heaviest = heaviest_of(family, weights)
        yield DrawnFamily(
            title, note, family, lane, lanes, range(0), 0, found.alpha, found.most, found.machine, heaviest
        )


def _crowd(
    scene: Scene, instance: Instance, weights: Weights, evidence: dict[str, Any], goal: str
) -> Iterator[DrawnFamily]:
    """The time that each machine has for the jobs of a crowded set, if each may take as long as the evidence says."""
    chosen, value = set(evidence["job"]), exact.rational(evidence["value"])
    jobs = [instance.job(j) for j in sorted(chosen)]
    if sum(len(job.eligible) for job in jobs) > MOST_ALPHAS:
        return
    parts = exact.common_denominator([value / weights[job.position] for job in jobs])
    rows = []
    for i in range(instance.machines):
        mine = [job for job in jobs if i in job.eligible]
        spans = [(job.release * parts, int((job.release + value / weights[job.position]) * parts)) for job in mine]
        rows += [(i, 0, start, end) for start, end in united(spans)]
    family = IntervalFamily.of(rows, per_tick=parts)
    member = [int(j in chosen) for j in range(instance.n)]
    first = [instance.sets[k][0] for k in instance.eligible_set.tolist()]
    title = f"{goal}: {evidence.get('origin', 'a crowded set')}"
    columns = (member, member, first, [member_ - 1 for member_ in member])
    yield DrawnFamily(title, CROWD, family, np.zeros(len(family), dtype=np.int64), 1, range(0), 0, *columns, crowd=True)


def united(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The union of closed spans, as spans that do not meet.

    >>> united([(4, 5), (0, 2), (1, 3)])
    [(0, 3), (4, 5)]
    """
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def by_strength(scene: Scene) -> list[tuple[str, int]]:
    """What each evidence is for, and its number: lower bounds from the largest on, then refuted guesses."""
    found: list[tuple[Fraction, str, int]] = []
    for goal in scene.goals:
        if goal["claim"] == "lower-bound" and "evidence" in goal:
            value = exact.rational(goal["value"])
            found.append((-value, f"T* >= {number(exact.text(value * scene.unit), 'down')}", int(goal["evidence"])))
        elif goal["claim"] == "refuted-guess":
            found.append((Fraction(1), f"the guess of phase {goal['phase'] + 1} is too small", int(goal["evidence"])))
    found.sort(key=lambda one: one[0])
    return [(words, e) for _, words, e in found]


def _levels(scene: Scene, instance: Instance, witness: Witness, phase: int) -> DrawnFamily:
    """The intervals of Figure 3 of all levels, and alpha_j as before Claim 6.3."""
    first, last = witness.phase.first, witness.phase.last
    counted = list(covers_of(instance, witness.family, None, first, last))
    most, machine = least_of(instance, counted)
    guess = number(exact.text(witness.guess * scene.unit))
    return DrawnFamily(
        title=f"phase {phase}: levels of height T = {guess} (Figure 3)",
        note="Here alpha_j is the load that the job saw over T, rounded down; all levels if it was rejected.",
        family=witness.family,
        lane=witness.family.level - 1,
        lanes=max(witness.levels, 1),
        levels=range(1, witness.levels + 1),
        first=first,
        alpha=witness.duals.tolist(),
        most=most,
        machine=machine,
        heaviest=[0] * len(most),
        loads=witness.level.tolist(),
        guess=witness.guess,
    )


def _classes(scene: Scene, instance: Instance, trail: Trail, phase: int) -> Iterator[DrawnFamily]:
    """The intervals of Figure 4, of each density class that has any, with the largest alpha_j that (5) allows."""
    weights = Weights.of(trail.decisions.types.flow)
    for low in trail.classes:
        best = best_class(class_bounds(trail, [low], weights))
        if best is None:
            continue
        found = density_witness(trail, low, best.marks)
        most, machine = least_of(instance, covers(instance, found.family, weights=weights))
        levels = best.marks.levels
        bound = f"T* >= {number(exact.text(best.value * scene.unit), 'down')}" if best.value > 0 else "no bound"
        yield DrawnFamily(
            title=f"phase {phase}: density class d* = {low} (Figure 4), {bound}",
            note="alpha_j is the least number of intervals that count the job; the bound is of the strongest part.",
            family=found.family,
            lane=found.family.level - levels.start,
            lanes=max(len(levels), 1),
            levels=levels,
            first=0,
            alpha=most,
            most=most,
            machine=machine,
            heaviest=heaviest_of(found.family, weights),
            bound=best.value,
        )


def covers_of(
    instance: Instance, family: IntervalFamily, weights: Weights | None, first: int, last: int
) -> Iterator[tuple[int, list[int]]]:
    """As `covers`, of the jobs at positions `first .. last`."""
    for j, one in enumerate(covers(instance, family, weights=weights)):
        if j > last:
            return
        if j >= first:
            yield one


def heaviest_of(family: IntervalFamily, weights: Weights) -> list[int]:
    """For each job the number of the largest of the family's weights that is no larger than its own; -1 for none."""
    ranks = np.array([*weights.classes_of(family.weights), -1], dtype=np.int64)
    return ranks[weights.rank].tolist()  # type: ignore[no-any-return]


def lanes_of(family: IntervalFamily) -> tuple[Column, int]:
    """Heights at which no two intervals of a machine meet: the longest of those that begin together is lowest.

    >>> lanes_of(IntervalFamily.of([(0, 0, 0, 9), (0, 0, 2, 3), (0, 0, 4, 5), (1, 0, 0, 1)]))
    (array([0, 1, 1, 0]), 2)
    """
    spans = zip(family.machine.tolist(), family.start.tolist(), family.end.tolist(), strict=True)
    rows = sorted((i, start, -end, k) for k, (i, start, end) in enumerate(spans))
    lane = np.zeros(len(rows), dtype=np.int64)
    for _, group in groupby(rows, key=lambda row: row[0]):
        ends: list[int] = []
        for _, start, end, k in group:
            free = next((one for one, last in enumerate(ends) if last < start), len(ends))
            ends[free : free + 1] = [-end]
            lane[k] = free
    return lane, int(lane.max(initial=0)) + 1


def rows_of(family: IntervalFamily) -> dict[str, Any]:
    """The columns of a family by name."""
    return {
        name: getattr(family, name) for name in ("machine", "level", "start", "end", "multiplicity", "weight_class")
    }
