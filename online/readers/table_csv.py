"""Comma-separated tables: `job,r,p,w,v,eligible`, with `# machines: m` among the comment lines."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from online.errors import InvalidInput, Problem
from online.readers.door import Door
from online.readers.fields import job_id, number
from online.readers.reading import Reading
from online.rows import Row

COLUMNS = ("job", "id", "r", "p", "w", "v", "eligible")

_MACHINES = re.compile(r"#\s*machines\s*:\s*(.*?)\s*", re.IGNORECASE)
_RANGE = re.compile(r"([0-9]{1,18})(?:\s*-\s*([0-9]{1,18}))?", re.ASCII)


class Record(NamedTuple):
    """One line of the table with the line number where it starts."""

    line: int
    cells: list[str]


Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""An eligible cell as ranges of machines, from 1, both ends included."""


def read_table(text: str, door: Door) -> Reading:
    """Read a table with a header line; columns in any order, `w`, `v` and `eligible` optional.

    Machines count from 1, sets are written `1|2|5-9`; without a column `eligible` every machine may run
    every job. Without `# machines: m` the largest machine named counts, unless the options say.

    Raises: `InvalidInput` for a faulty header or syntax, and for bad jobs as the options say.
    """
    comments = _Comments(text, door.name)
    records = _records(comments, door.name)
    header = next(records, None)
    if header is None:
        raise InvalidInput(Problem(door.name, "no header", "no line", _expected(), "add a header line"))
    places = _columns(header, door.name)
    table = list(records)
    door.read = len(table)
    machines = _declared(comments, door.name)
    ranges = _ranges(table, places.get("eligible"))
    if machines is None and door.options.machines is None:
        machines = _largest(ranges, door)
    return door.build(machines, _rows(table, places, _Sets(ranges, door.machines(machines)), door))


class _Comments:
    """The lines of a table without its comment lines, which it keeps; knows the line of the last record."""

    def __init__(self, text: str, name: str) -> None:
        self.lines, self.name = text.split("\n"), name
        self.kept: list[tuple[int, str]] = []
        self.start: int | None = None
        self.commas = 0

    def __iter__(self) -> Iterator[str]:
        for number_, line in enumerate(self.lines, 1):
            if self.start is None and line.lstrip().startswith("#"):
                self._refuse_what_may_be_a_job(number_, line)
                self.kept.append((number_, line.strip()))
            elif self.start is not None or line.strip():
                self.start = self.start or number_
                self.commas = self.commas or line.count(",")
                yield line + "\n"

    def _refuse_what_may_be_a_job(self, number_: int, line: str) -> None:
        if self.commas and line.count(",") == self.commas:
            place, got = f"{self.name}:{number_}", repr(line.strip()[:40])
            fix = 'quote the id ("#...") if it is a job, take a comma out if it is a comment'
            raise InvalidInput(Problem(place, "comment or job?", got, "a line that can be only one of them", fix))


def _records(lines: _Comments, name: str) -> Iterator[Record]:
    reader = csv.reader(lines, strict=True)
    while True:
        lines.start = None
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as bad:
            place = f"{name}:{lines.start or 1}"
            raise InvalidInput(
                Problem(place, "not CSV", str(bad), "commas and closed quotes", "correct the line")
            ) from None
        yield Record(lines.start or 1, [cell.strip() for cell in cells])


def _columns(header: Record, name: str) -> dict[str, int]:
    place = f"{name}:{header.line}"
    names = header.cells
    for k, column in enumerate(names):
        if column not in COLUMNS:
            raise InvalidInput(Problem(place, "unknown column", repr(column), _expected(), "rename or remove it"))
        if column in names[:k] or (column == "id" and "job" in names):
            raise InvalidInput(Problem(place, "duplicate column", repr(column), "each column once", "remove one"))
    found = {("job" if column == "id" else column): k for k, column in enumerate(names)}
    for column in ("job", "r", "p"):
        if column not in found:
            raise InvalidInput(Problem(place, "missing column", f"no {column!r}", _expected(), "add the column"))
    return found


def _expected() -> str:
    return "the columns job (or id), r, p and optionally w, v, eligible"


