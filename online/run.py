"""A run: what an online algorithm did with an instance, and everything that follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from online import exact
from online.exact import Column
from online.fifo import completions, per_machine
from online.instance import Instance

REJECTED = -1

BY_WEIGHT = ("weighted", "two-weights")
"""The problems whose budget is a share of the rejection weight; of the others it is a share of the jobs."""


class Phase(NamedTuple):
    """A stretch of arrivals handled with one guess.

    `guess` is in ticks, or None for an algorithm that takes none. Jobs `first..last` (positions, inclusive)
    were offered in this phase. If `ended`, the phase gave its guess up at job `last`, as it would have rejected too
    many; the next phase begins with that same job. `choice` is what the ended phase had decided for it.
    """

    guess: Fraction | None
    first: int
    last: int
    ended: bool
    choice: int = REJECTED


class LateRejection(NamedTuple):
    """A job (position) that was dispatched and rejected after all, when the job at position `after` had arrived.

    `time` is when, in the ticks of the pieces, where the algorithm keeps time; at one time late rejections come before
    arrivals.
    """

    job: int
    after: int
    time: int | None = None


class Pieces(NamedTuple):
    """Execution in columns: `job` (a position) runs on `machine` from `start` to `end`, in ticks or parts of a tick."""

    job: tuple[int, ...]
    machine: tuple[int, ...]
    start: tuple[int, ...]
    end: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Run:
    """A finished run: a pure function of instance, algorithm and parameters.

    `dispatch` has one machine (from 0) a job, or `REJECTED`. Where the problem has time, accepted jobs are run as
    `pieces` say; without, first in, first out on their machine. Times are in ticks. `late` stands in the order of the
    rejections. `parameters` holds a known `guess` (as text), which guess and double does not have, and the algorithm's
    constants. Machines do `speed` ticks of work in a tick; where it is not 1, the run has pieces, and their times and
    those of `late` are in `1/per_tick` ticks. The offline optimum is always that of speed 1.
    """

    instance: Instance
    problem: str
    algorithm: str
    epsilon: Fraction
    dispatch: Column
    phases: tuple[Phase, ...]
    late: tuple[LateRejection, ...] = ()
    parameters: dict[str, str] = field(default_factory=dict)
    pieces: Pieces | None = None
    per_tick: int = 1
    speed: Fraction = Fraction(1)

    @property
    def constants(self) -> dict[str, Fraction]:
        """The algorithm's constants that were given."""
        return {name: exact.rational(value) for name, value in self.parameters.items() if name != "guess"}

    @property
    def budget(self) -> Literal["count", "rejection"]:
        """What `epsilon` is a share of: the number of jobs, or their rejection weight."""
        return "rejection" if self.problem in BY_WEIGHT else "count"

    @cached_property
    def accepted(self) -> Column:
        """Boolean column: the jobs that were not rejected, on arrival or late."""
        kept = np.asarray(self.dispatch != REJECTED, dtype=bool)
        kept[[one.job for one in self.late]] = False
        return kept

    @property
    def rejected_count(self) -> int:
        """Number of rejected jobs."""
        return int(self.instance.n - self.accepted.sum())

    def rejections(self) -> Iterator[int]:
        """After each arrival, the number of jobs rejected so far."""
        late = Counter(one.after for one in self.late)
        rejected = 0
        for position, machine in enumerate(self.dispatch.tolist()):
            rejected += (machine == REJECTED) + late[position]
            yield rejected

    def prefixes(self) -> Iterator[tuple[int, int]]:
        """After each arrival and what it led to: rejected and arrived so far, in number or rejection weight."""
        by_weight = self.budget == "rejection"
        weight = self.instance.rejection_weight.tolist() if by_weight else [1] * self.instance.n
        late: Counter[int] = Counter()
        for one in self.late:
            late[one.after] += weight[one.job]
        rejected = arrived = 0
        for position, (machine, own) in enumerate(zip(self.dispatch.tolist(), weight, strict=True)):
            arrived += own
            rejected += (own if machine == REJECTED else 0) + late[position]
            yield rejected, arrived

    @cached_property
    def completion(self) -> Column:
        """Completion time of each job, a Fraction where pieces are in parts of a tick; `REJECTED` for a rejected one.

        >>> from online.rows import Row
        >>> two = Instance.from_rows(1, [Row("a", 0, 2), Row("b", 1, 2)])
        >>> Run(two, "max-flow", "example", Fraction(1), np.array([0, 0]), ()).completion.tolist()
        [2, 4]
        """
        if self.pieces is not None:
            return self._last_ends(self.pieces)
        out = np.full(self.instance.n, REJECTED, dtype=self.instance.release.dtype)
        if self.instance.size.dtype == object:
            out = out.astype(object)
        for _, jobs in per_machine(self.dispatch, self.instance.machines):
            out[jobs] = completions(self.instance.release[jobs], self.instance.size[jobs])
        return out

    def _last_ends(self, pieces: Pieces) -> Column:
        ends = [REJECTED] * self.instance.n
        for job, end in zip(pieces.job, pieces.end, strict=True):
            ends[job] = max(ends[job], end)
        out = exact.column(ends)
        if self.per_tick > 1:
            out = np.array([Fraction(end, self.per_tick) for end in ends], dtype=object)
        out[~self.accepted] = REJECTED
        return out

    @cached_property
    def executed(self) -> Pieces:
        """Who runs when, also first in, first out, where each accepted job runs whole; in `1/per_tick` ticks.

        >>> from online.rows import Row
        >>> two = Instance.from_rows(1, [Row("a", 0, 2), Row("b", 1, 2)])
        >>> Run(two, "max-flow", "example", Fraction(1), np.array([0, 0]), ()).executed.start
        (0, 2)
        """
        if self.pieces is not None:
            return self.pieces
        job = np.flatnonzero(self.accepted)
        end = self.completion[job]
        columns = (job, self.dispatch[job], end - self.instance.size[job], end)
        return Pieces(*(tuple(column.tolist()) for column in columns))

    @cached_property
    def flow(self) -> Column:
        """Flow times of the accepted jobs, in arrival order."""
        return (self.completion - self.instance.release)[self.accepted]

    @cached_property
    def loads(self) -> list[int]:
        """Total size of the accepted jobs of each machine, in ticks."""
        kept = np.where(self.accepted, self.dispatch, REJECTED)
        out = [0] * self.instance.machines
        for machine, jobs in per_machine(kept, self.instance.machines):
            out[machine] = int(self.instance.size[jobs].sum())
        return out

    @cached_property
    def objective(self) -> int | Fraction:
        """What the problem wants small: the largest (weighted) flow time of an accepted job, or the largest load.

        In ticks, times `weight_unit`s where it is weighted.
        """
        return OBJECTIVES[self.problem](self)

    @property
    def guesses(self) -> tuple[Fraction, ...]:
        """The guesses of the phases, in order."""
        return tuple(phase.guess for phase in self.phases if phase.guess is not None)


