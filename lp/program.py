"""A linear program in columns and sparse rows, and the way in for readable PuLP models."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from online.errors import InvalidInput, Problem

Floats: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int64]
Row: TypeAlias = tuple[Mapping[int, float], int, float]
"""`(coefficient of each column, sense, right-hand side)`."""

GE, EQ, LE = 1, 0, -1


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """Minimise (or maximise) `cost . x + constant` over rows `a . x (>=, =, <=) rhs` and `lower <= x <= upper`.

    Rows are sparse: row `k` has the entries `start[k]:start[k + 1]` of `index` and `value`; `sense` holds
    `GE`, `EQ` or `LE`. Columns and rows may carry names. All numbers are floats: see `lp.backend`.
    """

    cost: Floats
    lower: Floats
    upper: Floats
    sense: Whole
    rhs: Floats
    start: Whole
    index: Whole
    value: Floats
    integer: npt.NDArray[np.bool_] | None = None
    maximise: bool = False
    constant: float = 0.0
    column_names: tuple[str, ...] = ()
    row_names: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        cost: Sequence[float],
        rows: Iterable[Row],
        lower: Sequence[float] | None = None,
        upper: Sequence[float] | None = None,
        **more: Any,
    ) -> LinearProgram:
        """Build row by row; without bounds, columns are >= 0; zero coefficients are left out.

        >>> LinearProgram.of([2, 3], [({0: 1, 1: 1}, GE, 4), ({0: 1, 1: 0}, LE, 3)]).index.tolist()
        [0, 1, 0]
        """
        n, listed = len(cost), list(rows)
        entries = [[(j, a) for j, a in row.items() if a != 0] for row, _, _ in listed]
        return cls(
            np.array(cost, dtype=np.float64),
            np.array([0.0] * n if lower is None else lower, dtype=np.float64),
            np.array([math.inf] * n if upper is None else upper, dtype=np.float64),
            np.array([sense for _, sense, _ in listed], dtype=np.int64),
            np.array([rhs for _, _, rhs in listed], dtype=np.float64),
            np.cumsum([0, *map(len, entries)], dtype=np.int64),
            np.array([j for row in entries for j, _ in row], dtype=np.int64),
            np.array([a for row in entries for _, a in row], dtype=np.float64),
            **more,
        )

    @classmethod
    def from_triplets(
        cls, cost: Floats, entries: Sequence[tuple[Whole, Whole, float | Floats]], sense: Whole, rhs: Floats
    ) -> LinearProgram:
        """Build from blocks `(rows, columns, values)`, in any order; columns are >= 0.

        >>> one = np.arange(2)
        >>> LinearProgram.from_triplets(np.ones(2), [(one, one, 3.0)], np.full(2, GE), np.ones(2)).value
        array([3., 3.])
        """
        row = np.concatenate([rows for rows, _, _ in entries])
        column = np.concatenate([columns for _, columns, _ in entries])
        value = np.concatenate([np.broadcast_to(values, rows.shape) for rows, _, values in entries])
        order = np.lexsort((column, row))
        start = np.searchsorted(row[order], np.arange(len(rhs) + 1)).astype(np.int64)
        n = len(cost)
        free = (np.zeros(n), np.full(n, math.inf))
        return cls(cost, *free, sense, rhs, start, column[order], value[order].astype(np.float64))

    @property
    def is_integer(self) -> bool:
        """Whether some column must be whole."""
        return self.integer is not None and bool(self.integer.any())

    def times(self, x: Floats) -> Floats:
        """Row activities `A x`."""
        return _sums(self._row_of_entry, self.value * x[self.index], len(self.rhs))

    def transposed(self, y: Floats) -> Floats:
        """`A' y`, one number a column."""
        return _sums(self.index, self.value * y[self._row_of_entry], len(self.cost))

    @property
    def _row_of_entry(self) -> Whole:
        return np.repeat(np.arange(len(self.rhs)), np.diff(self.start))


def _sums(key: Whole, terms: Floats, length: int) -> Floats:
    return np.bincount(key, terms, length).astype(np.float64)


def from_pulp(problem: Any) -> LinearProgram:
    """Take over a PuLP model (PuLP 3 or 4): columns in order of name length, then name; rows as added.

    Raises: `InvalidInput` for names used twice and for SOS groups, which a `LinearProgram` cannot hold.
    """
    variables = sorted(problem.variables(), key=lambda v: (len(v.name), v.name))
    number = {v.name: k for k, v in enumerate(variables)}
    constraints, objective = list(problem.constraints()), problem.objective
    _refuse_pulp(problem, len(variables) - len(number), [c.name for c in constraints])
    terms = {} if objective is None else {v.name: c for v, c in objective.items()}
    return LinearProgram.of(
        [terms.get(name, 0.0) for name in number],
        [({number[v.name]: a for v, a in c.items()}, int(c.sense), -c.constant) for c in constraints],
        [-math.inf if v.lowBound is None else v.lowBound for v in variables],
        [math.inf if v.upBound is None else v.upBound for v in variables],
        integer=np.array([v.cat == "Integer" for v in variables], dtype=bool),
        maximise=problem.sense == -1,
        constant=0.0 if objective is None else float(objective.constant),
        column_names=tuple(number),
        row_names=tuple(c.name for c in constraints),
    )


def _refuse_pulp(problem: Any, repeated_columns: int, rows: Sequence[str]) -> None:
    place = f"PuLP model {problem.name}"
    grouped = getattr(problem, "sos1", None) or getattr(problem, "sos2", None)
    if grouped or (hasattr(problem, "has_sos") and problem.has_sos()):
        raise InvalidInput(Problem(place, "SOS groups", "a model with SOS groups", "none", "use 0/1 columns"))
    if repeated_columns or len(set(rows)) != len(rows):
        kind = "variables" if repeated_columns else "rows"
        raise InvalidInput(
            Problem(place, "repeated names", f"two {kind} of one name", "one name each", "use running numbers")
        )
