"""The data lines of an SWF log as records of exact numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from online.errors import Problem
from online.readers.door import Door
from online.readers.fields import number, whole

WIDTH = 18
FIELDS = {
    "job number": 1,
    "submit time": 2,
    "run time": 4,
    "processors": 5,
    "requested processors": 8,
    "requested time": 9,
    "status": 11,
    "user": 12,
    "group": 13,
    "queue": 15,
    "partition": 16,
}
"""The fields that matter, by their numbers in the format."""

WHOLE = ("job number", "status", "user", "group", "queue", "partition")
LONGEST = 1000
NAMES = list(FIELDS)
_AT = tuple(column - 1 for column in FIELDS.values())


class Record(NamedTuple):
    """One data line: whole numbers as int, others as `Fraction`; `site` and `owner` by the option `eligible_by`."""

    line: int
    job: int
    submit: Any
    run: Any
    processors: Any
    requested: Any
    status: int
    site: int
    owner: int


class BadRecord(Exception):
    """A record that is turned away: reason, got, expected, fix."""


def parse(lines: list[str], door: Door) -> Iterator[Record]:
    """The records of a log, blank lines and comments passed over, bad lines handed to the door."""
    by = door.options.eligible_by
    site_at = NAMES.index("queue" if by == "queue" else "partition")
    owner_at = NAMES.index(by) if by in ("group", "user") else None
    long = []
    for line, text in enumerate(lines, 1):
        fields = text.split()
        if not fields or fields[0][0] == ";":
            continue
        door.read += 1
        try:
            job, submit, run, used, asked, requested, status, *_ = values = _values(text, fields)
        except BadRecord as bad:
            door.refuse(Problem(f"{door.name}:{line}", *bad.args), whole(fields[0]))
            continue
        if len(fields) > WIDTH:
            long.append(line)
        owner = -1 if owner_at is None else values[owner_at]
        yield Record(line, job, submit, run, used if used > 0 else asked, requested, status, values[site_at], owner)
    door.note_jobs(long, f"lines with more than {WIDTH} fields, of which the first {WIDTH} count")


def _values(text: str, fields: list[str]) -> list[Any]:
    if len(fields) < WIDTH:
        raise BadRecord("wrong field count", f"{len(fields)} fields", f"{WIDTH} fields", "complete the line")
    if "_" in text or len(text) > LONGEST or not text.isascii():
        return _exact_values(fields)
    try:
        for field in fields[:WIDTH]:
            float(field)
        return [int(fields[at]) for at in _AT]
    except ValueError:
        return _exact_values(fields)


def _exact_values(fields: list[str]) -> list[Any]:
    values = [number(field) for field in fields[:WIDTH]]
    for at, value in enumerate(values):
        if isinstance(value, str):
            raise BadRecord("not a number", f"{value[:40]!r} in field {at + 1}", "a number", "correct the field")
    for name in WHOLE:
        at = FIELDS[name] - 1
        if type(values[at]) is not int:
            got = f"{name} {fields[at]} (field {at + 1})"
            raise BadRecord("not a whole number", got, "a whole number", "correct the field")
    return [values[at] for at in _AT]
