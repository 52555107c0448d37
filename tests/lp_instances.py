"""Small instances for the properties of the LP package."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from certify.testing import strategies
from online.family import IntervalFamily
from online.instance import Instance

REPRODUCIBLE = settings(derandomize=True, deadline=None, max_examples=40, database=None)


def instances(machines: int = 3, jobs: int = 6, unit: int | None = None, least: int = 0) -> st.SearchStrategy[Instance]:
    """Up to `jobs` jobs on up to `machines` machines; with `unit`, sizes are it and releases its multiples."""
    numbers = {"sizes": 5, "last_release": 8} if unit is None else {"sizes": [1], "last_release": 4, "ticks": [unit]}
    return strategies.instances("load", min_jobs=least, max_jobs=jobs, max_machines=machines, **numbers)


@st.composite
def families(draw, machines: int, per_tick: int = 1) -> IntervalFamily:
    """Any multiset of up to 6 closed intervals with ends up to 9 ticks."""
    interval = st.tuples(
        st.integers(0, machines - 1),
        st.integers(0, 2),
        st.integers(0, 9 * per_tick),
        st.integers(0, 4 * per_tick),
    )
    rows = draw(st.lists(interval, max_size=6))
    multiplicity = draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    return IntervalFamily.of([(i, level, s, s + d) for i, level, s, d in rows], per_tick, multiplicity)
