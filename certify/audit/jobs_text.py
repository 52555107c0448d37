"""The jobs of a counterexample in few lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

NAMES = {"r": "release", "p": "size", "w": "flow weight", "v": "rejection weight", "eligible": "machines"}
LINES = 24
"""Most lines that are shown; of longer lists the first ones are."""


def job_lines(jobs: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line for equal jobs in a row, in arrival order.

    >>> job_lines([{"r": "0", "p": "1"}, {"r": "0", "p": "1"}, {"r": "0", "p": "1", "eligible": [1]}])
    ['2 x release 0, size 1', '1 x release 0, size 1, machines 1']
    """
    lines = list(_lines(jobs))
    if len(lines) <= LINES:
        return lines
    return [*lines[:LINES], f"... and {len(jobs) - sum(map(_count, lines[:LINES]))} more; all are in the JSON report"]


def _lines(jobs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for words, equal in groupby(map(_words, jobs)):
        yield f"{len(list(equal))} x {words}"


def _count(line: str) -> int:
    return int(line.split(" ", 1)[0])


def _words(job: Mapping[str, Any]) -> str:
    shown = {**job, "eligible": ", ".join(map(str, job["eligible"]))} if "eligible" in job else job
    if shown.get("w") == shown.get("v") is not None:
        shown = {("weight" if name == "w" else name): value for name, value in shown.items() if name != "v"}
    return ", ".join(f"{NAMES.get(name, name)} {value}" for name, value in shown.items())
