"""Instances that a short search found to be bad for the problem's own algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certify.audit.case import Case, Family, Setting
from certify.audit.settings import EPSILONS, MULTIPLES, Options, constants, one_of
from certify.evidence import Bound
from certify.problems.registry import TRACKS
from certify.problems.track import Bracket
from certify.search.climb import Climb
from certify.search.score import Rank, Scored, Setup, ratio
from certify.search.space import Space
from lp.deadline import Deadline
from online.generate.dice import Dice
from online.instance import Instance

SEARCHES, STEPS = 12, 60
"""Searches a problem, and instances that one looks at."""


@dataclass(frozen=True)
class Poor:
    """How much worse a run by guess and double is than a quickly found schedule; no solver decides."""

    setup: Setup

    def __call__(self, instance: Instance, least: Rank | None = None) -> Scored | None:
        if not self.setup.admits(instance):
            return None
        run = self.setup.run(instance)
        bracket = Bracket("quick", (), Bound(TRACKS[self.setup.problem].upper(instance), {}, "a schedule"))
        return Scored(instance, (ratio(run, bracket),), run, bracket)


def searched(problem: str) -> Family:
    """The worst instances found, run by guess and double as they were searched, with T = T*, and another guess."""

    def make(dice: Dice, index: int) -> Case:
        epsilon, options = one_of(dice, EPSILONS), _options(dice, problem)
        space = Space.of(problem, jobs=6 + dice.below(7), machines=1 + dice.below(3), sizes=4, horizon=12, weights=8)
        name = TRACKS[problem].default_algorithm(space.extremes)
        setup = Setup.of(problem, name, epsilon, "double", dict(options))
        best = Climb(space, Poor(setup), dice.below(1 << 30), Deadline(None)).run(STEPS).best
        instance = space.extremes if best is None else best.instance
        guesses = (None, Fraction(1), one_of(dice, MULTIPLES))
        return Case(instance, tuple(Setting(epsilon, one, one is not None, options, name) for one in guesses))

    return Family("searched", make, SEARCHES, long=True)


def _options(dice: Dice, problem: str) -> Options:
    return () if problem in ("max-flow", "load") else constants(dice, period=problem != "weighted")
