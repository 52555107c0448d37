"""Runs with speeds, and loads of Poisson arrivals, for the ledger of [S]."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from certify import check
from certify.audit.case import Case, Setting
from certify.audit.subject import Measured, Subject
from certify.claims import speed, speed_stochastic
from certify.claims.claim import Claim, judge
from certify.claims.speed_stochastic import StochasticScene
from certify.energy_build import certify_run
from certify.problems.energy import ledger, table_of
from lp.energy.bracket import Rung, energy_bracket, run_bound
from online import exact
from online.instance import Instance
from online.speed.power_text import read_power
from online.speed.simulation import simulate
from online.speed.trajectory import Trajectory

BRACKETED = 8
"""Up to so many jobs the optimum is bracketed; beyond, prices along the run bound it."""

GAP = Fraction(1, 50)
"""Of these brackets."""


class Bounds(NamedTuple):
    """Prices from below and a schedule from above, where they were looked for."""

    rung: Rung | None
    witness: Trajectory | None


class SpeedRuns(Subject):
    """Flow time plus energy. All settings of a case have one power function."""

    steps = 30
    optimum = "OPT"

    def claims(self) -> tuple[Claim[Any], ...]:
        return tuple(speed.SECTION.claims)

    def known(self, case: Case) -> Bounds:
        """A schedule that the case knows is its witness."""
        if case.instance.n > BRACKETED:
            return Bounds(None, case.witness)
        found = energy_bracket(case.instance, read_power(case.settings[0].power), gap=GAP)
        return Bounds(found.rung, found.upper if case.witness is None else case.witness)

    def measured(self, case: Case, setting: Setting, known: Bounds) -> Measured:
        power, options = read_power(setting.power), dict(setting.options)
        run = simulate(case.instance, power, setting.algorithm, options=options)
        rung = known.rung or run_bound(run.trajectory)
        document = certify_run(run, rung, known.witness, table_of(run))
        accepted = check.check_document(document).verdict == "accepted"
        return Measured(ledger(run.trajectory, rung.value, known.witness), accepted)

    def words(self, instance: Instance, setting: Setting, known: Bounds) -> tuple[str | None, str]:
        tick = instance.tick
        lower = "" if known.rung is None else f"at least {exact.decimal(known.rung.value * tick, toward='down')}"
        upper = "" if known.witness is None else f"at most {exact.decimal(known.witness.cost * tick, toward='up')}"
        return None, ", ".join(filter(None, (lower, upper)))


class PoissonArrivals(Subject):
    """The stochastic setting: claims about P and a load; there are no jobs, and nothing to certify."""

    steps = 0

    def claims(self) -> tuple[Claim[Any], ...]:
        return tuple(speed_stochastic.SECTION.claims)

    def known(self, case: Case) -> None:
        return None

    def measured(self, case: Case, setting: Setting, known: None) -> Measured:
        scene = StochasticScene(read_power(setting.power), dict(setting.options)["load"])
        return Measured([judge(claim, [scene], Fraction(1)) for claim in self.claims()], None)

    def words(self, instance: Instance, setting: Setting, known: None) -> tuple[str | None, str]:
        return None, ""
