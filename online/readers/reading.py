"""What a reader made of a file, with an account of every job it saw."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from online.errors import DualfitError
from online.instance import Instance
from online.validate import JobId


@dataclass(frozen=True)
class Dropped:
    """Jobs left out for one reason: how many, the first few places with what stood there, and their ids."""

    reason: str
    count: int
    places: tuple[str, ...]
    ids: tuple[JobId, ...]


@dataclass(frozen=True)
class DoorRejections:
    """Jobs that no machine may run, counted as rejected: their number and total rejection weight."""

    count: int = 0
    weight: Fraction = Fraction(0)


@dataclass(frozen=True)
class Reading:
    """What a reader made of a file.

    Claim: `read` = `used` + the sum of the dropped counts; jobs rejected at the door are among the dropped.
    `notes` say, in a sentence each, what the reader decided.
    """

    instance: Instance
    format: str
    read: int
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    rejected_at_the_door: DoorRejections = field(default_factory=DoorRejections)

    def __post_init__(self) -> None:
        lost = sum(entry.count for entry in self.dropped)
        if self.read != self.used + lost:
            raise DualfitError(f"reader fault: read {self.read}, used {self.used}, dropped {lost}")

    @property
    def used(self) -> int:
        """Number of jobs in the instance."""
        return self.instance.n

    @property
    def why_dropped(self) -> dict[str, str]:
        """The reason for each job that was left out, by its id."""
        return {str(job): entry.reason for entry in self.dropped for job in entry.ids}
