"""Worked inputs, each with a fault that real files have, and their right outcomes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from reader_inputs import CASES, case, eligible, fifo, read_bytes, swf_line, times

from online.errors import InvalidInput
from online.readers import read
from online.readers.swf_header import Header


def test_unknown_run_times_are_dropped_with_line_and_reason() -> None:
    """-1 means unknown: jobs 2 and 4 are dropped at lines 7 and 9, and read = used + dropped."""
    reading = case("swf-missing-values.swf")
    assert times(reading.instance) == [(1, 0, 100), (3, 9, 50), (5, 20, 30)]
    (dropped,) = reading.dropped
    assert (dropped.reason, dropped.count, dropped.ids) == ("unknown run time", 2, (2, 4))
    assert dropped.places == (
        "swf-missing-values.swf:7: run time -1 (field 4) of job 2",
        "swf-missing-values.swf:9: run time -1 (field 4) of job 4",
    )
    assert reading.read == reading.used + 2 == 5


def test_strict_reading_names_line_job_and_field() -> None:
    """Asked to refuse, the same file ends in an error that names line 7, job 2 and field 4, and line 9 as well."""
    with pytest.raises(InvalidInput) as refused:
        case("swf-missing-values.swf", invalid="refuse")
    assert [problem.place.rpartition(":")[2] for problem in refused.value.problems] == ["7", "9"]
    assert "run time -1 (field 4) of job 2" in str(refused.value)


def test_requested_time_stands_in_when_asked() -> None:
    """With missing=requested job 2 takes its requested 600, told in a note; job 4 has none and stays dropped."""
    reading = case("swf-missing-values.swf", missing="requested")
    assert (2, 5, 600) in times(reading.instance)
    assert [dropped.ids for dropped in reading.dropped] == [(4,)]
    assert "unknown run times, replaced by the requested time: 1" in reading.notes


def test_unknown_processors_fall_back_to_the_requested_number() -> None:
    """Work is run time times processors; job 3 has -1 processors and 1 requested, so it keeps its 50."""
    assert times(case("swf-missing-values.swf", swf_size="work").instance)[1] == (3, 9, 50)


def test_run_time_zero_is_kept() -> None:
    """SWF's run time 0 is less than half a second, still a job: four jobs, first-come completions 10, 10, 10, 15."""
    reading = case("swf-zero-run-time.swf")
    assert fifo(reading.instance) == [(10, 10), (10, 7), (10, 0), (15, 5)]
    assert any(note.endswith("kept: 2") for note in reading.notes)


@pytest.mark.parametrize(("policy", "left"), [("drop", [1, 4]), ("keep", [1, 2, 3, 4])])
def test_run_time_zero_can_be_dropped(policy: str, left: list[int]) -> None:
    """The option zero_size decides over size 0 in SWF too, and what is dropped is counted."""
    reading = case("swf-zero-run-time.swf", zero_size=policy)
    assert list(reading.instance.ids) == left
    assert sum(dropped.count for dropped in reading.dropped) == 4 - len(left)


def test_run_time_zero_can_be_refused() -> None:
    """Asked to refuse zero sizes, both jobs are named."""
    with pytest.raises(InvalidInput, match=r"(?s)size 0 of job 2.*size 0 of job 3"):
        case("swf-zero-run-time.swf", zero_size="refuse")


def test_every_negative_run_time_is_unknown() -> None:
    """A run time of -1359980016 is no work, neither negative nor 43 years long; the value is reported."""
    reading = case("swf-negative-run-time.swf")
    assert [size for _, _, size in times(reading.instance)] == [40, 60]
    assert "run time -1359980016 (field 4) of job 2" in reading.dropped[0].places[0]


def test_byte_order_mark_crlf_and_last_line() -> None:
    """BOM, CRLF and a missing last newline change nothing: same instance as the clean file, header values clean."""
    raw = (CASES / "swf-bom-crlf-no-final-newline.swf").read_bytes()
    clean = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n") + b"\n"
    reading = case("swf-bom-crlf-no-final-newline.swf")
    assert [size for _, _, size in times(reading.instance)] == [10, 20]
    assert reading.instance.canonical == read_bytes(clean, "clean.swf").instance.canonical
    header = Header.of(raw.decode("utf-8-sig").splitlines())
    assert (header.value("Version"), header.total("MaxProcs")) == ("2.2", 4)


