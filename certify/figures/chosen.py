"""Which families of a certificate are drawn: of the algorithm that made the run, or of the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

from certify.evidence import DensityPart, FamilyPart, SetPart, part_of
from certify.report.scene import Scene
from online import exact
from online.errors import InvalidInput, Problem
from online.load_witness import ClassWitness, LoadWitness
from online.weighted.trail import Trail

if TYPE_CHECKING:
    from online.algorithm import Explanation

DRAWN = ("C3", "C4", "C5", "C9")
"""The rules of evidence that there is a picture for."""


def explained(scene: Scene, phase: int | None) -> tuple[int, Explanation] | None:
    """The phase (from 1; None: the one that shows most about T*) and its explanation; None if there is no witness.

    Raises: `InvalidInput` for a phase that there is not, or has no witness.
    """
    found = {number: one for number, one in enumerate(scene.explanations, start=1) if one is not None}
    if phase is not None:
        if phase not in found:
            phases = f"one of 1 to {len(scene.explanations)}" if found else "a run whose algorithm leaves a witness"
            raise InvalidInput(Problem("--phase", "no such phase", str(phase), phases, "choose another, or omit it"))
        return phase, found[phase]
    if not found:
        return None
    best = max(found, key=lambda number: _worth(scene, found[number])) if len(found) > 1 else next(iter(found))
    return best, found[best]


def _worth(scene: Scene, explanation: Explanation) -> tuple[Fraction, int, int]:
    """What a phase shows about T*, then how many intervals or machine sets there are to see, then how many jobs."""
    assert scene.instance is not None
    assert scene.run is not None
    part = part_of(scene.instance, explanation)
    phase = scene.run.phases[explanation.number] if isinstance(explanation, Trail) else explanation.phase
    value, shown = Fraction(0), 0
    if isinstance(explanation, LoadWitness):
        shown = sum(sum(one.sizes_of_sets[1:]) for one in explanation.classes)
        if isinstance(part, SetPart) and part.level:
            value = part.value
    elif isinstance(part, (DensityPart, FamilyPart)):
        value, shown = max(part.value, Fraction(0)), len(part.family)
    return value, shown, phase.last - phase.first + 1


def class_of(scene: Scene, found: LoadWitness, level: int | None) -> ClassWitness:
    """The size class whose sets M_s show most about T*; without such a set, that with the largest sets, or most jobs.

    With `level` s, among the classes that have an M_s, if there is one.
    """
    assert scene.instance is not None
    best = SetPart.of(scene.instance, found)
    if level is None and best is not None and best.level:
        return next(one for one in found.classes if one.name == best.size_class)
    levels = slice(1, None) if level is None else slice(level, level + 1)
    return max(found.classes, key=lambda one: (sum(one.sizes_of_sets[levels]), len(one.accepted) + len(one.rejected)))


def item_of(scene: Scene, number: int | None) -> int:
    """The item of evidence to draw (from 0); None: that of the largest lower bound that there is a picture for.

    Raises: `InvalidInput` if there is none.
    """
    known = [k for k, item in enumerate(scene.evidence) if item["rule"] in DRAWN]
    if number is not None and number not in known:
        _refuse("--evidence", f"evidence {number}", known)
    if number is not None:
        return number
    lower = [goal for goal in scene.goals if goal["claim"] == "lower-bound" and goal.get("evidence") in known]
    if not lower and not known:
        _refuse(
            "certificate",
            f"evidence of {', '.join(sorted({item['rule'] for item in scene.evidence})) or 'no rule'}",
            known,
        )
    return max(lower, key=lambda goal: exact.rational(goal["value"]))["evidence"] if lower else known[0]


def _refuse(place: str, got: str, known: Sequence[int]) -> NoReturn:
    expected = f"evidence {', '.join(map(str, known))}" if known else f"evidence of rule {', '.join(DRAWN)}"
    fix = "choose one of these" if known else "dualfit bound --method lp or hall gives intervals or windows"
    raise InvalidInput(Problem(place, "no family to draw", got, expected, fix))


def refuse_options(given: Mapping[str, object], reason: str) -> None:
    """Raises: `InvalidInput` if one of these options was given where it says nothing."""
    for option, value in given.items():
        if value is not None:
            got = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            raise InvalidInput(Problem(option, reason, got, "no such option here", f"omit {option}"))


def one_of(option: str, value: int, known: Sequence[int], what: str) -> int:
    """The value. Raises: `InvalidInput` naming those that exist."""
    if value not in known:
        shown = ", ".join(map(str, known[:20])) + (", ..." if len(known) > 20 else "")
        raise InvalidInput(
            Problem(option, f"no such {what}", str(value), f"one of {shown or 'none'}", "choose another")
        )
    return value
