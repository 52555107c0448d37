"""From a plan in floats to an exact schedule: times rounded to a fine grid, speeds rounded up, work exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from lp.energy.plan import Plan
from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.speed.power import Power
from online.speed.trajectory import Segment, Trajectory

GRID_BITS, SHORT_BITS, DIAL_BITS = 44, 24, 40
"""At least `2**GRID_BITS` grid points for the plan, `2**SHORT_BITS` for each job; significant bits of a dial."""

LONGEST = 2000
"""Most bits of the common denominator of exact times."""


class _Piece(NamedTuple):
    start: Fraction
    end: Fraction
    job: int


def realised(instance: Instance, power: Power, plan: Plan) -> Trajectory:
    """A feasible exact schedule near the plan.

    Claim: every job does its size at one dial, at most m run at a time (McNaughton's wrap-around rule in each cell of
    the plan), so the cost is that of a real schedule, whatever the plan was. If exact times would need over
    `LONGEST` bits, jobs run to the end of their time on the grid instead, and do a little more than their size.

    Raises: `InvalidInput` if the plan leaves a job without running time.
    """
    unit = _unit(instance, plan)
    times = _times(instance, plan, unit)
    run = _running_times(instance, plan, times, unit)
    dials = []
    short = instance.n * DIAL_BITS * power.root <= LONGEST
    for j, size in enumerate(instance.size.tolist()):
        dials.append(_dial_at_least(power, size / sum(run[j])))
        if short:
            _shorten(run[j], size / power.at(dials[j]).speed)
    pieces = [piece for k in range(len(times) - 1) for piece in _wrapped(times, run, k, plan)]
    return Trajectory(instance, power, tuple(_segments(pieces, dials)), overshoot=not short)


def _unit(instance: Instance, plan: Plan) -> Fraction:
    shortest = Fraction(plan.run.sum(axis=1).min().item())
    if shortest <= 0:
        raise InvalidInput(Problem("plan", "job that never runs", "running time 0", "more", "use a plan that runs it"))
    span = max(1, int(plan.time[-1]) + 1)
    return Fraction(2) ** min(span.bit_length() - GRID_BITS, exact.floor_log2(shortest) - SHORT_BITS)


def _times(instance: Instance, plan: Plan, unit: Fraction) -> list[Fraction]:
    """Event times on the grid, in order; releases stay where they are."""
    times: list[Fraction] = []
    for event, time in zip(plan.order, plan.time.tolist(), strict=True):
        near = Fraction(event.time) if event.job is None else round(Fraction(time) / unit) * unit
        times.append(near)
    for k in range(len(times) - 2, -1, -1):
        times[k] = min(times[k], times[k + 1]) if plan.order[k].job is not None else times[k]
    for k in range(1, len(times)):
        times[k] = max(times[k], times[k - 1]) if plan.order[k].job is not None else times[k]
    return times


def _running_times(instance: Instance, plan: Plan, times: Sequence[Fraction], unit: Fraction) -> list[list[Fraction]]:
    """Running times on the grid that fit: none longer than its cell, together at most m cells long."""
    cells = len(times) - 1
    run = [[Fraction(0)] * cells for _ in range(instance.n)]
    for k in range(cells):
        length, left = times[k + 1] - times[k], instance.machines * (times[k + 1] - times[k])
        for j in sorted(range(instance.n), key=lambda j: -plan.run[j, k]):
            run[j][k] = min(length, left, Fraction(round(Fraction(plan.run[j, k].item()) / unit)) * unit)
            left -= run[j][k]
    return run


def _dial_at_least(power: Power, speed: Fraction) -> Fraction:
    dial = power.dial_for_speed(speed, DIAL_BITS)
    if power.at(dial).speed < speed:
        dial *= 1 + Fraction(2, 1 << DIAL_BITS)
    return dial


def _shorten(run: list[Fraction], total: Fraction) -> None:
    """Cut running times from the end until they sum to `total`."""
    over = sum(run) - total
    for k in range(len(run) - 1, -1, -1):
        cut = min(over, run[k])
        run[k] -= cut
        over -= cut


def _wrapped(times: Sequence[Fraction], run: Sequence[Sequence[Fraction]], k: int, plan: Plan) -> Iterator[_Piece]:
    """One cell's running times laid out server by server; what does not fit goes on at the start of the next one."""
    start, length, at = times[k], times[k + 1] - times[k], Fraction(0)
    last = plan.order[k + 1].job
    for j in sorted((j for j in range(len(run)) if run[j][k] > 0), key=lambda j: (-run[j][k], j != last, j)):
        fits = min(run[j][k], length - at)
        yield _Piece(start + at, start + at + fits, j)
        if fits < run[j][k]:
            yield _Piece(start, start + run[j][k] - fits, j)
        at = (at + run[j][k]) % length


def _segments(pieces: Sequence[_Piece], dials: Sequence[Fraction]) -> Iterator[Segment]:
    times = sorted({time for piece in pieces for time in (piece.start, piece.end)})
    ordered = sorted(pieces)
    active: list[_Piece] = []
    position = 0
    for start, end in pairwise(times):
        active = [piece for piece in active if piece.end > start]
        while position < len(ordered) and ordered[position].start <= start:
            active.append(ordered[position])
            position += 1
        if active:
            jobs = sorted(piece.job for piece in active)
            yield Segment(start, end, tuple((j, dials[j]) for j in jobs))
