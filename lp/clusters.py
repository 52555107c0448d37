"""The strongest part of an interval family: families fall apart in time, and one part is as good as the best."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from lp.weak_duality import largest_duals
from online import exact
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights


def strongest_cluster(
    instance: Instance, family: IntervalFamily, *, weights: Weights | None = None
) -> tuple[IntervalFamily, Fraction]:
    """The cluster of intervals with the largest bound of Lemma 6.6, and that bound in ticks times weight units.

    A cluster is a maximal set of intervals, on any machines and for any weights, whose union in time is connected.

    Claim: the bound of a family is a mean of the bounds of its clusters, each weighted by its sum of 1/weight, since
    a job lies in intervals of one cluster only; so the best cluster is at least as strong as the whole. One sort,
    else linear.

    Raises: `ValueError` for a family without intervals, or with multiplicities of 0 only.
    """
    if not family.count:
        raise ValueError("an empty family bounds nothing")
    family = family.where(family.multiplicity != 0)
    order = np.lexsort((family.end, family.start))
    cluster, begins = _numbered(family.start[order].tolist(), family.end[order].tolist())
    volumes = [0] * len(begins)
    duals, k = largest_duals(instance, family, weights=weights), -1
    for release, dual, size in zip(instance.release.tolist(), duals, instance.size.tolist(), strict=True):
        while k + 1 < len(begins) and begins[k + 1] <= release * family.per_tick:
            k += 1
        volumes[k] += dual * size
    lengths, shares = [0] * len(begins), [0] * len(begins)
    spans = (family.end - family.start)[order].tolist()
    unit, inverse = _inverses(family)
    columns = (family.multiplicity[order].tolist(), family.weight_class[order].tolist())
    for k, span, times, w in zip(cluster, spans, *columns, strict=True):
        lengths[k] += span * times
        shares[k] += times * inverse[w]
    values = [
        Fraction((volume * family.per_tick - length) * unit, share * family.per_tick)
        for volume, length, share in zip(volumes, lengths, shares, strict=True)
    ]
    best = max(range(len(values)), key=values.__getitem__)
    mask = np.zeros(len(family), dtype=bool)
    mask[order] = np.array(cluster) == best
    return family.where(mask), values[best]


def _inverses(family: IntervalFamily) -> tuple[int, dict[int, int]]:
    """A common unit, and 1/weight of the weights in use as whole numbers of `1/unit`, by weight class."""
    inverse = {w: 1 / Fraction(family.weights[w]) for w in np.unique(family.weight_class).tolist()}
    unit = exact.common_denominator(inverse.values())
    return unit, {w: int(value * unit) for w, value in inverse.items()}


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
