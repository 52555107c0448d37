"""The picture of interval families, in bokeh, with its controls."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from certify.evidence import weights_of
from certify.report.canvas import INK, PLAIN_IN_PRINT, cells, machine_rows, window
from certify.report.columns import drawn, packed, ratio
from certify.report.drawn_family import DrawnFamily, rows_of
from certify.report.execution import queue_steps
from certify.report.scene import Scene
from certify.report.scripts import script
from certify.report.told import named
from online.exact import Column
from online.instance import Instance

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.models import ColumnDataSource
    from bokeh.plotting import figure

MOST = 3000
"""Intervals and jobs are drawn one by one up to this many; beyond, cells."""

COUNTS = ("#9ecae1", "#4292c6", "#08519c", "#08306b")
"""From few to many intervals over one another."""

INTERVAL = (
    "left",
    "right",
    "at",
    "tall",
    "shade",
    "number",
    "words",
    "from",
    "to",
    "length",
    "times",
    "weight",
    "level",
)
JOB = (
    "number",
    "at",
    "row",
    "fill",
    "ring",
    "job",
    "release",
    "size",
    "weight",
    "eligible",
    "machine",
    "alpha",
    "origin",
)


def figures(scene: Scene, found: list[DrawnFamily]) -> dict[str, Model]:
    """The models by name."""
    from bokeh.layouts import column, row
    from bokeh.models import ColumnDataSource, Select, Slider

    instance = scene.instance
    assert instance is not None
    x = window(span(instance, found), "families-x", instance.tick)
    drawing = machine_rows(x, [instance.machine_name(i) for i in range(instance.machines)], "time", "families-y")
    choice = Select(
        title="Family",
        value=str(_first(found)),
        options=[(str(k), one.title) for k, one in enumerate(found)],
        name="families-choice",
        sizing_mode="stretch_width",
        max_width=620,
        stylesheets=[PLAIN_IN_PRINT],
    )
    style: dict[str, Any] = {"width": 280, "stylesheets": [PLAIN_IN_PRINT]}
    level = Slider(title="Level (0: all)", value=0, start=0, end=1, step=1, name="families-level", **style)
    shown = ColumnDataSource({name: [] for name in INTERVAL}, name="families-shown")
    dots = ColumnDataSource({name: [] for name in JOB}, name="families-dots")
    found_cells = cells(drawing, instance.machines, "intervals over one another, at most", COUNTS, 1)
    weighted = weights_of(scene.problem, instance) is not None
    bars = _glyphs(drawing, shown, dots, instance.machines, weighted)
    crowds = _crowds(drawing)
    args: dict[str, Any] = {
        "shown": shown,
        "dots": dots,
        "crowds": crowds,
        "choice": choice,
        "level": level,
        "bars": bars,
        **found_cells,
        "x": x,
        "y": drawing.y_range,
        "jobs": _jobs(scene, instance),
        "sets": _sets(instance),
        "names": [instance.machine_name(i) for i in range(instance.machines)],
        "intervals": [_intervals(one, instance) for one in found],
        "duals": [_duals(one) for one in found],
        "covers": [_covers(one, instance) for one in found],
        "firsts": [_steps(one, instance)[0] for one in found],
        "metas": [_meta(one, instance) for one in found],
        "tick": ratio(instance.tick),
        "wunit": ratio(scene.unit / instance.tick),
        "most": MOST,
        "note": "families-note",
    }
    draw = script("dualfit.families.draw", at_start=True, **args)
    mark = script("dualfit.families.mark", **args)
    choice.js_on_change("value", draw)
    level.js_on_change("value", draw)
    shown.selected.js_on_change("indices", mark)
    for range_ in (x, drawing.y_range):
        for side in ("start", "end"):
            range_.js_on_change(side, draw)
    return {
        "families-picture": column(
            row(choice, level, sizing_mode="stretch_width"), drawing, sizing_mode="stretch_width"
        )
    }


def _first(found: list[DrawnFamily]) -> int:
    """The family that is shown first: the best of the evidence, or of the run's density classes if there is none."""
    classes = [one.bound for one in found]
    return classes.index(max(classes)) if classes[0] else 0


def span(instance: Instance, found: list[DrawnFamily]) -> list[Fraction]:
    """Where the picture begins and ends, in the unit of the input."""
    ends = [int(one.family.end.max()) * instance.tick / one.family.per_tick for one in found if len(one.family)]
    first, last = (int(t) * instance.tick for t in instance.release[[0, -1]])
    return [first, max([last, *ends])]


