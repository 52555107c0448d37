"""The section about a game: what the adversary did, phase by phase, and what the algorithm and the proof then hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from certify.problems.registry import TRACKS
from certify.reopen import reopen_schedule
from certify.report.canvas import undrawable
from certify.report.game_figures import Moment, figures
from certify.report.played_again import MOST_JOBS, played_again
from certify.report.scene import Scene
from certify.report.section import Section, render
from certify.report.shown import beside, exactly, nearly
from online import exact
from online.adversary.contest import NOT_COVERED, Contest
from online.adversary.held import held
from online.run import WORDS, Run

PHASES = 24
"""Of more phases the middle ones are left out."""


class Played(NamedTuple):
    """A game in a certificate: the run, the offline schedule of all jobs, its phases, and itself if found again."""

    run: Run
    offline: Run
    evidence: Mapping[str, Any]
    goal: Mapping[str, Any]
    contest: Contest | None

    @classmethod
    def of(cls, scene: Scene) -> Played | None:
        """The game of a certificate; None if it states none, or is one in rounds."""
        goals = [goal for goal in scene.goals if goal["claim"] == "game"]
        if not goals or scene.problem not in TRACKS or scene.run is None:
            return None
        evidence = scene.evidence[goals[0]["evidence"]]
        again = played_again(scene, evidence)
        offline = reopen_schedule(scene.run.instance, scene.problem, evidence, "offline")
        return cls(scene.run, offline, evidence, goals[0], again)

    @property
    def phases(self) -> list[int]:
        """The positions of the phases that are shown, all of them if there are few."""
        count, half = len(self.evidence["phases"]), PHASES // 2
        return [k for k in range(count) if count <= PHASES or k < half or k >= count - half]


def game(scene: Scene) -> Section | None:
    """What the game comes to, its phases, and the machines of both schedules after each; None if there is none."""
    played = Played.of(scene)
    if played is None:
        return None
    opt, cost = (exact.rational(played.goal[name]) * scene.unit for name in ("opt", "cost"))
    values = {
        "cost": cost,
        "opt": opt,
        "words": WORDS[scene.problem],
        "offline": "an assignment" if scene.problem == "load" else "a schedule",
        "adaptive": played.contest is None or played.contest.game.adaptive,
        "rejected": played.run.rejected_count,
        "jobs": played.run.instance.n,
        "origin": played.evidence.get("origin"),
        "contest": played.contest,
        "promises": _promises(played.contest),
        "rows": [_phase(k, played) for k in played.phases],
        "left_out": len(played.evidence["phases"]) - len(played.phases),
        "most_jobs": MOST_JOBS,
    }
    shown = list(moments(played))
    tick = played.run.instance.tick
    loads = [load * tick for moment in shown for load in (*moment.algorithm[0], *moment.offline[0])]
    undrawn = undrawable(played.run.instance.machines, loads)
    models = figures(shown, played.run.instance, scene.problem) if shown and not undrawn else {}
    html = render("game", **values, drawn=bool(models), undrawn=undrawn, exactly=exactly, beside=beside, nearly=nearly)
    return Section("game", "The game", html, models)


def _promises(again: Contest | None) -> dict[str, Any] | None:
    """What the proof says of this game, in the input's units."""
    if again is None:
        return None
    covered = again.verdict != NOT_COVERED
    return {
        "title": again.game.title,
        "verdict": again.verdict,
        "reason": again.uncovered or again.over_budget,
        "promised": again.promised,
        "guaranteed": again.game.guarantee() if again.game.adaptive else None,
        "rejections": again.game.rejections() if covered else None,
        "note": again.game.note(),
        "epsilon": exact.text(again.game.epsilon),
    }


def _phase(k: int, played: Played) -> dict[str, Any]:
    """A phase as the table says it; loads in the input's unit."""
    phase, tick = played.evidence["phases"][k], played.run.instance.tick
    adaptive = played.contest is not None and played.contest.game.adaptive
    without = max(played.contest.stages[k].loads) * tick if played.contest and adaptive else None
    stuck = None if played.contest is None else played.contest.stuck
    return {
        "number": k + 1,
        "jobs": phase["last"] + 1,
        "machines": len(phase["machine"]),
        "held": max(map(exact.rational, phase["load"])) * tick,
        "without": without,
        "stuck": None if stuck is None else stuck[k] * tick,
        "rejected": list(played.run.rejections())[phase["last"]],
    }


def moments(played: Played) -> Iterator[Moment]:
    """The ends of the phases and, of a game found again, the steps of its proof; by arrivals, each once."""
    phases, instance = played.evidence["phases"], played.run.instance
    found: dict[int, tuple[str, Sequence[int]]] = {
        phases[k]["last"]: (f"phase {k + 1} ends", phases[k]["machine"]) for k in played.phases
    }
    for step in () if played.contest is None else played.contest.steps:
        found.setdefault(step.last, (f"phase {step.phase + 1}, {step.caption}", step.machines))
    before = -1
    for last, (words, machines) in sorted(found.items()):
        fresh = np.zeros(instance.n, dtype=bool)
        fresh[before + 1 : last + 1] = True
        sides = [(held(run, [last])[0], held(run, [last], fresh)[0]) for run in (played.run, played.offline)]
        release = None if played.run.problem == "load" else Fraction(int(instance.release[last])) * instance.tick
        yield Moment(words, last, release, tuple(machines), sides[0], sides[1])
        before = last
