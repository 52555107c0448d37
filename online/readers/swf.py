"""Logs in the Standard Workload Format: 18 fields a line, -1 for unknown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from online.errors import Problem
from online.readers.door import Door
from online.readers.reading import Reading
from online.readers.swf_header import Header
from online.readers.swf_records import BadRecord, Record, parse
from online.readers.swf_sites import Eligible, declare_sites
from online.rows import Row

PARTS = (2, 3, 4)
"""Status of a job's partial executions; 2 is to be continued, 3 and 4 are the last."""


def read_swf(lines: list[str], door: Door) -> Reading:
    """Read a log; a job becomes one job on one machine, its size chosen by the option `swf_size`.

    Lines with status 2, 3 or 4 are parts of a job: its line with another status counts, else their sum.
    By the option `eligible_by` a job may run on all machines, on those of its partition or queue, or on
    those of every partition in which its group or user stands in this log; unknown (-1) means all.

    Raises: `InvalidInput` for a contradictory header, and for bad jobs as the options say.
    Source: Standard Workload Format, version 2.2 (Parallel Workloads Archive).
    """
    by = door.options.eligible_by
    records = list(parse(lines, door))
    sites = None
    if by != "none":
        seen = {record.site for record in records if record.site >= 0}
        sites = declare_sites(Header.of(lines), "queue" if by == "queue" else "partition", seen, door)
    eligible = Eligible(sites, records, by in ("group", "user"))
    if sites is not None and sites.count:
        return door.build(sites.count, _Jobs(records, eligible, door).rows(), sites.names)
    if door.options.machines is None:
        door.note(ONE_MACHINE)
    return door.build(door.options.machines or 1, _Jobs(records, eligible, door).rows())


ONE_MACHINE = "one machine, since --machines gives no other number (MaxProcs and MaxNodes count processors and nodes)"


class _Jobs:
    """The rows of a log, and the counts of what was decided on the way."""

    def __init__(self, records: list[Record], eligible: Eligible, door: Door) -> None:
        self.records, self.eligible, self.door = records, eligible, door
        self.size_by, self.missing = door.options.swf_size, door.options.missing
        self.keeps_zero = door.action("zero size") == "keep"
        self.wide = self.zero = self.replaced = self.merged = 0
        self.unequal: list[int] = []

    def rows(self) -> Iterator[Row]:
        for record, parts in self._jobs():
            place = f"{self.door.name}:{record.line}"
            try:
                yield self._row(record, parts, place)
            except BadRecord as bad:
                self.door.refuse(Problem(place, *bad.args), record.job)
        self._tell()

    def _jobs(self) -> Iterator[tuple[Record, list[Record]]]:
        """Each job once, at its first line that counts, with its parts if only they make it up."""
        parts: dict[int, list[Record]] = {}
        for record in self.records:
            if record.status in PARTS:
                parts.setdefault(record.job, []).append(record)
        whole = {r.job for r in self.records if r.status not in PARTS and r.job in parts} if parts else set()
        for record in self.records:
            mine = parts.get(record.job)
            if record.status not in PARTS:
                self._compare(record, mine)
                yield record, []
            elif record.job not in whole and mine and mine[0] is record:
                yield record, mine
            else:
                self.door.read -= 1
            self.merged += record.status in PARTS

    def _compare(self, record: Record, parts: list[Record] | None) -> None:
        if parts and sum(part.run for part in parts) != record.run:
            self.unequal.append(record.job)

    def _row(self, record: Record, parts: list[Record], place: str) -> Row:
        job = record.job
        if job < 0:
            raise BadRecord("unknown job number", f"job number {job} (field 1)", "a number >= 0", "number the job")
        submit = next((part.submit for part in parts if part.submit >= 0), record.submit)
        if submit < 0:
            raise _unknown("submit time", 2, submit, job, "give it, or drop such jobs")
        if parts and parts[-1].status == PARTS[0]:
            got = f"job {job} without a line of status 3 or 4"
            raise BadRecord("unfinished job", got, "its last part", "drop the job, or use the whole log")
        size = sum(map(self._size, parts)) if parts else self._size(record)
        machines = self.eligible.of(record)
        self.zero += size == 0
        self.wide += record.processors > 1
        return Row(job, submit, size, machines, place=place)

    def _size(self, record: Record) -> Any:
        if self.size_by == "requested":
            return _requested(record)
        size = record.run
        if size < 0:
            if self.missing != "requested":
                raise _unknown("run time", 4, size, record.job, "drop the job, or ask for --missing requested")
            size = _requested(record)
            self.replaced += 1
        if self.size_by == "work":
            if record.processors <= 0:
                raise _unknown("processors", 5, record.processors, record.job, "give them, or drop such jobs")
            size *= record.processors
        return size

    def _tell(self) -> None:
        measure = "run time times processors" if self.size_by == "work" else f"its {self.size_by} time"
        told = {
            "lines with status 2, 3 or 4, taken as parts of jobs": self.merged,
            "unknown run times, replaced by the requested time": self.replaced,
            f"jobs on more than one processor, each taken as one job on one machine, of size {measure}": self.wide,
            "jobs of size 0 (in SWF 2.2, below half a second), kept": self.zero if self.keeps_zero else 0,
        }
        for sentence, count in told.items():
            if count:
                self.door.note(f"{sentence}: {count}")
        self.door.note_jobs(self.unequal, "jobs whose parts do not add up to their whole line, which counts")


def _requested(record: Record) -> Any:
    if record.requested <= 0:
        raise _unknown("requested time", 9, record.requested, record.job, "drop the job, or size by run time")
    return record.requested


def _unknown(name: str, field: int, value: Any, job: int, fix: str) -> BadRecord:
    reason = f"unknown {name}" if value in (-1, 0) else f"negative {name}"
    return BadRecord(reason, f"{name} {value} (field {field}) of job {job}", "a known value", fix)
