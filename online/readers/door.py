"""The door: the one place that decides whether a problem refuses the file or drops the job, and counts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.readers.options import ReadOptions
from online.readers.reading import DoorRejections, Dropped, Reading
from online.rows import Row
from online.validate import JobId, check_machines

SHOWN = 5
"""Places that a report, and ids that a note, list in full."""

MAX_MACHINES = 1_000_000

LOGS = ("swf", "batsim", "clf")
"""Logs of real systems: bad records are dropped with a report, unless asked otherwise."""

ZERO_DEFAULT = {"swf": "keep", "clf": "drop"}

UNPLACEABLE = ("empty eligible set", "unknown machine", "undeclared partition", "undeclared queue", "too wide")
"""Reasons that mean: no machine may run this job."""

ASK_FIRST = ("not a delay profile",)
"""Reasons that refuse even a log by default, since whole kinds of jobs would be missing."""


@dataclass
class _Entry:
    """The account of one reason."""

    count: int = 0
    problems: list[Problem] = field(default_factory=list)
    ids: list[JobId] = field(default_factory=list)


class Door:
    """Takes the rows and problems of one file, and ends in a `Reading` or in `InvalidInput`."""

    def __init__(self, name: str, chosen: str, options: ReadOptions) -> None:
        options.check_for(chosen)
        self.name, self.format, self.options = name, chosen, options
        self.read = 0
        self.notes: list[str] = []
        self._refused: list[Problem] = []
        self._dropped: dict[str, _Entry] = {}
        self._rejected: dict[str, tuple[Problem, Fraction]] = {}
        self._current = Row("", 0, 0)
        self._common = [1, 1]

    def action(self, reason: str) -> str:
        """What a problem of this reason leads to: `refuse`, `drop` or `reject` (or `keep`, for size 0)."""
        if reason == "zero size":
            usual = ZERO_DEFAULT.get(self.format, "refuse")
            return self._option("zero_size", usual if usual == "keep" else self._option("invalid", usual))
        lax = self.format in LOGS and reason not in ASK_FIRST
        invalid = self._option("invalid", "drop" if lax else "refuse")
        return self._option("unplaceable", invalid) if reason in UNPLACEABLE else invalid

    def refuse(self, problem: Problem, job: object = None, weight: Any = 1) -> None:
        """Count a job that is not admitted; `job` is its id, where one could be read."""
        action = self.action(problem.reason)
        if action == "reject" and not self._reject(problem, job, weight):
            return
        if action == "refuse":
            self._refused.append(problem)
            return
        reason = f"rejected at the door: {problem.reason}" if action == "reject" else problem.reason
        entry = self._dropped.setdefault(reason, _Entry())
        entry.count += 1
        if len(entry.problems) < SHOWN:
            entry.problems.append(problem)
        if isinstance(job, int | str):
            entry.ids.append(job)

    def build(self, machines: Any, rows: Iterable[Row], names: Sequence[str] | None = None) -> Reading:
        """Validate the rows into an instance on `machines` machines (None: undeclared), and close the account.

        Raises: `InvalidInput` with everything that was refused.
        """
        instance = Instance.from_rows(
            self.machines(machines),
            self._watch(rows),
            refuse=self._at_the_gate,
            keep_zero_sizes=self.action("zero size") == "keep",
            machine_names=names,
            place=self.name,
        )
        return self.close(instance)

    def close(self, instance: Instance) -> Reading:
        """The reading that ends in this instance. Raises: `InvalidInput` with everything that was refused."""
        if self._rejected:
            for job in instance.ids:
                if str(job) in self._rejected:
                    self._refused.append(_again(self._rejected[str(job)][0], str(job), "another job"))
        if self._refused:
            raise InvalidInput(self._refused)
        if self._dropped and not instance.n and not self._rejected and self.options.invalid == "default":
            raise InvalidInput([_nothing_left(entry) for entry in self._dropped.values()])
        dropped = tuple(_report(reason, entry) for reason, entry in self._dropped.items())
        weight = sum((weight for _, weight in self._rejected.values()), Fraction(0))
        rejections = DoorRejections(len(self._rejected), weight)
        return Reading(instance, self.format, self.read, dropped, tuple(self.notes), rejections)

    def machines(self, declared: Any) -> int:
        """The number of machines from the file and the options. Raises: `InvalidInput` if they disagree."""
        asked = self.options.machines
        if declared is None and asked is None:
            raise self._no("unknown number of machines", "none declared", "at least 1", "give --machines")
        if declared is not None and asked is not None and declared != asked:
            got = f"{declared} in the file, {asked} asked for"
            raise self._no("contradicting numbers of machines", got, "one number", "omit --machines")
        count = declared if asked is None else asked
        if isinstance(count, int) and count > MAX_MACHINES:
            shown = str(count) if count < 10**20 else "over 10^20"
            raise self._no("too many machines", shown, f"at most {MAX_MACHINES}", "correct the number")
        check_machines(count, None, self.name)
        return int(count)

    def note(self, sentence: str) -> None:
        """Record a decision of the reader."""
        self.notes.append(sentence)

    def note_jobs(self, jobs: Sequence[object], sentence: str) -> None:
        """Record a decision about some jobs or lines, if there are any, naming the first few."""
        if jobs:
            more = ", ..." if len(jobs) > SHOWN else ""
            self.note(f"{sentence}: {len(jobs)} ({', '.join(map(str, jobs[:SHOWN]))}{more})")

    def _option(self, name: str, default: str) -> str:
        value: str = getattr(self.options, name)
        return default if value == "default" else value

    def _no(self, reason: str, got: str, expected: str, fix: str) -> InvalidInput:
        return InvalidInput(Problem(self.name, reason, got, expected, fix))

    def _watch(self, rows: Iterable[Row]) -> Iterator[Row]:
        before: Any = None
        back = 0
        for row in rows:
            self._current = row
            release = row.release
            if isinstance(release, int | Fraction):
                back += before is not None and release < before
                before = release
            if type(release) is not int or type(row.size) is not int:
                self._bound(0, release, row.size)
            if type(row.flow_weight) is not int or row.rejection_weight is not None:
                self._bound(1, row.flow_weight, row.rejection_weight)
            yield row
        if back:
            self.note(f"jobs not in order of release, sorted with ties as given; steps back: {back}")

    def _bound(self, unit: int, *values: object) -> None:
        for value in values:
            if isinstance(value, Fraction) and self._common[unit] % value.denominator:
                self._common[unit] = math.lcm(self._common[unit], value.denominator)
                if self._common[unit] > 10**exact.MAX_DIGITS:
                    got = f"denominators whose common multiple is over 10^{exact.MAX_DIGITS}, at {value}"
                    raise InvalidInput(
                        Problem(self._current.place, "no common unit", got, "one unit for all", "round the numbers")
                    )

    def _at_the_gate(self, problem: Problem) -> None:
        row = self._current
        self.refuse(problem, row.id, row.flow_weight if row.rejection_weight is None else row.rejection_weight)

    def _reject(self, problem: Problem, job: object, weight: Any) -> bool:
        try:
            value = exact.rational(weight)
        except exact.BadNumber as bad:
            value, got = Fraction(0), str(bad)
        else:
            got = str(value)
        if value <= 0:
            bad_weight = Problem(problem.place, "rejection weight must be positive", got, "a weight > 0", "correct it")
            self.refuse(bad_weight, job)
            return False
        if str(job) in self._rejected:
            self.refuse(_again(problem, str(job), self._rejected[str(job)][0].place), job)
            return False
        self._rejected[str(job)] = (problem, value)
        return True


def _again(problem: Problem, job: str, other: str) -> Problem:
    got = f"job {job!r} again (also {other})"
    return Problem(problem.place, "duplicate id", got, "ids that read differently", "rename one of the two jobs")


def _report(reason: str, entry: _Entry) -> Dropped:
    places = tuple(f"{problem.place}: {problem.got}" for problem in entry.problems)
    return Dropped(reason, entry.count, places, tuple(entry.ids))


def _nothing_left(entry: _Entry) -> Problem:
    first = entry.problems[0]
    got = f"{first.reason} in all of {entry.count} jobs, here {first.got}"
    return Problem(first.place, "no usable job", got, first.expected, "check the format of the file")
