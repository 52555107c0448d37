"""What all pictures of machines share: an empty picture with tools, a row a machine, cells for what is too much."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from certify.report.columns import drawn

if TYPE_CHECKING:
    from bokeh.models import Range1d
    from bokeh.plotting import figure

MOST_MACHINES = 1000
"""Machines that are drawn below one another."""

MOST_NAMES = 80
"""Machines that are all named beside a picture; of more it is some, until one zooms in."""

BINS = 360
"""Cells across a picture."""

LEFT, RIGHT = 100, 50
"""Pixels beside every picture, so that equal times stand below one another."""

HEAT = ("#ffffe5", "#fee391", "#fe9929", "#cc4c02", "#662506")
"""From short to long queues, ever darker."""

INK, DIM = "#1b3a57", "#555555"


def undrawable(machines: int, times: Sequence[Fraction]) -> str:
    """Why nothing is drawn, in words: too many machines, or numbers beyond what can be drawn; empty if it can be.

    >>> undrawable(3, [Fraction(10**400)]), undrawable(2, [Fraction(1, 3)])
    ('The numbers of this run are too large to be drawn.', '')
    """
    if machines > MOST_MACHINES:
        return f"A picture of {machines} machines is not drawn: at most {MOST_MACHINES} are."
    try:
        drawn(times)
    except OverflowError:
        return "The numbers of this run are too large to be drawn."
    return ""


def window(times: Sequence[Fraction], name: str) -> Range1d:
    """The range of a picture from the first to the last of these times, with a margin; scripts know it by its name."""
    from bokeh.models import Range1d

    start, end = drawn(times).tolist()
    margin = (end - start) / 50 or 1
    return Range1d(start - margin, end + margin, name=name)


def blank(x: Range1d, height: int, x_label: str, y_label: str, **more: Any) -> figure:
    """An empty picture over a range, with the tools of all."""
    from bokeh.models import BoxZoomTool, PanTool, ResetTool, SaveTool, WheelZoomTool
    from bokeh.plotting import figure

    drag = BoxZoomTool()
    tools = [PanTool(), drag, WheelZoomTool(), ResetTool(), SaveTool()]
    drawing = figure(
        height=height,
        x_range=x,
        tools=tools,
        sizing_mode="stretch_width",
        x_axis_label=x_label,
        y_axis_label=y_label,
        toolbar_location="above",
        min_border_left=LEFT,
        min_border_right=RIGHT,
        **more,
    )
    drawing.toolbar.active_drag = drag
    drawing.toolbar.logo = None
    drawing.xaxis.formatter.use_scientific = False
    return drawing


def machine_rows(x: Range1d, names: list[str], label: str, name: str) -> figure:
    """An empty picture with a row a machine below one for rejected jobs, whose rows are a range called `name`."""
    from bokeh.models import BasicTicker, CustomJSTickFormatter, FixedTicker, Range1d

    rows = len(names)
    y = Range1d(rows - 2 / 5, -3 / 2, name=name)
    drawing = blank(x, 130 + max(200, min(26 * (rows + 1), 1000)), label, "machine", y_range=y)
    code = "return tick === -1 ? 'rejected' : Number.isInteger(tick) ? names[tick] ?? '' : '';"
    drawing.yaxis.formatter = CustomJSTickFormatter(args={"names": names}, code=code)
    every = FixedTicker(ticks=list(range(-1, rows)))
    few = BasicTicker(min_interval=1, desired_num_ticks=40, num_minor_ticks=0)
    drawing.yaxis.ticker = every if rows <= MOST_NAMES else few
    drawing.ygrid.visible = False
    return drawing


def cells(drawing: figure, rows: int, words: str, palette: tuple[str, ...], low: int) -> dict[str, Any]:
    """A row of cells a machine, empty until a script fills them; the models by the names that scripts know them by."""
    from bokeh.models import ColumnDataSource, HoverTool, LinearColorMapper

    empty = np.full((rows, BINS), np.nan, dtype=np.float32)
    source = ColumnDataSource({"image": [empty], "x": [0], "y": [-1 / 2], "dw": [1], "dh": [rows]})
    mapper = LinearColorMapper(palette=list(palette), low=low, high=low + 1, nan_color="#ffffff00")
    heat = drawing.image("image", "x", "y", "dw", "dh", source=source, color_mapper=mapper, visible=False)
    drawing.add_tools(HoverTool(renderers=[heat], tooltips=[(words, "@image")], description="cells"))
    return {"image": source, "mapper": mapper, "heat": heat, "bins": BINS}
