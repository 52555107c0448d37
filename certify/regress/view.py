"""A recording and a comparison as tables: for people; `--json` is for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from certify.regress.comparison import Compared
from certify.regress.difference import Difference
from certify.regress.measure import Facts
from certify.regress.recording import Recorded
from certify.show import facts, short
from online import exact

NOTES = "notes; the results are the same"
"""Over other bytes of the same instances, and claims that a snapshot does not know."""

COLOURS = {"better": "green", "worse": "bold red"}

LONGEST = 16
"""Most characters of an exact number that a table shows."""

NUMBERS: Mapping[str, exact.Toward] = {
    "objective": "nearest",
    "bound": "down",
    "lower": "down",
    "upper": "up",
    "ratio": "up",
}
"""Exact numbers of a case, and how a table rounds them."""


def recorded_tables(found: Recorded, path: str) -> Iterator[RenderableType]:
    """What was recorded, and what that changes."""
    yield _cases(found.cases)
    for title, failing in (("changed", True), (NOTES, False)):
        lines = [one for one in found.changes if one.failing is failing]
        if lines:
            yield difference_table(f"{title}: {found.name}", lines)
    rows = [("record", found.name), ("written to", path), ("files", _counts(found))]
    rows += [("removed", ", ".join(found.removed))] if found.removed else []
    yield facts("", rows)


def compared_tables(found: Compared) -> Iterator[RenderableType]:
    """What differs, then what is worth a note."""
    notes = [one for one in found.differences if not one.failing]
    for title, lines in (("differs", found.failing), (NOTES, notes)):
        for record in dict.fromkeys(one.record for one in lines):
            yield difference_table(f"{title}: {record}", [one for one in lines if one.record == record])
    files = len({one.file for one in found.failing})
    same, other = Text("as recorded", "bold green"), Text(f"not as recorded: {files} of the files", "bold red")
    rows: list[tuple[str, str | Text]] = [("cases", str(found.cases)), ("verdict", other if files else same)]
    yield facts("", rows + [("version", one) for one in (found.versions if files else ())])


def difference_table(title: str, lines: Sequence[Difference]) -> Table:
    """One line a field."""
    table = _table(title, ["file", "field", "expected", "got", "difference", ""])
    for one in lines:
        word = Text(one.direction or "", COLOURS.get(one.direction or "", ""))
        values = [_value(one.field, one.expected), _value(one.field, one.got), _signed(one.change)]
        table.add_row(one.file, one.field, *values, word)
    return table


def _cases(cases: dict[str, Facts]) -> Table:
    columns = [name for name in NUMBERS if any(name in case for case in cases.values())]
    table = _table("recorded", ["file", "jobs", "dropped", *columns, "rejected", "claims that do not hold"])
    for file, case in cases.items():
        jobs = [str(case["used"]), str(int(str(case["read"])) - int(str(case["used"])))]
        numbers = [short(_text(case.get(name)), NUMBERS[name]) for name in columns]
        table.add_row(file, *jobs, *numbers, str(case.get("rejected", "-")), _failing(case))
    return table


def _failing(case: Facts) -> str:
    ledger = case.get("ledger")
    claims = [claim for claim, verdict in ledger.items() if verdict == "fails"] if isinstance(ledger, dict) else []
    over = [] if case.get("over_budget_at") is None else [f"budget at job {case['over_budget_at']}"]
    return ", ".join([*over, *claims]) or "-"


def _counts(found: Recorded) -> str:
    changed = {one.file for one in found.changes if one.failing and one.file in found.cases}
    same = len(found.cases) - len(found.added) - len(changed)
    return f"{len(found.added)} new, {len(changed)} changed, {same} as before"


def _table(title: str, heads: Sequence[str]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold")
    return table


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _value(field: str, value: str | None) -> str:
    """An exact number where that is short, else its decimal; the exact one is in the JSON."""
    if value is None:
        return "-"
    return value[:12] if field.endswith("sha256") else _short(value, NUMBERS.get(field, "nearest"))


def _signed(change: str | None) -> str:
    return "" if change is None else _short(change) if change.startswith("-") else f"+{_short(change)}"


def _short(value: str, toward: exact.Toward = "nearest") -> str:
    try:
        return value if len(value) <= LONGEST else exact.decimal(exact.rational(value), toward=toward)
    except exact.BadNumber:
        return value
