"""The instance: exact, ordered, validated, canonical."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.rows import Row


def test_jobs_stand_by_release_then_input_order() -> None:
    """Equal releases keep the order of the input, whatever the ids are."""
    instance = Instance.from_rows(1, [Row("b", 1, 1), Row("z", 0, 1), Row("a", 1, 1), Row(7, 0, 1)])
    assert list(instance.ids) == ["z", 7, "b", "a"]


def test_decimals_become_ticks_exactly() -> None:
    """The tick is the coarsest in which all times are whole: 0.1 and 0.25 need 1/20."""
    instance = Instance.from_rows(1, [Row("a", "0.1", "0.25"), Row("b", "1e1", "1/20")])
    assert instance.tick == Fraction(1, 20)
    assert [job[2:4] for job in instance.jobs()] == [(2, 5), (200, 1)]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (Row("x", 0, 0), "zero size"),
        (Row("x", -1, 1), "negative release"),
        (Row("x", 0, -1), "negative size"),
        (Row("x", True, 1), "not an exact number"),
        (Row("x", 0, "nan"), "not an exact number"),
        (Row("x", 0, "inf"), "not an exact number"),
        (Row("x", 0, 0.5), "not an exact number"),  # type: ignore[arg-type]
        (Row("x", 0, "1/0"), "not an exact number"),
        (Row("x", 0, 1, []), "empty eligible set"),
        (Row("x", 0, 1, [2]), "unknown machine"),
        (Row("x", 0, 1, [-1]), "unknown machine"),
        (Row("x", 0, 1, [True]), "unknown machine"),
        (Row("x", 0, 1, None, 0), "flow weight must be positive"),
        (Row("x", 0, 1, None, 1, "-2"), "rejection weight must be positive"),
        (Row("ok", 0, 1), "duplicate id"),
        (Row("", 0, 1), "bad id"),
        (Row(True, 0, 1), "bad id"),
    ],
)
def test_a_bad_job_is_refused_or_dropped_for_one_stated_reason(row: Row, reason: str) -> None:
    """Every kind of bad job raises with its place, and is counted instead when the caller drops."""
    rows = [Row("ok", 0, 1, place="f:1"), row._replace(place="f:2")]
    with pytest.raises(InvalidInput) as refused:
        Instance.from_rows(2, rows)
    assert [(one.reason, one.place[:3]) for one in refused.value.problems] == [(reason, "f:2")]
    dropped: list[Problem] = []
    assert Instance.from_rows(2, rows, refuse=dropped.append).n == 1
    assert [one.reason for one in dropped] == [reason]


def test_all_bad_jobs_are_named_at_once() -> None:
    """A refusal lists every bad job, not only the first."""
    with pytest.raises(InvalidInput) as refused:
        Instance.from_rows(1, [Row("none", 0, 1, []), Row("ghost", 0, 1, [2]), Row("zero", 0, 0)])
    message = str(refused.value)
    assert all(name in message for name in ("'none'", "'ghost'", "'zero'"))


def test_repeated_machines_count_once() -> None:
    """An eligible set is a set."""
    assert Instance.from_rows(2, [Row("dup", 0, 1, [1, 1])]).job(0).eligible == (1,)


@pytest.mark.parametrize("machines", [0, -1, True, "2", 1.0])
def test_machines_must_be_at_least_one(machines: object) -> None:
    """No machines, no instance."""
    with pytest.raises(InvalidInput, match="machines must be at least 1"):
        Instance.from_rows(machines, [])  # type: ignore[arg-type]


def test_nanosecond_epochs_keep_their_last_digit() -> None:
    """Releases near 1.7e18 differ by one nanosecond and stay apart."""
    base = 1_700_000_000_000_000_000
    instance = Instance.from_rows(1, [Row(k, base + k, 1) for k in range(3)])
    assert [int(r) - base for r in instance.release] == [0, 1, 2]


def test_columns_beyond_int64_are_python_ints() -> None:
    """Releases past 2^61 ticks go to exact Python ints instead of overflowing."""
    instance = Instance.from_rows(1, [Row("a", 10**30, "1e-9")])
    assert instance.release.dtype == object
    assert instance.job(0).release == 10**39


ROWS = st.lists(
    st.tuples(
        st.fractions(min_value=0, max_value=50, max_denominator=8),
        st.fractions(min_value=Fraction(1, 8), max_value=9, max_denominator=8),
        st.sets(st.integers(0, 2), min_size=1),
        st.integers(1, 5),
    ),
    max_size=8,
)


def _instance(rows: list[tuple[Fraction, Fraction, set[int], int]]) -> Instance:
    return Instance.from_rows(3, [Row(k, r, p, sorted(s), w) for k, (r, p, s, w) in enumerate(rows)])


@given(ROWS)
@settings(derandomize=True, max_examples=200, deadline=None)
def test_the_canonical_document_reads_back_to_the_same_instance(
    rows: list[tuple[Fraction, Fraction, set[int], int]],
) -> None:
    """Document and hash identify the instance."""
    instance = _instance(rows)
    again = Instance.from_document(instance.to_document())
    assert again == instance
    assert again.sha256 == instance.sha256


@given(ROWS)
@settings(derandomize=True, max_examples=100, deadline=None)
def test_the_hash_changes_with_every_column(rows: list[tuple[Fraction, Fraction, set[int], int]]) -> None:
    """One more tick in a size gives another hash."""
    instance = _instance(rows)
    document = instance.to_document()
    if instance.n:
        document["size"][-1] += 1
        assert Instance.from_document(document).sha256 != instance.sha256


@given(ROWS, st.integers(1, 6))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_refining_and_scaling_keep_durations(rows: list[tuple[Fraction, Fraction, set[int], int]], parts: int) -> None:
    """A finer tick changes no time; scaling by c multiplies every time by c."""
    instance = _instance(rows)
    finer, longer = instance.refined(parts), instance.scaled(Fraction(3, 2))
    for one, fine, long in zip(instance.jobs(), finer.jobs(), longer.jobs(), strict=True):
        assert one.release * instance.tick == fine.release * finer.tick
        assert one.size * instance.tick * Fraction(3, 2) == long.size * longer.tick


def test_restriction_keeps_jobs_and_their_eligible_sets() -> None:
    """The kept jobs are unchanged."""
    instance = Instance.from_rows(3, [Row(k, k, 1 + k, [k]) for k in range(3)])
    kept = instance.restrict(np.array([True, False, True]))
    assert [job.eligible for job in kept.jobs()] == [(0,), (2,)]
    assert [job.id for job in kept.jobs()] == [0, 2]


def test_a_unit_size_needs_equal_positive_sizes() -> None:
    """`unit_size` is the common size, None otherwise."""
    assert Instance.from_rows(1, [Row(1, 0, 3), Row(2, 1, 3)]).unit_size == 3
    assert Instance.from_rows(1, [Row(1, 0, 3), Row(2, 1, 4)]).unit_size is None
    assert Instance.from_rows(1, []).unit_size is None
    assert Instance.from_rows(1, [Row(1, 0, 0)], keep_zero_sizes=True).unit_size is None


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("release", [0, -1], "release[1]"),
        ("release", [5, 4], "release[1]"),
        ("size", [1, True], "size[1]"),
        ("size", [1], "size"),
        ("ids", ["a", "a"], "ids[1]"),
        ("eligible", [0, 7], "eligible[1]"),
        ("eligible_sets", [[1, 0]], "eligible_sets[0]"),
        ("eligible_sets", [[]], "eligible_sets[0]"),
        ("machines", 0, "instance"),
        ("tick", "0", "tick"),
        ("format", "other", "format"),
        ("version", 2, "version"),
    ],
)
def test_a_bad_document_is_refused_with_its_place(key: str, value: object, place: str) -> None:
    """Columns are checked too, and the first offender named."""
    document = Instance.from_rows(2, [Row(1, 0, 1), Row(2, 0, 1)]).to_document()
    document[key] = value
    with pytest.raises(InvalidInput) as refused:
        Instance.from_document(document)
    assert place in refused.value.problems[0].place
