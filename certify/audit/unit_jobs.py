"""What section 6.1 is audited on: unit jobs, on and off the grid, crowded, planted, tiny, real."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from certify.audit.bundled import WINDOWS, window
from certify.audit.case import Case, Family
from certify.audit.games import games
from certify.audit.searched import searched
from certify.audit.settings import three_guesses
from lp.optimum import brute_force_optimum, unit_optimum
from online.errors import InvalidInput, LimitReached
from online.generate import FAMILIES
from online.generate.dice import Dice
from online.generate.small import small_unit
from online.generate.tiny import tiny_at, tiny_count
from online.instance import Instance

SEARCHED, MATCHED = 9, 60
"""Most jobs of a search for T*, and of a matching."""


def exact(instance: Instance) -> Fraction | None:
    """T* in ticks, where it is quickly found."""
    if instance.n <= SEARCHED:
        return Fraction(brute_force_optimum(instance).value)
    if instance.n <= MATCHED:
        with suppress(InvalidInput, LimitReached):
            return Fraction(unit_optimum(instance).value)
    return None


def _small(dice: Dice, index: int) -> Case:
    return Case(small_unit(dice), three_guesses(dice))


def _off_grid(dice: Dice, index: int) -> Case:
    """Releases between the multiples of the size."""
    if dice.below(2):
        return Case(small_unit(dice, per_unit=2 + dice.below(2), most_jobs=9), three_guesses(dice))
    instance = small_unit(dice, most_jobs=9).with_unit_size(Fraction(2 + dice.below(4)))
    return Case(instance, three_guesses(dice))


def _tiny(dice: Dice, index: int) -> Case:
    return Case(tiny_at(index, TINY, sizes=(1,)), three_guesses(dice))


def _generated(name: str) -> Family:
    def make(dice: Dice, index: int) -> Case:
        jobs, machines = 5 + dice.below(1 << 3 + dice.below(5)), 1 + dice.below(6)
        instance, known = FAMILIES[name](dice, jobs, machines)
        return Case(instance, three_guesses(dice), None if known is None else Fraction(known["optimum"]))

    return Family(name, make)


def _real(dice: Dice, index: int) -> Case:
    jobs = window(index)
    return Case(jobs.with_unit_size(Fraction(3600 << index % 3)), three_guesses(dice))


TINY = 4
"""Most jobs of a tiny instance."""

FAMILIES_OF_UNIT_JOBS = (
    Family("tiny", _tiny, tiny_count(TINY, sizes=(1,))),
    Family("small", _small),
    Family("off-grid", _off_grid),
    *map(_generated, ("uniform", "bursts", "planted")),
    Family("real", _real, WINDOWS, long=True),
    games("max-flow"),
    searched("max-flow"),
)
