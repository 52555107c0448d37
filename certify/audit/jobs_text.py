"""The jobs of a counterexample in few lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

NAMES = {"p": "size", "w": "flow weight", "v": "rejection weight", "eligible": "machines"}
LINES = 12
"""Most lines that are shown; of longer lists the first ones are."""


def job_lines(jobs: Sequence[Mapping[str, Any]]) -> list[str]:
    """In arrival order, one line for jobs in a row that are equal, or equal but for evenly spaced releases.

    >>> job_lines([{"r": time, "p": "1"} for time in "024"] + [{"r": "4", "p": "2", "eligible": [1]}])
    ['3 x release 0, 2, ..., 4; size 1', '1 x release 4; size 2; machines 1']
    """
    lines = list(_lines(jobs))
    if len(lines) <= LINES:
        return lines
    shown = sum(int(line.split(" ", 1)[0]) for line in lines[:LINES])
    return [*lines[:LINES], f"... and {len(jobs) - shown} more; all are in the JSON report"]


def _lines(jobs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for words, alike in groupby(jobs, _words):
        for first, step, count in _stretches([Fraction(job["r"]) for job in alike]):
            yield f"{count} x release {_releases(first, step, count)}; {words}"


def _stretches(times: Sequence[Fraction]) -> Iterator[tuple[Fraction, Fraction, int]]:
    """First time, step and number of the times, which ascend: as many with one step as there are, in turn."""
    k = 0
    while k < len(times):
        step = times[k + 1] - times[k] if k + 1 < len(times) else Fraction(0)
        end = k + 1
        while end < len(times) and times[end] - times[end - 1] == step:
            end += 1
        yield times[k], step, end - k
        k = end


def _releases(first: Fraction, step: Fraction, count: int) -> str:
    if not step:
        return str(first)
    last = first + step * (count - 1)
    return f"{first}, {last}" if count == 2 else f"{first}, {first + step}, ..., {last}"


def _words(job: Mapping[str, Any]) -> str:
    shown = {name: value for name, value in job.items() if name != "r"}
    if "eligible" in job:
        shown["eligible"] = ", ".join(map(str, job["eligible"]))
    if shown.get("w") == shown.get("v") is not None:
        shown = {("weight" if name == "w" else name): value for name, value in shown.items() if name != "v"}
    return "; ".join(f"{NAMES.get(name, name)} {value}" for name, value in shown.items())
