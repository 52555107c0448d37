"""Server prices for few jobs, found in two ways on the same grid: cutting planes, and the time-indexed program."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from time import perf_counter
from typing import TypeVar

import pytest
from rich.console import Console
from rich.table import Table

from lp.deadline import Deadline
from lp.energy.dual import Priced, best_prices
from lp.energy.evidence import exact_prices
from lp.energy.few import FewJobs, _along, _grid, market_of
from lp.energy.prices import price_bound
from lp.energy.realise import realised
from lp.energy.timed import timed_prices
from online.generate import make
from online.speed.power import power_law

Found = TypeVar("Found")

SIZES = [(jobs, machines, cells) for jobs in (4, 6, 8, 12) for machines in (1, 2) for cells in (16, 32)]


def _timed(work: Callable[[], Found]) -> tuple[Found, float]:
    start = perf_counter()
    found = work()
    return found, perf_counter() - start


@pytest.mark.slow
def test_cutting_planes_beside_the_time_indexed_program() -> None:
    """Both prove the same to 1/1000, below a schedule; the program takes longer, the more so the finer the grid."""
    table = Table("jobs", "servers", "cells", "schedule / cuts", "schedule / program", "s, cuts", "s, program")
    power, seconds = power_law(2), []
    for jobs, machines, cells in SIZES:
        instance = make("energy", seed=jobs + machines, jobs=jobs, machines=machines)[0]
        instance = instance.shifted(int(instance.release.min()))
        few = FewJobs(instance, power, Fraction(1, 10**6), Deadline(None))
        few.search.start()
        grid = _grid(instance, few.plan, cells)
        market = market_of(instance, few.curve, grid)
        along, target = _along(market, instance, grid, few.plan), few.plan.cost / few.scale
        cut, cut_seconds = _timed(lambda: best_prices(market, along, target, 0.0, Deadline(None)))  # noqa: B023
        program, program_seconds = _timed(lambda: timed_prices(market).best)  # noqa: B023

        def bound(found: Priced) -> Fraction:
            prices = exact_prices(market, power, grid, found.price, found.quotes.y)  # noqa: B023
            return price_bound(instance, power, prices)  # noqa: B023

        upper, by_cuts, by_program = realised(instance, power, few.plan).cost, bound(cut), bound(program)
        seconds.append((cut_seconds, program_seconds))
        ratios = [f"{float(upper / value):.6f}" for value in (by_cuts, by_program)]
        table.add_row(*map(str, (jobs, machines, market.cells)), *ratios, *(f"{s:.2f}" for s in seconds[-1]))
        assert max(by_cuts, by_program) <= upper
        assert abs(by_cuts - by_program) <= upper / 1000
    Console(width=110).print(table)
    assert sum(cuts for cuts, _ in seconds) < sum(program for _, program in seconds)
