"""Results of other commands, as --json prints them: read, and refused where they are something else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from certify import check
from online import exact
from online.errors import InvalidInput, Problem

Check = Callable[[Any, str], None]
"""Takes a value and its place; raises `InvalidInput` if it is not what it should be."""


def read_result(path: str) -> Any:
    """The JSON value in a file (`-`: standard input). Raises: `InvalidInput` if there is none."""
    try:
        return check.read_json(sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes())
    except OSError as failed:
        got, fix = failed.strerror or str(failed), "check the name"
        raise InvalidInput(Problem(path, "cannot be read", got, "a readable file", fix)) from failed
    except check.Malformed as bad:
        raise InvalidInput(Problem(path, "not JSON", str(bad), "what --json prints", "write it anew")) from None


def text(value: Any, place: str) -> None:
    """Words."""
    if type(value) is not str:
        _refuse(place, repr(value), "a text")


def number(value: Any, place: str) -> None:
    """An exact number: an integer, or a text such as 7/3."""
    try:
        if type(value) not in (int, str):
            raise exact.BadNumber
        exact.rational(value)
    except exact.BadNumber:
        _refuse(place, repr(value), "an exact number such as 7 or '7/3'")


def number_in(words: str, holds: Callable[[Fraction], bool]) -> Check:
    """An exact number of which this holds; `words` say what."""

    def check_number(value: Any, place: str) -> None:
        number(value, place)
        if not holds(exact.rational(value)):
            _refuse(place, repr(value), words)

    return check_number


positive = number_in("a number above 0", lambda value: value > 0)
non_negative = number_in("a number, 0 or more", lambda value: value >= 0)
share = number_in("a number above 0, at most 1", lambda value: 0 < value <= 1)
servers = number_in("a whole number, 1 or more", lambda value: value >= 1 and value.denominator == 1)
exponent = number_in("a number above 1", lambda value: value > 1)


def anything(value: Any, place: str) -> None:
    """It must be there, and that is all."""


def or_none(inner: Check) -> Check:
    """Null, or this."""
    return lambda value, place: None if value is None else inner(value, place)


@dataclass(frozen=True)
class Maybe:
    """As a key: it may be left out, else it is this."""

    inner: Check

    def __call__(self, value: Any, place: str) -> None:
        """As `inner`."""
        self.inner(value, place)


def rows_of(inner: Check, least: int = 1) -> Check:
    """A list of at least so many of these."""

    def check_rows(value: Any, place: str) -> None:
        if type(value) is not list or len(value) < least:
            _refuse(place, repr(value), "a list that is not empty" if least else "a list")
        for k, one in enumerate(value):
            inner(one, f"{place}[{k}]")

    return check_rows


def keys(**inner: Check) -> Check:
    """An object with these keys, and maybe others."""

    def check_keys(value: Any, place: str) -> None:
        if type(value) is not dict:
            _refuse(place, repr(value), "an object")
        for key, one in inner.items():
            if key not in value and isinstance(one, Maybe):
                continue
            if key not in value:
                _refuse(place, f"no {key!r}", f"an object with {', '.join(inner)}")
            one(value[key], f"{place}.{key}")

    return check_keys


def expect(value: Any, place: str, form: Check, made_by: str) -> None:
    """Raises: `InvalidInput` unless the value has the form of what a command prints."""
    try:
        form(value, "$")
    except _Wrong as wrong:
        where, got, expected = wrong.args
        fix = f"use what `{made_by}` prints"
        raise InvalidInput(Problem(f"{place}: {where}", "another kind of result", got, expected, fix)) from None


class _Wrong(Exception):
    """Place, what was got, what was expected."""


def _refuse(place: str, got: str, expected: str) -> NoReturn:
    raise _Wrong(place, got if len(got) <= 60 else f"{got[:57]}...", expected)


COMPARISON = keys(
    problem=text,
    lower=non_negative,
    upper=non_negative,
    reading=keys(file=text),
    rows=rows_of(keys(algorithm=text, epsilon=share, refused=or_none(text), ratio=Maybe(or_none(non_negative)))),
)
"""What `dualfit compare --json` prints; a row that is refused has no ratio."""

GROWTH = keys(
    title=text,
    algorithm=text,
    x=text,
    slope=or_none(number),
    intercept=or_none(number),
    rows=rows_of(
        keys(
            x=number,
            ratio=non_negative,
            opt_upper=positive,
            promised=or_none(non_negative),
            guaranteed=or_none(non_negative),
            verdict=text,
        )
    ),
)
"""What `dualfit adversary --sweep --json` prints."""

SERVERS = keys(
    policy=text,
    alpha=exponent,
    exponent=or_none(number),
    theory=number,
    rows=rows_of(keys(machines=servers, order=positive, ratio=positive)),
)
"""What the games of flow time plus energy print with --sweep-machines."""

LADDER = keys(
    problem=text,
    lower=non_negative,
    upper=non_negative,
    reading=keys(file=text),
    ladder=rows_of(keys(rung=text, lower=non_negative, bound_from=text), least=0),
    unproven=Maybe(or_none(keys(lower=non_negative, by=text))),
)
"""What `dualfit bound --json` prints."""


def in_order(result: Mapping[str, Any], place: str, made_by: str) -> None:
    """Raises: `InvalidInput` if a lower bound is above the upper one: nobody printed that."""
    upper = exact.rational(result["upper"])
    rungs = [(f"$.ladder[{k}].lower", one["lower"]) for k, one in enumerate(result.get("ladder", []))]
    for where, value in [("$.lower", result["lower"]), *rungs]:
        if exact.rational(value) > upper:
            expected, fix = f"at most the upper bound, {exact.decimal(upper)}", f"use what `{made_by}` prints"
            raise InvalidInput(Problem(f"{place}: {where}", "another kind of result", repr(value), expected, fix))


def is_certificate(value: Any) -> bool:
    """Whether the JSON value says that it is one."""
    return isinstance(value, Mapping) and value.get("format") == "dualfit-certificate"
