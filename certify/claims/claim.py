"""What a claim of a paper is, and what it says on one run: exact left and right sides, slack, verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from online import exact

Number = int | Fraction
Relation = Literal["<=", ">=", ">"]
Unit = Literal["time", "count", "value", "weight"]
SceneT = TypeVar("SceneT")
Measure = Callable[[SceneT], Iterable["Reading"]]


class Verdict(StrEnum):
    """How a claim fared on a run; the order is from worst to best."""

    FAILS = "fails"
    UNDECIDED = "undecided"
    HOLDS = "holds"
    NOT_MET = "hypothesis not met"
    VACUOUS = "vacuous"


class Reading(NamedTuple):
    """One place where a claim says something: the two sides, whether its hypothesis is met there, and where.

    `met` is None when it is not known whether the hypothesis is met. `known` is False where all that is known of the
    right side is that it is `rhs` or more, which may be far from it: nothing is said of the slack then.
    """

    lhs: Number
    rhs: Number
    where: str
    met: bool | None = True
    known: bool = True


def tightest_prefix(
    prefixes: Iterable[tuple[int, int]], share: Fraction, where: str, met: bool | None
) -> Iterator[Reading]:
    """`rejected <= share * arrived` at the prefix `(rejected, arrived)` with the least slack; nothing if none rejects.

    >>> [(one.lhs, one.where) for one in tightest_prefix([(0, 1), (1, 2), (1, 3)], Fraction(1, 2), "run", True)]
    [(1, 'run, after 2 arrivals')]
    """
    found = min(
        (
            (share.numerator * arrived - share.denominator * rejected, rejected, arrived)
            for rejected, arrived in prefixes
            if rejected
        ),
        default=None,
    )
    if found is not None:
        _, rejected, arrived = found
        yield Reading(rejected, share * arrived, f"{where}, after {arrived} arrivals", met)


@dataclass(frozen=True)
class Claim(Generic[SceneT]):
    """A claim `lhs >= rhs`, `lhs > rhs` or `lhs <= rhs` of a paper, with its hypothesis.

    `measure` yields the readings on one phase of a run; it may yield only the tightest of many. `unit` is `time`
    when both sides are in ticks, `value` in ticks times flow weight units, `weight` in rejection weight units, else
    `count`. A printed claim that is known to be false names its correction.
    """

    id: str
    place: str
    statement: str
    latex: str
    relation: Relation
    measure: Measure[SceneT]
    unit: Unit = "count"
    hypothesis: str = ""
    corrected_by: str = ""

    def slack(self, reading: Reading) -> Fraction:
        """How much is left before the claim fails; negative when it fails."""
        gap = Fraction(reading.lhs) - Fraction(reading.rhs)
        return -gap if self.relation == "<=" else gap

    def verdict(self, reading: Reading) -> Verdict:
        """Holds, fails, undecided (false, and whether the hypothesis is met is not known), or hypothesis not met."""
        if reading.met is False:
            return Verdict.NOT_MET
        slack = self.slack(reading)
        if slack > 0 or (slack == 0 and self.relation != ">"):
            return Verdict.HOLDS
        return Verdict.FAILS if reading.met else Verdict.UNDECIDED


@dataclass
class Section(Generic[SceneT]):
    """The claims of one section of a paper; `claim` decorates the function that measures one."""

    place: str
    claims: list[Claim[SceneT]] = field(default_factory=list)

    def claim(
        self,
        id: str,
        statement: str,
        latex: str,
        relation: Relation,
        *,
        unit: Unit = "count",
        hypothesis: str = "",
        corrected_by: str = "",
    ) -> Callable[[Measure[SceneT]], Measure[SceneT]]:
        """Register the decorated function as the measure of a claim."""

        def register(measure: Measure[SceneT]) -> Measure[SceneT]:
            self.claims.append(
                Claim(id, self.place, statement, latex, relation, measure, unit, hypothesis, corrected_by)
            )
            return measure

        return register


@dataclass(frozen=True)
class Entry:
    """A line of the ledger: a claim and its worst reading on a run, `scale` being one unit in the input's units."""

    claim: Claim[Any]
    verdict: Verdict
    reading: Reading | None
    scale: Fraction

    @property
    def slack(self) -> Fraction | None:
        """Slack of the worst reading; None when vacuous, and where the right side is not known."""
        reading = self.reading
        return self.claim.slack(reading) * self.scale if reading is not None and reading.known else None

    @property
    def rhs(self) -> Fraction | None:
        """The right side of the worst reading; None where there is no slack."""
        reading = self.reading
        return Fraction(reading.rhs) * self.scale if reading is not None and reading.known else None

    def to_document(self) -> dict[str, Any]:
        """One JSON object; numbers are `p/q` strings, null when vacuous or not known."""
        reading = self.reading
        return {
            "id": self.claim.id,
            "place": self.claim.place,
            "statement": self.claim.statement,
            "relation": self.claim.relation,
            "lhs": None if reading is None else exact.text(reading.lhs * self.scale),
            "rhs": None if self.rhs is None else exact.text(self.rhs),
            "slack": None if self.slack is None else exact.text(self.slack),
            "verdict": self.verdict.value,
            "hypothesis": self.claim.hypothesis,
            "corrected_by": self.claim.corrected_by or None,
            "where": "" if reading is None else reading.where,
        }


def judge(
    claim: Claim[SceneT],
    scenes: Iterable[SceneT],
    tick: Fraction,
    *,
    flow: Fraction = Fraction(1),
    rejection: Fraction = Fraction(1),
) -> Entry:
    """The worst reading of a claim over all phases: worst verdict first, then least slack.

    `tick`, `flow` and `rejection` are the units of times, flow weights and rejection weights in the input's own units.
    """
    order = list(Verdict)
    scale = {"time": tick, "value": tick * flow, "weight": rejection, "count": Fraction(1)}[claim.unit]
    readings = [reading for scene in scenes for reading in claim.measure(scene)]
    if not readings:
        return Entry(claim, Verdict.VACUOUS, None, scale)
    worst = min(readings, key=lambda one: (order.index(claim.verdict(one)), claim.slack(one)))
    return Entry(claim, claim.verdict(worst), worst, scale)
