"""Inputs for the readers' tests: the small case files, and one sample of each format."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from online.instance import Instance
from online.readers import Reading, ReadOptions, Source, read, read_source

CASES = Path(__file__).parent / "cases"
DATA = Path(__file__).parents[2] / "shared" / "data"


def swf_line(job: object, submit: object = 0, run: object = 10, status: object = 1, partition: object = -1) -> str:
    """One SWF line of 18 fields."""
    return f"{job} {submit} -1 {run} 1 -1 -1 -1 -1 -1 {status} -1 -1 -1 -1 {partition} -1 -1\n"


SAMPLES = {
    "json": '{"machines": 2,\n "jobs": [\n{"id": "a", "r": 1.5, "p": 2, "eligible": [2]},\n'
    '{"id": 7, "r": 0, "p": 3}]}\n',
    "csv": '# machines: 2\njob,r,p,w,eligible\na,1.5,2,1,2\n"7",0,3,1,1|2\n',
    "swf": "; Version: 2.2\n; MaxProcs: 4\n" + swf_line(1, 5) + swf_line(2, 0),
    "batsim": '{"nb_res": 2,\n "jobs": [\n{"id": "a", "subtime": 1.5, "res": 1, "profile": "d"},\n'
    '{"id": 7, "subtime": 0, "res": 1, "profile": "d"}],\n "profiles": {"d": {"type": "delay", "delay": 3}}}\n',
    "clf": '::1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 5\n'
    '198.18.0.9 - eve [17/May/2015:12:05:02 +0200] "GET /x HTTP/1.1" 304 -\n',
}
"""A small file of each format, two jobs, the later one first."""

BAD_ROWS = {
    "json": '{"machines": 2, "jobs": [{"id": "a", "r": 0, "p": 1}, {"id": "b", "r": -1, "p": 1}]}',
    "csv": "# machines: 2\njob,r,p\na,0,1\nb,-1,1\n",
    "swf": swf_line(1) + swf_line(2, run=-1),
    "batsim": '{"nb_res": 2, "jobs": [{"id": "a", "subtime": 0, "res": 1, "profile": "d"}, '
    '{"id": "b", "subtime": -1, "res": 1, "profile": "d"}], "profiles": {"d": {"type": "delay", "delay": 3}}}',
    "clf": '::1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 5\n::1 - - [not a time] "GET /" 200 5\n',
}
"""A small file of each format whose first job is good and whose second is not."""


def case(name: str, **options: object) -> Reading:
    """Read a case file."""
    return read(CASES / name, ReadOptions(**options))  # type: ignore[arg-type]


def read_bytes(data: bytes | str, name: str = "input", **options: object) -> Reading:
    """Read bytes, or text in UTF-8, as a file of this name."""
    raw = data.encode() if isinstance(data, str) else data
    return read_source(Source.of(name, raw), ReadOptions(**options))  # type: ignore[arg-type]


def times(instance: Instance) -> list[tuple[object, Fraction, Fraction]]:
    """Id, release and size of each job in arrival order, in input units."""
    return [(job.id, job.release * instance.tick, job.size * instance.tick) for job in instance.jobs()]


def eligible(instance: Instance) -> dict[object, list[int]]:
    """The eligible machines of each job, counted from 1."""
    return {job.id: [i + 1 for i in job.eligible] for job in instance.jobs()}


def fifo(instance: Instance) -> list[tuple[Fraction, Fraction]]:
    """Completion and flow time of each job on one machine, first come first served, in input units."""
    now, out = 0, []
    for job in instance.jobs():
        now = max(now, job.release) + job.size
        out.append((now * instance.tick, (now - job.release) * instance.tick))
    return out
