"""Algorithms to play games against: those that do whatever the dice say, within their budget, and those that cheat."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

import numpy as np

from online.algorithm import Engine, OnlineAlgorithm, Setting
from online.instance import Instance, Job
from online.run import REJECTED, LateRejection, Phase, Pieces, Run


def dicey(problem: str, seed: int, zeal: int, *, late: bool = False, patience: int = 0) -> type[OnlineAlgorithm]:
    """Dispatches by dice and rejects within its budget, the more the greater the zeal (0 to 100).

    It saves its budget while so many jobs arrive as it has `patience`. A `late` one spends it on what the fullest
    machine holds.
    """

    class Dicey(OnlineAlgorithm):
        takes_guess = False

        def __init__(self, setting: Setting) -> None:
            super().__init__(setting)
            self.dice = Random(seed)
            self.arrived = self.rejected = 0
            self.kept: list[list[int]] = [[] for _ in range(setting.machines)]

        def may_reject(self) -> bool:
            fits = patience < self.arrived and self.rejected + 1 <= self.setting.epsilon * self.arrived
            return fits and self.dice.randrange(100) < zeal

        def arrive(self, job: Job) -> int | None:
            self.arrived += 1
            if not late and self.may_reject():
                self.rejected += 1
                return None
            machine = self.dice.choice(job.eligible)
            self.kept[machine].append(job.position)
            return machine

    class DiceyLate(Dicey):
        def prune(self) -> Sequence[int]:
            gone = []
            while self.may_reject():
                fullest = max(self.kept, key=len)
                gone.append(fullest.pop())
                self.rejected += 1
            return gone

    chosen = DiceyLate if late else Dicey
    chosen.problem = problem
    return chosen


def hoarding(seed: int, until: int) -> type[Engine]:
    """Unit jobs at whole times, first in, first out; from time `until` on it rejects the last job of long queues."""

    class Hoarding(Engine):
        takes_guess = False

        @classmethod
        def play(
            cls,
            instance: Instance,
            epsilon: Fraction,
            *,
            guess: Fraction | None,
            name: str,
            options: Mapping[str, Fraction],
        ) -> Run:
            yard = _Yard(instance, epsilon, Random(seed), until)
            yard.play()
            return Run(
                instance,
                cls.problem,
                name,
                epsilon,
                np.array(yard.dispatch, dtype=np.int64),
                (Phase(None, 0, instance.n - 1, False),),
                late=tuple(yard.late),
                pieces=Pieces(*zip(*yard.pieces, strict=True)),
            )

    return Hoarding


class _Yard:
    def __init__(self, instance: Instance, epsilon: Fraction, dice: Random, until: int) -> None:
        self.instance, self.epsilon, self.dice, self.until = instance, epsilon, dice, until
        self.queues: list[list[int]] = [[] for _ in range(instance.machines)]
        self.dispatch: list[int] = []
        self.late: list[LateRejection] = []
        self.pieces: list[tuple[int, int, int, int]] = []

    def play(self) -> None:
        jobs, now = list(self.instance.jobs()), 0
        release = self.instance.release.tolist()
        while len(self.dispatch) < len(jobs) or any(self.queues):
            self.drop(now, bisect_left(release, now) - 1)
            while len(self.dispatch) < len(jobs) and jobs[len(self.dispatch)].release == now:
                job = jobs[len(self.dispatch)]
                machine = self.dice.choice(job.eligible)
                self.queues[machine].append(job.position)
                self.dispatch.append(machine)
            for machine, queue in enumerate(self.queues):
                if queue:
                    self.pieces.append((queue.pop(0), machine, now, now + 1))
            now += 1

    def drop(self, now: int, after: int) -> None:
        while now >= self.until and len(self.late) + 1 <= self.epsilon * (after + 1):
            longest = max(self.queues, key=len)
            if not longest:
                return
            self.late.append(LateRejection(longest.pop(), after, now))


class Fickle(Engine):
    """Dispatches by the number of jobs of the whole instance, which no online algorithm knows."""

    takes_guess = False

    @classmethod
    def play(
        cls,
        instance: Instance,
        epsilon: Fraction,
        *,
        guess: Fraction | None,
        name: str,
        options: Mapping[str, Fraction],
    ) -> Run:
        dispatch = [job.eligible[instance.n % len(job.eligible)] for job in instance.jobs()]
        return Run(instance, cls.problem, name, epsilon, np.array(dispatch, dtype=np.int64), ())


class Regretful(Engine):
    """Rejects every job but the last three on arrival: with later jobs, it takes decisions back."""

    takes_guess = False

    @classmethod
    def play(
        cls,
        instance: Instance,
        epsilon: Fraction,
        *,
        guess: Fraction | None,
        name: str,
        options: Mapping[str, Fraction],
    ) -> Run:
        last = instance.n - 3
        dispatch = [job.eligible[0] if job.position >= last else REJECTED for job in instance.jobs()]
        return Run(instance, cls.problem, name, epsilon, np.array(dispatch, dtype=np.int64), ())
