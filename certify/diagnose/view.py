"""A diagnosis as one JSON object, and as tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from certify.diagnose.claim import Claim
from certify.diagnose.diagnosis import Diagnosis, Standing
from certify.diagnose.smallest import Smallest
from certify.diagnose.violation import SignViolation, counting
from certify.show import facts, number, reading_rows, short
from certify.words import all_hold, counted, violated
from online import exact

ROWS = {
    "family": "alpha_j <= sum of b that count j on i, for every job j and every i in S_j; bound = (A - L) / W",
    "dual": "a_j <= p_j * (sum of b that count j on i), for every job j and every i in S_j; W <= 1; bound = A - L",
}

Numbers = Mapping[str, Any]


def _text(value: Fraction | None) -> str | None:
    return None if value is None else exact.text(value)


def to_document(found: Diagnosis, account: Numbers, verdict: str | None = None) -> dict[str, Any]:
    """The diagnosis as one JSON object; numbers are exact texts in the input's units."""
    claim = found.claim
    return {
        "problem": claim.problem,
        "normalisation": claim.normalisation,
        "constraint": ROWS[claim.normalisation],
        "feasible": found.feasible,
        "constraints": found.violations.constraints,
        "violated": found.violations.count,
        "rows": _rows(found),
        "signs": [_sign(claim, one) for one in found.violations.signs],
        "excess": exact.text(found.violations.excess),
        "claimed": _claimed(found),
        "scaling": _scaling(found),
        "repairs": _repairs(found),
        "lp": None if found.lp is None else {"lower": exact.text(found.lp[0]), "upper": exact.text(found.lp[1])},
        "lower": exact.text(found.lower),
        "upper": exact.text(found.upper),
        "statements": [_standing(one) for one in found.standings],
        "holds": found.holds,
        "smallest": _smallest(found.smallest),
        "skipped": list(found.skipped),
        "idle": found.idle,
        "notes": list(claim.notes),
        "verdict": verdict,
        "reading": dict(account),
    }


def _rows(found: Diagnosis) -> list[dict[str, Any]]:
    claim, rows = found.claim, found.violations.rows
    return [
        {
            "job": claim.instance.ids[row.job],
            "machine": claim.instance.machine_name(row.machine),
            "left": exact.text(row.left),
            "right": exact.text(row.right),
            "deficit": exact.text(row.deficit),
            "intervals": by.intervals,
            "some": [_interval(claim, k) for k in by.some],
        }
        for row, by in zip(rows, counting(claim, rows), strict=True)
    ]


def _interval(claim: Claim, k: int) -> dict[str, Any]:
    """Interval k, numbered from 1 as in the claim."""
    family, instance = claim.family, claim.instance
    assert family is not None
    unit = instance.tick / family.per_tick
    return {
        "number": k + 1,
        "machine": instance.machine_name(int(family.machine[k])),
        "start": exact.text(int(family.start[k]) * unit),
        "end": exact.text(int(family.end[k]) * unit),
        "weight": exact.text(family.weights[int(family.weight_class[k])] * claim.unit_weight),
        "b": exact.text(Fraction(int(family.multiplicity[k]), claim.scale)),
    }


def _sign(claim: Claim, one: SignViolation) -> dict[str, Any]:
    which = {"job": claim.instance.ids[one.number]} if one.variable == "alpha" else _interval(claim, one.number)
    return {"variable": one.variable, "value": exact.text(one.value), **which}


def _claimed(found: Diagnosis) -> dict[str, Any]:
    claim = found.claim
    if claim.family is None:
        return dict.fromkeys(("volume", "length", "share", "bound"))
    made_of = claim.reckoned()
    return {**{name: exact.text(one) for name, one in made_of._asdict().items()}, "bound": _text(claim.says)}


def _scaling(found: Diagnosis) -> dict[str, Any] | None:
    if found.scaling is None:
        return None
    factor, job, whole, bound = found.scaling
    words = {"alpha": exact.text(factor), "tight_at": found.claim.instance.ids[job]}
    return {**words, "whole": exact.text(whole), "bound": exact.text(bound)}


def _repairs(found: Diagnosis) -> list[dict[str, Any]]:
    return [
        {
            "repair": one.name,
            "words": one.words,
            "bound": exact.text(one.bound),
            "intervals": len(one.family),
            "lowered": one.lowered,
            "raised": one.raised,
        }
        for one in found.repairs
    ]


def _smallest(found: Smallest | None) -> dict[str, Any] | None:
    if found is None:
        return None
    assert found.claim.family is not None
    instance = found.instance
    return {
        "kind": found.kind,
        "words": found.words,
        "jobs": list(instance.ids),
        "machines": list(instance.machine_names or ()),
        "intervals": len(found.claim.family),
    }


def _standing(one: Standing) -> dict[str, Any]:
    return {
        "statement": f"T* {'>' if one.strict else '>='} {exact.text(one.value)}",
        "standing": "proven" if one.proven_by else "false" if one.false else "open",
        "proven_by": one.proven_by,
    }


