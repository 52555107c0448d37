"""A point of each linear program that a certificate gives: of the primal a schedule, of the dual its best family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from certify.reopen import reopen_family
from certify.report.argument import Ground, argument
from certify.report.proof import rejected, speed
from lp.improve import good_schedule
from lp.load.descent import descending_load
from lp.optimum import greedy_upper
from online import exact
from online.family import IntervalFamily

if TYPE_CHECKING:
    from certify.report.scene import Scene


@dataclass(frozen=True)
class Primal:
    """A schedule or assignment of all jobs: one machine a job, its value or more in ticks, and whose it is."""

    dispatch: Sequence[int]
    T: Fraction
    words: str


@dataclass(frozen=True)
class Dual:
    """Evidence by an interval family or by prices, and its bound in ticks, before any rounding."""

    evidence: Mapping[str, Any]
    value: Fraction
    words: str

    def family(self, ground: Ground) -> IntervalFamily:
        """The intervals of the evidence; of prices an interval at 0 on every machine, as often as its price."""
        if self.evidence["rule"] == "C3":
            return reopen_family(self.evidence)
        beta, machines = [0] * ground.instance.machines, self.evidence["machine"]
        for i, price in zip(machines, self.evidence.get("beta") or [1] * len(machines), strict=True):
            beta[i] = price
        return IntervalFamily.of([(i, 0, 0, 0) for i in range(len(beta))], multiplicity=beta)


def primal_point(scene: Scene, ground: Ground) -> Primal:
    """The best schedule of all jobs in the certificate; without one, a good one that is made with little work."""
    found = [_made(ground)] if (known := list(_recorded(scene))) == [] else known
    return min(found, key=lambda one: one.T)


def _recorded(scene: Scene) -> Iterator[Primal]:
    for goal in scene.goals:
        if goal["claim"] == "upper-bound":
            evidence = scene.evidence[goal["evidence"]]
            yield Primal(evidence["dispatch"], exact.rational(goal["value"]), "the schedule that bounds T* from above")
        elif goal["claim"] == "game":
            evidence = scene.evidence[goal["evidence"]]
            yield Primal(evidence["dispatch"], exact.rational(goal["opt"]), "the adversary's own schedule")
        elif goal["claim"] == "objective" and speed(scene.document) == 1 and not rejected(scene.document):
            value = exact.rational(goal["value"])
            yield Primal(scene.document["run"]["dispatch"], value, "the run itself, which rejects nobody")


def _made(ground: Ground) -> Primal:
    words = "a schedule of all jobs, made for this page with little work"
    if ground.problem == "load":
        assignment = descending_load(ground.instance)
        return Primal(assignment.dispatch, Fraction(assignment.value), words.replace("a schedule", "an assignment"))
    if ground.problem == "max-flow":
        schedule = greedy_upper(ground.instance)
    else:
        schedule = good_schedule(ground.instance, ground.weights, effort=0)
    return Primal(schedule.dispatch, Fraction(schedule.value), words)


def dual_point(scene: Scene, ground: Ground) -> Dual | None:
    """The best of the interval families or prices in the certificate; None if it has neither."""
    found = [
        Dual(one, _value(one, ground), one.get("origin", "an interval family" if one["rule"] == "C3" else "prices"))
        for one in scene.evidence
        if one["rule"] in ("C3", "C4")
    ]
    return max(found, key=lambda one: one.value, default=None)


def _value(evidence: Mapping[str, Any], ground: Ground) -> Fraction:
    found = argument(evidence, ground)
    value: Fraction = found.terms.get("unrounded", found.value)
    return value / ground.unit