@pytest.mark.parametrize("name", ["swf-gzip.swf.gz", "swf-gzip-misnamed.swf"])
def test_gzip_is_known_by_its_bytes(name: str) -> None:
    """Gzip data are read as 200 jobs whatever the file is called."""
    assert case(name).read == case(name).used == 200


def test_truncated_gzip_is_refused() -> None:
    """A gzip file that ends early is refused, saying how many whole rows could be read."""
    with pytest.raises(InvalidInput, match="truncated gzip data: got 108 whole rows"):
        case("swf-gzip-truncated.swf.gz")


def test_rows_too_long_are_cut_and_rows_too_short_are_dropped() -> None:
    """21 fields: the extra three are passed over, told once. 17 fields: dropped with its line. Blank lines: nothing."""
    reading = case("swf-field-count.swf")
    assert list(reading.instance.ids) == [1, 3, 4]
    assert "lines with more than 18 fields, of which the first 18 count: 1 (6)" in reading.notes
    (dropped,) = reading.dropped
    assert (dropped.reason, dropped.ids) == ("wrong field count", (2,))
    assert dropped.places == ("swf-field-count.swf:7: 17 fields",)


def test_fractions_exponents_and_negative_zero_are_exact() -> None:
    """`2.658e2`, `.5`, `67.` and `-0.0` are exact numbers: the total flow time is 776.916909."""
    reading = case("swf-fractional-fields.swf")
    assert [c for c, _ in fifo(reading.instance)] == [Fraction(8851, 100), Fraction(35431, 100), Fraction(35481, 100)]
    assert sum(flow for _, flow in fifo(reading.instance)) == Fraction(776916909, 10**6)
    assert not reading.dropped


def test_ties_keep_the_order_of_the_file() -> None:
    """Jobs released together arrive in file order, ids of both types: b, a, 7, total first-come flow 13."""
    reading = case("json-ties-in-release.json")
    assert reading.instance.ids == ("b", "a", 7)
    assert [c for c, _ in fifo(reading.instance)] == [2, 5, 6]


def test_unplaceable_jobs_are_refused_by_name() -> None:
    """An empty set, a machine that does not exist and machine 0 are all named; a repeated machine is no fault."""
    with pytest.raises(InvalidInput) as refused:
        case("json-unplaceable.json")
    message = str(refused.value)
    assert [p.reason for p in refused.value.problems] == ["empty eligible set", "unknown machine", "unknown machine"]
    for part in ("'none'", "machine 3 for job 'ghost'", "machine 0 for job 'zero'"):
        assert part in message
    assert "dup" not in message


def test_unplaceable_jobs_can_be_rejected_at_the_door() -> None:
    """With unplaceable=reject the three cost their weights 3, and ok and dup remain, dup on machine 2 alone."""
    reading = case("json-unplaceable.json", unplaceable="reject")
    assert (reading.rejected_at_the_door.count, reading.rejected_at_the_door.weight) == (3, 3)
    assert eligible(reading.instance) == {"ok": [1, 2], "dup": [2]}
    assert sum(dropped.count for dropped in reading.dropped) == 3
    assert "jobs that name a machine more than once, which counts once: 1 (dup)" in reading.notes


def test_instances_without_jobs_are_valid() -> None:
    """No jobs is a valid instance, on the declared machines."""
    assert (case("json-no-jobs.json").used, case("json-no-jobs.json").instance.machines) == (0, 3)
    assert case("swf-no-jobs.swf").read == 0


def test_instances_without_machines_are_refused() -> None:
    """No machine is no instance."""
    with pytest.raises(InvalidInput, match="machines must be at least 1"):
        case("json-no-machine.json")


def test_epoch_microseconds_are_exact() -> None:
    """Flow times at epoch microseconds are those of the file shifted to 0: 2, 2 and 3 million."""
    reading = case("csv-epoch-microseconds.csv")
    flows = [flow for _, flow in fifo(reading.instance)]
    assert flows == [2000000, 2000000, 3000000]
    shifted = reading.instance.shifted(1700000000000000)
    assert [flow for _, flow in fifo(shifted)] == flows


def test_epoch_nanoseconds_are_exact() -> None:
    """Releases one nanosecond apart at 1.7e18 stay apart, which no binary float keeps."""
    reading = case("csv-epoch-nanoseconds.csv")
    assert [flow for _, flow in fifo(reading.instance)] == [1, 1, 1]
    assert len({float(r) for _, r, _ in times(reading.instance)}) == 1


