"""The inequalities inside the proofs of certify/SPEED.md, one by one, on exact pieces and in exact numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from speed_schedules import burst, fifo, lrpt, paper_dials, play, random_dials, srpt

from certify.speed.constants import theta
from certify.speed.drift import Drift, Piece, drift, serves_its_shortest
from certify.speed.fluid import PROVED, Fluid
from certify.speed.potential import Potential, printed_potential
from certify.speed.states import rule_dials, worst_states
from certify.speed.stochastic import gated_cost, gated_dial, gated_ratio
from certify.speed.verify import UNIT, backlog_excess, backlog_fault
from lp.energy.bracket import energy_bracket
from online.generate import Dice
from online.instance import Instance
from online.rows import Row
from online.speed.power import Power, PowerLaw, power_law
from online.speed.sums import power_lower

POLYNOMIAL = PowerLaw(((Fraction(2), Fraction(3)), (Fraction(1), Fraction(1))))
POWERS = [power_law("3/2"), power_law(2), power_law(3), POLYNOMIAL]
ROUNDING = Fraction(1, 1000)
"""More than what dials of 20 bits take off the terms of the algorithm in these runs."""


def _convex_drifts(power: Power, machines: int) -> Iterator[Drift]:
    """Drifts of the convex part alone (c2 = 0): SRPT at (5) against references of several kinds."""
    for seed in range(3):
        dice = Dice(100 * machines + seed)
        instance = burst(dice, machines, 6)
        paper = paper_dials(power, machines)
        run = play(instance, power, srpt, paper)
        table = printed_potential(power, machines, instance.n, linear=False)
        for other in (
            play(instance, power, srpt, random_dials(dice)),
            play(instance, power, fifo, paper, decided=True),
            play(instance, power, lrpt, random_dials(dice), least=1),
        ):
            yield drift(run, other, table)


def _beta(power: Power) -> Fraction:
    assert power.beta is not None
    return power.beta


@pytest.mark.parametrize("power", POWERS, ids=str)
@pytest.mark.parametrize("machines", [1, 2, 3])
def test_step_5_and_7_of_td(power: Power, machines: int) -> None:
    """dPhi1 <= 2 (sum P + (1 + beta) n_o - n + (m-1)/2) for n >= m, and <= 2 (sum P + beta n_o) below."""
    for one in _convex_drifts(power, machines):
        for piece in one.pieces:
            n, held, spent = piece.algorithm.alive, piece.reference.alive, piece.reference.power
            if n >= machines:
                bound = 2 * (spent + (1 + _beta(power)) * held - n + Fraction(machines - 1, 2))
            else:
                bound = 2 * (spent + _beta(power) * held)
            assert piece.rate <= bound + ROUNDING


@pytest.mark.parametrize("power", POWERS, ids=str)
@pytest.mark.parametrize("machines", [1, 2, 3])
def test_steps_4_and_6_against_shortest_first(power: Power, machines: int) -> None:
    """dPhi1 <= 2 (sum P - n + n_o + (m-1)/2) for n >= m, and <= 2 sum P below, if the reference serves its shortest."""
    for one in _convex_drifts(power, machines):
        if serves_its_shortest(one.reference):
            for piece in one.pieces:
                assert piece.rate <= _shortest_bound(piece, machines) + ROUNDING


def _shortest_bound(piece: Piece, machines: int) -> Fraction:
    n, held, spent = piece.algorithm.alive, piece.reference.alive, piece.reference.power
    return 2 * (spent - n + held + Fraction(machines - 1, 2)) if n >= machines else 2 * spent


def test_the_bound_for_shortest_first_fails_for_others() -> None:
    """Steps 4 and 6 need the order: some reference that serves a long job breaks them at s^3."""
    broken = [
        piece
        for one in _convex_drifts(power_law(3), 1)
        for piece in one.pieces
        if piece.rate > _shortest_bound(piece, 1) + ROUNDING
    ]
    assert broken


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.sampled_from(POWERS), st.fractions(0, 8, max_denominator=64), st.fractions(0, 8, max_denominator=64))
def test_lemma_9_and_its_neighbours(power: Power, a: Fraction, b: Fraction) -> None:
    """(Y), (Z), H >= id, and (H - id)' in [0, beta], at any two dials."""
    x, other = power.at(min(a, b)), power.at(max(a, b))
    for one, two in ((x, other), (other, x)):
        assert one.marginal * two.speed <= two.power + one.conjugate
        assert one.speed <= theta(power).above * (1 + one.power)
        assert one.conjugate >= 0
    rise = other.conjugate - x.conjugate
    assert 0 <= rise <= _beta(power) * (other.power - x.power)


