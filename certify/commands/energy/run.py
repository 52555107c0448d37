"""`dualfit run --problem energy`: play an instance to a policy with speeds, and certify what it cost."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import click

from certify import check
from certify.build import to_text
from certify.commands.common import FILE, JSON, OUT, Input, present, reading_options, save, working
from certify.commands.energy.options import (
    POLICY_NAMES,
    PROBLEM,
    policy_constants,
    policy_options,
    power_from,
    power_options,
)
from certify.commands.energy.search import bounding, search_options
from certify.commands.energy.source import load_jobs
from certify.commands.pages import PAGE, check_page, save_page
from certify.energy_build import ORIGINS, certifiable, certify_run
from certify.energy_show import run_tables
from certify.evidence import Document
from certify.problems.energy import Guarantee, backlog, guarantees, no_table, rounding_factor, table_of
from lp.energy.bracket import EnergyBracket, Rung, run_bound
from online import exact
from online.errors import FalseClaim
from online.speed.power import Power
from online.speed.rounding import speed_kept
from online.speed.simulation import SpeedRun, grid_by_size, simulate
from online.speed.trajectory import Trajectory

BOUNDS = ("auto", "run", "none")

UPPER_JOBS = 1000
"""The certificate of a run of more jobs does not hold a better schedule."""


class Bounds(NamedTuple):
    """What is known of the optimum: the best bound from below, and a schedule; None where nobody looked."""

    rung: Rung | None
    upper: Trajectory | None

    @classmethod
    def of(cls, runs: Sequence[Trajectory], bracket: EnergyBracket | None) -> Bounds:
        """The best of runs on one instance, their own prices, and a bracket."""
        rungs = [run_bound(run) for run in runs if run.instance.n] + [*(bracket.rungs if bracket else ())]
        schedules = [bracket.upper, *runs] if bracket else []
        return cls(
            max(rungs, key=lambda rung: rung.value, default=None),
            min(schedules, key=lambda schedule: schedule.cost, default=None),
        )

    @property
    def shown(self) -> Trajectory | None:
        """The schedule, if it has few enough jobs for the certificate of a run."""
        few = self.upper is not None and self.upper.instance.n <= UPPER_JOBS
        return self.upper if few else None


@dataclass(frozen=True)
class Outcome:
    """A certified run with speeds, what bounds the optimum, and the checker's verdict on the certificate."""

    source: Input
    run: SpeedRun
    bounds: Bounds
    certificate: Document
    verdict: check.Verdict

    @classmethod
    def of(cls, source: Input, run: SpeedRun, bounds: Bounds) -> Outcome:
        """Write the certificate, and have it checked."""
        certificate = certify_run(run, bounds.rung, bounds.shown, table_of(run), source.source)
        return cls(source, run, bounds, certificate, check.check_document(certificate))

    @property
    def lower(self) -> Fraction:
        """What the optimum costs at least, in ticks."""
        return self.bounds.rung.value if self.bounds.rung else Fraction(0)

    @property
    def ratio(self) -> Fraction | None:
        """Cost over bound; None without a bound."""
        return self.run.trajectory.cost / self.lower if self.lower else None

    def shows(self, one: Guarantee) -> bool | None:
        """Whether the certificate shows a claimed ratio: False if the bounds refute it, None if they do not tell."""
        cost = self.run.trajectory.cost
        if one.certified or cost <= one.constant.below * self.lower:
            return True
        refuted = self.bounds.upper is not None and cost > one.constant.above * self.bounds.upper.cost
        return False if refuted else None

    @property
    def false(self) -> list[str]:
        """Theorems that this run refutes."""
        claimed = [one for one in guarantees(self.run) if one.met]
        return [one.theorem for one in claimed if self.shows(one) is False]

    def to_document(self) -> Document:
        """The result as one JSON object, in the input's units."""
        run, tick = self.run.trajectory, self.source.instance.tick
        rung, upper = self.bounds
        return {
            "problem": "energy",
            "algorithm": self.run.policy,
            "constants": {name: exact.text(value) for name, value in sorted(self.run.options.items())},
            "power": str(run.power),
            "jobs": run.instance.n,
            "machines": run.instance.machines,
            "objective": exact.text(run.cost * tick),
            "flow": exact.text(run.flow * tick),
            "energy": exact.text(run.energy * tick),
            "bound": exact.text(self.lower * tick),
            "bound_from": ORIGINS[rung.method] if rung else "nothing" if run.instance.n else "no jobs",
            "upper": None if upper is None else exact.text(upper.cost * tick),
            "upper_certified": self.bounds.shown is not None,
            "ratio": None if self.ratio is None else exact.text(self.ratio),
            "backlog": backlog(run),
            "no_table": no_table(self.run),
            "guarantees": [*self._guarantees()],
            "rounding": self._rounding(),
            "verdict": self.verdict.verdict,
            "reading": self.source.account(),
        }

    def _guarantees(self) -> Iterator[Document]:
        for one in guarantees(self.run):
            yield {
                "theorem": one.theorem,
                "ratio": exact.text(one.constant.below),
                "met": one.met,
                "shown": self.shows(one),
            }

    def _rounding(self) -> Document:
        """What is lost as speeds are rounded down to dials, and completions up to a grid."""
        factor, tick = rounding_factor(self.run), self.source.instance.tick
        return {
            "bits": self.run.bits,
            "speed_kept": exact.text(speed_kept(self.run.trajectory.power, self.run.bits)),
            "guarantee_factor": None if factor is None else exact.text(factor),
            "flow_less_energy": exact.text(self.run.below_rule * tick),
            "grid": self.run.grid,
            "overshoot": exact.text(self.run.overshoot * tick),
        }


