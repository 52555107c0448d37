"""Bounds on the offline optimum with evidence for the checker, by keys, and the parts of witnesses they come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import NoneType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from lp.clusters import strongest_cluster
from lp.density_classes import ClassBound, best_class, class_bounds
from lp.load.volumes import Volumes
from lp.load.weak_duality import load_bound, prices, rounded_bound
from lp.schedule import Schedule
from lp.weak_duality import largest_duals, right_side, tightened
from online import exact
from online.algorithm import Algorithm, blame
from online.family import IntervalFamily
from online.instance import Instance
from online.load_witness import LoadWitness
from online.weighted.trail import Trail
from online.weights import Weights
from online.witness import Witness

if TYPE_CHECKING:
    from online.algorithm import Explanation
    from online.run import Phase, Run

Document = dict[str, Any]

WITNESSES = (Witness, LoadWitness, Trail)
"""What an algorithm may explain itself by."""


@dataclass(frozen=True)
class Bound:
    """A lower bound on the offline optimum in ticks, the evidence for it, and where it came from."""

    value: Fraction
    evidence: Document = field(repr=False)
    origin: str

    def document(self) -> Document:
        """The evidence as a certificate holds it, with its origin for readers."""
        return {**self.evidence, "origin": self.origin}


def weights_of(problem: str, instance: Instance) -> Weights | None:
    """The weights in a problem's objective; None where all are 1, or there is no time."""
    weighted = problem in ("weighted", "two-weights", "stretch")
    return Weights.objective(problem, instance) if weighted else None


def size_bound(instance: Instance, weights: Weights | None = None) -> Bound:
    """`T* >= w_j p_j` for the job where that is largest: it cannot run in parallel with itself (rule C0)."""
    own = (weights or Weights.ones(instance)).alone(instance)
    largest = max(range(instance.n), key=own.__getitem__)
    words = "the largest job" if weights is None else "the job with the largest weight times size"
    return Bound(Fraction(own[largest]), {"rule": "C0", "job": largest}, words)


def schedule_bound(schedule: Schedule, origin: str = "a schedule of all jobs") -> Bound:
    """`T* <= value`: somebody who rejects nobody can do it so (rule C6)."""
    return Bound(Fraction(schedule.value), schedule.evidence(), origin)


def family_bound(instance: Instance, family: IntervalFamily, origin: str, weights: Weights | None = None) -> Bound:
    """The bound of Lemma 6.1 or 6.6 on a family, tightened, with the largest feasible dual variables (rule C3)."""
    family = tightened(instance, family, weights=weights)
    duals = largest_duals(instance, family, weights=weights)
    evidence = {**_intervals(family, weights), "alpha": duals}
    return Bound(right_side(instance, family, duals), evidence, origin)


def _intervals(family: IntervalFamily, weights: Weights | None = None) -> Document:
    evidence: Document = {"rule": "C3", "per_tick": family.per_tick}
    for name in ("machine", "start", "end"):
        evidence[name] = getattr(family, name).tolist()
    if weights is not None:
        evidence["weights"] = list(map(plain, family.weights))
        evidence["class"] = family.weight_class.tolist()
    if not bool((family.multiplicity == 1).all()):
        evidence["multiplicity"] = family.multiplicity.tolist()
    return evidence


def plain(value: Fraction | int) -> int | str:
    """An exact number as JSON has it: an integer, or a text `p/q`."""
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else exact.text(fraction)


def hall_evidence(value: Fraction, jobs: Sequence[int], *, rounded: bool = False) -> Document:
    """A set of jobs that needs the time of value `value` (rule C5)."""
    return {"rule": "C5", "job": list(jobs), "value": plain(value), **({"round": True} if rounded else {})}


def price_bound(instance: Instance, beta: Sequence[int], origin: str) -> Bound:
    """The bound on the largest load by prices of the machines, rounded up as far as the sizes allow (rule C4)."""
    machines = [i for i, price in enumerate(beta) if price]
    evidence: Document = {"rule": "C4", "machine": machines}
    if {beta[i] for i in machines} != {1}:
        evidence["beta"] = [beta[i] for i in machines]
    value = rounded_bound(instance, beta)
    if value > load_bound(instance, beta):
        evidence["round"] = True
    return Bound(Fraction(value), evidence, origin)


class Part(Protocol):
    """What a phase's witness shows about T*: at least `value` ticks, and the evidence when it is wanted."""

    @property
    def value(self) -> Fraction: ...

    def bound(self, instance: Instance) -> Bound:
        """The part as a bound with evidence, as strong as it can be made."""

    def plain(self, instance: Instance) -> Bound:
        """The part as a bound of exactly `value`, with less work."""


