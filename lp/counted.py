"""Which jobs a machine interval counts: release times as ranks, and the jobs of each machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from online.errors import LimitReached
from online.instance import Instance
from online.weights import Weights

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counted:
    """The pairs (machine, job) with the job eligible on the machine, by machine, then in arrival order.

    `machine` and `job` have one entry a pair, `start[i]:start[i + 1]` are those of machine i; `rank[j]` is the
    number of distinct release times before that of job j, `times[rank[j]]` is its release in ticks.
    """

    start: Whole
    machine: Whole
    job: Whole
    rank: Whole
    times: list[int]

    @classmethod
    def of(cls, instance: Instance) -> Counted:
        """Expand the eligible sets of an instance; memory is their total size.

        >>> from online.rows import Row
        >>> counted = Counted.of(Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1, [1]), Row("c", 5, 1, [0])]))
        >>> counted.job.tolist(), counted.releases(0), counted.releases(1)
        ([0, 2, 0, 1], [0, 5], [0])
        """
        sets = instance.sets
        lengths = np.diff(sets.start)[instance.eligible_set]
        job = np.repeat(np.arange(instance.n), lengths)
        first = np.repeat(sets.start[instance.eligible_set] - np.cumsum(lengths) + lengths, lengths)
        machine = sets.machines[first + np.arange(len(job))]
        order = np.argsort(machine, kind="stable")
        start = np.searchsorted(machine[order], np.arange(instance.machines + 1))
        new = np.ones(instance.n, dtype=bool)
        new[1:] = instance.release[1:] != instance.release[:-1]
        times = instance.release[new].tolist()
        return cls(start, machine[order], job[order], np.cumsum(new) - 1, times)

    @cached_property
    def node(self) -> Whole:
        """Number every (machine, distinct release time), machine by machine in time: the node of each pair."""
        rank = self.rank[self.job]
        return np.cumsum((np.diff(self.machine, prepend=-1) != 0) | (np.diff(rank, prepend=-1) != 0)) - 1

    @cached_property
    def ranks(self) -> list[Whole]:
        """For each machine, the ranks of the release times of the jobs it counts, ascending, each once."""
        pairs = (self.rank[self.job[a:b]] for a, b in zip(self.start[:-1], self.start[1:], strict=True))
        return [ranks[np.diff(ranks, prepend=-1) > 0] for ranks in pairs]

    def releases(self, machine: int, chosen: npt.NDArray[np.bool_] | None = None) -> list[int]:
        """The distinct release times, in ticks, of the jobs (those `chosen`) eligible on a machine."""
        if chosen is None:
            return [self.times[k] for k in self.ranks[machine].tolist()]
        jobs = self.job[self.start[machine] : self.start[machine + 1]]
        return [self.times[k] for k in np.unique(self.rank[jobs[chosen[jobs]]]).tolist()]


class IntervalRow(NamedTuple):
    """A machine interval for jobs of one weight on; ends in ticks, `pairs` are the numbers of the pairs it counts."""

    machine: int
    weight_class: int
    start: int
    end: int
    pairs: list[int]


def interval_rows(counted: Counted, limit: int, weights: Weights | None = None) -> list[IntervalRow]:
    """All machine intervals that matter to the LP of Lemmas 6.1 and 6.6.

    Claim: every other row is implied by one of these (DUALITY.md, fact 2): both ends are releases of counted jobs,
    and the weight is the least of a counted job.

    Raises: `LimitReached` if there are more than `limit`.
    """
    rank = np.zeros(len(counted.rank), dtype=np.int64) if weights is None else weights.rank
    queues = [queue for i in range(len(counted.ranks)) for queue in _queues(counted, rank, i)]
    count = sum(queue.row_count for queue in queues)
    if count > limit:
        raise LimitReached(
            f"the textbook form has {count} interval rows, over the limit of {limit}; "
            "use `dualfit bound`, whose form of the program has linear size"
        )
    return [row for queue in queues for row in queue.rows()]


class _Queue(NamedTuple):
    """The pairs of one machine from one weight class on, by release, and where somebody is of that class."""

    machine: int
    weight_class: int
    times: list[int]
    pairs: list[list[int]]
    own: list[bool]

    @property
    def row_count(self) -> int:
        calm = (len(list(run)) for own, run in groupby(self.own) if not own)
        return _spans(len(self.own)) - sum(map(_spans, calm))

    def rows(self) -> Iterator[IntervalRow]:
        for a, start in enumerate(self.times):
            counted: list[int] = []
            for b in range(a, len(self.times)):
                counted = counted + self.pairs[b]
                if any(self.own[a : b + 1]):
                    yield IntervalRow(self.machine, self.weight_class, start, self.times[b], counted)


def _spans(n: int) -> int:
    return n * (n + 1) // 2


def _queues(counted: Counted, weight: Whole, machine: int) -> Iterator[_Queue]:
    numbers = np.arange(counted.start[machine], counted.start[machine + 1])
    own = weight[counted.job[numbers]]
    for w in np.unique(own).tolist():
        pairs = numbers[own >= w]
        ranks, first = np.unique(counted.rank[counted.job[pairs]], return_index=True)
        parts = [part.tolist() for part in np.split(pairs, first[1:])]
        light = np.logical_or.reduceat(own[own >= w] == w, first).tolist()
        yield _Queue(machine, w, [counted.times[k] for k in ranks.tolist()], parts, light)
