"""Weak duality: any family of machine intervals bounds the offline optimum from below, in exact arithmetic."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from lp.counted import Counted
from online.errors import FalseClaim, InvalidInput, Problem
from online.exact import Column
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

Exact = int | Fraction


class Violation(NamedTuple):
    """On `machine`, fewer intervals count `job` (a position) than its dual claims."""

    job: int
    machine: int
    deficit: Fraction


def largest_duals(instance: Instance, family: IntervalFamily, *, weights: Weights | None = None) -> list[int]:
    """The largest alpha that Lemmas 6.1 and 6.6 allow: how often the family counts each job, on its worst machine.

    Claim: alpha_j = min over i in S_j of the number of intervals on i, with multiplicity, that contain r_j and are
    for weights of at most w_j. All weights are 1 without `weights`. One sweep: a sort of the family, then the total
    size of the eligible sets; each interval is entered once for every weight in the family that is no smaller.

    Raises: `InvalidInput` for an interval that ends before it starts, an unknown machine, a negative multiplicity,
    a weight that is missing or not positive.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1, Lemma 6.1; section 6.2, Lemma 6.6.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 2, 1, [0]), Row("c", 3, 1)])
    >>> largest_duals(instance, IntervalFamily.of([(0, 1, 0, 3), (0, 1, 2, 2), (1, 1, 3, 4)]))
    [0, 2, 1]
    """
    least: dict[int, _Least] = {}
    alpha = []
    for key, k, cover, version in _covers(instance, family, weights):
        one = least.get(key)
        if one is None:
            one = least[key] = _Least(instance.sets[k])
        alpha.append(one.of(cover, version))
    return alpha


def lower_bound(
    instance: Instance,
    family: IntervalFamily,
    alpha: Sequence[Exact] | None = None,
    *,
    weights: Weights | None = None,
) -> Fraction:
    """The lower bound of Lemmas 6.1 and 6.6 on the optimum of max w_j F_j without rejection.

    Claim: T* >= (sum_j alpha_j p_j - total length) / (sum over the intervals of 1/weight), in ticks times the unit of
    the weights; an empty family gives 0. All weights are 1 without `weights`: then T* is the least maximum flow
    time. Without `alpha` the largest feasible duals are used.

    Raises: `FalseClaim` naming the job, the machine and the deficit if `alpha` is not feasible; `InvalidInput`
    for a malformed family or an `alpha` of the wrong length.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemmas 6.1 and 6.6; sizes p_j as in DUALITY.md,
    fact 1.

    Ten jobs at once need ten ticks of work, whatever the schedule; if they weigh 3, one of them costs 30:

    >>> from online.rows import Row
    >>> ten = Instance.from_rows(1, [Row(j, 0, 1) for j in range(10)])
    >>> lower_bound(ten, IntervalFamily.of([(0, 1, 0, 0)]))
    Fraction(10, 1)
    >>> lower_bound(ten, IntervalFamily.of([(0, 1, 0, 0)], weights=(3,)), weights=Weights.of([3] * 10))
    Fraction(30, 1)
    """
    if alpha is None:
        return right_side(instance, family, largest_duals(instance, family, weights=weights))
    _require_feasible(instance, family, alpha, weights)
    return right_side(instance, family, alpha)


def right_side(instance: Instance, family: IntervalFamily, alpha: Sequence[Exact]) -> Fraction:
    """`(sum_j alpha_j p_j - total length) / (sum of 1/weight)`: a bound only if alpha is feasible."""
    if family.count == 0:
        return Fraction(0)
    volume = sum(a * p for a, p in zip(alpha, instance.size.tolist(), strict=True))
    return Fraction(volume - family.total_length) / family.share


def violations(
    instance: Instance, family: IntervalFamily, alpha: Sequence[Exact], *, weights: Weights | None = None
) -> list[Violation]:
    """Every (job, machine) where `alpha` claims more intervals than count the job; empty if feasible.

    Raises: `InvalidInput` for a malformed family or an `alpha` of the wrong length.
    """
    return list(_violations(instance, family, alpha, weights))


def tightened(instance: Instance, family: IntervalFamily, *, weights: Weights | None = None) -> IntervalFamily:
    """The family with every interval shrunk to the releases it counts, and those that count nobody dropped.

    Claim: the largest duals do not change, the ends become whole ticks, and max(0, bound) never falls.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(1, [Row("a", 1, 1), Row("b", 4, 1)])
    >>> list(tightened(instance, IntervalFamily.of([(0, 1, 0, 3), (0, 2, 2, 3)])))[0][:4]
    (0, 1, Fraction(1, 1), Fraction(1, 1))
    """
    own = _checked(instance, family, weights)
    counted, unit = Counted.of(instance), family.per_tick
    releases: dict[tuple[int, int], list[int]] = {}
    rows, multiplicity, classes = [], [], []
    columns = (family.machine, family.level, family.start, family.end, family.multiplicity, family.weight_class)
    for i, level, start, end, times, w in zip(*(column.tolist() for column in columns), strict=True):
        if (i, w) not in releases:
            releases[i, w] = counted.releases(i, own >= w)
        own_releases = releases[i, w]
        a, b = bisect_left(own_releases, -(-start // unit)), bisect_right(own_releases, end // unit)
        if a < b and times:
            rows.append((i, level, own_releases[a], own_releases[b - 1]))
            multiplicity.append(times)
            classes.append(w)
    return IntervalFamily.of(rows, multiplicity=multiplicity, weight_class=classes, weights=family.weights)


def covers(
    instance: Instance, family: IntervalFamily, *, weights: Weights | None = None
) -> Iterator[tuple[int, list[int]]]:
    """For each job the number of its eligible set, and how often every machine counts it, by multiplicity.

    The list is one and the same, changed in place. Raises: `InvalidInput` for a malformed family.
    """
    return ((k, cover) for _, k, cover, _ in _covers(instance, family, weights))


class _Least:
    """The least cover over one eligible set, computed anew only after the cover changed."""

    def __init__(self, machines: Sequence[int]) -> None:
        self.pick = itemgetter(*machines, machines[0])
        self.version, self.value = -1, 0

    def of(self, cover: list[int], version: int) -> int:
        if version != self.version:
            self.version, self.value = version, min(self.pick(cover))
        return self.value


def _covers(
    instance: Instance, family: IntervalFamily, weights: Weights | None
) -> Iterator[tuple[int, int, list[int], int]]:
    """For each job, how often each machine counts it, and the version of that list.

    Before them a key of the (eligible set, weight class) of the job, and its eligible set. Intervals are closed, so
    on a doubled clock one opens at 2s, jobs stand at 2r and it closes at 2e + 1. The last list of covers is that
    of jobs lighter than every interval.
    """
    own = _checked(instance, family, weights)
    used, weight_class = np.unique(family.weight_class, return_inverse=True)
    own, classes = np.searchsorted(used, own, side="right") - 1, len(used)
    columns = (family.machine, family.start, family.end, family.multiplicity, weight_class)
    events = []
    for i, start, end, times, w in zip(*(column.tolist() for column in columns), strict=True):
        events += [(2 * start, i, times, w), (2 * end + 1, i, -times, w)]
    events.sort()
    covers = [[0] * instance.machines for _ in range(classes + 1)]
    jobs = (instance.release, instance.eligible_set, own, instance.eligible_set * (classes + 1) + own)
    done, clock = 0, 2 * family.per_tick
    for release, k, c, key in zip(*(column.tolist() for column in jobs), strict=True):
        while done < len(events) and events[done][0] <= clock * release:
            _, i, change, w = events[done]
            for heavier in range(w, classes):
                covers[heavier][i] += change
            done += 1
        yield key, k, covers[c], done


def _violations(
    instance: Instance, family: IntervalFamily, alpha: Sequence[Exact], weights: Weights | None
) -> Iterator[Violation]:
    if len(alpha) != instance.n:
        raise InvalidInput(
            Problem("alpha", "wrong length", f"{len(alpha)} values", f"{instance.n}", "give one dual a job")
        )
    for j, dual in enumerate(alpha):
        if type(dual) not in (int, Fraction):
            raise InvalidInput(Problem(f"alpha[{j}]", "inexact", repr(dual), "an int or Fraction", "convert it"))
    sets = list(instance.sets)
    for j, (dual, (_, k, cover, _)) in enumerate(zip(alpha, _covers(instance, family, weights), strict=True)):
        yield from (Violation(j, i, Fraction(dual) - cover[i]) for i in sets[k] if cover[i] < dual)


def _require_feasible(
    instance: Instance, family: IntervalFamily, alpha: Sequence[Exact], weights: Weights | None
) -> None:
    wrong = next(_violations(instance, family, alpha, weights), None)
    if wrong is not None:
        j, i, deficit = wrong
        heavy = "" if weights is None else f" and are for weights of at most {weights[j]}"
        raise FalseClaim(
            f"job {instance.ids[j]!r} claims alpha = {alpha[j]}, but machine {instance.machine_name(i)} has "
            f"{deficit} fewer intervals that contain its release {int(instance.release[j])}{heavy}"
        )
    for j, dual in enumerate(alpha):
        if dual < 0:
            raise FalseClaim(f"job {instance.ids[j]!r} claims alpha = {dual}, which is negative")


def _checked(instance: Instance, family: IntervalFamily, weights: Weights | None) -> Column:
    """The number of the largest of the family's weights that is at most w_j, for each job; -1 if there is none."""
    weights = Weights.ones(instance) if weights is None else weights
    if len(weights.rank) != instance.n:
        got, expected = f"{len(weights.rank)} weights", f"{instance.n}"
        raise InvalidInput(Problem("weights", "wrong length", got, expected, "give one weight a job"))
    faults = (
        ("an interval that ends before it starts", family.end < family.start),
        ("a machine that does not exist", (family.machine < 0) | (family.machine >= instance.machines)),
        ("a negative multiplicity", family.multiplicity < 0),
        ("a weight that is not listed", (family.weight_class < 0) | (family.weight_class >= len(family.weights))),
    )
    for what, bad in faults:
        if bad.any():
            k = int(bad.argmax())
            raise InvalidInput(
                Problem(f"interval {k}", "malformed interval", what, "a closed interval", "correct the family")
            )
    if family.per_tick < 1:
        raise InvalidInput(
            Problem("family", "bad per_tick", str(family.per_tick), "at least 1", "correct the unit of time")
        )
    if any(a >= b for a, b in pairwise((0, *family.weights))):
        shown = ", ".join(map(str, family.weights[:20]))
        raise InvalidInput(Problem("family", "bad weights", shown, "positive and ascending", "correct the weights"))
    return np.array(weights.classes_of(family.weights), dtype=np.int64)[weights.rank]
