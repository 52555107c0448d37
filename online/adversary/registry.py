"""The games by name."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from online.adversary.game import Game
from online.adversary.lemma_8_1 import Lemma81
from online.adversary.lemma_8_3 import Lemma83
from online.adversary.section_4 import Section4
from online.adversary.theorem_8_2 import Theorem82
from online.errors import InvalidInput, LimitReached, Problem
from online.play import check_epsilon

GAMES: dict[str, type[Game]] = {game.name: game for game in (Lemma81, Theorem82, Lemma83, Section4)}
"""Every lower bound that can be played."""

MOST_JOBS = 2_000_000
"""Larger games are not played."""


def game(name: str, epsilon: Fraction, size: Mapping[str, int]) -> Game:
    """The game of this name; `size` holds the options that are given.

    Raises: `InvalidInput` for an epsilon outside (0, 1], or an option that the game does not have; `LimitReached` for
    more than `MOST_JOBS` jobs.
    """
    check_epsilon(epsilon)
    chosen = GAMES[name]
    for option, value in size.items():
        if option not in chosen.options:
            known = " or ".join(f"--{one}" for one in chosen.options)
            fix = "omit it, or choose another game"
            raise InvalidInput(Problem(f"--{option}", f"{name} has no such size", str(value), known, fix))
    made = chosen.sized(epsilon, size)
    if made.most_jobs > MOST_JOBS:
        raise LimitReached(f"{name} of this size has up to {made.most_jobs} jobs, the limit is {MOST_JOBS}")
    return made
