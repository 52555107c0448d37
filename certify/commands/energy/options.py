"""What the commands on flow time plus energy share: P(s), the options of policies, and their place in the command line.

A command of several problems leaves `--problem energy` to a command with options of its own.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Any

import click

from certify.commands.common import EXACT, Command
from certify.problems.registry import TRACKS
from online.errors import InvalidInput, LimitReached, Problem
from online.speed.policy import names
from online.speed.power import BITS, Power, PowerLaw
from online.speed.power_text import law_of, read_power

ENERGY = "energy"

PROBLEMS = (*TRACKS, ENERGY)
"""The problems that a shared command is for."""

MOST_EXPONENT = 60
"""Largest numerator of an exponent, over the common denominator of all: a dial to this power is computed exactly."""

PROBLEM = click.option(
    "--problem", type=click.Choice([ENERGY]), required=True, expose_value=False, help="Flow time plus energy."
)

_POWER = (
    click.option("--alpha", type=EXACT, help="P(s) = s^ALPHA, such as 2 or 5/2; more than 1."),
    click.option(
        "--power",
        "described",
        metavar="P",
        help="Another power function: 's^2+s', '3s^(5/2)', or table:FILE, a CSV file with the columns speed and power, "
        "linear from (0, 0) on between its points; past the last one P goes on with its last slope.",
    ),
)

_POLICY = (
    click.option("--kappa", type=EXACT, help="Speeds P^-1(KAPPA n/m) instead of P^-1(n/m); not for fixed-speed."),
    click.option("--speed", type=EXACT, help="fixed-speed: the one speed of all busy servers."),
    click.option("--seed", type=click.IntRange(min=0), help="random: another seed, another run."),
    click.option(
        "--bits",
        type=click.IntRange(2, 64),
        default=BITS,
        show_default=True,
        help="Significant bits of a speed (of its root); speeds are rounded down to them.",
    ),
)

POLICY_NAMES = f"{', '.join(names())}, or package.module:Class of your own, an online.speed.policy.SpeedPolicy"


def power_options(command: Command) -> Command:
    """Add the options that say what speed costs."""
    for option in reversed(_POWER):
        command = option(command)
    return command


def policy_options(command: Command) -> Command:
    """Add the constants of policies."""
    for option in reversed(_POLICY):
        command = option(command)
    return command


def power_from(alpha: Fraction | None, described: str | None) -> Power:
    """The power function that the options say.

    Raises: `InvalidInput` for both options, none, or no such function.
    """
    if alpha is not None and described is not None:
        raise InvalidInput(Problem("--power", "contradicting options", "--alpha too", "one of the two", "omit one"))
    if described is not None:
        return _short_enough(read_power(described))
    if alpha is None:
        raise InvalidInput(Problem("--alpha", "missing", "nothing", "--alpha or --power", "give --alpha 2, say"))
    return _short_enough(law_of([(Fraction(1), alpha)], "--alpha"))


def _short_enough(power: Power) -> Power:
    if isinstance(power, PowerLaw) and power.terms[0][1] * power.root > MOST_EXPONENT:
        fraction = f"{power.terms[0][1] * power.root}/{power.root}"
        raise LimitReached(
            f"exponent {fraction}: exact values are too long; the limit of the numerator is {MOST_EXPONENT}"
        )
    return power


def policy_constants(kappa: Fraction | None, speed: Fraction | None, seed: int | None) -> dict[str, Fraction]:
    """The constants that were given, by name."""
    given = {"kappa": kappa, "speed": speed, "seed": seed}
    return {name: Fraction(value) for name, value in given.items() if value is not None}


class NotEnergy(click.Choice[str]):
    """A choice of problems that says where flow time plus energy has its place."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """One of the problems."""
        if value == ENERGY:
            others = "bound, diagnose, check, ledger, compare, drift, adversary, stochastic and audit"
            expected = f"generate, run, {others} have it"
            self.fail(f"energy is no linear program, and no problem of this command; {expected}", param, ctx)
        return super().convert(value, param, ctx)


class Shared(click.Command):
    """A command of several problems that leaves energy to `energy`, with options of its own."""

    def __init__(self, *arguments: Any, energy: click.Command, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.energy = energy

    def leaves(self, arguments: list[str]) -> bool:
        """Whether the command line is about energy: the last `--problem` counts."""
        chosen = ""
        for k, word in enumerate(arguments):
            if word == "--":
                break
            if word == "--problem" and k + 1 < len(arguments):
                chosen = arguments[k + 1]
            chosen = word.removeprefix("--problem=") if word.startswith("--problem=") else chosen
        return chosen == ENERGY

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of the command that the line is for; an option of the other one is refused with a hint."""
        command = f"{parent.command_path if parent else 'dualfit'} {info_name}"
        leaves = self.leaves(args)
        where = f"for {self.whose}; see {command} {self.about(args)} --help" if leaves else self.elsewhere(command)
        try:
            if leaves:
                return self.energy.make_context(info_name, args, parent, **extra)
            return super().make_context(info_name, args, parent, **extra)
        except click.NoSuchOption as refused:
            name = refused.option_name
            known = any(name in one.opts for one in (self if leaves else self.energy).params)
            if not leaves and not known:
                raise
            close = None if known else refused.possibilities
            raise click.NoSuchOption(name, f"No such option '{name}' {where}", close, refused.ctx) from None

    whose = "problem energy"

    def elsewhere(self, command: str) -> str:
        """Where the options of energy have their place."""
        return f"without --problem energy, which has it; see {command} --problem energy --help"

    def about(self, arguments: list[str]) -> str:
        """The words that make a command line one about energy."""
        return "--problem energy"


class SharedGames(Shared):
    """The same, where the name of a game tells whose it is."""

    def __init__(self, *arguments: Any, games: Collection[str], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.games = games

    def leaves(self, arguments: list[str]) -> bool:
        """Whether the first word that names a game names one of energy's."""
        own = [choice for one in self.params if isinstance(one.type, click.Choice) for choice in one.type.choices]
        named = [word for word in arguments if word in self.games or word in own]
        return bool(named) and named[0] in self.games

    whose = "this game"

    def about(self, arguments: list[str]) -> str:
        """The game."""
        return next(word for word in arguments if word in self.games)

    def elsewhere(self, command: str) -> str:
        """The games that the options belong to."""
        return f"for this game; it belongs to games about energy: {', '.join(self.games)}"
