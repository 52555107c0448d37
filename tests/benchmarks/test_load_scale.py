"""Seconds for the bounds of load balancing with 10^6 jobs on 50 machines, and growth. Run with `make bench`."""

from __future__ import annotations

import time
from random import Random

import pytest

from lp.load.bound import load_bracket
from lp.load.flow import flow_bound
from online.instance import Instance


def wide_instance(jobs: int, sets: int, width: int, seed: int = 1) -> Instance:
    """Jobs of 1 to 10^12 ticks on 50 machines, each with one of `sets` eligible sets of up to `width` machines."""
    random = Random(seed)
    distinct = sorted({tuple(sorted(random.sample(range(50), 1 + random.randrange(width)))) for _ in range(sets)})
    return Instance.from_columns(
        50,
        release=[0] * jobs,
        size=[random.randrange(1, 10 ** random.randrange(1, 13)) for _ in range(jobs)],
        eligible_set=[random.randrange(len(distinct)) for _ in range(jobs)],
        sets=distinct,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("sets", "width"), [(300, 8), (1000, 8), (3000, 8), (3000, 50)])
def test_the_exact_value_takes_seconds(sets: int, width: int) -> None:
    """10^6 jobs in thousands of eligible sets: optimal, exact, within 20 seconds on one core."""
    instance = wide_instance(10**6, sets, width)
    start = time.perf_counter()
    found = flow_bound(instance)
    seconds = time.perf_counter() - start
    print(f"{sets} sets of up to {width}: {seconds:.2f} s")
    assert found.optimal
    assert seconds < 20


@pytest.mark.slow
def test_both_sides_meet_at_scale() -> None:
    """10^6 jobs: the assignment from above is within a millionth of the value from below."""
    instance = wide_instance(10**6, 300, 8)
    start = time.perf_counter()
    found = load_bracket(instance)
    print(f"bracket: {time.perf_counter() - start:.2f} s, {found.lower} .. {found.upper}")
    assert (found.upper - found.lower) * 10**6 <= found.lower
