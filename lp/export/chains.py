"""The release times of each machine and weight class: what the rows of Lemmas 6.1 and 6.6 are made of."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from lp.grid import common_divisor
from online.instance import Instance
from online.weights import Weights


class Node(NamedTuple):
    """A release time, its number among all distinct ones from 1, and the jobs released then that a chain counts."""

    time: int
    number: int
    jobs: list[int]


class Chain(NamedTuple):
    """Machine `machine`, for the jobs of weight `weight` on, which has number `weight_class`: its nodes in time."""

    weight_class: int
    weight: Fraction
    machine: int
    nodes: list[Node]

    def name(self, letter: str, *numbers: int) -> str:
        """The name of a row or column: class and machine counted from 1, then the numbers of release times."""
        return "_".join(map(str, (letter, self.weight_class + 1, self.machine + 1, *numbers)))

    def intervals(self) -> Iterator[tuple[str, int, int]]:
        """The name of every interval, and its first and last node."""
        for s, first in enumerate(self.nodes):
            for e in range(s, len(self.nodes)):
                yield self.name("b", first.number, self.nodes[e].number), s, e


def chains(instance: Instance, weights: Weights) -> list[Chain]:
    """Every chain that counts a job, by weight class, then by machine.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(2, [Row("a", 0, 1, [0]), Row("b", 7, 1)])
    >>> [(chain.machine, chain.nodes) for chain in chains(instance, Weights.ones(instance))]
    [(0, [Node(time=0, number=1, jobs=[0]), Node(time=7, number=2, jobs=[1])]), (1, [Node(time=7, number=2, jobs=[1])])]
    """
    number = {time: k + 1 for k, time in enumerate(sorted(set(instance.release.tolist())))}
    found = [Chain(c, Fraction(w), i, []) for c, w in enumerate(weights.values) for i in range(instance.machines)]
    for job, rank in zip(instance.jobs(), weights.rank.tolist(), strict=True):
        for c in range(rank + 1):
            for i in job.eligible:
                nodes = found[c * instance.machines + i].nodes
                if not nodes or nodes[-1].time != job.release:
                    nodes.append(Node(job.release, number[job.release], []))
                nodes[-1].jobs.append(job.position)
    return [chain for chain in found if chain.nodes]


def grid(instance: Instance) -> int:
    """The largest whole number of ticks that divides all sizes and all differences of releases; 1 if there is none.

    >>> from online.rows import Row
    >>> grid(Instance.from_columns(1, release=[5, 11], size=[6, 9], eligible_set=[0, 0], sets=[[0]]))
    3
    """
    return common_divisor(instance.release, instance.size) or 1
