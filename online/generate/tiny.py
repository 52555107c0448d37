"""Every tiny instance, once: two machines that may be exchanged, jobs in any order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product

from online.instance import Instance
from online.rows import Row

Kind = tuple[int, int, tuple[int, ...], int]
"""Release, size, eligible machines, weight."""

Numbers = tuple[int, ...]


def tiny_instances(
    jobs: int, weights: Numbers = (1,), *, sizes: Numbers = (1, 2), releases: Numbers = (0, 1, 2)
) -> Iterator[Instance]:
    """All instances with this many jobs on two machines, of these numbers, up to order and exchange."""
    return map(_instance, _chosen(jobs, weights, sizes, releases))


def tiny_count(
    most_jobs: int, weights: Numbers = (1,), *, sizes: Numbers = (1, 2), releases: Numbers = (0, 1, 2)
) -> int:
    """How many instances there are with 1 to so many jobs.

    >>> tiny_count(2), tiny_count(2, sizes=(1,), releases=(0,)), tiny_count(1)
    (111, 6, 12)
    """
    return len(_all(most_jobs, weights, sizes, releases))


def tiny_at(
    index: int,
    most_jobs: int,
    weights: Numbers = (1,),
    *,
    sizes: Numbers = (1, 2),
    releases: Numbers = (0, 1, 2),
) -> Instance:
    """The index-th of them, from 0, those with fewest jobs first."""
    return _instance(_all(most_jobs, weights, sizes, releases)[index])


@cache
def _all(most_jobs: int, weights: Numbers, sizes: Numbers, releases: Numbers) -> tuple[tuple[Kind, ...], ...]:
    return tuple(one for jobs in range(1, most_jobs + 1) for one in _chosen(jobs, weights, sizes, releases))


def _chosen(jobs: int, weights: Numbers, sizes: Numbers, releases: Numbers) -> Iterator[tuple[Kind, ...]]:
    kinds: list[Kind] = list(product(releases, sizes, ((0,), (1,), (0, 1)), weights))
    for chosen in combinations_with_replacement(kinds, jobs):
        if list(chosen) <= sorted(map(_exchanged, chosen)):
            yield chosen


def _instance(chosen: tuple[Kind, ...]) -> Instance:
    rows = [Row(j, r, p, list(machines), flow_weight=w) for j, (r, p, machines, w) in enumerate(chosen)]
    return Instance.from_rows(2, rows)


def _exchanged(kind: Kind) -> Kind:
    release, size, machines, weight = kind
    return release, size, tuple(sorted(1 - i for i in machines)), weight
