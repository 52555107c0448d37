"""Every tiny instance, once: two machines that may be exchanged, jobs in any order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from online.instance import Instance
from online.rows import Row

Kind = tuple[int, int, tuple[int, ...], int]
"""Release, size, eligible machines, weight."""


def tiny_instances(jobs: int, weights: tuple[int, ...] = (1,)) -> Iterator[Instance]:
    """All instances with this many jobs on two machines, sizes 1 and 2, releases 0 to 2, up to order and exchange."""
    kinds: list[Kind] = list(product((0, 1, 2), (1, 2), ((0,), (1,), (0, 1)), weights))
    for chosen in combinations_with_replacement(kinds, jobs):
        if list(chosen) <= sorted(map(_exchanged, chosen)):
            rows = [Row(j, r, p, list(machines), flow_weight=w) for j, (r, p, machines, w) in enumerate(chosen)]
            yield Instance.from_rows(2, rows)


def _exchanged(kind: Kind) -> Kind:
    release, size, machines, weight = kind
    return release, size, tuple(sorted(1 - i for i in machines)), weight
