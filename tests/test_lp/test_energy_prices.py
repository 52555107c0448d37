"""The price bound on flow time plus energy: known optima, an independent evaluation, evidence that breaks a rule."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lp.energy.prices import Prices, price_bound, tangent
from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.speed.power import Power, power_law
from online.speed.power_text import read_power, table_of

SQUARE = power_law(2)
ZERO, ONE, TWO = Fraction(0), Fraction(1), Fraction(2)
POWERS = [SQUARE, power_law(3), power_law("3/2"), power_law("5/2"), read_power("s^2+s")]
TABLE = table_of([(ONE, ONE), (TWO, Fraction(4)), (Fraction(3), Fraction(9))])


def _jobs(machines: int, *jobs: tuple[int, int]) -> Instance:
    return Instance.from_rows(machines, [Row(str(k), release, size) for k, (release, size) in enumerate(jobs)])


@pytest.mark.parametrize("power", [*POWERS, TABLE], ids=str)
def test_one_job_costs_mu0_times_its_size(power: Power) -> None:
    """Price 0 proves mu0 w, which a job alone at the best speed costs up to the rounding of mu0."""
    one = _jobs(3, (5, 7))
    bound = price_bound(one, power, Prices.trivial(one, power))
    assert power.work_price_upper() * 7 * (1 - Fraction(1, 1 << 15)) <= bound <= power.work_price_upper() * 7


def test_two_unit_jobs_on_one_server_by_hand() -> None:
    """Price 1 on [0, 1), s^2: at speed 2 (mu 4, y 4) V = 4 + C - 3C >= 3 up to C = 1/2; at speed 1 (mu 2, y 1)
    V = 2 + C >= 5/2 from there on, as y pays no rent. So each job costs 5/2 at least, and the server is paid 1.
    """
    two = _jobs(1, (0, 1), (0, 1))
    own = ((0, 0), (1, 1))
    prices = Prices((ZERO, Fraction(1, 2), ONE), (ONE, ONE), (TWO, ONE), (own, own))
    assert price_bound(two, SQUARE, prices) == 2 * Fraction(5, 2) - 1


def _naive(instance: Instance, power: Power, prices: Prices) -> Fraction:
    """The sum of E4, cell by cell from its definition, quadratic and without H."""

    def at(time: Fraction) -> Fraction:
        inside = [k for k, start in enumerate(prices.grid[:-1]) if start <= time < prices.grid[k + 1]]
        return prices.price[inside[0]] if inside else ZERO

    def proven(job: Any, dial: Fraction, end: Fraction) -> Fraction:
        mu, y = tangent(power, dial)
        cuts = sorted({Fraction(job.release), end, *(t for t in prices.grid if job.release < t < end)})
        spent = sum(
            ((b - a) * max(ZERO, y - at(a)) for a, b in pairwise(cuts)),
            ZERO,
        )
        return end - job.release + mu * job.size - spent

    total = ZERO
    for job, own in zip(instance.jobs(), prices.ranges, strict=True):
        ends = [first for first, _ in own[1:]] + [len(prices.grid) - 1]
        values = []
        for (first, dial), last in zip(own, ends, strict=True):
            points = {max(Fraction(job.release), t) for t in prices.grid[first : last + 1]} | {
                max(Fraction(job.release), prices.grid[last])
            }
            values += [proven(job, prices.dials[dial], end) for end in points]
        total += min(values)
    steps = zip(prices.price, prices.grid, prices.grid[1:], strict=False)
    return total - instance.machines * sum((p * (b - a) for p, a, b in steps), ZERO)


@st.composite
def _evidence(draw: st.DrawFn) -> tuple[Instance, Prices]:
    jobs = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 5)), min_size=1, max_size=4))
    instance = _jobs(draw(st.integers(1, 3)), *sorted(jobs))
    grid = tuple(Fraction(t, 2) for t in sorted(draw(st.sets(st.integers(1, 20), max_size=6)) | {0}))
    price = tuple(Fraction(draw(st.integers(0, 9)), 4) for _ in grid[1:])
    dials = (Fraction(1, 2), *(Fraction(draw(st.integers(1, 12)), 4) for _ in range(3)))
    ranges = []
    for job in instance.jobs():
        home = max(k for k, time in enumerate(grid) if time <= job.release)
        later = sorted(draw(st.sets(st.integers(home + 1, len(grid) - 1), max_size=3))) if home + 1 < len(grid) else []
        cells = [home, *later]
        own = [draw(st.integers(0, 3)) for _ in cells]
        ranges.append(tuple(zip(cells, [*own[:-1], 0], strict=True)))
    return instance, Prices(grid, price, dials, tuple(ranges))


@settings(derandomize=True, max_examples=150, deadline=None)
@given(_evidence(), st.sampled_from([SQUARE, power_law("3/2")]))
def test_the_bound_is_the_sum_of_its_definition(evidence: tuple[Instance, Prices], power: Power) -> None:
    """Prefix sums and minima over ranges give what evaluating V at every grid point of every range gives."""
    instance, prices = evidence
    assert price_bound(instance, power, prices) == _naive(instance, power, prices)


BASE = Prices((ZERO, ONE, TWO), (ONE, ZERO), (TWO, ONE), (((0, 0), (1, 1)), ((1, 1),)))
PAIR = _jobs(1, (0, 1), (1, 1))


def test_the_base_of_the_broken_evidence_is_accepted() -> None:
    """What is broken below is valid as it stands."""
    assert price_bound(PAIR, SQUARE, BASE) > 0


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"price": (Fraction(-1), ZERO)}, "price"),
        ({"price": (ONE,)}, "number of prices"),
        ({"grid": (ZERO, ZERO, TWO)}, "grid"),
        ({"grid": (Fraction(1, 2), ONE, TWO)}, "first grid point"),
        ({"ranges": (((0, 1),),)}, "jobs"),
        ({"ranges": (((1, 1),), ((1, 1),))}, "first range"),
        ({"ranges": ((), ((1, 1),))}, "first range"),
        ({"ranges": (((0, 1), (0, 1)), ((1, 1),))}, "order"),
        ({"ranges": (((0, 1), (3, 1)), ((1, 1),))}, "order"),
        ({"ranges": (((0, 2),), ((1, 1),))}, "dial"),
        ({"ranges": (((0, -1),), ((1, 1),))}, "dial"),
        ({"ranges": (((0, 0),), ((1, 1),))}, "conjugate without end"),
        ({"dials": (Fraction(-2), ONE)}, "dial"),
    ],
)
def test_evidence_that_breaks_a_rule_is_refused(broken: dict[str, Any], reason: str) -> None:
    """Each condition of E1 to E4 is checked, and the message names it."""
    with pytest.raises(InvalidInput, match=reason):
        price_bound(PAIR, SQUARE, replace(BASE, **broken))


def test_a_slope_beyond_the_table_is_refused() -> None:
    """Beyond the last slope of a table P* is infinite."""
    with pytest.raises(InvalidInput, match="last one"):
        tangent(TABLE, Fraction(6))


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    st.sampled_from([*POWERS, TABLE]),
    st.fractions(0, 5, max_denominator=16),
    st.fractions(0, 6, max_denominator=16),
)
def test_a_tangent_lies_below_the_power(power: Power, dial: Fraction, other: Fraction) -> None:
    """mu s - y <= P(s), at any second dial's speed, and y >= 0."""
    mu, y = tangent(power, dial)
    point = power.at(other)
    assert mu * point.speed - y <= point.power
    assert y >= 0
