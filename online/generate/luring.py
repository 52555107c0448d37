"""Dense jobs that algorithm A serves first while heavy ones pile up: full queues although T = T*."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import count as numbers
from typing import NamedTuple

from online.exact import floor_log2
from online.generate.dice import Dice
from online.generate.rows import Made, instance_of, shares
from online.instance import Instance
from online.weighted.classes import power

Known = dict[str, str]


def lures(dice: Dice, jobs: int, machines: int) -> tuple[Instance, Known]:
    """Two weights: one lure a machine, of flow weight 1 and huge rejection weight, and heavy jobs one by one.

    Claim: T* = T, as planted. The heavy jobs come one after another, so each can be served at once; the largest
    `weight * size` is that of the first, T. The lure can wait until they are through, less than T after its release.

    While A serves the lure the heavy jobs pile up: about `alpha^2` of one kind, and A rejects.

    Speak, with `--guess` T: the claims of sections 6.2 and 7 about algorithm A whose hypothesis is T >= T*, for
    `two-weights`, with `--alpha 8` and 100 jobs a machine; Theorem 7.1 with a proven alpha from `alpha^2` jobs on.
    """
    parts = shares(jobs, machines, 100)
    optimum = 1 << (4 * parts[0]).bit_length()
    rows = [row for machine, count in enumerate(parts) for row in _lured(dice, machine, count, optimum)]
    return instance_of(machines, rows), {"problem": "two-weights", "optimum": str(optimum if rows else 0)}


def _lured(dice: Dice, machine: int, count: int, optimum: int) -> Iterator[Made]:
    """A heavy job, the lure of size T/2, more heavy jobs of size 1 or 2; the last job comes long after."""
    density, where = 4 + dice.below(8), (machine,)
    kinds = [(1, 0), (1 + dice.below(2), dice.below(3))][: 1 + dice.below(2)]
    clock = 0
    for k in range(count):
        if k == 1:
            yield Made(0, optimum // 2, 1, where, 1 << 60)
        elif k == count - 1 > 1:
            yield Made(3 * optimum, 1, 1, where, 1 << density - dice.below(4))
        else:
            size, lighter = kinds[dice.below(len(kinds)) if k else 0]
            yield Made(clock, size, optimum // size >> lighter, where, size << density)
            clock += size


def weighted_lures(dice: Dice, jobs: int, machines: int) -> tuple[Instance, Known]:
    """One weight: the lure is a crowd of light unit jobs; it takes about `16 q^3` of them until q heavy jobs pile up.

    Claim: T* = T, as planted. The heavy jobs have `weight * size = T` and come one after another, so each can be served
    at once; the crowd is served around them within T, each later job at once.

    Speak, with `--guess` T: the claims of section 6.2 about algorithm A whose hypothesis is T >= T*, for `weighted`,
    with `--alpha 8` and 700 jobs for one machine, Claim 6.10 with 5500; Lemma 6.12 with `--alpha 1` and fewer.
    """
    parts = shares(jobs, machines, 700)
    shape, unit = Shape.of(parts[-1]), 1 << dice.below(3)
    rows = [row for machine, count in enumerate(parts) for row in _crowded(dice, machine, count, shape)]
    optimum = unit * shape.heavy * shape.size if rows else 0
    rows = [row._replace(weight=unit * row.weight) for row in rows]
    return instance_of(machines, rows), {"problem": "weighted", "optimum": str(optimum)}


class Shape(NamedTuple):
    """Weight and size of the heavy jobs, how many pile up, and how large the crowd must be.

    Claim: a crowd of `c` unit jobs of weight 1 has priority `c` in A, q heavy jobs have `2^d heavy q size`, d their
    density class. The crowd is served until q heavy jobs have piled up if it is at least that plus `q size`; and
    served around `q + 1` heavy jobs within T if it is at most `(heavy - q - 1) size`.
    """

    heavy: int
    size: int
    piled: int
    crowd: int

    @classmethod
    def of(cls, jobs: int) -> Shape:
        """The one with most piled up that `jobs` are enough for; the least one if they are not enough for any."""
        best = cls._least(1)
        for piled in numbers(2):
            larger = cls._least(piled)
            if larger.crowd + larger.piled + 2 > jobs:
                return best
            best = larger
        raise AssertionError

    @classmethod
    def _least(cls, piled: int) -> Shape:
        found = [
            cls(1 << a, size, piled, math.ceil(power(_density(1 << a, size)) * (piled * size << a)) + piled * size)
            for a in range(2, piled.bit_length() + 4)
            for size in ((1 << k) + 1 for k in range(2, 2 * piled.bit_length() + 8))
        ]
        return min((one for one in found if one.crowd <= one.most), key=lambda one: one.crowd)

    @property
    def most(self) -> int:
        """The largest crowd."""
        return (self.heavy - self.piled - 1) * self.size

    @property
    def density(self) -> int:
        """d, at most 0."""
        return _density(self.heavy, self.size)


def _density(weight: int, size: int) -> int:
    return floor_log2(Fraction(weight, size))


def _crowded(dice: Dice, machine: int, count: int, shape: Shape) -> Iterator[Made]:
    """Crowd and heavy jobs, then one of eight times less density, then the rest at their leisure."""
    optimum, where, piled = shape.heavy * shape.size, (machine,), shape.piled + 1
    crowd = min(count - piled - 1, shape.crowd + dice.below(shape.most - shape.crowd + 1))
    order = [
        *(Made(k * shape.size, shape.size, shape.heavy, where) for k in range(piled)),
        Made(2 * optimum, 8 << -shape.density, 1, where),
        *(Made(0, 1, 1, where) for _ in range(crowd)),
    ]
    yield from order[:count]
    clock = 4 * optimum
    for _ in range(count - len(order)):
        yield Made(clock, 1, 1, where)
        clock += 1 + dice.below(2)
