"""Weighted flow time and stretch: the ladder of bounds with the LP of Lemma 6.6."""

from __future__ import annotations

from fractions import Fraction

from certify.problems.ladder import METHODS, Ladder
from certify.problems.track import Bounded, Bracket, Tell, silent
from online.instance import Instance
from online.weights import Weights


class Weighted(Bounded):
    """Maximum weighted flow time `max w_j F_j`. Source: [R] section 6.2."""

    name = "weighted"
    methods = METHODS

    def bracket(self, instance: Instance, method: str, time_limit: float | None = None, tell: Tell = silent) -> Bracket:
        self.check_method(method)
        return Ladder(instance, Weights.flow(instance), "6.6", _none, time_limit, tell).climb(method)

    def unit(self, instance: Instance) -> Fraction:
        return instance.tick * instance.weight_unit


class Stretch(Bounded):
    """Maximum stretch `max F_j / p_j`. Source: [R] section 7."""

    name = "stretch"
    methods = METHODS

    def bracket(self, instance: Instance, method: str, time_limit: float | None = None, tell: Tell = silent) -> Bracket:
        self.check_method(method)
        return Ladder(instance, Weights.stretch(instance), "6.6", _none, time_limit, tell).climb(method)

    def unit(self, instance: Instance) -> Fraction:
        return Fraction(1)


def _none(instance: Instance) -> None:
    """No online algorithm leaves a witness here."""
