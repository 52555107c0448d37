"""What every problem offers to the commands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, NamedTuple

from certify.claims.claim import Entry
from certify.evidence import Bound
from online.algorithm import Algorithm
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.run import Run

Tell = Callable[[str], None]
"""Takes what is being worked on, in a few words."""


def silent(words: str) -> None:
    """Tell nobody."""


def too_large(pairs: int, most: int) -> str | None:
    """That `--bound auto` leaves out a linear program of so many pairs.

    >>> too_large(10, 9), too_large(9, 9)
    ('the linear program, of 10 pairs: give --bound lp, or see dualfit bound', None)
    """
    return f"the linear program, of {pairs} pairs: give --bound lp, or see dualfit bound" if pairs > most else None


@dataclass(frozen=True)
class Rung:
    """One rung of the ladder of bounds: a method, the bound that it proves, and how it went about it.

    `at_most` bounds the value of the method's own program from above: nobody proves more by that program.
    """

    method: str
    bound: Bound
    form: str = ""
    at_most: Fraction | None = None


class Unproven(NamedTuple):
    """A lower bound on T* without evidence, and by whom."""

    value: Fraction
    by: str


@dataclass(frozen=True)
class Bracket:
    """Lower and upper bounds on the offline optimum T*, in ticks times the unit of the weights.

    Claim: every bound in `rungs` is at most T*, `upper` is at least T*, and each has its evidence. No rungs: there are
    no jobs, and T* is 0. `unproven` is a larger lower bound that somebody states but no certificate shows. `skipped`
    says which rungs were left out, and why.
    """

    method: str
    rungs: tuple[Rung, ...]
    upper: Bound
    unproven: Unproven | None = None
    skipped: tuple[str, ...] = field(default=())

    @property
    def rung(self) -> Rung | None:
        """The rung of the largest bound from below, the first among equals."""
        return max(self.rungs, key=lambda rung: rung.bound.value, default=None)

    @property
    def lower(self) -> Bound | None:
        """The largest bound from below."""
        return self.rung.bound if self.rung else None


class Track(ABC):
    """One problem: how its optimum is bounded, which algorithm runs by default, what the paper claims."""

    name: ClassVar[str]
    title: ClassVar[str]
    methods: ClassVar[tuple[str, ...]]

    @abstractmethod
    def bracket(self, instance: Instance, method: str, time_limit: float | None = None, tell: Tell = silent) -> Bracket:
        """Bound the offline optimum from both sides by one of `methods`, with evidence.

        Raises: `InvalidInput` for an unknown method or one that does not fit the instance; `LimitReached` if the method
        ends without a bound.
        """

    def unit(self, instance: Instance) -> Fraction:
        """What values of the objective are multiplied by to be in the units of the input."""
        return instance.tick

    def check_method(self, method: str) -> None:
        """Raises: `InvalidInput` for a method that the problem does not have."""
        if method not in self.methods:
            known = ", ".join(self.methods)
            raise InvalidInput(
                Problem("--method", f"unknown method for {self.name}", repr(method), f"one of {known}", "choose one")
            )

    @abstractmethod
    def default_algorithm(self, instance: Instance) -> str:
        """The short name of the algorithm that fits the instance."""

    @abstractmethod
    def extra_bound(self, instance: Instance, algorithm: type[Algorithm], method: str) -> Bound | None:
        """A bound beside the run's own witness, for `--bound`: auto, lp or witness."""

    def left_out(self, instance: Instance, method: str) -> str | None:
        """What `extra_bound` does not even try, as the instance is too large, and how to have it; None if nothing."""
        return None

    @abstractmethod
    def upper(self, instance: Instance) -> Fraction:
        """The value of a schedule or assignment that rejects nobody, with little work."""

    @abstractmethod
    def ledger(self, run: Run, algorithm: type[Algorithm], lower: Fraction, upper: Fraction) -> list[Entry]:
        """Every claim of the problem's section on a run; `lower` and `upper` bracket the offline optimum in ticks."""


def leaves_witness(algorithm: type[Algorithm]) -> bool:
    """Whether the algorithm has an `explain` of its own."""
    return algorithm.explain.__func__ is not Algorithm.explain.__func__  # type: ignore[attr-defined]
