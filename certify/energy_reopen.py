"""From an accepted certificate about energy back to the schedules in it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from certify.evidence import Document
from certify.reopen import reopen_instance
from online import exact
from online.errors import InvalidInput, Problem
from online.speed.power_text import power_of
from online.speed.simulation import merged
from online.speed.trajectory import Segment, Trajectory


def reopen_trajectory(document: Mapping[str, Any], folder: str | None = None) -> Trajectory:
    """The run in a certificate; its instance may lie in a file in `folder`.

    Raises: `InvalidInput` if the certificate is of another problem, or records no run.
    """
    if document.get("problem") != "energy" or "run" not in document:
        got = f"a certificate of {document.get('problem')}, {'with' if 'run' in document else 'without'} a run"
        expected = "a run as `dualfit run --problem energy` records it"
        raise InvalidInput(Problem("certificate", "no run with speeds", got, expected, "use such a certificate"))
    return reopen_schedule(document, document["run"]["schedule"], folder)


def reopen_witness(document: Mapping[str, Any], folder: str | None = None) -> Trajectory | None:
    """The cheapest schedule that a certificate shows an upper bound by, or None."""
    goals = [goal for goal in document["goal"] if goal["claim"] == "upper-bound"]
    if document["problem"] != "energy" or not goals:
        return None
    best = min(goals, key=lambda goal: Fraction(goal["value"]))
    return reopen_schedule(document, document["evidence"][best["evidence"]]["schedule"], folder)


def reopen_schedule(document: Mapping[str, Any], schedule: Document, folder: str | None) -> Trajectory:
    """One of the schedules in a certificate about energy, given by its pieces."""
    instance, power = reopen_instance(document["instance"], folder), power_of(document["power"])
    dials, unit = [exact.rational(dial) for dial in schedule["dials"]], schedule["per_tick"]
    pieces = zip(schedule["job"], schedule["start"], schedule["end"], schedule["dial"], strict=True)
    parts = [
        [Segment(Fraction(start, unit), Fraction(end, unit), ((job, dials[dial]),))] for job, start, end, dial in pieces
    ]
    return Trajectory(instance, power, merged(parts) if parts else (), overshoot=True)
