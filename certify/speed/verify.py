"""The check of a backlog table in exact rationals, with nothing but the standard library and no search.

It answers with the first thing that is wrong, in a few words, or with an empty text. Source: SPEED.md, section 7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, floor

UNIT = 1 << 40
"""The left minus right sides of the backlog check are rounded up to multiples of 1 / UNIT."""


def backlog_fault(
    alpha: Fraction,
    machines: int,
    steps: Sequence[Fraction],
    linear: Fraction,
    ratio: Fraction,
    dials: Sequence[tuple[Fraction, Fraction]],
) -> str:
    """Whether the table does not prove its ratio for s^alpha; `dials[n]` are the least and largest dials with n jobs.

    If it does, cost <= ratio * OPT for SRPT at such dials while less than len(dials) jobs are unfinished at a time.
    """
    if alpha <= 1 or ratio <= 0 or linear < 0 or machines < 1:
        return "a bad constant"
    if any(a > b for a, b in pairwise([Fraction(0), *steps])) or len(dials) > len(steps) + 1:
        return "steps that fall, or too few"
    for n, both in enumerate(dials):
        for dial in both:
            for held, excess in enumerate(backlog_excess(alpha, machines, steps, linear, ratio, n, dial)):
                if excess > 0:
                    return f"{n} jobs against {held}"
    return ""


def backlog_excess(
    alpha: Fraction, machines: int, steps: Sequence[Fraction], linear: Fraction, ratio: Fraction, n: int, dial: Fraction
) -> Iterator[int]:
    """G(n, n_o) of SPEED.md for n_o = 0, 1, ... max(len(steps), machines), in 1 / UNIT, rounded up; then it falls."""
    weights = [Fraction(0), *steps]
    levels = list(accumulate(weights))
    gains = [ceil(ratio * conjugate_law(alpha, (weight + linear) / ratio) * UNIT) for weight in weights[: n + 1]]
    running, speed = min(n, machines), dial**alpha.denominator
    base = ceil((n + running * (dial**alpha.numerator - speed * linear)) * UNIT)
    for held in range(max(len(steps), machines) + 1):
        own = levels[max(0, n - held)] - levels[max(0, n - held - running)]
        others = sum(gains[max(0, n - i)] for i in range(min(machines, held)))
        yield base - floor(speed * own * UNIT) + others - floor(ratio * held * UNIT)


def conjugate_law(alpha: Fraction, weight: Fraction) -> Fraction:
    """At least P*(weight) = (alpha - 1) (weight / alpha)^(alpha / (alpha - 1)) for P(s) = s^alpha, weight >= 0.

    The (p - q)-th root of weight / alpha is rounded up to 30 bits after the point.

    >>> conjugate_law(Fraction(2), Fraction(3)), conjugate_law(Fraction(3), Fraction(12))
    (Fraction(9, 4), Fraction(16, 1))
    """
    p, q = alpha.numerator, alpha.denominator
    return (alpha - 1) * root_above(weight / alpha, p - q) ** p


def root_above(value: Fraction, k: int, bits: int = 30) -> Fraction:
    """The least multiple of 2^-bits whose k-th power is at least `value` >= 0; `value` itself for k = 1.

    >>> root_above(Fraction(9, 4), 2), root_above(Fraction(2), 2, 4)
    (Fraction(3, 2), Fraction(23, 16))
    """
    if k == 1:
        return value
    wanted = ceil(value * (1 << k * bits))
    low, high = -1, 1 << (wanted.bit_length() // k + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle**k >= wanted else (middle, high)
    return Fraction(high, 1 << bits)
