"""Eligible sets, stored once each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from online import exact
from online.exact import Column


@dataclass(frozen=True, eq=False)
class EligibleSets:
    """The distinct eligible sets in CSR form; set `k` is `machines[start[k]:start[k + 1]]`, ascending."""

    start: Column
    machines: Column

    def __post_init__(self) -> None:
        for name in ("start", "machines"):
            object.__setattr__(self, name, exact.frozen(getattr(self, name)))

    @classmethod
    def of(cls, sets: Sequence[Sequence[int]]) -> EligibleSets:
        """Store the sets given as ascending tuples of machines."""
        lengths = np.fromiter(map(len, sets), dtype=np.int64, count=len(sets))
        start = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        flat = np.fromiter((i for one in sets for i in one), dtype=np.int64, count=int(start[-1]))
        return cls(start, flat)

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, k: int) -> tuple[int, ...]:
        return tuple(self.machines[self.start[k] : self.start[k + 1]].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        flat, start = self.machines.tolist(), self.start.tolist()
        return (tuple(flat[a:b]) for a, b in itertools.pairwise(start))
