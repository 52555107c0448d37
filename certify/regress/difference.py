"""What differs between the facts of a snapshot and those of a later run, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from online import exact

BETTER = {"objective": -1, "bound": 1, "lower": 1, "upper": -1, "ratio": -1}
"""Where more is better (1) or less is (-1)."""

CLAIMS = ("ledger", "slack")
"""Fields of claims: a later version may know more of them."""


@dataclass(frozen=True, repr=False)
class Difference:
    """One field of one file under one record that came out otherwise.

    `expected` is None where the snapshot has nothing, `got` where the run has nothing. `change` is `got - expected`,
    exact, for numbers. Not `failing`: worth a note, and no change of a result. Not `comparable`: of another instance or
    under other options, and so neither better nor worse.
    """

    record: str
    file: str
    field: str
    expected: str | None
    got: str | None
    failing: bool = True
    comparable: bool = True

    @property
    def change(self) -> str | None:
        """The exact difference of two numbers."""
        numbers = [_number(value) for value in (self.expected, self.got)]
        expected, got = numbers
        return None if expected is None or got is None else exact.text(got - expected)

    @property
    def direction(self) -> str | None:
        """`better` or `worse`, for an objective, a bound or a ratio that are comparable."""
        sign = BETTER.get(self.field)
        if sign is None or self.change is None or not self.comparable:
            return None
        return "better" if sign * Fraction(self.change) > 0 else "worse"

    def __str__(self) -> str:
        """In one line.

        >>> print(Difference("quarter", "a.csv", "objective", "7/2", "4"))
        a.csv: objective: expected 7/2, got 4 (by 1/2, worse) [quarter]
        """
        more = ", ".join(word for word in (self.change and f"by {self.change}", self.direction) if word)
        words = f"expected {_shown(self.expected)}, got {_shown(self.got)}"
        return f"{self.file}: {self.field}: {words}{f' ({more})' if more else ''} [{self.record}]"

    def __repr__(self) -> str:
        """As it is said in one line, for lists of them in tests."""
        return f"<{self}>"

    def to_document(self) -> dict[str, Any]:
        """One JSON object."""
        return {**asdict(self), "change": self.change, "direction": self.direction}


def differences(
    record: str, file: str, expected: Mapping[str, Any], got: Mapping[str, Any], same_options: bool = True
) -> Iterator[Difference]:
    """Every field that differs, in the order of the facts.

    Other bytes that make the same instance, and a claim that the snapshot does not know, are notes. What came out for
    another instance, or under other options, is not comparable.
    """
    old, new = dict(_flat(expected)), dict(_flat(got))
    same_jobs = old.get("instance_sha256") == new.get("instance_sha256")
    for field in dict.fromkeys((*new, *old)):
        if old.get(field) != new.get(field) and (field != "file_sha256" or same_jobs):
            note = field == "file_sha256" or _unknown(field, old)
            yield Difference(record, file, field, old.get(field), new.get(field), not note, same_jobs and same_options)


def _unknown(field: str, old: Mapping[str, str]) -> bool:
    """Whether the field is about a claim that the snapshot says nothing of."""
    kind, _, claim = field.partition(".")
    return kind in CLAIMS and f"ledger.{claim}" not in old


def _flat(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{key}", text) for key, text in _flat(value))
        elif value is not None:
            yield name, ", ".join(map(str, value)) if isinstance(value, list) else _word(value)


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _number(value: str | None) -> Fraction | None:
    try:
        return None if value is None else exact.rational(value)
    except exact.BadNumber:
        return None


def _shown(value: str | None) -> str:
    return "nothing" if value is None else value
