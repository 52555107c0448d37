"""What the claims of [S] look at: a run with speeds, a bracket of the optimum, and schedules to compare with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from certify.speed.backlog import Table, backlog_table
from certify.speed.constants import Constant
from certify.speed.drift import Drift, drift, serves_its_shortest
from certify.speed.potential import Potential
from certify.speed.rule import OVERSHOT, departure, least_share, one_speed, rounded_potential
from certify.speed.unit_jobs import round_robin, round_robin_bound
from online.errors import LimitReached
from online.speed.power import Point, PowerLaw
from online.speed.rounding import guarantee_factor
from online.speed.trajectory import Segment, Trajectory

UNIT_JOBS = 60
"""Up to so many jobs of one size round robin is bounded, server by server."""

LARGEST_BACKLOG = 40
"""Up to so many unfinished jobs a backlog table is looked for."""


class Reference(NamedTuple):
    """A named schedule of the same instance."""

    name: str
    schedule: Trajectory


@dataclass(frozen=True, eq=False)
class SpeedScene:
    """A run under the microscope; costs in ticks. Claim of the caller: lower <= optimum <= upper.

    `references` are any schedules of the same instance at the same power.
    """

    run: Trajectory
    lower: Fraction
    upper: Fraction
    references: tuple[Reference, ...] = field(default=())

    @property
    def machines(self) -> int:
        """m."""
        return self.run.instance.machines

    @cached_property
    def follows(self) -> bool | None:
        """Whether the run is SRPT at (5), its dials rounded down; None if completions wait for a grid besides."""
        found = departure(self.run)
        return None if found == OVERSHOT else not found

    @cached_property
    def kept(self) -> Fraction:
        """At most the least share of a speed of (5) that the run keeps; 1 if it does not follow the rule."""
        return Fraction(1) if self.follows is False else least_share(self.run)

    @cached_property
    def factor(self) -> Fraction:
        """By what the c of a theorem grows for the run's rounded speeds; 1 where there is no theorem."""
        return guarantee_factor(self.run.power, self.kept) or Fraction(1)

    @cached_property
    def rounded(self) -> tuple[Potential | None, Fraction]:
        """The potential of the claims on (7), and by what their c grows; None and 1 for the paper's own."""
        return (None, Fraction(1)) if self.follows is False else rounded_potential(self.run)

    @cached_property
    def backlog(self) -> int:
        """The most unfinished jobs at a time."""
        return max((n for _, _, n in self.run.unfinished), default=0)

    @cached_property
    def drifts(self) -> list[tuple[str, Drift, bool]]:
        """Name, drift with `rounded`, and whether the reference serves its shortest; empty without A1."""
        if not self.run.power.strict:
            return []
        table, _ = self.rounded
        return [(name, drift(self.run, other, table), serves_its_shortest(other)) for name, other in self.references]

    @cached_property
    def one_speed(self) -> list[tuple[Reference, bool]]:
        """The references, and whether they run min(m, n) jobs at one common speed."""
        return [(one, one_speed(one.schedule)) for one in self.references]

    @cached_property
    def points(self) -> list[Point]:
        """P at the dials of the run and of the references, ascending."""
        schedules = [self.run, *(schedule for _, schedule in self.references)]
        dials = {dial for one in schedules for segment in one.segments for _, dial in segment.running}
        return [self.run.power.at(dial) for dial in sorted(dials)]

    @cached_property
    def table(self) -> Table | None:
        """A backlog table for the run, if P(s) = s^alpha, the backlog is small, and one is found."""
        power = self.run.power
        if power.alpha is None or power.at(Fraction(1)).power != 1 or not 0 < self.backlog <= LARGEST_BACKLOG:
            return None
        try:
            return backlog_table(power.alpha, self.machines, self.backlog)
        except LimitReached:
            return None

    @property
    def rounding(self) -> Fraction | None:
        """At least the ratio of P at the real dial to P at the rounded one; None if P is no sum of powers."""
        power = self.run.power
        if not isinstance(power, PowerLaw):
            return None
        return (1 + Fraction(2, 1 << 16)) ** int(power.terms[0][1] * power.root)

    @cached_property
    def unit(self) -> bool:
        """Whether all jobs have one size, and there are few."""
        return len(set(self.run.instance.size.tolist())) == 1 and self.run.instance.n <= UNIT_JOBS

    @cached_property
    def policy_u(self) -> bool:
        """Whether the run is policy U: round robin, first come first served, each server at P^{-1} of its own jobs."""
        return self.unit and not any(departure(one) for one in _servers(self.run))

    @cached_property
    def round_robin(self) -> Fraction:
        """At most the cost of every schedule that routes round robin."""
        return round_robin_bound(self.run.instance, self.run.power)

    def against_optimum(self, constant: Constant) -> tuple[Fraction, bool | None]:
        """`against` the optimum, for the cost of the run."""
        return self.against(self.run.cost, constant, self.lower, self.upper)

    def against(
        self, left: Fraction, constant: Constant, lower: Fraction, upper: Fraction
    ) -> tuple[Fraction, bool | None]:
        """(right side of left <= c x, whether the reading decides): holds with x = `lower`, or fails with `upper`.

        In between nothing is known, and the claim is undecided.
        """
        proved, refuted = constant.below * lower, constant.above * upper
        met = all_of((self.follows, constant.met, self.run.power.beta is not None))
        if left <= proved:
            return proved, met
        return (refuted, met) if left > refuted else (proved, None if met else met)


def all_of(conditions: Iterable[bool | None]) -> bool | None:
    """Whether all conditions are met: False if one is not, None if one is not known."""
    known = list(conditions)
    if False in known:
        return False
    return None if None in known else True


def _servers(run: Trajectory) -> list[Trajectory]:
    """The run of each server under round robin, as schedules of their own; only pieces in which it works."""
    out = []
    for k, instance in enumerate(round_robin(run.instance)):
        own = (
            Segment(
                start, end, tuple((j // run.instance.machines, d) for j, d in running if j % run.instance.machines == k)
            )
            for start, end, running in run.segments
        )
        segments = [segment for segment in own if segment.running]
        if any(len(segment.running) > 1 for segment in segments):
            return [run]
        out.append(Trajectory(instance, run.power, segments, run.overshoot))
    return out
