"""Seconds per stage and growth from 10^4 to 10^6 unit jobs on 50 machines. Run with `make bench`."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import pytest
from rich.console import Console
from rich.table import Table

from certify import check
from certify.build import certify, to_text
from online.flow_time.max_flow import LeastLoaded
from online.generate import make
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


def _stages(n: int, folder: Path) -> dict[str, float]:
    clock = _Clock()
    instance, _ = clock.time("generate", lambda: make("bursts", seed=1, jobs=n, machines=MACHINES))
    run = clock.time("run", lambda: play(instance, LeastLoaded, Fraction(1, 4)))
    clock.time("family and duals", lambda: [LeastLoaded.explain(run, phase) for phase in run.phases])
    certified = clock.time("certificate", lambda: certify(run, LeastLoaded))
    path = folder / f"{n}.cert.json"
    clock.time("write", lambda: path.write_text(to_text(certified.document), encoding="utf-8"))
    command = [sys.executable, "-I", "-S", str(check.__file__), str(path)]
    done = clock.time("check alone", lambda: subprocess.run(command, capture_output=True, text=True, check=False))
    assert done.returncode == 0, done.stdout + done.stderr
    assert run.rejected_count > 0
    assert len(run.phases) > 1
    return clock.seconds


@pytest.mark.slow
def test_every_stage_is_near_linear(tmp_path: Path) -> None:
    """Ten times the jobs take at most twenty times as long, in total; each certificate is accepted."""
    seconds = {n: _stages(n, tmp_path) for n in SIZES}
    table = Table(title=f"unit max flow time, {MACHINES} machines: seconds (growth per factor 10)")
    table.add_column("stage")
    for n in SIZES:
        table.add_column(f"n = {n}", justify="right")
    for stage in [*seconds[SIZES[0]], "total"]:
        row = [sum(seconds[n].values()) if stage == "total" else seconds[n][stage] for n in SIZES]
        growth = [f"{row[0]:.2f}"] + [f"{b:.2f} (x{b / a:.1f})" for a, b in itertools.pairwise(row)]
        table.add_row(stage, *growth)
    Console(width=100).print(table)
    totals = [sum(seconds[n].values()) for n in SIZES]
    assert all(b < 20 * a for a, b in itertools.pairwise(totals))
