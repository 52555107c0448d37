"""What an audit asks of a problem: its cases, its claims, and what a run says about them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

from certify.audit.case import Case, Family, Setting
from certify.claims.claim import Claim, Entry
from online.instance import Instance


class Measured(NamedTuple):
    """One run: its ledger, and whether its certificate was accepted; None if there is none to check."""

    entries: list[Entry]
    accepted: bool | None


class Subject(ABC):
    """One problem of the audit.

    `known` is whatever is found out about the optimum of a case before it is run; only the subject looks into it.
    `steps` is how many instances are tried while one is made smaller.
    """

    steps: ClassVar[int] = 600
    optimum: ClassVar[str] = "T*"

    def __init__(self, name: str, families: tuple[Family, ...]) -> None:
        self.name, self.families = name, families

    @abstractmethod
    def claims(self) -> tuple[Claim[Any], ...]:
        """Every claim of its ledger, in order."""

    @abstractmethod
    def known(self, case: Case) -> Any:
        """What is known about the optimum of a case."""

    @abstractmethod
    def measured(self, case: Case, setting: Setting, known: Any) -> Measured:
        """One run of a case."""

    def enough(self, setting: Setting, known: Any) -> bool:
        """Whether the guess of a run is known to be at least the optimum."""
        return False

    @abstractmethod
    def words(self, instance: Instance, setting: Setting, known: Any) -> tuple[str | None, str]:
        """The guess, None without one, and the optimum, in the units of the input; "" if there is none."""
