"""A game of a certificate, found again by playing it: a certificate does not say what the proof promises."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from certify.report.scene import Scene
from online import exact
from online.adversary.contest import Contest, contest
from online.adversary.game import Game
from online.adversary.registry import GAMES, game
from online.errors import DualfitError
from online.run import Run

MOST_JOBS = 5000
"""Games of more jobs are not played again."""


def played_again(scene: Scene, evidence: Mapping[str, Any]) -> Contest | None:
    """The game of a certificate, if the same adversary against the same algorithm comes to the same end.

    Claim: jobs, decisions, offline schedule and phases are all those of the certificate. None of a game that is too
    large, that nobody knows here, or that goes otherwise.
    """
    run, algorithm = scene.run, scene.algorithm
    if run is None or algorithm is None or run.instance.n > MOST_JOBS or run.speed != 1:
        return None
    chosen = _game(run, evidence)
    if chosen is None:
        return None
    constants = {key: exact.rational(value) for key, value in run.parameters.items()}
    guess = constants.pop("guess", None)
    unit = Fraction(1) if run.problem == "stretch" else run.instance.tick
    try:
        again = contest(
            chosen, algorithm, guess=None if guess is None else guess * unit, name=run.algorithm, options=constants
        )
    except DualfitError:
        return None
    return again if _same(again, run, evidence) else None


def _game(run: Run, evidence: Mapping[str, Any]) -> Game | None:
    """The game that the origin of the evidence names, of the size of the instance."""
    named = [one for one in GAMES.values() if str(evidence.get("origin", "")).endswith(f" {one.title}")]
    if not named:
        return None
    machines, option = run.instance.machines, named[0].options[0]
    time = max((run.instance.n - 8) * 2 // 3, 1)
    sizes = {"machines": [machines], "delta": [machines], "time": [time, time + 1]}
    made = (_sized(named[0], run.epsilon, {option: size}) for size in sizes[option])
    fitting = (one for one in made if one is not None and (one.adaptive or one.most_jobs == run.instance.n))
    return next(fitting, None)


def _sized(kind: type[Game], epsilon: Fraction, size: Mapping[str, int]) -> Game | None:
    try:
        return game(kind.name, epsilon, size)
    except DualfitError:
        return None


def _same(again: Contest, run: Run, evidence: Mapping[str, Any]) -> bool:
    phases = [(one["last"], tuple(one["machine"])) for one in evidence["phases"]]
    return (
        again.run.instance.sha256 == run.instance.sha256
        and again.run.dispatch.tolist() == run.dispatch.tolist()
        and again.run.late == run.late
        and again.run.pieces == run.pieces
        and again.offline.dispatch.tolist() == list(evidence["dispatch"])
        and [(stage.last, stage.machines) for stage in again.stages] == phases
    )
