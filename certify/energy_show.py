"""Flow time plus energy as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from certify.show import facts, number, reading_rows, short, verdict_text
from online import exact

Document = Mapping[str, Any]
Row = tuple[str, str | Text]

SHOWN = {
    True: Text("shown by the certificate", style="green"),
    False: Text("fails", style="bold red"),
    None: Text("by the theorem; the bound does not show it", style="yellow"),
}
NOT_MET = Text("hypothesis not met: another rule than SRPT at (5)", style="cyan")
GAME: Mapping[str, exact.Toward] = {
    "policy_lower": "down",
    "optimum_upper": "up",
    "ratio": "down",
    "order": "nearest",
}
"""The numbers of a game against routing, and how they are rounded."""

NOT_KNOWN = Text("up to rounding: completions wait for the grid", style="cyan")


def table_of(title: str, headings: Sequence[str], left: Sequence[str]) -> Table:
    """An empty table; columns `left` are words, the others numbers."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for heading in headings:
        table.add_column(heading, justify="left" if heading in left else "right", overflow="fold")
    return table


def run_tables(result: Document, path: str | None) -> Iterator[RenderableType]:
    """The result of a run, and its ratio beside the theorems'."""
    rows: list[Row] = [
        *reading_rows(result["reading"]),
        ("problem", f"flow time plus energy, {servers(result['machines'])}, P(s) = {result['power']}"),
        ("algorithm", result["algorithm"] + constants(result["constants"])),
        ("cost", f"{number(result['objective'])}  = flow {short(result['flow'])} + energy {short(result['energy'])}"),
        ("bound", f"{number(result['bound'], 'down')}  <= OPT, from {result['bound_from']}"),
    ]
    if result["upper"] is not None:
        where = "" if result["upper_certified"] else ", which the certificate leaves out"
        rows.append(("upper", f"{number(result['upper'], 'up')}  >= OPT, from a schedule{where}"))
    rows += [
        ("ratio", f"{number(result['ratio'], 'up')}  (cost / bound)"),
        ("backlog", _backlog(result)),
        *_rounding_rows(result["rounding"]),
        ("certificate", verdict_text(result["verdict"])),
    ]
    if path is not None:
        rows.append(("written to", path))
    yield facts("Certified run", rows)
    if result["guarantees"]:
        yield _guarantees(result["guarantees"])


def _backlog(result: Document) -> str:
    missing = f"; no c_N: {result['no_table']}" if result["no_table"] else ""
    return f"at most {result['backlog']} unfinished jobs at a time{missing}"


def servers(machines: int) -> str:
    """How many, in words."""
    return "one server" if machines == 1 else f"{machines} servers"


def constants(given: Mapping[str, str]) -> str:
    """Constants of a policy, as they stand behind its name."""
    return "".join(f", {name} {value}" for name, value in given.items())


def _rounding_rows(rounding: Document) -> Iterator[Row]:
    lost = exact.decimal((1 - Fraction(rounding["speed_kept"])) * 10**6, 3, "up")
    words = f"speeds are rounded down to {rounding['bits']} bits, by at most {lost} parts in a million"
    if rounding["guarantee_factor"] is not None:
        grown = exact.decimal((Fraction(rounding["guarantee_factor"]) - 1) * 10**6, 3, "up")
        words += f"; c of the theorems grows by {grown}"
    yield "rounding", words
    if rounding["grid"] is not None:
        words = f"completions wait for multiples of 2^-{rounding['grid']} ticks"
        yield "", f"{words}; {short(rounding['overshoot'], 'up')} of work beyond the sizes"


def _guarantees(claimed: Sequence[Document]) -> Table:
    table = table_of("Beside the theorems", ("claim", "c", "cost <= c OPT"), ("claim", "cost <= c OPT"))
    for one in claimed:
        ratio = exact.decimal(Fraction(one["ratio"]), toward="up")
        table.add_row(one["theorem"], ratio, _status(one["met"], one["shown"]))
    return table


def _status(met: bool | None, shown: bool | None) -> Text:
    """What is known of cost <= c OPT: by the numbers, else by the theorem if the run meets its hypothesis."""
    if shown or (met and shown is False):
        return SHOWN[shown]
    return SHOWN[None] if met else NOT_KNOWN if met is None else NOT_MET


