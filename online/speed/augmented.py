"""Runs on faster or slower machines: speed augmentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from online import exact
from online.algorithm import Algorithm
from online.errors import InvalidInput, Problem
from online.fifo import completions, per_machine
from online.instance import Instance
from online.play import Progress, play
from online.run import Phase, Pieces, Run


def play_at_speed(
    instance: Instance,
    algorithm: type[Algorithm],
    epsilon: Fraction,
    speed: Fraction | int = 1,
    *,
    guess: Fraction | None = None,
    name: str | None = None,
    options: Mapping[str, Fraction] | None = None,
    progress: Progress | None = None,
) -> Run:
    """Play on machines that do `speed` ticks of work in a tick: what the algorithm sees is jobs of size p/speed.

    Claim: the run is the one at speed 1 of the instance in which every job takes p/speed, told in the sizes of this
    one; so dispatch, rejections and times are the same, the budget is kept or not, and objectives are those of the true
    sizes (for stretch the flow time is divided by p, not by p/speed). With speed `a/b` times are whole in `1/a` ticks.

    Raises: `InvalidInput` for a speed that is not positive, for load, which has no time, and whatever `play` refuses.

    Source: Kalyanasundaram and Pruhs, Speed is as powerful as clairvoyance (1995).

    >>> from online.baselines.rules import Fifo
    >>> from online.rows import Row
    >>> one = Instance.from_rows(1, [Row("a", 0, 3)])
    >>> play_at_speed(one, Fifo, Fraction(1, 2), Fraction(5, 4)).objective
    Fraction(12, 5)
    """
    speed = Fraction(speed)
    if speed == 1:
        return play(instance, algorithm, epsilon, guess=guess, name=name, options=options, progress=progress)
    check_speed(speed, algorithm)
    unit = speed if algorithm.problem == "stretch" else Fraction(speed.numerator)
    known = None if guess is None else guess * unit
    fast = faster(instance, speed)
    run = play(fast, algorithm, epsilon, guess=known, name=name, options=options, progress=progress)
    return _told(run, instance, speed, unit)


def faster(instance: Instance, speed: Fraction) -> Instance:
    """The instance in which every job takes `p/speed`, in ticks that are `1/speed.numerator` as long.

    >>> from online.rows import Row
    >>> faster(Instance.from_rows(1, [Row("a", 1, 3)]), Fraction(5, 4)).job(0)[2:4]
    (5, 12)
    """
    return replace(
        instance,
        tick=instance.tick / speed.numerator,
        release=exact.column([t * speed.numerator for t in instance.release.tolist()]),
        size=exact.column([p * speed.denominator for p in instance.size.tolist()], summed=True),
    )


def check_speed(speed: Fraction, algorithm: type[Algorithm]) -> None:
    """Raises: `InvalidInput` for a speed that is not positive, and for one other than 1 where there is no time."""
    if speed <= 0:
        raise InvalidInput(Problem("speed", "not positive", str(speed), "a number > 0", "give a speed such as 5/4"))
    if speed != 1 and algorithm.problem == "load":
        fix = "omit the speed"
        raise InvalidInput(Problem("speed", "of no use", str(speed), "no speed: load balancing has no time", fix))


def _told(run: Run, instance: Instance, speed: Fraction, unit: Fraction) -> Run:
    """The run of the faster instance as one of this instance; values of its objective are `unit` times as large."""
    guess = {"guess": exact.text(exact.rational(run.parameters["guess"]) / unit)} if "guess" in run.parameters else {}
    return replace(
        run,
        instance=instance,
        phases=tuple(_phase(phase, unit) for phase in run.phases),
        parameters=run.parameters | guess,
        pieces=run.pieces or _whole(run),
        per_tick=speed.numerator * run.per_tick,
        speed=speed,
    )


def _phase(phase: Phase, unit: Fraction) -> Phase:
    return phase if phase.guess is None else phase._replace(guess=phase.guess / unit)


def _whole(run: Run) -> Pieces:
    """First in, first out, as pieces."""
    rows = list(_rows(run))
    return Pieces(*zip(*rows, strict=True)) if rows else Pieces((), (), (), ())


def _rows(run: Run) -> Iterator[tuple[int, int, int, int]]:
    release, size = run.instance.release, run.instance.size
    for machine, jobs in per_machine(run.dispatch, run.instance.machines):
        ends = completions(release[jobs], size[jobs])
        for job, end, own in zip(jobs.tolist(), ends.tolist(), size[jobs].tolist(), strict=True):
            yield job, machine, end - own, end
