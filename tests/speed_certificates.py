"""Certificates about schedules with speeds, as plain documents: columns of pieces, prices, potentials, games."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from certify.speed.backlog import Table
from certify.speed.potential import Potential
from online.instance import Instance
from online.speed.games import Game
from online.speed.power import Power
from online.speed.trajectory import Trajectory

Document = dict[str, Any]


def schedule(run: Trajectory) -> Document:
    """A trajectory as pieces in columns, times over their least common denominator."""
    dials = sorted({dial for segment in run.segments for _, dial in segment.running})
    per_tick = math.lcm(*(time.denominator for segment in run.segments for time in segment[:2]))
    columns: Document = {"per_tick": per_tick, "job": [], "start": [], "end": [], "dial": []}
    for start, end, running in run.segments:
        for job, dial in running:
            row = (job, int(start * per_tick), int(end * per_tick), dials.index(dial))
            for name, value in zip(("job", "start", "end", "dial"), row, strict=True):
                columns[name].append(value)
    return {**columns, "dials": [str(dial) for dial in dials]}


def certificate(instance: Instance, power: Power, goals: Sequence[Document], **more: Any) -> Document:
    """A certificate of the problem `energy`."""
    head = {"format": "dualfit-certificate", "version": 1, "problem": "energy", "power": power.to_document()}
    own = {"goal": list(goals), "sha256": instance.sha256, "instance": instance.to_document(), "evidence": []}
    return {**head, **own, **more}


def run_of(run: Trajectory) -> Document:
    """The member `run`."""
    return {"algorithm": "srpt", "schedule": schedule(run)}


def drift(reference: Trajectory, potential: Potential, **more: Any) -> Document:
    """Evidence of rule C9-drift."""
    table = {"steps": [str(step) for step in potential.steps], "linear": str(potential.linear)}
    return {"rule": "C9-drift", "schedule": schedule(reference), **table, **more}


def backlog(table: Table) -> Document:
    """Evidence of rule C9-backlog."""
    steps = [str(step) for step in table.steps]
    return {"rule": "C9-backlog", "steps": steps, "linear": str(table.linear), "ratio": str(table.ratio)}


def claim(kind: str, value: Fraction | int, evidence: int | None = None) -> Document:
    """A goal with a value."""
    return {"claim": kind, "value": str(value)} | ({} if evidence is None else {"evidence": evidence})


def rounds(game: Game) -> Document:
    """The instance of a game."""
    head = {"format": "dualfit-rounds", "version": 1, "machines": game.machines, "tick": str(game.tick)}
    before, each = ([sent.size for sent in own] for own in (game.before, game.each))
    return {**head, "before": before, "each": each, "rounds": game.rounds, "falling": game.falling}


def routing(game: Game, policy: str, opt: Fraction, cost: Fraction) -> Document:
    """A certificate of the problem `routing`."""
    instance = rounds(game)
    text = json.dumps(instance, sort_keys=True, separators=(",", ":"))
    before, each = ([sent.server for sent in own] for own in (game.before, game.each))
    return {
        "format": "dualfit-certificate",
        "version": 1,
        "problem": "routing",
        "power": {"terms": [["1", str(game.alpha)]]},
        "goal": [{"claim": "game", "opt": str(opt), "cost": str(cost), "evidence": 0}],
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "instance": instance,
        "evidence": [{"rule": "C9-game", "policy": policy, "before": before, "each": each}],
    }
