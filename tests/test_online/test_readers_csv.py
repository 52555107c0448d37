"""Comma-separated tables."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_inputs import eligible, read_bytes, times

from online.errors import InvalidInput
from online.readers import write_json
from online.readers.table_csv import parse_ranges

HEAD = "# machines: 9\njob,r,p,w,eligible\n"


def test_columns_stand_in_any_order_and_cells_may_be_quoted() -> None:
    """The header gives the order; `id` is another name of `job`; quotes and blanks around cells are no content."""
    reading = read_bytes('#machines: 3\n"p", r ,eligible,id\n2,"0.5", 1 | 3 ,"a, b"\n')
    assert times(reading.instance)[0][0] == "a, b"
    assert eligible(reading.instance) == {"a, b": [1, 3]}


def test_other_comments_are_passed_over_wherever_they_stand() -> None:
    """Lines that start with # are comments, even with quotes in them; places still count every line."""
    with pytest.raises(InvalidInput, match="t:6: negative release"):
        read_bytes('# it is "so\n' + HEAD + "1,0,1,1,1\n# between\n2,-1,1,1,1\n", "t")


def test_a_cell_over_two_lines_is_placed_where_it_starts() -> None:
    """A quoted cell may hold a line end; the record's place is its first line, and later places are right."""
    with pytest.raises(InvalidInput) as refused:
        read_bytes(HEAD + '"a\nb",-1,1,1,1\nc,-1,1,1,1\n', "t")
    assert [problem.place for problem in refused.value.problems] == ["t:3", "t:5"]


def test_ranges_include_both_ends() -> None:
    """`1|2|5-9` is seven machines, and a machine named twice counts once, told in a note."""
    reading = read_bytes(HEAD + "a,0,1,1,1|2|5-9\nb,0,1,1,2-4|3\n")
    assert eligible(reading.instance) == {"a": [1, 2, 5, 6, 7, 8, 9], "b": [2, 3, 4]}
    assert "jobs that name a machine more than once, which counts once: 1 (b)" in reading.notes


def test_without_a_column_eligible_every_machine_may_run_every_job() -> None:
    """A table without eligible sets is for identical machines."""
    assert eligible(read_bytes("# machines: 3\njob,r,p\na,0,1\n").instance) == {"a": [1, 2, 3]}


def test_the_largest_machine_named_counts_where_none_is_declared() -> None:
    """Without a declaration the largest machine named counts, told in a note; the option comes first."""
    text = "job,r,p,eligible\na,0,1,2|4\n"
    assert read_bytes(text).instance.machines == 4
    assert any("largest number named: 4" in note for note in read_bytes(text).notes)
    assert read_bytes(text, machines=6).instance.machines == 6


def test_the_columns_w_and_v_are_flow_and_rejection_weight() -> None:
    """`v` is `w` where the column is missing."""
    both = read_bytes("# machines: 1\njob,r,p,w,v\na,0,1,2,3\n").instance
    only = read_bytes("# machines: 1\njob,r,p,w\na,0,1,2\n").instance
    assert (both.flow_weight[0], both.rejection_weight[0], only.rejection_weight[0]) == (2, 3, 2)


def test_ids_that_read_like_integers_are_integers() -> None:
    """`7` is the same id as in JSON, `07` stays a text, so the two differ; `7` twice does not."""
    assert read_bytes(HEAD + "7,0,1,1,1\n07,0,1,1,1\n").instance.ids == (7, "07")
    with pytest.raises(InvalidInput, match=r"t:4: duplicate id: got job 7 again \(first at t:3\)"):
        read_bytes(HEAD + '7,0,1,1,1\n"7",0,1,1,1\n', "t")


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(1, 9), st.integers(1, 9), st.sets(st.integers(1, 4), min_size=1)),
        max_size=6,
    )
)
def test_csv_and_json_agree(jobs: list[tuple[int, int, int, set[int]]]) -> None:
    """A table and the JSON written from its instance hold the same instance."""
    rows = [f"{k},{r}.25,{p},{w},{'|'.join(map(str, sorted(s)))}" for k, (r, p, w, s) in enumerate(jobs)]
    instance = read_bytes("\n".join(["# machines: 4", "job,r,p,w,eligible", *rows]), "t.csv").instance
    assert read_bytes(write_json(instance)).instance.canonical == instance.canonical


