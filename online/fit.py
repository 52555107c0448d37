"""The line that fits points best."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def fitted(points: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction] | None:
    """Slope and intercept of the line with the least squares, exact; None without two points that differ in x.

    >>> fitted([(Fraction(1), Fraction(1)), (Fraction(2), Fraction(3)), (Fraction(3), Fraction(5))])
    (Fraction(2, 1), Fraction(-1, 1))
    """
    n, x, y = len(points), sum(x for x, _ in points), sum(y for _, y in points)
    spread = n * sum(a * a for a, _ in points) - x * x
    if spread == 0:
        return None
    slope = Fraction(n * sum(a * b for a, b in points) - x * y) / spread
    return slope, (y - slope * x) / n
