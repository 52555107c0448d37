"""Small instances for the properties of the LP package."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from online.family import IntervalFamily
from online.instance import Instance
from online.rows import Row

REPRODUCIBLE = settings(derandomize=True, deadline=None, max_examples=40, database=None)


@st.composite
def instances(draw, machines: int = 3, jobs: int = 6, unit: int | None = None, least: int = 0) -> Instance:
    """Up to `jobs` jobs on up to `machines` machines; with `unit`, sizes are it and releases its multiples."""
    m = draw(st.integers(1, machines))
    sets = st.lists(st.integers(0, m - 1), min_size=1, unique=True)
    size = st.integers(1, 5) if unit is None else st.just(unit)
    release = st.integers(0, 8) if unit is None else st.integers(0, 4).map(lambda k: k * unit)
    rows = draw(st.lists(st.tuples(release, size, sets), min_size=least, max_size=jobs))
    return Instance.from_rows(m, [Row(j, r, p, chosen) for j, (r, p, chosen) in enumerate(rows)])


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