def _largest_flow(run: Run) -> int | Fraction:
    return max(run.flow.tolist(), default=0)


def _largest_load(run: Run) -> int:
    return max(run.loads)


def _largest_weighted_flow(run: Run) -> int | Fraction:
    weights = run.instance.flow_weight[run.accepted].tolist()
    return max((w * f for w, f in zip(weights, run.flow.tolist(), strict=True)), default=0)


def _largest_stretch(run: Run) -> Fraction:
    sizes = run.instance.size[run.accepted].tolist()
    return max((Fraction(f, p) for f, p in zip(run.flow.tolist(), sizes, strict=True)), default=Fraction(0))


OBJECTIVES: dict[str, Callable[[Run], int | Fraction]] = {
    "max-flow": _largest_flow,
    "load": _largest_load,
    "weighted": _largest_weighted_flow,
    "two-weights": _largest_weighted_flow,
    "stretch": _largest_stretch,
}
"""The objective of each problem, of a run."""

WORDS = {
    "max-flow": "largest flow time of an accepted job",
    "load": "largest load of a machine",
    "weighted": "largest weight times flow time of an accepted job",
    "two-weights": "largest flow weight times flow time of an accepted job",
    "stretch": "largest flow time over size of an accepted job",
}
"""The objective of each problem, in words."""
