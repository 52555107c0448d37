"""The pictures of a timeline, in bokeh: bars or cells, the queue of a machine, an overview to choose a window from."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from certify.report.canvas import BINS, DIM, HEAT, INK, LEFT, PLAIN_IN_PRINT, RIGHT, blank, cells, machine_rows, window
from certify.report.columns import drawn, ratio
from certify.report.scripts import script
from certify.report.told import Told, overview

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.models import ColumnDataSource, GlyphRenderer, Range1d
    from bokeh.plotting import figure

MOST = 1500
"""Bars and marks are drawn one by one up to this many; beyond, cells."""

SHADES = ("#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6")
"""From cheap to costly jobs; dark letters can be read on all."""

JOB = [
    ("job", "@job"),
    ("fate", "@fate"),
    ("machine", "@machine"),
    ("release", "@release"),
    ("size", "@size"),
    ("weight", "@weight"),
    ("eligible", "@eligible"),
    ("flow time", "@flow"),
    ("alpha_j", "@alpha"),
]
"""What the pointer is told about a job."""

BAR = ("left", "right", "row", "shade", "late", "name", "from", "to", "came", "foot")
"""What is drawn of a bar."""


def figures(told: Told) -> dict[str, Model]:
    """The models by name."""
    from bokeh.layouts import column

    x = window([told.start, told.end], f"{told.name}-x", told.time)
    bars, args = _bars(told, x)
    parts = [bars] if told.stacked else [bars, _overview(told, x)]
    choice, curve = _curve(told, x, args)
    return {
        f"{told.name}-bars": column(parts, sizing_mode="stretch_width"),
        f"{told.name}-queue": column([choice, curve], sizing_mode="stretch_width"),
    }


def _bars(told: Told, x: Range1d) -> tuple[figure, dict[str, Any]]:
    """The machines below one another, with their jobs as bars; cells where there are too many."""
    from bokeh.models import ColumnDataSource

    drawing = machine_rows(x, told.names, "load" if told.stacked else "time", f"{told.name}-y")
    shown = ColumnDataSource(_empty(*BAR), name=f"{told.name}-shown")
    marked = ColumnDataSource(_empty("at", "row", "late", "time", "many"), name=f"{told.name}-marked")
    found = cells(drawing, len(told.names), "largest job" if told.stacked else "largest queue", HEAT, 0)
    bars, letters = _shown(drawing, shown, told)
    _rejections(drawing, marked, told)
    phases = _phases(told, drawing)
    jobs, names = told.jobs(), told.names
    args: dict[str, Any] = {
        "shown": shown,
        "pieces": told.pieces(),
        "jobs": jobs,
        "sets": told.sets(),
        "marks": told.marks(),
        "marked": marked,
        "phases": phases,
        "steps": told.steps(told.heights),
        "first": told.heights.first,
        **found,
        "bars": bars,
        "names_on": letters,
        "names": names,
        "figure": drawing,
        "x": x,
        "y": drawing.y_range,
        "unit": ratio(told.time),
        "tick": ratio(told.run.instance.tick),
        "weight": ratio(told.run.instance.weight_unit),
        "weighted": "weight" in jobs.data,
        "flow": not told.stacked,
        "rule": told.origins.rule if told.origins else "",
        "most": MOST,
        "word": "job" if told.stacked else "piece",
        "measure": "job" if told.stacked else "queue",
        "note": f"{told.name}-note",
    }
    draw = script("dualfit.timeline.draw", at_start=True, **args)
    for range_ in (x, drawing.y_range):
        for end in ("start", "end"):
            range_.js_on_change(end, draw)
    drawing.js_on_change("inner_width", draw)
    return drawing, args


def _empty(*more: str) -> dict[str, list[Any]]:
    jobs = ("job", "release", "size", "weight", "eligible", "machine", "fate", "flow", "alpha")
    return {name: [] for name in (*jobs, *more)}


def about(told: Told) -> list[tuple[str, str]]:
    """What the pointer is told about a job: of `JOB` what this problem has."""
    weighted = told.run.problem in ("weighted", "two-weights")
    left_out = {"weight": not weighted, "flow time": told.stacked, "alpha_j": told.origins is None}
    return [(name, column) for name, column in JOB if not left_out.get(name)]


def _shown(drawing: figure, shown: ColumnDataSource, told: Told) -> tuple[GlyphRenderer, GlyphRenderer]:
    from bokeh.models import HoverTool
    from bokeh.transform import linear_cmap

    bars = drawing.hbar(
        y="row",
        left="left",
        right="right",
        height=4 / 5,
        source=shown,
        fill_color=linear_cmap("shade", list(SHADES), 0, 1),
        line_color=INK,
        line_width=1 / 2,
    )
    drawing.hbar(
        y="late",
        left="left",
        right="right",
        height=4 / 5,
        source=shown,
        fill_alpha=0,
        line_alpha=0,
        hatch_pattern="/",
        hatch_color=INK,
    )
    letters = drawing.text(
        x="left", y="row", text="name", source=shown, x_offset=4, text_baseline="middle", text_font_size="11px"
    )
    if not told.stacked:
        drawing.scatter("came", "foot", source=shown, marker="triangle", size=6, fill_color="white", line_color=INK)
    first, *others = about(told)
    tips = [first, ("lies from" if told.stacked else "runs from", "@from to @to"), *others]
    drawing.add_tools(HoverTool(renderers=[bars], tooltips=tips, description="jobs"))
    return bars, letters


def _rejections(drawing: figure, marked: ColumnDataSource, told: Told) -> None:
    from bokeh.models import HoverTool
    from bokeh.transform import factor_mark

    found = drawing.scatter(
        "at",
        "row",
        source=marked,
        marker=factor_mark("late", ["x", "inverted_triangle"], ["arrival", "late"]),
        size=9,
        line_color="#b3121f",
        fill_color="#ffffff",
        line_width=2,
    )
    tips = [("rejected", "@job, @many"), ("when", "@time"), *about(told)[1:]]
    drawing.add_tools(HoverTool(renderers=[found], tooltips=tips, description="rejections"))


def _phases(told: Told, drawing: figure) -> ColumnDataSource:
    """Where phases begin, in words at the top where there is room for them."""
    from bokeh.models import ColumnDataSource, HoverTool

    found = [] if told.stacked else told.phases()
    words = [words for _, words in found]
    source = ColumnDataSource({"at": drawn([at for at, _ in found]), "words": words, "shown": words})
    lines = drawing.vspan("at", source=source, line_color=DIM, line_dash="dashed", line_width=2)
    drawing.text(
        "at", -3 / 2, "shown", source=source, x_offset=4, y_offset=2, text_baseline="top", text_font_size="11px"
    )
    drawing.add_tools(HoverTool(renderers=[lines], tooltips=[("begins", "@words")], description="phases"))
    return source


def _overview(told: Told, x: Range1d) -> figure:
    """All jobs in the system over the whole run; the window of the other pictures can be moved on it."""
    from bokeh.models import BasicTicker, NoOverlap, RangeTool
    from bokeh.plotting import figure

    time, value = overview(told.curves, told.start, told.end)
    drawing = figure(
        height=110,
        sizing_mode="stretch_width",
        x_range=(x.start, x.end),
        y_range=(0, max(1, value.max() * 11 / 10)),
        tools="",
        min_border_left=LEFT,
        min_border_right=RIGHT,
        toolbar_location=None,
        y_axis_label="jobs",
        title="The whole run: drag the frame",
    )
    drawing.xaxis.formatter.use_scientific = False
    drawing.xaxis.major_label_policy = NoOverlap(min_distance=8)
    drawing.yaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=3)
    area = {"time": time, "value": value}
    drawing.varea_step("time", 0, "value", source=area, fill_color="#9ecae1", step_mode="after")
    tool = RangeTool(x_range=x)
    tool.overlay.fill_color, tool.overlay.fill_alpha = INK, 1 / 8
    drawing.add_tools(tool)
    return drawing


def _curve(told: Told, x: Range1d, bars: dict[str, Any]) -> tuple[Model, figure]:
    """The queue of a machine over time, or its load over the arrivals, and the choice of the machine."""
    from bokeh.models import BasicTicker, ColumnDataSource, DataRange1d, HoverTool, Select

    what, over = ("load", "arrival") if told.stacked else ("queue", "time")
    every = "largest of all machines" if told.stacked else "all machines"
    options = [(str(i), f"machine {name}") for i, name in enumerate(told.names)]
    choice = Select(
        title=f"{what.capitalize()} of",
        value=str(told.busiest),
        options=[*options, (str(len(options)), every)],
        name=f"{told.name}-choice",
        width=280,
        stylesheets=[PLAIN_IN_PRINT],
    )
    own = (
        window([Fraction(0), Fraction(told.run.instance.n)], f"{told.name}-arrivals", Fraction(1))
        if told.stacked
        else x
    )
    drawing = blank(own, 230, over, what, y_range=DataRange1d(start=0))
    drawing.yaxis.ticker = BasicTicker(min_interval=0 if told.stacked else 1)
    curve = ColumnDataSource({"time": [], "value": []}, name=f"{told.name}-curve")
    line = drawing.step("time", "value", source=curve, mode="after", line_width=2, line_color=INK)
    drawing.add_tools(HoverTool(renderers=[line], tooltips=[(over, "@time"), (what, "@value")], mode="vline"))
    _phases_of_arrivals(told, drawing)
    args = {
        "curve": curve,
        "choice": choice,
        "x": own,
        "steps": told.steps(told.curves) if told.stacked else bars["steps"],
        "first": told.curves.first,
        "most": MOST,
        "bins": BINS,
    }
    draw = script("dualfit.timeline.queue", at_start=True, **args)
    choice.js_on_change("value", draw)
    for end in ("start", "end"):
        own.js_on_change(end, draw)
    return choice, drawing


def _phases_of_arrivals(told: Told, drawing: figure) -> None:
    found = [at for at, _ in told.phases()] if told.stacked else []
    drawing.vspan(x=drawn(found), line_color=DIM, line_dash="dashed", line_width=2)
