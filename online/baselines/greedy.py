"""Greedy: the least loaded eligible machine, and nobody is rejected."""

from __future__ import annotations

from typing import ClassVar

from online.algorithm import OnlineAlgorithm, Setting
from online.instance import Job


class Greedy(OnlineAlgorithm):
    """Dispatch to the eligible machine with the least work left; first in, first out; nobody is rejected.

    Guarantee: 0 jobs are rejected, which keeps every budget. The ratio to the optimum grows with the number of
    machines where jobs are not eligible everywhere.

    Algorithm: the load of a machine is the remaining volume of all jobs dispatched to it; ties go to the smallest
    machine.

    Source: Graham, Bounds for certain multiprocessing anomalies (1966), list scheduling.

    >>> from fractions import Fraction
    >>> from online.instance import Instance
    >>> from online.play import play
    >>> from online.rows import Row
    >>> three = Instance.from_rows(2, [Row("a", 0, 3), Row("b", 0, 1), Row("c", 1, 1)])
    >>> play(three, Greedy, Fraction(1)).dispatch.tolist()
    [0, 1, 1]
    """

    problem = "max-flow"
    problems: ClassVar[tuple[str, ...]] = ("weighted", "two-weights", "stretch")
    takes_guess = False

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.free = [0] * setting.machines

    def arrive(self, job: Job) -> int:
        best = min(job.eligible, key=lambda i: max(self.free[i] - job.release, 0))
        self.free[best] = max(self.free[best], job.release) + job.size
        return best
