"""Seconds for the LP of Lemma 6.6 with 10^4 and 10^5 jobs on 20 machines. Run with `make bench`."""

from __future__ import annotations

import time
from random import Random

import pytest

from lp.lindley import solve_lindley
from online.instance import Instance
from online.weights import Weights


def spread(jobs: int, classes: int) -> Instance:
    """Jobs of 10 ticks at a load of 0.9, in random eligible sets of up to 4 of 20 machines, weights 1, 2, 4, ..."""
    dice = Random(1)
    rows = sorted((dice.randrange(jobs * 5 // 9), dice.sample(range(20), 1 + dice.randrange(4))) for _ in range(jobs))
    numbers: dict[tuple[int, ...], int] = {}
    return Instance.from_columns(
        20,
        release=[release for release, _ in rows],
        size=[10] * jobs,
        flow_weight=[1 << dice.randrange(classes) for _ in rows],
        eligible_set=[numbers.setdefault(tuple(sorted(chosen)), len(numbers)) for _, chosen in rows],
        sets=list(numbers),
    )


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "classes", "most"), [(10**4, 1, 5), (10**4, 4, 5), (10**5, 1, 20), (10**5, 4, 20)])
def test_the_value_takes_seconds(jobs: int, classes: int, most: float) -> None:
    """Bracketed within a millionth in seconds of one core."""
    instance = spread(jobs, classes)
    start = time.process_time()
    found = solve_lindley(instance, weights=Weights.flow(instance))
    seconds = time.process_time() - start
    print(f"{jobs} jobs, {classes} weights: {seconds:.2f} s")
    assert found.width * 10**6 <= found.lower
    assert seconds < most
