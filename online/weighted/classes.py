"""Weight class, density class and size class of every job, beside its true weights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from online.errors import InvalidInput, Problem
from online.exact import ceil_log2, floor_log2
from online.instance import Instance

Weight = int | Fraction


class Type(NamedTuple):
    """Density class d of the rejection weight, and class w of the flow weight; both may be negative.

    Types compare as ties between queues are broken: the larger density class first, then the larger weight class.
    """

    density: int
    weight: int

    @property
    def exponent(self) -> int:
        """A's priority of a queue of this type is `2^exponent` per tick of remaining size."""
        return self.density + self.weight


@dataclass(frozen=True, eq=False)
class Types:
    """The type of every job: `types[j]`; `flow` and `rejection` are the true weights, any positive rationals.

    Claim: with `2^w` and `2^v` the largest powers of two that are at most the flow and the rejection weight, the
    density class d is `floor(log2(2^v / p)) = v - ceil(log2 p)` and the size class `floor(log2 p)`, p in ticks. So
    `2^d p <= 2^v < 2^(d+1) p`.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.2 (types), section 7 (two weights).

    >>> from online.rows import Row
    >>> Types.weighted(Instance.from_rows(1, [Row("a", 0, 3, flow_weight=5)])).types
    (Type(density=0, weight=2),)
    """

    instance: Instance
    types: tuple[Type, ...]
    size_class: tuple[int, ...]
    flow: tuple[Weight, ...]
    rejection: tuple[Weight, ...]

    @classmethod
    def of(cls, instance: Instance, flow: Iterable[Weight], rejection: Iterable[Weight]) -> Types:
        """The types for any positive weights.

        Raises: `InvalidInput` for a job of size 0, whose density is infinite.
        """
        sizes = instance.size.tolist()
        if 0 in sizes:
            place = f"job {instance.ids[sizes.index(0)]!r}"
            raise InvalidInput(Problem(place, "zero size", "size 0", "a size > 0", "drop such jobs: --zero-size drop"))
        flow, rejection = tuple(flow), tuple(rejection)
        columns = zip(sizes, flow, rejection, strict=True)
        return cls(
            instance,
            tuple(Type(floor_log2(v) - ceil_log2(p), floor_log2(w)) for p, w, v in columns),
            tuple(map(floor_log2, sizes)),
            flow,
            rejection,
        )

    @classmethod
    def weighted(cls, instance: Instance) -> Types:
        """Weighted flow time: the flow weight is the rejection weight too; in `weight_unit`s."""
        weights = instance.flow_weight.tolist()
        return cls.of(instance, weights, weights)

    @classmethod
    def two_weights(cls, instance: Instance) -> Types:
        """Flow weights and rejection weights of their own; in `weight_unit`s."""
        return cls.of(instance, instance.flow_weight.tolist(), instance.rejection_weight.tolist())

    @property
    def rounded(self) -> bool:
        """Whether all weights are powers of two, so that rounding changes nothing."""
        weights = {*self.flow, *self.rejection}
        return all(power(floor_log2(weight)) == weight for weight in weights)

    @classmethod
    def stretch(cls, instance: Instance) -> Types:
        """Maximum stretch: flow weight `1/p_j`, in `1/tick`s, and rejection weight 1."""
        return cls.of(instance, (Fraction(1, max(p, 1)) for p in instance.size.tolist()), [1] * instance.n)


def power(exponent: int) -> Fraction:
    """`2^exponent`, exact for negative exponents too."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)
