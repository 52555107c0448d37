"""What the claims of section 5 look at: one phase of a load-balancing run, its classes, its groups on each machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from online.load_witness import ClassWitness, LoadWitness
from online.run import Run


def fibonacci(n: int) -> int:
    """F(n), with F(0) = 0 and F(1) = F(2) = 1.

    >>> [fibonacci(n) for n in range(8)]
    [0, 1, 1, 2, 3, 5, 8, 13]
    """
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@dataclass(frozen=True, eq=False)
class LoadScene:
    """One phase of a run under the microscope; sizes, loads and T in ticks.

    `lower` and `upper` bracket the offline optimum of the whole instance; `refutation` is the best bound on it that the
    phase's own machine sets give.
    """

    run: Run
    number: int
    witness: LoadWitness
    lower: Fraction
    upper: Fraction
    refutation: Fraction

    @property
    def name(self) -> str:
        """How the phase is named in the ledger."""
        return f"phase {self.number + 1} (guess {self.witness.guess * self.run.instance.tick})"

    def place(self, one: ClassWitness, s: int | None = None) -> str:
        """How a class, and a level s of it, is named in the ledger."""
        class_name = f", class {one.name}" if self.grouped else ""
        return self.name + class_name + ("" if s is None else f", s = {s}")

    @property
    def grouped(self) -> bool:
        """Whether the algorithm is the one for general sizes."""
        return self.witness.delta > 1

    @property
    def enough(self) -> bool | None:
        """Whether T >= T*: None if the bracket of T* does not tell."""
        if self.witness.guess < self.lower:
            return False
        return True if self.witness.guess >= self.upper else None

    @property
    def on_grid(self) -> bool:
        """Whether all sizes are equal and T is a multiple of them, as in the paper's unit case."""
        unit = self.run.instance.unit_size
        return unit is not None and (self.witness.guess / unit).denominator == 1

    @cached_property
    def largest(self) -> int:
        """The largest size of a job of the phase."""
        return int(self.run.instance.size[self.witness.phase.first : self.witness.phase.last + 1].max())

    @property
    def share(self) -> Fraction:
        """The share of the jobs of a class that may be rejected at arrival."""
        return self.run.epsilon / 2 if self.grouped else self.run.epsilon

    @cached_property
    def enough_levels(self) -> bool:
        """Whether alpha is large enough for the proof of Theorem 5.3, and of Lemma 5.4 where there is stage 2."""
        alpha = self.witness.alpha
        growth = 2**alpha if self.one_size else fibonacci(alpha + 1)
        return growth * self.share >= 2 and (alpha >= 4 or not self.grouped)

    @property
    def one_size(self) -> bool:
        """Whether the algorithm for unit sizes ran."""
        return self.run.algorithm.endswith(("load-unit", "UnitLoad"))

    def least_size(self, one: ClassWitness) -> Fraction:
        """A size P such that all sizes of the class lie in [P, 2P); the one size in the unit case."""
        if self.grouped and not self.on_grid:
            return Fraction(2) ** one.name / self.run.instance.tick
        return Fraction(min(self.run.instance.size.tolist()))

    def volume(self, jobs: list[int]) -> int:
        """Total size of the jobs at these positions."""
        return sum(self.run.instance.size[jobs].tolist())

    def eligible(self, j: int) -> tuple[int, ...]:
        """`S_j`."""
        return self.run.instance.sets[int(self.run.instance.eligible_set[j])]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups of classes on each machine that stage 2 pruned."""
        return tuple(_pruned_groups(self)) if self.grouped else ()


@dataclass(frozen=True, eq=False)
class Group:
    """What stage 1 put of one group on one machine, ascending by size: `(size, position)`, and what stage 2 removed.

    `names` are the classes of the group that occur in the phase.
    """

    machine: int
    jobs: list[tuple[int, int]]
    removed: set[int]
    names: list[int]
    prefix: list[int]

    @classmethod
    def of(cls, machine: int, jobs: list[tuple[int, int]], removed: set[int], names: list[int]) -> Group:
        """Sort the jobs and add up their sizes."""
        jobs = sorted(jobs)
        return cls(machine, jobs, removed, names, list(accumulate(size for size, _ in jobs)))

    def first_reaching(self, volume: Fraction) -> int:
        """The smallest index (from 0) at which the prefix volume is at least `volume`; it must be reached."""
        return next(k for k, total in enumerate(self.prefix) if total >= volume)

    def removed_indices(self) -> list[int]:
        """Indices of the removed jobs, ascending."""
        return [k for k, (_, position) in enumerate(self.jobs) if position in self.removed]


def _pruned_groups(scene: LoadScene) -> Iterator[Group]:
    """One `Group` for each machine and group with a late rejection in the phase."""
    phase, delta = scene.witness.phase, scene.witness.delta
    stop = phase.last - (1 if phase.ended else 0)
    removed = {one.job for one in scene.run.late if phase.first <= one.after <= stop}
    jobs: dict[tuple[int, int], list[tuple[int, int]]] = {}
    names: dict[int, list[int]] = {}
    for one in scene.witness.classes:
        names.setdefault(one.name % delta, []).append(one.name)
        for position, machine, _ in one.accepted:
            if position <= stop:
                size = int(scene.run.instance.size[position])
                jobs.setdefault((machine, one.name % delta), []).append((size, position))
    for (machine, residue), members in sorted(jobs.items()):
        gone = {position for _, position in members} & removed
        group = Group.of(machine, members, gone, names[residue])
        if gone and group.prefix[-1] >= 2 * scene.witness.alpha * scene.witness.guess:
            yield group


def kept_group_loads(scene: LoadScene) -> dict[tuple[int, int], int]:
    """Load that each machine keeps of the jobs of the phase, by (machine, class modulo delta)."""
    phase = scene.witness.phase
    stop = phase.last - (1 if phase.ended else 0)
    gone = {one.job for one in scene.run.late}
    out: dict[tuple[int, int], int] = {}
    for one in scene.witness.classes:
        for position, machine, _ in one.accepted:
            if position <= stop and position not in gone:
                key = (machine, one.name % scene.witness.delta)
                out[key] = out.get(key, 0) + int(scene.run.instance.size[position])
    return out


def kept_loads(scene: LoadScene) -> list[int]:
    """Load that each machine keeps of the jobs of the phase."""
    out = [0] * scene.run.instance.machines
    for (machine, _), load in kept_group_loads(scene).items():
        out[machine] += load
    return out
