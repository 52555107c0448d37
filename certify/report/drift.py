"""The section about a drift: the potential between the run and another schedule, and both sides of (7), over time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from certify.report.canvas import DIM, INK, PART, blank, undrawable, window
from certify.report.columns import drawn
from certify.report.energy import Speeds
from certify.report.scene import Scene
from certify.report.section import Section, render
from certify.report.shown import beside, exactly, nearly
from certify.speed.drift import Drift, Piece
from certify.speed.plots import Curves, curves
from certify.speed.potential import Potential
from online import exact

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.models import ColumnDataSource, Range1d
    from bokeh.plotting import figure

LISTED = 12
"""So many pieces are listed, the tightest ones."""


def drift(scene: Scene) -> Section | None:
    """That the run costs at most c times another schedule, moment by moment; None for a certificate without a drift."""
    found, goals = Speeds.of(scene), [goal for goal in scene.goals if goal["claim"] == "drift"]
    if found is None or found.run is None or found.reference is None or not goals:
        return None
    evidence, tick = scene.evidence[goals[0]["evidence"]], found.instance.tick
    ratio = exact.rational(goals[0]["value"])
    between = Drift(found.run, found.reference, reopen_potential(evidence))
    spoken = [piece for piece in between.pieces if piece.left or piece.reference.pays]
    tightest = sorted(spoken, key=lambda piece: (ratio * piece.reference.pays - piece.left, piece.start))
    values: dict[str, Any] = {
        "ratio": ratio,
        "shortest": evidence.get("class", "any") == "srpt",
        "cost": found.run.cost * tick,
        "other": found.reference.cost * tick,
        "least": between.ratio,
        "pieces": len(between.pieces),
        "highest": max(between.phi, default=Fraction(0)) * tick,
        "steps": between.potential.steps,
        "linear": between.potential.linear,
        "rows": [_row(piece, ratio, tick) for piece in tightest[:LISTED]],
    }
    shown = curves(between, ratio)
    undrawn = undrawable(0, [*shown.times, *shown.phi, *shown.left, *shown.right])
    html = render("drift", **values, undrawn=undrawn, exactly=exactly, beside=beside, nearly=nearly)
    models = {} if undrawn or not between.pieces else _figures(shown, tick / PART)
    return Section("drift", "The potential between the run and another schedule", html, models)


def reopen_potential(evidence: dict[str, Any]) -> Potential:
    """The potential of evidence by rule C9-drift, of a certificate that the checker accepted."""
    return Potential(tuple(map(exact.rational, evidence["steps"])), exact.rational(evidence["linear"]))


def _row(piece: Piece, ratio: Fraction, tick: Fraction) -> dict[str, Any]:
    """A piece as the table says it."""
    return {
        "start": piece.start * tick,
        "end": piece.end * tick,
        "unfinished": (piece.algorithm.alive, piece.reference.alive),
        "pays": piece.algorithm.pays,
        "rate": piece.rate,
        "left": piece.left,
        "right": ratio * piece.reference.pays,
    }


def _figures(shown: Curves, least: Fraction) -> dict[str, Model]:
    """The potential above, both sides below, over the same time."""
    from bokeh.layouts import column

    x = window([shown.times[0], shown.times[-1]], "drift-x", least)
    source = _source(shown)
    return {"drift-picture": column([_potential(x, source), _sides(x, source)], sizing_mode="stretch_width")}


def _source(shown: Curves) -> ColumnDataSource:
    """A row for the beginning of each piece, and one for the end; sides go on to the end."""
    from bokeh.models import ColumnDataSource

    def on(values: Sequence[Fraction]) -> list[Fraction]:
        return [*values, values[-1]]

    sides = {"left": on(shown.left), "right": on(shown.right), "own": on(shown.own)}
    columns: dict[str, Any] = {"time": drawn(shown.times), "phi": drawn(shown.phi)}
    columns |= {name: drawn(values) for name, values in sides.items()}
    told = {"time": shown.times, "phi": shown.phi, **sides}
    columns |= {f"{name}_told": [exact.decimal(value) for value in values] for name, values in told.items()}
    return ColumnDataSource(columns, name="drift-curves")


def _potential(x: Range1d, source: ColumnDataSource) -> figure:
    from bokeh.models import HoverTool

    drawing = blank(x, 190, "time", "potential Φ")
    drawing.yaxis.formatter.use_scientific = False
    line = drawing.line("time", "phi", source=source, line_color=INK, line_width=2)
    tips = [("time", "@time_told"), ("Φ", "@phi_told")]
    drawing.add_tools(HoverTool(renderers=[line], tooltips=tips, mode="vline", description="potential"))
    return drawing


def _sides(x: Range1d, source: ColumnDataSource) -> figure:
    from bokeh.models import HoverTool, Legend, LegendItem

    drawing = blank(x, 300, "time", "per unit of time")
    drawing.yaxis.formatter.use_scientific = False
    styles: dict[str, dict[str, Any]] = {
        "right": {"line_color": "#1a6b34", "line_width": 3},
        "left": {"line_color": INK, "line_width": 2},
        "own": {"line_color": DIM, "line_width": 1, "line_dash": "dotted"},
    }
    lines = {name: drawing.step("time", name, source=source, mode="after", **style) for name, style in styles.items()}
    drawing.add_tools(HoverTool(renderers=[lines["left"]], tooltips=TIPS, mode="vline", description="sides"))
    items = [LegendItem(label=SIDES[name], renderers=[line]) for name, line in lines.items()]
    drawing.add_layout(Legend(items=items, border_line_alpha=0), "above")
    return drawing


SIDES = {
    "right": "c times what the other schedule pays",
    "left": "what the run pays, and dΦ/dt",
    "own": "what the run pays",
}
"""The curves, in words."""

TIPS = [("from", "@time_told"), ("left", "@left_told"), ("right", "@right_told"), ("the run pays", "@own_told")]
"""What the pointer is told about a piece."""
