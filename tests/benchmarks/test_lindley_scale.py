"""The linear program in linear size: seconds by stage, growth, and the share of the time outside the solver."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

from lp import lindley, periods
from lp.bracket import LpBound
from lp.hall import hall_bound
from online.generate import Dice
from online.instance import Instance
from online.weights import Weights

MACHINES = 20


def mixed(n: int, classes: int) -> Instance:
    """Sizes 1 to 9, weights 2^0 .. 2^(classes - 1), two to four eligible machines each, at a load of 0.9."""
    dice = Dice(n + classes)
    sets = [dice.subset(MACHINES, 2 + dice.below(3)) for _ in range(80)]
    release = sorted(dice.below(n * 50 // MACHINES // 9) for _ in range(n))
    return Instance.from_columns(
        MACHINES,
        release=release,
        size=[1 + dice.below(9) for _ in range(n)],
        flow_weight=[1 << dice.below(classes) for _ in range(n)],
        eligible_set=[dice.below(len(sets)) for _ in range(n)],
        sets=sets,
    )


class Clock:
    """Adds up the seconds spent in the functions that it wraps."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            begin = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds += time.perf_counter() - begin

        return timed


def stages(monkeypatch: pytest.MonkeyPatch, instance: Instance, at_once: bool) -> tuple[float, float, float, LpBound]:
    """Seconds in all, in the solver and in exact repair, and the bracket; all of time in one program, or by periods."""
    solver, repair, weights = Clock(), Clock(), Weights.flow(instance)
    with monkeypatch.context() as patch:
        if at_once:
            patch.setattr(lindley, "LARGE", 10**9)
        for module in (lindley, periods):
            patch.setattr(module, "solve", solver.wrap(module.solve))
            patch.setattr(module, "best_family", repair.wrap(module.best_family))
        patch.setattr(lindley, "best_value", repair.wrap(lindley.best_value))
        begin = time.perf_counter()
        found = lindley.solve_lindley(instance, weights=weights)
        return time.perf_counter() - begin, solver.seconds, repair.seconds, found


@pytest.mark.slow
@pytest.mark.parametrize("classes", [1, 4])
def test_the_linear_form_at_scale(monkeypatch: pytest.MonkeyPatch, classes: int) -> None:
    """In one program under a quarter of the time is spent outside the solver, and repair takes under 5 % of it.

    By periods the bracket is the same, and up to 10^5 jobs its relative width is below 1e-6.
    """
    small, rows = mixed(5000, classes), []
    total, solver, repair, whole = stages(monkeypatch, small, True)
    rows.append(row("5 000, one program", total, solver, repair, whole))
    assert total - solver < total / 4
    assert repair < solver / 20
    for n, instance in ((5000, small), (10**4, mixed(10**4, classes)), (10**5, mixed(10**5, classes))):
        total, solver, repair, found = stages(monkeypatch, instance, False)
        rows.append(row(f"{n}", total, solver, repair, found))
        assert found.width < found.lower / 10**6
        if instance is small:
            assert max(found.lower, whole.lower) <= min(found.upper, whole.upper)
    heads = ["jobs", "seconds", "outside the solver", "repair / solver", "relative width"]
    table = Table(*heads, title=f"Lindley form, {MACHINES} machines, {classes} weight classes")
    for one in rows:
        table.add_row(*one)
    Console(width=120).print(table)


def row(name: str, total: float, solver: float, repair: float, found: LpBound) -> list[str]:
    outside, repaired = (total - solver) / total, repair / max(solver, 1e-9)
    return [name, f"{total:.2f}", f"{outside:.0%}", f"{repaired:.1%}", f"{float(found.width / found.lower):.1e}"]


@pytest.mark.slow
def test_the_hall_bound_costs_no_more_than_the_program() -> None:
    """On the same 10^4 jobs with four weights the Hall bound is at least as strong as the LP; both times are shown."""
    instance = mixed(10**4, 4)
    weights = Weights.flow(instance)
    begin = time.perf_counter()
    program = lindley.solve_lindley(instance, weights=weights)
    middle = time.perf_counter()
    hall = hall_bound(instance, weights=weights)
    end = time.perf_counter()
    assert hall.optimal
    assert hall.value >= program.lower
    table = Table("bound", "seconds", "value", title="10^4 jobs, 20 machines, 4 weight classes")
    table.add_row("Lindley", f"{middle - begin:.1f}", f"{float(program.lower):.3f}")
    table.add_row("Hall", f"{end - middle:.1f}", f"{float(hall.value):.3f}")
    Console(width=120).print(table)
