"""Greedy for load balancing: with everybody, or with a threshold above which jobs are rejected at once."""

from __future__ import annotations

import math

from online.algorithm import OnlineAlgorithm, Setting
from online.instance import Job


class GreedyLoad(OnlineAlgorithm):
    """Assign to the least loaded eligible machine; nobody is rejected.

    Guarantee: 0 jobs are rejected, which keeps every budget. The load is at most `ceil(log2 m) + 1` times the optimum,
    and no deterministic algorithm without rejection does better by more than a constant.

    Source: Azar, Naor, Rom, The competitiveness of on-line assignments (1995).

    >>> from fractions import Fraction
    >>> from online.instance import Instance
    >>> from online.play import play
    >>> from online.rows import Row
    >>> three = Instance.from_rows(2, [Row("a", 0, 3), Row("b", 0, 1), Row("c", 0, 1)])
    >>> play(three, GreedyLoad, Fraction(1)).dispatch.tolist()
    [0, 1, 1]
    """

    problem = "load"
    takes_guess = False

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.load = [0] * setting.machines

    def arrive(self, job: Job) -> int | None:
        best = min(job.eligible, key=self.load.__getitem__)
        self.load[best] += job.size
        return best


class ThresholdLoad(GreedyLoad):
    """The same, but reject at once where even the least loaded eligible machine has load `T/epsilon` or more.

    Guarantee: by guess and double the budget is kept at every prefix, as a phase ends before it rejects too many; every
    load of a phase is less than `T/epsilon` plus one job. With a known guess there is no such law: where sizes
    differ, small jobs may find nothing but machines that large ones filled (Theorem 8.2 is about all such algorithms).

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1 (the rule), Theorem 8.2 (its limits).

    >>> from fractions import Fraction
    >>> from online.instance import Instance
    >>> from online.play import play
    >>> from online.rows import Row
    >>> three = Instance.from_rows(1, [Row(k, 0, 1) for k in range(3)])
    >>> play(three, ThresholdLoad, Fraction(1, 2), guess=Fraction(1)).dispatch.tolist()
    [0, 0, -1]
    """

    takes_guess = True

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        assert setting.guess is not None
        self.limit = math.ceil(setting.guess / setting.epsilon)

    def arrive(self, job: Job) -> int | None:
        if min(map(self.load.__getitem__, job.eligible)) >= self.limit:
            return None
        return super().arrive(job)
