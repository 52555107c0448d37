"""Algorithm A(T): dispatch by the load of the job's own type, reject on arrival where even the least is too high."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from online.weighted.backlog import Backlog
from online.weighted.classes import Type, power


class Offer(NamedTuple):
    """What A makes of a job: the machine with the least load of its type, the level it has there, and whether it stays.

    `level` counts the job itself and is in ticks; `2^w level` is the weighted level of section 6.2.
    """

    machine: int
    level: int
    accepted: bool


class Background:
    """Algorithm A for one guess, from empty queues.

    Algorithm: a job of type k goes to the eligible machine with the least load of type k, the first of them on ties; it
    is rejected if that load with the job reaches `alpha^2 T`. A machine serves the type with the largest `2^d load` (on
    ties the larger d, then the larger w), in it the job released first, and decides anew every tick.

    Loads are kept in ticks: the limit of weight class w is the least number of ticks L with `2^w L >= alpha^2 T`.
    `backlog[i]` is what machine i had left at tick `clock[i]`. A machine is served only when its load is asked for and
    the answer matters, so that the cost follows arrivals.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.2 (algorithm A), section 7.
    """

    def __init__(self, machines: int, alpha: int, guess: Fraction) -> None:
        self.backlog = [Backlog({})] * machines
        self.clock = [0] * machines
        self.capacity = alpha**2 * guess
        self.limits: dict[int, int] = {}

    def arrive(self, kind: Type, size: int, now: int, eligible: Sequence[int]) -> Offer:
        """Offer a job; times never go back."""
        load, machine = self._least(kind, now, eligible)
        if load + size >= self._limit(kind.weight):
            return Offer(machine, load + size, False)
        self._advance(machine, now)
        self.backlog[machine] = self.backlog[machine].plus(kind, size)
        return Offer(machine, load + size, True)

    def _limit(self, weight: int) -> int:
        if weight not in self.limits:
            self.limits[weight] = math.ceil(self.capacity / power(weight))
        return self.limits[weight]

    def _least(self, kind: Type, now: int, eligible: Sequence[int]) -> tuple[int, int]:
        """The least load of this type and the first machine that has it; by quick lower bounds few are computed."""
        bounds = sorted((self.backlog[i].at_least(kind, now - self.clock[i]), i) for i in eligible)
        best = self._load(bounds[0][1], kind, now)
        for bound in bounds[1:]:
            if bound > best:
                break
            best = min(best, self._load(bound[1], kind, now))
        return best

    def _load(self, machine: int, kind: Type, now: int) -> tuple[int, int]:
        if kind in self.backlog[machine].ticks:
            self._advance(machine, now)
        return self.backlog[machine].ticks.get(kind, 0), machine

    def _advance(self, machine: int, now: int) -> None:
        self.backlog[machine] = self.backlog[machine].after(now - self.clock[machine])
        self.clock[machine] = now
