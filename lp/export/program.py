"""A linear program in whole numbers, with names that every file format takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from online.errors import FalseClaim

Term = tuple[int, int]
"""`(column, coefficient)`, the coefficient not 0."""

OBJECTIVE = "objective"
"""The name of the objective in a file."""


class ExactRow(NamedTuple):
    """One row `terms . x >= rhs` of a minimisation, `<=` of a maximisation; each column occurs at most once."""

    name: str
    terms: tuple[Term, ...]
    rhs: int


@dataclass(frozen=True, eq=False)
class ExactProgram:
    """Minimise `cost . x` over `rows` (>=), or, if `maximise`, maximise it over `rows` (<=); x >= 0.

    Claim: its optimum times `unit` is the value that `title` names, in ticks times the unit of the weights.
    """

    title: str
    columns: tuple[str, ...]
    cost: tuple[int, ...]
    rows: tuple[ExactRow, ...]
    unit: Fraction
    maximise: bool = False

    def dual(self, title: str, rename: Callable[[str], str]) -> ExactProgram:
        """The dual program: a column for each row, named by `rename`, and a row for each column, of its name.

        Claim: by strong duality the optimum is the same; a feasible point of the dual bounds it from below.

        >>> dual = ExactProgram("", ("x",), (1,), (ExactRow("a", ((0, 2),), 3),), Fraction(1)).dual("", str.upper)
        >>> dual.columns, dual.cost, dual.rows, dual.maximise
        (('A',), (3,), (ExactRow(name='x', terms=((0, 2),), rhs=1),), True)
        """
        rows = tuple(map(ExactRow, self.columns, self.by_column(), self.cost))
        columns = tuple(rename(row.name) for row in self.rows)
        cost = tuple(row.rhs for row in self.rows)
        return ExactProgram(title, columns, cost, rows, self.unit, not self.maximise)

    def by_column(self) -> list[tuple[Term, ...]]:
        """Of each column, its rows and coefficients."""
        found: list[list[Term]] = [[] for _ in self.columns]
        for k, row in enumerate(self.rows):
            for j, a in row.terms:
                found[j].append((k, a))
        return list(map(tuple, found))

    def slack(self, multipliers: Sequence[Fraction]) -> list[Fraction]:
        """Per column of a minimisation, what `multipliers` of the rows leave of its cost.

        Claim: multipliers and slack are >= 0, so the sum of multiplier times right-hand side is a lower bound.

        Raises: `FalseClaim` naming a row or column where this is not so.
        """
        left = list(map(Fraction, self.cost))
        for row, y in zip(self.rows, multipliers, strict=True):
            for j, a in row.terms if y else ():
                left[j] -= a * y
        rows = [row.name for row in self.rows]
        for name, value in zip([*self.columns, *rows], [*left, *multipliers], strict=True):
            if value < 0:
                raise FalseClaim(f"these multipliers prove no bound: {name} gets {value}, which is negative")
        return left

    @property
    def entries(self) -> int:
        """Number of coefficients in the rows."""
        return sum(len(row.terms) for row in self.rows)

    @property
    def largest(self) -> int:
        """The largest magnitude of any number in the program."""
        return max(map(abs, (*self.cost, *(n for row in self.rows for n in (row.rhs, *(a for _, a in row.terms))))))
