"""Hypothesis strategies: instances of every problem, budgets, power functions, names of algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

from hypothesis import strategies as st

from online.algorithm import PROBLEMS, find, registered
from online.errors import InvalidInput, Problem
from online.exact import Number
from online.instance import Instance
from online.rows import Row
from online.speed.policy import names
from online.speed.power import Power
from online.speed.power_text import read_power, table_of

ENERGY, ROUTING = "energy", "routing"

ALL = (*PROBLEMS, ENERGY, ROUTING)
"""The problems that there are instances for."""

WEIGHTED = ("weighted", "two-weights")

Numbers = st.SearchStrategy[Number] | Sequence[Number] | int
"""A strategy of numbers, the numbers themselves, or the largest of the whole ones from 1 on."""

Eligible = Literal["any", "all", "one"]
"""Which machines may run a job: any subset, all of them, a single one."""


@st.composite
def instances(
    draw: st.DrawFn,
    problem: str = "max-flow",
    *,
    min_jobs: int = 1,
    max_jobs: int = 8,
    min_machines: int = 1,
    max_machines: int = 3,
    sizes: Numbers = 6,
    weights: Numbers = 6,
    eligible: Eligible = "any",
    last_release: int = 8,
    ticks: Numbers = (1,),
    equal_sizes: bool | None = None,
) -> Instance:
    """Instances of a problem, fewest jobs and machines and smallest numbers first.

    Sizes, and releases up to `last_release`, are multiples of one of the `ticks`, in the units of the input. Sizes are
    equal for `max-flow`, as its algorithm in the paper asks for it; `equal_sizes` says otherwise. Weights are drawn for
    `weighted`, and for `two-weights` twice; for the other problems they are 1. For `energy` and `routing` all jobs may
    run everywhere, and in `routing` all are released at 0. Jobs have the ids 1, 2, ... in order of arrival.

    Raises: `InvalidInput` for an unknown problem or kind of eligible sets.
    """
    check_known("problem", problem, ALL)
    check_known("eligible", eligible, ("any", "all", "one"))
    m = draw(st.integers(min_machines, max_machines))
    unit = Fraction(draw(numbers(ticks)))
    size = numbers(sizes)
    if problem == "max-flow" if equal_sizes is None else equal_sizes:
        size = st.just(draw(size))
    release = st.just(0) if problem == ROUTING else st.integers(0, last_release)
    job = st.tuples(
        release, size, _machines(m, "all" if problem in (ENERGY, ROUTING) else eligible), *_weights(problem, weights)
    )
    drawn = sorted(draw(st.lists(job, min_size=min_jobs, max_size=max_jobs)), key=lambda row: row[0])
    return Instance.from_rows(
        m, [Row(k, r * unit, Fraction(p) * unit, some, w, v) for k, (r, p, some, w, v) in enumerate(drawn, 1)]
    )


def numbers(chosen: Numbers) -> st.SearchStrategy[Number]:
    """The strategy that a choice of numbers stands for."""
    if isinstance(chosen, st.SearchStrategy):
        return chosen
    return st.integers(1, chosen) if isinstance(chosen, int) else st.sampled_from(list(chosen))


def _machines(m: int, kind: Eligible) -> st.SearchStrategy[list[int]]:
    if kind == "all":
        return st.just(list(range(m)))
    if kind == "one":
        return st.integers(0, m - 1).map(lambda i: [i])
    return st.integers(1, (1 << m) - 1).map(lambda bits: [i for i in range(m) if bits >> i & 1])


def _weights(problem: str, weights: Numbers) -> tuple[st.SearchStrategy[Any], st.SearchStrategy[Any]]:
    """Flow weights, and rejection weights where they are others."""
    one: st.SearchStrategy[Any] = numbers(weights) if problem in WEIGHTED else st.just(1)
    return one, one if problem == "two-weights" else st.none()


def epsilons() -> st.SearchStrategy[Fraction]:
    """Rejection budgets in (0, 1]: usual ones first, then any with a denominator up to 12."""
    usual = [
        Fraction(1, 2),
        Fraction(1, 4),
        Fraction(1),
        Fraction(1, 3),
        Fraction(2, 5),
        Fraction(2, 3),
        Fraction(1, 8),
    ]
    any_one = st.integers(1, 12).flatmap(lambda q: st.integers(1, q).map(lambda p: Fraction(p, q)))
    return st.sampled_from(usual) | any_one


def algorithms(problem: str) -> st.SearchStrategy[str]:
    """Short names of all registered algorithms for a problem, other packages' included; of `energy` the policies.

    Not every algorithm takes every instance: `load-unit` asks for equal sizes, for example.
    """
    check_known("problem", problem, ALL)
    return st.sampled_from(algorithm_names(problem))


def algorithm_names(problem: str) -> list[str]:
    """These names, sorted; policies in their own order."""
    if problem in (ENERGY, ROUTING):
        return names()
    found = {name: find(name) for name in sorted(registered())}
    return [name for name, kind in found.items() if problem in (kind.problem, *kind.problems)]


def powers() -> st.SearchStrategy[Power]:
    """Power functions: s^2 first, other exponents, sums, a table."""
    table = table_of([(Fraction(1), Fraction(1)), (Fraction(2), Fraction(4)), (Fraction(3), Fraction(9))])
    written = [read_power(text) for text in ("s^2", "s^3", "s^(3/2)", "s^2+s", "1/2*s^2")]
    return st.sampled_from([*written, table])


def check_known(what: str, got: object, known: Sequence[str]) -> None:
    if got not in known:
        raise InvalidInput(Problem(what, f"unknown {what}", repr(got), f"one of {', '.join(known)}", "choose one"))