BAD = {
    "4 fields": (HEAD + "a,0,1,1\n", "t:3: wrong field count: got 4 fields, expected 5"),
    "6 fields": (HEAD + "a,0,1,1,1,1\n", "t:3: wrong field count: got 6 fields"),
    "machine 10 of 9": (HEAD + "a,0,1,1,10\n", r"t:3: unknown machine: got machine 10 .*1\.\.9"),
    "range beyond": (HEAD + "a,0,1,1,1-999999999999\n", "got machine 999999999999"),
    "machine 0": (HEAD + "a,0,1,1,0-3\n", "got machine 0"),
    "empty set": (HEAD + "a,0,1,1,\n", "t:3: empty eligible set"),
    "backward range": (HEAD + "a,0,1,1,5-2\n", "bad eligible set: got '5-2'"),
    "named machine": (HEAD + "a,0,1,1,T4|P100\n", "bad eligible set"),
    "empty weight": (HEAD + "a,0,1,,1\n", "flow weight of job 'a': not an exact number"),
    "empty id": (HEAD + ",0,1,1,1\n", "bad id"),
    "word": (HEAD + "a,soon,1,1,1\n", "'soon', which is no number"),
    "nan": (HEAD + "a,0,nan,1,1\n", "'nan', which is no number"),
    "zero size": (HEAD + "a,0,0.0,1,1\n", "zero size"),
    "open quote": (HEAD + 'a,0,1,1,"1\n', "t:3: not CSV"),
    "unknown column": ("# machines: 1\njob,r,p,weight\na,0,1,1\n", "t:2: unknown column: got 'weight'"),
    "missing column": ("# machines: 1\njob,p\na,1\n", "t:2: missing column: got no 'r'"),
    "column twice": ("# machines: 1\njob,r,p,r\na,0,1,2\n", "t:2: duplicate column: got 'r'"),
    "job and id": ("# machines: 1\njob,id,r,p\na,b,0,1\n", "duplicate column"),
    "no header": ("# machines: 1\n", "no header"),
    "no machines": ("job,r,p\na,0,1\n", "unknown number of machines"),
    "machines: 0": ("# machines: 0\njob,r,p\n", "machines must be at least 1"),
    "machines: many": ("# machines: many\njob,r,p\n", "t:1: bad number of machines: got many"),
    "machines: ": ("# machines:\njob,r,p\n", "t:1: bad number of machines"),
    "two numbers": ("# machines: 1\n# machines: 2\njob,r,p\n", "t:2: bad number of machines: got 2"),
}


@pytest.mark.parametrize("name", BAD)
def test_faulty_tables_are_refused(name: str) -> None:
    """Each fault is refused with its line and what stood there."""
    text, message = BAD[name]
    with pytest.raises(InvalidInput, match=message):
        read_bytes(text, "t", format="csv")


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.sets(st.integers(1, 30), min_size=1))
def test_ranges_read_back(machines: set[int]) -> None:
    """A set written machine by machine and the ranges read from it hold the same machines."""
    ranges = parse_ranges(" | ".join(map(str, sorted(machines))))
    assert ranges is not None
    assert {i for low, high in ranges for i in range(low, high + 1)} == machines


def test_a_line_that_may_be_a_comment_or_a_job_is_refused() -> None:
    """`#1,0,1` below the header `job,r,p` could be either; quoted it is a job, with another comma count a comment."""
    with pytest.raises(InvalidInput, match="t:3: comment or job"):
        read_bytes("# machines: 2\njob,r,p\n#1,0,1\nb,0,1\n", "t")
    reading = read_bytes('# machines: 2\njob,r,p\n"#1",0,1\n# a, b\nb,0,1\n')
    assert (reading.read, list(reading.instance.ids)) == (2, ["#1", "b"])


@pytest.mark.parametrize(
    ("row", "fix"),
    [
        ("1,0,1,1,", "all of them as 1-9"),
        ("1,2024-03-01T08:00:15.652+00:00,1,1,1", "write times as numbers, such as seconds since the first arrival"),
        ("1,2024-03-01,1,1,1", "write times as numbers"),
        ("1,soon,1,1,1", "to fix: correct the value"),
    ],
)
def test_what_is_refused_says_how_it_is_written(row: str, fix: str) -> None:
    """An empty set of machines, a date and a word are refused at their line, each with what to write instead."""
    with pytest.raises(InvalidInput, match="t:3: ") as refused:
        read_bytes(HEAD + row + "\n", "t")
    assert fix in str(refused.value)
