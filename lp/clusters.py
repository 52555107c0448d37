"""The strongest part of an interval family: families fall apart in time, and one part is as good as the best."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from lp.weak_duality import largest_duals
from online.family import IntervalFamily
from online.instance import Instance


def strongest_cluster(instance: Instance, family: IntervalFamily) -> tuple[IntervalFamily, Fraction]:
    """The cluster of intervals with the largest bound of Lemma 6.1, and that bound in ticks.

    A cluster is a maximal set of intervals, on any machines, whose union in time is connected.

    Claim: the bound of a family is a weighted mean of the bounds of its clusters, since a job lies in intervals of
    one cluster only; so the best cluster is at least as strong as the whole. One sort, else linear.

    Raises: `ValueError` for an empty family.
    """
    if not len(family):
        raise ValueError("an empty family bounds nothing")
    order = np.lexsort((family.end, family.start))
    cluster, begins = _numbered(family.start[order].tolist(), family.end[order].tolist())
    volumes = [0] * len(begins)
    duals, k = largest_duals(instance, family), -1
    for release, dual, size in zip(instance.release.tolist(), duals, instance.size.tolist(), strict=True):
        while k + 1 < len(begins) and begins[k + 1] <= release * family.per_tick:
            k += 1
        volumes[k] += dual * size
    lengths, counts = [0] * len(begins), [0] * len(begins)
    spans = (family.end - family.start)[order].tolist()
    for k, span, times in zip(cluster, spans, family.multiplicity[order].tolist(), strict=True):
        lengths[k] += span * times
        counts[k] += times
    values = [
        Fraction(volume * family.per_tick - length, count * family.per_tick)
        for volume, length, count in zip(volumes, lengths, counts, strict=True)
    ]
    best = max(range(len(values)), key=values.__getitem__)
    mask = np.zeros(len(family), dtype=bool)
    mask[order] = np.array(cluster) == best
    return family.where(mask), values[best]


def _numbered(starts: list[int], ends: list[int]) -> tuple[list[int], list[int]]:
    """Number the clusters of intervals sorted by start; also where each cluster begins."""
    cluster: list[int] = []
    begins: list[int] = []
    reach = -1
    for start, end in zip(starts, ends, strict=True):
        if not begins or start > reach:
            begins.append(start)
            reach = end
        reach = max(reach, end)
        cluster.append(len(begins) - 1)
    return cluster, begins
