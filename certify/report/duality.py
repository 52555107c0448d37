"""The section with both linear programs side by side: a point of each, tight rows marked, where the gap comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from certify.problems.registry import TRACKS
from certify.report.argument import Ground
from certify.report.points import Dual, Primal, dual_point, primal_point
from certify.report.programs import View, large_view, small_view
from certify.report.proof import rejected
from certify.report.section import Section, render
from certify.report.shown import beside
from lp.complementary import PrimalDual, Shape, optimal_pair
from online.errors import DualfitError, LimitReached

if TYPE_CHECKING:
    from certify.report.scene import Scene

WHOLE = 150
"""Most rows of intervals, and most pairs of a job and a machine, of programs that are written out."""

PAIRS = 5_000_000
"""Most pairs of a job and a machine that are looked at."""


def duality(scene: Scene) -> Section | None:
    """Both programs of the problem at the certificate's own points and, where they are small, at optimal ones.

    None without jobs, where machines have speeds, and for programs too large to look at.
    """
    instance = scene.instance
    if scene.problem not in TRACKS or instance is None or not instance.n or instance.pairs > PAIRS:
        return None
    ground = Ground.of(scene.problem, instance)
    shape = small_shape(ground)
    primal, dual = primal_point(scene, ground), dual_point(scene, ground)
    own = None if dual is None else own_view(ground, shape, primal, dual)
    best, missing = (None, "") if shape is None else _optimal(ground, shape)
    if own is None and best is None:
        return None
    content = {
        "ground": ground,
        "lemma": {"max-flow": "Lemma 6.1", "load": "section 5"}.get(scene.problem, "Lemma 6.6"),
        "primal": primal,
        "dual": dual,
        "own": own,
        "best": best,
        "missing": missing,
        "bound": scene.bound,
        "rejected": rejected(scene.document),
        "beside": beside,
    }
    return Section("duality", "Primal and dual, side by side", render("duality", **content))


def small_shape(ground: Ground) -> Shape | None:
    """The program's rows, if they are few enough to be written out."""
    if ground.instance.pairs > WHOLE:
        return None
    if ground.problem == "load":
        return Shape.of_load(ground.instance) if ground.instance.machines <= WHOLE else None
    try:
        return Shape.of(ground.instance, WHOLE, ground.weights)
    except LimitReached:
        return None


def own_view(ground: Ground, shape: Shape | None, primal: Primal, dual: Dual) -> View:
    """The points that a certificate gives, row by row where the program is small."""
    family = dual.family(ground)
    if shape is None:
        return large_view(ground, primal, family)
    b = shape.prices(family.multiplicity.tolist()) if ground.problem == "load" else shape.multipliers(family)
    return small_view(ground, PrimalDual(shape, primal.T, shape.dispatched(primal.dispatch), b))


def _optimal(ground: Ground, shape: Shape) -> tuple[View | None, str]:
    try:
        return small_view(ground, optimal_pair(shape)), ""
    except DualfitError as failed:
        return None, str(failed)
