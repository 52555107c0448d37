"""What the pictures of a run are made of: columns of its jobs, bars, rejections, queues and phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from certify.evidence import weights_of
from certify.report.canvas import BINS
from certify.report.columns import drawn, packed
from certify.report.execution import ACCEPTED, LATE, Execution, Steps, loads, queues, sizes_in_stacks
from certify.report.origins import Origins, origins, strongest
from certify.report.scene import Scene
from certify.show import number
from online import exact
from online.exact import Column
from online.run import REJECTED, Run

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource

NAMES = 6
"""So many machines of an eligible set are named."""


@dataclass(frozen=True, eq=False)
class Told:
    """What the pictures of a run are made of; their names begin with `name`.

    `origins` are the duals of the largest bound that is proven by any: T* >= `shown`, in the input's unit.
    """

    run: Run
    execution: Execution
    origins: Origins | None
    unit: Fraction
    name: str = "timeline"
    shown: Fraction | None = None

    @classmethod
    def of(cls, scene: Scene, run: Run, name: str = "timeline") -> Told:
        """Of the run of a scene, or another on its jobs; the duals are those of the certificate."""
        best = strongest(scene.goals, scene.evidence)
        if best is None:
            return cls(run, Execution.of(run), None, scene.unit, name)
        value, e = best
        found = origins(scene.problem, run.instance, scene.evidence[e])
        return cls(run, Execution.of(run), found, scene.unit, name, value * scene.unit)

    @property
    def stacked(self) -> bool:
        """Whether there is no time, and jobs lie on top of one another."""
        return self.run.problem == "load"

    @property
    def names(self) -> list[str]:
        """How the machines are called."""
        return [self.run.instance.machine_name(i) for i in range(self.run.instance.machines)]

    @property
    def time(self) -> Fraction:
        """What the execution counts, in the unit of the input."""
        return self.execution.unit(self.run.instance.tick)

    @cached_property
    def cost(self) -> list[int | Fraction]:
        """What each job costs: weight times flow time in the objective's ticks, or its size; -1 of a rejected one."""
        run, ends = self.run, self.execution.leave.tolist()
        sizes = run.instance.size.tolist()
        if self.stacked:
            values: Sequence[int | Fraction] = sizes
        else:
            weights = weights_of(run.problem, run.instance)
            own = [1] * run.instance.n if weights is None else weights.tolist()
            rows = zip(ends, run.instance.release.tolist(), own, strict=True)
            values = [Fraction(w * (e - r * self.execution.per_tick), self.execution.per_tick) for e, r, w in rows]
        fates = zip(values, self.execution.fate.tolist(), strict=True)
        return [value if fate == ACCEPTED else -1 for value, fate in fates]

    @cached_property
    def heights(self) -> Steps:
        """What the cells show: the queues, or the sizes in the stacks."""
        return sizes_in_stacks(self.run, self.execution) if self.stacked else queues(self.run, self.execution)

    @cached_property
    def curves(self) -> Steps:
        """What the curve shows: the queues over time, or the loads over the arrivals."""
        return loads(self.run) if self.stacked else self.heights

    @property
    def busiest(self) -> int:
        """The machine of the costliest job, or with the largest load."""
        if self.stacked:
            return self.run.loads.index(max(self.run.loads))
        return max(int(self.run.dispatch[max(range(len(self.cost)), key=self.cost.__getitem__)]), 0)

    @property
    def end(self) -> Fraction:
        """Where the picture ends, in the unit of the input."""
        ends = [*self.execution.end.tolist(), 0 if self.stacked else int(self.execution.leave.max())]
        return Fraction(max(ends)) * self.time

    @property
    def start(self) -> Fraction:
        """Where it begins."""
        return self.run.instance.tick * (0 if self.stacked else int(self.run.instance.release[0]))

    def jobs(self) -> ColumnDataSource:
        """One row a job: everything that is said about it."""
        from bokeh.models import ColumnDataSource

        instance, parts = self.run.instance, 1 if self.stacked else self.execution.per_tick
        weights = weights_of(self.run.problem, instance)
        most = max((one for one in self.cost if one > 0), default=1)
        shades = [Fraction(max(one, 0)) / most for one in self.cost]
        data: dict[str, Any] = {
            "id": list(map(str, instance.ids)),
            "release": packed([r * parts for r in instance.release.tolist()]),
            "size": packed(instance.size),
            "eligible": packed(instance.eligible_set),
            "machine": packed(self.run.dispatch),
            "leave": packed(self.execution.leave),
            "fate": packed(self.execution.fate),
            "shade": drawn(shades).astype(np.float32),
        }
        if weights is not None and self.run.problem != "stretch":
            data["weight"] = packed(instance.flow_weight)
        if self.origins is not None:
            data |= {"alpha": packed(self.origins.alpha), "most": packed(self.origins.most)}
            data["least"] = packed(self.origins.machine)
        return ColumnDataSource(data)

    def pieces(self) -> ColumnDataSource:
        """One row a bar."""
        from bokeh.models import ColumnDataSource

        columns = ("job", "machine", "start", "end")
        return ColumnDataSource({name: packed(getattr(self.execution, name)) for name in columns})

    def marks(self) -> ColumnDataSource:
        """One row a rejection: above the machines, or on its machine if it was late; none where bars say it."""
        from bokeh.models import ColumnDataSource

        fate, leave = self.execution.fate, self.execution.leave
        jobs = np.flatnonzero(fate != ACCEPTED if not self.stacked else fate < ACCEPTED)
        late = (fate[jobs] == LATE).astype(np.int32)
        row = np.where(late, self.run.dispatch[jobs], REJECTED)
        columns = {"job": jobs, "time": leave[jobs], "row": row, "late": late}
        return ColumnDataSource({name: packed(column) for name, column in columns.items()})

    def sets(self) -> ColumnDataSource:
        """The eligible sets in words."""
        from bokeh.models import ColumnDataSource

        return ColumnDataSource({"text": [named(one, self.names) for one in self.run.instance.sets]})

    def phases(self) -> list[tuple[Fraction, str]]:
        """Where each phase but the first begins, and its guess in words."""
        tick = self.run.instance.tick
        found = []
        for number_, phase in enumerate(self.run.phases[1:], start=2):
            at = Fraction(phase.first + 1) if self.stacked else int(self.run.instance.release[phase.first]) * tick
            guess = "" if phase.guess is None else f", T = {number(exact.text(phase.guess * self.unit))}"
            found.append((at, f"phase {number_}{guess}"))
        return found

    def steps(self, steps: Steps) -> ColumnDataSource:
        """Step functions as the scripts take them."""
        from bokeh.models import ColumnDataSource

        whole = steps.value.dtype != np.float64
        return ColumnDataSource({"time": steps.time, "value": packed(steps.value) if whole else steps.value})


def named(machines: Sequence[int], names: Sequence[str]) -> str:
    """Some machines in words, the first of them by name.

    >>> named([0, 1], "abc"), named([0, 1, 2], "abc")
    ('a, b', 'all machines')
    """
    if len(machines) == len(names):
        return "all machines"
    shown = ", ".join(names[i] for i in machines[:NAMES])
    return shown if len(machines) <= NAMES else f"{shown} and {len(machines) - NAMES} more"


def overview(steps: Steps, start: Fraction, end: Fraction) -> tuple[Column, Column]:
    """The last of the series with at most two points a cell: the largest value of each."""
    first, last = steps.first[-2], steps.first[-1]
    left, right = drawn([start, end]).tolist()
    edges = np.linspace(left, right, 2 * BINS + 1)
    time, value = steps.time[first:last], steps.value[first:last]
    cut = np.searchsorted(time, edges)
    before = np.concatenate([[0], value])[cut]
    most = [max([before[b], *value[cut[b] : cut[b + 1]].tolist()]) for b in range(2 * BINS)]
    return edges[:-1], np.array(most, dtype=np.float64)
