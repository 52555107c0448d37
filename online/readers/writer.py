"""Instances written as dualfit's own JSON, one job a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance, Job


def write_json(instance: Instance, path: str | Path | None = None, planted: Mapping[str, str] | None = None) -> str:
    """Write an instance as a list of jobs, or as columns where that form would lose its tick or weight unit.

    `planted` holds exact facts that a generator knows about the instance, as text; readers ignore it.

    Claim: reading the text back gives an equal instance (with size 0 kept, if there are zero sizes).

    Raises: `InvalidInput` when the file cannot be written.

    >>> from online.rows import Row
    >>> print(write_json(Instance.from_rows(2, [Row("a", "0.5", 3, [1])])), end="")
    {"machines": 2, "jobs": [
    {"id": "a", "r": "1/2", "p": 3, "eligible": [2]}
    ]}
    """
    text = _list_text(instance, planted) if _canonical(instance) else _column_text(instance, planted)
    if path is not None:
        _save(text, path)
    return text


def _canonical(instance: Instance) -> bool:
    """Whether `Instance.from_rows` would choose this tick and this weight unit again."""
    times = _common(instance.tick, instance.release.tolist() + instance.size.tolist())
    weights = instance.flow_weight.tolist() + instance.rejection_weight.tolist()
    return times == instance.tick and _common(instance.weight_unit, weights) == instance.weight_unit


def _common(unit: Fraction, values: list[int]) -> Fraction:
    return Fraction(1, exact.common_denominator([unit * value for value in values]))


def _column_text(instance: Instance, planted: Mapping[str, str] | None) -> str:
    document = instance.to_document()
    if planted is not None:
        document["planted"] = dict(planted)
    return json.dumps(document) + "\n"


def _list_text(instance: Instance, planted: Mapping[str, str] | None) -> str:
    head: dict[str, Any] = {"machines": instance.machines}
    if instance.machine_names:
        head["machine_names"] = list(instance.machine_names)
    if planted is not None:
        head["planted"] = dict(planted)
    lines = ",\n".join(json.dumps(_job(job, instance)) for job in instance.jobs())
    return f'{json.dumps(head)[:-1]}, "jobs": [\n{lines}\n]}}\n'


def _job(job: Job, instance: Instance) -> dict[str, Any]:
    written: dict[str, Any] = {
        "id": job.id,
        "r": _written(job.release * instance.tick),
        "p": _written(job.size * instance.tick),
    }
    if job.flow_weight * instance.weight_unit != 1:
        written["w"] = _written(job.flow_weight * instance.weight_unit)
    if job.rejection_weight != job.flow_weight:
        written["v"] = _written(job.rejection_weight * instance.weight_unit)
    if len(job.eligible) < instance.machines:
        written["eligible"] = [i + 1 for i in job.eligible]
    return written


def _written(value: Fraction) -> int | str:
    return value.numerator if value.denominator == 1 else exact.text(value)


def _save(text: str, path: str | Path) -> None:
    try:
        Path(path).write_text(text, encoding="ascii", newline="\n")
    except OSError as failed:
        why = failed.strerror or str(failed)
        raise InvalidInput(Problem(str(path), "cannot be written", why, "a writable file", "check the path")) from None
