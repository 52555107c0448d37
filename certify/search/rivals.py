"""Instances made against an algorithm with one value of a constant: tournaments, and the games of the lower bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

from certify.search.constants import Constant
from online.adversary.contest import contest
from online.adversary.registry import game
from online.algorithm import find
from online.generate.repeated import repeated_tournaments
from online.instance import Instance

FLOW_SHAPES = ((16, 2), (16, 6), (32, 8), (64, 12))
"""Machines and rounds of the tournaments for flow time."""

MOST_LEVELS = 6
"""Most levels of a tournament for load: twice as many machines for each."""

GAMES: Mapping[str, tuple[str, str, int]] = {
    "max-flow": ("lemma-8.3", "delta", 9),
    "load": ("lemma-8.1", "machines", 64),
}
"""By problem: the game, and the option of its size with the largest size that is played."""


def rivals(constant: Constant, epsilon: Fraction, value: Fraction) -> Iterator[Instance]:
    """Tournaments that fill as many levels as the value allows, then the game, for load and flow time of equal jobs.

    Whether the budget fails on them is for whoever measures: nothing here is taken for granted.
    """
    if constant.problem not in GAMES:
        return
    levels = math.ceil(value)
    if constant.problem == "max-flow":
        yield from (repeated_tournaments(*shape, levels) for shape in FLOW_SHAPES)
    elif levels <= MOST_LEVELS:
        yield repeated_tournaments(2**levels, 1, levels)
    yield _played(constant, epsilon, value)


def _played(constant: Constant, epsilon: Fraction, value: Fraction) -> Instance:
    """The instance of the game against the algorithm with this value, and with T as the proof says of the optimum."""
    name, option, most = GAMES[constant.problem]
    played = game(name, epsilon, {})
    if played.machines > most:
        played = game(name, epsilon, {option: most})
    algorithm, options = find(constant.algorithm), {constant.option: value}
    return contest(played, algorithm, guess=Fraction(played.opt), name=constant.algorithm, options=options).run.instance
