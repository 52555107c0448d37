"""What somebody claims: dual variables of the jobs, weighted intervals of the machines, a bound that they are to prove.

The constraints are those of the dual program of Lemmas 6.1 and 6.6 (lp/DUALITY.md), in one of two normalisations:

    family   alpha_j <= sum of b that count j on i,          T* >= (sum alpha_j p_j - sum b length) / (sum b / weight)
    dual     a_j <= p_j * (sum of b that count j on i),      T* >=  sum a_j - sum b length,   with  sum b / weight <= 1

for every job j and every i in S_j; all variables are >= 0. An interval on i for weight w counts j if it contains r_j,
i is in S_j and w_j >= w. Of `load` every job is released at 0 and b is the price of a machine: an interval of length 0.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from certify.diagnose.entries import Entries, Read
from certify.evidence import weights_of
from certify.problems.registry import TRACKS
from certify.words import counted
from lp.weak_duality import covers
from online import exact
from online.errors import InvalidInput, Problem
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

NORMALISATIONS = ("family", "dual")

PROBLEMS = ("max-flow", "weighted", "two-weights", "stretch", "load")
"""The problems whose optimum the dual program bounds."""

MOST_WEIGHTS = 1000
"""Most different weights of intervals, as in certificates (rule C3)."""


class Reckoning(NamedTuple):
    """What a bound is made of, in the input's units: `(volume - length) / share`, where share is sum b / weight."""

    volume: Fraction
    length: Fraction
    share: Fraction

    @property
    def bound(self) -> Fraction | None:
        """The right-hand side; None without intervals. It bounds T* only if the duals are feasible."""
        return (self.volume - self.length) / self.share if self.share > 0 else None


@dataclass(frozen=True, eq=False)
class Claim:
    """A claim about `instance`: `value` is alpha_j or a_j in arrival order, None if only intervals were given.

    `family` has the intervals in ticks and weight units (None if only duals were given); b is its multiplicity over
    `scale`, and may be negative, as claimed. `bound` and `guess` are in the input's units: T* >= bound, T* > guess.
    `subject` is the instance of the constraints, which for load has all releases 0.
    """

    instance: Instance
    problem: str
    normalisation: str = "family"
    value: tuple[Fraction, ...] | None = None
    family: IntervalFamily | None = None
    scale: int = 1
    bound: Fraction | None = None
    guess: Fraction | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        instance: Instance,
        *,
        alpha: Mapping[Any, Any] | Iterable[Any] | None = None,
        intervals: Iterable[Sequence[Any]] | IntervalFamily | None = None,
        prices: Mapping[Any, Any] | Iterable[Any] | None = None,
        problem: str = "max-flow",
        normalisation: str = "family",
        bound: Any = None,
        guess: Any = None,
        entries: Entries | None = None,
    ) -> Claim:
        """Read a claim; see `certify.diagnose.diagnosis.diagnose` for the arguments.

        Raises: `InvalidInput` with every entry that is no variable or no number of the program.
        """
        _check_request(instance, problem, normalisation, alpha, intervals, prices)
        entries = entries or Entries(instance)
        value, missing = (None, 0) if alpha is None else entries.by_job("alpha", alpha)
        if prices is not None:
            intervals = list(_priced(entries, prices))
        if intervals is None or isinstance(intervals, IntervalFamily):
            family, scale = intervals, 1
        else:
            family, scale = _family(entries.intervals(intervals, _weighted(problem)), instance, problem)
        at_least = None if bound is None else entries.number(bound, "bound")
        above = None if guess is None else entries.number(guess, "guess")
        entries.finish()
        notes = notes_of(entries.floats, missing)
        return cls(instance, problem, normalisation, value, family, scale, at_least, above, notes)

    @cached_property
    def subject(self) -> Instance:
        """The instance as the constraints see it."""
        still = np.zeros(self.instance.n, dtype=np.int64)
        return replace(self.instance, release=still) if self.problem == "load" else self.instance

    @cached_property
    def weights(self) -> Weights | None:
        """The weights in the objective; None where all are 1."""
        return weights_of(self.problem, self.instance)

    @property
    def unit(self) -> Fraction:
        """What values of the objective in ticks and weight units are multiplied by to be in the input's units."""
        return TRACKS[self.problem].unit(self.instance)

    @property
    def unit_weight(self) -> Fraction:
        """What a weight in weight units is multiplied by to be in the input's units; 1/tick for stretch."""
        return self.unit / self.instance.tick

    @cached_property
    def factor(self) -> list[Fraction]:
        """What a sum of b is multiplied by on the right of each job's constraints: 1, or p_j in the input's units."""
        if self.normalisation == "family":
            return [Fraction(1)] * self.instance.n
        return [size * self.instance.tick for size in self.instance.size.tolist()]

    @property
    def need(self) -> list[Fraction]:
        """For each job the sum of b that has to count it on every machine; 0 without duals."""
        if self.value is None:
            return [Fraction(0)] * self.instance.n
        return [max(Fraction(0), one / factor) for one, factor in zip(self.value, self.factor, strict=True)]

    @cached_property
    def signed(self) -> bool:
        """Whether some b is negative."""
        return self.family is not None and bool((self.family.multiplicity < 0).any())

    def sums(self) -> Iterator[tuple[tuple[int, ...], Mapping[int, int] | Sequence[int]]]:
        """For each job its eligible machines, and by machine the sum of b that count it, times `scale`."""
        assert self.family is not None
        sets = list(self.subject.sets)
        if not self.signed:
            yield from ((sets[k], cover) for k, cover in covers(self.subject, self.family, weights=self.weights))
            return
        above, below = (covers(self.subject, part, weights=self.weights) for part in _parts(self.family))
        for (k, plus), (_, minus) in zip(above, below, strict=True):
            yield sets[k], {i: plus[i] - minus[i] for i in sets[k]}

    @cached_property
    def least(self) -> list[int]:
        """For each job the sum of b, times `scale`, on the machine where it is least."""
        return [min(map(cover.__getitem__, machines)) for machines, cover in self.sums()]

    def reckoned(self) -> Reckoning:
        """What the claim's bound is made of; without duals, that of the largest that the intervals allow."""
        assert self.family is not None
        tick, scale = self.instance.tick, self.scale
        share = self.family.share / self.unit_weight
        return Reckoning(self._volume, self.family.total_length * tick / scale, share / scale)

    @cached_property
    def _volume(self) -> Fraction:
        sizes = [1] * self.instance.n if self._of_jobs else self.instance.size.tolist()
        tick = 1 if self._of_jobs else self.instance.tick
        value, unit = (self.least, self.scale) if self.value is None else _whole(self.value)
        return Fraction(sum(map(operator.mul, value, sizes)), unit) * tick

    @property
    def _of_jobs(self) -> bool:
        """Whether duals are those of whole jobs, not of their units of size."""
        return self.normalisation == "dual" and self.value is not None

    @cached_property
    def says(self) -> Fraction | None:
        """The bound that the claim's own numbers come to, true or not; None where nothing can be divided by."""
        if self.family is None:
            return None
        made_of = self.reckoned()
        return made_of.volume - made_of.length if self.normalisation == "dual" else made_of.bound


