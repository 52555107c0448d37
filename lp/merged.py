"""A smaller instance with the same LP: equal jobs become one, interchangeable machines become one."""

from __future__ import annotations

from dataclasses import dataclass

from online.instance import Instance


@dataclass(frozen=True, eq=False)
class Merged:
    """An instance whose machine `c` stands for the interchangeable machines `members[c]` of the original.

    Claim: the LP of Lemma 6.1 has the same value on both, if every machine `c` counts `len(members[c])` times.
    Only the volume released at one instant with one eligible set enters a row, so such jobs add up to one; jobs
    of size 0 add nothing. Machines that occur in the same eligible sets may be exchanged in any solution, and the
    mean of all exchanges of a feasible solution is feasible with the same T, so equal machines get equal shares.
    """

    instance: Instance
    members: list[list[int]]

    @classmethod
    def of(cls, instance: Instance) -> Merged:
        """Merge; linear.

        >>> from online.rows import Row
        >>> rows = [Row("a", 0, 3), Row("b", 0, 1), Row("c", 0, 2, [2])]
        >>> merged = Merged.of(Instance.from_rows(3, rows))
        >>> merged.members, merged.instance.size.tolist(), list(merged.instance.sets)
        ([[0, 1], [2]], [4, 2], [(0, 1), (1,)])
        """
        volumes: dict[tuple[int, int], int] = {}
        columns = (instance.release, instance.eligible_set, instance.size)
        for release, k, size in zip(*(column.tolist() for column in columns), strict=True):
            if size:
                volumes[release, k] = volumes.get((release, k), 0) + size
        used = sorted({k for _, k in volumes})
        members, sets = interchangeable([instance.sets[k] for k in used])
        number = {k: n for n, k in enumerate(used)}
        merged = Instance.from_columns(
            max(1, len(members)),
            release=[release for release, _ in volumes],
            size=list(volumes.values()),
            eligible_set=[number[k] for _, k in volumes],
            sets=sets,
            tick=instance.tick,
        )
        return cls(merged, members)


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
