"""The rules every instance obeys, checked on whole columns; the first offender is named."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from online import exact
from online.errors import InvalidInput, Problem
from online.exact import Column

JobId: TypeAlias = int | str

_DATE = re.compile(r"\s*\d{4}-\d\d-\d\d", re.ASCII)


def check_machines(machines: object, names: Sequence[str] | None, place: str) -> tuple[str, ...] | None:
    """Check a machine count and the machines' names.

    Raises: `InvalidInput` unless the count is an integer of at least 1 and the names are distinct, one each.
    """
    if isinstance(machines, bool) or not isinstance(machines, int) or machines < 1:
        raise InvalidInput(
            Problem(
                place,
                "machines must be at least 1",
                repr(machines),
                "an integer of at least 1",
                "declare the machines",
            )
        )
    if names is None:
        return None
    if (
        isinstance(names, str)
        or not all(isinstance(name, str) and name for name in names)
        or len(names) != machines
        or len(set(names)) != machines
    ):
        raise InvalidInput(
            Problem(
                place,
                "bad machine names",
                repr(list(names))[:80],
                f"{machines} distinct non-empty texts",
                "name every machine once, or none",
            )
        )
    return tuple(names)


def check_columns(n: int, columns: Mapping[str, Sequence[int]], ids: Sequence[JobId], place: str) -> None:
    """Check lengths, whole numbers, signs, arrival order and ids. Raises: `InvalidInput`."""
    for name, values in {**columns, "ids": ids}.items():
        if len(values) != n:
            raise InvalidInput(
                Problem(f"{place}.{name}", "wrong length", f"{len(values)} values", f"{n}", "give one value a job")
            )
    for name, values in columns.items():
        least = 1 if name.endswith("weight") else 0
        if not set(map(type, values)) <= {int}:
            j = next(j for j, value in enumerate(values) if type(value) is not int)
            raise InvalidInput(
                Problem(
                    f"{place}.{name}[{j}]",
                    "not an integer",
                    repr(values[j])[:60],
                    "a whole number of ticks or weight units",
                    "scale the column",
                )
            )
        if n and min(values) < least:
            j = next(j for j, value in enumerate(values) if value < least)
            raise InvalidInput(
                Problem(
                    f"{place}.{name}[{j}]",
                    "negative or zero number",
                    str(values[j]),
                    f"at least {least}",
                    "correct the value",
                )
            )
        if n and max(values) >= exact.LIMIT:
            j = next(j for j, value in enumerate(values) if value >= exact.LIMIT)
            digits = f"more than {exact.MAX_DIGITS} digits in the smallest unit of the file"
            raise InvalidInput(
                Problem(
                    f"{place}.{name}[{j}]", "number too long", digits, "numbers that lie less far apart", "round them"
                )
            )
    _check_arrival_order(columns["release"], place)
    _check_ids(ids, place)


def _check_arrival_order(release: Sequence[int], place: str) -> None:
    for j in range(1, len(release)):
        if release[j] < release[j - 1]:
            raise InvalidInput(
                Problem(
                    f"{place}.release[{j}]",
                    "out of order",
                    f"{release[j]} after {release[j - 1]}",
                    "releases that never go back",
                    "sort the jobs by release, stably",
                )
            )


def _check_ids(ids: Sequence[JobId], place: str) -> None:
    if isinstance(ids, range):
        return
    seen: dict[str, int] = {}
    for j, job in enumerate(ids):
        if type(job) not in (int, str) or job == "":
            raise InvalidInput(
                Problem(
                    f"{place}.ids[{j}]",
                    "bad id",
                    repr(job)[:60],
                    "a non-empty text or an integer",
                    "correct the id",
                )
            )
        if seen.setdefault(str(job), j) != j:
            raise InvalidInput(
                Problem(
                    f"{place}.ids[{j}]",
                    "duplicate id",
                    f"{job!r} (also at {seen[str(job)]})",
                    "ids that read differently",
                    "rename one of the two jobs",
                )
            )


def check_sets(
    machines: int, n: int, eligible_set: Sequence[int] | Column, sets: Sequence[Sequence[int]], place: str
) -> None:
    """Check the distinct eligible sets and each job's index into them. Raises: `InvalidInput`."""
    for k, one in enumerate(sets):
        good = len(one) > 0 and all(type(i) is int and 0 <= i < machines for i in one)
        if not good or any(a >= b for a, b in itertools.pairwise(one)):
            raise InvalidInput(
                Problem(
                    f"{place}.eligible_sets[{k}]",
                    "bad eligible set",
                    repr(list(one))[:60],
                    f"ascending machines 0..{machines - 1}, at least one",
                    "correct the set",
                )
            )
    values = eligible_set.tolist() if isinstance(eligible_set, np.ndarray) else list(eligible_set)
    for j, k in enumerate(values):
        if type(k) is not int or not 0 <= k < len(sets):
            raise InvalidInput(
                Problem(
                    f"{place}.eligible[{j}]",
                    "unknown eligible set",
                    repr(k)[:60],
                    f"an index 0..{len(sets) - 1}",
                    "correct the index",
                )
            )
    if len(values) != n:
        raise InvalidInput(
            Problem(f"{place}.eligible", "wrong length", f"{len(values)} values", f"{n}", "give one value a job")
        )


def rational(value: object, place: str) -> Fraction:
    """Read one exact number. Raises: `InvalidInput` naming the place."""
    try:
        return exact.rational(value)
    except exact.BadNumber as bad:
        dated = isinstance(value, str) and _DATE.match(value)
        fix = "write times as numbers, such as seconds since the first arrival" if dated else "correct the value"
        raise InvalidInput(Problem(place, "not an exact number", str(bad), "an integer, decimal or p/q", fix)) from None


def positive(value: object, name: str, place: str) -> Fraction:
    """Read one exact number > 0. Raises: `InvalidInput` naming the place."""
    number = rational(value, f"{place}.{name}")
    if number <= 0:
        raise InvalidInput(Problem(f"{place}.{name}", "not positive", str(number), "a number > 0", "correct it"))
    return number
