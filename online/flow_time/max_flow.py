"""Maximum flow time, unit sizes: the least loaded eligible machine, or rejection."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from online.algorithm import OnlineAlgorithm, Setting
from online.constants import at_least
from online.errors import InvalidInput, Problem
from online.instance import Instance, Job
from online.run import Phase, Run
from online.witness import Witness, fifo_witness


class LeastLoaded(OnlineAlgorithm):
    """Dispatch to the least loaded eligible machine; reject if even that one has load at least `alpha * T`.

    Guarantee: if the guess T is at least the offline optimum, and releases and T are multiples of the job size U, then
    at most an epsilon share of the arrived jobs is rejected at every prefix. For any releases, T at least the optimum
    plus U is enough. Every accepted job has flow time at most `T/epsilon + U` (`T/epsilon` in unit slots).

    Algorithm: FIFO queues; the load of a machine is the remaining volume of this phase's jobs on it, as if the
    phase had begun with empty machines; ties go to the machine with the smallest number.

    Theorem: `alpha = 1/epsilon`, as printed. It need not be whole: with K = floor(alpha) levels the chain of
    Corollary 6.5 gives `K * rejected <= accepted`, so `rejected <= arrived / (K + 1)`, and `K + 1 > alpha`. The
    same line shows slack in the paper: any `alpha >= ceil(1/epsilon) - 1` keeps the budget.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1 (Corollary 6.5).

    >>> from online.rows import Row
    >>> from fractions import Fraction
    >>> from online.play import play
    >>> burst = Instance.from_rows(1, [Row(k, 0, 1) for k in range(4)])
    >>> play(burst, LeastLoaded, Fraction(1, 2), guess=Fraction(1)).dispatch.tolist()
    [0, 0, -1, -1]
    """

    problem = "max-flow"
    takes_guess = True
    options = ("alpha",)

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        assert setting.guess is not None
        self.limit = math.ceil(self.alpha(setting.epsilon, setting.options) * setting.guess)
        self.free = [0] * setting.machines

    @staticmethod
    def alpha(epsilon: Fraction, options: Mapping[str, Fraction]) -> Fraction:
        """The load from which on jobs are rejected, over T: 1/epsilon, or the `alpha` that was given."""
        return at_least(options, "alpha", 1 / epsilon)

    def arrive(self, job: Job) -> int | None:
        free, now = self.free, job.release
        best = min(job.eligible, key=free.__getitem__)
        if free[best] <= now:
            best = next(i for i in job.eligible if free[i] <= now)
        elif free[best] - now >= self.limit:
            return None
        free[best] = max(free[best], now) + job.size
        return best

    @classmethod
    def admits(cls, instance: Instance) -> None:
        """Raises: `InvalidInput` unless all sizes are equal and positive."""
        if instance.n and instance.unit_size is None:
            small, large = min(instance.size.tolist()), max(instance.size.tolist())
            raise InvalidInput(
                Problem(
                    "sizes",
                    "sizes differ",
                    f"sizes from {small * instance.tick} to {large * instance.tick}",
                    "equal positive sizes (the unit-size algorithm of section 6.1)",
                    "use --size one to give every request the mean size, or --size one:DURATION",
                )
            )

    @classmethod
    def explain(cls, run: Run, phase: Phase) -> Witness | None:
        return fifo_witness(run, phase, levels=math.floor(cls.alpha(run.epsilon, run.constants)))
