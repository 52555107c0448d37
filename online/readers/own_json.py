"""dualfit's own JSON: a list of jobs, or the columns of an instance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.readers.door import Door
from online.readers.fields import number
from online.readers.json_text import kind, show
from online.readers.reading import Reading
from online.rows import Row

TOP = ("machines", "machine_names", "jobs", "planted")
JOB = ("id", "r", "p", "w", "v", "eligible")
LISTS = ("ids", "release", "size", "flow_weight", "rejection_weight", "eligible_sets", "eligible")
COLUMNS = ("format", "version", "machines", "machine_names", "tick", "weight_unit", *LISTS, "planted")


def schema_text() -> str:
    """The JSON Schema (draft 2020-12) of both forms, as text."""
    return resources.files("online.readers").joinpath("schema.json").read_text("utf-8")


def read_jobs(document: Mapping[str, Any], door: Door) -> Reading:
    """Read `{"machines": m, "jobs": [{"id", "r", "p", "w", "v", "eligible"}, ...]}` or the columnar form.

    Machines count from 1; `w` is 1, `v` is `w` and `eligible` is every machine where missing.

    Raises: `InvalidInput` for unknown or missing keys, and for bad jobs as the options say.
    """
    if "format" in document:
        return _read_columns(document, door)
    _check_keys(document, TOP, door.name)
    jobs = _typed(document, "jobs", list, door.name)
    door.read = len(jobs)
    return door.build(document.get("machines"), _rows(jobs, door), document.get("machine_names"))


def _rows(jobs: list[Any], door: Door) -> Iterator[Row]:
    repeats = []
    for k, job in enumerate(jobs):
        place = f"{door.name}: $.jobs[{k}]"
        problem = _problem_of(job, place)
        if problem is not None:
            door.refuse(problem, job.get("id") if isinstance(job, dict) else None)
            continue
        eligible = job.get("eligible")
        if eligible is not None:
            if len(set(eligible)) < len(eligible):
                repeats.append(job["id"])
            eligible = [i - 1 for i in eligible]
        times = number(job["r"]), number(job["p"])
        yield Row(job["id"], *times, eligible, number(job.get("w", 1)), number(job.get("v")), place)
    door.note_jobs(repeats, "jobs that name a machine more than once, which counts once")


def _problem_of(job: Any, place: str) -> Problem | None:
    if not isinstance(job, dict):
        return Problem(place, "not a job", kind(job), "an object", "write the job as an object")
    for key, value in job.items():
        if key not in JOB:
            return _unknown_key(place, key, JOB)
        if value is None or (key == "eligible" and not isinstance(value, list)):
            expected = "a list of machines" if key == "eligible" else "a value"
            return Problem(f"{place}.{key}", "wrong type", kind(value), expected, "correct or omit it")
    for i in job.get("eligible", ()):
        if type(i) is not int:
            got = f"{show(i)} for job {show(job.get('id'))}"
            return Problem(f"{place}.eligible", "wrong type", got, "machine numbers from 1", "correct it")
    for key in ("id", "r", "p"):
        if key not in job:
            return Problem(place, "missing key", f"no {show(key)}", "the keys id, r and p", "add it")
    return None


def _read_columns(document: Mapping[str, Any], door: Door) -> Reading:
    _check_keys(document, COLUMNS, door.name)
    for key in LISTS:
        if key in document:
            _typed(document, key, list, door.name)
    for k, one in enumerate(document.get("eligible_sets", ())):
        if not isinstance(one, list):
            place = f"{door.name}: $.eligible_sets[{k}]"
            raise InvalidInput(Problem(place, "wrong type", kind(one), "a list of machines", "correct it"))
    door.machines(document.get("machines"))
    instance = Instance.from_document(document, f"{door.name}: $")
    door.read = instance.n
    return door.close(_without_zero_sizes(instance, door))


def _without_zero_sizes(instance: Instance, door: Door) -> Instance:
    if door.action("zero size") == "keep" or (instance.size > 0).all():
        return instance
    for j in (instance.size == 0).nonzero()[0].tolist():
        job = instance.ids[j]
        got = f"size 0 of job {job!r}"
        fix = "remove the job, give its true size, or drop such jobs"
        door.refuse(Problem(f"{door.name}: $.size[{j}]", "zero size", got, "a size > 0", fix), job)
    return instance.restrict(instance.size > 0)


def _check_keys(document: Mapping[str, Any], known: tuple[str, ...], name: str) -> None:
    problems = [_unknown_key(f"{name}: $", key, known) for key in document if key not in known]
    if problems:
        raise InvalidInput(problems)
    for key, wanted in (("machine_names", list), ("planted", dict)):
        if key in document:
            _typed(document, key, wanted, name)


def _unknown_key(place: str, key: str, known: tuple[str, ...]) -> Problem:
    return Problem(place, "unknown key", show(key), f"only the keys {', '.join(known)}", "correct or remove it")


def _typed(document: Mapping[str, Any], key: str, wanted: type, name: str) -> Any:
    if isinstance(document.get(key), wanted):
        return document[key]
    got = kind(document[key]) if key in document else "nothing"
    expected = "a list" if wanted is list else "an object"
    raise InvalidInput(Problem(f"{name}: $.{key}", "missing or wrong type", got, expected, "correct it"))
