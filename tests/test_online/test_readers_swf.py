"""The Standard Workload Format beyond the worked cases."""

from __future__ import annotations

from fractions import Fraction

import pytest
from reader_inputs import eligible, read_bytes, swf_line, times

from online.errors import InvalidInput
from online.readers import Reading


def swf(text: str, **options: object) -> Reading:
    """Read text as SWF."""
    return read_bytes(text, "t.swf", format="swf", **options)


def row(job: int, **fields: object) -> str:
    """A line whose fields, by their numbers in the format, are changed."""
    values = swf_line(job).split()
    for name, value in fields.items():
        values[int(name[1:]) - 1] = str(value)
    return " ".join(values) + "\n"


def test_a_log_without_header_is_read() -> None:
    """The header may be missing; comments may stand between the jobs, and places count them."""
    reading = swf(swf_line(1) + "; pause\n" + swf_line(2, run=-1))
    assert reading.dropped[0].places[0].startswith("t.swf:3: ")


def test_machines_are_one_unless_asked_for() -> None:
    """Without `eligible_by` the log's processors are not machines: one, told in a note, or the number asked for."""
    assert swf("; MaxProcs: 8\n" + swf_line(1)).instance.machines == 1
    assert any(note.startswith("one machine, since --machines gives no") for note in swf(swf_line(1)).notes)
    assert swf(swf_line(1), machines=5).instance.machines == 5


def test_work_is_run_time_times_processors() -> None:
    """Work uses the processors used, else those requested; a job with neither is dropped."""
    reading = swf(row(1, f4="2.5", f5=4) + row(2, f4=3, f5=-1, f8=2) + row(3, f5=-1, f8=-1), swf_size="work")
    assert [(job, size) for job, _, size in times(reading.instance)] == [(1, 10), (2, 6)]
    assert [(d.reason, d.ids) for d in reading.dropped] == [("unknown processors", (3,))]


def test_jobs_on_many_processors_are_told() -> None:
    """A parallel job becomes one job on one machine of size run time, and a note counts such jobs."""
    notes = swf(row(1, f5=4) + row(2)).notes
    assert "jobs on more than one processor, each taken as one job on one machine, of size its run time: 1" in notes


def test_requested_time_as_size() -> None:
    """The requested time may be the size; a job without one is dropped."""
    reading = swf(row(1, f9=600) + row(2), swf_size="requested")
    assert times(reading.instance) == [(1, 0, 600)]
    assert [(d.reason, d.ids) for d in reading.dropped] == [("unknown requested time", (2,))]


@pytest.mark.parametrize("machines_per", [None, 3])
def test_partitions_by_what_the_jobs_name(machines_per: int | None) -> None:
    """Where the header declares none, the partitions that jobs name are declared, one machine each or as asked."""
    reading = swf(
        swf_line(1, partition=7) + swf_line(2, partition=2), eligible_by="partition", machines_per=machines_per
    )
    each = machines_per or 1
    assert eligible(reading.instance) == {1: list(range(each + 1, 2 * each + 1)), 2: list(range(1, each + 1))}


def test_partitions_by_their_number() -> None:
    """`MaxPartitions: 3` without names declares 1, 2 and 3, also those without a job; 4 is not declared."""
    reading = swf("; MaxPartitions: 3\n" + swf_line(1, partition=3) + swf_line(2, partition=4), eligible_by="partition")
    assert (reading.instance.machines, eligible(reading.instance)) == (3, {1: [3]})
    assert reading.dropped[0].reason == "undeclared partition"


def test_the_list_in_max_nodes_counts_where_max_procs_has_none() -> None:
    """`MaxNodes: 3 (2, 1)` gives the machines when `MaxProcs` lists none; its total is only compared."""
    reading = swf("; MaxProcs: 9\n; MaxNodes: 4 (2, 1)\n" + swf_line(1, partition=2), eligible_by="partition")
    assert eligible(reading.instance) == {1: [3]}
    assert any("adds up to 3" in note for note in reading.notes)


def test_machines_per_partition_as_asked_come_before_the_header() -> None:
    """An explicit `machines_per` is used instead of the header's list, told in a note."""
    reading = swf("; MaxProcs: 6 (4, 2)\n" + swf_line(1, partition=2), eligible_by="partition", machines_per=1)
    assert eligible(reading.instance) == {1: [2]}
    assert any("as asked, instead of the header's (4, 2)" in note for note in reading.notes)


@pytest.mark.parametrize(
    "header", ["; MaxProcs: 6 (4, 2)\n; Partition: 1 a\n", "; MaxProcs: 6 (4 and 2)\n", "; MaxProcs: 6 (4; 2)\n"]
)
def test_contradictory_headers_are_refused(header: str) -> None:
    """A list that does not fit the declared partitions, or cannot be read, refuses the file."""
    with pytest.raises(InvalidInput, match="bad list of machines"):
        swf(header + swf_line(1, partition=1), eligible_by="partition")


