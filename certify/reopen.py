"""From an accepted certificate back to the run it is about."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from online import exact
from online.errors import InvalidInput, Problem
from online.family import IntervalFamily
from online.instance import Instance
from online.play import check_epsilon
from online.run import REJECTED, LateRejection, Phase, Pieces, Run


def _runless(document: Mapping[str, Any]) -> str:
    return "a game, played in rounds" if document["problem"] == "routing" else "a certificate of a bound alone"


def reopen_run(document: Mapping[str, Any], folder: str | None = None) -> Run:
    """The run recorded in a certificate that the checker accepted; its instance may lie in a file in `folder`.

    Raises: `InvalidInput` if the certificate records no run.
    """
    record = document.get("run")
    if record is None:
        raise _unusable("$.run", "no run", _runless(document))
    schedule = record["schedule"]
    parameters = dict(record.get("parameters", {}))
    try:
        epsilon = exact.rational(parameters.pop("epsilon", None))
    except exact.BadNumber as bad:
        raise _unusable("$.run.parameters.epsilon", "no epsilon", str(bad)) from None
    check_epsilon(epsilon)
    for name, value in parameters.items():
        try:
            exact.rational(value)
        except exact.BadNumber as bad:
            raise _unusable(f"$.run.parameters.{name}", "no number", str(bad)) from None
    instance = reopen_instance(document["instance"], folder)
    return Run(
        instance=instance,
        problem=document["problem"],
        algorithm=record["algorithm"],
        epsilon=epsilon,
        dispatch=np.array(record["dispatch"], dtype=np.int64),
        parameters=parameters,
        phases=tuple(_phase(one) for one in record.get("phases", [])),
        late=_late(record["late"], instance, schedule) if "late" in record else (),
        pieces=None if isinstance(schedule, str) else Pieces(*(tuple(schedule[name]) for name in Pieces._fields)),
        per_tick=1 if isinstance(schedule, str) else schedule["per_tick"],
        speed=exact.rational(record.get("speed", 1)),
    )


def _late(record: Mapping[str, Any], instance: Instance, schedule: Any) -> tuple[LateRejection, ...]:
    if "after" in record:
        return tuple(map(LateRejection, record["job"], record["after"]))
    release = [t * schedule["per_tick"] for t in instance.release.tolist()]
    rows = zip(record["job"], record["time"], strict=True)
    return tuple(LateRejection(job, bisect_left(release, time) - 1, time) for job, time in rows)


def _unusable(place: str, reason: str, got: str) -> InvalidInput:
    expected = "a run as `dualfit run` records it"
    return InvalidInput(Problem(place, reason, got, expected, "use a certificate that `dualfit run` wrote"))


def reopen_instance(document: Mapping[str, Any], folder: str | None) -> Instance:
    """The instance of a certificate, or the one in the file that it names.

    Raises: `InvalidInput` for more machines than columns hold; the checker has no such limit.
    """
    if "file" in document:
        document = json.loads((Path(folder or ".") / document["file"]).read_bytes())
    if document["machines"] >= exact.SAFE:
        got, fix = f"{document['machines']} machines", "leave out machines that no job may run on"
        raise InvalidInput(Problem("$.instance.machines", "too many machines", got, f"below {exact.SAFE}", fix))
    return Instance.from_document(document, "$.instance")


def reopen_family(evidence: Mapping[str, Any]) -> IntervalFamily:
    """The interval family of evidence by rule C3, of a certificate that the checker accepted.

    >>> reopen_family({"rule": "C3", "per_tick": 2, "machine": [0], "start": [1], "end": [4]}).total_length
    Fraction(3, 2)
    """
    columns = [evidence[name] for name in ("machine", "start", "end")]
    return IntervalFamily.of(
        [(i, 0, start, end) for i, start, end in zip(*columns, strict=True)],
        per_tick=evidence["per_tick"],
        multiplicity=evidence.get("multiplicity"),
        weight_class=evidence.get("class"),
        weights=tuple(map(exact.rational, evidence.get("weights", [1]))),
    )


def _phase(one: Mapping[str, Any]) -> Phase:
    guess = exact.rational(one["guess"]) if "guess" in one else None
    return Phase(guess, one["first"], one["last"], one["ended"], one.get("choice", REJECTED))


def reopen_schedule(instance: Instance, problem: str, evidence: Mapping[str, Any], name: str) -> Run:
    """The schedule in evidence of rule C6 or C8 of all jobs, as the run of one called `name` who rejects nobody."""
    schedule = evidence["schedule"]
    whole = isinstance(schedule, str)
    return Run(
        instance,
        problem,
        name,
        Fraction(1),
        np.array(evidence["dispatch"], dtype=np.int64),
        (),
        pieces=None if whole else Pieces(*(tuple(schedule[column]) for column in Pieces._fields)),
        per_tick=1 if whole else schedule["per_tick"],
    )


def claimed_bound(document: Mapping[str, Any]) -> Fraction:
    """The largest lower bound claimed by a certificate, in ticks; 0 without one."""
    bounds = [exact.rational(goal["value"]) for goal in document["goal"] if goal["claim"] == "lower-bound"]
    return max(bounds, default=Fraction(0))


def claimed_upper(document: Mapping[str, Any], known: Fraction) -> Fraction:
    """The least upper bound on T* that is known or claimed by a certificate, in ticks."""
    bounds = [exact.rational(goal["value"]) for goal in document["goal"] if goal["claim"] == "upper-bound"]
    return min([known, *bounds])
