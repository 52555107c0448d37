"""What the claims about algorithm A look at: one phase, and in it one density class d* after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from lp.weak_duality import largest_duals
from online import exact
from online.exact import Column
from online.weighted.classes import power
from online.weighted.laminar import Marks
from online.weighted.parameters import proven_alpha
from online.weighted.service import Service
from online.weighted.trail import Trail
from online.weighted.trajectory import DensityRange
from online.weighted.witness import DensityWitness, density_witness
from online.weights import Weights


@dataclass(frozen=True, eq=False)
class WeightedScene:
    """One phase of algorithm A under the microscope; times in ticks, T in ticks times flow weight units.

    `lower` and `upper` bracket the offline optimum of the whole instance for the true flow weights; `doubling` says
    that the run was by guess and double; `unit` is a unit of T in the input's own units, for names only.
    """

    trail: Trail
    lower: Fraction
    upper: Fraction
    doubling: bool
    unit: Fraction = Fraction(1)

    @property
    def name(self) -> str:
        """How the phase is named in the ledger."""
        return f"phase {self.trail.number + 1} (guess {exact.text(self.guess * self.unit)})"

    @property
    def guess(self) -> Fraction:
        """T."""
        return self.trail.guess

    @property
    def alpha(self) -> int:
        """The alpha of the run."""
        return self.trail.alpha

    @property
    def delta(self) -> int:
        """`Delta = log2 alpha`."""
        return self.alpha.bit_length() - 1

    @property
    def levels(self) -> int:
        """K, the number of corrected levels; none for alpha < 16."""
        return len(Marks.corrected(self.alpha, self.guess).levels)

    @property
    def last(self) -> bool:
        """Whether this is the last phase of the run."""
        return self.trail.number == len(self.trail.decisions.phases) - 1

    @property
    def ended(self) -> bool:
        """Whether the phase gave its guess up because of rejections."""
        return self.trail.decisions.phases[self.trail.number].ended

    @property
    def enough(self) -> bool | None:
        """Whether T >= T*: None if the bracket of T* does not tell."""
        if self.guess < self.lower:
            return False
        return True if self.guess >= self.upper else None

    @cached_property
    def fits(self) -> bool:
        """Whether T is at least every `2^w p` of the phase."""
        types, size = self.trail.decisions.types.types, self.sizes
        return all(self.guess >= power(types[j].weight) * size[k] for k, (j, _) in enumerate(self.trail.offers))

    @cached_property
    def proven(self) -> bool:
        """Whether alpha is large enough for Lemma 6.12 to bound A's rejections of true weight by epsilon."""
        parameters, rounded = self.trail.decisions.parameters, self.trail.decisions.types.rounded
        return self.alpha >= proven_alpha(parameters.epsilon, powers_of_two=rounded)

    @cached_property
    def one_weight(self) -> bool:
        """Whether flow weights are the rejection weights too."""
        types = self.trail.decisions.types
        return types.flow == types.rejection

    @cached_property
    def sizes(self) -> list[int]:
        """Sizes of the offered jobs."""
        size = self.trail.decisions.types.instance.size
        return [int(size[j]) for j, _ in self.trail.offers]

    @cached_property
    def weights(self) -> list[Fraction]:
        """Rejection weights of the offered jobs, rounded down to powers of two."""
        rejection = self.trail.decisions.types.rejection
        return [power(exact.floor_log2(rejection[j])) for j, _ in self.trail.offers]

    @cached_property
    def accepted(self) -> list[bool]:
        """Which of the offered jobs A dispatched."""
        return [offer.accepted for _, offer in self.trail.offers]

    @cached_property
    def densities(self) -> list[int]:
        """Density classes of the offered jobs."""
        types = self.trail.decisions.types.types
        return [types[j].density for j, _ in self.trail.offers]

    @cached_property
    def service(self) -> list[Service]:
        """What A served, machine by machine."""
        return list(map(Service, self.trail.pieces))

    @cached_property
    def printed(self) -> list[ClassView]:
        """The families as printed, for every density class of the phase; none for alpha < 8."""
        return self._views(Marks.printed(self.alpha, self.guess), "printed family")

    @cached_property
    def corrected(self) -> list[ClassView]:
        """The corrected families, for every density class of the phase; none for alpha < 16."""
        return self._views(Marks.corrected(self.alpha, self.guess), "corrected family")

    def _views(self, marks: Marks, which: str) -> list[ClassView]:
        if not marks.levels:
            return []
        return [ClassView(self, density_witness(self.trail, low, marks), which) for low in self.trail.classes]

    @property
    def views(self) -> Iterator[ClassView]:
        """All of them."""
        yield from self.printed
        yield from self.corrected

    @cached_property
    def rejected_weight(self) -> Fraction:
        """`W_R`, rounded."""
        return sum((w for w, kept in zip(self.weights, self.accepted, strict=True) if not kept), Fraction(0))

    @cached_property
    def dispatched_weight(self) -> Fraction:
        """The weight of the dispatched jobs, rounded."""
        return sum((w for w, kept in zip(self.weights, self.accepted, strict=True) if kept), Fraction(0))

    @cached_property
    def own_bound(self) -> Fraction:
        """The largest bound (6) that a corrected family shows with the duals of the paper; 0 if there is none."""
        return max((view.bound for view in self.corrected), default=Fraction(0))


