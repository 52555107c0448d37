"""The run on a timeline: who ran where and when, who was rejected, how long the queues were."""

from __future__ import annotations

from collections.abc import Iterator

from certify.problems.registry import TRACKS
from certify.reopen import reopen_schedule
from certify.report.canvas import undrawable
from certify.report.scene import Scene
from certify.report.section import Section, render
from certify.report.shown import exactly
from certify.report.timeline_figures import figures
from certify.report.told import Told
from certify.show import number
from online import exact

WORST = 10
"""So many jobs are listed in the table beside the picture."""


def timeline(scene: Scene) -> Section | None:
    """The run as a picture per machine, with the queues below; None without a run or without jobs."""
    if scene.run is None or not scene.run.instance.n:
        return None
    told = Told.of(scene, scene.run)
    return _section(told, "The machines and their jobs" if told.stacked else "The run, machine by machine")


def schedule(scene: Scene) -> Section | None:
    """The schedule or assignment that bounds T* from above, drawn as a run is; None without one."""
    named = {"upper-bound": "value", "game": "opt"}
    found = [
        (exact.rational(goal[named[goal["claim"]]]), goal["evidence"]) for goal in scene.goals if goal["claim"] in named
    ]
    if not found or scene.problem not in TRACKS or scene.instance is None or not scene.instance.n:
        return None
    value, evidence = min(found)
    run = reopen_schedule(scene.instance, scene.problem, scene.evidence[evidence], "schedule")
    told = Told.of(scene, run, "schedule")
    words = "An assignment" if told.stacked else "A schedule"
    return _section(told, f"{words} of all jobs: T* <= {number(exact.text(value * scene.unit), 'up')}")


def _section(told: Told, title: str) -> Section:
    undrawn = undrawable(told.run.instance.machines, [told.start, told.end])
    html = render("timeline", told=told, worst=list(_worst(told)), undrawn=undrawn, exactly=exactly)
    return Section(told.name, title, html, {} if undrawn else figures(told))


def _worst(told: Told) -> Iterator[dict[str, str]]:
    """The costliest jobs, as a table says them."""
    instance, run = told.run.instance, told.run
    order = sorted(range(instance.n), key=lambda j: (-told.cost[j], j))[:WORST]
    for j in order:
        if told.cost[j] < 0:
            continue
        flow = (int(told.execution.leave[j]) - int(instance.release[j]) * told.execution.per_tick) * told.time
        yield {
            "job": str(instance.ids[j]),
            "machine": instance.machine_name(int(run.dispatch[j])),
            "release": number(exact.text(int(instance.release[j]) * instance.tick)),
            "size": number(exact.text(int(instance.size[j]) * instance.tick)),
            "flow": "" if told.stacked else number(exact.text(flow)),
            "cost": number(exact.text(told.cost[j] * told.unit)),
        }
