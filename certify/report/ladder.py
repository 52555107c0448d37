"""The section with the ladder of bounds: all that the certificate shows about T*, on one axis."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from certify.problems.registry import TRACKS
from certify.report.proof import rejected, speed
from certify.report.section import Section, render
from certify.report.shown import beside, share, width
from certify.words import counted
from online import exact

if TYPE_CHECKING:
    from certify.report.scene import Scene

Kind = Literal["lower", "refuted", "upper", "run"]

ORDER: tuple[Kind, ...] = ("lower", "refuted", "run", "upper")
"""Of rungs of one value."""

TOWARD: Mapping[Kind, exact.Toward] = {"lower": "down", "refuted": "down", "upper": "up", "run": "nearest"}
"""How decimals of rungs are rounded, so that none says more than is shown."""

SPARE = Fraction(21, 20)
"""How much longer the axis is than its largest value."""

RULES = {
    "C0": "the longest job",
    "C3": "an interval family",
    "C4": "prices of machines",
    "C5": "a crowded set of jobs",
    "C6": "a schedule of all jobs",
    "C8": "the adversary's own schedule",
    "C9": "server prices",
    "C10": "a case distinction",
}
"""What a bound by each rule is shown by."""


SIZES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "C3": lambda item: counted(len(item["machine"]), "interval"),
    "C4": lambda item: counted(len(item["machine"]), "machine"),
    "C5": lambda item: counted(len(item["job"]), "job"),
    "C10": lambda item: counted(sum("leaf" in node for node in item["tree"]), "case"),
}
"""How large a piece of evidence is."""


@dataclass(frozen=True)
class Rung:
    """Something about T*: `T* >= value` (lower), `T* > value` (refuted guess), `T* <= value`; or the run's objective.

    `value` is in the units of the input; `by` says how it is shown, `rule` by which rule of the checker. `above`: T* is
    at most this, also as the objective of a run that rejects nobody.
    """

    kind: Kind
    value: Fraction
    by: str
    rule: str = ""
    above: bool = False


def ladder(scene: Scene) -> Section | None:
    """All bounds on T* in the certificate, and the run; None where there are none."""
    found = rungs(scene)
    if not any(rung.kind in ("lower", "upper") for rung in found):
        return None
    return Section("ladder", "The ladder of bounds", render("ladder", **_content(scene, found)))


def rungs(scene: Scene) -> list[Rung]:
    """Every goal that says something about T* or the run's objective, by value from the least."""
    found = [rung for goal in scene.goals for rung in _rungs(goal, scene)]
    return sorted(found, key=lambda rung: (rung.value, ORDER.index(rung.kind)))


def _rungs(goal: Mapping[str, Any], scene: Scene) -> Iterator[Rung]:
    claim, item = goal["claim"], scene.evidence[goal["evidence"]] if "evidence" in goal else {}
    rule, by = item.get("rule", ""), _words(item, scene.problem)
    if claim in ("lower-bound", "upper-bound"):
        kind: Kind = "lower" if claim == "lower-bound" else "upper"
        yield Rung(kind, exact.rational(goal["value"]) * scene.unit, by, rule, kind == "upper")
    elif claim == "refuted-guess":
        guess = exact.rational(scene.document["run"]["phases"][goal["phase"]]["guess"])
        yield Rung("refuted", guess * scene.unit, f"guess of phase {goal['phase'] + 1}, refuted by {by}", rule)
    elif claim == "game" and scene.problem in TRACKS:
        yield Rung("upper", exact.rational(goal["opt"]) * scene.unit, by, rule, True)
    elif claim == "objective":
        yield Rung("run", exact.rational(goal["value"]) * scene.unit, *_run(scene))


def _words(item: Mapping[str, Any], problem: str) -> str:
    if not item:
        return "no objective is negative"
    words = RULES.get(item["rule"], f"rule {item['rule']}")
    if problem == "load" and item["rule"] in ("C6", "C8"):
        words = words.replace("a schedule", "an assignment").replace("schedule", "assignment")
    origin = item.get("origin", words)
    told = origin if words in origin or item["rule"] == "C0" else words if words.startswith(origin) else None
    told = told or f"{words}: {origin}"
    size = SIZES.get(item["rule"])
    return f"{told}, {size(item)}" if size else told


def _run(scene: Scene) -> tuple[str, str, bool]:
    """What the run is, in words; no rule of its own; and whether it is a schedule of all jobs, as T* is the best of."""
    count, factor = rejected(scene.document), speed(scene.document)
    without = f", which rejects {counted(count, 'job')}" if count else ", which rejects nobody"
    without = without if scene.problem in TRACKS else ""
    faster = "" if factor == 1 else f", on machines of speed {factor}"
    return f"the objective of the run{without}{faster}", "", not count and factor == 1


def _content(scene: Scene, found: Sequence[Rung]) -> dict[str, Any]:
    lower = max((rung.value for rung in found if rung.kind == "lower"), default=None)
    upper = min((rung.value for rung in found if rung.above), default=None)
    end = max(rung.value for rung in found) * SPARE
    return {
        "rows": [_row(rung, end, upper, lower) for rung in found],
        "lower": lower,
        "upper": upper,
        "known": lower is not None and lower == upper,
        "gap": _part(lower, upper, end),
        "command": command(scene) if upper is None or lower is None or lower < upper else None,
        "whole": sum(rung.kind == "lower" for rung in found) > 1 and upper is not None,
        "end": end,
        "beside": beside,
        "share": share,
        "optimum": scene.optimum,
        "toward": TOWARD,
    }


def _row(rung: Rung, end: Fraction, upper: Fraction | None, lower: Fraction | None) -> dict[str, Any]:
    return {
        "rung": rung,
        "start": width(rung.value, end),
        "of": share(rung.value, upper, "down") if upper and not rung.above else "",
        "best": (rung.kind == "lower" and rung.value == lower) or (rung.above and rung.value == upper),
    }


def _part(lower: Fraction | None, upper: Fraction | None, end: Fraction) -> tuple[str, str]:
    """Where T* may be on the axis: its start and its width."""
    first = Fraction(0) if lower is None else lower
    return width(first, end), width((end if upper is None else upper) - first, end)


def command(scene: Scene) -> str | None:
    """The command that climbs the whole ladder on the file that the certificate is about; None if there is none.

    Only the name of the file is known, and how it was read.
    """
    if scene.problem not in TRACKS:
        return None
    source = scene.document.get("source", {})
    words = ["dualfit", "bound", source.get("file", "FILE"), "--problem", scene.problem]
    for name, value in source.get("options", {}).items():
        flag = f"--{name.replace('_', '-')}"
        words += [flag] if value is True else [flag, str(value)]
    if "unit_size" in source:
        words += ["--size", f"one:{source['unit_size']}"]
    return shlex.join(words)
