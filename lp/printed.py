"""The two linear programs of Lemma 6.1 written out line by line, with the user's own names and exact numbers."""

from __future__ import annotations

from functools import partial

from lp.counted import interval_rows
from lp.lines import Line, Pieces, Program, Style, term, total, written
from online.instance import Instance

ROW_LIMIT = 2_000
"""Most interval rows that are still printed: a person reads these."""


def readable(instance: Instance, which: str, latex: bool = False, *, row_limit: int = ROW_LIMIT) -> str:
    """Write the `primal` or `dual` of Lemma 6.1 for this instance, times in ticks.

    With `latex`, a whole document (amsmath, one aligned row a line) that compiles as it stands.

    Raises: `InvalidInput` for another `which`; `LimitReached` above `row_limit` interval rows.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1, Lemma 6.1.

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
    """
    programs = {"primal": partial(_primal, instance, row_limit), "dual": partial(_dual, instance, row_limit)}
    return written(which, latex, programs)


def _primal(instance: Instance, limit: int, style: Style) -> Program:
    pieces = Pieces.of(instance, style)
    pairs, x, size, _, machine = pieces
    lines = []
    for i, start, end, first, last in interval_rows(pairs, limit):
        volume = total(term(size[k], x[k]) for k in range(first, last))
        length = f" - {end - start}" if end > start else ""
        words = f"interval [{start}, {end}] on machine {machine[i]}"
        lines.append(Line("T", ">=", volume + length, words))
    return Program("T", lines + pieces.covering(), "T, x")


def _dual(instance: Instance, limit: int, style: Style) -> Program:
    pairs, x, size, job, machine = Pieces.of(instance, style)
    intervals = interval_rows(pairs, limit)
    a = [style.variable("a", name) for name in job]
    b = [style.variable("b", f"{row.start}..{row.end}", machine[row.machine]) for row in intervals]
    lengths = [term(row.end - row.start, one) for row, one in zip(intervals, b, strict=True) if row.end > row.start]
    counting: list[list[str]] = [[] for _ in x]
    for row, one in zip(intervals, b, strict=True):
        for k in range(row.first, row.last):
            counting[k].append(term(size[k], one))
    lines = [
        Line(a[j], "<=", total(counting[k]), f"job {job[j]} on machine {machine[i]}")
        for k, (j, i) in enumerate(zip(pairs.job.tolist(), pairs.machine.tolist(), strict=True))
    ]
    lines.append(Line(total(b), "<=", "1", "prices T"))
    return Program(" - ".join([total(a), *lengths]), lines, "a, b")
