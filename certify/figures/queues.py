"""Queue trajectories: what every machine has left over time, and who was rejected when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from certify.evidence import Document
from certify.figures.axis import (
    Limits,
    Points,
    Window,
    chosen_machines,
    curve,
    entitle,
    finish,
    how_many,
    joined,
    machine_label,
    marks,
    points,
    scaled,
    within,
)
from certify.plots import RASTER, Page, drawn, letters_beside, literal, plain
from certify.trajectory import Course, number_left, servers, work_left
from online import exact
from online.run import REJECTED, Run
from online.speed.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AMOUNTS: dict[str, Callable[[Run, int | None], Course]] = {"work": work_left, "number": number_left}
"""What a queue may be measured in."""

ABOVE = 1 / 10
"""How far above the curve rejections are marked, and again below the title, as a share of the height."""


@dataclass(frozen=True)
class Asked:
    """Which machines (by name; none: the `most` with most accepted work), the amount, and the window."""

    machines: Sequence[str] = ()
    most: int = 6
    amount: str = "work"
    window: Window = field(default_factory=Window)


def draw_queues(run: Run, asked: Asked, page: Page, source: str) -> Document:
    """All machines together, then one panel a machine; rejections as marks, guesses T and T/epsilon as lines.

    Returns what was drawn. Raises: as `certify.plots.drawn`, and `InvalidInput` for a machine that there is not.
    """
    instance, loads = run.instance, run.loads
    ranked = sorted(range(instance.machines), key=lambda i: (-loads[i], i))
    machines = chosen_machines(instance, asked.machines, ranked, asked.most)
    course_of = AMOUNTS[asked.amount]
    total, each = course_of(run, None), [course_of(run, i) for i in machines]
    tick, unit = _time_unit(run), instance.tick if asked.amount == "work" else Fraction(1)
    last = max((Fraction(int(one.time[-1]), one.per_tick) for one in (total, *each) if len(one)), default=Fraction(0))
    first, end = _arrivals(run)
    limits = asked.window.limits(first, max(last * tick, end))
    with drawn(page, 8, Fraction(5, 2) + len(machines)) as figure:
        top, *rows = figure.subplots(1 + len(machines), 1, sharex=True, squeeze=False)[:, 0]
        _panel(top, total, tick, unit, limits, "all machines")
        counts = _rejections(top, run, limits)
        room = letters_beside(figure, 1 + len(rows))
        for axes, machine, course in zip(rows, machines, each, strict=True):
            _panel(axes, course, tick, unit, limits, machine_label(instance, machine, room))
        if asked.amount == "work":
            _same_height(rows, _guesses(rows, run, limits))
        finish(figure, [top, *rows], limits, "jobs arrived" if run.problem == "load" else "time")
        some = how_many(len(machines), instance.machines, "as chosen" if asked.machines else "those with most work")
        own = joined([f"{literal(source)}: {_words(run, asked.amount)}, algorithm {literal(run.algorithm)}", some])
        entitle(top, page, own)
    names = [instance.machine_name(i) for i in machines]
    return {"machines": names, "of": instance.machines, "jobs": instance.n, **counts, "breakpoints": len(total)}


def draw_servers(run: Trajectory, window: Window, page: Page, source: str) -> Document:
    """The backlog n(t) and the sum of the speeds of a schedule with speeds. Returns what was drawn."""
    tick, (jobs, speed) = run.instance.tick, servers(run)
    first = Fraction(int(run.instance.release[0])) if run.instance.n else Fraction(0)
    limits = window.limits(first * tick, max(run.completion, default=Fraction(0)) * tick)
    with drawn(page, 8, 5) as figure:
        panels = figure.subplots(2, 1, sharex=True)
        _panel(panels[0], jobs, tick, Fraction(1), limits, "unfinished jobs n(t)")
        _panel(panels[1], speed, tick, Fraction(1), limits, "sum of the speeds")
        panels[1].lines[0].set_linestyle("solid")
        release = scaled(run.instance.release, tick)
        marks(panels[0], within(release, limits), 0, marker="|", color="0.0", markersize=8, label="releases")
        finish(figure, panels, limits, "time")
        m = run.instance.machines
        own = f"{literal(source)}: {m} server{'s' if m > 1 else ''}, P(s) = {literal(run.power)}"
        entitle(panels[0], page, own)
    peak = {"backlog": str(jobs.peak), "speed": exact.text(speed.peak)}
    return {"servers": run.instance.machines, "jobs": run.instance.n, "peak": peak, "breakpoints": len(speed)}


def _time_unit(run: Run) -> Fraction:
    return Fraction(1) if run.problem == "load" else run.instance.tick


def _arrivals(run: Run) -> Limits:
    if run.problem == "load" or not run.instance.n:
        return Fraction(0), Fraction(run.instance.n)
    first, last = (Fraction(int(run.instance.release[k])) * run.instance.tick for k in (0, -1))
    return first, last


def _words(run: Run, amount: str) -> str:
    if amount == "number":
        return "jobs kept" if run.problem == "load" else "unfinished jobs"
    return "load" if run.problem == "load" else "work left"


def _panel(axes: Axes, course: Course, tick: Fraction, unit: Fraction, limits: Limits, label: str) -> None:
    x, y = points(course, tick, unit, limits)
    curve(axes, x, y)
    axes.fill_between(x, y, color="0.9", linewidth=0, zorder=0, rasterized=len(x) > RASTER)
    axes.set_ylim(bottom=0, top=max(plain(max(y.tolist())) * 21 / 20, 0) or 1)
    axes.set_ylabel(label)


def _rejections(axes: Axes, run: Run, limits: Limits) -> dict[str, int]:
    """A cross for a job that is rejected on arrival, a bar for one that is rejected late; how many are in view."""
    refused = np.flatnonzero(run.dispatch == REJECTED)
    if run.problem == "load":
        arrive, late = refused + 1, [Fraction(one.after + 1) for one in run.late]
    else:
        arrive = run.instance.release[refused]
        late = [Fraction(one.time or 0, run.per_tick) for one in run.late]
    unit, counts = _time_unit(run), {}
    height = axes.get_ylim()[1]
    if len(run.late) or len(refused):
        axes.set_ylim(top=height * (1 + 2 * ABOVE))
    found = (("on arrival", "x", scaled(arrive, unit)), ("late", "|", np.array([plain(t * unit) for t in late])))
    for words, marker, x in found:
        x = within(x, limits)
        counts[f"rejected {words}"] = len(x)
        if len(x):
            label = f"rejected {words}: {len(x)}"
            marks(
                axes,
                x,
                height * (1 + ABOVE),
                marker=marker,
                color="0.0",
                markersize=5 if marker == "x" else 9,
                label=label,
            )
    return counts


def _guesses(rows: Sequence[Axes], run: Run, limits: Limits) -> list[float]:
    """T and T/epsilon of each phase while it lasts, where T is a time or a load; the heights of what was drawn."""
    if run.problem not in ("max-flow", "load") or not rows:
        return []
    tallest = max(axes.get_ylim()[1] for axes in rows)
    heights = []
    for words, style, factor in (("T", "dashed", Fraction(1)), ("T/ε", "dotted", 1 / run.epsilon)):
        steps = _steps(run, factor, limits[1])
        if steps is None:
            continue
        x, y = steps
        top = max(y.tolist())
        note = f", up to {top:g}: out of view" if top > 2 * tallest else ""
        for axes in rows:
            axes.plot(x, y, color="0.0", linestyle=style, linewidth=1, label=words + note)
        heights += [] if note else [top * 21 / 20]
    return heights


def _steps(run: Run, factor: Fraction, end: Fraction) -> tuple[Points, Points] | None:
    known = [phase for phase in run.phases if phase.guess is not None]
    if not known:
        return None
    unit = _time_unit(run)
    when = range(run.instance.n) if run.problem == "load" else run.instance.release.tolist()
    at = [Fraction(when[one.first]) * unit for one in known]
    ends = [*at[1:], max(end, at[-1])]
    x = [plain(time) for pair in zip(at, ends, strict=True) for time in pair]
    y = [plain((one.guess or 0) * factor * run.instance.tick) for one in known for _ in range(2)]
    return np.array(x), np.array(y)


def _same_height(rows: Sequence[Axes], heights: Sequence[float]) -> None:
    if rows:
        top = max([axes.get_ylim()[1] for axes in rows] + list(heights))
        for axes in rows:
            axes.set_ylim(top=top)
