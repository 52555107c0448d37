"""The pictures of a game: what the machines of the algorithm and of the offline schedule hold after each step."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from certify.report.canvas import INK, PLAIN_IN_PRINT, blank
from certify.report.columns import drawn
from certify.report.scripts import script
from certify.report.servers_figures import told
from online.instance import Instance

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.models import ColumnDataSource, DataRange1d, Range1d
    from bokeh.plotting import figure

Loads = Sequence[int | Fraction]

SIDES = ("algorithm", "offline")

OLD, NEW = "#c6dbef", INK
"""Shades of work that was there before a moment, and of work that came since the one before."""


class Moment(NamedTuple):
    """A moment of a game, just after the arrival of job `last`: all that machines hold, and what of that is new.

    Loads are in ticks, `release` in the input's unit, None where there is no time. `machines` are those that the proof
    speaks of.
    """

    words: str
    last: int
    release: Fraction | None
    machines: tuple[int, ...]
    algorithm: tuple[Loads, Loads]
    offline: tuple[Loads, Loads]


def figures(moments: Sequence[Moment], instance: Instance, problem: str) -> dict[str, Model]:
    """The models by name."""
    from bokeh.layouts import column
    from bokeh.models import DataRange1d, Range1d, Select

    options = [(str(k), label(moment, instance)) for k, moment in enumerate(moments)]
    choice = Select(
        title="Moment",
        value=str(len(moments) - 1),
        options=options,
        name="game-choice",
        sizing_mode="stretch_width",
        max_width=420,
        stylesheets=[PLAIN_IN_PRINT],
    )
    names = list(map(instance.machine_name, range(instance.machines)))
    x = Range1d(-3 / 5, instance.machines - 2 / 5, name="game-x", min_interval=1)
    y = DataRange1d(start=0, range_padding=1 / 4)
    made = [_side(side, x, y, names, problem) for side in SIDES]
    sources = {side: shown for side, (_, shown) in zip(SIDES, made, strict=True)}
    columns = {f"{side}_all": _columns(moments, side, instance) for side in SIDES}
    draw = script("dualfit.game.draw", at_start=True, **sources, **columns, choice=choice, names=names)
    choice.js_on_change("value", draw)
    return {"game-machines": column([choice, *(drawing for drawing, _ in made)], sizing_mode="stretch_width")}


def label(moment: Moment, instance: Instance) -> str:
    """A moment in words.

    >>> from online.rows import Row
    >>> one = Instance.from_rows(1, [Row("a", 3, 1)])
    >>> label(Moment("phase 1 ends", 0, Fraction(3), (0,), ([1], [1]), ([1], [1])), one)
    'after job a, time 3: phase 1 ends'
    """
    time = "" if moment.release is None else f", time {told(moment.release)}"
    return f"after job {instance.ids[moment.last]}{time}: {moment.words}"


def _columns(moments: Sequence[Moment], side: str, instance: Instance) -> ColumnDataSource:
    """All moments below one another, machine by machine."""
    from bokeh.models import ColumnDataSource

    whole = [load for moment in moments for load in getattr(moment, side)[0]]
    fresh = [load for moment in moments for load in getattr(moment, side)[1]]
    tick, inside = instance.tick, [set(moment.machines) for moment in moments]
    columns: dict[str, Any] = {
        "whole": drawn(whole, tick),
        "old": drawn([one - other for one, other in zip(whole, fresh, strict=True)], tick),
        "load": [told(load * tick) for load in whole],
        "fresh": [told(load * tick) for load in fresh],
        "named": ["▲" if i in own else "" for own in inside for i in range(instance.machines)],
    }
    return ColumnDataSource(columns)


def _side(side: str, x: Range1d, y: DataRange1d, names: list[str], problem: str) -> tuple[figure, ColumnDataSource]:
    """The machines side by side, what they hold stacked on them."""
    from bokeh.models import BasicTicker, ColumnDataSource, CustomJSTickFormatter, HoverTool, Legend, LegendItem

    drawing = blank(
        x, 250 if side == "algorithm" else 210, "machine", "load" if problem == "load" else "work left", y_range=y
    )
    drawing.title.text = "the algorithm" if side == "algorithm" else "the offline schedule"
    drawing.xaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=min(len(names), 30), num_minor_ticks=0)
    drawing.xaxis.formatter = CustomJSTickFormatter(args={"names": names}, code="return names[tick] ?? '';")
    drawing.yaxis.formatter.use_scientific = False
    drawing.xgrid.visible = False
    shown = ColumnDataSource({name: [] for name in COLUMNS}, name=f"game-{side}")
    style: dict[str, Any] = {"x": "x", "width": 4 / 5, "source": shown, "line_color": "white", "line_width": 1 / 2}
    old = drawing.vbar(bottom=0, top="old", fill_color=OLD, **style)
    new = drawing.vbar(bottom="old", top="whole", fill_color=NEW, **style)
    mark = drawing.text(
        x="x", y="whole", text="named", source=shown, text_align="center", text_baseline="bottom", text_font_size="9px"
    )
    tips = [("machine", "@machine"), ("holds", "@load"), ("of it new", "@fresh")]
    drawing.add_tools(HoverTool(renderers=[old, new], tooltips=tips, description="machines"))
    items = [LegendItem(label="was there before", renderers=[old]), LegendItem(label="new", renderers=[new])]
    if side == "algorithm":
        drawing.add_layout(Legend(items=items, orientation="horizontal", border_line_alpha=0), "above")
    mark.visible = side == "algorithm"
    return drawing, shown


COLUMNS = ("x", "whole", "old", "load", "fresh", "named", "machine")
