"""Results as tables: for people; `--json` is for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from certify.check import Verdict
from certify.claims.claim import Entry
from certify.claims.claim import Verdict as ClaimVerdict
from certify.lp_view import View
from online import exact
from online.run import WORDS

COLOURS = {"accepted": "bold green", "rejected": "bold red", "malformed": "bold red"}
CLAIM_COLOURS = {
    ClaimVerdict.HOLDS: "green",
    ClaimVerdict.FAILS: "bold red",
    ClaimVerdict.UNDECIDED: "yellow",
    ClaimVerdict.NOT_MET: "cyan",
    ClaimVerdict.VACUOUS: "dim",
}
TIMES: Mapping[str, exact.Toward] = {
    "L_l": "nearest",
    "T": "nearest",
    "vol J(sT)": "nearest",
    "length": "nearest",
    "T* >=": "down",
}
"""Columns of the witness table that hold times, volumes and bounds, and how they are rounded."""

REJECTS = (
    "The run may reject jobs, the optimum T* it is compared with may not: a ratio below 1 is possible and no error."
)
FASTER = (
    "The run had faster machines than the optimum T* it is compared with: a ratio below 1 is possible and no error."
)


def number(value: str | None, toward: exact.Toward = "nearest") -> str:
    """An exact number with its decimal beside it when that helps, rounded `down` of a lower bound, `up` of an upper.

    >>> number("7/3"), number("7/3", "up"), number("12")
    ('7/3 (~2.333333)', '7/3 (~2.333334)', '12')
    """
    if value is None:
        return "-"
    fraction = Fraction(value)
    if fraction.denominator == 1:
        return value
    shown = exact.decimal(fraction, toward=toward)
    return shown.lstrip("~") if not shown.startswith("~") else f"{value} ({shown})" if len(value) <= 24 else shown


def short(value: str | None, toward: exact.Toward = "nearest") -> str:
    """An exact number as a decimal of at most three places; the exact one is in the JSON.

    >>> short("7/3"), short("7/3", "up"), short("12"), short(None)
    ('~2.333', '~2.334', '12', '-')
    """
    return "-" if value is None else exact.decimal(Fraction(value), 3, toward)


def facts(title: str, rows: Sequence[tuple[str, str | Text]]) -> Table:
    """A table of two columns: what, and its value."""
    table = Table(title=title, box=box.SIMPLE_HEAD, show_header=False, title_justify="left", title_style="bold")
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def verdict_text(verdict: str) -> Text:
    """The checker's word in its colour."""
    return Text(verdict, style=COLOURS.get(verdict, ""))


def reading_rows(account: Mapping[str, Any]) -> Iterator[tuple[str, str | Text]]:
    """Jobs read = used + dropped, reasons, and what the reader decided."""
    dropped = sum(one["count"] for one in account["dropped"])
    yield "input", f"{account['file']} ({account['format']})"
    yield "jobs", f"read {account['read']} = used {account['used']} + dropped {dropped}"
    for one in account["dropped"]:
        places = "; ".join(one["places"])
        yield "  dropped", f"{one['count']}: {one['reason']} ({places})"
    door = account["rejected_at_the_door"]
    if door["count"]:
        words = "rejected at release, outside the budget of the run, which counts the used jobs"
        yield "  at the door", f"{door['count']} {words}; total rejection weight {door['weight']}"
    if account["unit_size"] is not None:
        yield "size", f"every job has size {number(account['unit_size'])}"
    for note in account["notes"]:
        yield "note", note


