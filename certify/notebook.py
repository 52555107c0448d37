"""What a notebook shows of instances, runs and interval families: tables, and who runs when."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich import box
from rich.table import Table

from certify.plots import STYLE, check_matplotlib, literal, plain
from online import exact
from online.errors import InvalidInput, Problem
from online.family import IntervalFamily
from online.instance import Instance
from online.run import Run
from online.weights import Weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEFT = ("job", "machine", "eligible machines", "counted jobs")
"""Columns of words."""

NAMED = 60
"""Most jobs that have outlines and names in a picture."""


def jobs_table(instance: Instance) -> Table:
    """The jobs in arrival order, times and flow weights in the input's units; weights only where they differ."""
    weighted = len(set(instance.flow_weight.tolist())) > 1
    table = _table("job", "release", "size", *(["weight"] if weighted else []), "eligible machines")
    for job in instance.jobs():
        weight = [exact.text(job.flow_weight * instance.weight_unit)] if weighted else []
        machines = ", ".join(map(instance.machine_name, job.eligible))
        table.add_row(str(job.id), *_times(instance, job.release, job.size), *weight, machines)
    return table


def run_table(run: Run) -> Table:
    """What became of each job, times in the input's unit; of load, which has no time, the machine alone."""
    instance, timed = run.instance, run.problem != "load"
    completion = run.completion.tolist() if timed else []
    table = _table("job", "machine", *(["release", "completion", "flow time"] if timed else ["size"]))
    for job in instance.jobs():
        kept = bool(run.accepted[job.position])
        machine = instance.machine_name(int(run.dispatch[job.position])) if kept else "rejected"
        if not timed:
            table.add_row(str(job.id), machine, *_times(instance, job.size))
        elif kept:
            end = completion[job.position]
            table.add_row(str(job.id), machine, *_times(instance, job.release, end, end - job.release))
        else:
            table.add_row(str(job.id), machine, *_times(instance, job.release), "", "")
    return table


def family_table(instance: Instance, family: IntervalFamily, weights: Weights | None = None) -> Table:
    """The intervals of a family, and whom each counts; times in the input's unit, weights as `weights` has them."""
    own = (weights or Weights.ones(instance)).tolist()
    heavy, several = weights is not None, bool((family.multiplicity != 1).any())
    names = ("machine", "interval", "length", *["weight at least"] * heavy, *["times"] * several, "counted jobs")
    table = _table(*names)
    for one in family:
        start, end, length = _times(instance, one.start, one.end, one.length)
        jobs = (str(job.id) for job, weight in zip(instance.jobs(), own, strict=True) if one.counts(job, weight))
        cells = [instance.machine_name(one.machine), f"[{start}, {end}]", length]
        cells += [exact.text(one.weight)] * heavy + [str(one.multiplicity)] * several
        table.add_row(*cells, " ".join(jobs))
    return table


def timeline(run: Run) -> Figure:
    """Who runs when, a row a machine; in a row below a cross for every rejected job, when it was rejected.

    Raises: `InvalidInput` for a run of load, which has no time, and where matplotlib is missing.
    """
    check_matplotlib("timeline")
    if run.problem == "load":
        raise InvalidInput(Problem("timeline", "no time", "a run of load", "a problem with time", "draw run.loads"))
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8, 2 + run.instance.machines // 3))
        _draw(figure.add_subplot(), run)
    return figure


class _Piece(NamedTuple):
    job: int
    machine: int
    start: Fraction
    end: Fraction


def _pieces(run: Run) -> Iterator[_Piece]:
    """The execution in the input's unit."""
    unit = run.instance.tick / run.per_tick
    for job, machine, start, end in zip(*run.executed, strict=True):
        yield _Piece(job, machine, start * unit, end * unit)


def _rejections(run: Run) -> dict[Fraction, list[str]]:
    """The rejected jobs at the times of their rejection, in the input's unit."""
    instance, out = run.instance, dict[Fraction, list[str]]()
    late = {one.job: one.time for one in run.late}
    for j in np.flatnonzero(~run.accepted).tolist():
        time = late.get(j)
        ticks = Fraction(int(instance.release[j])) if time is None else Fraction(time, run.per_tick)
        out.setdefault(ticks * instance.tick, []).append(literal(instance.ids[j]))
    return out


def _draw(axes: Axes, run: Run) -> None:
    """Machine i has the heights 3i - 1 to 3i + 1; heights grow downwards."""
    instance, pieces = run.instance, list(_pieces(run))
    few = instance.n <= NAMED
    rows = [*(literal(instance.machine_name(i)) for i in range(instance.machines)), "rejected"]
    for machine in range(instance.machines):
        own = [(plain(one.start), plain(one.end - one.start)) for one in pieces if one.machine == machine]
        axes.broken_barh(own, (3 * machine - 1, 2), facecolor="0.8", edgecolor="0.2", linewidth=int(few))
    rejected = _rejections(run)
    axes.plot(list(map(plain, rejected)), [3 * instance.machines] * len(rejected), "x", color="0.0")
    if few:
        for one in pieces:
            middle = plain((one.start + one.end) / 2)
            axes.text(middle, 3 * one.machine, literal(instance.ids[one.job]), ha="center", va="center")
        for time, names in rejected.items():
            axes.text(plain(time), 3 * instance.machines, "   " + ", ".join(names), va="center")
    axes.set_yticks(range(0, 3 * len(rows), 3), rows)
    axes.set_ylim(3 * len(rows) - 1, -2)
    axes.set_xlabel("time")


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for name in columns:
        table.add_column(name, justify="left" if name in LEFT else "right")
    return table


def _times(instance: Instance, *ticks: int | Fraction) -> list[str]:
    return [exact.text(one * instance.tick) for one in ticks]
