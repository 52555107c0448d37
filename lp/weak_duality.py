"""Weak duality: any family of machine intervals bounds the offline optimum from below, in exact arithmetic."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from lp.counted import Counted
from online.errors import FalseClaim, InvalidInput, Problem
from online.family import IntervalFamily
from online.instance import Instance

Exact = int | Fraction


class Violation(NamedTuple):
    """On `machine`, fewer intervals contain the release of `job` (a position) than its dual claims."""

    job: int
    machine: int
    deficit: Fraction


def largest_duals(instance: Instance, family: IntervalFamily) -> list[int]:
    """The largest alpha that Lemma 6.1 allows: how often the family covers each release, on its worst machine.

    Claim: alpha_j = min over i in S_j of the number of intervals on i, with multiplicity, that contain r_j.
    One sweep: a sort of the family, then the total size of the eligible sets.

    Raises: `InvalidInput` for an interval that ends before it starts, an unknown machine, a negative multiplicity.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1, Lemma 6.1.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 2, 1, [0]), Row("c", 3, 1)])
    >>> largest_duals(instance, IntervalFamily.of([(0, 1, 0, 3), (0, 1, 2, 2), (1, 1, 3, 4)]))
    [0, 2, 1]
    """
    covered = [_Covered(machines) for machines in instance.sets]
    return [
        covered[k].least(cover, version)
        for k, (cover, version) in zip(instance.eligible_set.tolist(), _covers(instance, family), strict=True)
    ]


def lower_bound(instance: Instance, family: IntervalFamily, alpha: Sequence[Exact] | None = None) -> Fraction:
    """The lower bound of Lemma 6.1 on the optimal maximum flow time without rejection, in ticks.

    Claim: T* >= (sum_j alpha_j p_j - total length) / (number of intervals); an empty family gives 0. Without
    `alpha` the largest feasible duals are used.

    Raises: `FalseClaim` naming the job, the machine and the deficit if `alpha` is not feasible; `InvalidInput`
    for a malformed family or an `alpha` of the wrong length.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemma 6.1; sizes p_j as in DUALITY.md, fact 1.

    Ten jobs at once need ten ticks of work, whatever the schedule:

    >>> from online.rows import Row
    >>> ten = Instance.from_rows(1, [Row(j, 0, 1) for j in range(10)])
    >>> lower_bound(ten, IntervalFamily.of([(0, 1, 0, 0)]))
    Fraction(10, 1)
    """
    if alpha is None:
        return right_side(instance, family, largest_duals(instance, family))
    _require_feasible(instance, family, alpha)
    return right_side(instance, family, alpha)


def right_side(instance: Instance, family: IntervalFamily, alpha: Sequence[Exact]) -> Fraction:
    """`(sum_j alpha_j p_j - total length) / (number of intervals)` in ticks: a bound only if alpha is feasible."""
    if family.count == 0:
        return Fraction(0)
    volume = sum(a * p for a, p in zip(alpha, instance.size.tolist(), strict=True))
    return Fraction(volume - family.total_length) / family.count


def violations(instance: Instance, family: IntervalFamily, alpha: Sequence[Exact]) -> list[Violation]:
    """Every (job, machine) where `alpha` claims more intervals than contain the release; empty if feasible.

    Raises: `InvalidInput` for a malformed family or an `alpha` of the wrong length.
    """
    return list(_violations(instance, family, alpha))


def tightened(instance: Instance, family: IntervalFamily) -> IntervalFamily:
    """The family with every interval shrunk to the releases it counts, and those that count nobody dropped.

    Claim: the largest duals do not change, the ends become whole ticks, and max(0, bound) never falls.

    >>> from online.rows import Row
    >>> instance = Instance.from_rows(1, [Row("a", 1, 1), Row("b", 4, 1)])
    >>> list(tightened(instance, IntervalFamily.of([(0, 1, 0, 3), (0, 2, 2, 3)])))[0][:4]
    (0, 1, Fraction(1, 1), Fraction(1, 1))
    """
    _check(instance, family)
    counted = Counted.of(instance)
    releases = [counted.releases(i) for i in range(instance.machines)]
    unit = family.per_tick
    rows, multiplicity = [], []
    columns = (family.machine, family.level, family.start, family.end, family.multiplicity)
    for i, level, start, end, times in zip(*(column.tolist() for column in columns), strict=True):
        a, b = bisect_left(releases[i], -(-start // unit)), bisect_right(releases[i], end // unit)
        if a < b and times:
            rows.append((i, level, releases[i][a], releases[i][b - 1]))
            multiplicity.append(times)
    return IntervalFamily.of(rows, multiplicity=multiplicity)


class _Covered:
    """The least cover over one eligible set, computed anew only after the cover changed."""

    def __init__(self, machines: Sequence[int]) -> None:
        self.pick = itemgetter(*machines, machines[0])
        self.version, self.value = -1, 0

    def least(self, cover: list[int], version: int) -> int:
        if version != self.version:
            self.version, self.value = version, min(self.pick(cover))
        return self.value


def _covers(instance: Instance, family: IntervalFamily) -> Iterator[tuple[list[int], int]]:
    """For each job, how often each machine is covered at its release, and the version of that list.

    Intervals are closed, so on a doubled clock one opens at 2s, jobs stand at 2r and it closes at 2e + 1.
    """
    _check(instance, family)
    columns = (family.machine, family.start, family.end, family.multiplicity)
    events = []
    for i, start, end, times in zip(*(column.tolist() for column in columns), strict=True):
        events += [(2 * start, i, times), (2 * end + 1, i, -times)]
    events.sort()
    cover, done, clock = [0] * instance.machines, 0, 2 * family.per_tick
    for release in instance.release.tolist():
        while done < len(events) and events[done][0] <= clock * release:
            _, i, change = events[done]
            cover[i] += change
            done += 1
        yield cover, done


def _violations(instance: Instance, family: IntervalFamily, alpha: Sequence[Exact]) -> Iterator[Violation]:
    if len(alpha) != instance.n:
        raise InvalidInput(
            Problem("alpha", "wrong length", f"{len(alpha)} values", f"{instance.n}", "give one dual a job")
        )
    for j, dual in enumerate(alpha):
        if type(dual) not in (int, Fraction):
            raise InvalidInput(Problem(f"alpha[{j}]", "inexact", repr(dual), "an int or Fraction", "convert it"))
    sets = list(instance.sets)
    jobs = zip(instance.eligible_set.tolist(), alpha, _covers(instance, family), strict=True)
    for j, (k, dual, (cover, _)) in enumerate(jobs):
        yield from (Violation(j, i, Fraction(dual) - cover[i]) for i in sets[k] if cover[i] < dual)


def _require_feasible(instance: Instance, family: IntervalFamily, alpha: Sequence[Exact]) -> None:
    wrong = next(_violations(instance, family, alpha), None)
    if wrong is not None:
        j, i, deficit = wrong
        raise FalseClaim(
            f"job {instance.ids[j]!r} claims alpha = {alpha[j]}, but machine {instance.machine_name(i)} has "
            f"{deficit} fewer intervals that contain its release {int(instance.release[j])}"
        )
    for j, dual in enumerate(alpha):
        if dual < 0:
            raise FalseClaim(f"job {instance.ids[j]!r} claims alpha = {dual}, which is negative")


def _check(instance: Instance, family: IntervalFamily) -> None:
    faults = (
        ("an interval that ends before it starts", family.end < family.start),
        ("a machine that does not exist", (family.machine < 0) | (family.machine >= instance.machines)),
        ("a negative multiplicity", family.multiplicity < 0),
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
