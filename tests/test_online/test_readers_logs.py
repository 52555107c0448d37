"""Batsim workloads and web access logs beyond the worked cases, and where bytes come from."""

from __future__ import annotations

import io
import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_inputs import SAMPLES, eligible, read_bytes, times

from online.errors import InvalidInput
from online.readers import Reading, ReadOptions, read
from online.readers.common_log import utc_seconds


def batsim(*jobs: dict[str, object], profile: object = None, **options: object) -> Reading:
    """Read jobs with the profiles `d` (a delay of 10) and `x` on four resources."""
    whole = [{"id": k, "subtime": 0, "res": 1, "profile": "d", **job} for k, job in enumerate(jobs)]
    profiles = {"d": {"type": "DelayProfile", "delay": 10}, "x": profile}
    return read_bytes(json.dumps({"nb_res": 4, "jobs": whole, "profiles": profiles}), "w.json", **options)


@pytest.mark.parametrize(
    ("wanted", "machines"),
    [
        ("1", [2]),
        (1, [2]),
        ("0-3", [1, 2, 3, 4]),
        ("0 2", [1, 3]),
        ("0,2", [1, 3]),
        ("0-1, 3", [1, 2, 4]),
        ([0, 2], [1, 3]),
    ],
)
@pytest.mark.parametrize("wrap", [json.dumps, dict])
def test_desired_allocation_counts_from_zero(wanted: object, machines: list[int], wrap: object) -> None:
    """Resource ids count from 0, in every form; `extra_data` is an object, or JSON in a text."""
    extra = wrap({"desired_allocation": wanted})  # type: ignore[operator]
    assert eligible(batsim({"extra_data": extra}).instance) == {0: machines}


@pytest.mark.parametrize("extra", [None, "free text", {"colour": 1}, "{}"])
def test_other_extra_data_say_nothing_of_machines(extra: object) -> None:
    """Without a desired allocation every machine may run the job."""
    assert eligible(batsim({"extra_data": extra}).instance) == {0: [1, 2, 3, 4]}


@pytest.mark.parametrize(
    ("job", "reason"),
    [
        ({"extra_data": {"desired_allocation": "4"}}, "unknown machine"),
        ({"extra_data": {"desired_allocation": ""}}, "bad desired allocation"),
        ({"extra_data": {"desired_allocation": "3-1"}}, "bad desired allocation"),
        ({"extra_data": {"desired_allocation": "node7"}}, "bad desired allocation"),
        ({"extra_data": "{desired_allocation"}, "bad extra data"),
        ({"profile": "nosuch"}, "missing profile"),
        ({"profile": ["d"]}, "missing profile"),
        ({"profile": None}, "missing key"),
        ({"res": 5}, "too wide"),
        ({"res": 0}, "bad number of resources"),
        ({"walltime": 0}, "bad walltime"),
        ({"walltime": "soon"}, "bad walltime"),
        ({"subtime": -1}, "negative release"),
        ({"subtime": "soon"}, "not an exact number"),
    ],
)
def test_bad_jobs_are_dropped_by_reason(job: dict[str, object], reason: str) -> None:
    """Each fault drops the job under its own reason, with its path and id; the other job stays."""
    reading = batsim({}, job)
    assert [(d.reason, d.ids) for d in reading.dropped] == [(reason, (1,))]
    assert reading.dropped[0].places[0].startswith("w.json: $.jobs[1]")
    assert reading.instance.ids == (0,)


PARALLEL = {"type": "parallel_homogeneous", "cpu": 1e9, "com": 0}


def test_other_profiles_refuse_the_file_unless_dropped_expressly() -> None:
    """A job whose profile is no delay refuses even a log, by profile name and type; dropping must be asked for."""
    with pytest.raises(InvalidInput, match=r'w\.json: \$\.jobs\[1\].*"x" of type "parallel_homogeneous"'):
        batsim({}, {"profile": "x"}, profile=PARALLEL)
    assert batsim({}, {"profile": "x"}, profile=PARALLEL, invalid="drop").dropped[0].ids == (1,)


def test_unused_profiles_are_no_error() -> None:
    """A profile that no job uses may be anything."""
    assert batsim({}, profile=PARALLEL).used == batsim({}, profile=3).used == 1


def test_walltime_cuts_only_what_is_longer() -> None:
    """A walltime of 10 or more, or -1, leaves the delay of 10; a shorter one cuts it, told with id and times."""
    reading = batsim({"walltime": 10}, {"walltime": -1}, {"walltime": 2.5}, {})
    assert [size for _, _, size in times(reading.instance)] == [10, 10, Fraction(5, 2), 10]
    assert "jobs cut by their walltime: 1 (2 (10 to 2.5))" in reading.notes


