"""What [S] is audited on: few jobs whose optimum is bracketed, unit jobs, bursts, crafted ones; loads and powers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.audit.case import NO_BUDGET, Case, Family, Setting
from certify.audit.settings import Options
from certify.speed.augmented import gap_example
from certify.speed.unit_jobs import counterexample
from online.generate import FAMILIES
from online.generate.dice import Dice
from online.instance import Instance
from online.rows import Row
from online.speed.power_text import read_power

POWERS = ("s^2", "s^(3/2)", "s^3", "s^(5/2)", "s^2+s")

POLICIES: tuple[tuple[str, Options], ...] = (
    ("srpt", (("kappa", Fraction(1, 2)),)),
    ("srpt", (("kappa", Fraction(2)),)),
    ("fifo", ()),
    ("round-robin", ()),
)
"""Others than SRPT at speed rule (5), of which the theorems claim nothing."""

LOADS = tuple(Fraction(k, 4) for k in (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48, 80))


def _setting(power: str, algorithm: str = "srpt", options: Options = ()) -> Setting:
    return Setting(NO_BUDGET, power=power, algorithm=algorithm, options=options)


def _runs(dice: Dice) -> tuple[Setting, ...]:
    """SRPT at (5), and in one of four cases another policy too."""
    power, other = POWERS[dice.below(len(POWERS))], dice.below(4 * len(POLICIES))
    policies = [("srpt", ()), *POLICIES[other : other + 1]]
    return tuple(_setting(power, *one) for one in policies)


def _jobs(machines: int, jobs: Sequence[tuple[int, int]]) -> Instance:
    """Release and size of each."""
    return Instance.from_rows(machines, [Row(k, *job) for k, job in enumerate(jobs)])


def _few(most: int, span: int) -> Family:
    """So many jobs at most, on one to four servers."""

    def make(dice: Dice, index: int) -> Case:
        machines, n = 1 + dice.below(4), 1 + dice.below(most)
        return Case(_jobs(machines, [(dice.below(span), 1 + dice.below(6)) for _ in range(n)]), _runs(dice))

    return Family({4: "tiny", 8: "small"}[most], make)


def _unit(dice: Dice, index: int) -> Case:
    """Unit jobs, by policy U or by SRPT."""
    machines, n, power = 1 + dice.below(3), 2 + dice.below(5), POWERS[dice.below(len(POWERS))]
    instance = _jobs(machines, [(dice.below(4), 1) for _ in range(n)])
    return Case(instance, (_setting(power, "srpt" if dice.below(3) == 0 else "round-robin"),))


def _bursts(dice: Dice, index: int) -> Case:
    instance, _ = FAMILIES["energy"](dice, 5 + dice.below(8), 1 + dice.below(4))
    return Case(instance, _runs(dice))


def _crowded(dice: Dice, index: int) -> Case:
    instance, _ = FAMILIES["energy"](dice, 40 + dice.below(160), 1 + dice.below(8))
    return Case(instance, (_setting(POWERS[index % len(POWERS)]),))


def _crafted(dice: Dice, index: int) -> Case:
    """Migration beats round robin on unit jobs; servers at two speeds beat SRPT with 2 - 1/m times their speeds."""
    known = counterexample() if index == 0 else gap_example(read_power("s^2"), 3)
    policies = ("srpt", "round-robin") if index == 0 else ("srpt",)
    return Case(known.instance, tuple(_setting("s^2", one) for one in policies), witness=known)


def _load(dice: Dice, index: int) -> Case:
    power, load = POWERS[index % len(POWERS)], LOADS[index // len(POWERS)]
    setting = Setting(NO_BUDGET, power=power, options=(("load", load),))
    return Case(_jobs(1, []), (setting,))


FAMILIES_WITH_SPEEDS = (
    _few(4, 5),
    _few(8, 10),
    Family("unit", _unit),
    Family("bursts", _bursts),
    Family("crafted", _crafted, 2, long=True),
    Family("crowded", _crowded, 10, long=True),
)

FAMILIES_OF_LOADS = (Family("loads", _load, len(POWERS) * len(LOADS)),)
