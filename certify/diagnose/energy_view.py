"""A diagnosis of server prices as one JSON object, and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from certify.diagnose.energy import PriceDiagnosis
from certify.diagnose.view import table
from certify.show import facts, number, reading_rows, verdict_text
from certify.words import all_hold, violated
from online import exact

CONSTRAINT = "phi_j <= flow time + energy + rent of job j served alone, for every job j; bound = sum phi - m * rent"


def to_document(found: PriceDiagnosis, account: Mapping[str, Any], verdict: str) -> dict[str, Any]:
    """The diagnosis as one JSON object; numbers are exact texts in the input's units."""
    claim, tick = found.claim, found.claim.instance.tick
    ids = claim.instance.ids

    def shown(value: Fraction | None) -> str | None:
        return None if value is None else exact.text(value * tick)

    return {
        "problem": "energy",
        "power": str(claim.power),
        "constraint": CONSTRAINT,
        "feasible": found.feasible,
        "constraints": 0 if claim.phi is None else claim.instance.n,
        "violated": len(found.violations),
        "duals": [
            {"job": ids[one.job], "phi": shown(one.phi), "at_most": shown(one.most), "deficit": shown(one.deficit)}
            for one in found.violations
        ],
        "open": [ids[j] for j in found.open],
        "rent": shown(claim.rent),
        "claimed": shown(found.says),
        "scaling": None if found.scaling is None else exact.text(found.scaling),
        "scaled": shown(found.scaled),
        "repaired": shown(found.repaired),
        "most": shown(found.most),
        "bound": shown(claim.bound),
        "bound_holds": found.bound_holds,
        "notes": list(claim.notes),
        "verdict": verdict,
        "reading": dict(account),
    }


def tables(result: Mapping[str, Any], show: int, path: str | None) -> Iterator[RenderableType]:
    """The diagnosis for people: violated duals, the first `show`, and what the bound becomes."""
    if result["duals"]:
        more = f"; the first {show} of {len(result['duals'])}" if len(result["duals"]) > show else ""
        shown = table(f"Violated duals{more}", "job", "phi", "served alone for", "deficit, at least", right=(1, 2, 3))
        for row in result["duals"][:show]:
            numbers = (number(row["phi"]), number(row["at_most"], "up"), number(row["deficit"], "down"))
            shown.add_row(str(row["job"]), *numbers)
        yield shown
    rows: list[tuple[str, str | Text]] = [
        *reading_rows(result["reading"]),
        ("problem", f"energy, P(s) = {result['power']}"),
        ("constraints", result["constraint"]),
        ("claim", _verdict(result)),
    ]
    rows += [("note", one) for one in result["notes"]]
    if result["claimed"] is not None:
        words = "" if result["feasible"] else "; proves nothing"
        rows.append(("as claimed", number(result["claimed"], "down") + words))
    if result["scaled"] is not None:
        rows.append(("scaled", f"{number(result['scaled'], 'down')}, phi times {number(result['scaling'])}"))
    repaired, most = number(result["repaired"], "down"), number(result["most"], "up")
    rows.append(("repaired", f"{repaired}; no duals at these prices prove {most}"))
    if result["bound"] is not None:
        proven = result["bound_holds"]
        words = "proven" if proven else "neither proven nor refuted by these prices"
        rows.append((f"OPT >= {result['bound']}", Text(words, style="green" if proven else "yellow")))
    rows.append(("certificate", verdict_text(result["verdict"])))
    rows += [("written to", path)] if path is not None else []
    yield facts("Diagnosis of a claim", rows)


def _verdict(result: Mapping[str, Any]) -> Text:
    if result["feasible"]:
        return Text(f"feasible: {all_hold(result['constraints'], 'dual')}", style="bold green")
    rest = f"{len(result['open'])} within rounding, neither proven nor refuted" if result["open"] else ""
    if not result["violated"]:
        return Text(rest, style="yellow")
    words = violated(result["violated"], result["constraints"], "dual")
    return Text("; ".join(filter(None, (words, rest))), style="bold red")