def test_machines_asked_for_must_fit_the_partitions() -> None:
    """`machines` must not contradict the machines of the partitions."""
    with pytest.raises(InvalidInput, match="2 in the file, 5 asked for"):
        swf("; MaxPartitions: 2\n" + swf_line(1, partition=1), eligible_by="partition", machines=5)


def test_queues_are_numbered_from_zero_and_may_have_names() -> None:
    """Declared queues 0 and 1 are machines 1 and 2; queue -1 is both; queue 2 is not declared."""
    header = "; MaxQueues: 2\n; Queue: 0 interactive\n; Queue: 1 [batch:1]\n"
    rows = row(1, f15=0) + row(2, f15=1) + row(3, f15=-1) + row(4, f15=2)
    reading = swf(header + rows, eligible_by="queue")
    assert eligible(reading.instance) == {1: [1], 2: [2], 3: [1, 2]}
    assert reading.instance.machine_names == ("0 interactive", "1 [batch:1]")
    assert [(d.reason, d.ids) for d in reading.dropped] == [("undeclared queue", (4,))]


@pytest.mark.parametrize(("by", "field"), [("group", "f13"), ("user", "f12")])
def test_owners_may_use_every_partition_where_they_stand(by: str, field: str) -> None:
    """A group (or user) may run wherever any of its jobs stands; unknown owners, or owners nowhere, everywhere."""
    where = [(5, 1), (5, 3), (6, 2), (-1, 2), (7, -1)]
    rows = "".join(row(k, **{field: owner, "f16": partition}) for k, (owner, partition) in enumerate(where))
    reading = swf("; MaxPartitions: 3\n" + rows, eligible_by=by)
    assert eligible(reading.instance) == {0: [1, 3], 1: [1, 3], 2: [2], 3: [1, 2, 3], 4: [1, 2, 3]}


def test_undeclared_partitions_can_be_rejected_at_the_door() -> None:
    """A job in no declared partition is unplaceable, and may be counted as rejected with weight 1."""
    text = "; MaxPartitions: 1\n" + swf_line(1, partition=1) + swf_line(2, partition=9)
    reading = swf(text, eligible_by="partition", unplaceable="reject")
    assert (reading.rejected_at_the_door.count, reading.rejected_at_the_door.weight) == (1, 1)
    assert (reading.read, reading.used) == (2, 1)


def test_duplicate_ids_name_both_lines() -> None:
    """Two whole lines of one id: the second is dropped, or refused, naming both lines."""
    assert swf(swf_line(1) + swf_line(1)).dropped[0].places == ("t.swf:2: job 1 again (first at t.swf:1)",)
    with pytest.raises(InvalidInput, match=r"t\.swf:2: duplicate id: got job 1 again \(first at t\.swf:1\)"):
        swf(swf_line(1) + swf_line(1), invalid="refuse")


def test_parts_that_do_not_add_up_are_told() -> None:
    """The whole line counts even if its parts add up to something else, and a note names the job."""
    reading = swf(swf_line(1, run=50) + swf_line(1, run=30, status=2) + swf_line(1, run=30, status=3))
    assert times(reading.instance) == [(1, 0, 50)]
    assert "jobs whose parts do not add up to their whole line, which counts: 1 (1)" in reading.notes


def test_an_unknown_part_makes_the_sum_unknown() -> None:
    """A job of parts, one of unknown run time, has no known size and is dropped."""
    reading = swf(swf_line(1, run=30, status=2) + swf_line(1, run=-1, status=3) + swf_line(2))
    assert [(d.reason, d.ids) for d in reading.dropped] == [("unknown run time", (1,))]
    assert (reading.read, reading.used) == (2, 1)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (swf_line("x"), "not a number"),
        (swf_line("1.5"), "not a whole number"),
        (swf_line(-1), "unknown job number"),
        (swf_line(1, submit=-1), "unknown submit time"),
        (swf_line(1, submit=-5), "negative submit time"),
        (swf_line(1, run="1_0"), "not a number"),
        (swf_line(1, run="nan"), "not a number"),
        (swf_line(1, run="٣"), "not a number"),
        (swf_line(1, run="9" * 2000), "not a number"),
        (swf_line(1, run="1e5000"), "not a number"),
        (row(1, f3="soon"), "not a number"),
        (row(1, f11="0.5"), "not a whole number"),
        ("1 2 3\n", "wrong field count"),
    ],
)
def test_faulty_lines_are_dropped_by_reason(line: str, reason: str) -> None:
    """Each fault drops the line under its own reason; the other job stays."""
    reading = swf(line + swf_line(99))
    assert [dropped.reason for dropped in reading.dropped] == [reason]
    assert reading.instance.ids == (99,)


def test_whole_numbers_may_be_written_as_decimals() -> None:
    """`3.0` is the number 3, as an id and elsewhere; fractions of a second are exact."""
    assert times(swf(swf_line("3.0", "0.10", "2.")).instance) == [(3, Fraction(1, 10), 2)]
