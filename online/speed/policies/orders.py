"""One queue for all servers: SRPT with the speeds of the paper, and other orders and speeds beside it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from online.instance import Job
from online.speed.policy import SpeedPolicy


class Srpt(SpeedPolicy):
    """Shortest remaining processing time at P^{-1}(kappa n/m) for n >= m jobs, else P^{-1}(kappa).

    Claim: at kappa = 1, the paper's rule, the cost is at most twice the flow time, and in exact speeds equal to it for
    n >= m; for s^alpha it is at most (2 alpha + 2 theta_alpha) OPT.

    Source: [S], equation (5), Theorems 1 and 2; other kappa and the ratio for all alpha are ours.
    """


class Fifo(SpeedPolicy):
    """First in, first out at the same powers."""

    def order(self, job: Job, left: Fraction) -> int:
        return job.position


class HighestDensity(SpeedPolicy):
    """Highest density first at the same powers: all jobs counting alike, the least size first, whatever is left."""

    def order(self, job: Job, left: Fraction) -> int:
        return job.size


class FixedSpeed(SpeedPolicy):
    """SRPT at one speed, rounded down to a dial, however many jobs wait."""

    options: ClassVar[Mapping[str, Fraction]] = {"speed": Fraction(1)}

    def dial(self, jobs: int, servers: int) -> Fraction:
        return self.setting.power.dial_for_speed(self.option("speed"), self.setting.bits)
