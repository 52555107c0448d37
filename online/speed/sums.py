"""Sums of k^r with 0 < r < 1 between rational bounds, however long."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

FRACTION_BITS = 48
"""Roots are rounded to multiples of `2**-FRACTION_BITS`."""

HEAD = 64
"""So many terms are added up one by one before integrals bound the rest."""


def integer_root(value: int, degree: int) -> int:
    """The largest integer whose power of this degree is at most `value` >= 0.

    >>> integer_root(10**30 - 1, 3), integer_root(8, 3), integer_root(0, 5)
    (9999999999, 2, 0)
    """
    if not value:
        return 0
    guess = 1 << -(-value.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + value // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better


def power_lower(x: Fraction, exponent: Fraction) -> Fraction:
    """The largest multiple of `2**-FRACTION_BITS` that is at most x^exponent, for x >= 0 and exponent > 0."""
    p, q = exponent.numerator, exponent.denominator
    scaled = x**p * (1 << q * FRACTION_BITS)
    return Fraction(integer_root(scaled.numerator // scaled.denominator, q), 1 << FRACTION_BITS)


def power_upper(x: Fraction, exponent: Fraction) -> Fraction:
    """At least x^exponent: the same value, or one step more if that is not x^exponent itself."""
    low = power_lower(x, exponent)
    exact = low**exponent.denominator == x**exponent.numerator
    return low if exact else low + Fraction(1, 1 << FRACTION_BITS)


@cache
def sum_lower(first: int, last: int, r: Fraction) -> Fraction:
    """At most the sum of k^r over first <= k <= last, for first >= 1 and 0 < r < 1.

    Proof: k^r is concave, so it is at least its mean over [k - 1/2, k + 1/2].

    >>> [round(bound(1, 10**18, Fraction(1, 2)) / 10**27, 9) for bound in (sum_lower, sum_upper)]
    [Fraction(666666667, 1000000000), Fraction(666666667, 1000000000)]
    """
    head, start = _head(first, last, r, power_lower)
    if start > last:
        return head
    half, higher = Fraction(1, 2), r + 1
    return head + (power_lower(last + half, higher) - power_upper(start - half, higher)) / higher


@cache
def sum_upper(first: int, last: int, r: Fraction) -> Fraction:
    """At least the sum of k^r over first <= k <= last, for first >= 1 and 0 < r < 1.

    Proof: k^r is concave, so its integral over [k, k + 1] is at least the mean of the values at both ends.
    """
    head, start = _head(first, last, r, power_upper)
    if start > last:
        return head
    higher = r + 1
    integral = (power_upper(Fraction(last), higher) - power_lower(Fraction(start), higher)) / higher
    return head + integral + (power_upper(Fraction(start), r) + power_upper(Fraction(last), r)) / 2


def _head(first: int, last: int, r: Fraction, bound: Callable[[Fraction, Fraction], Fraction]) -> tuple[Fraction, int]:
    """The sum of the terms before the first of the rest, and that: past the last if the terms are few."""
    start = first + HEAD if last - first >= 2 * HEAD else last + 1
    return sum((bound(Fraction(k), r) for k in range(first, start)), Fraction(0)), start