def bound_tables(result: Document, path: str | None) -> Iterator[RenderableType]:
    """The ladder of bounds, and what it comes to."""
    if result["ladder"]:
        yield _ladder(result["ladder"])
    state = "within the gap" if result["closed"] else "not within the gap"
    ratio = f"upper / lower = {exact.decimal(Fraction(result['ratio']), 6, 'up')}, {state} of {result['gap']}"
    rows: list[Row] = [
        *reading_rows(result["reading"]),
        ("problem", f"flow time plus energy, {servers(result['machines'])}, P(s) = {result['power']}"),
        ("lower", f"{number(result['lower'], 'down')}  <= OPT, from {result['bound_from']}"),
        ("upper", f"{number(result['upper'], 'up')}  >= OPT, from a schedule"),
        ("bracket", Text(ratio, style="bold" if result["closed"] else "")),
        ("certificate", verdict_text(result["verdict"])),
    ]
    if path is not None:
        rows.append(("written to", path))
    yield facts("Bounds on the least flow time plus energy", rows)


def _ladder(rungs: Sequence[Document]) -> Table:
    headings = ("rung", "lower bound", "below the upper", "cells", "dials", "lost by rounding", "how")
    table = table_of("Ladder of lower bounds", headings, ("rung", "how"))
    for one in rungs:
        below = exact.decimal(Fraction(one["below_upper"]) * 100, 3, "up") + " %"
        lost = exact.decimal(Fraction(one["loss"]) * 10**6, 1, "up") + " per million"
        cells = (number(one["lower"], "down"), below, str(one["grid"]), str(one["dials"]), lost)
        table.add_row(one["rung"], *cells, one["bound_from"])
    return table


def comparison_tables(result: Document, seconds: Sequence[Any]) -> Iterator[RenderableType]:
    """One line a policy, the least ratio in bold, then what they are compared with."""
    headings = ("algorithm", "flow", "energy", "cost", "ratio <=", "backlog", "seconds", "")
    table = table_of(f"Comparison, P(s) = {result['power']}", headings, ("algorithm", ""))
    least = min((Fraction(row["objective"]) for row in result["rows"]), default=None)
    for row, spent in zip(result["rows"], seconds, strict=True):
        style = "bold" if Fraction(row["objective"]) == least else ""
        cells = [short(row[key]) for key in ("flow", "energy", "objective")]
        ratio, word = Text(short(row["ratio"], "up"), style=style), row["verdict"]
        mark = Text("certified", style="green") if word == "accepted" else verdict_text(word)
        table.add_row(row["name"], *cells, ratio, str(row["backlog"]), f"{spent:.2f}", mark)
    for row in result["failed"]:
        table.add_row(row["name"], *["-"] * 6, Text("failed", style="bold red"))
    yield table
    for row in result["failed"]:
        yield Text(f"failed: {row['refused']}", style="bold red")
    lower, upper = number(result["lower"], "down"), number(result["upper"], "up")
    yield facts(
        "Compared with",
        [
            *reading_rows(result["reading"]),
            ("problem", f"flow time plus energy, {servers(result['machines'])}"),
            ("bound", f"{lower}  <= OPT, from {result['bound_from']}; the ratio is cost / bound"),
            ("upper", f"{upper}  >= OPT, from a schedule"),
            ("bounds", verdict_text(result["verdict"])),
        ],
    )


def drift_tables(result: Document, path: str | None) -> Iterator[RenderableType]:
    """Two schedules, and the c of (7) between them."""
    kind = "serves only its m shortest jobs" if result["serves_shortest"] else "serves others than its m shortest jobs"
    least = "none: (7) fails while the reference has no job" if result["least_ratio"] is None else None
    largest, smallest = short(result["largest_phi"], "up"), number(result["least_ratio"], "up")
    rows: list[Row] = [
        *reading_rows(result["reading"]),
        ("problem", f"flow time plus energy, {servers(result['machines'])}, P(s) = {result['power']}"),
        ("algorithm", f"{result['algorithm']}{constants(result['constants'])}: cost {number(result['cost'])}"),
        ("reference", f"{result['reference']}, which {kind}: cost {number(result['reference_cost'])}"),
        ("costs", f"{number(result['costs_ratio'])}  (algorithm / reference)"),
        (
            "pieces",
            f"{result['pieces']}; the potential is 0 at both ends, never jumps, at most {largest}",
        ),
        (
            "smallest c",
            least or f"{smallest}  for which (7) holds, from {short(result['worst_from'])} on",
        ),
    ]
    if result["theorem_ratio"] is not None:
        rows.append(("proved", f"c = {number(result['theorem_ratio'], 'up')}, by {result['theorem']}"))
    if result["asked"] is not None:
        found = result["violation"] or "(7) holds"
        rows.append(
            ("asked", Text(f"c = {result['asked']}: {found}", style="bold red" if result["violation"] else "green"))
        )
    if result["verdict"] is not None:
        rows.append(("certificate", verdict_text(result["verdict"])))
    if path is not None:
        rows.append(("written to", path))
    yield facts("Drift between two schedules", rows)


