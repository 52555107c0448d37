"""Small instances with halves as times and thirds as weights, and claims about them, for tests of the diagnosis."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import strategies as st

from online.instance import Instance
from online.rows import Row

PROBLEMS = ("max-flow", "weighted", "stretch", "load")
HALVES = st.integers(0, 8).map(lambda k: Fraction(k, 2))
SIGNED = st.integers(-1, 6).map(lambda k: Fraction(k, 2))
MULTIPLES = st.integers(0, 6).map(lambda k: Fraction(k, 3))


class Case(NamedTuple):
    """An instance and the arguments of `diagnose`, intervals and prices by machine from 0, in the input's units."""

    instance: Instance
    arguments: dict[str, Any]

    @property
    def problem(self) -> str:
        """Of which objective."""
        return str(self.arguments["problem"])

    def weight(self, j: int) -> Fraction:
        """The weight of job j in the objective, in the input's units."""
        job, instance = self.instance.job(j), self.instance
        if self.problem == "weighted":
            return job.flow_weight * instance.weight_unit
        return 1 / (job.size * instance.tick) if self.problem == "stretch" else Fraction(1)

    def counts(self, interval: tuple[Any, ...], j: int, machine: int) -> bool:
        """Whether an interval on a machine counts a job, by the definition."""
        i, start, end, weight, _ = interval
        release = self.instance.job(j).release * self.instance.tick
        return i == machine and start <= release <= end and (weight is None or self.weight(j) >= weight)

    @property
    def intervals(self) -> list[tuple[Any, ...]]:
        """The intervals, or those that prices stand for: on all of time."""
        if self.problem == "load":
            return [(i, 0, 10**6, None, price) for i, price in enumerate(self.arguments["prices"])]
        return list(self.arguments["intervals"])

    def right(self, j: int, machine: int) -> Fraction:
        """The right side of the constraint of a job and an eligible machine, by the definition."""
        total = sum((one[4] for one in self.intervals if self.counts(one, j, machine)), Fraction(0))
        size = self.instance.job(j).size * self.instance.tick
        return total * size if self.arguments["normalisation"] == "dual" else total

    def left(self, j: int) -> Fraction:
        """What is claimed of a job."""
        return Fraction(self.arguments["alpha"][self.instance.ids[j]])


@st.composite
def cases(draw, problems: tuple[str, ...] = PROBLEMS, jobs: int = 5, signed: bool = True, least: int = 1) -> Case:
    """Any claim about up to `jobs` jobs on up to 3 machines; with `signed`, duals and b may be negative."""
    m = draw(st.integers(1, 3))
    sets = st.lists(st.integers(0, m - 1), min_size=1, unique=True)
    row = st.tuples(HALVES, st.integers(1, 4).map(lambda k: Fraction(k, 2)), sets, st.sampled_from(["1", "2/3", "3"]))
    rows = [
        Row(f"j{k}", r, p, s, w) for k, (r, p, s, w) in enumerate(draw(st.lists(row, min_size=least, max_size=jobs)))
    ]
    instance = Instance.from_rows(m, rows)
    problem = draw(st.sampled_from(problems))
    number = SIGNED if signed else MULTIPLES
    arguments: dict[str, Any] = {
        "problem": problem,
        "normalisation": draw(st.sampled_from(["family", "dual"])),
        "alpha": {job: draw(number) for job in instance.ids},
    }
    if problem == "load":
        arguments["prices"] = draw(st.lists(number, min_size=m, max_size=m))
    else:
        weight = st.none() if problem == "max-flow" else st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2)])
        one = st.tuples(st.integers(0, m - 1), HALVES, HALVES, weight, number)
        arguments["intervals"] = [(i, s, s + d / 2, w, b) for i, s, d, w, b in draw(st.lists(one, max_size=5))]
    return Case(instance, arguments)