def test_theta_is_at_most_the_printed_maximum() -> None:
    """theta <= max(1, P(sbar)), and P(sbar) = sbar <= 1 under Assumption 2."""
    for power in (*POWERS, power_law(2, "1/5")):
        assert power.sbar_upper is not None
        assert theta(power).below <= max(Fraction(1), power.sbar_upper)
        if power.submultiplicative:
            assert power.sbar_upper <= 1


def test_one_server_needs_no_linear_part() -> None:
    """T-m1: with c2 = 0 and c = 2 (7) holds on one server against shortest-first references."""
    for power in POWERS:
        for one in _convex_drifts(power, 1):
            if serves_its_shortest(one.reference):
                assert one.violations(2 + ROUNDING) == []


def test_without_the_linear_part_four_servers_fail() -> None:
    """With c2 = 0 nothing pays for idle servers: three jobs on four servers, the reference done, break (7)."""
    instance = Instance.from_rows(4, [Row(k, 0, 1) for k in range(3)])
    power = power_law(2)
    run = play(instance, power, srpt, paper_dials(power, 4))
    ahead = play(instance, power, srpt, lambda alive, running: [Fraction(2)] * running)
    bare = replace(printed_potential(power, 4, 3), steps=(Fraction(0),) * 3)
    assert drift(run, ahead, bare).ratio is not None
    nothing = replace(bare, linear=Fraction(0))
    assert drift(run, ahead, nothing).ratio is None


