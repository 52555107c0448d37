"""Seconds for the exact Hall bound, up to 10^5 jobs on 20 machines with 4 weights. Run with `make bench`."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from rich.console import Console
from rich.table import Table

from lp.hall import HallBound, hall_bound, hall_value
from online.generate import Dice
from online.instance import Instance
from online.weights import Weights

MACHINES, CLASSES = 20, 4


def _full(n: int, widest: int) -> Instance:
    """Sizes 1 to 10, load over 1: one long queue; 80 eligible sets of up to `widest` machines; weights 1, 2, 4, 8."""
    dice = Dice(1)
    sets = sorted({dice.subset(MACHINES, 1 + dice.below(widest)) for _ in range(4 * MACHINES)})
    horizon = n * 4 // MACHINES
    rows = sorted(
        (dice.below(horizon), dice.below(len(sets)), 1 + dice.below(10), 2 ** dice.below(CLASSES)) for _ in range(n)
    )
    release, chosen, size, weight = (list(one) for one in zip(*rows, strict=True))
    return Instance.from_columns(
        MACHINES, release=release, size=size, eligible_set=chosen, sets=sets, flow_weight=weight
    )


def _timed(instance: Instance, start: Fraction | None = None, *, integral: bool = False) -> tuple[HallBound, float]:
    begin = time.perf_counter()
    bound = hall_bound(instance, weights=Weights.flow(instance), start=start, integral=integral)
    return bound, time.perf_counter() - begin


@pytest.mark.slow
@pytest.mark.parametrize("widest", [4, 20])
def test_the_hall_bound_grows_a_little_faster_than_linear(widest: int) -> None:
    """Ten times the jobs take at most forty times as long; a search from 95 % of the value ends at the value."""
    table = Table(title=f"Hall bound, {MACHINES} machines, {CLASSES} weights, sets of up to {widest} machines")
    for name in ("jobs", "value", "jobs in the set", "cuts", "seconds", "from 95 %", "integral", "its seconds"):
        table.add_column(name, justify="right")
    seconds = {}
    for n in (10**3, 10**4, 10**5) if widest == 4 else (10**3, 10**4):
        instance = _full(n, widest)
        bound, seconds[n] = _timed(instance)
        again, warm = _timed(instance, bound.value * Fraction(95, 100))
        whole, slow = _timed(instance, integral=True)
        assert bound.optimal
        assert again.value == bound.value == hall_value(instance, bound.jobs, Weights.flow(instance))
        assert whole.value >= bound.value
        shown = (n, bound.value, len(bound.jobs), bound.cuts, seconds[n], warm, whole.value, slow)
        table.add_row(*(f"{x:.2f}" if isinstance(x, float) else str(x) for x in shown))
    Console(width=120).print(table)
    assert all(seconds[10 * n] < 40 * seconds[n] for n in seconds if 10 * n in seconds)
