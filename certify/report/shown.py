"""Exact numbers as a page shows them; decimals of lower bounds are rounded `down`, of upper bounds `up`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from online import exact

if TYPE_CHECKING:
    from markupsafe import Markup

LONGEST = 30
"""Characters of an exact number that is shown whole; a longer one is shown as a decimal and named in full on hover."""

BRIEF = 12
"""Characters of an exact number that a narrow table has room for."""


def exactly(value: Fraction | int, toward: exact.Toward = "nearest") -> Markup:
    """A number in a formula: its decimal where that is exact, else `p/q`; a long one as a decimal, exact on hover.

    >>> str(exactly(Fraction(5, 2))), str(exactly(Fraction(1, 3)))
    ('2.5', '1/3')
    >>> str(exactly(Fraction(1, 3**70)))
    '<span title="1/2503155504993241601315571986085849">~0</span>'
    """
    from markupsafe import Markup

    rational, rounded = exact.text(value), exact.decimal(value, toward=toward)
    if not rounded.startswith("~") and len(rounded) <= LONGEST:
        return Markup("{}").format(rounded)
    if len(rational) <= LONGEST:
        return Markup("{}").format(rational)
    return Markup('<span title="{}">{}</span>').format(rational, shortened(rounded))


def beside(value: Fraction | int, toward: exact.Toward = "nearest") -> Markup:
    """A number in a text or table: as in a formula, and where that is `p/q` its decimal beside it.

    >>> str(beside(Fraction(7, 3))), str(beside(Fraction(7, 3), "up")), str(beside(12))
    ('7/3 (~2.333333)', '7/3 (~2.333334)', '12')
    """
    from markupsafe import Markup

    formula, rounded = exactly(value, toward), exact.decimal(value, toward=toward)
    return Markup("{} ({})").format(formula, rounded) if "/" in formula.striptags() else formula


def briefly(value: Fraction | int, toward: exact.Toward = "nearest") -> Markup:
    """A number in a narrow table: as `beside` if it is short, else as `nearly`.

    >>> str(briefly(Fraction(7, 3))), str(briefly(Fraction(10**8 + 1, 10**7)))
    ('7/3 (~2.333333)', '<span title="100000001/10000000">~10</span>')
    """
    return beside(value, toward) if len(exact.text(value)) <= BRIEF else nearly(value, toward)


def nearly(value: Fraction | int, toward: exact.Toward = "nearest") -> Markup:
    """A number in a table of many: its decimal, the exact one on hover where digits were lost.

    >>> str(nearly(Fraction(1, 3))), str(nearly(2))
    ('<span title="1/3">~0.333333</span>', '2')
    """
    from markupsafe import Markup

    rounded = shortened(exact.decimal(value, toward=toward))
    lost = rounded.startswith("~") or "..." in rounded
    return Markup('<span title="{}">{}</span>').format(exact.text(value), rounded) if lost else Markup(rounded)


def share(part: Fraction | int, whole: Fraction | int, toward: exact.Toward = "nearest") -> Markup:
    """A part of a whole in percent, to one place.

    >>> str(share(1, 3)), str(share(1, 3, "up")), str(share(2, 2))
    ('~33.3 %', '~33.4 %', '100 %')
    """
    from markupsafe import Markup

    return Markup("{} %").format(exact.decimal(Fraction(part) * 100 / Fraction(whole), 1, toward))


def width(part: Fraction | int, whole: Fraction | int) -> str:
    """The share as a width in CSS, rounded down to a tenth of a percent; all of it for 0 of 0.

    >>> width(1, 3), width(0, 0)
    ('33.3%', '100.0%')
    """
    thousandths = 1000 if not whole else min(1000, max(0, int(1000 * Fraction(part) / Fraction(whole))))
    return f"{thousandths // 10}.{thousandths % 10}%"


def shortened(text: str) -> str:
    """A decimal of any length on one line: of a very long one the first digits and how many there are."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}... ({len(text.lstrip('~-'))} digits)"
