"""Load balancing, any sizes: dispatch by size class, then prune the largest jobs."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from fractions import Fraction

from online.algorithm import OnlineAlgorithm, Setting
from online.constants import whole
from online.errors import InvalidInput, Problem
from online.exact import ceil_log2, floor_log2
from online.instance import Instance, Job
from online.load_witness import LoadWitness, load_witness
from online.run import Phase, Run


class GroupedLoad(OnlineAlgorithm):
    """Stage 1 fills each machine class by class; stage 2 removes the largest jobs of a group that grew too heavy.

    Guarantee: if the guess T is at least the offline optimum, at most an epsilon share of the arrived jobs is rejected,
    half of it at arrival and half late. A machine keeps at most `2 alpha T` of each of the `delta` groups.

    Algorithm: a job of size in `[2^k, 2^(k+1))` (in the input's unit, k may be negative) is of class k; classes equal
    modulo `delta = log2(2/epsilon) + 2` form a group. Stage 1: dispatch to the eligible machine with the least
    load of the job's class; reject if even that one has at least `alpha T` of it, `alpha = 2 log2(2/epsilon) + 2`.
    Stage 2: while a machine keeps more than `2 alpha T` of a group, reject the largest of these jobs (among equals the
    last to arrive). Stage-1 loads ignore stage 2. Logarithms are rounded up.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5.2 (Lemma 5.4, Corollary 5.5).
    """

    problem = "load"
    options = ("alpha",)

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        assert setting.guess is not None
        alpha = whole(setting.options, "alpha", self.levels(setting.epsilon))
        self.delta = self.groups(setting.epsilon)
        self.limit, self.cap = math.ceil(alpha * setting.guess), 2 * alpha * setting.guess
        self.load: dict[int, list[int]] = {}
        self.kept: dict[tuple[int, int], _Kept] = {}
        self.changed: _Kept | None = None

    @staticmethod
    def levels(epsilon: Fraction) -> int:
        """The proven `alpha`: the number of levels of height T up to which a machine may fill with one class."""
        return 2 * ceil_log2(2 / epsilon) + 2

    @staticmethod
    def groups(epsilon: Fraction) -> int:
        """`delta`: classes that differ by a multiple of it form a group."""
        return ceil_log2(2 / epsilon) + 2

    def arrive(self, job: Job) -> int | None:
        name = size_class(job.size, self.setting.tick)
        load = self.load.setdefault(name, [0] * self.setting.machines)
        best = min(job.eligible, key=load.__getitem__)
        self.changed = None
        if load[best] >= self.limit:
            return None
        load[best] += job.size
        self.changed = self.kept.setdefault((best, name % self.delta), _Kept())
        self.changed.add(job)
        return best

    def prune(self) -> Sequence[int]:
        """Stage 2 on the machine and group that the last job went to."""
        return () if self.changed is None else self.changed.prune(self.cap)

    @classmethod
    def admits(cls, instance: Instance) -> None:
        """Raises: `InvalidInput` for a job of size 0, which has no class."""
        sizes = instance.size.tolist()
        if sizes and min(sizes) == 0:
            raise InvalidInput(
                Problem("sizes", "zero size", "a job of size 0", "positive sizes", "drop such jobs: --zero-size drop")
            )

    @classmethod
    def explain(cls, run: Run, phase: Phase) -> LoadWitness | None:
        tick, delta = run.instance.tick, cls.groups(run.epsilon)
        alpha = whole(run.constants, "alpha", cls.levels(run.epsilon))
        return load_witness(run, phase, alpha, delta, lambda size: size_class(size, tick))


def size_class(size: int, tick: Fraction) -> int:
    """The class k of a size: `2^k <= size * tick < 2^(k+1)`.

    >>> size_class(3, Fraction(1)), size_class(1, Fraction(1, 1000))
    (1, -10)
    """
    top, bottom = size * tick.numerator, tick.denominator
    return floor_log2(top) if bottom == 1 else floor_log2(Fraction(top, bottom))


class _Kept:
    """The jobs of one group that a machine keeps: the largest on top."""

    def __init__(self) -> None:
        self.heap: list[tuple[int, int]] = []
        self.load = 0

    def add(self, job: Job) -> None:
        heapq.heappush(self.heap, (-job.size, -job.position))
        self.load += job.size

    def prune(self, cap: Fraction) -> list[int]:
        removed = []
        while self.load > cap:
            size, position = heapq.heappop(self.heap)
            self.load += size
            removed.append(-position)
        return removed
