"""Kinds of instances that are easily forgotten."""

from __future__ import annotations

from hypothesis import strategies as st

from certify.testing.strategies import WEIGHTED, instances
from online.instance import Instance

HUGE = 1 << 62
"""Sums of such times leave int64."""

EDGES = (
    "many machines",
    "one machine",
    "one eligible machine a job",
    "jobs of one instant",
    "no jobs",
    "huge times",
    "fractions of a unit",
    "huge weights",
)
"""Their names."""


def edge_instances(problem: str, edge: str, max_jobs: int = 8) -> st.SearchStrategy[Instance] | None:
    """The instances of a kind; None if the problem has none of it.

    All but those with one machine have two at least, so that one machine is a kind of its own.
    """
    if edge == "no jobs":
        return st.just(Instance.from_rows(2, []))
    if edge == "one machine":
        return instances(problem, max_jobs=max_jobs, max_machines=1)
    chosen = {
        "many machines": {"max_machines": 5, "eligible": "all"},
        "one eligible machine a job": {"eligible": "one"},
        "jobs of one instant": {"last_release": 0},
        "huge times": {"ticks": [HUGE]},
        "fractions of a unit": {"ticks": ["1/3", "2/7"]},
        "huge weights": {"weights": [1, HUGE - 1, "1/3"]},
    }[edge]
    if edge == "huge weights" and problem not in WEIGHTED:
        return None
    return instances(problem, min_machines=2, max_jobs=max_jobs, **chosen)  # type: ignore[arg-type]
