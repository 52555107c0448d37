"""Recording an online algorithm job by job: guess and double, the law of the budget, late rejections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from online import exact
from online.algorithm import OnlineAlgorithm, Setting, blame
from online.errors import InvalidInput, Problem, typed, worded
from online.instance import Instance, Job
from online.run import BY_WEIGHT, REJECTED, LateRejection, Phase, Run

MOST_DOUBLINGS = 8192
"""Enough to get from the smallest to the largest number that is read at all."""

MOST_NAMED = 8
"""Machines that a message names."""


class Recorder:
    """An algorithm at work on jobs that become known one by one.

    Claim: `dispatch`, `late` and `phases` depend on the jobs offered so far, in their order, and on nothing else but
    the first guess.
    """

    def __init__(
        self,
        machines: int,
        tick: Fraction,
        algorithm: type[OnlineAlgorithm],
        epsilon: Fraction,
        guess: Fraction | None,
        name: str,
        options: Mapping[str, Fraction] | None = None,
    ) -> None:
        self.machines, self.tick = machines, tick
        self.algorithm, self.epsilon, self.name = algorithm, epsilon, name
        self.doubling = algorithm.takes_guess and guess is None
        self.guess = guess
        self.options = options or {}
        known = {} if self.doubling or guess is None else {"guess": guess}
        self.parameters = {key: exact.text(value) for key, value in {**known, **self.options}.items()}
        self.by_weight = algorithm.problem in BY_WEIGHT
        self.weight: list[int] = []
        self.dispatch: list[int] = []
        self.late: list[LateRejection] = []
        self.gone: set[int] = set()
        self.phases: list[Phase] = []

    def begin(self, instance: Instance) -> None:
        """Open the first phase; guess and double asks the algorithm where to start, with what is known of the jobs."""
        if self.doubling:
            self.guess = self._first_guess(instance)
        self._open(0)

    def _first_guess(self, instance: Instance) -> Fraction:
        try:
            guess = exact.rational(self.algorithm.first_guess(instance))
            if guess <= 0:
                raise ValueError(f"returned {guess}, expected a duration > 0")
        except BaseException as failed:
            blame(self.name, "first_guess()", failed)
        return guess

    def _open(self, first: int) -> None:
        self.first, self.rejected, self.arrived = first, 0, 0
        guess = self.guess if self.algorithm.takes_guess else None
        setting = Setting(self.machines, self.epsilon, guess, self.tick, self.options)
        try:
            self.current = self.algorithm(setting)
        except BaseException as failed:
            blame(self.name, "__init__", failed)

    def _close(self, last: int, ended: bool = False, choice: int = REJECTED) -> None:
        try:
            self.current.finish()
        except BaseException as failed:
            blame(self.name, "finish()", failed)
        guess = self.guess if self.algorithm.takes_guess else None
        self.phases.append(Phase(guess, self.first, last, ended, choice))

    def offer(self, job: Job) -> None:
        """Have the next job decided; where a guess is given up, by the first phase that keeps its budget.

        Raises: `InvalidInput` for a machine that is not eligible, or a late rejection of a job that is not there.
        """
        self.weight.append(job.rejection_weight if self.by_weight else 1)
        choice, late = self._decide(job)
        while self.doubling and self._over_budget(job, choice, late):
            self._double(job, choice)
            choice, late = self._decide(job)
        self.rejected += self._weight(job, choice, late)
        self.arrived += self.weight[job.position]
        self.dispatch.append(REJECTED if choice is None else choice)
        self.gone.update(late)
        self.late += [LateRejection(position, job.position) for position in late]

    def _decide(self, job: Job) -> tuple[int | None, Sequence[int]]:
        try:
            choice = self.current.arrive(job)
        except BaseException as failed:
            blame(self.name, f"arrive() at job {job.id!r}", failed)
        self._check_choice(job, choice)
        try:
            late = list(self.current.prune())
        except BaseException as failed:
            blame(self.name, f"prune() after job {job.id!r}", failed)
        self._check_late(job, choice, late)
        return choice, late

    def _check_choice(self, job: Job, choice: object) -> None:
        place, fix = f"job {job.id!r}", "correct the algorithm's arrive()"
        if choice is not None and type(choice) is not int:
            got, expected = typed(choice), "a machine as a Python int, or None to reject"
            raise InvalidInput(Problem(place, "dispatched by something that is no int", got, expected, fix))
        if choice is not None and choice not in job.eligible:
            got, expected = f"arrive() returned {_machines([choice])}", f"{_machines(job.eligible)}, or None to reject"
            raise InvalidInput(Problem(place, "dispatched to a machine that is not eligible", got, expected, fix))

    def _check_late(self, job: Job, choice: int | None, late: Sequence[object]) -> None:
        if late and self.algorithm.problem != "load":
            raise InvalidInput(
                Problem(
                    f"after job {job.id!r}",
                    "late rejection in a problem with time",
                    f"prune() returned {worded(list(late))}",
                    "late rejections in load alone, as a job may be running by then",
                    "reject on arrival, or write an Engine that makes its own schedule",
                )
            )
        accepted = job.position if choice is not None else None
        seen: set[object] = set()
        place, fix = f"after job {job.id!r}", "correct the algorithm's prune()"
        for position in late:
            if type(position) is not int:
                got, expected = f"prune() returned {typed(position)}", "positions as Python ints"
                raise InvalidInput(Problem(place, "late rejection by something that is no int", got, expected, fix))
            if not self._keeps(position, accepted) or position in seen:
                got = f"prune() returned position {position}, counted from 0"
                expected = "a job that this phase accepted and still keeps, once"
                raise InvalidInput(Problem(place, "late rejection of a job that is not there", got, expected, fix))
            seen.add(position)

    def _keeps(self, position: int, accepted: int | None) -> bool:
        """Whether the phase accepted the job at this position and keeps it; `accepted` is being accepted right now."""
        if position in self.gone:
            return False
        earlier = self.first <= position < len(self.dispatch) and self.dispatch[position] != REJECTED
        return position == accepted or earlier

    def _weight(self, job: Job, choice: int | None, late: Sequence[int]) -> int:
        """Number, or rejection weight, of the jobs that are rejected now."""
        return (self.weight[job.position] if choice is None else 0) + sum(self.weight[j] for j in late)

    def _over_budget(self, job: Job, choice: int | None, late: Sequence[int]) -> bool:
        more = self._weight(job, choice, late)
        return more > 0 and self.rejected + more > self.epsilon * (self.arrived + self.weight[job.position])

    def _double(self, job: Job, choice: int | None) -> None:
        if len(self.phases) >= MOST_DOUBLINGS:
            raise InvalidInput(
                Problem(
                    f"job {job.id!r}",
                    "rejected under every guess",
                    f"{MOST_DOUBLINGS} doublings",
                    "an algorithm whose fresh phase accepts the job under some guess",
                    "give a guess, or correct the algorithm's arrive()",
                )
            )
        assert self.guess is not None
        self._close(job.position, True, REJECTED if choice is None else choice)
        self.guess *= 2
        self._open(job.position)

    def finished(self, instance: Instance) -> Run:
        """The run on the instance that the offered jobs make up."""
        if instance.n:
            self._close(instance.n - 1)
        return Run(
            instance=instance,
            problem=self.algorithm.problem,
            algorithm=self.name,
            epsilon=self.epsilon,
            dispatch=np.array(self.dispatch, dtype=np.int64),
            phases=tuple(self.phases),
            late=tuple(self.late),
            parameters=self.parameters,
        )


def _machines(numbers: Sequence[int]) -> str:
    """Machines as an algorithm has them, from 0, and as people do, from 1."""
    shown = [f"{i} (machine {i + 1})" for i in numbers[:MOST_NAMED]]
    return " or ".join(shown) + (f" or {len(numbers) - MOST_NAMED} more" if len(numbers) > MOST_NAMED else "")
