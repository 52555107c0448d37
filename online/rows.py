"""Jobs as a reader found them, and the gate that admits them one by one.

One place decides what a valid job is; readers only say where each job stood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from online.errors import InvalidInput, Problem
from online.exact import Number
from online.validate import JobId, rational

Refuse: TypeAlias = Callable[[Problem], None]
"""Receives the problem of each job that is not admitted: to collect them, or to count them as dropped."""


class Row(NamedTuple):
    """One job as a reader found it: times and weights in the input's own units, machines from 0.

    `eligible` is None for "every machine"; `rejection_weight` is None for "the same as the flow weight".
    """

    id: JobId
    release: Number
    size: Number
    eligible: Sequence[int] | None = None
    flow_weight: Number = 1
    rejection_weight: Number | None = None
    place: str = ""


class CleanRow(NamedTuple):
    id: JobId
    release: Fraction | int
    size: Fraction | int
    eligible: tuple[int, ...]
    flow_weight: Fraction | int
    rejection_weight: Fraction | int


class Gate:
    """Admits rows one by one; what it does not admit it reports once."""

    def __init__(self, machines: int, keep_zero_sizes: bool, refuse: Refuse) -> None:
        self.machines, self.keep_zero_sizes, self.refuse = machines, keep_zero_sizes, refuse
        self.everywhere = tuple(range(machines))
        self.seen: dict[str, str] = {}
        self.known_sets: dict[tuple[int, ...], tuple[int, ...]] = {}

    def admit(self, row: Row) -> CleanRow | None:
        try:
            return self._clean(row)
        except InvalidInput as refused:
            for problem in refused.problems:
                self.refuse(problem)
            return None

    def _clean(self, row: Row) -> CleanRow:
        place = row.place or f"job {row.id!r}"
        if isinstance(row.id, bool) or not isinstance(row.id, int | str) or row.id == "":
            raise InvalidInput(
                Problem(
                    place,
                    "bad id",
                    repr(row.id),
                    "a non-empty text or an integer",
                    "give the job a proper id",
                )
            )
        release = _nonnegative(row.release, "release", row.id, place)
        size = _nonnegative(row.size, "size", row.id, place)
        if size == 0 and not self.keep_zero_sizes:
            raise InvalidInput(
                Problem(
                    place,
                    "zero size",
                    f"size 0 of job {row.id!r}",
                    "a size > 0",
                    "remove the job, give its true size, or drop such jobs",
                )
            )
        flow = _positive_weight(row.flow_weight, "flow weight", row.id, place)
        rejection = row.rejection_weight
        clean = CleanRow(
            row.id,
            release,
            size,
            self._eligible(row, place),
            flow,
            flow if rejection is None else _positive_weight(rejection, "rejection weight", row.id, place),
        )
        self._first_of_its_id(row.id, place)
        return clean

    def _first_of_its_id(self, job: JobId, place: str) -> None:
        before = self.seen.get(str(job))
        if before is not None:
            raise InvalidInput(
                Problem(
                    place,
                    "duplicate id",
                    f"job {job!r} again (first at {before})",
                    "ids that read differently",
                    "rename one of the two jobs",
                )
            )
        self.seen[str(job)] = place

    def _eligible(self, row: Row, place: str) -> tuple[int, ...]:
        if row.eligible is None:
            return self.everywhere
        key = tuple(row.eligible)
        known = self.known_sets.get(key)
        if known is None:
            known = self.known_sets[key] = self._checked_set(key, row.id, place)
        return known

    def _checked_set(self, machines: tuple[int, ...], job: JobId, place: str) -> tuple[int, ...]:
        if not machines:
            raise InvalidInput(
                Problem(
                    place,
                    "empty eligible set",
                    f"no eligible machine for job {job!r}",
                    "at least one",
                    f"list the machines that may run it, all of them as 1-{self.machines}, or drop such jobs",
                )
            )
        for i in machines:
            if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < self.machines:
                got = i + 1 if isinstance(i, int) and not isinstance(i, bool) else repr(i)
                raise InvalidInput(
                    Problem(
                        place,
                        "unknown machine",
                        f"machine {got} for job {job!r}",
                        f"machines 1..{self.machines}",
                        "correct the number, or declare more machines",
                    )
                )
        return tuple(sorted(set(machines)))


def _number(value: object, name: str, job: JobId, place: str) -> Fraction | int:
    if type(value) is int:
        return value
    return rational(value, f"{place}: {name} of job {job!r}")


def _nonnegative(value: object, name: str, job: JobId, place: str) -> Fraction | int:
    number = _number(value, name, job, place)
    if number < 0:
        raise InvalidInput(
            Problem(
                place,
                f"negative {name}",
                f"{name} {number} of job {job!r}",
                f"a {name} that is not negative",
                f"correct the {name}, or drop such jobs",
            )
        )
    return number


def _positive_weight(value: object, name: str, job: JobId, place: str) -> Fraction | int:
    number = _number(value, name, job, place)
    if number <= 0:
        raise InvalidInput(
            Problem(
                place,
                f"{name} must be positive",
                f"{name} {number} of job {job!r}",
                "a weight > 0",
                f"correct the {name}, or drop such jobs",
            )
        )
    return number
