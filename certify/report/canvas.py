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

LONGEST_NAME = 20
"""Letters of a name beside a picture; pointing at a bar tells the whole one."""

MOST_NAMES = 80
"""Machines that are all named beside a picture; of more it is some, until one zooms in."""

BINS = 360
"""Cells across a picture."""

FINEST = Fraction(1, 2**40)
"""The least window as a share of the largest time in it: thousands of pixels apart are thousands of floats apart."""

NOT_PRINTED = "@media print { :host { display: none; } }"
"""The style of what is of use on a screen only."""

PLAIN_IN_PRINT = """@media print {
  select { appearance: none; border: 0; padding: 0; background: none; }
  .noUi-target { display: none; }
}"""
"""The style of a choice, of which print has what is chosen."""

PART = 1000
"""One looks at this part of a tick at least where times are no whole ticks."""

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


def window(times: Sequence[Fraction], name: str, least: Fraction) -> Range1d:
    """The range of a picture from the first to the last of these times, with a margin; scripts know it by its name.

    Nobody zooms in to less than `least`, nor to so little that floats of this size do not tell pixels apart.
    """
    from bokeh.models import Range1d

    start, end, floor = drawn([*times, max([least, *(FINEST * abs(time) for time in times)])]).tolist()
    margin = max((end - start) / 50 or 1, floor)
    return Range1d(start - margin, end + margin, name=name, min_interval=floor)


def blank(x: Range1d, height: int, x_label: str, y_label: str, **more: Any) -> figure:
    """An empty picture over a range, with the tools of all."""
    from bokeh.models import BoxZoomTool, NoOverlap, PanTool, ResetTool, SaveTool, WheelZoomTool
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
    drawing.toolbar.stylesheets = [NOT_PRINTED]
    drawing.xaxis.formatter.use_scientific = False
    drawing.xaxis.major_label_policy = NoOverlap(min_distance=8)
    return drawing


def cut(name: str) -> str:
    """A name that has room beside a picture, of a long one its beginning and its end.

    >>> cut("m1"), cut("a-machine-of-the-second-floor")
    ('m1', 'a-machine…ond-floor')
    """
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME // 2 - 1]}…{name[1 - LONGEST_NAME // 2 :]}"


def machine_rows(x: Range1d, names: list[str], label: str, name: str) -> figure:
    """An empty picture with a row a machine below one for rejected jobs, whose rows are a range called `name`."""
    from bokeh.models import BasicTicker, CustomJSTickFormatter, FixedTicker, Range1d

    rows = len(names)
    y = Range1d(rows - 2 / 5, -3 / 2, name=name)
    drawing = blank(x, 130 + max(200, min(26 * (rows + 1), 1000)), label, "machine", y_range=y)
    code = "return tick === -1 ? 'rejected' : Number.isInteger(tick) ? names[tick] ?? '' : '';"
    drawing.yaxis.formatter = CustomJSTickFormatter(args={"names": list(map(cut, names))}, code=code)
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
