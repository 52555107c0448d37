"""The rows of both linear programs at a point of each, as they are shown: all of them, or those that say most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from certify.report.argument import Ground
from certify.report.points import Primal
from lp import lines, printed
from lp.complementary import PrimalDual, Row
from lp.gap import Gap
from lp.load import printed as load_printed
from online.family import IntervalFamily

TELLING = 15
"""Most rows of a kind that are shown of programs that are not written out."""


@dataclass(frozen=True)
class Line:
    """A row as it is shown: the inequality, what it says in words, and its numbers."""

    text: str
    words: str
    row: Row


@dataclass(frozen=True)
class Table:
    """Rows of one program: those shown, how many there are, and how many of all are tight."""

    lines: Sequence[Line]
    count: int
    tight: int
    told: str = ""


@dataclass(frozen=True)
class View:
    """A point of each program, with the rows of both, and the parts of the gap by their reasons."""

    T: Fraction
    value: Fraction
    primal: list[Table]
    dual: list[Table]
    parts: list[tuple[str, Fraction]]
    counts: list[str] = field(default_factory=list)

    @property
    def gap(self) -> Fraction:
        """The primal's value less the dual's."""
        return self.T - self.value


def small_view(ground: Ground, both: PrimalDual) -> View:
    """Every row of both programs, as they are printed."""
    both.check()
    load = ground.problem == "load"
    upper, lower = _printed(ground, "primal"), _printed(ground, "dual")
    count, order = len(both.intervals), _dual_order(ground, both)
    return View(
        both.T,
        both.value,
        [_table(upper[:count], both.intervals), _table(upper[count:], both.jobs)],
        [_table(lower[:-1], [both.pairs[k] for k in order]), _table(lower[-1:], [both.share])],
        [
            (FULL[load], _cost(both.intervals)),
            ("jobs dispatched more than once", _cost(both.jobs)),
            (SPREAD[load], _cost(both.pairs)),
            ("prices that add up to less than 1", both.share.cost),
        ],
    )


FULL = ("intervals with a price that are not full", "machines with a price that are not full")
"""Rows of the primal that add to the gap, in time and for load."""

SPREAD = (
    "jobs on machines where more intervals count them than on another",
    "jobs on machines that cost more than another",
)
"""Rows of the dual that add to the gap, in time and for load."""

SIGNS = {">=": "\N{GREATER-THAN OR EQUAL TO}", "<=": "\N{LESS-THAN OR EQUAL TO}"}


def _cost(rows: Sequence[Row]) -> Fraction:
    return sum((row.cost for row in rows), Fraction(0))


def _printed(ground: Ground, which: str) -> list[lines.Line]:
    if ground.problem == "load":
        return load_printed.program(ground.instance, which).lines
    return printed.program(ground.instance, which, weights=ground.weights if ground.weighted else None).lines


def _dual_order(ground: Ground, both: PrimalDual) -> list[int]:
    """The pairs in the order in which the dual is printed: machine by machine, for load job by job."""
    jobs = both.shape.counted.job
    return list(range(len(jobs))) if ground.problem != "load" else np.argsort(jobs, kind="stable").tolist()


def _table(texts: Sequence[lines.Line], rows: Sequence[Row]) -> Table:
    """Rows with a multiplier first, then tight ones, each in the order of print."""
    shown = [
        Line(f"{one.left} {SIGNS[one.relation]} {one.right}", one.words, row)
        for one, row in zip(texts, rows, strict=True)
    ]
    shown.sort(key=lambda line: (line.row.multiplier == 0, not line.row.tight))
    return Table(shown, len(rows), sum(row.tight for row in rows))


def large_view(ground: Ground, primal: Primal, family: IntervalFamily) -> View:
    """The rows that can add to the gap: of the family's intervals, and of each job where it is."""
    instance, load = ground.instance, ground.problem == "load"
    if load:
        instance = replace(instance, release=np.zeros(instance.n, dtype=np.int64))
    gap = Gap.of(instance, family, primal.dispatch, primal.T, ground.weights)
    words, slack = "machines" if load else "intervals", gap.unused[0]
    times, size = gap.family.multiplicity.tolist(), instance.size.tolist()
    duals = [alpha * p for alpha, p in zip(gap.alpha.tolist(), size, strict=True)]
    return View(
        gap.T,
        gap.value,
        list(_telling(words, slack, times, gap.costs, lambda k: _interval(ground, gap, k))),
        list(_telling("jobs", gap.excess, duals, gap.excess, lambda j: _placed(ground, gap, primal, j))),
        [(FULL[load], gap.idle), (SPREAD[load], gap.spread)],
        [
            f"Tight are {slack.count(0)} of the {len(slack)} {words} with a price",
            f"all {instance.n} rows of jobs are",
            f"of the dual's rows of jobs where they are, {gap.excess.count(0)} of {instance.n}",
            f"of those of all jobs and eligible machines, {gap.tight_pairs} of {len(gap.counted.job)}",
        ],
    )


def _telling(
    what: str, slack: Sequence[int], size: Sequence[int], cost: Sequence[int], line: Callable[[int], Line]
) -> Iterator[Table]:
    """The tight rows of the largest size, then those that cost most."""
    tight = sorted((k for k, left in enumerate(slack) if not left), key=lambda k: -size[k])
    costly = sorted((k for k, own in enumerate(cost) if own), key=lambda k: -cost[k])
    for chosen, words in ((tight, f"Tight {what}, largest first"), (costly, f"{what} that add to the gap, most first")):
        if chosen:
            told = words[0].upper() + words[1:]
            yield Table([line(k) for k in chosen[:TELLING]], len(chosen), 0 if chosen is costly else len(chosen), told)


def _interval(ground: Ground, gap: Gap, k: int) -> Line:
    family, row = gap.family, gap.interval(k)
    name = ground.instance.machine_name(int(family.machine[k]))
    if ground.problem == "load":
        return Line(f"T {SIGNS['>=']} load", f"machine {name}", row)
    start, end, weight = int(family.start[k]), int(family.end[k]), family.weights[int(family.weight_class[k])]
    over = "T" if weight == 1 else f"T/{weight}" if weight.denominator == 1 else f"T/({weight})"
    length = f" - {end - start}" if end > start else ""
    heavy = f", weight {weight} or more" if ground.weighted else ""
    return Line(f"{over} {SIGNS['>=']} volume{length}", f"interval [{start}, {end}] on machine {name}{heavy}", row)


def _placed(ground: Ground, gap: Gap, primal: Primal, j: int) -> Line:
    alpha, cover = int(gap.alpha[j]), int(gap.cover[gap.placed[j]])
    name = ground.instance.machine_name(int(primal.dispatch[j]))
    what = "costs" if ground.problem == "load" else "counted"
    words = f"job {ground.instance.ids[j]} on machine {name}: {what} {cover} there, {alpha} where it is least"
    return Line(f"a {SIGNS['<=']} p \N{GREEK CAPITAL LETTER SIGMA} b", words, gap.job(j))