def _glyphs(drawing: figure, shown: ColumnDataSource, dots: ColumnDataSource, rows: int, weighted: bool) -> Any:
    from bokeh.models import HoverTool, TapTool

    bars = drawing.hbar(
        y="at",
        left="left",
        right="right",
        height="tall",
        source=shown,
        fill_color=COUNTS[0],
        fill_alpha="shade",
        line_color=INK,
        line_alpha="shade",
        line_width=2 if rows <= 12 else 1,
        nonselection_fill_alpha="shade",
        nonselection_line_alpha="shade",
        selection_fill_color="#fe9929",
        selection_fill_alpha=1,
    )
    jobs = drawing.scatter(
        "at",
        "row",
        source=dots,
        size=7 if rows <= 12 else 5,
        fill_color="fill",
        line_color="ring",
        line_width=2,
        nonselection_fill_alpha=1,
        nonselection_line_alpha=1,
    )
    tips = [("interval", "@words"), ("from", "@from to @to"), ("length", "@length"), ("level", "@level")]
    tips += [("for weights of", "@weight")] if weighted else []
    drawing.add_tools(HoverTool(renderers=[bars], tooltips=[*tips, ("counts", "@times times")]))
    names = ("job", "alpha_j", "from", "release", "size", "weight", "eligible", "machine")
    columns = ("job", "alpha", "origin", *names[3:])
    tips = [(name, f"@{one}") for name, one in zip(names, columns, strict=True) if weighted or name != "weight"]
    drawing.add_tools(HoverTool(renderers=[jobs], tooltips=tips), TapTool(renderers=[bars]))
    return bars


def _crowds(drawing: figure) -> ColumnDataSource:
    """Cells with the number of jobs, below the intervals, where jobs are too many to be drawn; a script fills them."""
    from bokeh.models import ColumnDataSource, HoverTool

    columns = ("left", "right", "bottom", "top", "shade", "many", "machine")
    crowds = ColumnDataSource({name: [] for name in columns}, name="families-crowds")
    sides = {side: side for side in ("left", "right", "bottom", "top")}
    style: dict[str, Any] = {"fill_color": INK, "fill_alpha": "shade", "line_color": None}
    found = drawing.quad(**sides, **style, source=crowds)
    tips = [("jobs released here", "@many"), ("machine", "@machine")]
    drawing.add_tools(HoverTool(renderers=[found], tooltips=tips, description="cells of jobs"))
    return crowds


def _jobs(scene: Scene, instance: Instance) -> ColumnDataSource:
    """What is said of each job, whatever the family."""
    from bokeh.models import ColumnDataSource

    data: dict[str, Any] = {
        "id": list(map(str, instance.ids)),
        "release": packed(instance.release),
        "size": packed(instance.size),
        "eligible": packed(instance.eligible_set),
    }
    if weights_of(scene.problem, instance) is not None and scene.problem != "stretch":
        data["weight"] = packed(instance.flow_weight)
    if scene.run is not None:
        data["machine"] = packed(scene.run.dispatch)
    return ColumnDataSource(data)


def _sets(instance: Instance) -> ColumnDataSource:
    """The eligible sets, in words and as ascending machines one after another."""
    from bokeh.models import ColumnDataSource

    names = [instance.machine_name(i) for i in range(instance.machines)]
    text = [named(one, names) for one in instance.sets]
    return ColumnDataSource({"text": text}, tags=[instance.sets.start.tolist(), instance.sets.machines.tolist()])


def _intervals(one: DrawnFamily, instance: Instance) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    columns = {name: packed(column) for name, column in rows_of(one.family).items()}
    return ColumnDataSource({**columns, "lane": packed(one.lane)})


def _duals(one: DrawnFamily) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    columns = {"alpha": one.alpha, "most": one.most, "machine": one.machine, "heaviest": one.heaviest}
    if one.loads is not None:
        columns["load"] = one.loads
    return ColumnDataSource({name: packed(column) for name, column in columns.items()})


def _steps(one: DrawnFamily, instance: Instance) -> tuple[list[int], Column, Column]:
    """How many intervals lie over one another on each machine, over time; a closed one without length is a moment."""
    unit = instance.tick / one.family.per_tick
    start, end = drawn(one.family.start, unit), drawn(one.family.end, unit)
    return queue_steps(one.family.machine, start, np.nextafter(end, np.inf), instance.machines)


def _covers(one: DrawnFamily, instance: Instance) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    _, time, value = _steps(one, instance)
    return ColumnDataSource({"time": time, "value": packed(value)})


def _meta(one: DrawnFamily, instance: Instance) -> list[Any]:
    """The few facts about a family that its script needs, in its order."""
    guess = Fraction(one.guess or 0)
    return [
        one.title,
        ratio(instance.tick / one.family.per_tick),
        one.lanes,
        [one.levels.start, one.levels.stop - 1] if one.levels else [],
        one.first,
        [ratio(Fraction(weight)) for weight in one.family.weights],
        ratio(guess * instance.tick),
        str(one.family.per_tick),
        one.note,
        one.crowd,
    ]
