"""Intervals for given duals: as cheap as a linear program finds them, or of least share, or of length 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

import numpy as np

from lp.backend import GE, LE, LinearProgram, solve
from lp.bracket import FINEST, scales, shown, whole
from lp.chains import Chains
from lp.counted import Counted, Whole
from lp.merged import Merged
from lp.program import Floats
from lp.weak_duality import right_side
from online.errors import LimitReached
from online.exact import common_denominator
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

NODES = 12_000
"""Most (weight, machine, release) nodes of the program that looks for intervals."""

PAIRS = 4_000_000
"""Most (job, machine, weight) that chains are laid out for."""

MOST_CLASSES = 16
"""Most distinct weights that enter chains as they are."""


class Supported(NamedTuple):
    """A family that counts job j at least `unit * need_j` times on every machine that may run it; `unit` is above 0."""

    family: IntervalFamily
    unit: Fraction


def supporting_family(
    instance: Instance, need: Sequence[Fraction], weights: Weights | None = None, *, time_limit: float | None = None
) -> Supported:
    """Intervals that allow the duals `need` (per unit of size, >= 0, not all 0), as cheap as they can be.

    Claim: on every machine that may run job j the family counts j at least `unit * need_j` times, exactly. Among all
    such families the bound `(sum need_j p_j - length / unit) / (share / unit)` is the largest up to the solver's
    precision and rounding. The program is the dual of the Lindley form (DUALITY.md, fact 3) with the duals held in
    their ratios: maximise `theta sum need_j p_j - length` where share is at most 1 and every cover at least
    `theta need_j`. Two intervals are joined over a gap g only if `weight * g` is below a trivial bound on T*: a longer
    gap costs more than another interval.

    Raises: `LimitReached` for over `NODES` nodes, or if the solver ends without an optimum.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 1, 3)])
    >>> family, unit = supporting_family(two, [Fraction(1), Fraction(1)])
    >>> [(int(one.start), int(one.end), one.multiplicity / unit) for one in family]
    [(0, 1, Fraction(1, 1))]
    """
    chains = _chains(instance, weights)
    if len(chains.gap) > NODES:
        raise LimitReached(f"{len(chains.gap)} nodes (weight, machine, release), over the limit of {NODES}")
    own = _merged_need(chains, need)
    top = max(own)
    volume = sum(one * size for one, size in zip(need, instance.size.tolist(), strict=True)) / top
    program, links = _covering(chains, [one / top for one in own], volume)
    found = solve(program, time_limit=time_limit).optimal("intervals for given duals")
    assert found.x is not None
    nodes = len(chains.gap)
    theta, cover, linked = found.x[0], found.x[1 : 1 + nodes], np.zeros(nodes)
    linked[links] = found.x[1 + nodes :]
    choices = [
        _rounded(chains, own, top, theta, cover, linked, scale)
        for scale in scales(np.concatenate([found.x[:1], cover, linked]))
    ]
    return max(choices, key=lambda one: _value(instance, need, one))


def _value(instance: Instance, need: Sequence[Fraction], made: Supported) -> Fraction:
    return right_side(instance, made.family, [made.unit * one for one in need])


def point_family(instance: Instance, need: Sequence[Fraction], weights: Weights | None = None) -> Supported:
    """As `supporting_family`, but every interval has length 0, and no program is solved; linear but for sorting.

    >>> from online.rows import Row
    >>> family, unit = point_family(Instance.from_rows(1, [Row("a", 0, 3)]), [Fraction(1, 3)])
    >>> [one.multiplicity / unit >= Fraction(1, 3) for one in family]
    [True]
    """
    chains = _chains(instance, weights)
    own = _merged_need(chains, need)
    nothing = np.zeros(len(chains.gap))
    return _rounded(chains, own, max(own), 0, nothing, nothing, FINEST)


def _chains(instance: Instance, weights: Weights | None) -> Chains:
    """The chains of the weights; of many, each is lowered to the least of its power-of-two class.

    That is one that occurs, so an interval for it counts the same jobs by their true weights.
    """
    coarse = (Weights.ones(instance) if weights is None else weights).coarse(MOST_CLASSES)
    if instance.pairs * coarse.classes > PAIRS:
        words = f"{instance.pairs} pairs (job, machine) times {coarse.classes} weights, over the limit of {PAIRS}"
        raise LimitReached(words)
    return Chains.of(Merged.of(instance, coarse))


def _merged_need(chains: Chains, need: Sequence[Fraction]) -> list[Fraction]:
    """The largest need of each merged job."""
    own = [Fraction(0)] * chains.merged.instance.n
    for merged, one in zip(chains.merged.number.tolist(), need, strict=True):
        if merged >= 0 and one > own[merged]:
            own[merged] = one
    return own


def _covering(chains: Chains, need: Sequence[Fraction], volume: Fraction) -> tuple[LinearProgram, Whole]:
    """Columns theta, the cover y of each node, z of it joined with the node before where that may pay; and where."""
    nodes, job = len(chains.gap), chains.counted.job
    links = np.array([k for k in range(1, nodes) if _may_join(chains, k)], dtype=np.int64)
    gap = [chains.unit.units(chains.gap[k]) for k in links.tolist()]
    copies = chains.copies[chains.machine]
    y, z = 1 + np.arange(nodes), 1 + nodes + np.arange(len(links))
    pairs, left = np.arange(len(job)), len(job) + np.arange(len(links))
    before = left + len(links)
    share = np.full(nodes, len(job) + 2 * len(links))
    weighed = copies * chains.lightness
    entries: list[tuple[Whole, Whole, float | Floats]] = [
        (pairs, np.zeros(len(job), dtype=np.int64), -np.array(need, dtype=np.float64)[job]),
        (chains.pair, y[chains.node], np.ones(len(chains.pair))),
        (left, y[links], 1),
        (left, z, -1),
        (before, y[links - 1], 1),
        (before, z, -1),
        (share, y, weighed),
        (share[links], z, -weighed[links]),
    ]
    cost = np.concatenate(
        [
            np.array([shown(chains.unit.jobs * volume / chains.unit.total)]),
            np.zeros(nodes),
            -np.array(gap) * copies[links],
        ]
    )
    sense, rhs = np.full(int(share[0]) + 1, GE), np.zeros(int(share[0]) + 1)
    sense[-1], rhs[-1] = LE, 1
    made = LinearProgram.from_triplets(-cost, [_nonzero(*one) for one in entries], sense, rhs)
    return made, links


def _nonzero(rows: Whole, columns: Whole, values: float | Floats) -> tuple[Whole, Whole, Floats]:
    """The entries that a solver sees; rounding makes up for the others."""
    spread = np.broadcast_to(np.asarray(values, dtype=np.float64), rows.shape)
    kept = np.abs(spread) * 10**8 > 1
    return rows[kept], columns[kept], spread[kept]


def _may_join(chains: Chains, k: int) -> bool:
    """Whether node k follows another one of its chain so closely that one interval over both may be better."""
    fresh = chains.weight_class[k] != chains.weight_class[k - 1] or chains.machine[k] != chains.machine[k - 1]
    weight = chains.merged.weights.values[int(chains.weight_class[k])]
    return not fresh and chains.gap[k] * weight <= chains.unit.total * Fraction(chains.heaviest)


def _rounded(
    chains: Chains, need: Sequence[Fraction], top: Fraction, theta: float, cover: Floats, linked: Floats, scale: int
) -> Supported:
    """A family near the solution, every cover raised to what is needed by intervals of length 0."""
    unit = max(0, round(theta * scale)) or scale
    covers, joined = whole(cover, scale), whole(linked, scale)
    count = [0] * len(chains.counted.job)
    highest = [0] * len(count)
    for e, k in zip(chains.pair.tolist(), chains.node.tolist(), strict=True):
        count[e] += covers[k]
        highest[e] = k
    for e, job in enumerate(chains.counted.job.tolist()):
        missing = math.ceil(need[job] * unit / top) - count[e]
        if missing > 0:
            covers[highest[e]] += missing
    return Supported(chains.family(covers, joined), unit / top)


def spanning_family(instance: Instance, need: Sequence[Fraction], weights: Weights | None = None) -> Supported:
    """Intervals that allow the duals `need` with the least share, whatever their length; exact, and near linear.

    Claim: share / unit is the least possible. On a machine, the intervals for weights up to w must count a job of
    weight w with need M at least M times, so together at least the largest need of a job of weight up to w: that is
    what they are here. In share a unit costs the less the larger its weight, so nothing is paid before it is needed.

    >>> from online.rows import Row
    >>> far = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 99, 3)])
    >>> family, unit = spanning_family(far, [Fraction(1, 2), Fraction(1, 3)])
    >>> [(int(one.start), int(one.end), one.multiplicity / unit) for one in family]
    [(0, 99, Fraction(1, 2))]
    """
    weights = Weights.ones(instance) if weights is None else weights
    rank, release = weights.rank.tolist(), instance.release.tolist()
    rows, classes, amounts = [], [], []
    for machine, jobs in enumerate(_jobs_of_machines(instance)):
        paid, needy = Fraction(0), sorted((j for j in jobs if need[j]), key=rank.__getitem__)
        first = list(accumulate(map(release.__getitem__, reversed(needy)), min))[::-1]
        last = list(accumulate(map(release.__getitem__, reversed(needy)), max))[::-1]
        for w, group in groupby(enumerate(needy), key=lambda one: rank[one[1]]):
            (k, j), *others = group
            most = max([need[j], *(need[other] for _, other in others)])
            if most > paid:
                rows.append((machine, 0, first[k], last[k]))
                classes.append(w)
                amounts.append(most - paid)
                paid = most
    unit = common_denominator(amounts)
    times = [int(amount * unit) for amount in amounts]
    return Supported(IntervalFamily.of(rows, 1, times, classes, weights.values or (1,)), Fraction(unit))


def _jobs_of_machines(instance: Instance) -> list[list[int]]:
    counted = Counted.of(instance)
    return [counted.job[a:b].tolist() for a, b in pairwise(counted.start.tolist())]
