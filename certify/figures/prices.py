"""Server prices over time: the dual of flow time plus energy."""

from __future__ import annotations

import itertools
from fractions import Fraction

from certify.evidence import Document
from certify.figures.axis import Window, curve, entitle, finish, points
from certify.plots import Page, drawn, literal, plain
from certify.trajectory import Course, servers
from online import exact
from online.instance import Instance
from online.speed.trajectory import Trajectory


def price_course(item: Document) -> Course:
    """The price of a server over time, from evidence of rule C9: constant in every cell of the grid, 0 after it."""
    grid, price = ([exact.rational(value) for value in item[key]] for key in ("grid", "price"))
    per_tick, per_unit = exact.common_denominator(grid), exact.common_denominator(price)
    levels = [0, *(int(value * per_unit) for value in price), 0]
    times = [int(time * per_tick) for time in grid]
    steps = [after - before for before, after in itertools.pairwise(levels)]
    return Course.of((times, steps), per_tick=per_tick, per_unit=per_unit)


def draw_prices(
    item: Document, instance: Instance, run: Trajectory | None, window: Window, page: Page, head: str
) -> Document:
    """The price of a server over time and, of a run, the backlog below it. Returns what was drawn."""
    course, tick = price_course(item), instance.tick
    panels = [("price of a server", course)] + ([] if run is None else [("unfinished jobs n(t)", servers(run)[0])])
    ends = [Fraction(int(one.time[-1]), one.per_tick) * tick for _, one in panels if len(one)]
    first = Fraction(int(instance.release[0])) * tick if instance.n else Fraction(0)
    limits = window.limits(first, max(ends, default=first))
    with drawn(page, 8, 1 + 2 * len(panels)) as figure:
        rows = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (label, one) in zip(rows, panels, strict=True):
            x, y = points(one, tick, Fraction(1), limits)
            curve(axes, x, y)
            axes.fill_between(x, y, color="0.9", linewidth=0, zorder=0)
            axes.set_ylabel(label)
            axes.set_ylim(0, plain(one.peak * 21 / 20) or 1)
        finish(figure, list(rows), limits, "time")
        entitle(rows[0], page, literal(head))
    return {"cells": len(item["price"]), "dearest": exact.text(course.peak), "jobs": instance.n}