def game_tables(result: Document, path: str | None) -> Iterator[RenderableType]:
    """What a game comes to."""
    how = "its own code sends them there too" if result["replayed"] else "too many to play one by one"
    rows: list[Row] = [
        ("game", f"{result['name']}, {servers(result['machines'])}, P(s) = s^{result['alpha']}"),
        (
            "jobs",
            f"{result['jobs']} in {result['rounds']} rounds; where {result['policy']} must send them is proved; {how}",
        ),
        ("policy", f"{short(result['policy_lower'], 'down')}  <= its cost, at any speeds (in mu0 ticks)"),
        ("optimum", f"{short(result['optimum_upper'], 'up')}  >= OPT, from a schedule"),
        ("ratio", f"{short(result['ratio'], 'down')}  at least, beside m^(1 - 1/alpha) = {short(result['order'])}"),
        ("certificate", verdict_text(result["verdict"])),
    ]
    if path is not None:
        rows.append(("written to", path))
    yield facts("Lower bound, played", rows)


def migration_tables(result: Document, folder: str | None) -> Iterator[RenderableType]:
    """Round robin beside a schedule that migrates."""
    first, second = (short(value, "down") for value in result["servers"])
    lower = short(result["lower"], "down")
    jobs = f"3 unit jobs at 0, 4 at 1; {servers(result['machines'])}, P(s) = {result['power']}"
    rows: list[Row] = [
        ("game", f"{result['name']}: {jobs}"),
        ("optimum", f"{number(result['upper'], 'up')}  >= OPT, from a schedule that migrates"),
        ("round robin", f"{lower}  <= its cost, in any order and at any speeds: {first} + {second}"),
        ("ratio", f"{short(result['ratio'], 'down')}  at least"),
        *((name, verdict_text(verdict)) for name, verdict in result["verdicts"].items()),
    ]
    if folder is not None:
        rows.append(("written to", folder))
    yield facts("Round robin is not optimal", rows)


def growth_tables(result: Document) -> Iterator[RenderableType]:
    """One line a game, then the exponent that fits the ratios."""
    headings = ("servers", "jobs", "policy >=", "optimum <=", "ratio >=", "m^(1 - 1/alpha)", "certificate")
    table = table_of(f"{result['name']}, P(s) = s^{result['alpha']}", headings, ("certificate",))
    for row in result["rows"]:
        cells = [short(row[key], toward) for key, toward in GAME.items()]
        table.add_row(str(row["machines"]), str(row["jobs"]), *cells, verdict_text(row["verdict"]))
    yield table
    if result["exponent"] is not None:
        words = f"ratio ~ m^{exact.decimal(Fraction(result['exponent']), 4).lstrip('~')} (least squares of logarithms)"
        yield Text(f"{words}; theory: 1 - 1/alpha = {result['theory']}", style="italic")


def stochastic_tables(result: Document) -> Iterator[RenderableType]:
    """(13) beside (12) and beside a simulation."""
    found = result["simulated"]
    interval = f"{found['mean']} +- {found['half_width']} ({found['confidence']} confidence, {found['jobs']} jobs)"
    meets = "contains (13)" if found["meets"] else "does not contain (13)"
    rows: list[Row] = [
        ("setting", f"{servers(result['machines'])}, load {result['load']} each, P(s) = {result['power']}"),
        ("speed", f"{number(result['speed'])}  = s*, rounded down to a dial"),
        ("cost", f"{number(result['cost'])}  per tick of work, by (13)"),
        ("bound", f"{number(result['bound'], 'down')}  <= that of every policy, by (12)"),
        ("ratio", number(result["ratio"])),
        ("simulated", f"{interval}, {found['sizes']} sizes; the interval {meets}"),
    ]
    yield facts("Random routing at one speed", rows)
