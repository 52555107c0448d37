"""A smaller instance with the same LP: equal jobs become one, interchangeable machines become one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from online.instance import Instance
from online.weights import Weights

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Merged:
    """An instance whose machine `c` stands for the interchangeable machines `members[c]` of the original.

    Job j of the original is part of job `number[j]`, or of none (-1) if its size is 0.

    Claim: the LP of Lemma 6.6 has the same value on both, if every machine `c` counts `len(members[c])` times.
    Only the volume released at one instant with one eligible set and weight enters a row, so such jobs add up to
    one; jobs of size 0 add nothing. Machines that occur in the same eligible sets may be exchanged in any solution,
    and the mean of all exchanges of a feasible solution is feasible with the same T, so equal machines get equal
    shares.
    """

    instance: Instance
    members: list[list[int]]
    weights: Weights
    number: Whole

    @classmethod
    def of(cls, instance: Instance, weights: Weights | None = None) -> Merged:
        """Merge; linear. Without `weights` all are 1.

        >>> from online.rows import Row
        >>> rows = [Row("a", 0, 3), Row("b", 0, 1), Row("c", 0, 2, [2])]
        >>> merged = Merged.of(Instance.from_rows(3, rows))
        >>> merged.members, merged.instance.size.tolist(), list(merged.instance.sets)
        ([[0, 1], [2]], [4, 2], [(0, 1), (1,)])
        """
        weights = Weights.ones(instance) if weights is None else weights
        numbers: dict[tuple[int, int, int], int] = {}
        number: list[int] = []
        volumes: list[int] = []
        columns = (instance.release, instance.eligible_set, weights.rank, instance.size)
        for release, k, w, size in zip(*(column.tolist() for column in columns), strict=True):
            own = numbers.setdefault((release, k, w), len(numbers)) if size else -1
            if own == len(volumes):
                volumes.append(0)
            if size:
                volumes[own] += size
            number.append(own)
        used = sorted({k for _, k, _ in numbers})
        members, sets = interchangeable([instance.sets[k] for k in used])
        set_number = {k: n for n, k in enumerate(used)}
        merged = Instance.from_columns(
            max(1, len(members)),
            release=[release for release, _, _ in numbers],
            size=volumes,
            eligible_set=[set_number[k] for _, k, _ in numbers],
            sets=sets,
            tick=instance.tick,
        )
        rank = np.array([w for _, _, w in numbers], dtype=np.int64)
        own_weights = Weights(weights.values, rank).where(np.ones(len(rank), dtype=bool))
        return cls(merged, members, own_weights, np.array(number, dtype=np.int64))


def interchangeable(sets: list[tuple[int, ...]]) -> tuple[list[list[int]], list[list[int]]]:
    """Group the machines by the sets that they are in; also the sets in terms of the groups."""
    within: dict[int, list[int]] = {}
    for k, machines in enumerate(sets):
        for i in machines:
            within.setdefault(i, []).append(k)
    groups: dict[tuple[int, ...], list[int]] = {}
    for i in sorted(within):
        groups.setdefault(tuple(within[i]), []).append(i)
    merged: list[list[int]] = [[] for _ in sets]
    for c, membership in enumerate(groups):
        for k in membership:
            merged[k].append(c)
    return list(groups.values()), merged
