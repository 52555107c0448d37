"""Naive exact schedules with speeds, for tests: priorities and speed rules as plain functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from online.generate import Dice
from online.instance import Instance
from online.rows import Row
from online.speed.power import Power
from online.speed.trajectory import Segment, Trajectory

Order = Callable[[int, Fraction, int, int], tuple[object, ...]]
"""(position, remaining, size, release) -> priority, smallest first."""

Dials = Callable[[int, int], Sequence[Fraction]]
"""(unfinished jobs, servers that run) -> a dial for each, in order of priority."""


def srpt(job: int, remaining: Fraction, size: int, release: int) -> tuple[object, ...]:
    """Shortest remaining first, ties by position."""
    return remaining, job


def lrpt(job: int, remaining: Fraction, size: int, release: int) -> tuple[object, ...]:
    """Longest remaining first."""
    return -remaining, job


def fifo(job: int, remaining: Fraction, size: int, release: int) -> tuple[object, ...]:
    """First come, first served."""
    return release, job


def paper_dials(power: Power, machines: int, kappa: Fraction | int = 1, bits: int = 20) -> Dials:
    """Speed rule (5), with the power of each server times `kappa`, rounded down."""

    def dials(alive: int, running: int) -> list[Fraction]:
        return [power.dial_for_power(kappa * max(Fraction(alive, machines), Fraction(1)), bits)] * running

    return dials


def play(
    instance: Instance, power: Power, order: Order, dials: Dials, *, least: int = 0, decided: bool = False
) -> Trajectory:
    """Serve the first jobs by priority until the next arrival or completion, then decide again.

    With `least` the schedule also decides again every `1 / least` ticks (LRPT needs that); with `decided` jobs that
    were started go on (no preemption).
    """
    left = [Fraction(size) for size in instance.size.tolist()]
    release, size = instance.release.tolist(), instance.size.tolist()
    now, segments, started = Fraction(0), [], []
    while any(left):
        alive = [j for j in range(instance.n) if left[j] and release[j] <= now]
        later = [Fraction(r) for r, rest in zip(release, left, strict=True) if rest and r > now]
        if not alive:
            now = min(later)
            continue
        alive.sort(key=lambda j: (not (decided and j in started), order(j, left[j], size[j], release[j])))
        chosen = alive[: instance.machines]
        running = [(j, d) for j, d in zip(chosen, dials(len(alive), len(chosen)), strict=True) if d]
        started = chosen
        ends = [now + left[j] / power.at(d).speed for j, d in running]
        end = min([*ends, *later, *([now + Fraction(1, least)] if least else [])])
        segments.append(Segment(now, end, tuple(running)))
        for j, d in running:
            left[j] -= power.at(d).speed * (end - now)
        now = end
    return Trajectory(instance, power, segments)


def burst(dice: Dice, machines: int, n: int, span: int = 6, largest: int = 6) -> Instance:
    """A few jobs of small whole sizes, released within `span`."""
    rows = [Row(j, dice.below(span + 1), 1 + dice.below(largest)) for j in range(n)]
    return Instance.from_rows(machines, rows)


def random_dials(dice: Dice) -> Dials:
    """Any dials between 1/4 and 2, another one for each server and decision."""

    def dials(alive: int, running: int) -> list[Fraction]:
        return [Fraction(1 + dice.below(8), 4) for _ in range(running)]

    return dials
