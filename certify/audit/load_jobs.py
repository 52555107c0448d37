"""What section 5 is audited on: narrowing eligible sets, tournaments, any sizes, tiny, crafted, real."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from certify.audit.bundled import WINDOWS, window
from certify.audit.case import Case, Family, Setting
from certify.audit.games import games
from certify.audit.searched import searched
from certify.audit.settings import EPSILONS, one_of, three_guesses
from lp.load.search import brute_force_load
from online.errors import LimitReached
from online.generate import FAMILIES
from online.generate.dice import Dice
from online.generate.rows import Made, around, instance_of
from online.generate.tiny import tiny_at, tiny_count
from online.generate.tournaments import Size, bounded, crowded, general, narrowing, overfull_class, tournament, unit
from online.instance import Instance
from online.load_balancing.general import GroupedLoad

SEARCHED, STEPS = 24, 4000
"""Most jobs, and most partial assignments, of a search for T*."""


def exact(instance: Instance) -> Fraction | None:
    """T* in ticks, where it is quickly found."""
    if instance.n <= SEARCHED:
        with suppress(LimitReached):
            return Fraction(brute_force_load(instance, step_limit=STEPS).value)
    return None


def _algorithm(dice: Dice) -> str:
    """Mostly the one for the sizes at hand; the one for any sizes runs on all."""
    return "" if dice.below(3) else "load"


def _narrowing(name: str, size: Size) -> Family:
    def make(dice: Dice, index: int) -> Case:
        instance = narrowing(dice, 1 + dice.below(5), 1 + dice.below(14), size)
        return Case(instance, three_guesses(dice, _algorithm(dice)))

    return Family(name, make)


def _crowded(dice: Dice, index: int) -> Case:
    """Tournaments, then jobs for the winners alone: T* is one largest job."""
    instance = crowded(2 + dice.below(4), 1 + dice.below(3), dice, (unit, bounded)[dice.below(2)])
    return Case(instance, three_guesses(dice), Fraction(max(instance.size.tolist())))


def _tournament(dice: Dice, index: int) -> Case:
    extra = dice.below(4)
    instance = tournament(1 + dice.below(5), extra)
    return Case(instance, three_guesses(dice), Fraction(max(1, extra)) / instance.tick)


def _generated(name: str) -> Family:
    def make(dice: Dice, index: int) -> Case:
        jobs, machines = 5 + dice.below(1 << 3 + dice.below(4)), 1 + dice.below(5)
        instance, _ = FAMILIES[name](dice, jobs, machines)
        return Case(instance, three_guesses(dice, _algorithm(dice)))

    return Family(name, make)


def _stacked(dice: Dice, index: int) -> Case:
    """Two size classes of one group on one machine or two, each of about alpha T, T at least every size: stage 2."""
    epsilon = (Fraction(1), Fraction(1, 2), Fraction(1, 4))[dice.below(3)]
    alpha, delta, machines = GroupedLoad.levels(epsilon), GroupedLoad.groups(epsilon), 1 + dice.below(2)
    guess = (16 << delta) - dice.below(2 << delta)
    jobs: list[tuple[int, Made]] = []
    for larger in (0, delta):
        volume = alpha * guess * machines * (4 + dice.below(3)) // 5
        while volume > 0:
            size = min(8 + dice.below(8) << larger, guess)
            volume -= size
            jobs.append((dice.below(1 << 30), Made(0, size, 1, around(dice, dice.below(machines), machines))))
    rows = [row for _, row in sorted(jobs, key=lambda one: one[0])]
    return Case(instance_of(machines, rows), (Setting(epsilon, Fraction(guess), algorithm="load"),))


def _tiny(dice: Dice, index: int) -> Case:
    return Case(tiny_at(index, TINY, releases=(0,)), three_guesses(dice))


def _real(dice: Dice, index: int) -> Case:
    return Case(window(index), three_guesses(dice))


def _overfull(dice: Dice, index: int) -> Case:
    """Stage 2 on a machine on which one class has more than alpha T, T = T* = 1; and a smaller budget."""
    instance = overfull_class()
    epsilons = (Fraction(1), one_of(dice, EPSILONS))
    return Case(instance, tuple(Setting(one, Fraction(1), relative=True) for one in epsilons), 1 / instance.tick)


TINY = 4
"""Most jobs of a tiny instance."""

FAMILIES_OF_LOAD = (
    Family("tiny", _tiny, tiny_count(TINY, releases=(0,))),
    *(_narrowing(f"narrowing-{size.__name__}", size) for size in (unit, bounded, general)),
    Family("crowded", _crowded),
    Family("stacked", _stacked),
    Family("tournament", _tournament),
    *map(_generated, ("bursts", "weighted")),
    Family("overfull", _overfull, 1, long=True),
    Family("real", _real, WINDOWS, long=True),
    games("load"),
    searched("load"),
)
