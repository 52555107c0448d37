"""What sections 6.2, 6.3 and 7 are audited on: crowds, lures, starving jobs, mixed, tiny, crafted, real."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from certify.audit import speaking
from certify.audit.bundled import WINDOWS, window
from certify.audit.case import Case, Family, Setting
from certify.audit.games import games
from certify.audit.searched import searched
from certify.audit.settings import EPSILONS, MULTIPLES, constants, one_of, two_guesses
from certify.evidence import weights_of
from lp.schedule import best_schedule
from online.generate import FAMILIES
from online.generate.dice import Dice
from online.generate.small import small_weighted
from online.generate.tiny import tiny_at, tiny_count
from online.instance import Instance

DISPATCHES = 64
"""Most dispatches that are all tried for T*."""


def exact_for(problem: str) -> Callable[[Instance], Fraction | None]:
    """T* where there are few dispatches: each has its best schedule, and the best of them is the optimum."""

    def exact(instance: Instance) -> Fraction | None:
        choices = [instance.sets[k] for k in instance.eligible_set.tolist()]
        if math.prod(map(len, choices)) > DISPATCHES:
            return None
        weights = weights_of(problem, instance)
        return Fraction(min(best_schedule(instance, one, weights).value for one in itertools.product(*choices)))

    return exact


def _one_weight(instance: Instance) -> Instance:
    return replace(instance, rejection_weight=instance.flow_weight)


def _options(dice: Dice, problem: str) -> tuple[tuple[str, Fraction], ...]:
    return constants(dice, period=problem != "weighted")


def _any_guess(dice: Dice, problem: str) -> tuple[Setting, ...]:
    return two_guesses(dice, one_of(dice, EPSILONS), _options(dice, problem))


def _small(problem: str) -> Family:
    def make(dice: Dice, index: int) -> Case:
        instance = small_weighted(dice, longest=1 + dice.below(9), heaviest=dice.below(7), span=2 + dice.below(12))
        return Case(_one_weight(instance) if problem == "weighted" else instance, _any_guess(dice, problem))

    return Family("small", make)


def _tiny(problem: str) -> Family:
    def make(dice: Dice, index: int) -> Case:
        return Case(tiny_at(index, TINY, WEIGHTS), _any_guess(dice, problem))

    return Family("tiny", make, tiny_count(TINY, WEIGHTS))


def _mixed(problem: str, name: str) -> Family:
    """Up to 40 jobs of any sizes and weights on up to 3 machines."""

    def make(dice: Dice, index: int) -> Case:
        instance, known = FAMILIES[name](dice, 6 + dice.below(34), 1 + dice.below(3))
        planted = known is not None and known["problem"] == problem
        return Case(instance, _any_guess(dice, problem), Fraction(known["optimum"]) if known and planted else None)

    return Family(name, make)


def _crowds(problem: str) -> Family:
    """Enough jobs of few kinds to fill queues for alpha 8, sometimes 16."""

    def make(dice: Dice, index: int) -> Case:
        alpha = (4, 8, 8, 8, 16, 32)[dice.below(6)]
        instance, _ = FAMILIES["crowds"](dice, 30 + dice.below(170), 1 + dice.below(2))
        options = (("alpha", Fraction(alpha)),)
        guess = (None, Fraction(1), one_of(dice, MULTIPLES), Fraction(1, 16))[dice.below(4)]
        return Case(instance, (Setting(one_of(dice, EPSILONS), guess, guess is not None, options),))

    return Family("crowds", make)


def _lures(problem: str, name: str, jobs: int) -> Family:
    """Full queues although T = T*, which is planted for one of the problems and found for the others."""

    def make(dice: Dice, index: int) -> Case:
        instance, known = FAMILIES[name](dice, jobs // 2 + dice.below(jobs), 1)
        options = (("alpha", Fraction(1 << (0, 1, 3, 3, 3, 4)[dice.below(6)])),)
        planted = known is not None and known["problem"] == problem
        setting = Setting(one_of(dice, EPSILONS), Fraction(1), True, options)
        return Case(instance, (setting,), Fraction(known["optimum"]) if known and planted else None)

    return Family(name, make)


def _starving(problem: str) -> Family:
    """The constants of Corollary 6.16 and Theorem 6.17 for a share of 1/2, or shorter segments."""

    def make(dice: Dice, index: int) -> Case:
        instance, _ = FAMILIES["starving"](dice, 100 + dice.below(100), 1)
        segment = Fraction((16, 16, 8, 2)[dice.below(4)])
        alpha, offset = (2, 1) if dice.below(3) else (1 << dice.below(3), dice.below(3))
        options = (("alpha", Fraction(alpha)), ("offset", Fraction(offset)), ("segment", segment))
        guess = None if dice.below(3) else Fraction(1)
        return Case(instance, (Setting(Fraction(1), guess, guess is not None, options),))

    return Family("starving", make)


def _blockers(problem: str) -> Family:
    """Small urgent jobs behind huge ones, rejected at once and late."""

    def make(dice: Dice, index: int) -> Case:
        instance, _ = FAMILIES["blockers"](dice, 100 + dice.below(150), 1)
        options = (("alpha", Fraction(1 << dice.below(2))), ("period", Fraction(2 + dice.below(2))))
        guess = None if dice.below(2) else Fraction(4096)
        return Case(instance, (Setting(one_of(dice, EPSILONS[:3]), guess, False, options),))

    return Family("blockers", make)


def _real(problem: str) -> Family:
    def make(dice: Dice, index: int) -> Case:
        options = (("alpha", Fraction(1 << dice.below(4))),)
        return Case(window(index), (Setting(one_of(dice, EPSILONS), options=options),))

    return Family("real", make, WINDOWS, long=True)


def _crafted(problem: str) -> Family:
    cases = speaking.cases(problem)
    return Family("crafted", lambda dice, index: cases[index](), len(cases), long=True)


TINY, WEIGHTS = 2, (1, 3)
"""Most jobs of a tiny instance, and their weights."""


def families(problem: str) -> tuple[Family, ...]:
    """All of them, with one weight for `weighted`."""
    shared = (_tiny(problem), _small(problem), _mixed(problem, "weighted"), _mixed(problem, "planted-weighted"))
    if problem == "weighted":
        own: tuple[Family, ...] = (_starving(problem), _lures(problem, "weighted-lures", 300), _crafted(problem))
    else:
        own = (_blockers(problem), _lures(problem, "lures", 100))
    fixed = (_crafted(problem),) if problem == "two-weights" else ()
    return (*shared, _crowds(problem), *own, *fixed, _real(problem), games(problem), searched(problem))