@pytest.mark.parametrize("delay", [0, -1, "x", None])
def test_a_delay_must_be_positive(delay: object) -> None:
    """A delay of 0 is refused as a zero size; a delay below 0, or no number, is a bad job."""
    profile = {"type": "delay", "delay": delay}
    if delay == 0:
        with pytest.raises(InvalidInput, match="zero size"):
            batsim({}, {"profile": "x"}, profile=profile)
    else:
        assert batsim({}, {"profile": "x"}, profile=profile).used == 1


@pytest.mark.parametrize("key", ["jobs", "profiles", "nb_res"])
def test_missing_parts_of_a_workload_are_refused(key: str) -> None:
    """Jobs, profiles and the number of resources are needed; the number may come from the options."""
    document = {"nb_res": 1, "jobs": [], "profiles": {}}
    del document[key]
    with pytest.raises(InvalidInput):
        read_bytes(json.dumps(document), format="batsim")
    if key == "nb_res":
        assert read_bytes(json.dumps(document), machines=3).instance.machines == 3


def test_time_zones_become_utc() -> None:
    """12:05:02 +0200 is one second before 10:05:03 UTC; releases are absolute UTC seconds."""
    assert [r for _, r, _ in times(read_bytes(SAMPLES["clf"]).instance)] == [1431857102, 1431857103]


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.datetimes(), st.integers(-23 * 60, 23 * 60))
def test_stamps_agree_with_the_calendar_of_the_library(moment: object, offset: int) -> None:
    """Seconds of any stamp are those that datetime computes."""
    from datetime import datetime, timedelta, timezone

    assert isinstance(moment, datetime)
    aware = moment.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=offset)))
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    sign, (hours, minutes) = "-" if offset < 0 else "+", divmod(abs(offset), 60)
    clock = f"{aware.year:04}:{aware.hour:02}:{aware.minute:02}:{aware.second:02} {sign}{hours:02}{minutes:02}"
    epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017
    expected = (aware - epoch) // timedelta(seconds=1)
    assert utc_seconds(f"{aware.day:02}/{months[aware.month - 1]}/{clock}") == expected


@pytest.mark.parametrize(
    "stamp", ["31/Feb/2015:10:05:03 +0000", "1/Mai/2015:10:05:03 +0000", "17/May/2015", "anB/May/2015"]
)
def test_stamps_that_are_no_time(stamp: str) -> None:
    """Days and months that do not exist are no time; a line with one is dropped with its number."""
    assert utc_seconds(stamp) is None
    reading = read_bytes(SAMPLES["clf"] + f'::1 - - [{stamp}] "GET /" 200 5\n', "log", format="clf")
    assert [(d.reason, d.ids) for d in reading.dropped] == [("bad time", (3,))]


def test_bytes_as_size() -> None:
    """At 4 bytes a second 5 bytes take 5/4 seconds; `-` bytes are size 0, dropped with a report by default."""
    reading = read_bytes(SAMPLES["clf"], clf_size="bytes", bytes_per_second="4")
    assert times(reading.instance) == [(1, 1431857103, Fraction(5, 4))]
    assert [(d.reason, d.ids) for d in reading.dropped] == [("zero size", (2,))]
    assert read_bytes(SAMPLES["clf"], clf_size="bytes", zero_size="keep").used == 2
    with pytest.raises(InvalidInput, match="zero size"):
        read_bytes(SAMPLES["clf"], clf_size="bytes", zero_size="refuse")


@pytest.mark.parametrize(
    "line",
    [
        'host - frank [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326 "http://x/start" "Mozilla/4 [en] (X)"',
        '2001:db8::7 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 -',
        'h - "a b" [10/Oct/2000:13:55:36 -0700] "GET /\\"q\\" HTTP/1.0" 200 1',
        'h - - [10/Oct/2000:13:55:36 -0700] "-" 408 -',
        'h - - [10/Oct/2000:13:55:36 -0700] "\\x16\\x03" 400 0 "-" "-"',
    ],
)
def test_common_and_combined_lines_are_read(line: str) -> None:
    """Combined lines, IPv6 hosts, user names with blanks, escaped quotes and empty requests are all requests."""
    assert times(read_bytes(line).instance) == [(1, 971211336, 1)]


def test_standard_input_and_files_are_read_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads the bytes of standard input; places then say so."""
    path = tmp_path / "one.swf"
    path.write_text(SAMPLES["swf"] + "1 2\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    piped, named = read("-"), read(path)
    assert piped.instance == named.instance
    assert (piped.dropped[0].places[0], named.dropped[0].places[0]) == ("stdin:5: 2 fields", "one.swf:5: 2 fields")
    assert read(str(path), ReadOptions(format="swf")) == named


@pytest.mark.parametrize("path", ["missing.swf", ".", "nul\0.swf"])
def test_unreadable_paths_are_refused(path: str) -> None:
    """A path that cannot be read is invalid input, no traceback."""
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(path)
