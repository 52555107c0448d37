"""A simulation of random routing with processor sharing at one speed, to be met by (13). Floats; nothing is decided.

Source: Multiple server SRPT with speed scaling is competitive, the stochastic section, (13).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

NORMAL_99 = 2.5758
"""Half-width of a two-sided 99 % interval, in standard errors."""

SIZES: dict[str, Callable[[Floats], Floats]] = {
    "exponential": lambda u: -np.log1p(-u),
    "fixed": lambda u: np.ones_like(u),
    "two-point": lambda u: np.where(u < 0.9, 0.5, 5.5),
}
"""Distributions of the sizes with mean 1, as functions of a uniform number in [0, 1)."""


class Estimate(NamedTuple):
    """Mean cost of a job (response time plus energy), the half-width of its 99 % confidence interval, and the jobs."""

    mean: float
    half_width: float
    jobs: int

    def meets(self, value: float) -> bool:
        """Whether the interval contains the value."""
        return abs(self.mean - value) <= self.half_width


def simulate_gated(
    load: float,
    speed: float,
    power: float,
    *,
    machines: int = 1,
    jobs: int = 20000,
    sizes: str = "exponential",
    seed: int = 0,
) -> Estimate:
    """Estimate (13) for sizes of mean 1: Poisson arrivals at rate load * machines, routed at random.

    `power` is P(speed). Only jobs of whole busy cycles count: cycles are independent, and the ratio of their costs to
    their numbers of jobs is asymptotically normal, which gives the interval. Same arguments, same estimate.

    >>> simulate_gated(0.5, 1.0, 1.0, jobs=20000).meets(3.0)
    True
    """
    random = np.random.default_rng(seed)
    arrival = np.cumsum(-np.log1p(-random.random(jobs)) / (load * machines))
    size = SIZES[sizes](random.random(jobs))
    server = np.floor(random.random(jobs) * machines)
    cycles = np.array(
        [
            (cost, count)
            for k in range(machines)
            for cost, count in _cycles(arrival[server == k], size[server == k] / speed, power)
        ]
    )
    mean = float(cycles[:, 0].sum() / cycles[:, 1].sum())
    error = np.std(cycles[:, 0] - mean * cycles[:, 1]) / cycles[:, 1].mean() / sqrt(len(cycles))
    return Estimate(mean, NORMAL_99 * float(error), int(cycles[:, 1].sum()))


def _cycles(arrival: Floats, work: Floats, power: float) -> Iterator[tuple[float, int]]:
    """(cost, jobs) of each busy cycle of one server but the last, cut one; `work` is the time alone.

    Everyone gets the same share: a job ends when the share that each has had since its arrival reaches its work.
    """
    shared, now, cost, count = 0.0, 0.0, 0.0, 0
    active: list[tuple[float, float]] = []
    for time, own in zip(arrival.tolist(), work.tolist(), strict=True):
        while active and now + (active[0][0] - shared) * len(active) <= time:
            ends, since = active[0]
            now += (ends - shared) * len(active)
            shared = ends
            heappop(active)
            cost += now - since
        if active:
            shared += (time - now) / len(active)
        elif count:
            yield cost, count
            cost, count = 0.0, 0
        now = time
        heappush(active, (shared + own, time))
        cost += own * power
        count += 1
