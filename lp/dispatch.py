"""Dispatches for witnesses from above: by backlog in arrival order, or following a fractional dispatch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from online import exact
from online.instance import Instance
from online.weights import Weights

CLASSES = 16
"""Most weight classes whose backlogs `least_backlog` keeps; with more, weights are lowered for its decisions."""

PARTS = 1 << 30
"""Shares of a fractional dispatch count in whole multiples of 1/PARTS."""


def least_finishing(instance: Instance, order: Sequence[int] | None = None) -> list[int]:
    """Give each job to the eligible machine that would finish it first, the smallest among equals.

    Jobs are taken in arrival order, or in an `order` in which releases do not fall. Linear in the total size of the
    eligible sets.

    >>> from online.rows import Row
    >>> least_finishing(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 1, 1), Row("c", 1, 2)]))
    [0, 1, 1]
    """
    free, dispatch = [0] * instance.machines, [0] * instance.n
    release, size, sets = instance.release.tolist(), instance.size.tolist(), list(instance.sets)
    choice = instance.eligible_set.tolist()
    for j in range(instance.n) if order is None else order:
        start, i = min((max(free[i], release[j]), i) for i in sets[choice[j]])
        free[i], dispatch[j] = start + size[j], i
    return dispatch


def least_backlog(instance: Instance, weights: Weights, order: Sequence[int] | None = None) -> list[int]:
    """Give each job to the eligible machine on which the largest weighted backlog that it adds to stays smallest.

    The backlog of class c is the work of classes c and higher that is left when those go first: times the weight it
    is what the LP of Lemma 6.6 holds below T. Ties go to the machine that would finish the job first, then to the one
    with the least backlog of all classes. With one class this is `least_finishing`.

    >>> from online.rows import Row
    >>> rows = [Row("big", 0, 9), Row("urgent", 0, 2, flow_weight=4), Row("next", 0, 2, flow_weight=4)]
    >>> instance = Instance.from_rows(2, rows)
    >>> least_backlog(instance, Weights.flow(instance)), least_finishing(instance)
    ([0, 1, 0], [0, 1, 1])
    """
    coarse = weights.coarse(CLASSES)
    if coarse.classes <= 1:
        return least_finishing(instance, order)
    unit = exact.common_denominator(coarse.values)
    scale = [int(value * unit) for value in coarse.values]
    free = [[0] * coarse.classes for _ in range(instance.machines)]
    release, size, rank = instance.release.tolist(), instance.size.tolist(), coarse.rank.tolist()
    dispatch = [0] * instance.n
    sets, choice = list(instance.sets), instance.eligible_set.tolist()
    for j in range(instance.n) if order is None else order:
        r, p, counted = release[j], size[j], range(rank[j] + 1)
        best: tuple[int, int, int, int] | None = None
        for i in sets[choice[j]]:
            own = free[i]
            worst = max(scale[c] * (max(own[c], r) + p - r) for c in counted)
            found = (worst, max(own[rank[j]], r) + p, own[0], i)
            best = found if best is None or found < best else best
        assert best is not None
        own = free[best[3]]
        for c in counted:
            own[c] = max(own[c], r) + p
        dispatch[j] = best[3]
    return dispatch


def picky_first(instance: Instance, weights: Weights) -> list[int]:
    """The jobs by release; of one release, those with the fewest eligible machines first, then the heaviest, longest.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1, [0]), Row("c", 1, 1)])
    >>> picky_first(instance, Weights.ones(instance))
    [1, 0, 2]
    """
    width = [len(one) for one in instance.sets]
    release, size, choice = instance.release.tolist(), instance.size.tolist(), instance.eligible_set.tolist()
    rank = weights.rank.tolist()
    return sorted(range(instance.n), key=lambda j: (release[j], width[choice[j]], -rank[j], -size[j], j))


def largest_shares(instance: Instance, job: Sequence[int], machine: Sequence[int], share: Sequence[Any]) -> list[int]:
    """Give each job to the machine with its largest share of a fractional dispatch (one entry a pair of both).

    >>> from online.rows import Row
    >>> largest_shares(Instance.from_rows(2, [Row("a", 0, 1)]), [0, 0], [0, 1], [1, 3])
    [1]
    """
    return [-max(pairs)[1] for pairs in _pairs(instance, job, machine, share)]


def followed_shares(instance: Instance, job: Sequence[int], machine: Sequence[int], share: Sequence[Any]) -> list[int]:
    """Give each job to a machine of its fractional dispatch, the one that is most behind its fractional volume.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1)])
    >>> followed_shares(two, [0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 1])
    [0, 1]
    """
    behind, dispatch = [0] * instance.machines, []
    for size, pairs in zip(instance.size.tolist(), _pairs(instance, job, machine, share), strict=True):
        total = sum(part for part, _ in pairs)
        for part, i in pairs:
            behind[-i] += size * part * PARTS // total
        i = -max((behind[-i], part, i) for part, i in pairs)[2]
        behind[i] -= size * PARTS
        dispatch.append(i)
    return dispatch


def _pairs(
    instance: Instance, job: Sequence[int], machine: Sequence[int], share: Sequence[Any]
) -> list[list[tuple[int, int]]]:
    """Per job, its `(share, -machine)` above 0 in whole multiples of 1/PARTS; the first eligible machine if none is."""
    pairs: list[list[tuple[int, int]]] = [[] for _ in range(instance.n)]
    for j, i, part in zip(job, machine, share, strict=True):
        whole = math.floor(part * PARTS)
        if whole > 0:
            pairs[j].append((whole, -i))
    sets = list(instance.sets)
    choice = instance.eligible_set.tolist()
    return [found or [(1, -sets[k][0])] for found, k in zip(pairs, choice, strict=True)]
