"""The drift condition (7) between pairs of schedules and over all states."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from speed_schedules import burst, fifo, lrpt, paper_dials, play, random_dials, srpt

from certify.speed.conjugate import conjugate_above
from certify.speed.drift import Drift, drift, serves_its_shortest
from certify.speed.potential import Mover, Potential, printed_potential, walk
from certify.speed.states import States, least_ratio, rule_dials, worst_states
from online.errors import InvalidInput
from online.generate import Dice
from online.instance import Instance
from online.rows import Row
from online.speed.power import Power, PowerLaw, power_law
from online.speed.trajectory import Segment, Trajectory

POWERS = [power_law("3/2"), power_law(2), power_law("5/2"), power_law(3)]
FOUR = Fraction(4)


def any_ratio(power: Power) -> Fraction:
    """2 alpha + 2 theta_alpha, a rational at most that."""
    point = power.at(power.dial_for_waiting(1))
    assert power.alpha is not None
    return 2 * power.alpha + 2 * point.speed / (1 + point.power)


def _pairs(seed: int, machines: int, power: Power, jobs: int = 6) -> Iterator[Drift]:
    """SRPT at (5) against five kinds of references on one random instance."""
    dice = Dice(seed)
    instance = burst(dice, machines, jobs)
    paper = paper_dials(power, machines)
    run = play(instance, power, srpt, paper)
    yield drift(run, play(instance, power, srpt, random_dials(dice)))
    yield drift(run, play(instance, power, fifo, paper, decided=True))
    yield drift(run, play(instance, power, lrpt, paper_dials(power, machines, Fraction(1, 2)), least=1))
    yield drift(run, play(instance, power, lrpt, random_dials(dice), least=1))
    yield drift(run, run)


@pytest.mark.parametrize("power", POWERS, ids=str)
def test_the_drift_holds_with_the_constants_of_the_two_theorems(power: Power) -> None:
    """(7) holds on every piece: with 4 against those who serve their shortest jobs, with 2 alpha + 2 theta always."""
    _drifts_hold(power, range(2))


@pytest.mark.slow
@pytest.mark.parametrize("power", POWERS, ids=str)
def test_the_drift_holds_on_many_pairs(power: Power) -> None:
    """The same on 600 pairs for each power."""
    _drifts_hold(power, range(2, 42))


def _drifts_hold(power: Power, seeds: range) -> None:
    kinds = {True: 0, False: 0}
    for machines in (1, 2, 3):
        for seed in seeds:
            for one in _pairs(100 * machines + seed, machines, power):
                structured = serves_its_shortest(one.reference)
                kinds[structured] += 1
                assert one.violations(min(FOUR, any_ratio(power)) if structured else any_ratio(power)) == []
                assert one.ratio is not None
                assert one.algorithm.cost <= one.ratio * one.reference.cost
    assert min(kinds.values()) > 5


def test_a_drift_by_hand() -> None:
    """One job of size 2 at speed 1 against speed 2, s^2: Phi = 4 |x - y| + 2 (x - y) with both marginals 2."""
    instance = Instance.from_rows(1, [Row("a", 0, 2)])
    slow = Trajectory(instance, power_law(2), [Segment(Fraction(0), Fraction(2), ((0, Fraction(1)),))])
    fast = Trajectory(instance, power_law(2), [Segment(Fraction(0), Fraction(1), ((0, Fraction(2)),))])
    one = drift(slow, fast)
    assert [(piece.start, piece.end, piece.rate, piece.left) for piece in one.pieces] == [(0, 1, 6, 8), (1, 2, -6, -4)]
    assert one.phi == [0, 6, 0]
    assert one.ratio == Fraction(8, 5)
    assert [piece.start for piece in one.violations(Fraction(3, 2))] == [0]
    assert drift(fast, slow).ratio == Fraction(5 - 2, 2)


def test_three_halves_is_rejected() -> None:
    """A constant of 3/2 is too small: on some pairs a piece violates (7)."""
    rejected = [bool(one.violations(Fraction(3, 2))) for seed in range(4) for one in _pairs(seed, 2, power_law(2))]
    assert sum(rejected) >= 4


def test_srpt_at_an_eighth_of_the_speed_is_rejected() -> None:
    """Against the paper's own run, SRPT at an eighth of its speeds violates (7) with 4."""
    power = power_law(2)
    for seed in range(4):
        instance = burst(Dice(seed), 2, 6)
        slow = play(instance, power, srpt, paper_dials(power, 2, Fraction(1, 64)))
        assert drift(slow, play(instance, power, srpt, paper_dials(power, 2))).violations(FOUR)


