"""SRPT with 2 - 1/m times the speeds of another schedule: the step from Theorem 1's references to the optimum.

The k-th shortest job runs at 2 - 1/m times the k-th largest speed that the other schedule uses at that time. If that
schedule runs min(m, n_o) jobs at one common speed, SRPT never has more unfinished jobs than it (SPEED.md, COR). In
general it may: `gap_example`.

Source: Multiple server SRPT with speed scaling is competitive, the result on speed augmentation before Theorem 1.
"""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from typing import NamedTuple

from online.instance import Instance
from online.rows import Row
from online.speed.power import Power
from online.speed.trajectory import Segment, Trajectory


class Count(NamedTuple):
    """Unfinished jobs just after a time: of SRPT with the larger speeds, and of the other schedule."""

    time: Fraction
    srpt: int
    other: int


def augmented_counts(other: Trajectory) -> list[Count]:
    """Both counts after every event of either schedule, up to the last completion of `other`, the end included.

    Half units are ticks here, so that the end is at 5:

    >>> from online.speed.power import power_law
    >>> [count for count in augmented_counts(gap_example(power_law(2), 3)) if count.srpt > count.other]
    [Count(time=Fraction(5, 1), srpt=1, other=0)]
    """
    instance = other.instance
    factor = 2 - Fraction(1, instance.machines)
    left = [Fraction(size) for size in instance.size.tolist()]
    release = [Fraction(r) for r in instance.release.tolist()]
    events = other.breakpoints
    now, out = events[0] if events else Fraction(0), []
    while True:
        alive = sorted((left[j], j) for j in range(instance.n) if left[j] and release[j] <= now)
        theirs = sum(r <= now < end for r, end in zip(release, other.completion, strict=True))
        out.append(Count(now, len(alive), theirs))
        later = events[bisect_right(events, now) :]
        if not later:
            return out
        running = [(j, factor * speed) for (_, j), speed in zip(alive, _speeds(other, now), strict=False)]
        end = min([later[0], *(now + left[j] / speed for j, speed in running)])
        for j, speed in running:
            left[j] -= speed * (end - now)
        now = end


def _speeds(other: Trajectory, time: Fraction) -> list[Fraction]:
    """The speeds that the schedule uses just after `time`, largest first."""
    k = bisect_right(other.segments, time, key=lambda segment: segment.start) - 1
    if k < 0 or other.segments[k].end <= time:
        return []
    return sorted((other.power.at(dial).speed for _, dial in other.segments[k].running), reverse=True)


def gap_example(power: Power, tiny: int) -> Trajectory:
    """Two servers, a job of size 5/2 and `tiny` equal ones of total size 3/2, all at 0; every speed is 1.

    One server works on [0, 1], both on [1, 5/2]. With 3/2 of these speeds SRPT still has the long job at 5/2, and would
    need until 8/3.
    """
    rows = [Row("long", 0, Fraction(5, 2)), *(Row(k, 0, Fraction(3, 2) / tiny) for k in range(tiny))]
    instance = Instance.from_rows(2, rows)
    dial, per = Fraction(1), 1 / instance.tick
    small = Fraction(3, 2) / tiny
    segments = [Segment(Fraction(0), per, ((0, dial),))]
    segments += [
        Segment((1 + k * small) * per, (1 + (k + 1) * small) * per, ((0, dial), (k + 1, dial))) for k in range(tiny)
    ]
    return Trajectory(instance, power, segments)
