"""CPU seconds per stage and growth from 10^3 to 10^5 jobs of weighted flow time. Run with `make bench`."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import pytest
from rich.console import Console
from rich.table import Table

from certify import check
from certify.build import certify, to_text
from certify.claims.claim import Verdict
from certify.problems.registry import TRACKS
from online.generate import make
from online.play import play
from online.run import Run
from online.weighted.algorithms import WeightedFlow

SIZES = (10**3, 10**4, 10**5)
MACHINES = 20
LEDGER_UP_TO = 10**4
NEAR_LINEAR = 3
"""Seconds per job may grow so many times from 10^3 to 10^5 jobs: logarithms, colder caches and noise, not a power."""

STAGES = ("generate", "run A and B", "witness and certificate", "write", "check alone")
CONSTANTS: dict[str, Mapping[str, Fraction]] = {"default constants": {}, "--alpha 1": {"alpha": Fraction(1)}}
T = TypeVar("T")


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, stage: str, work: Callable[[], T]) -> T:
        begin = _cpu()
        result = work()
        self.seconds[stage] = _cpu() - begin
        return result


def _cpu() -> float:
    """Of this process and the finished ones that it started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _stages(n: int, folder: Path, options: Mapping[str, Fraction]) -> dict[str, float]:
    clock = _Clock()
    instance = clock.time("generate", lambda: make("weighted", seed=1, jobs=n, machines=MACHINES)[0])
    run = clock.time(
        "run A and B", lambda: play(instance, WeightedFlow, Fraction(1, 4), name="weighted", options=options)
    )
    certified = clock.time("witness and certificate", lambda: certify(run, WeightedFlow))
    path = folder / f"{n}.cert.json"
    clock.time("write", lambda: path.write_text(to_text(certified.document), encoding="utf-8"))
    command = [sys.executable, "-I", "-S", str(check.__file__), str(path)]
    done = clock.time("check alone", lambda: subprocess.run(command, capture_output=True, text=True, check=False))
    assert done.returncode == 0, done.stdout + done.stderr
    assert certified.bound is not None
    if n <= LEDGER_UP_TO:
        _ledger(clock, run, certified.bound.value)
    return clock.seconds


def _ledger(clock: _Clock, run: Run, lower: Fraction) -> None:
    track = TRACKS["weighted"]
    upper = clock.time("schedule", lambda: track.upper(run.instance))
    entries = clock.time("ledger", lambda: track.ledger(run, WeightedFlow, lower, upper))
    assert [one.claim.id for one in entries if one.verdict is Verdict.FAILS and not one.claim.corrected_by] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSTANTS)
def test_every_stage_is_near_linear(tmp_path: Path, name: str) -> None:
    """From 10^3 to 10^5 jobs the time for a job grows at most threefold; the checker alone accepts each."""
    seconds = {n: _stages(n, tmp_path, CONSTANTS[name]) for n in SIZES}
    table = Table(title=f"weighted, {MACHINES} machines, {name}: CPU seconds (per 1000 jobs)")
    table.add_column("stage")
    for n in SIZES:
        table.add_column(f"n = {n}", justify="right")
    for stage in seconds[SIZES[0]]:
        table.add_row(stage, *(_cell(seconds[n].get(stage), n) for n in SIZES))
    totals = {n: sum(seconds[n][stage] for stage in STAGES) for n in SIZES}
    table.add_row("total without ledger", *(_cell(totals[n], n) for n in SIZES))
    Console(width=120).print(table)
    first, last = SIZES[0], SIZES[-1]
    assert totals[last] / last < NEAR_LINEAR * totals[first] / first


def _cell(seconds: float | None, n: int) -> str:
    return "" if seconds is None else f"{seconds:.2f} ({1000 * seconds / n:.2f})"
