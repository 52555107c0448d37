"""Weighted flow time, two weights, stretch: the ladder with the LP of Lemma 6.6, algorithms A and B."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import ClassVar

from certify.claims import two_weights_b, weighted, weighted_b, weighted_b_phases
from certify.claims.claim import Entry, Section, judge
from certify.claims.weighted_b_scene import ServiceScene
from certify.claims.weighted_scene import WeightedScene
from certify.evidence import Bound, best, hall_evidence, weights_of, witness_bound
from certify.problems.ladder import METHODS, Ladder, program_bound
from certify.problems.track import Bracket, Tell, Track, leaves_witness, silent, too_large
from lp.bound import MOST_CLASSES
from lp.hall import hall_bound
from lp.improve import good_schedule
from online.algorithm import Algorithm
from online.errors import InvalidInput, LimitReached
from online.instance import Instance
from online.play import play
from online.run import Run
from online.weighted import algorithms
from online.weighted.trail import Trail
from online.weights import Weights

PAIRS = 60_000
"""`auto` solves the linear program up to this many (job, eligible machine) pairs, times weight classes."""

SMALL_ALPHA = Fraction(1)
"""The alpha of the run that is made for its witness: full queues and rejections say most about the optimum."""


class Weighted(Track):
    """Maximum weighted flow time `max w_j F_j`. Source: [R] sections 6.2 and 6.3."""

    name = "weighted"
    title = "[R] sections 6.2 and 6.3"
    methods = METHODS
    algorithm: ClassVar[type[algorithms.WeightedFlow]] = algorithms.WeightedFlow
    about_a: ClassVar[tuple[Section[WeightedScene], ...]] = (weighted.SECTION, weighted.DOUBLING)
    about_b: ClassVar[tuple[Section[ServiceScene], ...]] = (weighted_b.SECTION, weighted_b_phases.SECTION)

    def weights(self, instance: Instance) -> Weights:
        """The weights of the objective."""
        return weights_of(self.name, instance) or Weights.ones(instance)

    def unit(self, instance: Instance) -> Fraction:
        return instance.tick * instance.weight_unit

    def default_algorithm(self, instance: Instance) -> str:
        return self.name

    def bracket(self, instance: Instance, method: str, time_limit: float | None = None, tell: Tell = silent) -> Bracket:
        self.check_method(method)
        return Ladder(instance, self.weights(instance), "6.6", self._witness, time_limit, tell).climb(method)

    def extra_bound(self, instance: Instance, algorithm: type[Algorithm], method: str) -> Bound | None:
        """The LP of Lemma 6.6, then the Hall bound from there; `auto`: if they are not too large, else A's witness."""
        weights = self.weights(instance)
        if method == "witness" or self.left_out(instance, method) is not None:
            return None if leaves_witness(algorithm) else self._witness(instance)
        found = None
        with suppress(*((InvalidInput, LimitReached) if method == "auto" else ())):
            found = program_bound(instance, "6.6", weights)
        return best([found, self._hall(instance, weights, found)])

    def left_out(self, instance: Instance, method: str) -> str | None:
        pairs = instance.pairs * min(self.weights(instance).classes, MOST_CLASSES)
        return too_large(pairs, PAIRS) if method == "auto" else None

    def upper(self, instance: Instance) -> Fraction:
        return Fraction(good_schedule(instance, self.weights(instance), effort=0).value)

    def ledger(self, run: Run, algorithm: type[Algorithm], lower: Fraction, upper: Fraction) -> list[Entry]:
        """The claims about algorithm A on every phase, then those about B on the whole run."""
        found = [algorithm.explain(run, phase) for phase in run.phases]
        trails = [trail for trail in found if isinstance(trail, Trail)]
        doubling, unit = "guess" not in run.parameters, self.unit(run.instance)
        phases = [WeightedScene(trail, lower, upper, doubling, unit) for trail in trails]
        service = [ServiceScene.of(trails[0].decisions)] if trails else []
        tick = run.instance.tick
        units: dict[str, Fraction] = {
            "flow": unit / tick,
            "rejection": run.instance.weight_unit if run.budget == "rejection" else Fraction(1),
        }
        about_a = [judge(claim, phases, tick, **units) for section in self.about_a for claim in section.claims]
        about_b = [judge(claim, service, tick, **units) for section in self.about_b for claim in section.claims]
        return about_a + about_b

    def _witness(self, instance: Instance) -> Bound | None:
        """The best bound of the families that algorithm A leaves with a small alpha, whatever algorithm ran."""
        with suppress(InvalidInput):
            run = play(instance, self.algorithm, Fraction(1, 2), name=self.name, options={"alpha": SMALL_ALPHA})
            return witness_bound(run, self.algorithm)
        return None

    def _hall(self, instance: Instance, weights: Weights, below: Bound | None) -> Bound | None:
        found = hall_bound(instance, weights=weights, start=None if below is None else below.value)
        if not found.jobs:
            return None
        return Bound(found.value, hall_evidence(found.value, found.jobs), f"a Hall set of {len(found.jobs)} jobs")


class TwoWeights(Weighted):
    """Maximum weighted flow time with a rejection weight of its own. Source: [R] section 7."""

    name = "two-weights"
    title = "[R] section 7"
    algorithm = algorithms.TwoWeights
    about_a = (weighted.SECTION, weighted.DOUBLING, weighted.TWO_WEIGHTS)
    about_b = (two_weights_b.SECTION,)


class Stretch(TwoWeights):
    """Maximum stretch `max F_j / p_j`. Source: [R] section 7."""

    name = "stretch"
    algorithm = algorithms.Stretch

    def unit(self, instance: Instance) -> Fraction:
        return Fraction(1)
