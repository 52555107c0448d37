"""What the ledgers of many instances say about each claim, added up; the order of the additions does not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from certify.claims.claim import Entry, Verdict
from online import exact

SightT = TypeVar("SightT", bound="Sight")
SPOKEN = (Verdict.FAILS, Verdict.UNDECIDED, Verdict.HOLDS)
"""The verdicts of a claim that says something: it has a reading, and its hypothesis is not known to be violated."""


class Sight(NamedTuple):
    """One reading of a claim, and where it was seen: a task (its place in the order, its name) and a setting.

    `enough` says that the run knew a guess of at least T*.
    """

    place: tuple[int, ...]
    task: str
    setting: int
    enough: bool
    jobs: int
    lhs: Fraction
    rhs: Fraction
    slack: Fraction
    where: str

    @classmethod
    def of(cls, entry: Entry, place: tuple[int, ...], task: str, setting: int, enough: bool, jobs: int) -> Sight:
        """What the ledger says, in the units of the input."""
        assert entry.reading is not None
        assert entry.slack is not None
        sides = Fraction(entry.reading.lhs) * entry.scale, Fraction(entry.reading.rhs) * entry.scale
        return cls(place, task, setting, enough, jobs, *sides, entry.slack, entry.reading.where)

    def to_document(self) -> dict[str, Any]:
        """One JSON object."""
        numbers = {name: exact.text(getattr(self, name)) for name in ("lhs", "rhs", "slack")}
        return {**self._asdict(), "place": list(self.place), **numbers}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Sight:
        """Read what `to_document` wrote."""
        numbers = {name: Fraction(document[name]) for name in ("lhs", "rhs", "slack")}
        return cls(**{**document, "place": tuple(document["place"]), **numbers})


def tightness(sight: Sight) -> tuple[Any, ...]:
    """Less for less slack."""
    return sight.slack, sight.place, sight.setting


def clearness(sight: Sight) -> tuple[Any, ...]:
    """Less for a guess of at least T*, then for fewer jobs."""
    return not sight.enough, sight.jobs, sight.place, sight.setting


KEPT: Mapping[Verdict, Callable[[Sight], tuple[Any, ...]]] = {
    Verdict.HOLDS: tightness,
    Verdict.FAILS: clearness,
    Verdict.UNDECIDED: clearness,
}
"""Of each verdict one sight is kept: the tightest of those that hold, the clearest of the others."""


@dataclass
class Line:
    """One claim: on how many instances each verdict was the worst, and one sight of each kind."""

    counts: Counter[Verdict] = field(default_factory=Counter)
    sights: dict[Verdict, Sight] = field(default_factory=dict)

    @property
    def spoken(self) -> int:
        """Number of instances on which the claim said something."""
        return sum(self.counts[verdict] for verdict in SPOKEN)

    def keep(self, verdict: Verdict, sight: Sight) -> None:
        """Keep a sight if it is to be preferred."""
        known = self.sights.get(verdict)
        if known is None or KEPT[verdict](sight) < KEPT[verdict](known):
            self.sights[verdict] = sight

    def add(self, other: Line) -> None:
        """Add another line of the same claim, about other instances."""
        self.counts.update(other.counts)
        for verdict, sight in other.sights.items():
            self.keep(verdict, sight)

    def to_document(self) -> dict[str, Any]:
        """One JSON object."""
        return {
            "counts": {verdict.value: self.counts[verdict] for verdict in Verdict if self.counts[verdict]},
            "sights": {one.value: self.sights[one].to_document() for one in Verdict if one in self.sights},
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Line:
        """Read what `to_document` wrote."""
        counts = Counter({Verdict(name): count for name, count in document["counts"].items()})
        return cls(counts, {Verdict(name): Sight.from_document(one) for name, one in document["sights"].items()})


@dataclass
class Tally:
    """Lines by problem and claim, and what became of the certificates.

    Claim: `add` is associative and commutative, so the sum over all tasks does not depend on their order or grouping.
    """

    lines: dict[str, dict[str, Line]] = field(default_factory=dict)
    instances: Counter[str] = field(default_factory=Counter)
    runs: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict)

    def line(self, problem: str, claim: str) -> Line:
        """The line of a claim; a new one if there is none."""
        return self.lines.setdefault(problem, {}).setdefault(claim, Line())

    def add(self, other: Tally) -> None:
        """Add what was seen on other instances."""
        for problem, lines in other.lines.items():
            for claim, line in lines.items():
                self.line(problem, claim).add(line)
        self.instances.update(other.instances)
        self.runs.update(other.runs)
        self.refused = sorted(self.refused + other.refused)
        self.lost |= other.lost

    @classmethod
    def total(cls, parts: Iterable[Tally]) -> Tally:
        """The sum."""
        out = cls()
        for part in parts:
            out.add(part)
        return out

    def to_document(self) -> dict[str, Any]:
        """One JSON object, the same for equal tallies."""
        return {
            "lines": {
                problem: {claim: lines[claim].to_document() for claim in sorted(lines)}
                for problem, lines in sorted(self.lines.items())
            },
            "instances": dict(sorted(self.instances.items())),
            "runs": dict(sorted(self.runs.items())),
            "refused": self.refused,
            "lost": dict(sorted(self.lost.items())),
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Tally:
        """Read what `to_document` wrote."""
        lines = {
            problem: {claim: Line.from_document(one) for claim, one in of_problem.items()}
            for problem, of_problem in document["lines"].items()
        }
        counts = Counter(document["instances"]), Counter(document["runs"])
        return cls(lines, *counts, list(document["refused"]), dict(document["lost"]))
