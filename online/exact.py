"""Exact numbers at the door: integers, decimals and ratios become `Fraction`, nothing becomes a float."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Column: TypeAlias = npt.NDArray[Any]
"""A column of integers: dtype int64, or dtype object holding Python ints where int64 could overflow."""

Number: TypeAlias = int | Fraction | Decimal | str

Toward: TypeAlias = Literal["nearest", "down", "up"]
"""Which way a decimal is rounded: `down` never gives more, `up` never less."""

ROUNDED: Mapping[Toward, Callable[[Fraction], int]] = {"nearest": round, "down": math.floor, "up": math.ceil}
"""What does it."""

MAX_DIGITS = 1000
"""Longest accepted number, in characters and in decimal exponent: larger ones are a fault or an attack."""

LIMIT = 10**MAX_DIGITS
"""Ticks and weights stay below this: certificates hold no longer numbers."""

SAFE = 1 << 61
"""Magnitudes below this stay in int64: the sum of two of them cannot overflow."""

_NUMBER = re.compile(
    r"(?P<sign>[-+]?)(?:(?P<num>\d+)/(?P<den>\d+)|(?=\.?\d)(?P<whole>\d*)(?:\.(?P<part>\d*))?"
    r"(?:[eE](?P<exp>[-+]?\d{1,6}))?)",
    re.ASCII,
)


class BadNumber(ValueError):
    """The value is no exact number; the message says what it was."""


def rational(value: object) -> Fraction:
    """Read one exact number: an int, Fraction, Decimal, or text such as `12`, `-0.5`, `.5`, `1e3`, `7/3`.

    Booleans, floats, NaN and infinities raise `BadNumber`, as does anything over `MAX_DIGITS` long.

    >>> rational("4.709164"), rational("2.658e2"), rational("-0.0"), rational("1/3")
    (Fraction(1177291, 250000), Fraction(1329, 5), Fraction(0, 1), Fraction(1, 3))
    >>> rational(True)
    Traceback (most recent call last):
    ...
    online.exact.BadNumber: the boolean True
    """
    if isinstance(value, bool):
        raise BadNumber(f"the boolean {value}")
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, float):
        raise BadNumber(f"the binary float {value!r} (pass a string, Decimal or Fraction)")
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise BadNumber(f"the non-finite number {value}")
        value = str(value)
    if isinstance(value, str):
        return _parse(value.strip())
    raise BadNumber(f"{_short(repr(value))} of type {type(value).__name__}")


def _parse(text: str) -> Fraction:
    if len(text) > MAX_DIGITS:
        raise BadNumber(f"a number of {len(text)} characters")
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise BadNumber(f"{text!r}, which is no number")
    sign = -1 if found["sign"] == "-" else 1
    if found["den"] is not None:
        if int(found["den"]) == 0:
            raise BadNumber(f"{text!r}, whose denominator is zero")
        return Fraction(sign * int(found["num"]), int(found["den"]))
    part = found["part"] or ""
    exponent = int(found["exp"] or 0) - len(part)
    if abs(exponent) > MAX_DIGITS:
        raise BadNumber(f"{text!r}, whose exponent is over {MAX_DIGITS}")
    digits = sign * int((found["whole"] or "") + part)
    return Fraction(digits * 10**exponent) if exponent >= 0 else Fraction(digits, 10**-exponent)


def text(value: Fraction | int) -> str:
    """Write an exact number as `p/q`, or `p` when it is whole.

    >>> text(Fraction(6, 4)), text(7)
    ('3/2', '7')
    """
    return str(Fraction(value))


def decimal(value: Fraction | int, digits: int = 6, toward: Toward = "nearest") -> str:
    """Show an exact number as a rounded decimal, for reading only; `~` marks that digits were lost.

    A lower bound is rounded `down` and an upper bound `up`, so that what is shown is never more than is known.

    >>> decimal(Fraction(1, 3)), decimal(Fraction(3, 2)), decimal(12431584), decimal(Fraction(1, 10**9))
    ('~0.333333', '1.5', '12431584', '~0')
    >>> [decimal(Fraction(5, 3), 2, toward) for toward in ("down", "nearest", "up")]
    ['~1.66', '~1.67', '~1.67']
    >>> decimal(Fraction(-1, 10**9), toward="down")
    '~-0.000001'
    """
    value = Fraction(value)
    scaled = ROUNDED[toward](value * 10**digits)
    exact = Fraction(scaled, 10**digits) == value
    whole, part = divmod(abs(scaled), 10**digits)
    shown = f"{'-' if scaled < 0 else ''}{whole}.{part:0{digits}d}".rstrip("0").rstrip(".")
    return shown if exact else f"~{shown}"


def common_denominator(values: Iterable[Fraction | int]) -> int:
    """The least common multiple of the denominators, 1 for none.

    >>> common_denominator([Fraction(1, 2), Fraction(2, 3), 5])
    6
    """
    return math.lcm(*{value.denominator for value in values})


def floor_log2(value: Fraction | int) -> int:
    """The integer k with `2**k <= value < 2**(k + 1)`, for a value > 0; negative below 1.

    >>> [floor_log2(x) for x in (1, 3, 4, Fraction(1, 2), Fraction(1, 3))]
    [0, 1, 2, -1, -2]
    """
    top, bottom = value.numerator, value.denominator
    k = top.bit_length() - bottom.bit_length()
    reached = top >= bottom << k if k >= 0 else top << -k >= bottom
    return k if reached else k - 1


def ceil_log2(value: Fraction | int) -> int:
    """The least integer k with `value <= 2**k`, for a value > 0.

    >>> [ceil_log2(x) for x in (1, 3, 4, Fraction(1, 2), Fraction(1, 3))]
    [0, 2, 2, -1, -1]
    """
    return -floor_log2(1 / Fraction(value))


def column(values: Sequence[int], *, summed: bool = False) -> Column:
    """Store integers: int64 when they (or, if `summed`, their whole sum) are safe, Python ints otherwise.

    >>> column([1, 2]).dtype, column([2**62]).dtype, column([2**60] * 4, summed=True).dtype
    (dtype('int64'), dtype('O'), dtype('O'))
    """
    largest = sum(map(abs, values)) if summed else max(map(abs, values), default=0)
    if largest < SAFE:
        return np.array(values, dtype=np.int64)
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def frozen(column: Column) -> Column:
    """The same numbers, which nobody can change through this view."""
    view = column.view()
    view.flags.writeable = False
    return view


def _short(shown: str, limit: int = 60) -> str:
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."
