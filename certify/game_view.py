"""Games as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from certify.check import Verdict
from certify.show import facts, number, short, verdict_text
from online import exact
from online.run import WORDS

COLOURS = {"reached": "bold green", "not reached": "bold red", "not covered": "yellow"}
WORDED = {"algorithm_cost": "algorithm", "opt_upper": "offline"}
TOWARD: Mapping[str, exact.Toward] = {"promised": "down", "guaranteed": "down", "opt_upper": "up", "ratio": "down"}
"""How bounds are rounded."""

MOST_ROWS = 24
"""Longer tables of phases leave out the middle; `--json` has them all."""


def game_tables(result: Mapping[str, Any], verdict: Verdict, path: str | None) -> Iterator[RenderableType]:
    """The phases of a game, and what it comes to."""
    yield _stuck(result["phases"]) if "stuck" in result["phases"][0] else _phases(result["phases"])
    reason = "" if result["reason"] is None else f": {result['reason']}"
    rows: list[tuple[str, str | Text]] = [
        ("game", f"{result['title']}, {result['machines']} machines"),
        ("against", f"{result['algorithm']}, may reject {result['epsilon']} of the jobs, {_guess(result)}"),
        ("jobs", f"{result['jobs']}, {result['rejected']} of them rejected{_share(result)}"),
        ("algorithm", f"{number(result['algorithm_cost'])}  ({WORDS[result['problem']]})"),
        *_promises(result),
        ("offline", f"{number(result['opt_upper'], 'up')}  >= T*, from the offline schedule of the proof"),
        ("ratio", f"{number(result['ratio'], 'down')}  (algorithm / offline)"),
        ("verdict", Text(result["verdict"], style=COLOURS[result["verdict"]]) + reason),
        ("certificate", verdict_text(verdict.verdict)),
    ]
    if path is not None:
        rows.append(("written to", path))
    yield facts("Lower bound, played", rows)


def _share(result: Mapping[str, Any]) -> str:
    share = exact.decimal(Fraction(result["rejected"] * 100, result["jobs"]), 2)
    return f" ({share} %)" + (f", {result['late']} of them late" if result["late"] else "")


def _promises(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if result["promised_rejections"] is not None:
        yield "promised", f"{result['promised_rejections']} jobs rejected, more than {result['epsilon']} of them"
    if result["promised"] is not None:
        yield "promised", f"{number(result['promised'], 'down')}  by the proof, with so many rejections"
        yield "guaranteed", f"{number(result['guaranteed'], 'down')}  before the game, against any algorithm"
    if result["note"] is not None:
        yield "note", result["note"]


def _guess(result: Mapping[str, Any]) -> str:
    if result["guess"] is not None:
        return f"guess {number(result['guess'])}"
    return f"guesses {', '.join(map(number, result['guesses']))}" if result["guesses"] else "no guess"


def growth_tables(result: Mapping[str, Any]) -> Iterator[RenderableType]:
    """One line a game, then the line that fits the ratios."""
    table = Table(title=f"{result['title']} against {result['algorithm']}", box=box.SIMPLE_HEAD, title_justify="left")
    table.title_style = "bold"
    keys = ("epsilon", "machines", "jobs", "rejected", "algorithm_cost", "promised", "guaranteed", "opt_upper", "ratio")
    for heading in (*keys, "verdict", "certificate"):
        table.add_column(WORDED.get(heading, heading), justify="right")
    for row in result["rows"]:
        cells = [str(row[key]) if key == "epsilon" else _short(row[key], TOWARD.get(key, "nearest")) for key in keys]
        table.add_row(*cells, Text(row["verdict"], style=COLOURS[row["verdict"]]), verdict_text(row["certificate"]))
    yield table
    yield from _remarks(result["rows"])
    yield Text(_fit(result), style="italic")


def _short(value: str | int | None, toward: exact.Toward = "nearest") -> str:
    return short(None if value is None else str(value), toward)


def _remarks(rows: Sequence[Mapping[str, Any]]) -> Iterator[Text]:
    """Why rows are not covered, and what else is to be said of them."""
    for row in rows:
        where = f"epsilon {row['epsilon']}, {row['machines']} machines"
        if row["reason"] is not None:
            yield Text(f"{where}: {row['reason']}", style=COLOURS[row["verdict"]])
        if row["note"] is not None:
            yield Text(f"{where}: {row['note']}", style="italic")


def _fit(result: Mapping[str, Any]) -> str:
    if result["slope"] is None:
        return f"no line fitted: it takes two covered games that differ in x = {result['x']}"
    left = len(result["rows"]) - result["fitted"]
    of = f"; {left} not covered, left out" if left else ""
    line = f"{short(result['slope'])} * x + {short(result['intercept'])}"
    return f"ratio ~ {line}, x = {result['x']} (least squares of {result['fitted']} games{of})"


def _phases(phases: Sequence[Mapping[str, Any]]) -> Table:
    headings = ("phase", "jobs so far", "machines", "largest load without rejection", "largest load", "rejected")

    def cells(k: int, phase: Mapping[str, Any]) -> Iterator[str]:
        yield from (str(k), str(phase["jobs"]), str(len(phase["machines"])))
        yield from (short(str(max(map(Fraction, phase[key])))) for key in ("invariant", "held"))
        yield str(phase["rejected"])

    return _table("Phases", headings, phases, cells)


def _stuck(phases: Sequence[Mapping[str, Any]]) -> Table:
    """Where few jobs wait for ever while others go by."""
    machine = phases[0]["machines"][0]
    headings = ("jobs so far", f"load of machine {machine}", "of large jobs", "rejected", "share")

    def cells(k: int, phase: Mapping[str, Any]) -> Iterator[str]:
        yield from (str(phase["jobs"]), short(phase["held"][0]), short(phase["stuck"]), str(phase["rejected"]))
        yield exact.decimal(Fraction(100 * phase["rejected"], phase["jobs"]), 1) + " %"

    return _table("Course", headings, phases, cells)


Cells = Callable[[int, Mapping[str, Any]], Iterator[str]]


def _table(title: str, headings: Sequence[str], phases: Sequence[Mapping[str, Any]], cells: Cells) -> Table:
    """One line a phase; of very many the first and the last."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for heading in headings:
        table.add_column(heading, justify="right")
    half = MOST_ROWS // 2
    for k, phase in enumerate(phases):
        if len(phases) <= MOST_ROWS or k < half or k >= len(phases) - half:
            table.add_row(*cells(k, phase))
        elif k == half:
            table.add_row(*["..."] * len(headings))
    return table
