"""Playing an instance to an online algorithm: with a known guess, or guess and double."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from online.algorithm import Algorithm, Engine, OnlineAlgorithm, blame
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.played import Order, received
from online.recorder import Recorder
from online.run import Run

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

    An engine plays by itself; `options` are constants that the algorithm takes.

    Raises: `InvalidInput` for an epsilon outside (0, 1], a guess that is not positive, an option that the algorithm
    does not take, an instance that it does not admit, a machine that is not eligible, or an engine that returns
    anything else than a run of what it was given.

    Source: Rejecting jobs to minimize load and maximum flow-time, Figures 2 and 6.
    """
    check_play(epsilon, guess, algorithm, options or {})
    name = name or f"{algorithm.__module__}:{algorithm.__qualname__}"
    try:
        algorithm.admits(instance)
    except BaseException as failed:
        blame(name, "admits()", failed)
    if issubclass(algorithm, Engine):
        return _played(instance, algorithm, epsilon, guess, name, options or {})
    assert issubclass(algorithm, OnlineAlgorithm)
    recorder = Recorder(instance.machines, instance.tick, algorithm, epsilon, guess, name, options)
    if instance.n:
        recorder.begin(instance)
    for job in instance.jobs():
        recorder.offer(job)
        if progress is not None and job.position % 4096 == 0:
            progress(job.position)
    return recorder.finished(instance)


def _played(
    instance: Instance,
    algorithm: type[Engine],
    epsilon: Fraction,
    guess: Fraction | None,
    name: str,
    options: Mapping[str, Fraction],
) -> Run:
    known = {} if guess is None else {"guess": guess}
    try:
        run = algorithm.play(instance, epsilon, guess=guess, name=name, options=options)
        return received(Order(instance, algorithm, epsilon, name, {**known, **options}), run)
    except BaseException as failed:
        blame(name, "play()", failed)


def check_epsilon(epsilon: Fraction) -> None:
    """Raises: `InvalidInput` for a budget outside (0, 1]."""
    if not 0 < epsilon <= 1:
        fix = "give the share of jobs that may be rejected, such as 1/4"
        raise InvalidInput(Problem("epsilon", "out of range", str(epsilon), "a number in (0, 1]", fix))


def check_play(
    epsilon: Fraction, guess: Fraction | None, algorithm: type[Algorithm], options: Mapping[str, Fraction]
) -> None:
    """Raises: `InvalidInput` for an epsilon, a guess or an option that the algorithm cannot be played with."""
    if guess is not None and not algorithm.takes_guess:
        raise InvalidInput(
            Problem("guess", "of no use", str(guess), "no guess: this algorithm takes none", "omit the guess")
        )
    check_epsilon(epsilon)
    if guess is not None and guess <= 0:
        raise InvalidInput(Problem("guess", "not positive", str(guess), "a duration > 0", "give a larger guess"))
    for option in options:
        if option not in algorithm.options:
            known, fix = ", ".join(algorithm.options) or "none", "omit it, or choose another algorithm"
            raise InvalidInput(Problem(f"option {option}", "of no use", option, f"options {known}", fix))
