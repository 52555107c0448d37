"""Witnesses of a load-balancing phase: what each job saw, how full machines are, the nested machine sets M_s."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from online.run import REJECTED, Phase, Run
from online.witness import phase_dispatch


@dataclass(frozen=True, eq=False)
class ClassWitness:
    """The jobs of one size class of a phase, and the machines' loads of that class (ticks) before any pruning.

    `accepted` has `(position, machine, level)` with the load that the job saw on its machine, without itself;
    `rejected` the positions of those that found every eligible machine full. `name` is the class k.
    """

    name: int
    guess: Fraction
    alpha: int
    accepted: list[tuple[int, int, int]]
    rejected: list[int]
    loads: list[int]

    def machines(self, s: int) -> list[int]:
        """`M_s`: the machines with load at least `s T`.

        Source: Rejecting jobs to minimize load and maximum flow-time, section 5.1.
        """
        return [i for i, load in enumerate(self.loads) if load >= s * self.guess]

    @cached_property
    def sizes_of_sets(self) -> list[int]:
        """`m_s = |M_s|` for s = 0..alpha."""
        return [len(self.machines(s)) for s in range(self.alpha + 1)]

    def jobs(self, s: int) -> list[int]:
        """`J(sT)`: the positions of the accepted jobs that saw a load of at least `s T`."""
        return [j for j, _, level in self.accepted if level >= s * self.guess]


@dataclass(frozen=True, eq=False)
class LoadWitness:
    """What a load-balancing phase with guess T shows about the offline optimum, one size class at a time.

    `delta` is the number of groups of classes (1 where all jobs are of one class), `alpha` the number of levels of
    height T up to which a machine may fill with jobs of a class.
    """

    phase: Phase
    guess: Fraction
    alpha: int
    delta: int
    classes: tuple[ClassWitness, ...]

    def machine_sets(self) -> Iterator[tuple[int, int, list[int]]]:
        """`(class, s, M_s)` for every class and level at which M_s is not empty."""
        for one in self.classes:
            for s in range(self.alpha + 1):
                machines = one.machines(s)
                if machines:
                    yield one.name, s, machines


def load_witness(run: Run, phase: Phase, alpha: int, delta: int, class_of: Callable[[int], int]) -> LoadWitness:
    """The witness of a phase that dispatched each job to the eligible machine least loaded with its class.

    `class_of` maps a size in ticks to its class. Linear in the jobs of the phase.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5.1 and stage 1 of section 5.2.
    """
    assert phase.guess is not None
    classes: dict[int, ClassWitness] = {}
    sizes = run.instance.size[phase.first : phase.last + 1].tolist()
    for k, (machine, size) in enumerate(zip(phase_dispatch(run, phase).tolist(), sizes, strict=True)):
        name = class_of(size)
        if name not in classes:
            classes[name] = ClassWitness(name, phase.guess, alpha, [], [], [0] * run.instance.machines)
        one = classes[name]
        if machine == REJECTED:
            one.rejected.append(phase.first + k)
        else:
            one.accepted.append((phase.first + k, machine, one.loads[machine]))
            one.loads[machine] += size
    return LoadWitness(phase, phase.guess, alpha, delta, tuple(classes[name] for name in sorted(classes)))
