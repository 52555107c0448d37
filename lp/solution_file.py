"""What a solver wrote about a program: a value and a dual for each name, as exact as the file is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from online import exact
from online.errors import InvalidInput, Problem
from online.readers.source import Source

FORMATS = (
    "HiGHS (raw or pretty), CPLEX (XML), Gurobi (.sol, JSON), SCIP (.sol), Cbc/Clp, GLPK (printable), "
    "lines `name value` or `name,value`, a JSON object"
)
"""What `read` understands."""

Entry = tuple[str, object, object]
"""`(name, value, dual)`, as written; None where the file does not say."""


@dataclass(frozen=True, eq=False)
class SolutionFile:
    """`value` of each column (of each row: its activity) and `dual` of each row (of each column: its reduced cost).

    A file that says one number a name, without saying which, has it in both.
    """

    format: str
    value: Mapping[str, Fraction]
    dual: Mapping[str, Fraction]

    @property
    def names(self) -> list[str]:
        """Every name in the file, in order."""
        return list(dict.fromkeys([*self.value, *self.dual]))


def read(path: str | Path) -> SolutionFile:
    """Read a solution file, or standard input for `-`. Raises: `InvalidInput` if it cannot be read or understood."""
    opened = Source.open(path)
    return parse(opened.text(), opened.name)


def parse(content: str, place: str = "solution") -> SolutionFile:
    """Understand the text of a solution file, by its content; numbers are read as the decimals that they are.

    Raises: `InvalidInput` for an unknown or nameless format, for what is no finite number, for a name with two numbers.

    >>> found = parse("# Solution file\\nT 4\\nb_1_1_1_1 0.25\\n")
    >>> found.format, found.dual["b_1_1_1_1"]
    ('name and value', Fraction(1, 4))
    """
    for name, known, entries in _FORMATS:
        if known(content):
            return _collected(name, entries(content, place), place)
    raise AssertionError("the last format takes every text")


def _collected(form: str, entries: Iterable[Entry], place: str) -> SolutionFile:
    found: tuple[dict[str, Fraction], dict[str, Fraction]] = ({}, {})
    for name, *numbers in entries:
        for kind, number in zip(found, numbers, strict=True):
            if number is not None:
                value = _number(number, f"{place}: {name}")
                if kind.setdefault(name, value) != value:
                    _fail(f"{place}: {name}", "two numbers", f"{number} after {kind[name]}", "one", "keep one solution")
    if not any(found):
        _fail(place, "no solution", f"no name with a number ({form})", FORMATS, "write names and duals to the file")
    return SolutionFile(form, *found)


def _number(number: object, place: str) -> Fraction:
    try:
        return exact.rational(number)
    except exact.BadNumber as bad:
        return _fail(place, "no number", str(bad), "a finite number", "solve to optimality first")


def _fail(place: str, reason: str, got: str, expected: str, fix: str) -> NoReturn:
    raise InvalidInput(Problem(place, reason, got, expected, fix))


# ---------------------------------------------------------------------- formats
def _lines(content: str) -> Iterator[list[str]]:
    return (fields for fields in map(str.split, content.splitlines()) if fields)


def _json(content: str, place: str) -> Iterator[Entry]:
    """A JSON object from names to numbers, or Gurobi's, whose rows and columns carry their names as tags."""
    try:
        document = json.loads(content, parse_float=Decimal, parse_constant=str, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as bad:
        _fail(place, "not JSON", str(bad), "a JSON object of names and numbers", "correct the file")
    if "SolutionInfo" in document:
        yield from _gurobi(document, place)
    else:
        yield from ((name, _written(number), _written(number)) for name, number in document.items())


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("one name twice")
    return dict(pairs)


def _written(number: object) -> object:
    return "null" if number is None else number


def _gurobi(document: dict[str, Any], place: str) -> Iterator[Entry]:
    for group, tag, value, dual in (("Vars", "VTag", "X", "RC"), ("Constrs", "CTag", "Slack", "Pi")):
        listed = document.get(group, [])
        for one in listed if isinstance(listed, list) else [listed]:
            match one:
                case {"VTag": [str(name)]} | {"CTag": [str(name)]}:
                    yield name, _written(one.get(value, 0)), _written(one.get(dual, 0))
                case _:
                    _fail(place, "no names", f"{group} without {tag}", "tags", f"set {tag} to the names before solving")


def _cplex(content: str, place: str) -> Iterator[Entry]:
    for element in re.findall(r"<(?:constraint|variable)\s[^>]*>", content):
        fields = dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', element))
        if "name" not in fields:
            _fail(place, "no names", element, 'name="..."', "write the solution of the exported file, with names")
        yield fields["name"], fields.get("value", fields.get("slack")), fields.get("dual", fields.get("reducedCost"))


def _highs_raw(content: str, place: str) -> Iterator[Entry]:
    section = ""
    for fields in _lines(content):
        if fields[0] == "#":
            section = fields[1] if fields[1] in ("Primal", "Dual", "Basis") else section
        elif section == "Primal" and len(fields) in (2, 3) and fields[0] != "Objective":
            yield fields[0], fields[1], None
        elif section == "Dual" and len(fields) == 2 and fields[0] != "Objective":
            yield fields[0], None, fields[1]


def _highs_pretty(content: str, place: str) -> Iterator[Entry]:
    """Columns `Index Status Lower Upper Primal Dual Name`, where the status may be blank."""
    head: list[str] = []
    for fields in _lines(content):
        if fields[0] == "Index":
            head = fields
        elif head and fields[0].isdigit() and len(fields) >= len(head) - 1:
            row = dict(zip(reversed(head), reversed(fields), strict=False))
            yield row["Name"], row["Primal"], row.get("Dual")


def _glpk(content: str, place: str) -> Iterator[Entry]:
    """Columns of fixed width; long names stand on a line of their own; a basic row's marginal is blank."""
    joined = re.sub(r"(?m)^( *\d+ \S{13,})\n {20}", r"\1 ", content)
    for line in joined.splitlines():
        found = re.match(r" *\d+ (\S+) +(?:B |N[LUFS]) (.*)", line)
        if found:
            numbers = [found[2][k : k + 13].strip() for k in (0, 14, 28, 42)]
            yield found[1], numbers[0], re.sub(r"< eps|^$", "0", numbers[3])


def _cbc(content: str, place: str) -> Iterator[Entry]:
    """`index name value dual`, after a line on the status; `**` marks what is infeasible."""
    for fields in list(_lines(content))[1:]:
        if len(fields) == 4 and fields[0].isdigit():
            yield fields[1], fields[2], fields[3]
        else:
            _fail(place, "not a line of Cbc", " ".join(fields), "index name value dual", "solve to optimality first")


def _plain(content: str, place: str) -> Iterator[Entry]:
    for number, line in enumerate(content.splitlines(), 1):
        text = re.sub(r"\(obj:[^)]*\)\s*$", "", line).strip()
        if not text or text.startswith(_REMARKS):
            continue
        fields = [field.strip('"') for field in re.split(r"\s*,\s*|\s+", text)]
        if number == 1 and fields[0].lower() in ("name", "row", "column", "constraint", "variable"):
            continue
        if len(fields) != 2:
            _fail(f"{place}:{number}", "unknown format", repr(line[:60]), "a name and a number", f"formats: {FORMATS}")
        yield fields[0], fields[1], fields[1]


_REMARKS = ("#", "solution status:", "objective value:")


def _nameless(content: str, place: str) -> Iterator[Entry]:
    _fail(place, "no names", "GLPK's format of numbers", "names", "write the printable format (glpsol --output)")


def _has(pattern: str) -> Callable[[str], bool]:
    return lambda content: re.search(pattern, content, re.MULTILINE) is not None


_FORMATS: tuple[tuple[str, Callable[[str], bool], Callable[[str, str], Iterator[Entry]]], ...] = (
    ("JSON", _has(r"\A\s*\{"), _json),
    ("CPLEX", _has(r"\A\s*<"), _cplex),
    ("HiGHS", _has(r"^# (Primal|Dual) solution values"), _highs_raw),
    ("HiGHS, pretty", _has(r"^ *Index +Status .* Name *$"), _highs_pretty),
    ("GLPK", _has(r"^ +No\. +(Row|Column) name +St "), _glpk),
    ("GLPK, numbers", _has(r"^s (bas|ipt|mip) "), _nameless),
    ("Cbc", _has(r"\A\S.* - objective value "), _cbc),
    ("name and value", _has(r""), _plain),
)
