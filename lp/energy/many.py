"""Many jobs: runs of SRPT from above, prices on a coarse grid along the best run, improved, from below."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import ClassVar

import numpy as np

from lp.deadline import Deadline
from lp.energy.crowd import Answer, Crowd, answer, crowd_prices
from lp.energy.curve import Curve
from lp.energy.plan import cheapest, order_of
from lp.energy.prices import Prices
from lp.energy.realise import realised
from lp.program import Floats, Whole
from online.instance import Instance
from online.speed.policy import SpeedPolicy
from online.speed.power import Power
from online.speed.simulation import simulate
from online.speed.trajectory import Trajectory

KAPPAS = tuple(map(Fraction, ("1", "3/2", "2", "3", "4", "6", "8")))
"""SRPT runs at these prices, as long as that gets cheaper."""

PLANNED = 100
"""Up to so many jobs the best run's order is planned anew."""

LEAST_CELLS, MOST_CELLS = 500, 8000
"""Cells of the grid: about one a job, within these."""

GAMMAS = (0.0, 0.6, 0.8, 1.0, 1.2)
"""Factors of the prices along a run."""

LEAST_ROUNDS, MOST_ROUNDS, EFFORT = 40, 120, 100_000
"""Rounds of price changes, within these; rounds times jobs."""


class PricedSrpt(SpeedPolicy):
    """SRPT at the speed at which work is cheapest while kappa n/m jobs wait; kappa for n < m."""

    options: ClassVar[Mapping[str, Fraction]] = {"kappa": Fraction(1)}

    def dial(self, jobs: int, servers: int) -> Fraction:
        waiting = self.option("kappa") * Fraction(max(jobs, servers), servers)
        return self.setting.power.dial_for_waiting(waiting, self.setting.bits)


class ManyJobs:
    """The cheapest SRPT run, and prices along it."""

    def __init__(self, instance: Instance, power: Power, deadline: Deadline) -> None:
        self.instance, self.power, self.deadline = instance, power, deadline

    def work(self, tell: Callable[[str], None]) -> None:
        """Runs, then prices."""
        run = self._cheapest_run(tell)
        tell("prices along the run")
        self.follow(run)
        rounds = min(max(LEAST_ROUNDS, EFFORT // self.instance.n), MOST_ROUNDS)
        self.best = crowd_prices(self.crowd, self.along.price, rounds, self.deadline, tell)

    def follow(self, run: Trajectory) -> None:
        """Prices gamma (n/m - 1)^+ along a run, for the gamma that proves most."""
        self.run = run
        grid, fine = self._grid()
        queue = self._queue(grid / fine)
        self.crowd = Crowd.of(self.instance, self.power, grid, fine, float(queue.max(initial=0.0)))
        best = max((answer(self.crowd, gamma * queue) for gamma in GAMMAS), key=lambda found: found.value)
        self.along: Answer = answer(self.crowd, best.price, ranges=True)
        self.best = self.along

    def _cheapest_run(self, tell: Callable[[str], None]) -> Trajectory:
        best: Trajectory | None = None
        for kappa in KAPPAS:
            if best is not None and self.deadline.passed():
                break
            tell(f"SRPT, kappa = {kappa}")
            run = simulate(self.instance, self.power, PricedSrpt, options={"kappa": kappa}).trajectory
            if best is not None and run.cost >= best.cost:
                break
            best = run
        assert best is not None
        return self._planned(best) if self.instance.n <= PLANNED else best

    def _planned(self, run: Trajectory) -> Trajectory:
        """The cheapest schedule with the order of events of `run`."""
        completion = np.array([float(time) for time in run.completion])
        plan = cheapest(self.instance, Curve.of(self.power), order_of(self.instance, completion), 1e-5)
        if plan is None or not math.isfinite(plan.cost):
            return run
        return min(run, realised(self.instance, self.power, plan), key=lambda found: found.cost)

    def _grid(self) -> tuple[Whole, int]:
        """Equal cells over the run, in whole fractions of a tick."""
        cells = min(max(LEAST_CELLS, self.instance.n), MOST_CELLS)
        end = math.ceil(max(self.run.completion))
        fine = 1 << max(0, (8 * cells // end).bit_length())
        return np.unique(np.arange(cells + 1) * (end * fine) // cells), fine

    def _queue(self, times: Floats) -> Floats:
        """(n/m - 1)^+ for the mean n(t) of the run in each cell."""
        unfinished = self.run.unfinished
        at = np.array([float(start) for start, *_ in unfinished] + [float(unfinished[-1][1])])
        jobs = np.array([n for *_, n in unfinished])
        total = np.append(0.0, np.cumsum(np.diff(at) * jobs))
        mean = np.diff(np.interp(times, at, total)) / np.diff(times)
        return np.asarray(np.maximum(mean / self.instance.machines - 1, 0.0), dtype=np.float64)

    def evidence(self) -> dict[str, tuple[Prices, float]]:
        """Prices along the run, and the best ones, each with what floats say that they prove."""
        found = {"schedule": self.along, "dual": self.best}
        return {name: (self.crowd.evidence(answer), answer.value) for name, answer in found.items()}

    def upper(self) -> Trajectory:
        """The cheapest run."""
        return self.run
