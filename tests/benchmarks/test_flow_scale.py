"""Seconds for the three forms of one program, and for the flow form up to 10^6 jobs. Run with `make bench`."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Protocol

import pytest
from rich.console import Console
from rich.table import Table

from lp.flow import FlowBound, flow_bound
from lp.lindley import solve_lindley
from lp.textbook import solve_primal
from online.generate import make
from online.instance import Instance

MACHINES = 20
FAMILIES = ("uniform", "bursts", "planted", "weighted")


class Bracketed(Protocol):
    """What every form answers."""

    @property
    def lower(self) -> object: ...


def seconds_of(solve: Callable[[Instance], Bracketed], instance: Instance) -> tuple[float, Bracketed]:
    """CPU seconds of this process, which does not see what else the machine does, and the answer."""
    begin = time.process_time()
    answer = solve(instance)
    return time.process_time() - begin, answer


def show(title: str, heads: list[str], rows: list[list[str]]) -> None:
    table = Table(*(heads), title=title)
    for row in rows:
        table.add_row(*row)
    Console(width=120).print(table)


def printed_form(instance: Instance) -> Bracketed:
    return solve_primal(instance, row_limit=100_000)


@pytest.mark.slow
def test_three_forms_of_one_program() -> None:
    """On the same instances: flow is exact and in both brackets; at 1000 jobs it is the fastest by far."""
    rows, ratio = [], 0.0
    for n in (100, 300, 1000):
        instance = make("uniform", seed=1, jobs=n, machines=MACHINES)[0]
        flow_bound(instance)
        answers = [seconds_of(solve, instance) for solve in (printed_form, solve_lindley, flow_bound)]
        (printed, textbook), (chained, lindley), (cut, flow) = answers
        assert textbook.lower <= flow.lower <= textbook.upper
        assert lindley.lower <= flow.lower <= lindley.upper
        ratio = printed / cut
        rows.append([f"{n}", *(f"{t:.3f}" for t, _ in answers), f"{ratio:.0f}", f"{chained / cut:.1f}"])
    heads = ["jobs", "textbook (PuLP)", "Lindley", "flow", "textbook / flow", "Lindley / flow"]
    show(f"CPU seconds on {MACHINES} machines", heads, rows)
    assert ratio > 20


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_the_flow_form_at_scale(family: str) -> None:
    """Exact up to 10^6 jobs on 20 machines; ten times the jobs take at most 25 times as long."""
    rows, seconds = [], []
    for n in (10**4, 10**5, 10**6):
        instance = make(family, seed=1, jobs=n, machines=MACHINES)[0]
        spent, found = seconds_of(flow_bound, instance)
        assert isinstance(found, FlowBound)
        assert found.optimal
        seconds.append(spent)
        rows.append([f"{n}", f"{spent:.2f}", f"{found.cuts}", f"{found.lower}"])
    show(f"{family}: flow form on {MACHINES} machines", ["jobs", "CPU seconds", "cuts", "value"], rows)
    assert all(b < 25 * a for a, b in itertools.pairwise(seconds))
