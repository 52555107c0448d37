"""What the claims of section 6.1 look at: one phase of a run, with everything measured once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lp.weak_duality import lower_bound
from online.exact import Column
from online.family import IntervalFamily
from online.run import REJECTED, Run
from online.witness import Witness, phase_dispatch


@dataclass(frozen=True, eq=False)
class PhaseScene:
    """One phase of a run under the microscope; times in ticks.

    `lower` and `upper` bracket the offline optimum of the whole instance.
    """

    run: Run
    number: int
    witness: Witness
    lower: Fraction
    upper: Fraction

    @property
    def name(self) -> str:
        """How the phase is named in the ledger."""
        return f"phase {self.number + 1} (guess {self.witness.guess * self.run.instance.tick})"

    @property
    def alpha(self) -> Fraction:
        """The load from which on jobs are rejected, over T: 1/epsilon unless another was given."""
        return self.run.constants.get("alpha", 1 / self.run.epsilon)

    @property
    def enough_levels(self) -> bool:
        """Whether `floor(alpha) + 1 >= 1/epsilon`, so that the chain of Corollary 6.5 leaves an epsilon share."""
        return (self.witness.levels + 1) * self.run.epsilon >= 1

    @property
    def enough(self) -> bool | None:
        """Whether T >= T*: None if the bracket of T* does not tell."""
        if self.witness.guess < self.lower:
            return False
        return True if self.witness.guess >= self.upper else None

    @cached_property
    def on_grid(self) -> bool:
        """Whether the phase lives in unit slots: releases, from its first job on, and T are multiples of U."""
        phase = self.witness.phase
        release = self.run.instance.release[phase.first : phase.last + 1]
        first, *others = release.tolist()
        return (self.witness.guess / self.unit).denominator == 1 and not any((r - first) % self.unit for r in others)

    @property
    def enough_for_budget(self) -> bool | None:
        """Whether T >= T* in unit slots, or T >= T* + U with any releases: then the rejection bound is proven."""
        spare = 0 if self.on_grid else self.unit
        if self.witness.guess < self.lower + spare:
            return False
        return True if self.witness.guess >= self.upper + spare else None

    @cached_property
    def dispatch(self) -> Column:
        """Machine of each job of the phase."""
        return phase_dispatch(self.run, self.witness.phase)

    @cached_property
    def unit(self) -> int:
        """The common size U, in ticks."""
        return int(self.run.instance.size[0])

    @cached_property
    def rejected(self) -> int:
        """`|J_R|`."""
        return int((self.dispatch == REJECTED).sum())

    @cached_property
    def counts(self) -> dict[int, tuple[int, Fraction]]:
        """`{l: (m_l, L_l)}`."""
        return self.witness.counts()

    @cached_property
    def own_bound(self) -> Fraction:
        """The bound of Lemma 6.1 with the phase's own family and duals (0 for all other jobs), in ticks."""
        phase = self.witness.phase
        duals = [0] * self.run.instance.n
        duals[phase.first : phase.last + 1] = self.witness.duals.tolist()
        return lower_bound(self.run.instance, self.witness.family, duals)

    def level_one(self) -> Fraction:
        """`T m_1 + L_1`."""
        number, length = self.counts.get(1, (0, Fraction(0)))
        return self.witness.guess * number + length

    @cached_property
    def coverage(self) -> list[tuple[int, int]]:
        """Per job of the phase, over its eligible machines: least depth of nested levels, least number of intervals.

        The depth of a machine is the largest k such that intervals of all levels 1..k contain the release.
        """
        phase, family = self.witness.phase, self.witness.family
        sweep = _Sweep(self.run.instance.machines, family)
        out = []
        jobs = range(phase.first, phase.last + 1)
        release, which = self.run.instance.release.tolist(), self.run.instance.eligible_set.tolist()
        sets = list(self.run.instance.sets)
        for j in jobs:
            sweep.advance(release[j] * family.per_tick)
            eligible = sets[which[j]]
            out.append((min(sweep.depth[i] for i in eligible), min(sweep.number[i] for i in eligible)))
        return out


class _Sweep:
    """Moves over time, keeping for each machine the levels of the intervals that contain the present."""

    def __init__(self, machines: int, family: IntervalFamily) -> None:
        rows = list(zip(family.machine.tolist(), family.level.tolist(), strict=True))
        self.opening = sorted(zip(family.start.tolist(), rows, strict=True), reverse=True)
        self.closing = sorted(zip(family.end.tolist(), rows, strict=True), reverse=True)
        self.depth = [0] * machines
        self.number = [0] * machines
        self.inside: list[dict[int, int]] = [{} for _ in range(machines)]

    def advance(self, now: int) -> None:
        """Go to the instant `now`; intervals are closed at both ends."""
        while self.opening and self.opening[-1][0] <= now:
            self._change(*self.opening.pop()[1], by=1)
        while self.closing and self.closing[-1][0] < now:
            self._change(*self.closing.pop()[1], by=-1)

    def _change(self, machine: int, level: int, by: int) -> None:
        inside = self.inside[machine]
        inside[level] = inside.get(level, 0) + by
        self.number[machine] += by
        depth = self.depth[machine]
        if level <= depth and not inside[level]:
            depth = level - 1
        while inside.get(depth + 1, 0) > 0:
            depth += 1
        self.depth[machine] = depth
