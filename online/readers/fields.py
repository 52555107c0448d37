"""Numbers and ids as they stand in files; what is no number is left for the gate to refuse by name."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from online import exact

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_ID = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)


def number(value: Any) -> Any:
    """An int where the value is whole, a Fraction where it is exact, else the value itself.

    >>> number("7"), number("2.658e2"), number("-0.0"), number("x"), number(True)
    (7, Fraction(1329, 5), 0, 'x', True)
    """
    if type(value) is int:
        return value
    if type(value) is str and _WHOLE.fullmatch(value):
        return int(value)
    if not isinstance(value, str | Decimal | Fraction):
        return value
    try:
        found = exact.rational(value)
    except exact.BadNumber:
        return value
    return found.numerator if found.denominator == 1 else found


def whole(text: str) -> int | None:
    """The integer that a field holds, also when written `3.0`; None if it is none.

    >>> whole("3"), whole("-1"), whole("3.0"), whole("3.5"), whole("batch")
    (3, -1, 3, None, None)
    """
    found = number(text)
    return found if type(found) is int else None


def job_id(text: str) -> int | str:
    """The id that a text field holds: an integer where it reads exactly like one.

    >>> job_id("7"), job_id("07"), job_id("a")
    (7, '07', 'a')
    """
    return int(text) if _ID.fullmatch(text) else text
