"""The certificate of a game: the run's own, and rule C8 for the offline schedule and the phases."""

from __future__ import annotations

from certify.build import Certified, certify
from certify.evidence import Document, plain
from online import exact
from online.adversary.contest import Contest
from online.algorithm import Algorithm


def certify_game(contest: Contest, algorithm: type[Algorithm]) -> Certified:
    """What a game shows: the run (feasible, in budget, its objective), T* <= opt, and what machines held by phases.

    Values are in ticks, times the unit of the weights.
    """
    certified = certify(contest.run, algorithm)
    document = certified.document
    goal = {
        "claim": "game",
        "opt": exact.text(contest.offline.objective),
        "cost": exact.text(contest.run.objective),
        "evidence": len(document["evidence"]),
    }
    document["goal"].append(goal)
    document["evidence"].append(_evidence(contest))
    return certified


def _evidence(contest: Contest) -> Document:
    phases = [
        {"last": stage.last, "machine": list(stage.machines), "load": [plain(load) for load in held]}
        for stage, held in zip(contest.stages, contest.held, strict=True)
    ]
    return {
        "rule": "C8",
        "dispatch": contest.offline.dispatch.tolist(),
        "schedule": "assignment" if contest.run.problem == "load" else "fifo",
        "phases": phases,
        "origin": f"the offline schedule of the proof of {contest.game.title}",
    }
