"""The machine sets of load balancing, ready to be drawn: the loads that jobs saw, and prices of machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.report.drawn_family import by_strength
from certify.report.origins import origins
from certify.report.scene import Scene
from certify.show import number
from online import exact
from online.instance import Instance
from online.load_witness import ClassWitness, LoadWitness


@dataclass(frozen=True, eq=False)
class DrawnSets:
    """Jobs on top of one another, as `job`, `machine`, `start`, `end` in ticks; rejected ones on machine -1.

    `levels` is the number of levels of height `guess`, in ticks; without a guess there are none, and lengths are sizes
    times the price of the job's cheapest machine, whose sum over that of all `prices` is the bound.
    """

    title: str
    job: Sequence[int]
    machine: Sequence[int]
    start: Sequence[int]
    end: Sequence[int]
    levels: int = 0
    guess: Fraction = Fraction(0)
    prices: int = 0


def sets_of(scene: Scene) -> Iterator[DrawnSets]:
    """Those of the evidence first, then those of each phase and size class of the run."""
    if scene.instance is None or scene.problem != "load":
        return
    for goal, e in by_strength(scene):
        if scene.evidence[e]["rule"] == "C4":
            yield _priced(scene.problem, scene.instance, scene.evidence[e], goal)
    for phase, found in enumerate(scene.explanations, start=1):
        if isinstance(found, LoadWitness):
            for one in found.classes:
                guess = number(exact.text(one.guess * scene.unit))
                size = f", size class {one.name}" if len(found.classes) > 1 else ""
                yield _seen(scene.instance, one, f"phase {phase}, T = {guess}{size}")


def _priced(problem: str, instance: Instance, evidence: dict[str, Any], goal: str) -> DrawnSets:
    """Each job on the cheapest of its machines, as long as its size times the price there."""
    found = origins(problem, instance, evidence)
    assert found is not None
    height = [0] * instance.machines
    rows = []
    for j, (price, machine) in enumerate(zip(found.alpha, found.machine, strict=True)):
        if price:
            start, height[machine] = height[machine], height[machine] + price * int(instance.size[j])
            rows.append((j, machine, start, height[machine]))
    prices = sum(evidence.get("beta") or [1] * len(evidence["machine"]))
    title = f"{goal}: {evidence.get('origin', 'prices of machines')}"
    return _drawn(title, rows, prices=prices)


def _seen(instance: Instance, one: ClassWitness, title: str) -> DrawnSets:
    """Each accepted job from the load that it saw, and the rejected ones on a heap of their own."""
    size = instance.size.tolist()
    rows = [(j, machine, level, level + size[j]) for j, machine, level in one.accepted]
    heap = 0
    for j in one.rejected:
        rows.append((j, -1, heap, heap + size[j]))
        heap += size[j]
    return _drawn(title, rows, levels=one.alpha, guess=one.guess)


def _drawn(title: str, rows: list[tuple[int, int, int, int]], **more: Any) -> DrawnSets:
    job, machine, start, end = ([row[k] for row in rows] for k in range(4))
    return DrawnSets(title, job, machine, start, end, **more)
