"""SRPT with the speeds of the paper in binary floats: fast, for looking at many jobs; nothing is certified by it."""

from __future__ import annotations

from bisect import insort
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

from online.instance import Instance
from online.speed.power import Power
from online.speed.trajectory import check_instance


class FloatCost(NamedTuple):
    """Flow time and energy of a run in ticks, as floats."""

    flow: float
    energy: float

    @property
    def cost(self) -> float:
        """Flow time plus energy."""
        return self.flow + self.energy


def float_srpt(instance: Instance, power: Power) -> FloatCost:
    """Flow time and energy of SRPT at speed P^-1(max(n/m, 1)), n log n in the number of jobs.

    All busy servers run at one speed, so a running job is kept with the work that a server will have done when it is
    complete, which never changes while it runs.

    Raises: `InvalidInput` for jobs that not every server may run.

    Source: Multiple server SRPT with speed scaling is competitive, (5).

    >>> from online.rows import Row
    >>> from online.speed.power_text import read_power
    >>> float_srpt(Instance.from_rows(1, [Row("a", 0, 3)]), read_power("s^2"))
    FloatCost(flow=3.0, energy=3.0)
    """
    check_instance(instance)
    servers = instance.machines
    waiting: list[tuple[float, int]] = []
    running: list[tuple[float, int]] = []
    speeds: dict[int, tuple[float, float]] = {}
    flow = energy = done = now = float(0)
    arrivals = [(int(r), int(p)) for r, p in zip(instance.release, instance.size, strict=True)]
    position = 0
    while position < len(arrivals) or running:
        count = len(running) + len(waiting)
        if running:
            if count not in speeds:
                point = power.at(power.dial_for_power(max(Fraction(count, servers), Fraction(1))))
                speeds[count] = float(point.speed), float(point.power)
            speed, drawn = speeds[count]
            span = max((running[0][0] - done) / speed, 0)
            ends = position == len(arrivals) or now + span <= arrivals[position][0]
            if not ends:
                span = arrivals[position][0] - now
            flow += span * count
            energy += span * len(running) * drawn
            done += span * speed
            now += span
            if ends:
                done = running.pop(0)[0]
                if waiting:
                    remaining, job = heappop(waiting)
                    insort(running, (remaining + done, job))
                continue
        now = arrivals[position][0]
        insort(running, (arrivals[position][1] + done, position))
        position += 1
        if len(running) > servers:
            key, job = running.pop()
            heappush(waiting, (key - done, job))
    return FloatCost(flow, energy)
