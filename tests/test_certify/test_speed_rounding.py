"""What rounded speeds cost the guarantees of SRPT: the drift in all states, at coarse dials, and the claims on runs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from speed_schedules import burst, fifo, paper_dials, play, srpt

from certify.claims import speed
from certify.claims.claim import Claim, Verdict, judge
from certify.claims.speed_scene import Reference, SpeedScene
from certify.speed.constants import THEOREMS, one_server, shortest_first, theorem_fluid, theorem_td
from certify.speed.potential import Potential, steps_kept
from certify.speed.rule import departure, least_share
from certify.speed.states import References, States
from online.generate import Dice
from online.instance import Instance
from online.rows import Row
from online.speed.power import Power, power_law
from online.speed.power_text import read_power
from online.speed.rounding import guarantee_factor, speed_kept
from online.speed.trajectory import Trajectory

CLAIMS: dict[str, Claim[SpeedScene]] = {claim.id: claim for claim in speed.SECTION.claims}
MOST = 7
FINE = 50
"""Bits at which the rounding of the potential is far below the slack."""


def _hold(
    power: Power, machines: int, bits: int, scale: Fraction, linear: Fraction, ratio: Fraction, kind: References
) -> bool:
    """Whether (7) holds for all n <= MOST at dials of so many bits, with the potential over the share they keep."""
    kept, factor = speed_kept(power, bits), guarantee_factor(power, speed_kept(power, bits))
    assert factor is not None
    fine = [power.at(power.dial_for_power(Fraction(i, machines), FINE)).marginal for i in range(1, MOST + 1)]
    potential = Potential(tuple(scale * step / kept for step in fine), linear / kept)
    dials = [power.dial_for_power(max(Fraction(n, machines), Fraction(1)), bits) for n in range(1, MOST + 1)]
    states = (
        States(power, machines, potential, ratio * factor, kind, n, dial) for n, dial in enumerate(dials, start=1)
    )
    return all(one.hold() for one in states)


@pytest.mark.parametrize("bits", [3, 5])
@pytest.mark.parametrize("machines", [1, 2, 3])
@pytest.mark.parametrize("text", ["s^2", "3s^2", "s^(3/2)", "s^2+s"])
def test_coarse_dials_keep_each_ratio_up_to_the_factor(text: str, machines: int, bits: int) -> None:
    """(7) in every state at speeds up to a quarter too slow: TD, T1-OS, TF and T-m1 with their own potentials."""
    power = read_power(text)
    two, linear = Fraction(2), 2 / power.unit_speed_lower
    assert _hold(power, machines, bits, two, linear, theorem_td(power, machines).above, "any")
    assert _hold(power, machines, bits, two, linear, shortest_first(power, machines).above, "shortest")
    fluid = theorem_fluid(power, machines)
    if power.at(Fraction(1)).power == 1 and fluid.met:
        assert power.alpha is not None
        assert _hold(power, machines, bits, fluid.below / power.alpha, two, fluid.below, "any")
    if one_server(power, machines).met:
        assert _hold(power, 1, bits, two, Fraction(0), two + Fraction(1, 10**9), "shortest")


def _run(power: Power, machines: int, bits: int = 16) -> Trajectory:
    return play(burst(Dice(7), machines, 6), power, srpt, paper_dials(power, machines, bits=bits))


@pytest.mark.parametrize("text", ["s^2", "3s^2", "s^(3/2)", "s^2+s"])
def test_the_measured_share_is_between_the_promised_one_and_1(text: str) -> None:
    """`least_share` is at least `speed_kept` of the bits, and finer dials keep more."""
    power = read_power(text)
    run = _run(power, 2)
    kept = least_share(run)
    assert speed_kept(power, 16) * (1 - Fraction(1, 1 << 36)) <= kept < 1
    assert least_share(_run(power, 2, 24)) > kept


def test_exact_speeds_have_the_factor_1() -> None:
    """One and four jobs on one server at s^2 run at 1 and 2 exactly; two at the root of 2 do not."""
    power = power_law(2)
    for sizes, exact in (([3], True), ([2, 2], False)):
        instance = Instance.from_rows(1, [Row(k, 0, size) for k, size in enumerate(sizes)])
        scene = SpeedScene(play(instance, power, srpt, paper_dials(power, 1)), Fraction(1), Fraction(9))
        assert (scene.factor == 1) is exact
        assert scene.factor < 1 + Fraction(1, 10**5)


def test_a_speed_above_the_rule_departs_from_it() -> None:
    """Dials rounded up have powers above n, so no theorem is claimed of them."""
    power = power_law(2)

    def rounded_up(alive: int, running: int) -> list[Fraction]:
        return [power.dial_for_power(max(Fraction(alive), Fraction(1))) * (1 + Fraction(1, 1 << 17))] * running

    run = play(burst(Dice(7), 1, 4), power, srpt, rounded_up)
    assert "another speed" in departure(run)
    assert judge(CLAIMS["TF"], [SpeedScene(run, Fraction(1), run.cost)], Fraction(1)).verdict is Verdict.NOT_MET


@pytest.mark.parametrize(("theorem", "machines"), [("T1", 2), ("TD", 2), ("TF", 2), ("TF", 1), ("T-m1", 1)])
def test_a_theorem_is_claimed_with_the_factor_of_the_run(theorem: str, machines: int) -> None:
    """Were OPT between cost/(c F) and cost/c, the rounded run would refute c but not c F; below it refutes c F too."""
    power = power_law(2)
    run, constant = _run(power, machines), THEOREMS[theorem](power, machines)
    factor = guarantee_factor(power, least_share(run))
    assert factor is not None
    assert factor > 1 + Fraction(1, 10**6)
    between, below = (run.cost / (constant.above * one) for one in ((1 + factor) / 2, factor * (1 + factor) / 2))
    for optimum, verdict in ((between, Verdict.HOLDS), (below, Verdict.FAILS)):
        assert judge(CLAIMS[theorem], [SpeedScene(run, optimum, optimum)], Fraction(1)).verdict is verdict


@pytest.mark.parametrize("id", ["7.shortest", "7.shortest-sharp", "7.any", "T1-OS"])
def test_the_drift_claims_state_the_factor(id: str) -> None:
    """The right side has c times the factor of the run and of the rounded table, and the place says so."""
    power = power_law(2)
    run = _run(power, 2)
    other = play(run.instance, power, fifo if id == "7.any" else srpt, paper_dials(power, 2))
    scene = SpeedScene(run, Fraction(1), run.cost, (Reference("other", other),))
    entry = judge(CLAIMS[id], [scene], Fraction(1))
    assert entry.verdict is Verdict.HOLDS
    assert entry.reading is not None
    assert "c times" in entry.reading.where
    wanted = guarantee_factor(power, least_share(run) * (1 if id == "T1-OS" else steps_kept(power)))
    pays = {other.cost} if id == "T1-OS" else {piece.reference.pays for piece in scene.drifts[0][1].pieces}
    c = 5 if id == "7.any" else shortest_first(power, 2).below if id == "7.shortest-sharp" else 4
    assert wanted is not None
    assert entry.reading.rhs in {c * wanted * one for one in pays}
