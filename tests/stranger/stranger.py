"""Somebody's own algorithm for dualfit, and a policy with speeds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from online.algorithm import OnlineAlgorithm, Setting
from online.instance import Job
from online.speed.policy import SpeedPolicy


class TwoChoices(OnlineAlgorithm):
    """The one of the first two eligible machines that is free sooner; nobody is rejected."""

    problem = "max-flow"
    problems = ("weighted", "two-weights", "stretch")
    takes_guess = False

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.free = [0] * setting.machines

    def arrive(self, job: Job) -> int | None:
        machine = min(job.eligible[:2], key=lambda i: max(self.free[i], job.release))
        self.free[machine] = max(self.free[machine], job.release) + job.size
        return machine


class LongestFirst(SpeedPolicy):
    """The job with most work left goes first."""

    def order(self, job: Job, left: Fraction) -> Any:
        return -left
