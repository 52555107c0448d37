"""A comparison as a table and as a picture."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from certify.plots import DASHES, HEADROOM, MARKERS, Page, drawn, legend_below, literal, plain
from certify.show import below_one, facts, number, reading_rows, short, verdict_text
from online import exact
from online.run import WORDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Document = Mapping[str, Any]
Point = tuple[str, Fraction, Fraction]
Line = tuple[tuple[Fraction, Fraction], ...]

NARROW = 6
"""Inches below which there is no room for a legend beside the picture."""

BESIDE = 1 / 12
"""Room on every side of the points, as a share of what they span."""

SHADES = ("0.0", "0.35", "0.6")
"""Shades of grey for lines; markers and dashes tell them apart."""


def comparison_tables(result: Document, seconds: Sequence[float]) -> Iterator[RenderableType]:
    """One line a run, the least ratio of each epsilon in bold, then what they are compared with."""
    yield _table(result, seconds)
    yield facts("Compared with", list(_common(result)))
    if any(row["speed"] != "1" for row in result["rows"]):
        yield Text("A run at another speed has machines of that speed; T* is always at speed 1.", style="italic")
    below = [row for row in result["rows"] if row["refused"] is None and row["ratio"] and Fraction(row["ratio"]) < 1]
    for words in dict.fromkeys(words for row in below for words in below_one(row)):
        yield Text(words, style="italic")


def _table(result: Document, seconds: Sequence[float]) -> Table:
    least: dict[str, Fraction] = {}
    for _, epsilon, ratio in _points(result["rows"]):
        least[str(epsilon)] = min(ratio, least.get(str(epsilon), ratio))
    table = Table(title=f"Comparison, {result['problem']}", box=box.SIMPLE_HEAD, title_justify="left")
    table.title_style = "bold"
    for heading in ("algorithm", "epsilon", "speed", "objective", "rejected", "ratio <=", "seconds", ""):
        left = heading in ("algorithm", "")
        table.add_column(heading, justify="left" if left else "right", overflow="fold", no_wrap=heading == "algorithm")
    timed = list(zip(result["rows"], seconds, strict=True))
    for _, rows in groupby(timed, key=lambda one: one[0]["algorithm"]):
        for refused, alike in groupby(rows, key=lambda one: one[0]["refused"]):
            if refused is None:
                for row, spent in alike:
                    table.add_row(*_cells(row, spent, least))
            else:
                table.add_row(*_refusal([row for row, _ in alike]))
        if len(least) > 1:
            table.add_section()
    return table


def _refusal(rows: Sequence[Document]) -> Iterator[str | Text]:
    """One line for all that is refused for the same reason."""
    yield from (rows[0]["algorithm"], ", ".join(row["epsilon"] for row in rows), "", "", "", "", "")
    failed = rows[0]["failed"]
    why = "failed" if failed else "not for this instance"
    yield Text(f"{why}: {rows[0]['refused']}", style="bold red" if failed else "yellow")


def _cells(row: Document, spent: float, least: Mapping[str, Fraction]) -> Iterator[str | Text]:
    yield from (row["algorithm"], row["epsilon"], row["speed"])
    best = row["ratio"] is not None and Fraction(row["ratio"]) == least[row["epsilon"]]
    yield from (short(row["objective"]), _rejected(row), Text(short(row["ratio"], "up"), style="bold" if best else ""))
    yield f"{spent:.2f}"
    yield _note(row)


def _rejected(row: Document) -> str:
    """How many, and what share that is of the jobs or of the weight."""
    share = Fraction(row["rejected_weight"]) * 100 / (Fraction(row["arrived_weight"]) or 1)
    of = " of weight" if row["budget"] == "rejection" else ""
    return f"{row['rejected']} ({exact.decimal(share, 1)} %{of})"


def _note(row: Document) -> Text:
    if row["verdict"] != "accepted":
        return Text(f"certificate {row['verdict']}", style="bold red")
    if row["over_budget_at"] is not None:
        return Text(f"over its budget when job {row['over_budget_at']} arrived", style="bold red")
    return Text("certified", style="green")


def _common(result: Document) -> Iterator[tuple[str, str | Text]]:
    yield from reading_rows(result["reading"])
    yield "objective", WORDS[result["problem"]]
    lower, upper = number(result["lower"], "down"), number(result["upper"], "up")
    yield "bound", f"{lower}  <= T*, from {result['bound_from']}; the ratio is objective / bound"
    yield "upper", f"{upper}  >= T*, from {result['upper_from']}"
    yield from (("left out", one) for one in result["skipped"])
    yield "bounds", verdict_text(result["verdict"])


def _points(rows: Sequence[Document]) -> Iterator[Point]:
    """Algorithm, epsilon and ratio of the runs that have one."""
    for row in rows:
        if row["refused"] is None and row["ratio"] is not None:
            yield row["algorithm"], Fraction(row["epsilon"]), Fraction(row["ratio"])


def draw(result: Document, page: Page) -> None:
    """The ratio of every algorithm against epsilon, as svg, png or pdf.

    Raises: `InvalidInput` for another kind of file, without matplotlib, and if the file cannot be written.
    """
    points = list(_points(result["rows"]))
    lines = _lines(points)
    with drawn(page, 8, max(4, (len(lines) + 6) // 4)) as figure:
        axes = figure.add_subplot()
        for k, (line, names) in enumerate(lines):
            _draw_line(axes, k, textwrap.fill(literal(", ".join(names)), 24), line)
        _draw_references(axes, result)
        _label(axes, points)
        own = f"{literal(result['problem'])}: {literal(result['reading']['file'])}"
        axes.set_title(page.titled(own), loc="left")
        if figure.get_figwidth() < NARROW:
            legend_below(figure)
        else:
            figure.legend(loc="outside right upper")


def _lines(points: Sequence[Point]) -> list[tuple[Line, list[str]]]:
    """Every different line once, with the names of all whose line it is."""
    found: dict[Line, list[str]] = {}
    for name, group in groupby(points, key=lambda point: point[0]):
        found.setdefault(tuple(sorted((epsilon, ratio) for _, epsilon, ratio in group)), []).append(name)
    return list(found.items())


def _draw_line(axes: Axes, k: int, label: str, line: Line) -> None:
    x, y = ([plain(point[c]) for point in line] for c in (0, 1))
    shade, style, marker = SHADES[k % len(SHADES)], DASHES[k % len(DASHES)], MARKERS[k % len(MARKERS)]
    axes.plot(x, y, label=label, color=shade, linestyle=style, marker=marker, markersize=7, markerfacecolor="white")


def _draw_references(axes: Axes, result: Document) -> None:
    lower, upper = Fraction(result["lower"]), Fraction(result["upper"])
    known = lower == upper
    axes.axhline(1, color="0.6", linewidth=1, zorder=0, label="T*" if known else "bound <= T*")
    if upper > lower > 0:
        axes.axhspan(1, plain(upper / lower), color="0.9", zorder=0, label="T* is here")


def _label(axes: Axes, points: Sequence[Point]) -> None:
    epsilons = sorted({epsilon for _, epsilon, _ in points})
    axes.set_xscale("log", base=2)
    axes.set_xticks([plain(one) for one in epsilons], [str(one) for one in epsilons])
    axes.minorticks_off()
    axes.margins(x=BESIDE, y=BESIDE)
    ratios = [ratio for *_, ratio in points if ratio > 0]
    if ratios and max(ratios) > 8 * min(ratios):
        axes.set_yscale("log", base=2)
        axes.yaxis.set_major_formatter("{x:g}")
    else:
        axes.set_ylim(bottom=0, top=axes.dataLim.y1 * HEADROOM)
    axes.set_xlabel("epsilon, the share that may be rejected")
    axes.set_ylabel("objective / certified lower bound on T*")
