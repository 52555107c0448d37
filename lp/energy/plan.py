"""The cheapest schedule for a given order of releases and completions: a convex program, solved by tangents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lp.backend import GE, solve
from lp.energy.curve import Curve
from lp.program import Floats, LinearProgram
from online.errors import InvalidInput
from online.instance import Instance

FAN = 1.08
"""Ratio of neighbouring conjugates among the first tangents."""

ROUNDS, TINY = 12, 1e-12
"""Most linear programs for one order; a running time, in ticks, that is none."""


class Event(NamedTuple):
    """Releases at `time`, or the completion of `job`, which was released at `time`."""

    time: int
    job: int | None = None


Order = tuple[Event, ...]


@dataclass(frozen=True, eq=False)
class Plan:
    """Times of the events of an order and running times `run[j, k]` between neighbouring ones, in ticks; its cost.

    `least` is what the solver gives as the least cost of the order.
    """

    order: Order
    time: Floats
    run: Floats
    cost: float
    least: float

    @property
    def completion(self) -> Floats:
        """Completion times by job."""
        found = np.zeros(len(self.run))
        for event, time in zip(self.order, self.time.tolist(), strict=True):
            if event.job is not None:
                found[event.job] = time
        return found


def order_of(instance: Instance, completion: Floats) -> Order:
    """The order in which releases and the given completions follow one another; a release goes before its equals."""
    events = [Event(time) for time in sorted(set(instance.release.tolist()))]
    keyed = [(float(event.time), 0, 0, event) for event in events]
    release = instance.release.tolist()
    for rank, j in enumerate(np.lexsort((instance.size, completion)).tolist()):
        keyed.append((max(float(completion[j]), float(release[j])), 1, rank, Event(release[j], j)))
    return tuple(event for *_, event in sorted(keyed, key=lambda entry: entry[:3]))


def cheapest(instance: Instance, curve: Curve, order: Order, accuracy: float = 1e-3) -> Plan | None:
    """The least cost of any schedule, migratory or not, whose events follow one another in this order.

    A job at one speed throughout is cheapest, with energy Z P(w/Z) for running time Z: convex, and replaced by
    tangents `w mu - y Z`: a fan of them first, then more around the answers until the program's value is within
    `accuracy` of the plan's cost. None if the solver fails.
    """
    program = _Program(instance, curve, order)
    n, step = instance.n, math.log(FAN)
    fan = np.exp(np.arange(-3 * step, math.log(n + 1) + step, step))
    tangents = [(j, y) for j in range(n) for y in fan.tolist()]
    best, top = None, float(fan[-1])
    for _ in range(ROUNDS):
        plan = program.solve(tangents)
        if plan is None:
            return best
        best = plan if best is None or plan.cost < best.cost else best
        if best.cost - plan.least <= accuracy * best.cost:
            return best
        step /= 4
        own = np.minimum(_conjugates(instance, curve, plan.run.sum(axis=1)), 2 * top)
        top = max(top, float(own.max()))
        tangents += [(j, y) for j in range(n) for y in (own[j] * np.exp(step * np.arange(-2, 3))).tolist()]
    return best


def _conjugates(instance: Instance, curve: Curve, total: Floats) -> Floats:
    """The server price at which each job's running time is right."""
    return np.where(total > TINY, curve.conjugate_of_speed(instance.size / np.maximum(total, TINY)), np.inf)


class _Program:
    """Columns: completions, energies, running times where a job is released and unfinished; in mean sizes."""

    def __init__(self, instance: Instance, curve: Curve, order: Order) -> None:
        self.instance, self.curve, self.order = instance, curve, order
        self.unit = float(np.mean(instance.size.astype(np.float64)))
        self.size = instance.size / self.unit
        release, end = instance.release.tolist(), {e.job: k for k, e in enumerate(order) if e.job is not None}
        begin = {e.time: k for k, e in enumerate(order) if e.job is None}
        self.cells = [(j, k) for j in range(instance.n) for k in range(begin[release[j]], end[j])]
        self.column = {cell: 2 * instance.n + c for c, cell in enumerate(self.cells)}

    def _length(self, k: int, factor: float) -> tuple[dict[int, float], float]:
        """`factor` times the length between events k and k + 1: coefficients of completions, and the constant."""
        row: dict[int, float] = {}
        constant = 0.0
        for sign, event in ((-factor, self.order[k]), (factor, self.order[k + 1])):
            if event.job is None:
                constant += sign * event.time / self.unit
            else:
                row[event.job] = row.get(event.job, 0.0) + sign
        return row, constant

    def _rows(self, tangents: Sequence[tuple[int, float]]) -> list[tuple[dict[int, float], int, float]]:
        n, m = self.instance.n, self.instance.machines
        rows = []
        for k in range(len(self.order) - 1):
            own = [column for (_, cell), column in self.column.items() if cell == k]
            row, constant = self._length(k, 1.0)
            rows.append((row, GE, -constant))
            if m > 1:
                rows += [({**row, column: -1.0}, GE, -constant) for column in own]
            if len(own) > m:
                row, constant = self._length(k, float(m))
                rows.append((row | dict.fromkeys(own, -1.0), GE, -constant))
            elif m == 1:
                rows += [({**row, column: -1.0}, GE, -constant) for column in own]
        runs: list[dict[int, float]] = [{} for _ in range(n)]
        for (j, _), column in self.column.items():
            runs[j][column] = 1.0
        marginal = self.curve.marginal_of_conjugate(np.array([y for _, y in tangents])).tolist()
        size = self.size.tolist()
        for (j, y), mu in zip(tangents, marginal, strict=True):
            rows.append((dict.fromkeys(runs[j], y) | {n + j: 1.0}, GE, size[j] * mu))
        return rows

    def solve(self, tangents: Sequence[tuple[int, float]]) -> Plan | None:
        n = self.instance.n
        cost = [1.0] * (2 * n) + [0.0] * len(self.cells)
        try:
            found = solve(LinearProgram.of(cost, self._rows(tangents)))
        except InvalidInput:  # sizes too far apart for the solver
            return None
        if found.x is None:
            return None
        x = self.unit * np.maximum(found.x, 0.0)
        run = np.zeros((n, len(self.order) - 1))
        for (j, k), column in self.column.items():
            run[j, k] = x[column]
        time = np.array([e.time if e.job is None else x[e.job] for e in self.order], dtype=np.float64)
        total = run.sum(axis=1)
        energy = total * self.curve.power_of_speed(self.instance.size / np.maximum(total, TINY))
        energy[total <= TINY] = np.inf
        flow = x[:n].sum() - float(sum(self.instance.release.tolist()))
        return Plan(self.order, time, run, float(flow + energy.sum()), float(flow + x[n : 2 * n].sum()))
