"""The section with the proof, in two lines, that no schedule without rejection does better than the bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from certify.problems.registry import TRACKS
from certify.report.argument import Argument, Ground, argument
from certify.report.case_tree import Case, cases
from certify.report.section import Section, render
from certify.report.shown import beside, exactly
from online import exact
from online.run import REJECTED, WORDS

if TYPE_CHECKING:
    from certify.report.scene import Scene

CASES = 8
"""Most cases of a case distinction that are shown."""

PARTS = 12
"""Most lines of a table of the derivation; the rest is one line."""

NAMES = 30
"""Most names that are listed."""


def proof(scene: Scene) -> Section | None:
    """The weak-duality proof of the certificate's best lower bound, with the numbers of this very run.

    None for a certificate without a lower bound, and where machines have speeds: those have a section of their own.
    """
    goal = best_goal(scene.goals)
    if goal is None or scene.problem not in TRACKS:
        return None
    return Section("proof", "The proof of the bound, with its numbers", render("proof", **_content(scene, goal)))


def best_goal(goals: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The largest lower bound, the first among equals; None without one.

    >>> best_goal([{"claim": "lower-bound", "value": "5/2"}, {"claim": "lower-bound", "value": 2}])["value"]
    '5/2'
    """
    lower = [goal for goal in goals if goal["claim"] == "lower-bound"]
    return max(lower, key=lambda goal: exact.rational(goal["value"]), default=None)


def _content(scene: Scene, goal: Mapping[str, Any]) -> dict[str, Any]:
    assert scene.instance is not None
    ground, evidence = Ground.of(scene.problem, scene.instance), None
    if "evidence" in goal:
        evidence = scene.evidence[goal["evidence"]]
    return {
        "claimed": exact.rational(goal["value"]) * scene.unit,
        "found": None if evidence is None else proven(evidence, ground),
        "origin": (evidence or {}).get("origin"),
        "objective": _objective(scene),
        "problem": scene.problem,
        "objective_words": WORDS[scene.problem].replace(" of an accepted job", ""),
        "rejected": rejected(scene.document),
        "speed": speed(scene.document),
        "others": sum(one["claim"] == "lower-bound" for one in scene.goals) - 1,
        "exactly": exactly,
        "beside": beside,
        "named": named,
        "first": first,
    }


def proven(evidence: Mapping[str, Any], ground: Ground) -> Argument:
    """The proof by any evidence for a lower bound, a case distinction included: its terms hold the first cases.

    Claim: as `argument`; each case shows `value` at least.
    """
    if evidence["rule"] != "C10":
        return argument(evidence, ground)
    tree = evidence["tree"]
    shown = [(_fixed(case, ground), _case(case, ground)) for case in islice(cases(tree, ground.instance), CASES)]
    count = sum("leaf" in node for node in tree)
    jobs = len({node["split"] for node in tree if "split" in node})
    terms = {"cases": shown, "count": count, "jobs": jobs}
    return Argument("C10", exact.rational(evidence["value"]) * ground.unit, terms)


def _case(case: Case, ground: Ground) -> Argument:
    return argument(case.evidence, Ground.of(ground.problem, case.of(ground.instance)))


def _fixed(case: Case, ground: Ground) -> list[tuple[Any, list[str]]]:
    """The last word on each split job, by name."""
    last = dict(case.fixed)
    return [(ground.instance.ids[job], list(map(ground.instance.machine_name, own))) for job, own in last.items()]


def _objective(scene: Scene) -> Fraction | None:
    claimed = [goal for goal in scene.goals if goal["claim"] == "objective"]
    return exact.rational(claimed[0]["value"]) * scene.unit if claimed else None


def rejected(document: Mapping[str, Any]) -> int:
    """How many jobs the run of a certificate rejects, on arrival or late; 0 without a run."""
    run = document.get("run", {})
    return list(run.get("dispatch", [])).count(REJECTED) + len(run.get("late", {}).get("job", []))


def speed(document: Mapping[str, Any]) -> Fraction:
    """The speed of the machines of a certificate's run."""
    return exact.rational(document.get("run", {}).get("speed", 1))


def first(parts: Sequence[Any]) -> dict[str, Any]:
    """The first lines of a table, how many `more` there are, and what the `rest` adds up to."""
    shown, rest = parts[:PARTS], parts[PARTS:]
    if len(rest) == 1:
        shown, rest = parts, []
    return {
        "shown": shown,
        "rest": rest,
        "more": len(rest),
        "count": sum(part.count for part in rest),
        "amount": sum((part.amount for part in rest), Fraction(0)),
        "product": sum((part.key * part.amount for part in rest if type(part.key) is int), Fraction(0)),
    }


def named(names: Sequence[Any]) -> str:
    """Names with commas, and how many more there are.

    >>> named(["a", 2]), named(list(range(40)))[-14:]
    ('a, 2', '29 and 10 more')
    """
    listed = ", ".join(map(str, names[:NAMES]))
    return listed if len(names) <= NAMES else f"{listed} and {len(names) - NAMES} more"
