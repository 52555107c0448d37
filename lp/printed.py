"""The two linear programs of Lemmas 6.1 and 6.6 written out, with the user's own names and exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from lp.counted import IntervalRow, interval_rows
from lp.lines import Line, Pieces, Program, Style, lined, term, total, written
from online.instance import Instance
from online.weights import Weights

ROW_LIMIT = 2_000
"""Most interval rows that are still printed: a person reads these."""


def readable(
    instance: Instance, which: str, latex: bool = False, *, weights: Weights | None = None, row_limit: int = ROW_LIMIT
) -> str:
    """Write the `primal` or `dual` of Lemma 6.1 for this instance, times in ticks; with `weights`, that of Lemma 6.6.

    With `latex`, a whole document (amsmath, one aligned row a line) that compiles as it stands.

    Raises: `InvalidInput` for another `which`; `LimitReached` above `row_limit` interval rows.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemmas 6.1 and 6.6.

    >>> from online.rows import Row
    >>> print(readable(Instance.from_rows(1, [Row("a", 0, 2), Row("b", 1, 3)]), "primal"))
    minimise  T
    subject to
      T >= 2 x[a,1]                    interval [0, 0] on machine 1
      T >= 2 x[a,1] + 3 x[b,1] - 1     interval [0, 1] on machine 1
      T >= 3 x[b,1]                    interval [1, 1] on machine 1
      x[a,1] >= 1                      job a
      x[b,1] >= 1                      job b
      T, x >= 0
    >>> print(readable(Instance.from_rows(1, [Row("a", 0, 2), Row("b", 0, 3)]), "dual", weights=Weights.of([1, 4])))
    maximise  a[a] + a[b]
    subject to
      a[a] <= 2 b[0..0,1,1]                     job a on machine 1
      a[b] <= 3 b[0..0,1,1] + 3 b[0..0,1,4]     job b on machine 1
      b[0..0,1,1] + 1/4 b[0..0,1,4] <= 1        prices T
      a, b >= 0
    """
    return written(which, latex, _programs(instance, weights, row_limit))


def program(instance: Instance, which: str, *, weights: Weights | None = None, row_limit: int = ROW_LIMIT) -> Program:
    """The same line by line: of the primal the intervals, then the jobs; of the dual the counted pairs, then T's.

    Raises: as `readable`.
    """
    return lined(which, _programs(instance, weights, row_limit))


def _programs(instance: Instance, weights: Weights | None, limit: int) -> dict[str, Callable[[Style], Program]]:
    return {"primal": partial(_primal, instance, weights, limit), "dual": partial(_dual, instance, weights, limit)}


def _primal(instance: Instance, weights: Weights | None, limit: int, style: Style) -> Program:
    pieces = Pieces.of(instance, style)
    pairs, x, size, _, machine = pieces
    lines = []
    for row in interval_rows(pairs, limit, weights):
        volume = total(term(size[k], x[k]) for k in row.pairs)
        length = f" - {row.end - row.start}" if row.end > row.start else ""
        words = f"interval [{row.start}, {row.end}] on machine {machine[row.machine]}"
        heavy = "" if weights is None else f", weight {weights.values[row.weight_class]} or more"
        lines.append(Line(_over("T", _inverse(row, weights)), ">=", volume + length, words + heavy))
    return Program("T", lines + pieces.covering(), "T, x")


def _dual(instance: Instance, weights: Weights | None, limit: int, style: Style) -> Program:
    pairs, x, size, job, machine = Pieces.of(instance, style)
    intervals = interval_rows(pairs, limit, weights)
    a = [style.variable("a", name) for name in job]
    b = [
        style.variable("b", f"{row.start}..{row.end}", machine[row.machine], *_class_name(row, weights))
        for row in intervals
    ]
    lengths = [term(row.end - row.start, one) for row, one in zip(intervals, b, strict=True) if row.end > row.start]
    counting: list[list[str]] = [[] for _ in x]
    for row, one in zip(intervals, b, strict=True):
        for k in row.pairs:
            counting[k].append(term(size[k], one))
    lines = [
        Line(a[j], "<=", total(counting[k]), f"job {job[j]} on machine {machine[i]}")
        for k, (j, i) in enumerate(zip(pairs.job.tolist(), pairs.machine.tolist(), strict=True))
    ]
    shares = (term(_inverse(row, weights), one) for row, one in zip(intervals, b, strict=True))
    lines.append(Line(total(shares), "<=", "1", "prices T"))
    return Program(" - ".join([total(a), *lengths]), lines, "a, b")


def _inverse(row: IntervalRow, weights: Weights | None) -> Fraction:
    return Fraction(1) if weights is None else 1 / Fraction(weights.values[row.weight_class])


def _class_name(row: IntervalRow, weights: Weights | None) -> tuple[str, ...]:
    return () if weights is None else (str(weights.values[row.weight_class]),)


def _over(variable: str, share: Fraction) -> str:
    """`share variable`, as a quotient where the share is 1/w."""
    return term(share, variable) if share.numerator > 1 or share == 1 else f"{variable}/{share.denominator}"
