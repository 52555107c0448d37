"""What an engine's `play` handed back, looked at before anybody believes it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from online import exact
from online.algorithm import Engine
from online.errors import InvalidInput, Problem, one_line
from online.instance import Instance
from online.run import REJECTED, LateRejection, Phase, Pieces, Run


class Order(NamedTuple):
    """What an engine was told to play; `parameters` are the guess, if there is one, and the options."""

    instance: Instance
    algorithm: type[Engine]
    epsilon: Fraction
    name: str
    parameters: Mapping[str, Fraction]


def received(order: Order, run: object) -> Run:
    """The run, if it is one of that instance, problem, epsilon, guess and name, at speed 1, and of the right types.

    Claim: positions are those of jobs, machines those of the instance, numbers Python's own; a late rejection at a time
    comes after the arrivals before that. What is infeasible all the same is left to the checker. What the run was told
    of derived values is forgotten.

    Raises: `InvalidInput` naming the class.
    """
    for got, expected in _flaws(order, run):
        fix = "return the Run of what was given, or correct the class"
        problem = Problem(order.name, "no run of it came from play()", one_line(got), expected, fix)
        raise InvalidInput(problem)
    assert isinstance(run, Run)
    return replace(
        run,
        instance=order.instance,
        epsilon=order.epsilon,
        dispatch=run.dispatch.astype(np.int64),
        parameters={key: exact.text(value) for key, value in order.parameters.items()},
        speed=Fraction(1),
    )


Flaws = Iterator[tuple[str, str]]
"""What was got, and what was expected."""


def _flaws(order: Order, run: object) -> Flaws:
    if type(run) is not Run:
        yield f"a {type(run).__name__}", "an online.run.Run"
        return
    yield from _heading(order, run)
    yield from _dispatch(order.instance, run.dispatch)
    yield from _parameters(order, run.parameters)
    yield from _pieces(order.instance, run)
    yield from _phases(order.instance, run.phases)
    yield from _late(order.instance, run)


def _heading(order: Order, run: Run) -> Flaws:
    own = order.instance
    if run.instance is not own and not (type(run.instance) is Instance and run.instance == own):
        yield "a run of another instance", f"the instance given, {own.n} jobs on {own.machines} machines"
    for what, expected in (
        ("problem", order.algorithm.problem),
        ("algorithm", order.name),
        ("epsilon", order.epsilon),
        ("speed", Fraction(1)),
    ):
        got = getattr(run, what)
        if not isinstance(got, str | int | Fraction) or got != expected:
            yield f"{what} {got!r}", f"{what} {expected}, as given"
    if type(run.per_tick) is not int or run.per_tick < 1:
        yield f"per_tick {run.per_tick!r}", "a whole number >= 1"


def _dispatch(instance: Instance, dispatch: Any) -> Flaws:
    if not isinstance(dispatch, np.ndarray) or dispatch.dtype.kind != "i" or dispatch.shape != (instance.n,):
        kind = f"{dispatch.dtype} array of shape {dispatch.shape}" if isinstance(dispatch, np.ndarray) else None
        yield f"a dispatch that is a {kind or type(dispatch).__name__}", f"an int64 array of {instance.n} entries"
        return
    outside = (dispatch < REJECTED) | (dispatch >= instance.machines)
    if outside.any():
        position = int(outside.argmax())
        got = f"machine {dispatch[position]} for job {instance.ids[position]!r}"
        yield got, f"0 to {instance.machines - 1}, or {REJECTED} to reject"


def _parameters(order: Order, parameters: Any) -> Flaws:
    if not isinstance(parameters, dict):
        yield f"parameters that are a {type(parameters).__name__}", "a dict"
        return
    for key, value in parameters.items():
        if not isinstance(value, str) or key not in order.parameters or _number(value) != order.parameters[key]:
            given = ", ".join(f"{name}: {exact.text(one)}" for name, one in order.parameters.items()) or "none"
            yield f"parameter {key!r}: {value!r}", f"those given, as text: {given}"


def _number(text: str) -> Fraction | None:
    try:
        return exact.rational(text)
    except exact.BadNumber:
        return None


def _pieces(instance: Instance, run: Run) -> Flaws:
    pieces = run.pieces
    if pieces is None:
        if run.per_tick != 1:
            yield f"per_tick {run.per_tick} and no pieces", "pieces, or per_tick 1"
        return
    whole = type(pieces) is Pieces and all(type(one) is tuple and set(map(type, one)) <= {int} for one in pieces)
    if not whole or len({len(one) for one in pieces}) != 1:
        yield "pieces of other types or lengths", "Pieces of four equally long tuples of Python ints"
    elif not _within(pieces.job, instance.n) or not _within(pieces.machine, instance.machines):
        yield "pieces of a job or on a machine that is not there", "positions of jobs, machines from 0"


def _within(numbers: Sequence[int], end: int) -> bool:
    return not numbers or (min(numbers) >= 0 and max(numbers) < end)


def _phases(instance: Instance, phases: Any) -> Flaws:
    if type(phases) is not tuple or not all(type(one) is Phase and _typed(one) for one in phases):
        yield "phases of another type", "a tuple of Phase(guess: Fraction | None, first: int, last: int, ended: bool)"
        return
    first, ended = 0, False
    for one in phases:
        if one.first != first or not first <= one.last < instance.n:
            yield f"a phase of jobs {one.first} to {one.last}", f"one that begins with job {first}, from 0"
            return
        if not REJECTED <= one.choice < (instance.machines if one.ended else 0):
            yield f"a phase with choice {one.choice}", f"a machine if it ended, else {REJECTED}"
        first, ended = one.last + (not one.ended), one.ended
    if phases and (ended or first != instance.n):
        yield f"phases up to job {first - 1}", f"phases up to job {instance.n - 1}, the last one not ended, or none"


def _typed(phase: Phase) -> bool:
    guess = phase.guess is None or (type(phase.guess) is Fraction and phase.guess > 0)
    return guess and type(phase.ended) is bool and all(type(one) is int for one in (*phase[1:3], phase.choice))


def _late(instance: Instance, run: Run) -> Flaws:
    late, timed = run.late, run.problem != "load"
    if type(late) is not tuple or not all(type(one) is LateRejection and _whole(one, timed) for one in late):
        yield (
            "late rejections of another type",
            f"a tuple of LateRejection, {'each with a' if timed else 'without'} time",
        )
        return
    if late and timed and run.pieces is None:
        yield "late rejections and no pieces", "pieces, which say what was run before"
        return
    release = instance.release.tolist()
    for one in late:
        after = one.after if one.time is None else bisect_left(release, -(-one.time // run.per_tick)) - 1
        if not (0 <= one.job <= one.after < instance.n and one.after == after):
            yield f"{one}", "a job that has arrived, rejected after the last arrival before the time"
            return
    order = [one.after if one.time is None else one.time for one in late]
    if order != sorted(order) or len({one.job for one in late}) < len(late):
        yield "late rejections out of order, or of one job twice", "each job once, in the order of the rejections"


def _whole(one: LateRejection, timed: bool) -> bool:
    return all(type(value) is int for value in (one[:3] if timed else one[:2])) and (timed or one.time is None)
