"""The sections about flow time plus energy: what the run costs beside the theorems, and its servers over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from certify.claims.claim import Entry, Verdict
from certify.energy_reopen import reopen_schedule, reopen_trajectory, reopen_witness
from certify.energy_show import servers as counted_servers
from certify.problems.energy import backlog
from certify.report.canvas import undrawable
from certify.report.ledger import anchor, filled
from certify.report.pays import Bill, bill, reopen_prices
from certify.report.proof import best_goal
from certify.report.scene import Scene
from certify.report.section import Section, render
from certify.report.servers import Servers
from certify.report.servers_figures import figures
from certify.report.shown import beside, briefly, nearly, share, width
from lp.energy.prices import Prices
from online import exact
from online.instance import Instance
from online.speed.power import Power
from online.speed.power_text import power_of
from online.speed.trajectory import Trajectory

THEOREMS = ("T1", "T2", "TD", "TF", "T-m1", "c_N")
"""The claims about the run's cost against the optimum."""

DEAREST = 12
"""So many jobs are listed in a table."""


@dataclass(frozen=True, eq=False)
class Speeds:
    """What a certificate about energy holds, reopened; times and costs are in ticks."""

    scene: Scene
    instance: Instance

    @classmethod
    def of(cls, scene: Scene) -> Speeds | None:
        """None for a certificate of another problem."""
        return cls(scene, scene.instance) if scene.problem == "energy" and scene.instance is not None else None

    @cached_property
    def power(self) -> Power:
        """P."""
        return power_of(self.scene.document["power"])

    @cached_property
    def run(self) -> Trajectory | None:
        """The run, if there is one."""
        return reopen_trajectory(self.scene.document, self.scene.folder) if "run" in self.scene.document else None

    @cached_property
    def reference(self) -> Trajectory | None:
        """The other schedule of a drift."""
        found = [one for one in self.scene.evidence if one["rule"] == "C9-drift"]
        return reopen_schedule(self.scene.document, found[0]["schedule"], self.scene.folder) if found else None

    @cached_property
    def schedules(self) -> list[Servers]:
        """Every schedule, with its name."""
        witness = reopen_witness(self.scene.document, self.scene.folder)
        named = [
            ("the run", self.run),
            ("the schedule that bounds the optimum from above", witness),
            ("the other schedule of the drift", self.reference),
        ]
        return [Servers(name, schedule) for name, schedule in named if schedule is not None]

    @cached_property
    def prices(self) -> Prices | None:
        """Those that the best lower bound is shown by."""
        goal = best_goal(self.scene.goals)
        if goal is None or "evidence" not in goal:
            return None
        return reopen_prices(self.scene.evidence[goal["evidence"]])

    @cached_property
    def bill(self) -> Bill | None:
        """What everybody pays at them."""
        return None if self.prices is None else bill(self.instance, self.power, self.prices)


def cost(scene: Scene) -> Section | None:
    """What the run costs, and how that compares with the optimum and with the theorems; None without a run."""
    found = Speeds.of(scene)
    if found is None or found.run is None:
        return None
    run, tick = found.run, found.instance.tick
    values: dict[str, Any] = {
        "record": scene.document["run"],
        "servers": counted_servers(found.instance.machines),
        "power": str(found.power),
        "cost": run.cost * tick,
        "flow": run.flow * tick,
        "energy": run.energy * tick,
        "flow_width": width(run.flow, run.cost),
        "backlog": backlog(run),
        "bound": scene.bound * tick,
        "ratio": run.cost / scene.bound if scene.bound else None,
        "competitive": [exact.rational(goal["value"]) for goal in scene.goals if goal["claim"] == "competitive"],
        "theorems": [_theorem(one) for one in scene.entries if one.claim.id in THEOREMS and one.reading is not None],
    }
    return Section(
        "cost", "What the run costs", render("cost", **values, beside=beside, briefly=briefly, anchor=anchor)
    )


def _theorem(entry: Entry) -> dict[str, Any]:
    """A claim cost <= c OPT, with the share of its right side that the cost takes."""
    assert entry.reading is not None
    return {
        "id": entry.claim.id,
        "statement": entry.claim.statement,
        "lhs": entry.reading.lhs * entry.scale,
        "rhs": entry.rhs,
        "verdict": entry.verdict.value,
        "width": width(filled(entry), 1),
        "share": share(filled(entry), 1, "up"),
        "over": entry.verdict is Verdict.FAILS,
        "open": entry.verdict is Verdict.UNDECIDED,
    }


def servers(scene: Scene) -> Section | None:
    """The servers and their jobs over time, what is paid, and the prices; None where no schedule is known."""
    found = Speeds.of(scene)
    if found is None or not found.schedules or not found.instance.n:
        return None
    pays = None if found.bill is None else [pay.value for pay in found.bill.pays]
    fastest, tick = max(one.fastest for one in found.schedules), found.instance.tick
    sums = [value * tick for one in found.schedules for value in (one.end, one.schedule.cost)]
    prices = found.prices.price if found.prices else ()
    undrawn = undrawable(found.instance.machines, [fastest, *sums, *prices])
    values = {"schedules": found.schedules, "worst": list(_dearest(found)), "priced": pays is not None}
    html = render("servers", **values, fastest=fastest, undrawn=undrawn, nearly=nearly)
    title = "Servers, speeds and jobs over time"
    return Section("servers", title, html, {} if undrawn else figures(found.schedules, found.prices, pays))


def _dearest(found: Speeds) -> Iterator[dict[str, Any]]:
    """The costliest jobs of the first schedule."""
    one, instance = found.schedules[0], found.instance
    for j in sorted(range(instance.n), key=lambda j: (-one.cost[j], j))[:DEAREST]:
        values: dict[str, int | Fraction] = {
            "release": int(instance.release[j]),
            "size": int(instance.size[j]),
            "done": one.schedule.completion[j],
            "flow": one.flow[j],
            "energy": one.energy[j],
            "cost": one.cost[j],
        }
        if found.bill is not None:
            values["pays"] = found.bill.pays[j].value
        yield {"id": instance.ids[j]} | {name: value * instance.tick for name, value in values.items()}
