"""The ratios of runs against epsilon, from their certificates, in the form of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from certify.evidence import Document
from certify.report.scene import Scene
from certify.show import at_speed
from online import exact
from online.errors import InvalidInput, Problem

HAS_SHARE = "runs that may reject an epsilon share"


def compared(found: Mapping[str, Scene]) -> Document:
    """The runs in accepted certificates, by file, set against the best bound of them all.

    Raises: `InvalidInput` naming the file that has no run with an epsilon, or is of another problem or instance.
    """
    first, *_ = found
    scenes = list(found.values())
    for file, scene in found.items():
        for key, what in (("problem", "problem"), ("sha256", "instance")):
            own, other = (str(one.document[key]) for one in (scene, scenes[0]))
            if own != other:
                expected, fix = f"that of {first}, {other[:12]}", "draw them one by one"
                raise InvalidInput(Problem(file, f"another {what}", own[:12], expected, fix))
    uppers = [
        exact.rational(goal["value"]) for scene in scenes for goal in scene.goals if goal["claim"] == "upper-bound"
    ]
    bound = max(scene.bound for scene in scenes)
    return {
        "problem": scenes[0].problem,
        "lower": exact.text(bound * scenes[0].unit),
        "upper": exact.text(min(uppers, default=Fraction(0)) * scenes[0].unit),
        "reading": {"file": scenes[0].name},
        "rows": sorted(
            (_row(file, scene, bound) for file, scene in found.items()),
            key=lambda row: (row["algorithm"], row["epsilon"]),
        ),
    }


def _row(file: str, scene: Scene, bound: Fraction) -> Document:
    run = scene.run
    if run is None:
        got, fix = f"a certificate of {scene.problem} without such a run", "use certificates of dualfit run"
        raise InvalidInput(Problem(file, "no epsilon", got, HAS_SHARE, fix))
    constants = "".join(f", {name} {value}" for name, value in run.parameters.items())
    return {
        "algorithm": run.algorithm + at_speed(exact.text(run.speed)) + constants,
        "epsilon": exact.text(run.epsilon),
        "refused": None,
        "ratio": exact.text(Fraction(run.objective) / bound) if bound else None,
    }
