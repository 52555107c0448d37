"""The constants that an algorithm is run with: those of the proofs, unless others were given."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from online.errors import InvalidInput, Problem


def whole(options: Mapping[str, Fraction], name: str, default: int, least: int = 1) -> int:
    """A constant that is a whole number.

    Raises: `InvalidInput` for another value.

    >>> whole({"alpha": Fraction(3)}, "alpha", 5), whole({}, "alpha", 5)
    (3, 5)
    """
    value = options.get(name, Fraction(default))
    if value.denominator != 1 or value < least:
        _refuse(name, value, f"a whole number of at least {least}")
    return int(value)


def at_least(options: Mapping[str, Fraction], name: str, default: Fraction, least: int = 1) -> Fraction:
    """A constant that is any number from `least` on.

    Raises: `InvalidInput` for another value.
    """
    value = options.get(name, default)
    if value < least:
        _refuse(name, value, f"a number of at least {least}")
    return value


def _refuse(name: str, value: Fraction, expected: str) -> None:
    raise InvalidInput(Problem(f"--{name}", "out of range", str(value), expected, "choose another value"))
