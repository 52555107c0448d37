"""Certificates about schedules with speeds, for tests that change them: goals and evidence as plain documents."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from certify.energy_build import certify_game, columns
from certify.speed.backlog import Table
from certify.speed.potential import Potential
from online.instance import Instance
from online.speed.games import Game
from online.speed.power import Power
from online.speed.trajectory import Trajectory

Document = dict[str, Any]


def certificate(instance: Instance, power: Power, goals: Sequence[Document], **more: Any) -> Document:
    """A certificate of the problem `energy`."""
    head = {"format": "dualfit-certificate", "version": 1, "problem": "energy", "power": power.to_document()}
    own = {"goal": list(goals), "sha256": instance.sha256, "instance": instance.to_document(), "evidence": []}
    return {**head, **own, **more}


def run_of(run: Trajectory) -> Document:
    """The member `run`."""
    return {"algorithm": "srpt", "schedule": columns(run)}


def drift(reference: Trajectory, potential: Potential, **more: Any) -> Document:
    """Evidence of rule C9-drift."""
    table = {"steps": [str(step) for step in potential.steps], "linear": str(potential.linear)}
    return {"rule": "C9-drift", "schedule": columns(reference), **table, **more}


def backlog(table: Table) -> Document:
    """Evidence of rule C9-backlog."""
    steps = [str(step) for step in table.steps]
    return {"rule": "C9-backlog", "steps": steps, "linear": str(table.linear), "ratio": str(table.ratio)}


def claim(kind: str, value: Fraction | int, evidence: int | None = None) -> Document:
    """A goal with a value."""
    return {"claim": kind, "value": str(value)} | ({} if evidence is None else {"evidence": evidence})


def routing(game: Game, policy: str, opt: Fraction, cost: Fraction) -> Document:
    """A certificate of the problem `routing`."""
    goal = {"claim": "game", "opt": str(opt), "cost": str(cost), "evidence": 0}
    return {**certify_game(game, policy), "goal": [goal]}
