"""A finished game with its certificate: that of the run, and rule C8 for the offline schedule and the phases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import Any

from certify import check
from certify.build import certify
from certify.evidence import Document, plain
from online import exact
from online.adversary.contest import NOT_COVERED, Contest
from online.algorithm import Algorithm


@dataclass(frozen=True)
class Finished:
    """A game, its certificate, and the checker's verdict on that."""

    contest: Contest
    certificate: Document
    verdict: check.Verdict

    @classmethod
    def of(cls, contest: Contest, algorithm: type[Algorithm]) -> Finished:
        """Write the certificate, and have it checked."""
        document = certify_game(contest, algorithm)
        return cls(contest, document, check.check_document(document))

    def to_document(self) -> Document:
        """The result as one JSON object, in the input's units; machines count from 1."""
        contest, run = self.contest, self.contest.run
        guess = run.parameters.get("guess")
        return {
            "name": contest.game.name,
            "title": contest.game.title,
            "problem": run.problem,
            "algorithm": run.algorithm,
            "epsilon": exact.text(run.epsilon),
            "guess": None if guess is None else exact.text(Fraction(guess) * contest.unit),
            "guesses": [exact.text(one * contest.unit) for one in run.guesses],
            "constants": {name: exact.text(value) for name, value in run.constants.items()},
            "machines": run.instance.machines,
            "jobs": run.instance.n,
            "rejected": run.rejected_count,
            "late": len(run.late),
            "algorithm_cost": exact.text(contest.cost),
            "opt_upper": exact.text(contest.opt_upper),
            "ratio": exact.text(contest.ratio),
            "promised": None if contest.promised is None else exact.text(contest.promised),
            "guaranteed": exact.text(contest.game.guarantee()) if contest.game.adaptive else None,
            "promised_rejections": contest.game.rejections() if contest.verdict != NOT_COVERED else None,
            "note": contest.game.note(),
            "curve": [exact.text(max(held) * run.instance.tick) for held in contest.held],
            "phases": [*_phases(contest)],
            "verdict": contest.verdict,
            "reason": contest.uncovered or contest.over_budget,
            "certificate": self.verdict.verdict,
        }


_NOTHING = repeat(None)


def _phases(contest: Contest) -> Iterator[Document]:
    """What the machines of each phase would hold at least had nobody been rejected, and what they hold."""
    instance = contest.run.instance
    rows = zip(contest.stages, contest.held, contest.rejected, contest.stuck or _NOTHING, strict=False)
    for stage, held, rejected, stuck in rows:
        yield {
            "jobs": stage.last + 1,
            "machines": [instance.machine_name(i) for i in stage.machines],
            "invariant": [exact.text(load * instance.tick) for load in stage.loads],
            "held": [exact.text(load * instance.tick) for load in held],
            "rejected": rejected,
        } | ({} if stuck is None else {"stuck": exact.text(stuck * instance.tick)})


def certify_game(contest: Contest, algorithm: type[Algorithm]) -> Document:
    """What a game shows: the run (feasible, in budget, its objective), T* <= opt, and what machines held by phases.

    Values are in ticks, times the unit of the weights.
    """
    document = certify(contest.run, algorithm).document
    goal = {
        "claim": "game",
        "opt": exact.text(contest.offline.objective),
        "cost": exact.text(contest.run.objective),
        "evidence": len(document["evidence"]),
    }
    document["goal"].append(goal)
    document["evidence"].append(_evidence(contest))
    return document


def _evidence(contest: Contest) -> dict[str, Any]:
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
