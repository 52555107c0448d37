"""Web access logs in Common or Combined Log Format: each request is a job."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from online.errors import Problem
from online.readers.door import Door
from online.readers.reading import Reading
from online.rows import Row

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"

EPOCH = date(1970, 1, 1).toordinal()

_LINE = re.compile(
    r'\S+ \S+ .*?\[(?P<time>[^\]]*)\] "(?:[^"\\]|\\.)*" (?:\d{3}|-) (?P<bytes>\d{1,18}|-)(?: .*)?', re.ASCII
)
_TIME = re.compile(r"(\d{1,2})/([A-Z][a-z]{2})/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([-+])(\d{2})(\d{2})", re.ASCII)


def read_log(lines: list[str], door: Door) -> Reading:
    """Read one job a line: released at its UTC second, of size one second, or of its bytes at a given rate.

    The job's id is its line number. `-` bytes are none sent, hence size 0 when bytes are the size.

    Raises: `InvalidInput` for bad lines as the options say.
    Source: Apache HTTP Server, mod_log_config, Common Log Format `%h %l %u %t "%r" %>s %b`.
    """
    machines = door.options.machines
    if machines is None:
        door.note("one machine, since the log names none and no number was given")
    return door.build(machines or 1, _rows(lines, door))


def utc_seconds(stamp: str) -> int | None:
    """Seconds since 1970 of a stamp such as `17/May/2015:10:05:03 +0200`, None if it is no time.

    >>> utc_seconds("17/May/2015:10:05:03 +0000"), utc_seconds("17/May/2015:12:05:03 +0200")
    (1431857103, 1431857103)
    >>> utc_seconds("31/Feb/2015:10:05:03 +0000")
    """
    match = _TIME.fullmatch(stamp)
    if match is None or match[2] not in MONTHS:
        return None
    hour, minute, second, off_hour, off_minute = (int(match[k]) for k in (4, 5, 6, 8, 9))
    if hour > 23 or minute > 59 or second > 60 or off_hour > 23 or off_minute > 59:
        return None
    try:
        day = date(int(match[3]), MONTHS.index(match[2]) // 4 + 1, int(match[1])).toordinal() - EPOCH
    except ValueError:
        return None
    offset = (off_hour * 60 + off_minute) * (1 if match[7] == "+" else -1)
    return (day * 24 + hour) * 3600 + (minute - offset) * 60 + second


def _rows(lines: list[str], door: Door) -> Iterator[Row]:
    by_bytes, rate = door.options.clf_size == "bytes", door.options.rate()
    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        door.read += 1
        place = f"{door.name}:{line}"
        match = _LINE.fullmatch(text.strip())
        if match is None:
            expected = '%h %l %u [time] "request" status bytes'
            door.refuse(Problem(place, "not a log line", repr(text[:60]), expected, "correct the line"), line)
            continue
        release = utc_seconds(match["time"])
        if release is None:
            got, expected = repr(match["time"]), "a time such as 17/May/2015:10:05:03 +0000"
            door.refuse(Problem(place, "bad time", got, expected, "correct the line"), line)
            continue
        sent = 0 if match["bytes"] == "-" else int(match["bytes"])
        yield Row(line, release, _ratio(sent, rate) if by_bytes else 1, place=place)


def _ratio(sent: int, rate: Fraction) -> int | Fraction:
    size = sent / rate
    return size.numerator if size.denominator == 1 else size
