"""The nested machine sets M_s of load balancing, level by level, and the jobs J(sT) that only they may run."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from certify.report.canvas import INK, PLAIN_IN_PRINT, machine_rows, undrawable, window
from certify.report.columns import packed, ratio
from certify.report.drawn_sets import DrawnSets, sets_of
from certify.report.scene import Scene
from certify.report.scripts import script
from certify.report.section import Section, render
from certify.report.told import named
from online.instance import Instance

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.models import ColumnDataSource
    from bokeh.plotting import figure

MOST = 1500
"""Jobs are drawn one by one up to this many; beyond, the load of each machine."""

BAR = ("left", "right", "row", "fill", "job", "size", "eligible", "from", "to", "machine")


def machine_sets(scene: Scene) -> Section | None:
    """The sets of the evidence and of the run; None where there is none."""
    found = list(sets_of(scene))
    if not found or scene.instance is None:
        return None
    tallest = max((end for one in found for end in one.end), default=1)
    lengths = [Fraction(0), tallest * scene.instance.tick]
    undrawn = undrawable(scene.instance.machines, lengths)
    models = {} if undrawn else _figures(scene.instance, found, lengths)
    return Section("machine-sets", "Machine sets, level by level", render("machine_sets", undrawn=undrawn), models)


def _figures(instance: Instance, found: list[DrawnSets], lengths: list[Fraction]) -> dict[str, Model]:
    from bokeh.layouts import column, row
    from bokeh.models import ColumnDataSource, Select, Slider

    names = [instance.machine_name(i) for i in range(instance.machines)]
    x = window(lengths, "machine-sets-x", instance.tick)
    drawing = machine_rows(x, names, "load", "machine-sets-y")
    choice = Select(
        title="Jobs of",
        value="0",
        options=[(str(k), one.title) for k, one in enumerate(found)],
        name="machine-sets-choice",
        sizing_mode="stretch_width",
        max_width=620,
        stylesheets=[PLAIN_IN_PRINT],
    )
    style: dict[str, Any] = {"width": 280, "stylesheets": [PLAIN_IN_PRINT]}
    level = Slider(title="Level s", value=1, start=0, end=2, step=1, name="machine-sets-level", **style)
    shown = ColumnDataSource({name: [] for name in BAR}, name="machine-sets-shown")
    mark = ColumnDataSource({"at": []}, name="machine-sets-mark")
    _glyphs(drawing, shown, mark)
    args: dict[str, Any] = {
        "shown": shown,
        "mark": mark,
        "choice": choice,
        "level": level,
        "x": x,
        "y": drawing.y_range,
        "jobs": _jobs(instance),
        "sets": ColumnDataSource({"text": [named(one, names) for one in instance.sets]}),
        "names": names,
        "blocks": [_blocks(one) for one in found],
        "metas": [[one.levels, ratio(one.guess), one.prices] for one in found],
        "tick": ratio(instance.tick),
        "most": MOST,
        "note": "machine-sets-note",
    }
    draw = script("dualfit.sets.draw", at_start=True, **args)
    for control in (choice, level):
        control.js_on_change("value", draw)
    for range_ in (x, drawing.y_range):
        for side in ("start", "end"):
            range_.js_on_change(side, draw)
    controls = row(choice, level, sizing_mode="stretch_width")
    return {"machine-sets-picture": column(controls, drawing, sizing_mode="stretch_width")}


def _jobs(instance: Instance) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    columns = {"size": packed(instance.size), "eligible": packed(instance.eligible_set)}
    return ColumnDataSource({"id": list(map(str, instance.ids)), **columns})


def _blocks(one: DrawnSets) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    columns = {"job": one.job, "machine": one.machine, "start": one.start, "end": one.end}
    return ColumnDataSource({name: packed(column) for name, column in columns.items()})


def _glyphs(drawing: figure, shown: ColumnDataSource, mark: ColumnDataSource) -> None:
    from bokeh.models import HoverTool

    bars = drawing.hbar(
        y="row", left="left", right="right", height=4 / 5, source=shown, fill_color="fill", line_color=INK, line_width=1
    )
    drawing.vspan("at", source=mark, line_color="#b3121f", line_width=2, line_dash="dashed")
    tips = [("job", "@job"), ("machine", "@machine"), ("lies from", "@from to @to")]
    drawing.add_tools(HoverTool(renderers=[bars], tooltips=[*tips, ("size", "@size"), ("eligible", "@eligible")]))