@dataclass(frozen=True)
class FamilyPart:
    """The strongest part of a phase's interval family; its bound may exceed `value`."""

    family: IntervalFamily = field(repr=False)
    value: Fraction
    guess: Fraction

    @classmethod
    def of(cls, instance: Instance, witness: Witness) -> FamilyPart | None:
        """None if the phase left no interval."""
        return cls(*strongest_cluster(instance, witness.family), witness.guess) if len(witness.family) else None

    def bound(self, instance: Instance) -> Bound:
        """The part as a bound with evidence."""
        return family_bound(instance, self.family, self._origin(instance))

    def plain(self, instance: Instance) -> Bound:
        """The intervals as they are; the checker works the dual variables out itself."""
        return Bound(self.value, _intervals(self.family), self._origin(instance))

    def _origin(self, instance: Instance) -> str:
        return f"the intervals of the phase with guess {exact.text(self.guess * instance.tick)}"


@dataclass(frozen=True)
class DensityPart:
    """The strongest part of the families of Figure 4 that a phase of algorithm A leaves."""

    found: ClassBound
    weights: Weights = field(repr=False)
    guess: Fraction

    @classmethod
    def of(cls, instance: Instance, trail: Trail, lows: Iterable[int] | None = None) -> DensityPart | None:
        """The best of the density classes `lows`; without, of those of rejected jobs. None if there is no interval."""
        weights = Weights.of(trail.decisions.types.flow)
        found = best_class(class_bounds(trail, lows, weights))
        return None if found is None else cls(found, weights, trail.guess)

    @property
    def value(self) -> Fraction:
        """The bound of the part."""
        return self.found.value

    @property
    def family(self) -> IntervalFamily:
        """Its intervals."""
        return self.found.family

    def bound(self, instance: Instance) -> Bound:
        """The part as a bound with evidence."""
        return family_bound(instance, self.family, self._origin, self.weights)

    def plain(self, instance: Instance) -> Bound:
        """The intervals as they are; the checker works the dual variables out itself."""
        return Bound(self.value, _intervals(self.family, self.weights), self._origin)

    @property
    def _origin(self) -> str:
        low, guess = self.found.low, exact.text(self.guess)
        return f"the intervals of density class {low} on, guess {guess} (ticks, weight units)"


@dataclass(frozen=True)
class SetPart:
    """The best of a load-balancing phase's machine sets `M_s`, over levels s and size classes."""

    machines: tuple[int, ...]
    value: Fraction
    level: int
    size_class: int
    guess: Fraction

    @classmethod
    def of(cls, instance: Instance, witness: LoadWitness) -> SetPart | None:
        """None if the phase left no set; `value` counts all jobs confined to the set, whichever phase they are of."""
        found: dict[tuple[int, ...], tuple[int, int]] = {}
        for name, s, machines in witness.machine_sets():
            found.setdefault(tuple(machines), (s, name))
        volumes = Volumes.of(instance)
        parts = (
            cls(machines, Fraction(sum(volumes.inside(machines).volume), len(machines)), s, name, witness.guess)
            for machines, (s, name) in found.items()
        )
        return max(parts, key=lambda part: part.value, default=None)

    def bound(self, instance: Instance) -> Bound:
        """The part as a bound with evidence."""
        guess = exact.text(self.guess * instance.tick)
        origin = f"the machines with load at least {self.level} T of class {self.size_class}, guess T = {guess}"
        return price_bound(instance, prices(instance, self.machines), origin)

    def plain(self, instance: Instance) -> Bound:
        """The same: a machine set is cheap."""
        return self.bound(instance)


def part_of(instance: Instance, witness: Explanation | None) -> Part | None:
    """The strongest part of a witness; None if it shows nothing."""
    if isinstance(witness, LoadWitness):
        return SetPart.of(instance, witness)
    if isinstance(witness, Trail):
        return DensityPart.of(instance, witness)
    return None if witness is None else FamilyPart.of(instance, witness)


def own_part(algorithm: type[Algorithm], run: Run, phase: Phase) -> Part | None:
    """The strongest part of what an algorithm explains a phase by; at another speed than 1 it says nothing about T*.

    Raises: `InvalidInput` naming the class, if it fails or explains by something else than a witness.
    """
    if run.speed != 1:
        return None
    try:
        witness = algorithm.explain(run, phase)
        if not isinstance(witness, (*WITNESSES, NoneType)):
            names = ", ".join(one.__name__ for one in WITNESSES)
            raise TypeError(f"returned a {type(witness).__name__}, expected None or one of {names}")
        return part_of(run.instance, witness)
    except BaseException as failed:
        blame(run.algorithm, "explain()", failed)


def witness_bound(run: Run, algorithm: type[Algorithm]) -> Bound | None:
    """The best bound of the witnesses of a run of this algorithm; None if they show nothing, as at speeds but 1."""
    own = best(own_part(algorithm, run, phase) for phase in run.phases)
    return None if own is None else own.bound(run.instance)


BoundT = TypeVar("BoundT", bound="Bound | Part")


def best(found: Iterable[BoundT | None]) -> BoundT | None:
    """The one of largest value, the first among equals."""
    return max((one for one in found if one is not None), key=lambda one: one.value, default=None)
