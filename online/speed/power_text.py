"""Power functions as people write them: `s^2`, `3s^(5/2)`, `s^2 + s`, `table:FILE`, and as certificates hold them."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from online import exact
from online.errors import InvalidInput, Problem
from online.speed.power import Power, PowerLaw, Tabulated

_NUMBER = r"\d+(?:\.\d+)?(?:/\d+)?|\.\d+"
_TERM = re.compile(rf"(?:(?:\(({_NUMBER})\)|({_NUMBER}))\*?)?s(?:\^(?:\(({_NUMBER})\)|(\d+(?:\.\d+)?)))?", re.ASCII)
TABLE = "table:"


def read_power(text: str, place: str = "--power") -> Power:
    """The power function that a text describes.

    `table:FILE` is a CSV file with the columns speed and power; past the last point P goes on with its last slope.

    Raises: `InvalidInput` for anything else, for functions that are not increasing and convex, and for a table that
    rises too slowly: where (1 + P(s)) / s, what a job alone costs per tick of work, has no least value.

    >>> str(read_power("s^2+s")), str(read_power("3*s^(5/2)")), str(read_power("0.2 s^1.5"))
    ('s^2 + s', '3s^(5/2)', '(1/5)s^(3/2)')
    """
    if text.startswith(TABLE):
        return _steep(_table_file(text.removeprefix(TABLE)), text.removeprefix(TABLE))
    terms = []
    for part in text.replace(" ", "").split("+"):
        found = _TERM.fullmatch(part)
        if found is None:
            _refuse(place, "no power function", repr(text), "a sum of terms such as s^2, 3s^(5/2) or 0.1s")
        terms.append(
            (
                _number(found[1] or found[2] or "1", place),
                _number(found[3] or found[4] or "1", place),
            )
        )
    return law_of(terms, place)


def law_of(terms: Sequence[tuple[Fraction, Fraction]], place: str = "power") -> PowerLaw:
    """The sum of the terms (c, e), those of equal exponent added up.

    Raises: `InvalidInput` unless all c > 0, all e >= 1, and one e > 1.
    """
    total: dict[Fraction, Fraction] = {}
    for c, e in terms:
        if c <= 0 or e < 1:
            _refuse(place, "term that is not convex", f"{c} s^{e}", "a coefficient > 0 and an exponent >= 1")
        total[e] = total.get(e, Fraction(0)) + c
    if max(total, default=Fraction(0)) <= 1:
        _refuse(place, "power that is not strictly convex", "no exponent over 1", "an exponent over 1, as in s^2")
    return PowerLaw(tuple((total[e], e) for e in sorted(total, reverse=True)))


def table_of(points: Sequence[tuple[Fraction, Fraction]], place: str = "power") -> Tabulated:
    """The convex piecewise linear function through (0, 0) and the points (speed, power).

    Raises: `InvalidInput` unless speeds rise, powers are positive, and slopes do not fall.
    """
    points = [point for k, point in enumerate(points) if k or any(point)]
    if not points:
        _refuse(place, "empty table", "no point", "at least one (speed, power) with speed > 0")
    before, slope = (Fraction(0), Fraction(0)), Fraction(0)
    for speed, power in points:
        if speed <= before[0] or power <= 0:
            _refuse(place, "bad point", f"speed {speed}, power {power}", "rising speeds and powers > 0, P(0) = 0")
        after = (power - before[1]) / (speed - before[0])
        if after < slope or after <= 0:
            _refuse(place, "table that is not convex", f"slope {after} after {slope}", "slopes > 0 that do not fall")
        before, slope = (speed, power), after
    return Tabulated(tuple(points))


def power_of(document: Mapping[str, Any], place: str = "power") -> Power:
    """The power function of a document that `to_document` wrote.

    Raises: `InvalidInput` for anything else.

    >>> power_of(read_power("s^2+s").to_document()) == read_power("s + s^2")
    True
    """
    key = "points" if "points" in document else "terms"
    pairs = document.get(key)
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        _refuse(place, "no power function", repr(dict(document))[:60], "pairs of texts under 'terms' or 'points'")
    read = [(_number(a, place), _number(b, place)) for a, b in pairs]
    return table_of(read, place) if key == "points" else law_of(read, place)


def _table_file(file: str) -> Tabulated:
    try:
        with Path(file).open(encoding="utf-8-sig", newline="") as handle:
            rows = [(line, row) for line, row in enumerate(csv.reader(handle), 1) if any(map(str.strip, row))]
    except (OSError, UnicodeDecodeError, csv.Error) as failed:
        _refuse(file, "unreadable table", str(failed), "a CSV file with the columns speed and power")
    if not rows or [name.strip().lower() for name in rows[0][1]] != ["speed", "power"]:
        _refuse(file, "no header", repr(rows[0][1] if rows else ""), "a first line `speed,power`")
    points = []
    for line, row in rows[1:]:
        if len(row) != 2:
            _refuse(f"{file}:{line}", "bad row", repr(row), "two numbers, speed and power")
        points.append((_number(row[0], f"{file}:{line}"), _number(row[1], f"{file}:{line}")))
    return table_of(points, file)


def _steep(table: Tabulated, place: str) -> Tabulated:
    (speed, power), slope = table.points[-1], table.slopes[-1]
    if table.largest_conjugate < 1:
        got = f"slope {slope} at the last point, speed {speed}, where {slope} * {speed} - {power} < 1"
        expected = "a last slope of at least (1 + power) / speed, else faster is always cheaper"
        _refuse(place, "table that rises too slowly", got, expected)
    return table


def _number(value: object, place: str) -> Fraction:
    try:
        if isinstance(value, str) and "/" in value and "." in value:
            raise exact.BadNumber(f"{value!r}, a ratio of decimals")
        return exact.rational(value)
    except exact.BadNumber as bad:
        _refuse(place, "bad number", str(bad), "an exact number such as 2, 0.5 or 5/2")


def _refuse(place: str, reason: str, got: str, expected: str) -> NoReturn:
    raise InvalidInput(Problem(place, reason, got, expected, "correct the power function"))