@dataclass(frozen=True, eq=False)
class ClassView:
    """The family and the duals of one density class, and sums over the jobs of the phase."""

    scene: WeightedScene
    witness: DensityWitness
    which: str

    @property
    def name(self) -> str:
        """How it is named in the ledger."""
        return f"{self.scene.name}, d* = {self.low}, {self.which}"

    @property
    def low(self) -> int:
        """d*."""
        return self.witness.low

    @property
    def marks(self) -> Marks:
        """Marks and levels."""
        return self.witness.marks

    @property
    def kinds(self) -> DensityRange:
        """The density classes `d* .. d* + Delta`."""
        return self.scene.trail.range_of(self.low)

    @cached_property
    def spans(self) -> list[tuple[int, int, int, int, Fraction]]:
        """The intervals: machine, level, start, end, weight; sorted."""
        return [(i, level, int(start), int(end), Fraction(w)) for i, level, start, end, _, w in self.witness.family]

    @cached_property
    def lengths(self) -> dict[int, int]:
        """`{l: L(l)}` over all machines, for every level."""
        out = dict.fromkeys(self.marks.levels, 0)
        for _, level, start, end, _ in self.spans:
            out[level] += end - start
        return out

    @property
    def share(self) -> Fraction:
        """`sum of m_{l,w} / 2^w`."""
        return self.witness.family.share

    def duals(self, *, rejected: bool) -> int:
        """Sum of alpha_j over the dispatched or the rejected jobs, in ticks."""
        rows = zip(self.witness.duals.tolist(), self.scene.sizes, self.scene.accepted, strict=True)
        return sum(dual * size for dual, size, kept in rows if kept is not rejected)

    @cached_property
    def excess(self) -> int:
        """The right side of (7): the sum of alpha_j minus the total length, in ticks."""
        return self.duals(rejected=True) + self.duals(rejected=False) - sum(self.lengths.values())

    @cached_property
    def bound(self) -> Fraction:
        """The right side of (6) with the duals of the paper; 0 for an empty family."""
        return self.excess / self.share if self.spans else Fraction(0)

    @cached_property
    def largest(self) -> list[int]:
        """For each offered job, the largest `alpha_j / p_j` that (5) allows."""
        types = self.scene.trail.decisions.types
        found = largest_duals(types.instance, self.witness.family, weights=Weights.of(types.flow))
        return [found[j] for j, _ in self.scene.trail.offers]

    @cached_property
    def best_bound(self) -> Fraction:
        """The right side of (6) with those, for the jobs of the phase; 0 for an empty family."""
        if not self.spans:
            return Fraction(0)
        volume = sum(dual * size for dual, size in zip(self.largest, self.scene.sizes, strict=True))
        return (volume - sum(self.lengths.values())) / self.share

    def volume(self, lowest: int, *, rejected: bool | None = None) -> int:
        """Total size of the jobs of density class `lowest` or more: all, or the dispatched, or the rejected ones."""
        scene = self.scene
        rows = zip(scene.densities, scene.sizes, scene.accepted, strict=True)
        return sum(size for d, size, kept in rows if d >= lowest and (rejected is None or kept is not rejected))

    @property
    def above(self) -> int:
        """The lowest density class above the range, `d* + Delta + 1`."""
        return self.low + self.scene.delta + 1

    def range_weight(self, *, dispatched_only: bool) -> Fraction:
        """`sum of W_d`, d = d* .. d* + Delta, rounded."""
        scene = self.scene
        rows = zip(scene.densities, scene.weights, scene.accepted, strict=True)
        mine = (w for d, w, kept in rows if self.low <= d < self.above and (kept or not dispatched_only))
        return sum(mine, Fraction(0))

    def rejected_volume(self) -> int:
        """Total size of the rejected jobs of class d*."""
        return self.volume(self.low, rejected=True) - self.volume(self.low + 1, rejected=True)

    @cached_property
    def dispatched(self) -> list[tuple[Column, Column, Column, Column]]:
        """For each machine, the release, size, depth in the sets J(l) and weight class of what it got, in order."""
        trail, depth = self.scene.trail, self.witness.depth.tolist()
        number = {j: k for k, (j, _) in enumerate(trail.offers)}
        return [
            (
                exact.column([release for _, release, _, _ in jobs]),
                exact.column([size for *_, size in jobs], summed=True),
                np.array([depth[number[j]] for j, *_ in jobs], dtype=np.int64),
                np.array([kind.weight for _, _, kind, _ in jobs], dtype=np.int64),
            )
            for jobs in trail.arrivals
        ]
