"""Games as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
MOST_ROWS = 24
"""Longer tables of phases leave out the middle; `--json` has them all."""


def game_tables(result: Mapping[str, Any], verdict: Verdict, path: str | None) -> Iterator[RenderableType]:
    """The phases of a game, and what it comes to."""
    yield _phases(result["phases"])
    reason = "" if result["reason"] is None else f": {result['reason']}"
    rows: list[tuple[str, str | Text]] = [
        ("game", f"{result['title']}, {result['machines']} machines"),
        ("against", f"{result['algorithm']}, may reject {result['epsilon']} of the jobs, {_guess(result)}"),
        ("jobs", f"{result['jobs']}, {result['rejected']} of them rejected{_share(result)}"),
        ("algorithm", f"{number(result['algorithm_cost'])}  ({WORDS[result['problem']]})"),
        *_promises(result),
        ("offline", f"{number(result['opt_upper'])}  >= T*, from the offline schedule of the proof"),
        ("ratio", f"{number(result['ratio'])}  (algorithm / offline)"),
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
    if result["promised"] is None:
        if result["reason"] is None:
            yield "promised", f"more than {result['epsilon']} of the jobs rejected"
        return
    yield "promised", f"{number(result['promised'])}  by the proof, with so many rejections"
    yield "guaranteed", f"{number(result['guaranteed'])}  before the game, against any algorithm"


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
        cells = [str(row[key]) if key == "epsilon" else short(str(row[key])) for key in keys]
        table.add_row(*cells, Text(row["verdict"], style=COLOURS[row["verdict"]]), verdict_text(row["certificate"]))
    yield table
    if result["slope"] is not None:
        line = f"{short(result['slope'])} * x + {short(result['intercept'])}"
        yield Text(f"ratio ~ {line}, x = {result['x']} (least squares)", style="italic")


def _phases(phases: list[Mapping[str, Any]]) -> Table:
    table = Table(title="Phases", box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for heading in ("phase", "jobs so far", "machines", "largest load without rejection", "largest load", "rejected"):
        table.add_column(heading, justify="right")
    for k, phase in enumerate(phases):
        if len(phases) > MOST_ROWS and MOST_ROWS // 2 <= k < len(phases) - MOST_ROWS // 2:
            if k == MOST_ROWS // 2:
                table.add_row(*["..."] * 6)
            continue
        largest = (short(str(max(map(Fraction, phase[key])))) for key in ("invariant", "held"))
        table.add_row(str(k), str(phase["jobs"]), str(len(phase["machines"])), *largest, str(phase["rejected"]))
    return table
