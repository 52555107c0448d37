"""Exact optima by case distinction: a job is on one of its eligible machines, and each case is closed by a bound."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from lp.deadline import Deadline
from lp.grid import Grid
from lp.schedule import Miss, Schedule, best_schedule, first_miss
from lp.transport import Transport
from online import exact
from online.errors import LimitReached
from online.instance import Instance
from online.weights import Weight, Weights

NODES = 20_000
"""Most cases that a distinction looks at."""

JOB_LIMIT = 200
"""Most jobs of an instance that is taken up."""

Tree: TypeAlias = list[dict[str, Any]]
"""Nodes in preorder: `{"split": j}`, then a tree for each eligible machine of j, ascending; or `{"leaf": evidence}`."""


def distinguish(
    instance: Instance,
    value: Weight,
    weights: Weights | None = None,
    *,
    nodes: int = NODES,
    time_limit: float | None = None,
) -> Schedule | Tree:
    """Either a schedule with an objective below `value`, or a tree of cases that proves T* >= `value` (rule C10).

    Claim: a schedule has a value below V exactly if every job ends in its window `[r_j, r_j + F_j]`, where F_j is the
    longest flow time on the grid with `w_j F_j < V` (`Grid`). A case fixes the machines of some jobs. It is closed by
    a set of jobs with more volume than room in the windows on their machines (rule C5, rounded), or, before any
    split, by one job (rule C0). Where all jobs are fixed and no set lacks room, the earliest deadline first keeps all
    windows. A split of a job that no proof of one of its cases uses is left out: that proof holds without it.

    Raises: `LimitReached` after `nodes` cases or `time_limit` seconds, or above `JOB_LIMIT` jobs.

    Three jobs of 2 on two machines: the room is 6 at V = 3, but some machine gets two of them.

    >>> from online.rows import Row
    >>> three = Instance.from_rows(2, [Row(j, 0, 2) for j in range(3)])
    >>> distinguish(three, 4)
    [{'leaf': {'rule': 'C5', 'job': [0, 1, 2], 'value': '4', 'round': True}}]
    >>> distinguish(three, 5).value
    4
    """
    if instance.n > JOB_LIMIT:
        raise LimitReached(f"{instance.n} jobs are too many for a case distinction, the limit is {JOB_LIMIT}")
    weights = weights or Weights.ones(instance)
    single = longest(instance, weights)
    if single is not None and weights[single] * int(instance.size[single]) >= value:
        return [{"leaf": {"rule": "C0", "job": single}}]
    cases = _Cases(instance, weights, value, nodes, time_limit)
    refuted = cases.root()
    if refuted is not None:
        return refuted.tree(cases.text)
    return best_schedule(instance, cases.dispatch(), weights)


def longest(instance: Instance, weights: Weights) -> int | None:
    """The job of largest `w_j p_j`, the first among equals; no schedule has a smaller value (rule C0)."""
    return max(range(instance.n), key=weights.alone(instance).__getitem__, default=None)


@dataclass(frozen=True)
class _Refuted:
    """A closed case: the split job with the closed cases of its machines, or the jobs of a leaf; `used` by either."""

    used: frozenset[int]
    split: int | None = None
    cases: tuple[_Refuted, ...] = ()

    @classmethod
    def leaf(cls, jobs: Iterable[int]) -> _Refuted:
        return cls(frozenset(jobs))

    def tree(self, value: str) -> Tree:
        nodes: Tree = []
        stack = [self]
        while stack:
            one = stack.pop()
            if one.split is None:
                nodes.append({"leaf": {"rule": "C5", "job": sorted(one.used), "value": value, "round": True}})
            else:
                nodes.append({"split": one.split})
                stack += reversed(one.cases)
        return nodes


class _Cases:
    def __init__(
        self, instance: Instance, weights: Weights, value: Weight, nodes: int, time_limit: float | None
    ) -> None:
        self.text, self.nodes, self.limit = exact.text(value), 0, nodes
        self.deadline = Deadline(time_limit)
        flow = Grid.of(instance, weights).short_of(value).tolist()
        self.release, self.size = instance.release.tolist(), instance.size.tolist()
        self.due = [r + f for r, f in zip(self.release, flow, strict=True)]
        self.transport = Transport(instance, flow)
        self.eligible = list(self.transport.machines)
        self.open = {j for j, machines in enumerate(self.eligible) if len(machines) > 1}
        self.on: list[tuple[int, ...]] = [
            tuple(j for j, machines in enumerate(self.eligible) if machines == (i,)) for i in range(instance.machines)
        ]
        self.known: dict[tuple[int, ...], tuple[int, ...] | None] = {}
        self.blame = [0] * instance.n

    def dispatch(self) -> list[int]:
        return [machines[0] for machines in self.transport.machines]

    def root(self) -> _Refuted | None:
        for jobs in self.on:
            stuck = self._stuck(jobs)
            if stuck is not None:
                return _Refuted.leaf(stuck)
        return self._refute()

    def _refute(self) -> _Refuted | None:
        """Close the present case; None if a schedule was found instead, which is then the present case."""
        self.nodes += 1
        if self.nodes > self.limit:
            raise LimitReached(f"no exact optimum within {self.limit} cases; use the bounds, or fewer jobs")
        if self.deadline.passed():
            raise LimitReached("no exact optimum within the time limit; use the bounds, or fewer jobs")
        short = self.transport.short()
        if short is not None:
            return self._closed(short)
        if not self.open:
            return None
        return self._split(min(self.open, key=self._urgency))

    def _split(self, j: int) -> _Refuted | None:
        self.open.remove(j)
        closed: dict[int, _Refuted] = {}
        for i in sorted(self.eligible[j], key=lambda i: (-self.transport.share(j, i), i)):
            refuted = self._case(j, i)
            if refuted is None or j not in refuted.used:
                break
            closed[i] = refuted
        else:
            used = frozenset.union(*(one.used for one in closed.values()))
            refuted = _Refuted(used, j, tuple(closed[i] for i in self.eligible[j]))
        if refuted is not None:
            self.transport.confine(j, self.eligible[j])
            self.open.add(j)
        return refuted

    def _case(self, j: int, i: int) -> _Refuted | None:
        """Close the case of job j on machine i."""
        before = self.on[i]
        jobs = tuple(sorted((*before, j)))
        stuck = self._stuck(jobs)
        if stuck is not None:
            return self._closed(stuck)
        self.on[i] = jobs
        self.transport.confine(j, (i,))
        refuted = self._refute()
        self.on[i] = before
        return refuted

    def _closed(self, jobs: Iterable[int]) -> _Refuted:
        for j in jobs:
            self.blame[j] += 1
        return _Refuted.leaf(jobs)

    def _stuck(self, jobs: tuple[int, ...]) -> tuple[int, ...] | None:
        """Those of the jobs of one machine that cannot all end in their windows, if there are such."""
        if jobs not in self.known:
            miss = self._miss(jobs)
            self.known[jobs] = None if miss is None else tuple(jobs[k] for k in miss.jobs)
        return self.known[jobs]

    def _miss(self, jobs: tuple[int, ...]) -> Miss | None:
        release, size, due = ([column[j] for j in jobs] for column in (self.release, self.size, self.due))
        return first_miss(release, size, due)

    def _urgency(self, j: int) -> tuple[int, int, int, int]:
        """Fewest machines left first, then what closed most cases, then the longest."""
        left = sum(self._stuck(tuple(sorted((*self.on[i], j)))) is None for i in self.eligible[j])
        return left, -self.blame[j], -self.size[j], j