def _whole(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """The values as whole numbers of 1/unit."""
    unit = exact.common_denominator(values)
    return [value.numerator * (unit // value.denominator) for value in values], unit


def _weighted(problem: str) -> bool:
    return problem not in ("max-flow", "load")


def _check_request(
    instance: Instance, problem: str, normalisation: str, alpha: Any, intervals: Any, prices: Any
) -> None:
    for name, got, known in (("problem", problem, PROBLEMS), ("normalisation", normalisation, NORMALISATIONS)):
        if got not in known:
            raise InvalidInput(Problem(name, f"unknown {name}", repr(got), f"one of {', '.join(known)}", "choose one"))
    own, other = ("prices", "intervals") if problem == "load" else ("intervals", "prices")
    if (intervals if other == "intervals" else prices) is not None:
        raise InvalidInput(Problem(f"claim of {problem}", f"has no {other}", other, own, f"give {own}"))
    if alpha is None and intervals is None and prices is None:
        raise InvalidInput(Problem("claim", "nothing claimed", "neither", f"alpha, {own}, or both", "give one of them"))
    if instance.n and not (instance.size > 0).all():
        job = instance.ids[int(np.argmin(instance.size))]
        raise InvalidInput(Problem("sizes", "zero size", f"size 0 of job {job!r}", "sizes > 0", "leave such jobs out"))


def _priced(entries: Entries, prices: Mapping[Any, Any] | Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Prices by machine as intervals of length 0 at 0."""
    if isinstance(prices, Mapping):
        return ((machine, 0, 0, None, price) for machine, price in prices.items())
    listed = entries.listed("prices", prices)
    if listed is not None and len(listed) != entries.instance.machines:
        got, expected = f"{len(listed)} prices", f"{entries.instance.machines}, one a machine"
        entries.wrong("prices", "wrong length", got, expected, "give one a machine, or a mapping by machine")
        return iter(())
    return ((machine, 0, 0, None, price) for machine, price in enumerate(listed or (), entries.first))


def _family(rows: Sequence[Read], instance: Instance, problem: str) -> tuple[IntervalFamily, int]:
    """The intervals in ticks and weight units, and the denominator of their b."""
    tick = instance.tick
    unit = TRACKS[problem].unit(instance) / tick
    ends = [(row.start / tick, row.end / tick) for row in rows]
    per_tick = exact.common_denominator([end for both in ends for end in both])
    scale = exact.common_denominator([row.b for row in rows])
    weights = sorted({row.weight / unit for row in rows}) or [Fraction(1)]
    if len(weights) > MOST_WEIGHTS:
        got, expected = f"{len(weights)} different weights", f"at most {MOST_WEIGHTS}"
        raise InvalidInput(Problem("intervals", "too many weights", got, expected, "give equal intervals one weight"))
    number = {weight: k for k, weight in enumerate(weights)}
    family = IntervalFamily.of(
        [(row.machine, 0, int(s * per_tick), int(e * per_tick)) for row, (s, e) in zip(rows, ends, strict=True)],
        per_tick,
        [int(row.b * scale) for row in rows],
        [number[row.weight / unit] for row in rows],
        weights,
    )
    return family, scale


def _parts(family: IntervalFamily) -> tuple[IntervalFamily, IntervalFamily]:
    """The intervals of positive b, and those of negative b with the sign turned."""
    below = family.where(family.multiplicity < 0)
    return family.where(family.multiplicity > 0), replace(below, multiplicity=-below.multiplicity)


def notes_of(floats: int, missing: int) -> tuple[str, ...]:
    """What is said of numbers that were read in a way that not everybody expects."""
    said = []
    if floats:
        said.append(f"{counted(floats, 'binary float')} read as the shortest decimals that print them")
    if missing:
        said.append(f"{counted(missing, 'job')} without a number: 0")
    return tuple(said)
