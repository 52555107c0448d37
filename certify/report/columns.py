"""Columns of whole numbers as the scripts of a page take them: exact, and small where they can be."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from online.exact import Column

WHOLE = 1 << 53
"""Whole numbers of this magnitude and below are exact in the numbers of a script."""


ONE = Fraction(1)


def packed(values: Column | Sequence[int]) -> Column | list[str]:
    """Whole numbers as 4 or 8 bytes each; as texts where a script's own numbers would round them.

    >>> packed([1, 2]).dtype, packed([2**40]).dtype, packed([1, 2**60])
    (dtype('int32'), dtype('float64'), ['1', '1152921504606846976'])
    """
    column = np.asarray(values if len(values) else np.zeros(0, dtype=np.int64))
    most = max(abs(int(column.min())), abs(int(column.max()))) if len(column) else 0
    if most < 1 << 31:
        return column.astype(np.int32)
    return column.astype(np.float64) if most <= WHOLE else list(map(str, column.tolist()))


def ratio(unit: Fraction) -> list[str]:
    """A unit as numerator and denominator, as scripts take it.

    >>> ratio(Fraction(1, 3))
    ['1', '3']
    """
    return [str(unit.numerator), str(unit.denominator)]


def drawn(values: Column | Sequence[int | Fraction], unit: Fraction = ONE) -> Column:
    """Multiples of a unit, rounded, to draw by.

    Raises: `OverflowError` for numbers that nobody can draw.
    """
    if not isinstance(values, np.ndarray) or values.dtype == object:
        exactly = [value * unit for value in values]
        return np.array([value.numerator / value.denominator for value in exactly], dtype=np.float64)
    return values * (unit.numerator / unit.denominator)
