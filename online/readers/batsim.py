"""Batsim's JSON workloads: jobs that refer to delay profiles, on resources numbered from 0."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from online.errors import InvalidInput, Problem
from online.exact import decimal
from online.readers.door import Door
from online.readers.fields import number
from online.readers.json_text import kind, show
from online.readers.reading import Reading
from online.rows import Row

DELAY = ("delay", "DelayProfile")

_RESOURCES = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", re.ASCII)


class _Bad(Exception):
    """A job that is turned away: reason, got, expected, fix."""


def read_workload(document: Mapping[str, Any], door: Door) -> Reading:
    """Read `{"nb_res": m, "jobs": [...], "profiles": {...}}`; a job becomes one job of size `delay`.

    A `walltime` below the delay cuts the size; `desired_allocation` in `extra_data` gives the eligible
    machines, else every machine may run the job.

    Raises: `InvalidInput` for faulty parts of the file, for profiles other than delays, and for bad jobs as
    the options say.
    Source: Batsim documentation, input workload (version 5; older files name the profile type `delay`).
    """
    for key, wanted in (("jobs", list), ("profiles", dict)):
        if not isinstance(document.get(key), wanted):
            got = kind(document[key]) if key in document else "nothing"
            expected = "a list" if wanted is list else "an object"
            raise InvalidInput(Problem(f"{door.name}: $.{key}", "missing or wrong type", got, expected, "add it"))
    door.read = len(document["jobs"])
    machines = door.machines(number(document.get("nb_res")))
    return door.build(machines, _Workload(document, machines, door).rows())


class _Workload:
    def __init__(self, document: Mapping[str, Any], machines: int, door: Door) -> None:
        self.jobs, self.profiles = document["jobs"], document["profiles"]
        self.machines, self.door = machines, door
        self.cut: list[str] = []
        self.wide: list[object] = []

    def rows(self) -> Iterator[Row]:
        for k, job in enumerate(self.jobs):
            place = f"{self.door.name}: $.jobs[{k}]"
            try:
                yield self._row(job, place)
            except _Bad as bad:
                self.door.refuse(Problem(place, *bad.args), job.get("id") if isinstance(job, dict) else None)
        self.door.note_jobs(self.cut, "jobs cut by their walltime")
        self.door.note_jobs(self.wide, "jobs that ask for more than one resource, each taken as one job on one machine")

    def _row(self, job: Any, place: str) -> Row:
        if not isinstance(job, dict):
            raise _Bad("not a job", kind(job), "an object", "write the job as an object")
        for key in ("id", "subtime", "res", "profile"):
            if job.get(key) is None:
                raise _Bad("missing key", f"no {key!r}", "the keys id, subtime, res and profile", "add it")
        delay = self._delay(job)
        wide = self._width(job) > 1
        eligible = self._eligible(job)
        size = self._cut(job, delay)
        if wide:
            self.wide.append(job["id"])
        return Row(job["id"], number(job["subtime"]), size, eligible, place=place)

    def _delay(self, job: dict[str, Any]) -> Any:
        name = job["profile"]
        profile = self.profiles.get(name) if isinstance(name, str) else None
        if not isinstance(profile, dict):
            got = f"profile {show(name)} of job {show(job['id'])}"
            raise _Bad("missing profile", got, "a profile of the file", "add the profile")
        if profile.get("type") not in DELAY:
            got = f"profile {show(name)} of type {show(profile.get('type'))} of job {show(job['id'])}"
            raise _Bad("not a delay profile", got, "type delay or DelayProfile", "drop such jobs (--invalid drop)")
        return number(profile.get("delay"))

    def _width(self, job: dict[str, Any]) -> int:
        width = number(job["res"])
        if type(width) is not int or width < 1:
            got = f"res {show(job['res'])} of job {show(job['id'])}"
            raise _Bad("bad number of resources", got, "an integer of at least 1", "correct it")
        if width > self.machines:
            got = f"job {show(job['id'])} needs {width} resources of {self.machines}"
            raise _Bad("too wide", got, f"at most {self.machines}", "remove the job, or drop such jobs")
        return width

    def _cut(self, job: dict[str, Any], delay: Any) -> Any:
        limit = number(job.get("walltime", -1))
        if limit == -1:
            return delay
        if type(limit) not in (int, Fraction) or limit <= 0:
            got = f"walltime {show(job['walltime'])} of job {show(job['id'])}"
            raise _Bad("bad walltime", got, "a time > 0, or -1 for none", "correct it")
        if type(delay) not in (int, Fraction) or delay <= limit:
            return delay
        self.cut.append(f"{job['id']} ({decimal(delay)} to {decimal(limit)})")
        return limit

    def _eligible(self, job: dict[str, Any]) -> list[int] | None:
        wanted = _desired(job)
        if wanted is None:
            return None
        machines = _resources(wanted)
        if machines is None:
            got = f"desired_allocation {show(wanted)} of job {show(job['id'])}"
            raise _Bad("bad desired allocation", got, 'resources such as "0-3" or "0 2"', "correct it")
        for _, high in machines:
            if high >= self.machines:
                got = f"resource {high} for job {show(job['id'])}"
                raise _Bad("unknown machine", got, f"resources 0..{self.machines - 1}", "correct the allocation")
        return [i for low, high in machines for i in range(low, high + 1)]


def _desired(job: dict[str, Any]) -> Any:
    extra = job.get("extra_data")
    if isinstance(extra, str) and "desired_allocation" in extra:
        try:
            extra = json.loads(extra)
        except (ValueError, RecursionError):
            raise _Bad("bad extra data", show(extra), "a JSON object in the text", "correct it") from None
    return extra.get("desired_allocation") if isinstance(extra, dict) else None


def _resources(wanted: Any) -> list[tuple[int, int]] | None:
    parts = wanted if isinstance(wanted, list) else [wanted]
    texts = [str(part) if type(part) in (int, str) else "?" for part in parts]
    words = " ".join(texts).replace(",", " ").split()
    found = [_RESOURCES.fullmatch(word) for word in words]
    ranges = [(int(match[1]), int(match[2] or match[1])) for match in found if match]
    if not ranges or len(ranges) < len(found) or any(low > high for low, high in ranges):
        return None
    return ranges