def test_partitions_are_blocks_of_machines() -> None:
    """`6 (4, 2)`: machines 1-4 and 5-6; -1 is all six; partitions 3 and 0 are not declared, dropped with lines."""
    reading = case("swf-partitions.swf", eligible_by="partition")
    assert eligible(reading.instance) == {1: [1, 2, 3, 4], 2: [5, 6], 3: [1, 2, 3, 4, 5, 6]}
    (dropped,) = reading.dropped
    assert (dropped.reason, dropped.ids) == ("undeclared partition", (4, 5))
    assert [place.split(":")[1] for place in dropped.places] == ["13", "14"]
    assert reading.instance.machine_names == (
        "1.1 thin",
        "1.2 thin",
        "1.3 thin",
        "1.4 thin",
        "2.1 fat nodes",
        "2.2 fat nodes",
    )


def test_undeclared_partitions_are_refused_when_strict() -> None:
    """Strict reading refuses partitions 3 and 0 by name."""
    with pytest.raises(InvalidInput, match=r"(?s)partition 3 \(field 16\) of job 4.*partition 0"):
        case("swf-partitions.swf", eligible_by="partition", invalid="refuse")


def test_header_names_keep_blanks_and_colons() -> None:
    """Names in the header are kept as they are: `fat nodes`, `[batch:1]`."""
    header = Header.of((CASES / "swf-partitions.swf").read_text().splitlines())
    assert header.numbered("Partition") == {1: "thin", 2: "fat nodes"}
    assert header.numbered("Queue") == {0: "interactive", 1: "[batch:1]"}


def test_the_summary_line_of_a_job_counts_and_its_parts_do_not() -> None:
    """Four lines, two jobs: job 1 has its summary's 50 at release 0, not 100, and no duplicate id."""
    reading = case("swf-partial-executions.swf")
    assert times(reading.instance) == [(1, 0, 50), (2, 5, 10)]
    assert (reading.read, reading.dropped) == (2, ())


def test_parts_without_a_summary_line_are_summed() -> None:
    """Without the summary line, parts of 30 and 20 make 50; submit -1 of a later part is no release."""
    lines = (CASES / "swf-partial-executions.swf").read_text().splitlines(keepends=True)
    reading = read_bytes("".join(lines[:3] + lines[4:]), "parts.swf")
    assert times(reading.instance) == [(1, 0, 50), (2, 5, 10)]


def test_a_job_whose_last_part_is_missing_is_dropped() -> None:
    """Parts with status 2 alone say nothing of the whole size, so the job is dropped and named."""
    reading = read_bytes(swf_line(1, status=2) + swf_line(2), "parts.swf")
    assert [(d.reason, d.ids) for d in reading.dropped] == [("unfinished job", (1,))]


def test_machine_names_and_ids_may_look_alike() -> None:
    """Ids such as `x+`, `1_1` and `1` and machine names such as `1_1` are kept apart."""
    reading = case("json-machine-names.json")
    assert reading.instance.ids == ("x+", "x-", "1_1", "1")
    assert reading.instance.machine_names == ("1", "1_1")


def test_batsim_old_and_new_names_walltime_width_and_profiles() -> None:
    """1, w (cut to 4 by its walltime), loc (on machine 2, since resources count from 0), a; big and lost are named."""
    reading = case("batsim-mixed.json")
    assert times(reading.instance) == [(1, 0, Fraction(15, 2)), ("w", 0, 4), ("loc", 2, 10), ("a", 5, 10)]
    assert eligible(reading.instance)["loc"] == [2]
    assert [(d.reason, d.ids) for d in reading.dropped] == [("too wide", ("big",)), ("missing profile", ("lost",))]
    assert "jobs cut by their walltime: 1 (w (10 to 4))" in reading.notes


def test_batsim_strict_reading_names_what_it_refuses() -> None:
    """Strict reading refuses the job that is too wide and the one without a profile, together."""
    with pytest.raises(InvalidInput, match=r'(?s)"big" needs 3 resources of 2.*"nosuch" of job "lost"'):
        case("batsim-mixed.json", invalid="refuse")


def test_reading_twice_gives_the_same_reading() -> None:
    """Reading is a function of the bytes and the options."""
    for path in sorted(CASES.glob("swf-p*")):
        assert read(path) == read(path)
