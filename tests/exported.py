"""Independent readers of what `dualfit export` writes: MPS, LP, and a checker for VIPR 1.0, all in exact arithmetic."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from online.instance import Instance
from online.rows import Row

EPOCH = 10**12
WEIGHTS = (Fraction(1, 3), Fraction(1), Fraction(2), Fraction(5, 2))


@st.composite
def weighted_instances(draw, machines: int = 3, jobs: int = 6) -> Instance:
    """Up to `jobs` weighted jobs with fractional sizes and releases, far from time 0."""
    m = draw(st.integers(1, machines))
    sets = st.lists(st.integers(0, m - 1), min_size=1, unique=True)
    job = st.tuples(st.integers(0, 8), st.integers(1, 5), sets, st.sampled_from(WEIGHTS))
    rows = [
        Row(f"job {n}", EPOCH + Fraction(r, 4), Fraction(p, 8), chosen, flow_weight=w)
        for n, (r, p, chosen, w) in enumerate(draw(st.lists(job, min_size=1, max_size=jobs)))
    ]
    return Instance.from_rows(m, rows)


@dataclass
class Parsed:
    """A program as a file states it: rows by name are `(coefficients by column, relation, right-hand side)`."""

    maximise: bool
    columns: list[str]
    cost: dict[str, int]
    rows: dict[str, tuple[dict[str, int], str, int]]


def parsed_mps(text: str) -> Parsed:
    """Read a free MPS file of whole numbers without bounds and ranges."""
    section, columns, cost = "", [], {}
    rows: dict[str, tuple[dict[str, int], str, int]] = {}
    for line in text.splitlines():
        fields = line.split()
        if line.startswith("*"):
            continue
        if not line.startswith(" "):
            section = fields[0]
        elif section == "ROWS" and fields[0] != "N":
            assert fields[1] not in rows
            rows[fields[1]] = ({}, {"G": ">=", "L": "<="}[fields[0]], 0)
        elif section == "COLUMNS":
            if fields[0] not in columns[-1:]:
                assert fields[0] not in columns
                columns.append(fields[0])
            where = cost if fields[1] == "objective" else rows[fields[1]][0]
            assert fields[0] not in where
            where[fields[0]] = int(fields[2])
        elif section == "RHS":
            rows[fields[1]] = (*rows[fields[1]][:2], int(fields[2]))
    assert section == "ENDATA"
    return Parsed(False, columns, cost, rows)


def parsed_lp(text: str) -> Parsed:
    """Read a CPLEX LP file of whole numbers without bounds."""
    lines = [line.split("\\")[0] for line in text.splitlines()]
    body = " ".join(lines)
    found = re.fullmatch(r"\s*(Minimize|Maximize) (.*) Subject To (.*) End", body)
    assert found is not None
    goal, *rest = re.split(r"(\S+):", f"{found[2]} {found[3]}")[1:]
    assert goal == "objective"
    pieces = [goal, *rest]
    columns: dict[str, None] = {}
    rows = {}
    for name, row in zip(pieces[0::2], pieces[1::2], strict=True):
        left, relation, right = (*re.split(r"(<=|>=)", row), "", "")[:3]
        terms = re.findall(r"([-+]?) *(\d+) (\S+)", left)
        coefficients = {column: int(sign + number) for sign, number, column in terms}
        assert len(coefficients) == len(terms)
        columns |= dict.fromkeys(coefficients)
        assert name not in rows
        rows[name] = (coefficients, relation, int(right or 0))
    cost = rows.pop("objective")[0]
    return Parsed(found[1] == "Maximize", list(columns), cost, rows)


class Rejected(Exception):
    """The certificate proves nothing."""


def check_vipr(text: str) -> tuple[Parsed, Fraction]:
    """Check a VIPR 1.0 certificate of a minimisation made of `lin` lines only; the program and the bound it proves.

    Source: the specification of the format, version 1.0: sections, suitable linear combinations, domination.
    """
    words = iter(" ".join(line for line in text.splitlines() if not line.startswith("%")).split())

    def take(*expected: str) -> str:
        word = next(words, "")
        if expected and word not in expected:
            raise Rejected(f"{word!r} instead of {expected}")
        return word

    def sparse(length: int, first: str | None = None) -> dict[int, Fraction]:
        pairs = [(int(take()), Fraction(take())) for _ in range(int(first or take()))]
        if len(dict(pairs)) < len(pairs) or not all(0 <= k < length for k, _ in pairs):
            raise Rejected("an index out of range or twice")
        return {k: a for k, a in pairs if a}

    take("VER"), take("1.0"), take("VAR")
    names = [take() for _ in range(int(take()))]
    take("INT"), take("0"), take("OBJ"), take("min")
    cost = sparse(len(names))

    def constraint() -> tuple[str, dict[int, Fraction], int, Fraction]:
        name, sense, rhs, first = take(), {"G": 1, "E": 0, "L": -1}[take("G", "E", "L")], Fraction(take()), take()
        return name, (cost if first == "OBJ" else sparse(len(names), first)), sense, rhs

    take("CON")
    count, bounds = int(take()), int(take())
    known = [constraint() for _ in range(count)]
    if any(len(terms) != 1 for _, terms, _, _ in known[:bounds]):
        raise Rejected("a bound of more than one column")
    take("RTP"), take("range")
    lower, _ = Fraction(take()), take("inf")
    take("SOL"), take("0"), take("DER")
    for _ in range(int(take())):
        made = constraint()
        take("{"), take("lin")
        reason = sparse(len(known))
        take("}"), take("-1")
        left: dict[int, Fraction] = {}
        right = Fraction(0)
        for k, factor in reason.items():
            _, terms, sense, rhs = known[k]
            if factor * sense < 0:
                raise Rejected("a multiplier of the wrong sign")
            right += factor * rhs
            for j, a in terms.items():
                left[j] = left.get(j, Fraction(0)) + factor * a
        left = {j: a for j, a in left.items() if a}
        if made[2] != 1 or right < made[3] or (left != made[1] and not (left == {} and right > 0)):
            raise Rejected("the combination does not dominate what it should prove")
        known.append(made)
    _, terms, sense, rhs = known[-1]
    if len(known) == count or next(words, None) is not None or (terms, sense) != (cost, 1) or rhs < lower:
        raise Rejected("the last line does not prove the bound")
    rows = {
        name: ({names[j]: int(a) for j, a in terms.items()}, ">=", int(rhs))
        for name, terms, _, rhs in known[bounds:count]
    }
    return Parsed(False, names, {names[j]: int(c) for j, c in cost.items()}, rows), lower
