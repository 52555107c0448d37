"""JSON text to values, exactly: decimals stay decimals, repeated keys and non-numbers are refused."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from typing import Any

from online import exact
from online.errors import InvalidInput, Problem


def parse(text: str, name: str) -> dict[str, Any]:
    """The object that a JSON text holds; decimals as `Decimal`.

    Raises: `InvalidInput` for faulty syntax, repeated keys, NaN and infinities, numbers over
    `exact.MAX_DIGITS` long, nesting too deep, lone surrogates, and anything but an object.

    >>> parse('{"p": 0.10}', "a.json")
    {'p': Decimal('0.10')}
    """
    try:
        value = json.loads(
            text,
            parse_int=lambda digits: int(_short(digits, name)),
            parse_float=lambda digits: _decimal(digits, name),
            parse_constant=lambda word: _no_constant(word, name),
            object_pairs_hook=lambda pairs: _object(pairs, name),
        )
    except json.JSONDecodeError as bad:
        got = f"{bad.msg} at column {bad.colno}"
        raise _problem(f"{name}:{bad.lineno}", "not JSON", got, "well-formed JSON", "correct the syntax") from None
    except RecursionError:
        raise _problem(name, "nested too deep", "brackets in brackets", "a flat file", "flatten it") from None
    if not isinstance(value, dict):
        raise _problem(name, "not an object", kind(value), 'an object with the key "jobs"', "wrap it in one")
    _no_surrogates(text, value, name)
    return value


def kind(value: object) -> str:
    """What sort of JSON value this is, for messages.

    >>> kind([]), kind(True), kind(None), kind(Decimal(1))
    ('a list', 'a boolean', 'null', 'a number')
    """
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", Decimal: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "an object")


def show(value: object, limit: int = 60) -> str:
    """A value as JSON writes it, cut short, for messages."""
    text = json.dumps(value, default=str) if not isinstance(value, Decimal) else str(value)
    return text if len(text) <= limit else f"{text[:limit]}..."


def _short(digits: str, name: str) -> str:
    if len(digits) > exact.MAX_DIGITS:
        got = f"a number of {len(digits)} characters"
        raise _problem(name, "number too long", got, f"at most {exact.MAX_DIGITS}", "shorten it")
    return digits


def _decimal(digits: str, name: str) -> Decimal:
    try:
        return Decimal(_short(digits, name))
    except InvalidOperation:
        raise _problem(name, "number too long", show(digits), "a shorter exponent", "correct it") from None


def _no_constant(word: str, name: str) -> None:
    raise _problem(name, "not a finite number", word, "an exact number", "correct or remove the value")


def _object(pairs: list[tuple[str, Any]], name: str) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for k, key in enumerate(keys) if key in keys[:k])
        where = f" in the object with id {show(found['id'])}" if "id" in found else ""
        raise _problem(name, "duplicate key", f"{show(twice)} twice{where}", "each key once", "remove one")
    return found


def _no_surrogates(text: str, value: dict[str, Any], name: str) -> None:
    if "\\ud" not in text.lower():
        return
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
    except UnicodeEncodeError:
        got = "half of a surrogate pair"
        raise _problem(name, "not Unicode text", got, "whole characters", "correct the escape") from None


def _problem(place: str, reason: str, got: str, expected: str, fix: str) -> InvalidInput:
    return InvalidInput(Problem(place, reason, got, expected, fix))