@pytest.mark.parametrize("machines", [2, 3])
def test_round_robin_is_optimal_without_migration(machines: int) -> None:
    """Unit jobs: no assignment to servers is cheaper than round robin, up to the gap of the brackets, 1/1000."""
    power, dice = power_law(2), Dice(machines)
    releases = sorted(dice.below(3) for _ in range(5))
    robin = [j % machines for j in range(5)]
    best, bound = (_split_cost(releases, robin, machines, power, lower=lower) for lower in (False, True))
    for code in range(machines**4):
        servers = [0, *(code // machines**k % machines for k in range(4))]
        assert bound <= _split_cost(releases, servers, machines, power, lower=False)
        assert best * Fraction(998, 1000) <= _split_cost(releases, servers, machines, power, lower=True)


_COSTS: dict[tuple[int, ...], tuple[Fraction, Fraction]] = {}


def _split_cost(releases: list[int], servers: list[int], machines: int, power: Power, *, lower: bool) -> Fraction:
    """Sum over servers of the bracket of the cost of unit jobs with these releases."""
    total = Fraction(0)
    for server in range(machines):
        own = tuple(r for r, k in zip(releases, servers, strict=True) if k == server)
        if own and own not in _COSTS:
            bracket = energy_bracket(Instance.from_rows(1, [Row(k, r, 1) for k, r in enumerate(own)]), power)
            _COSTS[own] = bracket.lower, bracket.upper.cost
        if own:
            total += _COSTS[own][0 if lower else 1]
    return total


def test_the_measured_stochastic_ratios() -> None:
    """The largest ratio over loads 3k/64 from 1 to 4: 1.511, 2, 2.464, 2.916 for alpha = 3/2, 2, 5/2, 3."""
    for alpha, expected in (("3/2", "1.511"), ("2", "2"), ("5/2", "2.464"), ("3", "2.916")):
        peak = max(gated_ratio(power_law(alpha), Fraction(k, 64)) for k in range(64, 256, 3))
        assert abs(peak - Fraction(expected)) < Fraction(1, 100)


def test_the_gated_cost_has_one_valley() -> None:
    """(13) falls before s* and rises after it."""
    for alpha in ("3/2", "2", "3"):
        power, load = power_law(alpha), Fraction(3, 2)
        best = power.at(gated_dial(power, load)).speed
        before = [power.dial_for_speed(load + (best - load) * k / 8, 40) for k in range(1, 8)]
        after = [power.dial_for_speed(best * (8 + k) / 8, 40) for k in range(1, 8)]
        assert all(a > b for a, b in pairwise(gated_cost(power.at(dial), load) for dial in before))
        assert all(a < b for a, b in pairwise(gated_cost(power.at(dial), load) for dial in after))


# ------------------------------------------------------------------------- the square
def _fluid(power: Power, machines: int, jobs: int, ratio: Fraction) -> tuple[list[Fraction], Fraction]:
    """Steps c Delta(i/m) / alpha and linear part 2, of the potential of TS."""
    assert power.alpha is not None
    table = printed_potential(power, machines, jobs)
    return [step * ratio / (2 * power.alpha) for step in table.steps], Fraction(2)


def _faults(power: Power, machines: int, jobs: int, ratio: Fraction) -> str:
    """The first fault of that table at the dials of (5), for at most so many jobs."""
    assert power.alpha is not None
    steps, linear = _fluid(power, machines, jobs, ratio)
    dials = [(dial, dial) for dial in rule_dials(power, machines, jobs)]
    return backlog_fault(power.alpha, machines, steps, linear, ratio, dials)


@pytest.mark.parametrize("machines", [1, 2, 3, 5, 8])
def test_the_square_is_8_3_with_up_to_30_jobs(machines: int) -> None:
    """TS; and no table proves 2 for 30 jobs on one server."""
    assert _faults(power_law(2), machines, 30, Fraction(8, 3)) == ""
    if machines == 1:
        assert _faults(power_law(2), machines, 30, Fraction(2)) != ""


@pytest.mark.parametrize(("alpha", "ratio"), [("3/2", "2.3479"), ("5/2", "2.9662"), ("3", "3.2516")])
def test_the_fluid_constant_with_up_to_20_jobs(alpha: str, ratio: str) -> None:
    """The conjectured 2 / (1 - (alpha - 1) alpha^(-alpha / (alpha - 1))), rounded up, with c2 = 2."""
    for machines in (1, 2, 3, 4, 8):
        assert _faults(power_law(alpha), machines, 20, Fraction(ratio)) == ""


@pytest.mark.parametrize("alpha", PROVED, ids=str)
def test_the_fluid_ratio_is_proved(alpha: Fraction) -> None:
    """TF by boxes, for all n and m; the ratio is the constant rounded up, and a hundredth less is not proved."""
    ratio, machines = PROVED[alpha]
    kappa = Fluid(alpha, ratio).kappa
    assert 2 / (1 - kappa[0]) <= ratio < 2 / (1 - kappa[1]) + Fraction(1, 10**4)
    assert Fluid(alpha, ratio).proved(machines)
    assert not Fluid(alpha, ratio * 99 / 100).proved(machines)


def test_a_negative_side_within_the_rounding_is_no_proof() -> None:
    """At c = 5063797/2500000 all G with rounded steps are at most 0, but not by 2^-20: exact steps might exceed 0."""
    alpha, ratio = Fraction(3, 2), Fraction(5063797, 2500000)
    near = Fluid(alpha, ratio)
    steps = [ratio * power_lower(Fraction(i, 2), near.gamma) for i in range(1, 5)]
    dials = rule_dials(power_law(alpha), 2, 4)
    sides = [list(backlog_excess(alpha, 2, steps, Fraction(2), ratio, n, dial)) for n, dial in enumerate(dials)]
    worst = max(one for n, row in enumerate(sides) for held, one in enumerate(row) if n or held)
    assert -UNIT >> 20 < worst <= 0
    assert not near.few(2)
    assert Fluid(alpha, PROVED[alpha][0]).few(2)


@pytest.mark.parametrize("alpha", PROVED, ids=str)
def test_boxes_bound_the_left_side(alpha: Fraction) -> None:
    """G / (c m) is at most A or B, at the scaled point of every small n, n_o and m; so the boxes are about (7)."""
    ratio, _ = PROVED[alpha]
    fluid = Fluid(alpha, ratio)
    for m in (2, 3, 5):
        steps = [ratio * power_lower(Fraction(i, m), fluid.gamma) for i in range(1, 4 * m + 1)]
        for n, dial in enumerate(rule_dials(power_law(alpha), m, 4 * m)):
            for held, excess in enumerate(backlog_excess(alpha, m, steps, Fraction(2), ratio, n, dial)):
                if m <= n and held < n:
                    size, rest = Fraction(n, m), Fraction(held, m)
                    there = (size - rest,) if held >= m else (size, rest)
                    above = fluid.far(m) if held >= m else fluid.near
                    found = above(tuple((x, x) for x in there))
                    assert Fraction(excess, UNIT) / (ratio * m) <= found + Fraction(1, 10**4)


def test_8_3_holds_in_every_state_and_on_pieces() -> None:
    """The same potential through the longest paths, up to 8 jobs, and on exact pairs of schedules."""
    power, ratio = power_law(2), Fraction(8, 3)
    for machines in (1, 2, 3):
        steps, linear = _fluid(power, machines, 8, ratio)
        table = Potential(tuple(steps), linear)
        assert all(one.excess <= 0 for one in worst_states(power, machines, table, ratio, "any", 8))
        for one in _convex_drifts(power, machines):
            assert drift(one.algorithm, one.reference, table).violations(ratio) == []


def test_the_numbers_in_the_proof_of_ts() -> None:
    """Steps 2 to 7 of section 6, in rationals: each bound is negative at its ends or at its peak."""
    q = Fraction
    low, high = q(14142, 10000), q(14143, 10000)
    assert low**2 < 2 < high**2
    assert 1 + q(41, 100) <= low
    assert q(-1, 8) + q(3, 8) - q(1, 16) - q(15, 64) * low < q(-14, 100)
    assert 1 - q(15, 64) * q(41, 100) < q(904, 1000)
    assert 1 / high > q(707, 1000)
    assert q(904, 1000) ** 2 / (4 * q(707, 1000)) < q(234, 1000) + q(625, 10000)

    def step_5(d: Fraction) -> Fraction:
        return q(1, 2) - (1 - d**2) / 4 - (1 + q(41, 100) * d) * (q(3, 4) - q(33, 64) * d) - d / 4 + d**2 / 16

    assert step_5(q(0)) == q(-1, 2)
    assert step_5(q(1)) < q(-1, 100)
    assert step_5(q(0)) + step_5(q(1)) - 2 * step_5(q(1, 2)) > 0, "convex"
    assert q(5, 2) / (2 * high) > q(883, 1000)
    assert q(3, 2) / (4 * low) < q(266, 1000)
    assert q(904, 1000) - q(273, 1000) * q(883, 1000) < q(663, 1000)
    assert q(273, 1000) * q(266, 1000) - q(15, 64) < -q(161, 1000)
    assert q(663, 1000) ** 3 / 3 < q(161, 1000)
    assert q(7, 4) ** 2 / 4 == q(49, 64)


def test_the_bounds_in_the_proof_of_ts() -> None:
    """(K) and the bounds of steps 1, 4 and 6 hold for all small n, n_o, m, with square roots between rationals."""
    for m in (1, 2, 3, 6):
        for n in range(m, 4 * m + 2):
            for held in range(n + m + 2):
                exact_k, bound = _k(n, held, m), _k_bound(n, held, m)
                assert exact_k <= bound + Fraction(1, 10**9)
                assert bound < 0


def _root(x: Fraction) -> Fraction:
    return power_lower(x, Fraction(1, 2))


def _k(n: int, held: int, m: int) -> Fraction:
    u = [Fraction(n - i, m) for i in range(m)]
    x = [Fraction(max(0, n - held - i), m) for i in range(m)]
    gains = sum((_root(y) + Fraction(3, 4)) ** 2 / 4 for y in u[: min(m, held)])
    return Fraction(3, 4) * n - _root(u[0]) * (sum(map(_root, x)) + Fraction(3, 4) * m) + gains - held


def _k_bound(n: int, held: int, m: int) -> Fraction:
    size, served = Fraction(n, m), min(m, held)
    u = sum((Fraction(n - i, m) for i in range(served)), Fraction(0))
    x = sum((_root(Fraction(max(0, n - held - i), m)) for i in range(m)), Fraction(0))
    rest = Fraction(3, 4) * m - Fraction(33, 64) * served
    return Fraction(3, 4) * n + u / 4 - held - _root(size) * (x + rest)
