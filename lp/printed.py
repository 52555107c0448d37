"""The two linear programs of Lemma 6.1 written out line by line, with the user's own names and exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from lp.counted import Counted, interval_rows
from online.errors import InvalidInput, Problem
from online.instance import Instance

ROW_LIMIT = 2_000
"""Most interval rows that are still printed: a person reads these."""


class Line(NamedTuple):
    """One row: `left relation right`, and what it says in words."""

    left: str
    relation: str
    right: str
    words: str


class Style(NamedTuple):
    """How the pieces of a program are written."""

    name: Callable[[str], str]
    variable: Callable[..., str]
    relation: dict[str, str]


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
    if which not in ("primal", "dual"):
        raise InvalidInput(Problem("which", "unknown program", repr(which), "primal or dual", "choose one"))
    style = _LATEX if latex else _TEXT
    goal, lines, signs = (_primal if which == "primal" else _dual)(instance, style, row_limit)
    verb = "minimise" if which == "primal" else "maximise"
    return (_document if latex else _plain)(verb, goal, lines, signs)


def _primal(instance: Instance, style: Style, limit: int) -> tuple[str, list[Line], str]:
    pairs, x, size, job, machine = _pieces(instance, style)
    lines = []
    for i, start, end, first, last in interval_rows(pairs, limit):
        volume = _sum(_term(size[k], x[k]) for k in range(first, last))
        length = f" - {end - start}" if end > start else ""
        words = f"interval [{start}, {end}] on machine {machine[i]}"
        lines.append(Line("T", ">=", volume + length, words))
    shares: list[list[str]] = [[] for _ in job]
    for k, j in enumerate(pairs.job.tolist()):
        shares[j].append(x[k])
    lines += [Line(_sum(own), ">=", "1", f"job {name}") for own, name in zip(shares, job, strict=True)]
    return "T", lines, "T, x"


def _dual(instance: Instance, style: Style, limit: int) -> tuple[str, list[Line], str]:
    pairs, x, size, job, machine = _pieces(instance, style)
    intervals = interval_rows(pairs, limit)
    a = [style.variable("a", name) for name in job]
    b = [style.variable("b", f"{row.start}..{row.end}", machine[row.machine]) for row in intervals]
    lengths = [_term(row.end - row.start, one) for row, one in zip(intervals, b, strict=True) if row.end > row.start]
    counting: list[list[str]] = [[] for _ in x]
    for row, one in zip(intervals, b, strict=True):
        for k in range(row.first, row.last):
            counting[k].append(_term(size[k], one))
    lines = [
        Line(a[j], "<=", _sum(counting[k]), f"job {job[j]} on machine {machine[i]}")
        for k, (j, i) in enumerate(zip(pairs.job.tolist(), pairs.machine.tolist(), strict=True))
    ]
    lines.append(Line(_sum(b), "<=", "1", "prices T"))
    return " - ".join([_sum(a), *lengths]), lines, "a, b"


def _pieces(instance: Instance, style: Style) -> tuple[Counted, list[str], list[int], list[str], list[str]]:
    """The counted pairs, the x and the size of each, the names of jobs and of machines."""
    pairs = Counted.of(instance)
    job = [style.name(str(name)) for name in instance.ids]
    machine = [style.name(instance.machine_name(i)) for i in range(instance.machines)]
    jobs, machines = pairs.job.tolist(), pairs.machine.tolist()
    x = [style.variable("x", job[j], machine[i]) for j, i in zip(jobs, machines, strict=True)]
    return pairs, x, instance.size[pairs.job].tolist(), job, machine


def _term(coefficient: int, variable: str) -> str:
    return variable if coefficient == 1 else f"{coefficient} {variable}"


def _sum(terms: Iterable[str]) -> str:
    return " + ".join(terms) or "0"


def _plain(verb: str, goal: str, lines: list[Line], signs: str) -> str:
    rows = [f"{line.left} {line.relation} {line.right}" for line in lines]
    width = min(60, max(map(len, rows), default=0))
    written = [f"  {row.ljust(width)}     {line.words}" for row, line in zip(rows, lines, strict=True)]
    return "\n".join([f"{verb}  {goal}", "subject to", *written, f"  {signs} >= 0"])


def _document(verb: str, goal: str, lines: list[Line], signs: str) -> str:
    rows = [
        rf"  & {line.left} {_LATEX.relation[line.relation]} {line.right} && \text{{{line.words}}} \\" for line in lines
    ]
    head = [r"\documentclass{article}", r"\usepackage[T1]{fontenc}", r"\usepackage{amsmath}"]
    body = [r"\begin{document}", r"\allowdisplaybreaks", r"\begin{align*}"]
    foot = [rf"  & {signs} \ge 0", r"\end{align*}", r"\end{document}"]
    objective = rf"  \text{{{verb}}} \quad & {goal} \\"
    return "\n".join([*head, *body, objective, r"  \text{subject to} \quad & \\", *rows, *foot]) + "\n"


def _shown(name: str) -> str:
    """A name on one line: what cannot be printed is escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


_SPECIAL = {c: rf"\{c}" for c in "{}$&#_%"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


def _escaped(name: str) -> str:
    """A name in LaTeX; letters that the T1 fonts lack are escaped too."""
    known = (c if c < "\u0180" else c.encode("unicode_escape").decode() for c in _shown(name))
    return "".join(_SPECIAL.get(c, c) for c in "".join(known))


_TEXT = Style(_shown, lambda letter, *index: f"{letter}[{','.join(index)}]", {">=": ">=", "<=": "<="})
_LATEX = Style(
    _escaped,
    lambda letter, *index: rf"{letter}_{{\text{{{', '.join(index)}}}}}",
    {">=": r"\ge", "<=": r"\le"},
)
