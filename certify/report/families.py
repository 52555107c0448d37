"""The interval families as in Figures 1, 3 and 4: bars over the releases, level by level, and what they count."""

from __future__ import annotations

from certify.report.canvas import undrawable
from certify.report.drawn_family import families_of, few
from certify.report.families_figure import figures, span
from certify.report.scene import Scene
from certify.report.section import Section, render


def families(scene: Scene) -> Section | None:
    """The families of the evidence and of the run; None where there is none."""
    found, left = few(families_of(scene))
    if not found or scene.instance is None:
        return None
    undrawn = undrawable(scene.instance.machines, span(scene.instance, found))
    html = render("families", left=left, run=scene.run, undrawn=undrawn)
    models = {} if undrawn else figures(scene, found)
    return Section("families", "Interval families, and where each alpha_j comes from", html, models)
