"""Everything about one claim: what it violates, how far it scales, what repairs it, and what is true of its bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from certify.build import certify_bounds
from certify.diagnose.attainable import attainable
from certify.diagnose.claim import Claim
from certify.diagnose.repair import Repair, repairs
from certify.diagnose.scaling import Scaling, scaling
from certify.diagnose.smallest import Smallest, smallest
from certify.diagnose.support import supported
from certify.diagnose.violation import Violations, violations
from certify.evidence import Document, size_bound
from certify.problems.registry import TRACKS
from certify.problems.track import Tell, silent
from lp.bound import MOST_CLASSES, lp_bound
from lp.improve import good_schedule
from lp.weak_duality import tightened
from online.errors import InvalidInput, LimitReached
from online.family import IntervalFamily
from online.instance import Instance
from online.weights import Weights

LP_ENTRIES = 60_000
"""Unless asked for, the linear program is solved up to this many (job, eligible machine) pairs, times weights."""

FEW = 200
"""Up to so many jobs the schedule that a claim is compared with is improved."""

WHO = ("the claim", "a repair", "the linear program", "the longest job")


@dataclass(frozen=True)
class Standing:
    """What is known of a statement `T* >= value` (or `>`, if `strict`): proven, by whom; or false; or neither."""

    value: Fraction
    strict: bool
    proven_by: str | None
    false: bool


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """A claim and all that was found, in the input's units.

    `lp` brackets the value of the linear program (for `skipped`, why not), which no such claim exceeds; `upper` is the
    value of a schedule or assignment that rejects nobody; `idle` intervals of b > 0 count no job.
    """

    claim: Claim
    violations: Violations
    scaling: Scaling | None
    repairs: tuple[Repair, ...]
    lp: tuple[Fraction, Fraction] | None
    upper: Fraction
    idle: int
    skipped: tuple[str, ...] = field(default=())

    @property
    def feasible(self) -> bool:
        """Whether the claim violates no constraint."""
        return not self.violations.count

    @property
    def best(self) -> Repair | None:
        """The repair of largest bound, the first among equals."""
        return max(self.repairs, key=lambda one: one.bound, default=None)

    @property
    def lower(self) -> Fraction:
        """The largest bound on T* that is proven here: the last of `_proven`."""
        return self._proven[-1][1] if self._proven else Fraction(0)

    @cached_property
    def _proven(self) -> list[tuple[str, Fraction]]:
        """What is proven of T*, and by whom; last the largest, rounded up to a value that T* can have."""
        if not self.claim.instance.n:
            return []
        own = self.claim.says if self.feasible else None
        repaired = None if self.best is None else self.best.bound
        values = (own, repaired, None if self.lp is None else self.lp[0], self.longest)
        proven = [(who, value) for who, value in zip(WHO, values, strict=True) if value is not None]
        who, most = max(proven, key=lambda one: one[1])
        return [*proven, (f"{who}, rounded up to a value that T* can have", attainable(self.claim, most))]

    @cached_property
    def longest(self) -> Fraction:
        """What the largest weight times size proves: no job runs in parallel with itself. Not without jobs."""
        return size_bound(self.claim.instance, self.claim.weights).value * self.claim.unit

    @property
    def standings(self) -> tuple[Standing, ...]:
        """What is known of the bound and of the guess that the claim states."""
        stated = ((self.claim.bound, False), (self.claim.guess, True))
        return tuple(self._standing(value, strict) for value, strict in stated if value is not None)

    def _standing(self, value: Fraction, strict: bool) -> Standing:
        known = [*self._proven, ("nothing: T* is never below 0", Fraction(0))]
        by = next((who for who, one in known if one > value or (one == value and not strict)), None)
        return Standing(value, strict, by, self.upper < value or (strict and self.upper == value))

    @property
    def holds(self) -> bool:
        """Whether the claim is feasible, and all that it states about T* is proven."""
        return self.feasible and all(one.proven_by for one in self.standings)

    @cached_property
    def smallest(self) -> Smallest | None:
        """The smallest part of the instance and of the claim that is still wrong; None if the claim is feasible."""
        return smallest(self.claim, self.violations)

    def certificate(self, source: Document | None = None) -> Document:
        """The longest job and the repairs as one certificate, the strongest first; none of too long numbers."""
        claim = self.claim
        ordered = sorted(self.repairs, key=lambda one: one.bound, reverse=True)
        found = [size_bound(claim.instance, claim.weights)] if claim.instance.n else []
        found += [one.evidence(claim) for one in ordered if one.certifiable]
        shown = [one for one in found if one.evidence.get("machine") != []]
        return certify_bounds(claim.instance, claim.problem, shown, source=source)


def diagnose(
    instance: Instance,
    *,
    alpha: Mapping[Any, Any] | Iterable[Any] | None = None,
    intervals: Iterable[Sequence[Any]] | IntervalFamily | None = None,
    prices: Mapping[Any, Any] | Iterable[Any] | None = None,
    problem: str = "max-flow",
    normalisation: str = "family",
    bound: Any = None,
    guess: Any = None,
    lp: bool | None = None,
) -> Diagnosis:
    """Hold somebody's dual variables and intervals against the dual linear program, and repair them; all exact.

    `alpha` is a mapping by job id (jobs left out: 0), or a sequence or array in arrival order (`instance.ids`);
    `intervals` are sequences `(machine, start, end, weight, b)`: machines from 0 or by name, times and weights in the
    input's own units (weight may be None where all weights are 1, b is 1 if left out), or an `IntervalFamily` in ticks.
    Of `load` there are `prices` instead, one a machine, or a mapping by machine. `normalisation` is `family` (alpha per
    unit of size, the bound divided by sum b / weight) or `dual` (a per job, sum b / weight <= 1), see
    `certify.diagnose.claim`. Binary floats are read as the shortest decimals that print them. `bound` claims
    T* >= bound, `guess` claims T* > guess. `lp` says whether the linear program is solved, too; None: if it is small.

    Raises: `InvalidInput` for what is no number, job, machine or interval of the instance.

    Source: Rejecting jobs to minimize load and maximum flow-time, the dual LPs of Lemmas 6.1 and 6.6.

    Three jobs at once on one machine, an interval of length 0 that counts each once; the claim counts the last twice:

    >>> from online.rows import Row
    >>> three = Instance.from_rows(1, [Row(name, 0, 1) for name in "abc"])
    >>> found = diagnose(three, alpha={"a": 1, "b": 1, "c": 2}, intervals=[(0, 0, 0)], bound=4)
    >>> found.violations.rows
    (RowViolation(job=2, machine=0, left=Fraction(2, 1), right=Fraction(1, 1)),)
    >>> found.scaling.alpha, found.scaling.bound, found.best.bound, found.standings[0].false
    (Fraction(1, 2), Fraction(2, 1), Fraction(3, 1), True)
    """
    claim = Claim.of(
        instance,
        alpha=alpha,
        intervals=intervals,
        prices=prices,
        problem=problem,
        normalisation=normalisation,
        bound=bound,
        guess=guess,
    )
    return diagnosed(claim, lp)


def diagnosed(claim: Claim, lp: bool | None = None, tell: Tell = silent) -> Diagnosis:
    """The diagnosis of a claim that was read already."""
    if claim.family is None:
        tell("looking for intervals")
        claim = supported(claim)
    tell("holding the claim against its constraints")
    found, scaled = violations(claim), scaling(claim)
    tell("repairing")
    left_out: list[str] = []
    repaired = tuple(repairs(claim, left_out.append))
    tell("a schedule for comparison")
    upper = _schedule(claim) * claim.unit if claim.instance.n else Fraction(0)
    bracket, skipped = _linear_program(claim, lp, tell)
    long = [one.name for one in repaired if not one.certifiable]
    left_out += [f"of the certificate, the repair by {name}: numbers too long" for name in long]
    return Diagnosis(claim, found, scaled, repaired, bracket, upper, _idle(claim), (*left_out, *skipped))


def _idle(claim: Claim) -> int:
    assert claim.family is not None
    above = claim.family.where(claim.family.multiplicity > 0)
    return len(above) - len(tightened(claim.subject, above, weights=claim.weights))


def _schedule(claim: Claim) -> Fraction:
    """The value of a schedule that rejects nobody; improved where there are few jobs."""
    if claim.problem == "load" or claim.instance.n > FEW:
        return TRACKS[claim.problem].upper(claim.instance)
    return Fraction(good_schedule(claim.instance, claim.weights).value)


def _linear_program(
    claim: Claim, wanted: bool | None, tell: Tell
) -> tuple[tuple[Fraction, Fraction] | None, tuple[str, ...]]:
    if wanted is False or not claim.instance.n:
        return None, ()
    weights = claim.weights or Weights.ones(claim.subject)
    entries = claim.instance.pairs * min(weights.classes, MOST_CLASSES)
    if wanted is None and entries > LP_ENTRIES:
        return None, (f"the linear program: {entries} entries, over {LP_ENTRIES}; ask for it with --lp",)
    tell("the linear program")
    with suppress(*(() if wanted else (InvalidInput, LimitReached))):
        found = lp_bound(claim.subject, weights=claim.weights)
        return (found.lower * claim.unit, found.upper * claim.unit), ()
    return None, ("the linear program: no solver takes its numbers",)
