"""The cases of a case distinction (rule C10), one after the other, each with the instance that is left of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from online.eligible import EligibleSets
from online.instance import Instance


class Case(NamedTuple):
    """A leaf: the machines it leaves to split jobs, `(job, machines)` in the order of the splits, and its evidence."""

    fixed: tuple[tuple[int, tuple[int, ...]], ...]
    evidence: Mapping[str, Any]

    def of(self, instance: Instance) -> Instance:
        """The instance in which the split jobs may run on these machines only."""
        sets, eligible = list(instance.sets), instance.eligible_set.tolist()
        for job, machines in self.fixed:
            eligible[job] = len(sets)
            sets.append(machines)
        return replace(instance, eligible_set=np.array(eligible, dtype=np.int64), sets=EligibleSets.of(sets))


@dataclass
class _Split:
    job: int
    parts: list[tuple[int, ...]]
    taken: int = 0

    @property
    def fixed(self) -> tuple[int, tuple[int, ...]]:
        return self.job, self.parts[self.taken]


def cases(tree: Sequence[Mapping[str, Any]], instance: Instance) -> Iterator[Case]:
    """The leaves of a tree that the checker accepted, in its order.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1)])
    >>> leaf = {"leaf": {"rule": "C0", "job": 1}}
    >>> [case.fixed for case in cases([{"split": 0}, leaf, {"split": 1}, leaf, leaf], two)]
    [((0, (0,)),), ((0, (1,)), (1, (0,))), ((0, (1,)), (1, (1,)))]
    """
    path: list[_Split] = []
    for node in tree:
        if "leaf" not in node:
            path.append(_split(node, path, instance))
            continue
        yield Case(tuple(split.fixed for split in path), node["leaf"])
        while path and path[-1].taken + 1 == len(path[-1].parts):
            path.pop()
        if path:
            path[-1].taken += 1


def _split(node: Mapping[str, Any], path: Sequence[_Split], instance: Instance) -> _Split:
    job = node["split"]
    if "parts" in node:
        return _Split(job, [tuple(part) for part in node["parts"]])
    own = [machines for split in path for other, machines in [split.fixed] if other == job]
    machines = own[-1] if own else instance.sets[int(instance.eligible_set[job])]
    return _Split(job, [(i,) for i in machines])