def run_tables(result: Mapping[str, Any], verdict: Verdict, path: str | None) -> Iterator[RenderableType]:
    """The result table of a run, and what the checker saw."""
    jobs, rejected = result["jobs"], result["rejected"]
    share = f" ({exact.decimal(Fraction(rejected * 100, jobs), 2)} %)" if jobs else ""
    what = "jobs" if result["budget"] == "count" else "rejection weight"
    guesses = result["guesses"]
    doublings = len(guesses) - 1
    rows: list[tuple[str, str | Text]] = [
        *reading_rows(result["reading"]),
        ("problem", f"{result['problem']}, at most {result['epsilon']} of the {what} rejected"),
        ("algorithm", result["algorithm"] + at_speed(result["speed"])),
        ("accepted", str(result["accepted"])),
        ("rejected", f"{rejected}{share}" + (f", {result['late']} of them late" if result["late"] else "")),
        *_weight_rows(result),
        ("guesses", ", ".join(map(number, guesses)) or "none"),
    ]
    if doublings > 0:
        rows.append(
            ("doublings", f"{doublings}; T* is larger than {result['refuted_guesses']} of the guesses, by certificate")
        )
    rows += [
        ("objective", f"{number(result['objective'])}  ({WORDS[result['problem']]}{at_speed(result['speed'])})"),
        ("bound", f"{number(result['bound'], 'down')}  <= T*, from {result['bound_from']}"),
        *([("left out", result["left_out"])] if result["left_out"] else []),
        ("ratio", f"{number(result['ratio'], 'up')}  (objective{at_speed(result['speed'])} / bound)"),
        ("certificate", verdict_text(verdict.verdict)),
    ]
    if result["over_budget_at"] is not None:
        words = f"exceeded when job {result['over_budget_at']} arrived; the certificate claims no budget"
        rows.insert(-1, ("budget", Text(words, style="bold red")))
    if path is not None:
        rows.append(("written to", path))
    yield facts("Certified run", rows)
    if result["speed"] != "1":
        yield Text(
            f"The machines of the run are at speed {result['speed']}, those of the optimum T* at speed 1.",
            style="italic",
        )
    if result["ratio"] is not None and Fraction(result["ratio"]) < 1:
        yield from (Text(words, style="italic") for words in below_one(result))


def below_one(result: Mapping[str, Any]) -> Iterator[str]:
    """Why the ratio of a run can be below 1: it rejected jobs, or had faster machines.

    >>> list(below_one({"rejected": 0, "speed": "5/4"})) == [FASTER], list(below_one({"rejected": 0, "speed": "1"}))
    (True, [])
    """
    if result["rejected"]:
        yield REJECTS
    if Fraction(result["speed"]) > 1:
        yield FASTER


def at_speed(speed: str) -> str:
    """What to add to anything about a run on machines that are not of speed 1, as the optimum's are.

    >>> at_speed("5/4"), at_speed("1")
    (' at speed 5/4', '')
    """
    return "" if speed == "1" else f" at speed {speed}"


def _weight_rows(result: Mapping[str, Any]) -> Iterator[tuple[str, str | Text]]:
    if result["budget"] == "rejection" and Fraction(result["arrived_weight"]):
        share = Fraction(result["rejected_weight"]) * 100 / Fraction(result["arrived_weight"])
        of = f"{number(result['rejected_weight'])} of {number(result['arrived_weight'])}"
        yield "weight", f"rejected {of} ({exact.decimal(share, 2)} %)"
    if result["constants"]:
        yield "constants", ", ".join(f"{key} {value}" for key, value in result["constants"].items())


