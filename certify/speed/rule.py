"""Whether a schedule is the algorithm of [S]: SRPT on all servers at speed rule (5), with dials rounded down."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from certify.speed.drift import Side, serves_its_shortest, sides
from online.speed.trajectory import Trajectory

DIAL_BITS = 16
"""A dial rounded down to so many significant bits, or more, counts as the dial of the rule."""


def departure(trajectory: Trajectory, bits: int = DIAL_BITS) -> str:
    """In what the schedule departs from SRPT at (5), in a few words; empty if it does not.

    >>> from online.instance import Instance
    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> from online.speed.trajectory import Segment
    >>> slow = Segment(Fraction(0), Fraction(4), ((0, Fraction(1, 2)),))
    >>> departure(Trajectory(Instance.from_rows(1, [Row("a", 0, 2)]), power_law(2), [slow]))
    'another speed at 0'
    """
    if any(done != size for done, size in zip(trajectory.work, trajectory.instance.size.tolist(), strict=True)):
        return "more work than the sizes"
    times = trajectory.breakpoints
    for (start, _), side in zip(pairwise(times), sides(trajectory, times), strict=True):
        found = _departure(trajectory, side, bits)
        if found:
            return f"{found} at {start}"
    return "" if serves_its_shortest(trajectory) else "another order than SRPT"


def _departure(trajectory: Trajectory, side: Side, bits: int) -> str:
    machines, power = trajectory.instance.machines, trajectory.power
    speeds = [mover.speed for mover in side.movers if mover.speed]
    if len(speeds) != min(side.alive, machines):
        return "another number of servers"
    if speeds:
        low = power.dial_for_power(max(Fraction(side.alive, machines), Fraction(1)), bits)
        high = low * (1 + Fraction(2, 1 << bits))
        if len(set(speeds)) > 1 or not power.at(low).speed <= speeds[0] <= power.at(high).speed:
            return "another speed"
    return ""


def one_speed(trajectory: Trajectory) -> bool:
    """Whether exactly min(m, n) jobs run at any time, at one common speed."""
    times = trajectory.breakpoints
    for side in sides(trajectory, times):
        speeds = [mover.speed for mover in side.movers if mover.speed]
        if len(speeds) != min(side.alive, trajectory.instance.machines) or len(set(speeds)) > 1:
            return False
    return True