def test_longest_first_is_rejected() -> None:
    """LRPT at the speeds of (5) violates (7) with 4 against SRPT: with a long job and many short ones behind it."""
    power = power_law(2)
    instance = Instance.from_rows(1, [Row("long", 0, 9), *(Row(k, 0, 1) for k in range(8))])
    good = play(instance, power, srpt, paper_dials(power, 1))
    bad = play(instance, power, lrpt, paper_dials(power, 1), least=1)
    assert drift(bad, good).violations(FOUR)
    assert not drift(good, bad).violations(FOUR)


def test_other_schedules_do_not_serve_their_shortest() -> None:
    """SRPT serves its shortest at any speeds, also if it leaves a server idle; LRPT does not."""
    power = power_law(2)
    instance = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 0, 1)])
    assert serves_its_shortest(play(instance, power, srpt, paper_dials(power, 1)))
    assert not serves_its_shortest(play(instance, power, lrpt, paper_dials(power, 1)))


def test_crossings_of_two_jobs_of_the_reference_split_pieces() -> None:
    """Two jobs of the reference overtake one another: the sum of the rates is still the change of the potential."""
    instance = Instance.from_rows(2, [Row("a", 0, 4), Row("b", 0, 3)])
    one, two = Fraction(1), Fraction(2)
    run = Trajectory(instance, power_law(2), [Segment(Fraction(0), Fraction(8), ((0, one / 2), (1, Fraction(3, 8))))])
    other = [Segment(Fraction(0), two, ((0, two), (1, one))), Segment(two, Fraction(3), ((1, one),))]
    pieces = drift(run, Trajectory(instance, power_law(2), other)).pieces
    assert Fraction(1) in [piece.start for piece in pieces]


def test_two_instances_or_two_powers_are_refused() -> None:
    """A drift is between two schedules of one instance, at one power."""
    runs = [
        Trajectory(
            Instance.from_rows(1, [Row("a", 0, size)]),
            power,
            [Segment(Fraction(0), Fraction(size), ((0, Fraction(1)),))],
        )
        for size, power in ((1, power_law(2)), (2, power_law(2)), (1, power_law(3)))
    ]
    for other in runs[1:]:
        with pytest.raises(InvalidInput):
            drift(runs[0], other)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(1, 5), st.booleans()), max_size=6))
def test_jobs_of_one_size_may_stand_in_any_order(jobs: list[tuple[int, bool]]) -> None:
    """If all jobs move at one speed, the rate is that of the potential on integrals: level(n - n_o), once."""
    table = Potential(tuple(Fraction(k * k) for k in range(1, 7)), Fraction(3))
    movers = [(Mover(Fraction(size), Fraction(1)), ours) for size, ours in jobs]
    algorithm = [mover for mover, ours in movers if ours]
    reference = [mover for mover, ours in movers if not ours]
    v = len(algorithm) - len(reference)
    assert table.rate(algorithm, reference) == -table.level(v) - 3 * v


def _brute(states: States, held: int) -> Fraction:
    """The worst excess over all orders, each priced job by job."""
    n, m = states.backlog, states.machines
    speed = states.power.at(states.dial)
    worst = None
    for places in combinations(range(n + held), n):
        own = [Mover(Fraction(x + 1), speed.speed if k < m else Fraction(0)) for k, x in enumerate(places)]
        others = [Mover(Fraction(x + 1), Fraction(0)) for x in range(n + held) if x not in places]
        left = n + min(n, m) * speed.power + states.potential.rate(own, others)
        weights = [
            states.potential.level(after) - states.potential.level(before) + states.potential.linear
            for _, before, after, of_reference in walk(own, others)
            if of_reference
        ]
        gains = [states.ratio * conjugate_above(states.power, weight / states.ratio) for weight in weights]
        chosen = gains[:m] if states.references == "shortest" else sorted(gains)[-m:]
        excess = left + sum(chosen) - states.ratio * held
        worst = excess if worst is None else max(worst, excess)
    assert worst is not None
    return worst


