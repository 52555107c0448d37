"""The instances of the paper's adversaries, each played against the problem's own algorithm."""

from __future__ import annotations

from fractions import Fraction

from certify.audit.case import Case, Family, Setting
from online.adversary.contest import contest
from online.adversary.registry import game
from online.algorithm import find
from online.generate.dice import Dice

EPSILONS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8))

PLAYED = {
    "max-flow": (("lemma-8.3", "max-flow"),),
    "load": (("lemma-8.1", "load-unit"), ("lemma-8.1", "load"), ("theorem-8.2", "load")),
    "weighted": (("lemma-8.3", "weighted"), ("section-4", "weighted")),
    "two-weights": (("lemma-8.3", "two-weights"), ("section-4", "two-weights")),
    "stretch": (("lemma-8.3", "stretch"),),
}
"""Games and algorithms by problem."""

ALPHA = (("alpha", Fraction(1)),)


def games(problem: str) -> Family:
    """Each game for each epsilon: the algorithm by guess and double, as it was played, and with T = T*."""

    def make(dice: Dice, index: int) -> Case:
        (name, algorithm), epsilon = PLAYED[problem][index // len(EPSILONS)], EPSILONS[index % len(EPSILONS)]
        found = find(algorithm)
        options = ALPHA if "alpha" in found.options and problem != "load" else ()
        played = contest(game(name, epsilon, {}), found, name=algorithm, options=dict(options))
        guesses = (Setting(epsilon), Setting(epsilon, Fraction(1), relative=True))
        settings = tuple(one._replace(options=options, algorithm=algorithm) for one in guesses)
        return Case(played.run.instance, settings)

    return Family("games", make, len(PLAYED[problem]) * len(EPSILONS), long=True)