def _declared(comments: _Comments, name: str) -> int | None:
    found: int | None = None
    for line, comment in comments.kept:
        match = _MACHINES.fullmatch(comment)
        if match is None:
            continue
        count = number(match[1])
        if type(count) is not int or (found is not None and found != count):
            expected = "one whole number" if found is None else f"the same as before, {found}"
            raise InvalidInput(Problem(f"{name}:{line}", "bad number of machines", match[1], expected, "correct it"))
        found = count
    return found


def _ranges(table: Sequence[Record], column: int | None) -> dict[str, Ranges | None]:
    if column is None:
        return {}
    cells = dict.fromkeys(record.cells[column] for record in table if len(record.cells) > column)
    return {cell: parse_ranges(cell) for cell in cells}


def parse_ranges(cell: str) -> Ranges | None:
    """The ranges that a cell holds, or None where it is no set of machines.

    >>> parse_ranges("1|2|5-9"), parse_ranges(""), parse_ranges("9-5"), parse_ranges("T4")
    (((1, 1), (2, 2), (5, 9)), (), None, None)
    """
    if not cell:
        return ()
    found = [_RANGE.fullmatch(part.strip()) for part in cell.split("|")]
    ranges = [(int(match[1]), int(match[2] or match[1])) for match in found if match]
    if len(ranges) < len(found) or any(low > high for low, high in ranges):
        return None
    return tuple(ranges)


def _largest(ranges: dict[str, Ranges | None], door: Door) -> int | None:
    largest = max((high for one in ranges.values() for _, high in one or ()), default=None)
    if largest is not None:
        door.note(f"no line `# machines: m`; machines, by the largest number named: {largest}")
    return largest


class _Sets:
    """Eligible cells as machines from 0; one that is out of range stands alone, for the gate to name."""

    def __init__(self, ranges: dict[str, Ranges | None], machines: int) -> None:
        self.ranges, self.machines = ranges, machines
        self.known: dict[str, tuple[int, ...] | None] = {}

    def __getitem__(self, cell: str) -> tuple[int, ...] | None:
        if cell not in self.known:
            self.known[cell] = self._expanded(self.ranges[cell])
        return self.known[cell]

    def _expanded(self, ranges: Ranges | None) -> tuple[int, ...] | None:
        if ranges is None:
            return None
        for low, high in ranges:
            if low < 1 or high > self.machines:
                return (low - 1,) if low < 1 or low > self.machines else (high - 1,)
        return tuple(i - 1 for low, high in ranges for i in range(low, high + 1))


def _rows(table: Sequence[Record], places: dict[str, int], sets: _Sets, door: Door) -> Iterator[Row]:
    id_at, r_at, p_at = places["job"], places["r"], places["p"]
    w_at, v_at, eligible_at = places.get("w"), places.get("v"), places.get("eligible")
    repeats = []
    for line, cells in table:
        place = f"{door.name}:{line}"
        if len(cells) != len(places):
            got, expected = f"{len(cells)} fields", f"{len(places)} fields, as in the header"
            door.refuse(Problem(place, "wrong field count", got, expected, "correct the line"))
            continue
        job = job_id(cells[id_at])
        weight = 1 if w_at is None else number(cells[w_at])
        rejection = None if v_at is None else number(cells[v_at])
        eligible = None if eligible_at is None else sets[cells[eligible_at]]
        if eligible_at is not None and eligible is None:
            got, expected = f"{cells[eligible_at]!r} for job {job!r}", "machines such as 1|2|5-9"
            door.refuse(Problem(place, "bad eligible set", got, expected, "correct the set"), job)
            continue
        if eligible_at is not None and _repeats(sets.ranges[cells[eligible_at]]):
            repeats.append(job)
        yield Row(job, number(cells[r_at]), number(cells[p_at]), eligible, weight, rejection, place)
    door.note_jobs(repeats, "jobs that name a machine more than once, which counts once")


def _repeats(ranges: Ranges | None) -> bool:
    ordered = sorted(ranges or ())
    return any(high >= low for (_, high), (low, _) in itertools.pairwise(ordered))