@pytest.mark.parametrize("references", ["shortest", "any"])
@pytest.mark.parametrize("power", [power_law(2), power_law("5/2")], ids=str)
def test_the_longest_path_is_the_worst_order(power: Power, references: str) -> None:
    """The grid finds the worst of all interleavings, up to the rounding (up)."""
    for machines in (1, 2, 3):
        table = printed_potential(power, machines, 4)
        for n, dial in enumerate(rule_dials(power, machines, 4)):
            states = States(power, machines, table, Fraction(5, 2), references, n, dial)  # type: ignore[arg-type]
            for found in states.worst():
                if found.held <= 4:
                    assert 0 <= found.excess - _brute(states, found.held) <= Fraction(1, 1 << 30)
                    assert found.order.lower().count("a") == n
                    assert found.order.lower().count("r") == found.held


@pytest.mark.parametrize("power", POWERS, ids=str)
@pytest.mark.parametrize("machines", [1, 2, 3, 4])
def test_both_theorems_hold_in_all_states_with_eight_jobs(power: Power, machines: int) -> None:
    """Theorem 1's 4 and 2 + 2 theta against the shortest-first, 2 alpha + 2 theta against all; with room left."""
    table = printed_potential(power, machines, 8)
    assert power.alpha is not None
    sharp = any_ratio(power)
    for references, ratio in (
        ("shortest", FOUR),
        ("shortest", 2 + sharp - 2 * power.alpha),
        ("any", sharp),
    ):
        found = list(worst_states(power, machines, table, ratio, references, 8))  # type: ignore[arg-type]
        assert max(one.excess for one in found if one.backlog + one.held) < Fraction(-9, 5)
        assert max(one.held for one in found) >= 8


@pytest.mark.parametrize("terms", ["s^2 + s", "2s^3 + s", "s^2 + 1/10 s"])
def test_the_general_theorems_hold_in_all_states_with_six_jobs(terms: str) -> None:
    """For polynomials: 2 (1 + beta) + x against all and 2 + x against shortest-first, x = 2 theta / P^{-1}(1)."""
    power = POLYNOMIALS[terms]
    extra = 2 * power.theta_upper / power.unit_speed_lower
    assert power.beta is not None
    for machines in (1, 2, 3):
        table = printed_potential(power, machines, 6)
        for references, ratio in (("shortest", 2 + extra), ("any", 2 * (1 + power.beta) + extra)):
            found = worst_states(power, machines, table, ratio, references, 6)  # type: ignore[arg-type]
            assert all(one.excess <= 0 for one in found)


def _polynomial(*terms: tuple[str, int]) -> Power:
    return PowerLaw(tuple((Fraction(c), Fraction(e)) for c, e in terms))


POLYNOMIALS = {
    "s^2 + s": _polynomial(("1", 2), ("1", 1)),
    "2s^3 + s": _polynomial(("2", 3), ("1", 1)),
    "s^2 + 1/10 s": _polynomial(("1", 2), ("1/10", 1)),
}


def test_the_smallest_ratio_of_the_printed_table() -> None:
    """Up to six jobs, s^3, one server, the table shows less than 2 against shortest-first, 4 to 4.2 against all."""
    table = printed_potential(power_law(3), 1, 6)
    assert Fraction(7, 4) < least_ratio(power_law(3), 1, table, "shortest", 6, 4) < 2
    assert 4 < least_ratio(power_law(3), 1, table, "any", 6, 4) < Fraction(42, 10)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_no_piece_of_a_run_is_worse_than_the_worst_state(seed: int, machines: int) -> None:
    """Runs and states agree: left minus right side of (7) on a piece is at most the worst state's excess."""
    power, ratio = power_law(2), Fraction(3)
    table = printed_potential(power, machines, 5)
    worst = {(one.backlog, one.held): one.excess for one in worst_states(power, machines, table, ratio, "any", 5)}
    for one in _pairs(seed, machines, power, jobs=5):
        for piece in one.pieces:
            bound = worst.get((piece.algorithm.alive, piece.reference.alive), Fraction(0))
            assert piece.left - ratio * piece.reference.pays <= bound
