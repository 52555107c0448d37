"""Certificates about energy: accepted for every policy, the same schedule when opened again, false when touched."""

from __future__ import annotations

import json
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from certify.build import to_text
from certify.energy_build import certifiable, certify_bracket, certify_drift, certify_game, certify_run, columns
from certify.energy_reopen import reopen_trajectory, reopen_witness
from certify.problems.energy import follows_rule, guarantees, ledger, rounding_factor, table_of
from certify.reopen import claimed_bound
from certify.speed.drift import drift, serves_its_shortest
from lp.energy.bracket import energy_bracket, run_bound
from online.instance import Instance
from online.rows import Row
from online.speed.games import GAMES
from online.speed.power import Power, power_law
from online.speed.power_text import read_power
from online.speed.simulation import SpeedRun, grid_by_size, simulate
from online.speed.trajectory import Trajectory

POLICIES = ("srpt", "fifo", "hdf", "fixed-speed", "least-loaded", "round-robin", "random", "staying-srpt")
POWERS = tuple(map(read_power, ("s^2", "s^(3/2)", "2s^3", "s^2+s")))


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    """Up to six jobs of sizes 1 to 5 on up to three servers."""
    jobs = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 5)), min_size=1, max_size=6))
    rows = [Row(k, release, size) for k, (release, size) in enumerate(sorted(jobs))]
    return Instance.from_rows(draw(st.integers(1, 3)), rows)


def _same(one: Trajectory, other: Trajectory) -> bool:
    return columns(one) == columns(other) and one.cost == other.cost and one.instance.sha256 == other.instance.sha256


@settings(max_examples=40, derandomize=True, deadline=None)
@given(instances(), st.sampled_from(POLICIES), st.sampled_from(POWERS), st.booleans())
def test_runs_are_accepted_and_open_again(instance: Instance, policy: str, power: Power, rounded: bool) -> None:
    """Bound <= cost, the checker accepts, the text holds the run, and no claim that is not known to be false fails."""
    run = simulate(instance, power, policy, grid=grid_by_size(instance) if rounded else None)
    rung = run_bound(run.trajectory)
    assert rung.value <= run.trajectory.cost
    document = json.loads(to_text(certify_run(run, rung, None, table_of(run))))
    assert check.check_document(document).verdict == "accepted"
    again = reopen_trajectory(document)
    assert _same(again, run.trajectory)
    assert claimed_bound(document) == rung.value
    entries = ledger(again, rung.value, None)
    assert [entry.claim.id for entry in entries if entry.verdict == "fails" and not entry.claim.corrected_by] == []


@settings(max_examples=15, derandomize=True, deadline=None)
@given(instances(), st.sampled_from(POWERS))
def test_brackets_are_accepted_and_narrow(instance: Instance, power: Power) -> None:
    """lower <= upper <= 1.02 lower, each with its evidence; the schedule opens again."""
    found = energy_bracket(instance, power)
    document = json.loads(to_text(certify_bracket(instance, power, found)))
    assert found.lower <= found.upper.cost <= found.lower * Fraction(102, 100)
    assert check.check_document(document).verdict == "accepted"
    witness = reopen_witness(document)
    assert witness is not None
    assert _same(witness, found.upper)
    document["goal"][-1]["value"] = str(found.upper.cost - Fraction(1, 10**40))
    assert check.check_document(document).verdict == "rejected"


@settings(max_examples=15, derandomize=True, deadline=None)
@given(instances(), st.sampled_from(POLICIES), st.sampled_from(POWERS))
def test_drifts_are_accepted_at_the_least_ratio_and_not_below(instance: Instance, other: str, power: Power) -> None:
    """The checker's drift is the one that is measured: at c it accepts, a billionth below c it rejects."""
    run, reference = simulate(instance, power), simulate(instance, power, other).trajectory
    found = drift(run.trajectory, reference)
    assert found.ratio is not None
    shortest = serves_its_shortest(reference)
    for ratio, verdict in ((found.ratio, "accepted"), (found.ratio * (1 - Fraction(1, 10**9)), "rejected")):
        document = certify_drift(run, found, ratio, shortest=shortest)
        assert check.check_document(document).verdict == verdict


def test_every_game_is_accepted() -> None:
    """Each policy of each game on two to five servers, at exponents with roots of several degrees."""
    for alpha in map(Fraction, ("3/2", "2", "7/3")):
        for machines in (2, 5):
            for name, make in GAMES.items():
                game = make(machines, alpha, None)
                for policy in game.policies:
                    assert check.check_document(certify_game(game, policy)).verdict == "accepted", (name, policy)


def test_only_the_rule_of_the_paper_is_promised_its_ratio() -> None:
    """SRPT at kappa 1 is; at fewer than 16 bits, another kappa, or another order it is not; with a grid, unknown."""
    instance = Instance.from_rows(2, [Row(k, 0, 3) for k in range(5)])
    square = power_law(2)

    def met(run: SpeedRun) -> set[bool | None]:
        return {follows_rule(run), *(one.met for one in guarantees(run) if not one.certified)}

    assert met(simulate(instance, square)) == {True}
    assert met(simulate(instance, square, grid=9)) == {None}
    for run in (
        simulate(instance, square, bits=12),
        simulate(instance, square, options={"kappa": Fraction(2)}),
        simulate(instance, square, "fifo"),
    ):
        assert met(run) == {False}
        assert rounding_factor(run) is None
        assert table_of(run) is None


def test_long_times_are_not_put_into_certificates() -> None:
    """Exact completions one after another need some 30 bits each; on a grid they do not."""
    instance = Instance.from_rows(1, [Row(k, 0, 3 + k % 7) for k in range(200)])
    exact, rounded = (simulate(instance, power_law("5/2"), grid=grid).trajectory for grid in (None, 24))
    assert not certifiable(exact)
    assert certifiable(rounded)


def test_schedules_of_many_roots_fit_into_certificates() -> None:
    """At s^(11/10) a dial's speed has 400 bits: the schedule of a bound then does a little more than the sizes."""
    instance = Instance.from_rows(2, [Row(k, k // 2, 1 + k * k % 5) for k in range(12)])
    found = energy_bracket(instance, power_law("11/10"))
    assert certifiable(found.upper)
    assert 0 < sum(found.upper.work) - sum(instance.size.tolist()) < Fraction(1, 10**6)
    document = certify_bracket(instance, found.upper.power, found)
    assert check.check_document(document).verdict == "accepted"
