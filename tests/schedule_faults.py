"""Schedules, drift and the rule of SRPT checked in exact rationals, with nothing but the standard library.

They take plain values: `terms` is P(s) = sum of c s^e as pairs (c, e); `jobs` are pairs (release, size) in ticks;
`segments` are (start, end, ((job, dial), ...)), where a dial x stands for the speed x^q, q the common denominator of
the exponents. Each answers with the first thing that is wrong, in a few words, or with an empty text.

A second program: the rate is counted from its definition, job by job. Source: SPEED.md, sections 2 and 7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm

Terms = Sequence[tuple[Fraction, Fraction]]
Jobs = Sequence[tuple[int, int]]
Segments = Sequence[tuple[Fraction, Fraction, Sequence[tuple[int, Fraction]]]]
Movers = list[tuple[Fraction, Fraction]]
"""(remaining size, speed) of each unfinished job."""

State = tuple[Movers, Fraction]
"""The unfinished jobs and the sum of the powers."""


def speed_and_power(terms: Terms, dial: Fraction) -> tuple[Fraction, Fraction]:
    """s and P(s) at a dial.

    >>> speed_and_power([(Fraction(2), Fraction(3, 2))], Fraction(3))
    (Fraction(9, 1), Fraction(54, 1))
    """
    q = lcm(*(e.denominator for _, e in terms))
    return dial**q, sum((c * dial ** int(e * q) for c, e in terms), Fraction(0))


def schedule_fault(terms: Terms, machines: int, jobs: Jobs, segments: Segments) -> str:
    """Whether a schedule does exactly the work of every job, after its release, on at most `machines` servers."""
    left, before = [Fraction(size) for _, size in jobs], Fraction(0)
    for start, end, running in segments:
        names = [job for job, _ in running]
        if not before <= start < end:
            return f"a segment at {start} is out of order"
        if len(names) > machines or len(set(names)) < len(names):
            return f"too many servers at {start}"
        for job, dial in running:
            if not 0 <= job < len(jobs) or jobs[job][0] > start or dial <= 0:
                return f"job {job} may not run at {start}"
            left[job] -= speed_and_power(terms, dial)[0] * (end - start)
        before = end
    wrong = [job for job, rest in enumerate(left) if rest]
    return f"the work of job {wrong[0]} is not its size" if wrong else ""


def drift_fault(
    terms: Terms,
    machines: int,
    jobs: Jobs,
    algorithm: Segments,
    reference: Segments,
    steps: Sequence[Fraction],
    linear: Fraction,
    ratio: Fraction,
) -> str:
    """Whether (7) fails somewhere; if it does not, cost(algorithm) <= ratio * cost(reference)."""
    for segments in (algorithm, reference):
        fault = schedule_fault(terms, machines, jobs, segments)
        if fault:
            return fault
    if min([linear, *steps], default=linear) < 0:
        return "a negative step"
    levels = list(accumulate(steps, initial=Fraction(0)))
    times = _times(jobs, algorithm, reference)
    both = (_states(terms, jobs, segments, times) for segments in (algorithm, reference))
    for span, own, other in zip(pairwise(times), *both, strict=True):
        if len(own[0]) >= len(levels):
            return "the table is too short"
        for a, b in pairwise(_cuts(span, own, other)):
            rate = _rate(_moved(own, (a + b) / 2 - span[0]), _moved(other, (a + b) / 2 - span[0]), levels, linear)
            if len(own[0]) + own[1] + rate > ratio * (len(other[0]) + other[1]):
                return f"(7) fails from {a} to {b}"
    return ""


def _times(jobs: Jobs, *schedules: Segments) -> list[Fraction]:
    ends = {time for segments in schedules for start, end, _ in segments for time in (start, end)}
    return sorted(ends | {Fraction(release) for release, _ in jobs})


def _states(terms: Terms, jobs: Jobs, segments: Segments, times: list[Fraction]) -> Iterator[State]:
    """The state just after each time but the last."""
    left = [Fraction(size) for _, size in jobs]
    for start, end in pairwise(times):
        running = next((dict(own) for a, b, own in segments if a <= start < b), {})
        at = {job: speed_and_power(terms, dial) for job, dial in running.items()}
        alive = [j for j, (release, _) in enumerate(jobs) if release <= start and left[j]]
        yield (
            [(left[j], at[j][0] if j in at else Fraction(0)) for j in alive],
            sum((p for _, p in at.values()), Fraction()),
        )
        for j, (speed, _) in at.items():
            left[j] -= speed * (end - start)


def _cuts(span: tuple[Fraction, Fraction], own: State, other: State) -> list[Fraction]:
    """The ends of the span, and the times between at which two remaining sizes are equal."""
    start, end = span
    all_jobs = own[0] + other[0]
    meet = {start + (x - y) / (a - b) for k, (x, a) in enumerate(all_jobs) for y, b in all_jobs[:k] if a != b}
    return [start, *sorted(time for time in meet if start < time < end), end]


def _moved(state: State, time: Fraction) -> Movers:
    return [(left - speed * time, speed) for left, speed in state[0]]


def _rate(
    own: list[tuple[Fraction, Fraction]],
    other: list[tuple[Fraction, Fraction]],
    levels: list[Fraction],
    linear: Fraction,
) -> Fraction:
    """dPhi/dt: each strip between neighbouring sizes, times how fast its two ends part, times its level."""
    ends = sorted({(left, speed) for left, speed in own + other})
    rate = Fraction(0)
    for (low, slow), (high, fast) in pairwise([(Fraction(0), Fraction(0)), *ends]):
        if low < high:
            v = sum(left >= high for left, _ in own) - sum(left >= high for left, _ in other)
            rate += (slow - fast) * (levels[max(0, v)] + linear * v)
    return rate


def srpt_fault(
    terms: Terms, machines: int, jobs: Jobs, segments: Segments, dials: Sequence[tuple[Fraction, Fraction]]
) -> str:
    """Whether the schedule is SRPT on all servers, all dials equal and, with n jobs, between the two of `dials[n]`."""
    fault = schedule_fault(terms, machines, jobs, segments)
    if fault:
        return fault
    times = _times(jobs, segments)
    for start, (state, _) in zip(times, _states(terms, jobs, segments, times), strict=False):
        served, waiting = [x for x, s in state if s], [x for x, s in state if not s]
        if len(served) != min(len(state), machines):
            return f"not all servers run at {start}"
        if served and waiting and max(served) > min(waiting):
            return f"a shorter job waits at {start}"
        if len(state) >= len(dials):
            return f"too many jobs at {start}"
        speeds = {s for _, s in state if s}
        low, high = (speed_and_power(terms, dial)[0] for dial in dials[len(state)])
        if len(speeds) > 1 or not all(low <= speed <= high for speed in speeds):
            return f"another speed at {start}"
    return ""
