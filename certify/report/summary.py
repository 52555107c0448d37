"""The head of the page: the checker's words, what the certificate is about, and its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from certify.report.scene import Scene
from certify.report.section import Section, render
from certify.show import below_one, number
from online import exact
from online.run import WORDS, Run

Row = tuple[str, str]


def summary(scene: Scene) -> Section:
    """What was certified, in the words of the checker, and the run in numbers."""
    rows = [*_source(scene), *_numbers(scene)]
    return Section("summary", "Verdict", render("summary", verdict=scene.verdict, rows=rows, notes=_notes(scene)))


def _source(scene: Scene) -> Iterator[Row]:
    source = scene.document.get("source")
    yield "certificate", scene.name
    if source is not None:
        options = ", ".join(f"{key.replace('_', '-')} {value}" for key, value in source.get("options", {}).items())
        yield "input", f"{source['file']} ({source['format']}{', ' + options if options else ''})"
        if "unit_size" in source:
            yield "size", f"every job has size {number(str(source['unit_size']))}"
    if scene.instance is not None:
        yield "jobs", f"{scene.instance.n} on {scene.instance.machines} machines"
    yield "problem", scene.problem


def _numbers(scene: Scene) -> Iterator[Row]:
    if scene.run is not None:
        yield from _run(scene, scene.run)
    lower, upper = (
        [exact.rational(goal["value"]) * scene.unit for goal in scene.goals if goal["claim"] == claim]
        for claim in ("lower-bound", "upper-bound")
    )
    if lower:
        yield "bound", f"{number(exact.text(max(lower)), 'down')} <= {scene.optimum}"
    if upper:
        yield "upper", f"{number(exact.text(min(upper)), 'up')} >= {scene.optimum}"
    for goal in scene.goals:
        if goal["claim"] == "ratio":
            yield "ratio", f"{number(str(goal['value']), 'up')}, objective / bound"


def _run(scene: Scene, run: Run) -> Iterator[Row]:
    speed = "" if run.speed == 1 else f" at speed {run.speed}"
    yield "algorithm", run.algorithm + speed
    if scene.repeatable:
        what = "jobs" if run.budget == "count" else "rejection weight"
        yield "budget", f"{run.epsilon} of the {what}"
    late = f", {len(run.late)} of them late" if run.late else ""
    yield "rejected", f"{run.rejected_count} of {run.instance.n}{late}"
    guesses = [number(exact.text(guess * scene.unit)) for guess in run.guesses]
    yield "guesses", ", ".join(guesses) or "none"
    yield "objective", f"{number(exact.text(run.objective * scene.unit))}, the {WORDS[run.problem]}{speed}"


def _notes(scene: Scene) -> list[str]:
    run = scene.run
    if run is None or not scene.bound or Fraction(run.objective) >= scene.bound:
        return []
    return list(below_one({"rejected": run.rejected_count, "speed": exact.text(run.speed)}))
