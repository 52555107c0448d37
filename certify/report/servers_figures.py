"""The pictures of schedules with speeds, in bokeh: servers, what is paid over time, and the prices of a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from certify.report.canvas import BINS, DIM, INK, PART, PLAIN_IN_PRINT, blank, window
from certify.report.columns import drawn, packed
from certify.report.scripts import script
from certify.report.servers import Servers
from certify.report.timeline_figures import MOST, SHADES
from certify.show import number
from lp.energy.prices import Prices
from online import exact

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.models import ColumnDataSource, CustomJS, Range1d, Select
    from bokeh.plotting import figure

TALL = Fraction(21, 25)
"""How high a bar at the largest speed is, in rows."""

TIPS = [
    ("job", "@job"),
    ("runs from", "@from to @to"),
    ("speed", "@speed, power @power"),
    ("release", "@release"),
    ("size", "@size"),
    ("done at", "@done"),
    ("costs", "@cost = flow @flow + energy @energy"),
    ("pays at least", "@pays"),
]
"""What the pointer is told about a piece."""

WORDS = ("id", "release", "size", "done", "cost", "flow", "energy", "pays")


def figures(schedules: Sequence[Servers], prices: Prices | None, pays: Sequence[Fraction] | None) -> dict[str, Model]:
    """The models by name; `pays` is what each job pays at the prices, in ticks.

    Raises: `OverflowError` for numbers that nobody can draw.
    """
    from bokeh.layouts import column
    from bokeh.models import Select

    tick = schedules[0].schedule.instance.tick
    start = int(schedules[0].schedule.instance.release[0])
    x = window([start * tick, max(one.end for one in schedules) * tick], "servers-x", tick / PART)
    options = [(str(k), one.name) for k, one in enumerate(schedules)]
    choice = Select(
        title="Schedule", value="0", options=options, name="servers-choice", width=320, stylesheets=[PLAIN_IN_PRINT]
    )
    args = _sources(schedules, pays)
    parts = [_bars(schedules, x, choice, args), _paid(x, choice, args)]
    if prices is not None and prices.price:
        parts.append(_prices(x, prices, tick))
    shown = [choice, *parts] if len(schedules) > 1 else parts
    return {"servers-picture": column(shown, sizing_mode="stretch_width")}


def _sources(schedules: Sequence[Servers], pays: Sequence[Fraction] | None) -> dict[str, Any]:
    """The columns of each schedule, as lists of sources."""
    fastest = max(one.fastest for one in schedules) or Fraction(1)
    return {
        "pieces": [_pieces(one) for one in schedules],
        "dials": [_dials(one, fastest) for one in schedules],
        "moments": [_moments(one) for one in schedules],
        "jobs": [_jobs(one, pays) for one in schedules],
    }


def _pieces(one: Servers) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    tick, dials = one.schedule.instance.tick, {dial: k for k, dial in enumerate(_speeds(one))}
    times = {time for piece in one.pieces for time in (piece.start, piece.end)}
    words = {time: told(time * tick) for time in times}
    columns = {
        "job": packed([piece.job for piece in one.pieces]),
        "server": packed([piece.server for piece in one.pieces]),
        "dial": packed([dials[piece.dial] for piece in one.pieces]),
        "start": drawn([piece.start for piece in one.pieces], tick),
        "end": drawn([piece.end for piece in one.pieces], tick),
        "from": [words[piece.start] for piece in one.pieces],
        "to": [words[piece.end] for piece in one.pieces],
    }
    return ColumnDataSource(columns)


def _speeds(one: Servers) -> list[Fraction]:
    return sorted({piece.dial for piece in one.pieces})


def _dials(one: Servers, fastest: Fraction) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    points = [one.schedule.power.at(dial) for dial in _speeds(one)]
    heights = drawn([point.speed / fastest for point in points], TALL)
    columns = {
        "height": heights,
        "speed": [told(point.speed) for point in points],
        "power": [told(point.power) for point in points],
    }
    return ColumnDataSource(columns)


def _moments(one: Servers) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    columns = {
        "time": drawn([moment.time for moment in one.moments], one.schedule.instance.tick),
        "unfinished": packed([moment.unfinished for moment in one.moments]),
        "pays": drawn([moment.pays for moment in one.moments]),
        "power": [told(moment.power) for moment in one.moments],
    }
    return ColumnDataSource(columns)


def _jobs(one: Servers, pays: Sequence[Fraction] | None) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    instance = one.schedule.instance
    tick, most = instance.tick, max(one.cost, default=Fraction(0)) or Fraction(1)
    times: Mapping[str, Sequence[int | Fraction]] = {
        "release": instance.release.tolist(),
        "size": instance.size.tolist(),
        "done": one.schedule.completion,
        "cost": one.cost,
        "flow": one.flow,
        "energy": one.energy,
    }
    columns: dict[str, Any] = {name: [told(value * tick) for value in values] for name, values in times.items()}
    columns["id"] = list(map(str, instance.ids))
    columns["pays"] = ["-"] * instance.n if pays is None else [told(value * tick, "down") for value in pays]
    columns["shade"] = drawn([value / most for value in one.cost]).astype(np.float32)
    return ColumnDataSource(columns)


def told(value: int | Fraction, toward: exact.Toward = "nearest") -> str:
    """A number as the pointer says it."""
    return number(exact.text(value), toward)


def _bars(schedules: Sequence[Servers], x: Range1d, choice: Select, args: dict[str, Any]) -> figure:
    """The servers below one another; bars are as high as they are fast."""
    from bokeh.models import BasicTicker, ColumnDataSource, CustomJSTickFormatter, HoverTool, Range1d
    from bokeh.transform import linear_cmap

    instance = schedules[0].schedule.instance
    rows, names = instance.machines, list(map(instance.machine_name, range(instance.machines)))
    y = Range1d(rows - 1 / 2, -1 / 2, name="servers-y")
    drawing = blank(x, 90 + min(max(60, 260 // rows) * rows, 700), "time", "server", y_range=y)
    drawing.yaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=min(rows, 40), num_minor_ticks=0)
    drawing.yaxis.formatter = CustomJSTickFormatter(args={"names": names}, code="return names[tick] ?? '';")
    drawing.ygrid.visible = False
    shown = ColumnDataSource({name: [] for name in (*SHOWN, *WORDS)}, name="servers-shown")
    bars = drawing.quad(
        left="left",
        right="right",
        bottom="bottom",
        top="top",
        source=shown,
        fill_color=linear_cmap("shade", list(SHADES[1:]), 0, 1),
        line_color=INK,
        line_width="edge",
    )
    drawing.text(
        x="left", y="bottom", text="name", source=shown, x_offset=4, y_offset=-2, text_font_size="11px", text_color=INK
    )
    drawing.add_tools(HoverTool(renderers=[bars], tooltips=TIPS, description="pieces"))
    more = {"x": x, "y": y, "figure": drawing, "choice": choice, "most": MOST, "bins": BINS, "rows": rows}
    draw = script("dualfit.servers.draw", at_start=True, shown=shown, **args, **more, note="servers-note")
    _redraw(draw, (x, "start"), (x, "end"), (y, "start"), (y, "end"), (drawing, "inner_width"), (choice, "value"))
    return drawing


SHOWN = ("left", "right", "bottom", "top", "shade", "edge", "name", "job", "from", "to", "speed", "power")


def _paid(x: Range1d, choice: Select, args: dict[str, Any]) -> figure:
    """The unfinished jobs over time, and the power on top; the area is the cost."""
    from bokeh.models import ColumnDataSource, DataRange1d, HoverTool, Legend, LegendItem

    drawing = blank(x, 270, "time", "paid per unit of time", y_range=DataRange1d(start=0))
    drawing.yaxis.formatter.use_scientific = False
    nothing = {"time": [0, 0], "unfinished": [0, 0], "pays": [0, 0], "power": ["", ""]}
    curve = ColumnDataSource(nothing, name="servers-paid")
    style: dict[str, Any] = {"source": curve, "step_mode": "after"}
    jobs = drawing.varea_step("time", 0, "unfinished", fill_color=SHADES[3], **style)
    power = drawing.varea_step("time", "unfinished", "pays", fill_color=SHADES[1], **style)
    top = drawing.step("time", "pays", source=curve, mode="after", line_color=INK, line_width=3 / 2)
    drawing.step("time", "unfinished", source=curve, mode="after", line_color=INK, line_width=1, line_dash="dotted")
    tips = [("from", "@time"), ("unfinished jobs", "@unfinished"), ("power", "@power")]
    drawing.add_tools(HoverTool(renderers=[top], tooltips=tips, mode="vline", description="cost"))
    items = [LegendItem(label="unfinished jobs", renderers=[jobs]), LegendItem(label="power", renderers=[power])]
    drawing.add_layout(Legend(items=items, orientation="horizontal", border_line_alpha=0), "above")
    moments = {"moments": args["moments"], "choice": choice, "x": x, "most": MOST, "bins": 2 * BINS}
    draw = script("dualfit.servers.paid", at_start=True, curve=curve, **moments)
    _redraw(draw, (x, "start"), (x, "end"), (choice, "value"))
    return drawing


def _redraw(draw: CustomJS, *changes: tuple[Model, str]) -> None:
    for model, name in changes:
        model.js_on_change(name, draw)


def _prices(x: Range1d, prices: Prices, tick: Fraction) -> figure:
    """What a server costs over time."""
    from bokeh.models import ColumnDataSource, DataRange1d, HoverTool

    drawing = blank(x, 200, "time", "price λ of a server", y_range=DataRange1d(start=0))
    drawing.yaxis.formatter.use_scientific = False
    ends = [*prices.grid[1:], None]
    data = {
        "time": drawn(prices.grid, tick),
        "price": drawn([*prices.price, 0]),
        "from": [told(time * tick) for time in prices.grid],
        "to": ["ever" if time is None else told(time * tick) for time in ends],
        "exact": [told(value) for value in (*prices.price, Fraction(0))],
    }
    curve = ColumnDataSource(data, name="servers-prices")
    drawing.varea_step("time", 0, "price", source=curve, fill_color="#d9d9d9", step_mode="after")
    line = drawing.step("time", "price", source=curve, mode="after", line_color=DIM, line_width=2)
    tips = [("price λ", "@exact"), ("from", "@from to @to")]
    drawing.add_tools(HoverTool(renderers=[line], tooltips=tips, mode="vline", description="prices"))
    return drawing
