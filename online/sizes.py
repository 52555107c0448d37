"""Sizes made equal: a stated approximation, in whole ticks."""

from __future__ import annotations

from fractions import Fraction

from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.validate import positive

SPECS = "one, or one:DURATION"


def one_size(instance: Instance, spec: str) -> tuple[Instance, Fraction]:
    """The instance in which every job has one size, and that size in input units.

    `one` takes the mean of the sizes, rounded half up to a whole tick and at least one tick (one tick for an
    instance without jobs); `one:DURATION` an exact number of input units.

    Raises: `InvalidInput` for another spec or a duration that is not positive.
    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1 (unit sizes).

    >>> from online.rows import Row
    >>> three = Instance.from_rows(1, [Row("a", 0, 1), Row("b", 0, 2), Row("c", 0, 2)])
    >>> one_size(three, "one")[1], one_size(three, "one:1/2")[1]
    (Fraction(2, 1), Fraction(1, 2))
    """
    kind, separator, duration = spec.partition(":")
    if kind != "one":
        raise InvalidInput(Problem("option size", "bad option", repr(spec)[:60], SPECS, "correct the option"))
    size = positive(duration, "size", "option") if separator else mean_size(instance)
    return instance.with_unit_size(size), size


def mean_size(instance: Instance) -> Fraction:
    """The mean size in input units, rounded half up to a whole tick, at least one tick."""
    total = sum(instance.size.tolist())
    ticks = (2 * total + instance.n) // (2 * instance.n) if instance.n else 0
    return max(ticks, 1) * instance.tick
