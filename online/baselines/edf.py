"""Earliest deadline first: deadlines that a guess of the optimum gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import ClassVar

from online.instance import Instance
from online.priority import Floor, Order, PriorityRule, finished, serve
from online.run import Phase, Run
from online.weights import Weights


class Edf(PriorityRule):
    """Earliest deadline first, preemptive; with a guess T of the optimum job j is due at `r_j + T/w_j`.

    Guarantee: 0 jobs are rejected. On one machine, with a known T that is at least the optimum, every job is done in
    time, so the objective is at most T. For the weights see `Weights.objective`.

    Algorithm: without a guess, T is what the first job costs by itself, and doubles whenever a job is done too late for
    it; all deadlines then change with T. As nobody is rejected there is nothing to begin afresh: the jobs present
    stay, and a phase is a stretch of arrivals under one guess. That a guess was too small is not proven by a late job.

    Source: Horn, Some simple scheduling algorithms (1974).

    >>> from online.play import play
    >>> from online.rows import Row
    >>> two = Instance.from_rows(1, [Row("a", 0, 4, flow_weight=1), Row("b", 1, 1, flow_weight=2)])
    >>> play(two, Edf.for_problem("weighted"), Fraction(1), guess=Fraction(5)).completion.tolist()
    [5, 2]
    """

    takes_guess: ClassVar[bool] = True

    @classmethod
    def order(cls, instance: Instance) -> Order:
        """With the guess that the first job gives."""
        return Deadlines(instance, Weights.objective(cls.problem, instance), None).deadline

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
        floor = Deadlines(instance, Weights.objective(cls.problem, instance), guess)
        serve(floor)
        return finished(cls, floor, epsilon, name, floor.phases(), guess)


class Deadlines(Floor):
    """Machines that serve by deadline; `under[j]` is the guess under which job j arrived.

    A job may take T over its weight: so many `whole` ticks, and a `rest` below one, of which only the rank counts.
    """

    def __init__(self, instance: Instance, weights: Weights, guess: Fraction | None) -> None:
        super().__init__(instance, self.deadline, preemptive=True)
        self.weights, self.doubling = weights, guess is None
        self.rank: list[int] = weights.rank.tolist()
        self.whole: list[int] = []
        self.rest: list[int] = []
        self.release: list[int] = instance.release.tolist()
        self.under: list[Fraction] = []
        first = Fraction(weights[0] * self.left[0]) if instance.n else Fraction(1)
        self._set(first if guess is None else guess)

    def deadline(self, j: int, left: int) -> tuple[int, int]:
        """When job j is due."""
        k = self.rank[j]
        return self.release[j] + self.whole[k], self.rest[k]

    def step(self, now: int, arrivals: Sequence[int]) -> None:
        super().step(now, arrivals)
        self.under += [self.guess] * len(arrivals)

    def done(self, job: int, now: int) -> None:
        while self.doubling and self.guess < self.weights[job] * (now - self.release[job]):
            self._set(2 * self.guess)
            self.stale = True

    def _set(self, guess: Fraction) -> None:
        self.guess = guess
        parts = [divmod(guess, value) for value in self.weights.values]
        rests = [rest / value for (_, rest), value in zip(parts, self.weights.values, strict=True)]
        self.whole = [int(whole) for whole, _ in parts]
        self.rest = Weights.of(rests).rank.tolist()

    def phases(self) -> tuple[Phase, ...]:
        """The stretches of arrivals under one guess."""
        out: list[Phase] = []
        for guess, jobs in groupby(self.under):
            first = out[-1].last + 1 if out else 0
            out.append(Phase(guess, first, first + len(list(jobs)) - 1, False))
        return tuple(out)
