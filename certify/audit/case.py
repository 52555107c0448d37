"""What an audit looks at: an instance, and the runs that are made on it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from online import exact
from online.generate.dice import Dice
from online.instance import Instance
from online.speed.trajectory import Trajectory

NO_BUDGET = Fraction(0)
"""Where nobody may reject."""


class Setting(NamedTuple):
    """How an instance is run: `guess` None is guess and double.

    With `relative`, the guess is that many times T*, or times the least value known to be at least T*; else it is in
    ticks, times the unit of the weights. `algorithm` "" is the problem's own.

    `power` is P(s) of servers with speeds; there nobody rejects, `epsilon` is `NO_BUDGET`, and there is no guess.

    >>> Setting(Fraction(1, 4), Fraction(1, 2), relative=True, options=(("alpha", Fraction(8)),)).words()
    'epsilon 1/4, guess 1/2 T*, alpha 8'
    >>> Setting(NO_BUDGET, power="s^2", algorithm="srpt").words()
    'P(s) = s^2, srpt'
    """

    epsilon: Fraction
    guess: Fraction | None = None
    relative: bool = False
    options: tuple[tuple[str, Fraction], ...] = ()
    algorithm: str = ""
    power: str = ""

    def value(self, upper: Fraction) -> Fraction | None:
        """The guess, where `upper` is the least value known to be at least T*."""
        return None if self.guess is None else self.guess * (upper if self.relative else 1)

    def knows(self, upper: Fraction) -> bool:
        """Whether the guess is known to be at least T*."""
        guess = self.value(upper)
        return guess is not None and guess >= upper

    def words(self) -> str:
        """The setting for readers."""
        chosen = [f"{name} {exact.text(value)}" for name, value in self.options]
        if self.power:
            return ", ".join([f"P(s) = {self.power}", *filter(None, [self.algorithm]), *chosen])
        guess = "guess and double" if self.guess is None else f"guess {exact.text(self.guess)}"
        if self.relative:
            guess = "guess T*" if self.guess == 1 else f"{guess} T*"
        return ", ".join([f"epsilon {exact.text(self.epsilon)}", guess, *chosen, *filter(None, [self.algorithm])])


class Case(NamedTuple):
    """An instance and its settings; `optimum` is T* where it is known by construction, `witness` a good schedule."""

    instance: Instance
    settings: tuple[Setting, ...]
    optimum: Fraction | None = None
    witness: Trajectory | None = None


@dataclass(frozen=True)
class Family:
    """Cases by index, drawn from dice of their own; `count` None stands for as many as are asked for.

    `long` cases are handed to the workers one by one.
    """

    name: str
    make: Callable[[Dice, int], Case]
    count: int | None = None
    long: bool = False


class Task(NamedTuple):
    """One case of an audit, by name."""

    problem: str
    family: str
    number: int

    def __str__(self) -> str:
        return f"{self.problem}/{self.family}/{self.number}"

    @classmethod
    def of(cls, name: str) -> Task:
        """The task of that name.

        >>> Task.of("load/tiny/3")
        Task(problem='load', family='tiny', number=3)
        """
        problem, family, number = name.split("/")
        return cls(problem, family, int(number))

    def dice(self, seed: int) -> Dice:
        """The task's own dice: a function of the seed of the audit and of the task's name alone."""
        return Dice(int.from_bytes(hashlib.sha256(f"{seed}/{self}".encode()).digest()[:8]))