def tables(result: Numbers, show: int, written: Sequence[tuple[str, str]] = ()) -> Iterator[RenderableType]:
    """The diagnosis for people: violated constraints (the first `show`), what becomes of the bound, what is known."""
    if result["rows"]:
        yield _row_table(result["rows"], show)
    if result["signs"]:
        yield _sign_table(result["signs"], show)
    bounds = _bound_table(result)
    if bounds.row_count:
        yield bounds
    rows: list[tuple[str, str | Text]] = [
        *reading_rows(result["reading"]),
        ("problem", result["problem"]),
        ("constraints", result["constraint"]),
        ("claim", _verdict(result)),
    ]
    rows += [("note", one) for one in result["notes"]]
    rows += [("note", f"{counted(result['idle'], 'interval')} without a job to count")] if result["idle"] else []
    if Fraction(result["excess"]) > 0:
        rows.append(("sum", Text(f"W = sum of b / weight is over 1 by {number(result['excess'])}", style="bold red")))
    rows += [(one["statement"], _statement(one, result)) for one in result["statements"]]
    rows.append(("known", f"{number(result['lower'], 'down')} <= T* <= {number(result['upper'], 'up')}"))
    rows += _smallest_rows(result["smallest"])
    rows += [("left out", one) for one in result["skipped"]]
    rows += written
    yield facts("Diagnosis of a claim", rows)


def _smallest_rows(found: Numbers | None) -> Iterator[tuple[str, str]]:
    if found is not None:
        sizes = {"job": len(found["jobs"]), "machine": len(found["machines"]), "interval": found["intervals"]}
        parts = [counted(size, noun) for noun, size in sizes.items() if size]
        yield "smallest", f"{', '.join(parts)}: {found['words']}"


def _verdict(result: Numbers) -> Text:
    if result["feasible"]:
        return Text(f"feasible: {all_hold(result['constraints'], 'constraint')}", style="bold green")
    return Text(violated(result["violated"], result["constraints"], "constraint"), style="bold red")


def _statement(one: Numbers, result: Numbers) -> Text:
    if one["standing"] == "proven":
        return Text(f"proven by {one['proven_by']}", style="green")
    if one["standing"] == "false":
        return Text(f"false: {number(result['upper'], 'up')} is possible", style="bold red")
    return Text("neither proven nor refuted", style="yellow")


def _row_table(rows: Sequence[Numbers], show: int) -> Table:
    shown = rows[:show]
    more = f"; the first {len(shown)} of {len(rows)}" if len(rows) > len(shown) else ""
    headings = ("job", "machine", "left", "right", "deficit", "counted by")
    made = table(f"Violated constraints{more}", *headings, right=(2, 3, 4))
    for row in shown:
        numbers = (number(row[name]) for name in ("left", "right", "deficit"))
        made.add_row(str(row["job"]), row["machine"], *numbers, _counted_by(row))
    return made


def _counted_by(row: Numbers) -> str:
    named = "; ".join(f"{_times(one)}[{short(one['start'])}, {short(one['end'])}]" for one in row["some"])
    rest = row["intervals"] - len(row["some"])
    return (named or "no interval") + (f" and {rest} more" if rest else "")


def _times(one: Numbers) -> str:
    weight = "" if one["weight"] == "1" else f" (weight {short(one['weight'])})"
    return f"{short(one['b'])}x{weight} "


def _sign_table(signs: Sequence[Numbers], show: int) -> Table:
    more = f"; the first {show} of {len(signs)}" if len(signs) > show else ""
    made = table(f"Variables below 0{more}", "variable", "of", "value", right=(2,))
    for one in signs[:show]:
        of = f"job {one['job']}" if one["variable"] == "alpha" else f"interval {one['number']} on {one['machine']}"
        made.add_row(one["variable"], of, number(one["value"]))
    return made


def _bound_table(result: Numbers) -> Table:
    made = table("What the bound becomes", "", "bound on T*", "how", right=(1,))
    claimed, scaled = result["claimed"], result["scaling"]
    if claimed["bound"] is not None:
        how = f"A = {short(claimed['volume'])}, L = {short(claimed['length'])}, W = {short(claimed['share'])}"
        how += "" if result["feasible"] else "; proves nothing"
        made.add_row("as claimed", number(claimed["bound"], "down"), how)
    if scaled is not None:
        how = f"duals times {number(scaled['alpha'])}, held there by job {scaled['tight_at']}"
        how += "" if scaled["whole"] == "1" or result["normalisation"] == "family" else f"; all times {scaled['whole']}"
        made.add_row("scaled", number(scaled["bound"], "down"), how)
    for one in result["repairs"]:
        changed = "" if one["lowered"] is None else f"; lowered {one['lowered']}, raised {one['raised']}"
        made.add_row(f"repair: {one['repair']}", number(one["bound"], "down"), one["words"] + changed)
    if result["lp"] is not None:
        lower = number(result["lp"]["lower"], "down")
        made.add_row("linear program", lower, "any intervals: no such claim proves more")
    return made


def table(title: str, *headings: str, right: Collection[int] = ()) -> Table:
    """An empty table; the columns `right` are numbers."""
    made = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for k, heading in enumerate(headings):
        made.add_column(heading, justify="right" if k in right else "left", overflow="fold")
    return made
