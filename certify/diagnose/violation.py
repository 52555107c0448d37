"""The constraints of the dual program that a claim violates, each with both sides, and the intervals that count it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from certify.diagnose.claim import Claim
from online.family import IntervalFamily
from online.weights import Weights


class RowViolation(NamedTuple):
    """Job `job` (a position) claims `left`, but machine `machine` allows only `right`; in the claim's normalisation."""

    job: int
    machine: int
    left: Fraction
    right: Fraction

    @property
    def deficit(self) -> Fraction:
        """By how much the constraint is violated."""
        return self.left - self.right


class SignViolation(NamedTuple):
    """A variable below 0: that of job `number`, or of interval `number` (`b`)."""

    variable: str
    number: int
    value: Fraction


@dataclass(frozen=True)
class Violations:
    """What is violated, of `constraints` in all: one a job and eligible machine, one a sign, one for the sum of b.

    `excess` is by how much the sum of b / weight is over 1; 0 where it is not, and in the normalisation `family`.
    """

    rows: tuple[RowViolation, ...]
    signs: tuple[SignViolation, ...]
    excess: Fraction
    constraints: int

    @property
    def count(self) -> int:
        """How many constraints are violated."""
        return len(self.rows) + len(self.signs) + (self.excess > 0)


def violations(claim: Claim) -> Violations:
    """Every constraint of the dual program that the claim violates, exactly.

    Claim: none, exactly if the claim is a feasible solution. One sweep over the intervals, then one look at every job
    and eligible machine. Without alpha only signs and the sum are looked at, as the largest alpha is feasible.
    """
    rows = () if claim.value is None else tuple(_rows(claim))
    share = claim.reckoned().share if claim.normalisation == "dual" else Fraction(0)
    variables = len(claim.value or ()) + len(_b(claim))
    looked_at = claim.instance.pairs if claim.value is not None else 0
    in_sum = int(claim.normalisation == "dual")
    return Violations(rows, tuple(_signs(claim)), max(Fraction(0), share - 1), looked_at + variables + in_sum)


def _rows(claim: Claim) -> Iterator[RowViolation]:
    assert claim.value is not None
    for j, (value, factor, (machines, sums)) in enumerate(zip(claim.value, claim.factor, claim.sums(), strict=True)):
        needed = math.ceil(value * claim.scale / factor)
        for i in [i for i in machines if sums[i] < needed]:
            yield RowViolation(j, i, value, factor * sums[i] / claim.scale)


def _b(claim: Claim) -> list[int]:
    return [] if claim.family is None else claim.family.multiplicity.tolist()


def _signs(claim: Claim) -> Iterator[SignViolation]:
    yield from (SignViolation("alpha", j, value) for j, value in enumerate(claim.value or ()) if value < 0)
    below = (SignViolation("b", k, Fraction(b, claim.scale)) for k, b in enumerate(_b(claim)) if b < 0)
    yield from below


class Counting(NamedTuple):
    """How many intervals count a job on a machine, and the numbers of some of them, ascending."""

    intervals: int
    some: tuple[int, ...]


def counting(claim: Claim, rows: Iterable[RowViolation], most: int = 3) -> Iterator[Counting]:
    """The intervals that count the job of each row on its machine; up to `most` of them, the lightest and first opened.

    Rows must come in order of their jobs. One sweep over the intervals of the machines asked for.
    """
    rows = list(rows)
    if claim.family is None:
        yield from (Counting(0, ()) for _ in rows)
        return
    weights = claim.weights or Weights.ones(claim.subject)
    sweep = _Sweep(claim.family, {row.machine for row in rows})
    for row in rows:
        weight = weights.values[int(weights.rank[row.job])]
        yield sweep.at(int(claim.subject.release[row.job]), row.machine, weight, most)


class _Sweep:
    """The intervals that are open on each machine, by weight, as time goes on."""

    def __init__(self, family: IntervalFamily, machines: set[int]) -> None:
        chosen = np.flatnonzero(np.isin(family.machine.astype(np.int64), sorted(machines)) & (family.multiplicity != 0))
        columns = (family.start, family.end, family.machine, family.weight_class)
        events: list[tuple[int, int, tuple[int, int], bool]] = []
        for k, start, end, i, w in zip(chosen.tolist(), *(one[chosen].tolist() for one in columns), strict=True):
            events += [(2 * start, k, (i, w), True), (2 * end + 1, k, (i, w), False)]
        self.events, self.done, self.family = sorted(events), 0, family
        self.open: dict[tuple[int, int], dict[int, None]] = {place: {} for _, _, place, _ in events}

    def at(self, release: int, machine: int, weight: Fraction | int, most: int) -> Counting:
        """Those on the machine that contain a release, not before the last one asked for, for weights up to this."""
        while self.done < len(self.events) and self.events[self.done][0] <= 2 * self.family.per_tick * release:
            _, k, place, opens = self.events[self.done]
            if opens:
                self.open[place][k] = None
            else:
                del self.open[place][k]
            self.done += 1
        classes = range(bisect_right(self.family.weights, weight))
        own = [self.open.get((machine, w), {}) for w in classes]
        return Counting(sum(map(len, own)), tuple(sorted(islice(chain.from_iterable(own), most))))
