"""Playing an instance to an online algorithm: with a known guess, or guess and double."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from online import exact
from online.algorithm import Algorithm, Engine, OnlineAlgorithm, Setting, blame
from online.errors import InvalidInput, Problem
from online.instance import Instance, Job
from online.run import BY_WEIGHT, REJECTED, LateRejection, Phase, Run

MOST_DOUBLINGS = 8192
"""Enough to get from the smallest to the largest number that is read at all."""

Progress = Callable[[int], None]


def play(
    instance: Instance,
    algorithm: type[Algorithm],
    epsilon: Fraction,
    *,
    guess: Fraction | None = None,
    name: str | None = None,
    options: Mapping[str, Fraction] | None = None,
    progress: Progress | None = None,
) -> Run:
    """Offer the jobs one by one and record the decisions.

    With `guess` the algorithm runs once; without, guess and double: a phase ends when rejections at the job at hand,
    its own or late ones, would bring more than an epsilon share of the phase's jobs (or of their rejection weight,
    where the problem counts that); they do not take place, the guess doubles, and a fresh phase, which knows nothing of
    earlier jobs, handles that job again.

    Claim: what is rejected is at most an epsilon share of what has arrived at every prefix of a run by guess
    and double, whatever the algorithm: it holds in each phase, hence in their union.

    An engine plays by itself; `options` are constants that it takes.

    Raises: `InvalidInput` for an epsilon outside (0, 1], a guess that is not positive, an option that the algorithm
    does not take, an instance that it does not admit, or a machine that is not eligible.

    Source: Rejecting jobs to minimize load and maximum flow-time, Figures 2 and 6.
    """
    _check(epsilon, guess, algorithm, options or {})
    name = name or f"{algorithm.__module__}:{algorithm.__qualname__}"
    try:
        algorithm.admits(instance)
    except BaseException as failed:
        blame(name, "admits()", failed)
    if issubclass(algorithm, Engine):
        return _played(instance, algorithm, epsilon, guess, name, options or {})
    assert issubclass(algorithm, OnlineAlgorithm)
    recorder = _Recorder(instance, algorithm, epsilon, guess, name)
    for job in instance.jobs():
        recorder.offer(job)
        if progress is not None and job.position % 4096 == 0:
            progress(job.position)
    return recorder.finished(name)


def _played(
    instance: Instance,
    algorithm: type[Engine],
    epsilon: Fraction,
    guess: Fraction | None,
    name: str,
    options: Mapping[str, Fraction],
) -> Run:
    try:
        return algorithm.play(instance, epsilon, guess=guess, name=name, options=options)
    except BaseException as failed:
        blame(name, "play()", failed)


class _Recorder:
    def __init__(
        self,
        instance: Instance,
        algorithm: type[OnlineAlgorithm],
        epsilon: Fraction,
        guess: Fraction | None,
        name: str,
    ) -> None:
        self.instance, self.algorithm, self.epsilon, self.name = instance, algorithm, epsilon, name
        self.doubling = algorithm.takes_guess and guess is None
        self.guess = guess
        self.parameters = {} if self.doubling or guess is None else {"guess": exact.text(guess)}
        by_weight = algorithm.problem in BY_WEIGHT
        self.weight = instance.rejection_weight.tolist() if by_weight else [1] * instance.n
        self.dispatch: list[int] = []
        self.late: list[LateRejection] = []
        self.gone: set[int] = set()
        self.phases: list[Phase] = []
        if instance.n:
            self.guess = self._first_guess() if self.doubling else guess
            self._open(0)

    def _first_guess(self) -> Fraction:
        try:
            guess = exact.rational(self.algorithm.first_guess(self.instance))
            if guess <= 0:
                raise ValueError(f"returned {guess}, expected a duration > 0")
        except BaseException as failed:
            blame(self.name, "first_guess()", failed)
        return guess

    def _open(self, first: int) -> None:
        self.first, self.rejected, self.arrived = first, 0, 0
        guess = self.guess if self.algorithm.takes_guess else None
        setting = Setting(self.instance.machines, self.epsilon, guess, self.instance.tick)
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
            late = list(self.current.prune())
        except BaseException as failed:
            blame(self.name, f"arrive() or prune() at job {job.id!r}", failed)
        if choice is not None and (type(choice) is not int or choice not in job.eligible):
            raise InvalidInput(
                Problem(
                    f"job {job.id!r}",
                    "dispatched to a machine that is not eligible",
                    repr(choice),
                    f"one of {job.eligible} as a Python int, or None",
                    "correct the algorithm's arrive()",
                )
            )
        self._check_late(job, choice, late)
        return choice, late

    def _check_late(self, job: Job, choice: int | None, late: Sequence[object]) -> None:
        if late and self.algorithm.problem != "load":
            raise InvalidInput(
                Problem(
                    f"after job {job.id!r}",
                    "late rejection in a problem with time",
                    f"prune() returned {list(late)}",
                    "late rejections in load alone, as a job may be running by then",
                    "reject on arrival, or write an Engine that makes its own schedule",
                )
            )
        accepted = job.position if choice is not None else None
        seen: set[object] = set()
        for position in late:
            if not self._keeps(position, accepted) or position in seen:
                raise InvalidInput(
                    Problem(
                        f"after job {job.id!r}",
                        "late rejection of a job that is not there",
                        f"position {position!r}",
                        "a job that this phase accepted and still keeps, once",
                        "correct the algorithm's prune()",
                    )
                )
            seen.add(position)

    def _keeps(self, position: object, accepted: int | None) -> bool:
        """Whether the phase accepted the job at this position and keeps it; `accepted` is being accepted right now."""
        if type(position) is not int or position in self.gone:
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
                    "give --guess, or correct the algorithm's arrive()",
                )
            )
        assert self.guess is not None
        self._close(job.position, True, REJECTED if choice is None else choice)
        self.guess *= 2
        self._open(job.position)

    def finished(self, name: str) -> Run:
        if self.instance.n:
            self._close(self.instance.n - 1)
        return Run(
            instance=self.instance,
            problem=self.algorithm.problem,
            algorithm=name,
            epsilon=self.epsilon,
            dispatch=np.array(self.dispatch, dtype=np.int64),
            phases=tuple(self.phases),
            late=tuple(self.late),
            parameters=self.parameters,
        )


def check_epsilon(epsilon: Fraction) -> None:
    """Raises: `InvalidInput` for a budget outside (0, 1]."""
    if not 0 < epsilon <= 1:
        fix = "give the share of jobs that may be rejected, such as 1/4"
        raise InvalidInput(Problem("epsilon", "out of range", str(epsilon), "a number in (0, 1]", fix))


def _check(
    epsilon: Fraction, guess: Fraction | None, algorithm: type[Algorithm], options: Mapping[str, Fraction]
) -> None:
    if guess is not None and not algorithm.takes_guess:
        raise InvalidInput(
            Problem("guess", "of no use", str(guess), "no guess: this algorithm takes none", "omit --guess")
        )
    check_epsilon(epsilon)
    if guess is not None and guess <= 0:
        raise InvalidInput(Problem("guess", "not positive", str(guess), "a duration > 0", "give a larger guess"))
    for option in options:
        if option not in algorithm.options:
            known = ", ".join(f"--{one}" for one in algorithm.options) or "no such options"
            fix = "omit it, or choose another --algorithm"
            raise InvalidInput(Problem(f"--{option}", "of no use", "given", f"{known}: for this algorithm", fix))
