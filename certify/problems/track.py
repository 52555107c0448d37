"""What every problem offers to the commands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from certify.claims.claim import Entry
from certify.evidence import Bound
from online.algorithm import OnlineAlgorithm
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.run import Run


@dataclass(frozen=True)
class Bracket:
    """Lower and upper bound on the offline optimum in ticks; `lp_upper` bounds the LP's own optimum from above.

    `lower` is None for an instance without jobs, whose optimum is 0. `form` says how the method went about it.
    `searched` is a larger lower bound found by exhaustive search, which no certificate shows.
    """

    method: str
    lower: Bound | None
    upper: Fraction
    upper_from: str
    lp_upper: Fraction | None = None
    form: str | None = None
    searched: Fraction | None = None


class Track(ABC):
    """One problem: which algorithm runs by default, how its optimum is bounded, what the paper claims."""

    name: ClassVar[str]
    title: ClassVar[str]
    methods: ClassVar[tuple[str, ...]]

    @abstractmethod
    def default_algorithm(self, instance: Instance) -> str:
        """The short name of the algorithm that fits the instance."""

    @abstractmethod
    def bracket(self, instance: Instance, method: str, time_limit: float | None = None) -> Bracket:
        """Bound the offline optimum from both sides by one of `methods`; the lower bound has evidence."""

    @abstractmethod
    def extra_bound(self, instance: Instance, algorithm: type[OnlineAlgorithm], method: str) -> Bound | None:
        """A bound beside the run's own witness, for `--bound`: auto, lp or witness."""

    @abstractmethod
    def upper(self, instance: Instance) -> Fraction:
        """The value in ticks of a schedule or assignment that rejects nobody."""

    @abstractmethod
    def ledger(self, run: Run, algorithm: type[OnlineAlgorithm], lower: Fraction, upper: Fraction) -> list[Entry]:
        """Every claim of the problem's section on a run; `lower` and `upper` bracket the offline optimum in ticks."""

    def check_method(self, method: str) -> None:
        """Raises: `InvalidInput` for a method that the problem does not have."""
        if method not in self.methods:
            known = ", ".join(self.methods)
            raise InvalidInput(
                Problem("--method", f"unknown method for {self.name}", repr(method), f"one of {known}", "choose one")
            )


def leaves_witness(algorithm: type[OnlineAlgorithm]) -> bool:
    """Whether the algorithm has an `explain` of its own."""
    return algorithm.explain.__func__ is not OnlineAlgorithm.explain.__func__  # type: ignore[attr-defined]
