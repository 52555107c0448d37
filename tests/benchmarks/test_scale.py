"""Seconds per stage and growth from 10^4 to 10^6 jobs on 50 machines. Run with `make bench`."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import pytest
from rich.console import Console
from rich.table import Table

from certify import check
from certify.build import certify, to_text
from online.algorithm import OnlineAlgorithm
from online.exact import column
from online.flow_time.max_flow import LeastLoaded
from online.generate import Dice, make
from online.instance import Instance
from online.load_balancing.general import GroupedLoad
from online.load_balancing.one_class import UnitLoad
from online.play import play

SIZES = (10**4, 10**5, 10**6)
MACHINES = 50
T = TypeVar("T")


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, stage: str, work: Callable[[], T]) -> T:
        begin = time.perf_counter()
        result = work()
        self.seconds[stage] = time.perf_counter() - begin
        return result


def _unit_jobs(n: int) -> Instance:
    return make("bursts", seed=1, jobs=n, machines=MACHINES)[0]


def _sizes_over_twelve_orders(n: int) -> Instance:
    """The same eligible sets in the same order, with sizes from 1 to 10^12."""
    plain, dice = _unit_jobs(n), Dice(2)
    sizes = [10**6, *(10 ** dice.below(13) + dice.below(10) for _ in range(n - 1))]
    return replace(plain, size=column(sizes, summed=True))


CASES: dict[str, tuple[Callable[[int], Instance], type[OnlineAlgorithm]]] = {
    "unit max flow time": (_unit_jobs, LeastLoaded),
    "load, unit jobs": (_unit_jobs, UnitLoad),
    "load, sizes over 12 orders of magnitude": (_sizes_over_twelve_orders, GroupedLoad),
}


def _stages(
    n: int, folder: Path, build: Callable[[int], Instance], algorithm: type[OnlineAlgorithm]
) -> dict[str, float]:
    clock = _Clock()
    instance = clock.time("generate", lambda: build(n))
    run = clock.time("run", lambda: play(instance, algorithm, Fraction(1, 4)))
    clock.time("witness", lambda: [algorithm.explain(run, phase) for phase in run.phases])
    certified = clock.time("certificate", lambda: certify(run, algorithm))
    path = folder / f"{n}.cert.json"
    clock.time("write", lambda: path.write_text(to_text(certified.document), encoding="utf-8"))
    command = [sys.executable, "-I", "-S", str(check.__file__), str(path)]
    done = clock.time("check alone", lambda: subprocess.run(command, capture_output=True, text=True, check=False))
    assert done.returncode == 0, done.stdout + done.stderr
    assert run.rejected_count > 0
    assert len(run.phases) > 1
    return clock.seconds


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_stage_is_near_linear(tmp_path: Path, name: str) -> None:
    """Ten times the jobs take at most twenty times as long, in total; each certificate is accepted."""
    seconds = {n: _stages(n, tmp_path, *CASES[name]) for n in SIZES}
    table = Table(title=f"{name}, {MACHINES} machines: seconds (growth per factor 10)")
    table.add_column("stage")
    for n in SIZES:
        table.add_column(f"n = {n}", justify="right")
    for stage in [*seconds[SIZES[0]], "total"]:
        row = [sum(seconds[n].values()) if stage == "total" else seconds[n][stage] for n in SIZES]
        growth = [f"{row[0]:.2f}"] + [f"{b:.2f} (x{b / a:.1f})" for a, b in itertools.pairwise(row)]
        table.add_row(stage, *growth)
    Console(width=120).print(table)
    totals = [sum(seconds[n].values()) for n in SIZES]
    assert all(b < 20 * a for a, b in itertools.pairwise(totals))
