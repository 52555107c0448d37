"""Sizes made equal."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.sizes import one_size


def sized(*sizes: object) -> Instance:
    """Jobs of these sizes, released at 0.5."""
    return Instance.from_rows(1, [Row(k, "0.5", size, [0]) for k, size in enumerate(sizes)], keep_zero_sizes=True)  # type: ignore[arg-type]


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=6))
def test_the_mean_is_rounded_half_up_to_a_whole_tick(sizes: list[int]) -> None:
    """The tick is 1/2 here; the size is the nearest multiple of it, above on a tie, at least one tick."""
    instance, size = one_size(sized(*sizes), "one")
    mean = Fraction(sum(sizes), len(sizes))
    assert size == max(Fraction(1, 2), Fraction(int(2 * mean + Fraction(1, 2)), 2))
    assert instance.unit_size is not None
    assert instance.unit_size * instance.tick == size
    assert instance.release[0] * instance.tick == Fraction(1, 2)


def test_a_duration_is_exact() -> None:
    """`one:1/3` makes every size one third, refining the tick."""
    instance, size = one_size(sized(1, 2), "one:1/3")
    assert (size, instance.tick, instance.unit_size) == (Fraction(1, 3), Fraction(1, 6), 2)


def test_an_instance_without_jobs_gets_one_tick() -> None:
    """Without jobs there is no mean; one tick stands in for it."""
    assert one_size(sized(), "one")[1] == 1


@pytest.mark.parametrize("spec", ["two", "", "one:", "one:0", "one:-1", "one:x", "one:nan"])
def test_other_specs_are_refused(spec: str) -> None:
    """Anything but `one` and `one:` with a positive exact number is refused."""
    with pytest.raises(InvalidInput):
        one_size(sized(1), spec)
