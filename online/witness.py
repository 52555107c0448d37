"""Witnesses of a phase: the queue seen by each job, the interval families of all levels, the dual variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from online import exact
from online.exact import Column
from online.family import IntervalFamily
from online.fifo import completions, per_machine
from online.run import REJECTED, Phase, Run


@dataclass(frozen=True, eq=False)
class Witness:
    """What a phase with guess T shows about the offline optimum.

    `levels` is the number of levels, floor(alpha); `level` the load in ticks that each job of the phase saw
    on its machine (0 for a rejected one, which saw at least alpha T everywhere); `duals` is alpha_j of each job
    of the phase: all levels if rejected, else floor(level / T).
    """

    phase: Phase
    guess: Fraction
    levels: int
    family: IntervalFamily
    level: Column
    duals: Column

    def counts(self) -> dict[int, tuple[int, Fraction]]:
        """`{l: (m_l, L_l)}`: number and total length (ticks) of the intervals of each level that has any."""
        lengths: dict[int, list[int]] = {}
        spans = (self.family.end - self.family.start).tolist()
        for level, span in zip(self.family.level.tolist(), spans, strict=True):
            lengths.setdefault(level, []).append(span)
        per_tick = self.family.per_tick
        return {level: (len(spans), Fraction(sum(spans), per_tick)) for level, spans in sorted(lengths.items())}


def phase_dispatch(run: Run, phase: Phase) -> Column:
    """Machines chosen in the phase, one a job; for the job that ended it, what this phase had decided."""
    dispatch = run.dispatch[phase.first : phase.last + 1]
    if phase.ended:
        dispatch = dispatch.copy()
        dispatch[-1] = phase.choice
    return dispatch


def fifo_witness(run: Run, phase: Phase, levels: int) -> Witness:
    """The witness of a FIFO phase with levels `1..levels` of height T.

    Claim: linear in arrivals plus intervals, apart from one stable sort by machine.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1, Figure 3 and before Claim 6.3.
    """
    assert phase.guess is not None
    height, per_tick = phase.guess.numerator, phase.guess.denominator
    dispatch = phase_dispatch(run, phase)
    release = run.instance.release[phase.first : phase.last + 1]
    size = run.instance.size[phase.first : phase.last + 1]
    level = np.zeros(len(dispatch), dtype=size.dtype)
    horizon = int(release[-1]) * per_tick
    rows: list[tuple[int, int, int, int]] = []
    for machine, jobs in per_machine(dispatch, run.instance.machines):
        done = completions(release[jobs], size[jobs])
        level[jobs[1:]] = np.maximum(done[:-1] - release[jobs[1:]], 0)
        steps = _steps(release[jobs].tolist(), done.tolist(), per_tick)
        rows += [(machine, *one) for one in laminar_intervals(steps, height, levels, horizon)]
    rows.sort()
    duals = [
        levels if chosen == REJECTED else load * per_tick // height
        for chosen, load in zip(dispatch.tolist(), level.tolist(), strict=True)
    ]
    family = IntervalFamily.of(rows, per_tick)
    return Witness(phase, phase.guess, levels, family, level, exact.column(duals, summed=True))


def _steps(release: list[int], done: list[int], per_tick: int) -> Iterator[tuple[int, int, int]]:
    """Per arrival instant s: `(s, load just before, load just after)`, in `1/per_tick` ticks."""
    before, last = 0, len(release) - 1
    for k, s in enumerate(release):
        if k and s != release[k - 1]:
            before = max(done[k - 1] - s, 0)
        if k == last or release[k + 1] != s:
            yield s * per_tick, before * per_tick, (done[k] - s) * per_tick


def laminar_intervals(
    steps: Iterator[tuple[int, int, int]], height: int, levels: int, horizon: int
) -> list[tuple[int, int, int]]:
    """Intervals `(level, start, end)` of one machine for all levels at once, in one pass with a stack.

    Level l is open while the load is above `(l-1) * height`; it opened at the arrival that lifted the load over
    that mark, and its interval ends at the last instant at which the load was at least `l * height`. The open
    levels are always `1..k`, so they form a stack and the intervals a laminar family. An interval whose load
    never reached its high mark is not emitted.

    Claim: forward reading of Figure 3, which goes backward from the horizon; the two agree. Linear in the number
    of arrivals plus the number of intervals.

    Source: Rejecting jobs to minimize load and maximum flow-time, Figure 3.

    >>> sorted(laminar_intervals(iter([(0, 0, 5), (1, 4, 6)]), height=2, levels=3, horizon=1))
    [(1, 0, 1), (2, 0, 1), (3, 1, 1)]
    """
    out: list[tuple[int, int, int]] = []
    opened: list[int] = []  # opened[l - 1]: when level l opened
    high: list[int | None] = []  # high[l - 1]: last instant so far at which the load left l * height

    def fall(now: int, load: int, to: int) -> None:
        """The load falls from `load` at `now` down to `to`: note high marks passed, close levels left."""
        if to < len(opened) * height <= load:
            high[-1] = now + load - len(opened) * height
        while opened and to <= (len(opened) - 1) * height:
            start, end, mark = opened.pop(), high.pop(), len(opened) * height
            if end is not None:
                out.append((len(opened) + 1, start, end))
            if opened and to < mark:
                high[-1] = now + load - mark

    now = load = 0
    for s, before, after in steps:
        fall(now, load, before)
        while len(opened) < levels and after > len(opened) * height:
            opened.append(s)
            high.append(None)
        now, load = s, after
    left = max(load - (horizon - now), 0)
    fall(now, load, left)
    while opened:
        start, end = opened.pop(), high.pop()
        if left >= (len(opened) + 1) * height:
            end = horizon
        if end is not None:
            out.append((len(opened) + 1, start, end))
    return out
