"""Certificates about flow time plus energy: goals first, then the evidence, by keys only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.build import FORMAT, VERSION
from certify.evidence import Document, plain
from certify.speed.backlog import Table
from certify.speed.drift import Drift
from lp.energy.bracket import EnergyBracket, Rung
from lp.energy.prices import Prices
from online import exact
from online.instance import Instance
from online.speed.games import Game
from online.speed.power import Power, power_law
from online.speed.simulation import SpeedRun
from online.speed.trajectory import Trajectory

ORIGINS = {
    "size": "the least cost of a tick of work, times the total size",
    "schedule": "server prices along a good schedule",
    "dual": "the best server prices found",
    "run": "server prices along the run itself",
}
"""Where each rung comes from, in words."""

LONGEST = 3000
"""Most bits of a cost, and of the common denominator of times: longer numbers are not put into a certificate."""


@dataclass
class Paper:
    """A certificate about one instance and one P, being written; values are in ticks."""

    instance: Instance
    power: Power
    source: Document | None = None

    def __post_init__(self) -> None:
        self.goal: list[Document] = []
        self.evidence: list[Document] = []
        self.run: Document | None = None

    def claim_run(self, run: SpeedRun) -> None:
        """The run is feasible, and its cost is what it is."""
        self.run = run_record(run)
        self.goal.append({"claim": "feasible"})
        self.goal.append({"claim": "objective", "value": exact.text(run.trajectory.cost)})

    def claim_lower(self, rungs: Sequence[Rung]) -> None:
        """The optimum is at least each rung."""
        for rung in rungs:
            self.claim_prices(rung.value, rung.prices, ORIGINS[rung.method])

    def claim_prices(self, value: Fraction, prices: Prices, origin: str) -> None:
        """The optimum is at least what prices prove."""
        evidence = {"rule": "C9", **prices.to_document(), "origin": origin}
        self._show({"claim": "lower-bound", "value": exact.text(value)}, evidence)

    def claim_upper(self, schedule: Trajectory) -> None:
        """The optimum is at most the cost of a schedule."""
        evidence = {"rule": "C6", "schedule": columns(schedule), "origin": "a schedule"}
        self._show({"claim": "upper-bound", "value": exact.text(schedule.cost)}, evidence)

    def claim_drift(self, found: Drift, ratio: Fraction, *, shortest: bool) -> None:
        """The run costs at most `ratio` times as much as another schedule, which serves its `shortest` jobs only."""
        evidence = {
            "rule": "C9-drift",
            "schedule": columns(found.reference),
            "steps": [exact.text(step) for step in found.potential.steps],
            "linear": exact.text(found.potential.linear),
            "class": "srpt" if shortest else "any",
        }
        self._show({"claim": "drift", "value": exact.text(ratio)}, evidence)

    def claim_competitive(self, table: Table) -> None:
        """The run costs at most the table's ratio times the optimum."""
        evidence = {
            "rule": "C9-backlog",
            "steps": [exact.text(step) for step in table.steps],
            "linear": exact.text(table.linear),
            "ratio": exact.text(table.ratio),
        }
        self._show({"claim": "competitive", "value": exact.text(table.ratio)}, evidence)

    def claim_ratio(self, ratio: Fraction) -> None:
        """The run costs at most so many times the optimum, by the lower bound."""
        self.goal.append({"claim": "ratio", "value": exact.text(ratio)})

    def _show(self, goal: Document, evidence: Document) -> None:
        self.goal.append({**goal, "evidence": len(self.evidence)})
        self.evidence.append(evidence)

    def document(self) -> Document:
        """The certificate; without any goal it says that the optimum is at least 0."""
        head: Document = {
            "format": FORMAT,
            "version": VERSION,
            "problem": "energy",
            "goal": self.goal or [{"claim": "lower-bound", "value": "0"}],
        }
        if self.source is not None:
            head["source"] = self.source
        head |= {"sha256": self.instance.sha256, "power": self.power.to_document()}
        if self.run is not None:
            head["run"] = self.run
        return {**head, "evidence": self.evidence, "instance": self.instance.to_document()}


