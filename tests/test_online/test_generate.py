"""Seeded instances: the same bytes, as many jobs as were asked for."""

from __future__ import annotations

from hashlib import sha256

import pytest

from online.generate import FAMILIES, generate, make
from online.readers.writer import write_json

SHAPES = ((0, 1), (1, 1), (2, 3), (7, 2), (60, 3), (500, 20), (3000, 7))
OLD = ("uniform", "bursts", "planted", "weighted", "planted-weighted")


@pytest.mark.parametrize("family", FAMILIES)
def test_any_number_of_jobs_is_made_and_the_same_again(family: str) -> None:
    """From none on, on one machine or more; releases in order; two seeds differ."""
    for jobs, machines in SHAPES:
        instance, known = make(family, seed=jobs, jobs=jobs, machines=machines)
        assert (instance.n, instance.machines) == (jobs, machines)
        assert generate(family, seed=jobs, jobs=jobs, machines=machines) == write_json(instance, planted=known)
    assert len({generate(family, seed=seed, jobs=60, machines=3) for seed in range(8)}) > 1


def test_families_keep_their_bytes() -> None:
    """An instance that was made with an earlier version is made again."""
    found = [
        (
            family,
            seed,
            *shape,
            sha256(generate(family, seed=seed, jobs=shape[0], machines=shape[1]).encode()).hexdigest(),
        )
        for family in OLD
        for seed in range(6)
        for shape in SHAPES
    ]
    digest = sha256(repr(found).encode()).hexdigest()
    assert digest == "b7de9961b303a9cba95e017c677de85c41d4c2734bd8fc4f0f821e4b831f18d0"
