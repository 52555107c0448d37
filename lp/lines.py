"""Linear programs written out line by line, with the user's own names and exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from lp.counted import Counted
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.printable import printable


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


class Program(NamedTuple):
    """A program: what is optimised, its rows, and the variables that are not negative."""

    goal: str
    lines: list[Line]
    signs: str


class Pieces(NamedTuple):
    """The counted pairs, the x and the size of each, the names of jobs and of machines."""

    pairs: Counted
    x: list[str]
    size: list[int]
    job: list[str]
    machine: list[str]

    @classmethod
    def of(cls, instance: Instance, style: Style) -> Pieces:
        """Name the pieces of an instance in a style."""
        pairs = Counted.of(instance)
        job = [style.name(str(name)) for name in instance.ids]
        machine = [style.name(instance.machine_name(i)) for i in range(instance.machines)]
        jobs, machines = pairs.job.tolist(), pairs.machine.tolist()
        x = [style.variable("x", job[j], machine[i]) for j, i in zip(jobs, machines, strict=True)]
        return cls(pairs, x, instance.size[pairs.job].tolist(), job, machine)

    def covering(self) -> list[Line]:
        """The rows that dispatch each job: its x sum to at least 1."""
        shares: list[list[str]] = [[] for _ in self.job]
        for k, j in enumerate(self.pairs.job.tolist()):
            shares[j].append(self.x[k])
        return [Line(total(own), ">=", "1", f"job {name}") for own, name in zip(shares, self.job, strict=True)]


def written(which: str, latex: bool, programs: Mapping[str, Callable[[Style], Program]]) -> str:
    """Write the `primal` (a minimisation) or the `dual` (a maximisation) of `programs`, as text or as LaTeX.

    Raises: `InvalidInput` for another `which`.
    """
    program = lined(which, programs, latex)
    return (_document if latex else _plain)("minimise" if which == "primal" else "maximise", *program)


def lined(which: str, programs: Mapping[str, Callable[[Style], Program]], latex: bool = False) -> Program:
    """The `primal` or the `dual` of `programs`, line by line. Raises: `InvalidInput` for another `which`."""
    if which not in ("primal", "dual"):
        raise InvalidInput(Problem("which", "unknown program", repr(which), "primal or dual", "choose one"))
    return programs[which](_LATEX if latex else _TEXT)


def term(coefficient: int | Fraction, variable: str) -> str:
    """`coefficient variable`, without a coefficient of 1.

    >>> term(1, "x"), term(2, "x"), term(Fraction(1, 4), "x"), term(Fraction(2, 3), "x")
    ('x', '2 x', '1/4 x', '2/3 x')
    """
    return variable if coefficient == 1 else f"{coefficient} {variable}"


def total(terms: Iterable[str]) -> str:
    """The sum of written terms, 0 for none."""
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


def one_document(documents: Iterable[str]) -> str:
    """Several LaTeX documents of this module as one, in order."""
    begin, end = "\\begin{document}\n", "\\end{document}\n"
    parts = [document.partition(begin) for document in documents]
    bodies = [body.removesuffix(end) for _, _, body in parts]
    return parts[0][0] + begin + "".join(bodies) + end


_SPECIAL = {c: rf"\{c}" for c in "{}$&#_%"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


def _escaped(name: str) -> str:
    """A name in LaTeX; letters that the T1 fonts lack are escaped too."""
    known = (c if c < "\u0180" else c.encode("unicode_escape").decode() for c in printable(name))
    return "".join(_SPECIAL.get(c, c) for c in "".join(known))


_TEXT = Style(printable, lambda letter, *index: f"{letter}[{','.join(index)}]", {">=": ">=", "<=": "<="})
_LATEX = Style(
    _escaped,
    lambda letter, *index: rf"{letter}_{{\text{{{', '.join(index)}}}}}",
    {">=": r"\ge", "<=": r"\le"},
)
