"""Immediate dispatch: each job goes to a server on arrival and stays; there SRPT at P^{-1}(number of its jobs).

Their ratio is at least of order m^{1 - 1/alpha}, at any speeds.

Source: [S], Lemma 6 and what follows it (lower bounds for immediate dispatch).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

from online.errors import InvalidInput, Problem
from online.generate.dice import Dice
from online.instance import Job
from online.speed.policy import Server, SpeedPolicy, SpeedSetting


class LeastLoaded(SpeedPolicy):
    """To the server with the least work left now; of equal ones the first. Source: [S], Lemma 6 (greedy)."""

    migrates = False

    def route(self, job: Job, servers: Sequence[Server]) -> int:
        return min(range(len(servers)), key=lambda k: servers[k].workload)


class HistoricallyLeastLoaded(SpeedPolicy):
    """To the server that was sent the least work so far, done or not. Source: [S], after Lemma 6."""

    migrates = False

    def route(self, job: Job, servers: Sequence[Server]) -> int:
        return min(range(len(servers)), key=lambda k: servers[k].assigned)


class RoundRobin(SpeedPolicy):
    """To the servers in turn; for unit jobs 2-competitive against schedules without migration.

    Source: [S], unit-size jobs (policy U); after Lemma 6.
    """

    migrates = False

    def route(self, job: Job, servers: Sequence[Server]) -> int:
        return job.position % len(servers)


class RandomServer(SpeedPolicy):
    """To a server drawn evenly, by `seed`. Source: [S], stochastic setting (random routing)."""

    migrates = False
    options: ClassVar[Mapping[str, Fraction]] = {"kappa": Fraction(1), "seed": Fraction(0)}

    def __init__(self, setting: SpeedSetting) -> None:
        super().__init__(setting)
        seed = self.option("seed")
        if seed.denominator > 1:
            raise InvalidInput(Problem("random", "bad seed", str(seed), "a whole number", "round it"))
        self.dice = Dice(seed.numerator)

    def route(self, job: Job, servers: Sequence[Server]) -> int:
        return self.dice.below(len(servers))
