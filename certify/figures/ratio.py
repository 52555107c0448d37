"""The ratios of runs against epsilon, from their certificates, in the form of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.evidence import Document
from certify.report.scene import Scene
from certify.show import at_speed
from online import exact
from online.errors import InvalidInput, Problem


def compared(scenes: Sequence[Scene]) -> Document:
    """The runs in accepted certificates, set against the best bound of them all.

    Raises: `InvalidInput` if one has no run with an epsilon, or they are not of one problem and one instance.
    """
    first = scenes[0].document
    for scene in scenes:
        for key, what in (("problem", "problem"), ("sha256", "instance")):
            if scene.document[key] != first[key]:
                got, expected = str(scene.document[key])[:12], f"that of {scenes[0].name}, {str(first[key])[:12]}"
                fix = "draw them one by one"
                raise InvalidInput(Problem(scene.name, f"another {what}", got, expected, fix))
    uppers = [
        exact.rational(goal["value"]) for scene in scenes for goal in scene.goals if goal["claim"] == "upper-bound"
    ]
    bound = max(scene.bound for scene in scenes)
    return {
        "problem": scenes[0].problem,
        "lower": exact.text(bound * scenes[0].unit),
        "upper": exact.text(min(uppers, default=Fraction(0)) * scenes[0].unit),
        "reading": {"file": scenes[0].name},
        "rows": sorted((_row(scene, bound) for scene in scenes), key=lambda row: (row["algorithm"], row["epsilon"])),
    }


def _row(scene: Scene, bound: Fraction) -> Document:
    run = scene.run
    if run is None:
        got, fix = f"a certificate of {scene.problem} without such a run", "use certificates of dualfit run"
        raise InvalidInput(Problem(scene.name, "no epsilon", got, "a run that may reject an epsilon share", fix))
    constants = "".join(f", {name} {value}" for name, value in run.parameters.items())
    return {
        "algorithm": run.algorithm + at_speed(exact.text(run.speed)) + constants,
        "epsilon": exact.text(run.epsilon),
        "refused": None,
        "ratio": exact.text(Fraction(run.objective) / bound) if bound else None,
    }