def run_record(run: SpeedRun) -> Document:
    """How the run came about, and what it did."""
    how = run.to_document()
    parameters = {**how["options"], "bits": str(run.bits), **({} if run.grid is None else {"grid": str(run.grid)})}
    return {"algorithm": run.policy, "parameters": parameters, "schedule": columns(run.trajectory)}


def certifiable(schedule: Trajectory) -> bool:
    """Whether the times and the cost of a schedule are short enough for a certificate."""
    times = (time for segment in schedule.segments for time in segment[:2])
    numbers = (exact.common_denominator(times), schedule.cost.numerator, schedule.cost.denominator)
    return max(number.bit_length() for number in numbers) <= LONGEST


def columns(schedule: Trajectory) -> Document:
    """A schedule as pieces in columns, one for every job and segment; times in whole numbers of 1/per_tick ticks."""
    segments = schedule.segments
    per_tick = exact.common_denominator(time for segment in segments for time in segment[:2])
    dials = sorted({dial for segment in segments for _, dial in segment.running})
    number = {dial: k for k, dial in enumerate(dials)}
    rows = [
        (job, int(start * per_tick), int(end * per_tick), number[dial])
        for start, end, running in segments
        for job, dial in running
    ]
    names = ("job", "start", "end", "dial")
    return {
        "per_tick": per_tick,
        **{name: [row[k] for row in rows] for k, name in enumerate(names)},
        "dials": [plain(dial) for dial in dials],
    }


def certify_run(
    run: SpeedRun, rung: Rung | None, upper: Trajectory | None, table: Table | None, source: Document | None = None
) -> Document:
    """A run, what it costs, where the optimum lies, and, by a backlog table, how far from that the run is at most."""
    paper = Paper(run.trajectory.instance, run.trajectory.power, source)
    paper.claim_run(run)
    if rung is not None:
        paper.claim_lower([rung])
        paper.claim_ratio(run.trajectory.cost / rung.value)
    if upper is not None:
        paper.claim_upper(upper)
    if table is not None:
        paper.claim_competitive(table)
    return paper.document()


def certify_bracket(
    instance: Instance, power: Power, bracket: EnergyBracket, source: Document | None = None
) -> Document:
    """Every rung below the optimum, and a schedule above it."""
    paper = Paper(instance, power, source)
    paper.claim_lower(bracket.rungs)
    if bracket.rungs:
        paper.claim_upper(bracket.upper)
    return paper.document()


def certify_drift(
    run: SpeedRun, found: Drift, ratio: Fraction, source: Document | None = None, *, shortest: bool
) -> Document:
    """A run, another schedule, and the potential between them."""
    paper = Paper(run.trajectory.instance, run.trajectory.power, source)
    paper.claim_run(run)
    paper.claim_drift(found, ratio, shortest=shortest)
    return paper.document()


def certify_game(game: Game, policy: str) -> Document:
    """Jobs in rounds on which a policy that routes on arrival costs much more than a schedule, whatever its speeds."""
    instance: Document = {
        "format": "dualfit-rounds",
        "version": VERSION,
        "machines": game.machines,
        "tick": exact.text(game.tick),
        "before": [size for size, _ in game.before],
        "each": [size for size, _ in game.each],
        "rounds": game.rounds,
        "falling": game.falling,
    }
    servers = {"before": [server for _, server in game.before], "each": [server for _, server in game.each]}
    cost, opt = exact.text(game.policy_lower), exact.text(game.optimum_upper)
    text = json.dumps(instance, sort_keys=True, separators=(",", ":"))
    return {
        "format": FORMAT,
        "version": VERSION,
        "problem": "routing",
        "goal": [{"claim": "game", "opt": opt, "cost": cost, "evidence": 0}],
        "sha256": hashlib.sha256(text.encode("ascii")).hexdigest(),
        "power": power_law(game.alpha).to_document(),
        "evidence": [{"rule": "C9-game", "policy": policy, **servers}],
        "instance": instance,
    }
