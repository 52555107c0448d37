"""The section with the proof of a bound on flow time plus energy: what jobs pay at the server prices, less the rent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from certify.report.canvas import INK, blank, undrawable
from certify.report.columns import drawn
from certify.report.energy import DEAREST, Speeds
from certify.report.pays import Bill, Pay, rents
from certify.report.proof import best_goal
from certify.report.scene import Scene
from certify.report.section import Section, render
from certify.report.servers import Servers
from certify.report.servers_figures import told
from certify.report.shown import beside, exactly, nearly, shortened
from lp.energy.prices import tangent
from online import exact
from online.instance import Instance
from online.speed.power import Power
from online.speed.trajectory import total

if TYPE_CHECKING:
    from bokeh.plotting import figure

MOST = 20_000
"""Jobs of a picture at most."""

FIRST = 60
"""Jobs in view at first."""


def prices(scene: Scene) -> Section | None:
    """Why no schedule costs less than the best lower bound, with the numbers of this very certificate."""
    found, goal = Speeds.of(scene), best_goal(scene.goals)
    if found is None or goal is None:
        return None
    instance, bill = found.instance, found.bill
    values: dict[str, Any] = {"claimed": exact.rational(goal["value"]) * instance.tick, "bill": None}
    models = {}
    if bill is not None:
        against = Against.of(found)
        values |= _content(found, bill, against)
        values["others"] = sum(one["claim"] == "lower-bound" for one in scene.goals) - 1
        values["origin"] = scene.evidence[goal["evidence"]].get("origin")
        sums = [value * instance.tick for value in (bill.paid, against.servers.schedule.cost if against else 0)]
        if 0 < instance.n <= MOST and not undrawable(0, [*map(Fraction, sums)]):
            models = {"prices-pays": _picture(bill, instance, found.power, against)}
    html = render("prices", **values, drawn=bool(models), exactly=exactly, beside=beside, nearly=nearly)
    return Section("prices", "The proof of the bound: what jobs pay at server prices", html, models)


@dataclass(frozen=True)
class Against:
    """A schedule that the bound is compared with, and the rent that each of its jobs pays, in ticks."""

    servers: Servers
    rents: list[Fraction]

    @classmethod
    def of(cls, found: Speeds) -> Against | None:
        """The run, or the first other schedule of the certificate."""
        if not found.schedules or found.prices is None:
            return None
        return cls(found.schedules[0], rents(found.schedules[0].schedule, found.prices))

    def gap(self, bill: Bill) -> dict[str, Fraction]:
        """Why the schedule costs more than the bound: jobs that pay too little, and servers that stand idle."""
        jobs, rent = self.servers.schedule.cost + total(self.rents), total(self.rents)
        return {"jobs": jobs - bill.paid, "servers": bill.rent - rent}


def _content(found: Speeds, bill: Bill, against: Against | None) -> dict[str, Any]:
    instance, tick = found.instance, found.instance.tick
    order = _by_pay(bill)
    first, rest = order[:DEAREST], order[DEAREST:]
    assert found.prices is not None
    return {
        "bill": bill,
        "paid": bill.paid * tick,
        "rent": bill.rent * tick,
        "value": bill.value * tick,
        "machines": instance.machines,
        "cells": len(found.prices.price),
        "highest": max(found.prices.price, default=Fraction(0)),
        "rows": [_row(j, bill.pays[j], instance, found.power) for j in first],
        "rest": (len(rest), sum((bill.pays[j].value for j in rest), Fraction(0)) * tick) if rest else None,
        "shown": against and against.servers.name,
        "cost": None if against is None else against.servers.schedule.cost * tick,
        "gap": None if against is None else {words: part * tick for words, part in against.gap(bill).items()},
    }


def _row(j: int, pay: Pay, instance: Instance, power: Power) -> dict[str, Any]:
    """Where the dual variable of a job comes from: flow time and work, less what its running may have cost less."""
    mu, y = tangent(power, pay.dial)
    size, flow = int(instance.size[j]), pay.at - int(instance.release[j])
    return {
        "id": instance.ids[j],
        "value": pay.value * instance.tick,
        "at": pay.at * instance.tick,
        "flow": flow * instance.tick,
        "mu": mu,
        "y": y,
        "work": mu * size * instance.tick,
        "spared": (mu * size + flow - pay.value) * instance.tick,
    }


def _by_pay(bill: Bill) -> list[int]:
    """The jobs, those that pay most first."""
    return sorted(range(len(bill.pays)), key=lambda j: (-bill.pays[j].value, j))


def _picture(bill: Bill, instance: Instance, power: Power, against: Against | None) -> figure:
    """What each job pays, beside what it costs in a schedule with its rent on top."""
    from bokeh.models import ColumnDataSource, DataRange1d, HoverTool, Legend, LegendItem, Range1d

    n, tick = instance.n, instance.tick
    x = Range1d(1 / 2, min(n, FIRST) + 1 / 2, name="prices-x", min_interval=1)
    drawing = blank(x, 270, "jobs, those that pay most first", "pays, costs", y_range=DataRange1d(start=0))
    drawing.yaxis.formatter.use_scientific = False
    order = _by_pay(bill)
    data: dict[str, Any] = {
        "left": drawn([Fraction(5 * j - 1, 5) for j in range(1, n + 1)]),
        "right": drawn([Fraction(5 * j + 1, 5) for j in range(1, n + 1)]),
        "pays": drawn([bill.pays[j].value for j in order], tick),
        **_words(order, bill.pays, instance, power),
        **_costs(order, against, tick),
    }
    source = ColumnDataSource(data, name="prices-jobs")
    style: dict[str, Any] = {"width": 2 / 5, "source": source, "line_color": INK, "line_width": 1 / 2}
    bars = {"pays at least": drawing.vbar("left", top="pays", fill_color=INK, **style)}
    if against is not None:
        bars["costs"] = drawing.vbar("right", top="cost", fill_color="#9ecae1", **style)
        bars["and its rent"] = drawing.vbar("right", bottom="cost", top="sum", fill_color="#e0e0e0", **style)
    drawing.add_tools(HoverTool(renderers=list(bars.values()), tooltips=TIPS, description="jobs"))
    items = [LegendItem(label=words, renderers=[bar]) for words, bar in bars.items()]
    drawing.add_layout(Legend(items=items, orientation="horizontal", border_line_alpha=0), "above")
    return drawing


def _costs(order: Sequence[int], against: Against | None, tick: Fraction) -> dict[str, Any]:
    if against is None:
        return {"costs": ["-"] * len(order), "rents": ["-"] * len(order)}
    cost, rent = ([values[j] for j in order] for values in (against.servers.cost, against.rents))
    return {
        "cost": drawn(cost, tick),
        "sum": drawn([one + other for one, other in zip(cost, rent, strict=True)], tick),
        "costs": [told(value * tick) for value in cost],
        "rents": [told(value * tick) for value in rent],
    }


TIPS = [
    ("job", "@id"),
    ("pays at least", "@told"),
    ("cheapest if done at", "@at, of the times @range"),
    ("by the tangent", "@mu s - @y of P(s)"),
    ("costs", "@costs, and @rents of rent"),
]
"""What the pointer is told about a job."""


def _words(order: Sequence[int], pays: Sequence[Pay], instance: Instance, power: Power) -> dict[str, list[str]]:
    tick, mine = instance.tick, [pays[j] for j in order]
    lines = {dial: tangent(power, dial) for dial in {pay.dial for pay in mine}}
    ends = ["on" if pay.last is None else f"to {told(pay.last * tick)}" for pay in mine]
    return {
        "id": [str(instance.ids[j]) for j in order],
        "told": [told(pay.value * tick, "down") for pay in mine],
        "at": [told(pay.at * tick) for pay in mine],
        "range": [f"from {told(pay.first * tick)} {end}" for pay, end in zip(mine, ends, strict=True)],
        "mu": [shortened(exact.decimal(lines[pay.dial].marginal)) for pay in mine],
        "y": [shortened(exact.decimal(lines[pay.dial].conjugate)) for pay in mine],
    }
