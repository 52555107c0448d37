"""Small random instances for properties: seeded, reproducible, and biased towards full queues."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from online.generate import Dice
from online.generate.small import small_unit
from online.instance import Instance

EPSILONS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(2, 5), Fraction(2, 3), Fraction(1))


def small_unit_instances(count: int, seed: int, *, per_unit: int = 1, most_jobs: int = 18) -> Iterator[Instance]:
    """So many of them, one after another from one seed."""
    dice = Dice(seed)
    for _ in range(count):
        yield small_unit(dice, per_unit=per_unit, most_jobs=most_jobs)


def epsilons(seed: int) -> Iterator[Fraction]:
    """An endless stream of rejection budgets."""
    dice = Dice(seed)
    while True:
        yield EPSILONS[dice.below(len(EPSILONS))]
