"""The report of an audit as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from certify.audit.page import HEADINGS, cells, example, statement, summary
from certify.audit.report import Report, Row
from certify.show import CLAIM_COLOURS, facts

COLOURS = {verdict.value: colour for verdict, colour in CLAIM_COLOURS.items()}


def tables(report: Report) -> Iterator[RenderableType]:
    """A table a section, then the findings and the sum."""
    for place, rows in report.sections().items():
        yield _section(place, rows)
    known = {row.claim.id: row for row in report.rows()}
    for (_, claim), one in report.counterexamples.items():
        corrected = known[claim].claim.corrected_by or "nothing"
        yield facts(f"{claim} fails", [("", statement(known[claim])), ("", example(one)), ("corrected by", corrected)])
    yield Text(summary(report), style="bold")


def _section(place: str, rows: list[Row]) -> Table:
    table = Table(title=f"Audit, {place}", box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    table.add_column("claim", no_wrap=True)
    for heading in (*HEADINGS[2:], "verdict"):
        table.add_column(heading, justify="right" if heading in HEADINGS[2:-1] else "left", overflow="fold")
    for row in rows:
        id, _, *numbers, verdict = cells(row)
        words = verdict.replace("**", "")
        table.add_row(id, *numbers, Text(words, style=COLOURS.get(row.verdict, "")))
    return table