def witness_table(rows: Sequence[Mapping[str, str]]) -> Table:
    """What each phase leaves behind."""
    table = Table(title="Witnesses", box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for column in rows[0]:
        table.add_column(column, justify="left" if column == "M_s" else "right", overflow="fold")
    for row in rows:
        table.add_row(*(short(cell, TIMES[column]) if column in TIMES else cell for column, cell in row.items()))
    return table


def check_tables(verdict: Verdict, certificate: str, read_as: str | None = None) -> Iterator[RenderableType]:
    """What the checker showed, assumed, and found false; `read_as` says how the user's file was read."""
    rows: list[tuple[str, str | Text]] = [("file", certificate), ("verdict", verdict_text(verdict.verdict))]
    rows += [("file read", read_as)] if read_as else []
    rows += [("shown", line) for line in verdict.shown]
    rows += [("assumed", Text(line, style="yellow")) for line in verdict.assumed]
    rows += [("failed", Text(f"{one.rule} at {one.place}: {one.message}", style="red")) for one in verdict.failed]
    yield facts("Certificate", rows)


def ledger_table(entries: Sequence[Entry], section: str) -> Table:
    """One line a claim: both sides, slack, verdict."""
    table = Table(title=f"Ledger, {section}", box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    table.add_column("claim", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for side in ("lhs", "", "rhs", "slack"):
        table.add_column(side, justify="right" if side else "center", overflow="fold")
    table.add_column("statement", min_width=30)
    for entry in entries:
        document = entry.to_document()
        table.add_row(
            document["id"],
            Text(document["verdict"], style=CLAIM_COLOURS[entry.verdict]),
            short(document["lhs"]),
            document["relation"],
            short(document["rhs"]),
            short(document["slack"], "down"),
            _statement(document),
        )
    return table


def _statement(entry: Mapping[str, str]) -> str:
    hypothesis = f" (if {entry['hypothesis']})" if entry["hypothesis"] else ""
    corrected = f" (corrected by {entry['corrected_by']})" if entry["corrected_by"] else ""
    return entry["statement"] + hypothesis + corrected + (f"  [{entry['where']}]" if entry["where"] else "")


def bound_tables(result: Mapping[str, Any], path: str | None) -> Iterator[RenderableType]:
    """The ladder of bounds on the offline optimum, and what it comes to."""
    if len(result["ladder"]) > 1:
        yield _ladder(result["ladder"], result["upper"])
    end = "optimal" if result["optimal"] else f"upper - lower = {number(result['width'], 'up')}"
    ratio = "" if result["optimal"] or result["ratio"] is None else f", upper / lower = {short(result['ratio'], 'up')}"
    rows: list[tuple[str, str | Text]] = [
        *reading_rows(result["reading"]),
        ("problem", f"{result['problem']}, bounded by: {result['method']}"),
        ("lower", f"{number(result['lower'], 'down')}  <= T*, from {result['bound_from']}"),
        ("upper", f"{number(result['upper'], 'up')}  >= T*, from {result['upper_from']}"),
        ("bracket", Text(end + ratio, style="bold" if result["optimal"] else "")),
    ]
    if result["unproven"] is not None:
        said = number(result["unproven"]["lower"], "down")
        words = f"{said}  <= T* says {result['unproven']['by']}; no certificate shows it"
        rows.append(("unproven", Text(words, style="yellow")))
    rows += [("left out", one) for one in result["skipped"]]
    rows.append(("certificate", verdict_text(result["verdict"])))
    if path is not None:
        rows.append(("written to", path))
    yield facts("Bounds on the offline optimum T*", rows)


def _ladder(rungs: Sequence[Mapping[str, str]], upper: str) -> Table:
    """One line a rung; the last column says how much of the upper bound it reaches."""
    table = Table(title="Ladder of lower bounds", box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for heading in ("rung", "lower bound", "of the upper", "how", "such a bound is at most"):
        right = heading in ("lower bound", "of the upper")
        table.add_column(heading, justify="right" if right else "left", overflow="fold")
    for one in rungs:
        share = exact.decimal(Fraction(one["lower"]) * 100 / Fraction(upper), 1, "down") + " %"
        at_most = "" if one["at_most"] is None else number(one["at_most"], "up")
        table.add_row(one["rung"], number(one["lower"], "down"), share, one["form"] or one["bound_from"], at_most)
    return table


def lp_tables(view: View) -> Iterator[Table]:
    """The optimal duals and the algorithm's own, side by side."""
    document = view.to_document()
    yield facts(
        "Solved",
        [
            ("LP optimum", _between(document["lp_lower"], document["lp_upper"])),
            ("algorithm's bound", number(document["own_bound"], "down")),
        ],
    )
    alpha = Table(title="Dual variables alpha_j", box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for heading in ("job", "optimal", "algorithm"):
        alpha.add_column(heading, justify="left" if heading == "job" else "right")
    for row in document["alpha"]:
        alpha.add_row(str(row["job"]), number(row["optimal"]), number(row["own"]))
    yield alpha
    for heading, rows in (("optimal", document["beta"]["optimal"]), ("algorithm", document["beta"]["own"])):
        if rows:
            yield _beta_table(heading, rows)


def _between(lower: str, upper: str) -> str:
    return number(lower) if lower == upper else f"between {number(lower, 'down')} and {number(upper, 'up')}"


def _beta_table(heading: str, rows: Sequence[Mapping[str, str]]) -> Table:
    title = f"beta of {'machine intervals' if 'start' in rows[0] else 'machines'}, {heading}"
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for column in rows[0]:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(row["machine"], *(number(value) for key, value in row.items() if key != "machine"))
    return table
