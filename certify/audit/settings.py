"""Settings that the families of an audit draw from."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.audit.case import Setting
from online.generate.dice import Dice

EPSILONS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(2, 5), Fraction(2, 3), Fraction(1), Fraction(1, 8))
MULTIPLES = (Fraction(1, 2), Fraction(3, 2), Fraction(2), Fraction(1, 4), Fraction(5, 4))

Options = tuple[tuple[str, Fraction], ...]


def one_of(dice: Dice, choices: Sequence[Fraction]) -> Fraction:
    """One of them, all alike."""
    return choices[dice.below(len(choices))]


def three_guesses(dice: Dice, algorithm: str = "") -> tuple[Setting, ...]:
    """One budget: guess and double, T = T*, and a guess below or above."""
    epsilon = one_of(dice, EPSILONS)
    return (
        Setting(epsilon, algorithm=algorithm),
        Setting(epsilon, Fraction(1), relative=True, algorithm=algorithm),
        Setting(epsilon, one_of(dice, MULTIPLES), relative=True, algorithm=algorithm),
    )


def two_guesses(dice: Dice, epsilon: Fraction, options: Options) -> tuple[Setting, ...]:
    """T = T*; and guess and double, or another guess."""
    known = Setting(epsilon, Fraction(1), relative=True, options=options)
    if dice.below(2):
        return known, Setting(epsilon, options=options)
    return known, Setting(epsilon, one_of(dice, MULTIPLES), relative=True, options=options)


def constants(dice: Dice, *, period: bool = False) -> Options:
    """A small alpha, and often a small offset, segment and period, so that small instances have rejections.

    Proven constants are large: with them hardly anything is ever rejected.
    """
    chosen = {"alpha": Fraction(1 << (0, 0, 1, 2, 3, 3, 4, 5)[dice.below(8)])}
    if dice.below(2):
        chosen["offset"] = Fraction(dice.below(4))
    if dice.below(3):
        chosen["segment"] = Fraction(1 + dice.below(16), 1 + dice.below(4))
    if period and dice.below(3):
        chosen["period"] = Fraction(2 + dice.below(3))
    return tuple(chosen.items())
