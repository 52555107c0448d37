"""Whether a schedule is the algorithm of [S]: SRPT on all servers at speed rule (5), with dials rounded down."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from certify.speed.constants import speed_at, unit_speed
from certify.speed.drift import Side, serves_its_shortest, sides
from certify.speed.potential import Potential, printed_potential, steps_kept
from online.speed.rounding import guarantee_factor
from online.speed.trajectory import Trajectory

DIAL_BITS = 16
"""A dial rounded down to so many significant bits, or more, counts as the dial of the rule."""

OVERSHOT = "more work than the sizes"
"""The least departure: completions that wait for a grid, as in runs of many jobs."""


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
    times = trajectory.breakpoints
    for (start, _), side in zip(pairwise(times), sides(trajectory, times), strict=True):
        found = _departure(trajectory, side, bits)
        if found:
            return f"{found} at {start}"
    if not serves_its_shortest(trajectory):
        return "another order than SRPT"
    whole = zip(trajectory.work, trajectory.instance.size.tolist(), strict=True)
    return OVERSHOT if any(done != size for done, size in whole) else ""


def _departure(trajectory: Trajectory, side: Side, bits: int) -> str:
    machines, power = trajectory.instance.machines, trajectory.power
    speeds = [mover.speed for mover in side.movers if mover.speed]
    if len(speeds) != min(side.alive, machines):
        return "another number of servers"
    if speeds:
        low = power.dial_for_power(max(Fraction(side.alive, machines), Fraction(1)), bits)
        if len(set(speeds)) > 1 or speeds[0] < power.at(low).speed or side.power > side.alive:
            return "another speed"
    return ""


def least_share(trajectory: Trajectory) -> Fraction:
    """At most the least ratio of a speed to that of (5), for a schedule without `departure`; 1 if none is rounded.

    >>> from online.instance import Instance
    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> from online.speed.trajectory import Segment
    >>> one = Instance.from_rows(1, [Row("a", 0, 1)])
    >>> exact = [Segment(Fraction(0), Fraction(1), ((0, Fraction(1)),))]
    >>> least_share(Trajectory(one, power_law(2), exact))
    Fraction(1, 1)
    """
    machines, times = trajectory.instance.machines, trajectory.breakpoints
    runs = {(side.alive, mover.speed) for side in sides(trajectory, times) for mover in side.movers if mover.speed}
    rule = {n: speed_at(trajectory.power, max(Fraction(n, machines), Fraction(1))).above for n, _ in runs}
    return min((speed / rule[n] for n, speed in runs), default=Fraction(1))


def rounded_potential(trajectory: Trajectory) -> tuple[Potential, Fraction]:
    """The paper's potential over what the run's speeds and the table's steps keep, and by what the c of (7) grows.

    For a run without `departure`. The table's linear part is rounded up, for which the factor makes up too; it is 1
    where beta is not known, and nothing is claimed.

    Source: SPEED.md, "Executed speeds".
    """
    power, unit = trajectory.power, unit_speed(trajectory.power)
    kept = least_share(trajectory) * steps_kept(power)
    backlog = max((n for _, _, n in trajectory.unfinished), default=0)
    table = printed_potential(power, trajectory.instance.machines, backlog)
    return table.over(kept), guarantee_factor(power, kept * unit.below / unit.above) or Fraction(1)


def one_speed(trajectory: Trajectory) -> bool:
    """Whether exactly min(m, n) jobs run at any time, at one common speed."""
    times = trajectory.breakpoints
    for side in sides(trajectory, times):
        speeds = [mover.speed for mover in side.movers if mover.speed]
        if len(speeds) != min(side.alive, trajectory.instance.machines) or len(set(speeds)) > 1:
            return False
    return True
