"""Load balancing, unit sizes and sizes within a factor two: the least loaded eligible machine, or rejection."""

from __future__ import annotations

import math
from fractions import Fraction

from online.algorithm import OnlineAlgorithm, Setting
from online.constants import whole
from online.errors import InvalidInput, Problem
from online.exact import ceil_log2
from online.instance import Instance, Job
from online.load_witness import LoadWitness, load_witness
from online.run import Phase, Run


class UnitLoad(OnlineAlgorithm):
    """Dispatch to the least loaded eligible machine; reject if even that one has load at least `alpha T`.

    Guarantee: if the guess T is at least the offline optimum and a multiple of the size, at most an epsilon share of
    the arrived jobs is rejected at every prefix. Every load is less than `alpha T` plus one job.

    Algorithm: load counts all volume assigned in this phase; ties go to the machine with the smallest number;
    `alpha = log2(1/epsilon) + 2`, the logarithm rounded up to a whole number of levels.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5.1 (Theorem 5.3).

    >>> from fractions import Fraction
    >>> from online.play import play
    >>> from online.rows import Row
    >>> three = Instance.from_rows(1, [Row(k, 0, 1) for k in range(3)])
    >>> play(three, UnitLoad, Fraction(1), guess=Fraction(1)).dispatch.tolist()
    [0, 0, -1]
    """

    problem = "load"
    options = ("alpha",)

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        assert setting.guess is not None
        alpha = whole(setting.options, "alpha", self.levels(setting.epsilon))
        self.limit = math.ceil(alpha * setting.guess)
        self.load = [0] * setting.machines

    @classmethod
    def levels(cls, epsilon: Fraction) -> int:
        """The proven `alpha`: the number of levels of height T up to which a machine may fill."""
        return ceil_log2(1 / epsilon) + 2

    def arrive(self, job: Job) -> int | None:
        best = min(job.eligible, key=self.load.__getitem__)
        if self.load[best] >= self.limit:
            return None
        self.load[best] += job.size
        return best

    @classmethod
    def admits(cls, instance: Instance) -> None:
        """Raises: `InvalidInput` unless all sizes are equal and positive."""
        if instance.n and instance.unit_size is None:
            raise InvalidInput(_refusal(instance, "equal positive sizes", "use --algorithm load-bounded or load"))

    @classmethod
    def explain(cls, run: Run, phase: Phase) -> LoadWitness | None:
        alpha = whole(run.constants, "alpha", cls.levels(run.epsilon))
        return load_witness(run, phase, alpha, 1, lambda size: 0)


class BoundedLoad(UnitLoad):
    """The same for sizes within a factor two: the largest is less than twice the smallest.

    Guarantee: if the guess T is at least the offline optimum, at most an epsilon share of the arrived jobs is rejected
    at every prefix. Every load is less than `alpha T` plus one job.

    Algorithm: as for unit sizes, with `alpha = 2 log2(1/epsilon) + 2`, the logarithm rounded up.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5.1 (Remarks, Theorem 5.3).
    """

    @classmethod
    def levels(cls, epsilon: Fraction) -> int:
        """The proven `alpha`: the number of levels of height T up to which a machine may fill."""
        return 2 * ceil_log2(1 / epsilon) + 2

    @classmethod
    def admits(cls, instance: Instance) -> None:
        """Raises: `InvalidInput` unless all sizes are positive and the largest is less than twice the smallest."""
        sizes = instance.size.tolist()
        if sizes and not 0 < max(sizes) < 2 * min(sizes):
            raise InvalidInput(_refusal(instance, "sizes within a factor two", "use --algorithm load"))


def _refusal(instance: Instance, expected: str, fix: str) -> Problem:
    small, large = min(instance.size.tolist()), max(instance.size.tolist())
    got = f"sizes from {small * instance.tick} to {large * instance.tick}"
    return Problem("sizes", "sizes differ too much", got, f"{expected} (section 5.1)", fix)
