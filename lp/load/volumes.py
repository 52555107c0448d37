"""What load balancing can see of an instance: how much volume has each eligible set."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from lp.merged import interchangeable
from online.instance import Instance


@dataclass(frozen=True, eq=False)
class Volumes:
    """The distinct eligible sets of the jobs with work, ascending, and the total size of each set's jobs in ticks.

    Claim: the LP of section 5 depends on these alone, for its rows see a job only through `p_j x_ij`.
    """

    sets: list[tuple[int, ...]]
    volume: list[int]

    @classmethod
    def of(cls, instance: Instance) -> Volumes:
        """Add up; linear. An instance keeps sizes in int64 only if their whole sum fits, so nothing overflows.

        >>> from online.rows import Row
        >>> volumes = Volumes.of(Instance.from_rows(2, [Row("a", 0, 3), Row("b", 0, 1, [1]), Row("c", 5, 2)]))
        >>> volumes.sets, volumes.volume
        ([(0, 1), (1,)], [5, 1])
        """
        added = np.zeros(len(instance.sets), dtype=instance.size.dtype)
        np.add.at(added, instance.eligible_set, instance.size)
        found: dict[tuple[int, ...], int] = {}
        for machines, volume in zip(instance.sets, added.tolist(), strict=True):
            if volume:
                found[machines] = found.get(machines, 0) + volume
        return cls(sorted(found), [found[machines] for machines in sorted(found)])

    @property
    def machines(self) -> tuple[int, ...]:
        """The machines that some job with work may use, ascending."""
        return tuple(sorted({i for one in self.sets for i in one}))

    def inside(self, machines: Collection[int]) -> Volumes:
        """The sets that lie inside `machines`, with their volumes."""
        inside = frozenset(machines)
        kept = [(one, v) for one, v in zip(self.sets, self.volume, strict=True) if inside.issuperset(one)]
        return Volumes([one for one, _ in kept], [v for _, v in kept])

    def grouped(self) -> tuple[list[list[int]], Volumes]:
        """The groups of interchangeable machines (in the same sets), and the sets in terms of these groups.

        >>> Volumes([(0, 1), (0, 1, 2)], [5, 1]).grouped()[0]
        [[0, 1], [2]]
        """
        members, sets = interchangeable(self.sets)
        return members, Volumes([tuple(one) for one in sets], self.volume)
