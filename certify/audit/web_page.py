"""The report of an audit as one HTML file that needs nothing else: the same content as the page of Markdown."""

from __future__ import annotations

from importlib import resources
from types import ModuleType
from typing import Any

from certify.audit import page
from certify.audit.report import Report, Row
from certify.audit.tally import SPOKEN
from certify.claims.claim import Verdict
from online import exact
from online.errors import InvalidInput, Problem

TEMPLATE = "audit.html.j2"


def engine() -> ModuleType:
    """The template engine. Raises: `InvalidInput` where jinja2 is not installed."""
    try:
        import jinja2
    except ImportError:
        fix = "pip install 'dualfit[report]'"
        raise InvalidInput(Problem("--html", "missing library", "no jinja2", "a template engine", fix)) from None
    return jinja2


def web_page(report: Report) -> str:
    """The whole file. Raises: `InvalidInput` where jinja2 is not installed."""
    jinja2 = engine()
    text = (resources.files("certify.audit") / TEMPLATE).read_text(encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    return str(environment.from_string(text).render(**_content(report)))


def _content(report: Report) -> dict[str, Any]:
    rows = {row.claim.id: row for row in report.rows()}
    return {
        "introduction": page.plain(page.INTRODUCTION).split("\n\n"),
        "summary": page.summary(report),
        "headings": (*page.HEADINGS, "verdict"),
        "sections": {
            place: (page.measured_on(found), list(map(_row, found))) for place, found in report.sections().items()
        },
        "findings": [
            {
                "claim": claim,
                "statement": page.statement(rows[claim]),
                "text": page.finding(rows[claim], one),
                "jobs": "\n".join(page.jobs(one)),
                "correction": page.plain(page.correction(rows[claim], rows)),
            }
            for (_, claim), one in report.counterexamples.items()
        ],
        "command": page.command(report.plan, "--html audit.html"),
        "making": [*page.plain(page.MAKING).split("\n\n"), *report.faults()],
        "families": [(*name.split("/"), count) for name, count in sorted(report.tally.instances.items())],
    }


def _row(row: Row) -> dict[str, Any]:
    counts, seen = row.counts, row.best(Verdict.HOLDS)
    return {
        "id": row.claim.id,
        "statement": page.statement(row),
        "numbers": page.numbers(row),
        "share": 100 * sum(counts[one] for one in SPOKEN) // max(counts.total(), 1),
        "slack": "-" if seen is None else exact.decimal(seen[1].slack, 3),
        "seen": "" if seen is None else seen[1].task,
        "verdict": row.verdict,
        "corrected_by": row.claim.corrected_by if row.verdict == "fails" else "",
    }
