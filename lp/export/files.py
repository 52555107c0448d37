"""An exact program as an MPS or CPLEX LP file, with a legend that says what its names mean."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import count

from lp.export.program import OBJECTIVE, ExactProgram, ExactRow, Term
from online import exact
from online.instance import Instance
from online.weights import Weights

WIDTH = 500
"""Longest line: CPLEX reads no more than 560 characters."""

EXACT_DOUBLE = 1 << 53
"""Whole numbers above this may lose digits in a solver's floats; the file holds all of them."""

_NAMES = {
    "T": "T: the bound",
    "x": "x_J_M: the share of job J on machine M; as a row, its price",
    "a": "a_J: job J is dispatched",
    "alpha": "alpha_J: the dual of job J",
    "b": "b_W_M_S_E: the jobs of weight W on, released from time S to time E, on machine M",
    "beta": "beta_W_M_S_E: the dual of the interval from time S to time E on machine M for the jobs of weight W on",
    "q": "q_W_M_K: the work left on machine M just after time K, of jobs of weight W on",
    "r": "r_W_M_K: the work left of the time before, just before time K",
    "y": "y_W_M_K: the row that fills q; its dual counts the intervals that cover time K",
    "z": "z_W_M_K: the row that links r to the time before; its dual counts the intervals that cover both",
}
_OTHER = {
    ("lindley", "b"): "b_W_M_K: T bounds q",
    ("load primal", "b"): "b_M: T bounds the load of machine M",
    ("load dual", "beta"): "beta_M: the price of machine M",
}


def legend(
    instance: Instance, weights: Weights, program: ExactProgram, value: str, weight_unit: Fraction = Fraction(1)
) -> list[str]:
    """What a file says before its program; `value` is what T* is, `weight_unit` that of `weights`.

    Jobs, machines, times and weights are numbered from 1; ids stand in JSON, so that every line is printable ASCII.
    """
    letters = dict.fromkeys(name.split("_")[0] for name in (*program.columns, *(row.name for row in program.rows)))
    title, factor = program.title, exact.text(program.unit * instance.tick * weight_unit)
    lines = [
        f"dualfit: the {title} program, exact. All numbers are whole, all columns >= 0.",
        f"optimum * {factor} = lower bound on {value} in the units of the input",
        *(_OTHER.get((title, letter), _NAMES[letter]) for letter in letters),
    ]
    if not title.startswith("load"):
        lines.append("the multiplicity of an interval is the value of its dual times the factor of weight W")
        times = sorted(set(instance.release.tolist()))
        lines += [f"time {k + 1} = {exact.text(time * instance.tick)}" for k, time in enumerate(times)]
        lines += [
            f"weight {k + 1} = {exact.text(weight * weight_unit)}, factor {Fraction(weight).numerator}"
            for k, weight in enumerate(weights.values)
        ]
    if program.largest > EXACT_DOUBLE:
        lines.append("note: some numbers are above 2^53; the file is exact, but a solver in floats rounds them")
    lines += [f"machine {i + 1} = {json.dumps(instance.machine_name(i))}" for i in range(instance.machines)]
    lines += [f"job {j + 1} = {json.dumps(name)}" for j, name in enumerate(instance.ids)]
    return [line if len(line) <= WIDTH else line[: WIDTH - 3] + "..." for line in lines]


def mps(program: ExactProgram, head: Iterable[str]) -> str:
    """The program as a free-format MPS file, lines of `head` as comments; MPS minimises, so a maximum is negated.

    >>> print(mps(ExactProgram("", ("x",), (1,), (ExactRow("a", ((0, 2),), 3),), Fraction(1)), ["hello"]), end="")
    * hello
    NAME dualfit FREE
    ROWS
     N objective
     G a
    COLUMNS
     x objective 1
     x a 2
    RHS
     rhs a 3
    ENDATA
    """
    return "".join(f"{line}\n" for line in _mps(program, head))


def _mps(program: ExactProgram, head: Iterable[str]) -> Iterator[str]:
    sign = -1 if program.maximise else 1
    yield from (f"* {line}" for line in head)
    if program.maximise:
        yield "* the program maximises; this file minimises minus its objective: multiply its optimum by -1 first"
    yield from ("NAME dualfit FREE", "ROWS", f" N {OBJECTIVE}")
    yield from (f" {'L' if program.maximise else 'G'} {row.name}" for row in program.rows)
    yield "COLUMNS"
    for name, cost, terms in zip(program.columns, program.cost, program.by_column(), strict=True):
        if cost:
            yield f" {name} {OBJECTIVE} {sign * cost}"
        yield from (f" {name} {program.rows[k].name} {a}" for k, a in terms)
    yield "RHS"
    yield from (f" rhs {row.name} {row.rhs}" for row in program.rows if row.rhs)
    yield "ENDATA"


def cplex_lp(program: ExactProgram, head: Iterable[str]) -> str:
    r"""The program as a CPLEX LP file, lines of `head` as comments.

    >>> row = ExactRow("a", ((0, 2), (1, -1)), 3)
    >>> print(cplex_lp(ExactProgram("", ("x", "y"), (1, 0), (row,), Fraction(1)), ["hello"]), end="")
    \ hello
    Minimize
     objective: 1 x
    Subject To
     a: 2 x - 1 y >= 3
    End
    """
    return "".join(f"{line}\n" for line in _lp(program, head))


def _lp(program: ExactProgram, head: Iterable[str]) -> Iterator[str]:
    yield from (f"\\ {line}" for line in head)
    yield "Maximize" if program.maximise else "Minimize"
    relation = "<=" if program.maximise else ">="
    yield from _sum(program, ExactRow(OBJECTIVE, tuple(_costs(program)), 0), "")
    yield "Subject To"
    for row in program.rows:
        yield from _sum(program, row, f" {relation} {row.rhs}")
    yield "End"


def _costs(program: ExactProgram) -> Iterator[Term]:
    return ((j, cost) for j, cost in zip(count(), program.cost) if cost)


def _sum(program: ExactProgram, row: ExactRow, end: str) -> Iterator[str]:
    """` name: 2 x - 3 y end`, broken before a term where a line gets too long."""
    line = f" {row.name}:"
    for k, (j, a) in enumerate(row.terms):
        sign = " -" if a < 0 else " +" if k else ""
        term = f"{sign} {abs(a)} {program.columns[j]}"
        if len(line) + len(term) > WIDTH // 2:
            yield line
            line = " "
        line += term
    yield line + end