def played(source: Input, power: Power, name: str, constants: Mapping[str, Fraction], bits: int) -> SpeedRun:
    """The run of a policy, with progress; completions wait for a grid if their exact times are too long."""
    with working(f"running {name}", source.instance.n) as progress, redirect_stdout(sys.stderr):
        settings: dict[str, Any] = {"options": constants, "bits": bits, "progress": progress}
        run = simulate(source.instance, power, name, **settings)
        if certifiable(run.trajectory):
            return run
        return simulate(source.instance, power, name, grid=grid_by_size(source.instance), **settings)


@click.command("run")
@FILE
@PROBLEM
@power_options
@click.option("--algorithm", "name", default="srpt", show_default=True, help=f"One of {POLICY_NAMES}.")
@policy_options
@click.option(
    "--bound",
    type=click.Choice(BOUNDS),
    default="auto",
    show_default=True,
    help="Bound the optimum from both sides, by prices along the run alone, or not at all.",
)
@search_options
@reading_options
@OUT
@PAGE
@JSON
def energy_run_command(
    file: str,
    alpha: Fraction | None,
    described: str | None,
    name: str,
    kappa: Fraction | None,
    speed: Fraction | None,
    seed: int | None,
    bits: int,
    bound: str,
    time_limit: float | None,
    gap: Fraction,
    size: str | None,
    strict: bool,
    out: str | None,
    page: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Run a policy with speeds on FILE (`-` for standard input) and certify its flow time plus energy.

    The machines are identical servers: every job may run on each of them, is preempted and migrates for free, and runs
    on one at a time. A server at speed s draws the power P(s). Costs are in the time unit of FILE.

    Beside the cost stands a certified lower bound on that of every schedule, and the ratio beside what the theorems
    promise: T1 and T2 of the paper, TD (2 alpha + 2 theta for s^alpha), T-m1 for one server, and c_N for at most N
    unfinished jobs at a time, of SRPT at the speeds of the paper.
    """
    check_page(page, out)
    power, constants = power_from(alpha, described), policy_constants(kappa, speed, seed)
    source = load_jobs(file, size, strict, chosen)
    run = played(source, power, name, constants, bits)
    bracket = bounding(source.instance, power, time_limit, gap) if bound == "auto" else None
    with working("writing and checking the certificate"):
        bounds = Bounds(None, None) if bound == "none" else Bounds.of([run.trajectory], bracket)
        outcome = Outcome.of(source, run, bounds)
    if out is not None:
        save(out, to_text(outcome.certificate), file)
    save_page(page, outcome.certificate, outcome.verdict, name, file)
    report(outcome, out, as_json)


def report(outcome: Outcome, path: str | None, as_json: bool) -> None:
    """Print the result. Raises: `FalseClaim` for a certificate that is not accepted, and for a theorem that fails."""
    present(outcome.to_document(), lambda: run_tables(outcome.to_document(), path), as_json)
    if outcome.verdict.verdict != "accepted":
        raise FalseClaim("the checker did not accept the certificate of this run", printed=True)
    if outcome.false:
        raise FalseClaim(f"theorems that fail on this run: {', '.join(outcome.false)}", printed=True)
