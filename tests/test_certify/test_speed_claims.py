"""The claims of [S] on runs: which hold, which fail, and that every one of them says something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest
from speed_schedules import burst, fifo, lrpt, paper_dials, play, random_dials, srpt

from certify.claims import speed, speed_stochastic
from certify.claims.claim import Verdict, judge
from certify.claims.speed_scene import Reference, SpeedScene
from certify.claims.speed_stochastic import StochasticScene
from certify.speed.augmented import gap_example
from certify.speed.unit_jobs import counterexample
from lp.energy.bracket import energy_bracket
from online.generate import Dice
from online.instance import Instance
from online.speed.power import Power, PowerLaw, Tabulated, power_law
from online.speed.power_text import read_power
from online.speed.simulation import simulate

FALSE_AS_PRINTED = {"COR", "U.optimal"}


def _scene(instance: Instance, power: Power, seed: int, *, slow: bool = False) -> SpeedScene:
    """SRPT at (5), or at a hundredth of its powers, with a bracket of the optimum and four references."""
    m, dice = instance.machines, Dice(seed)
    paper = paper_dials(power, m)
    run = play(instance, power, srpt, paper_dials(power, m, Fraction(1, 100)) if slow else paper)
    bracket = energy_bracket(instance, power, gap=Fraction(1, 50), time_limit=5)
    references = (
        Reference("SRPT at other speeds", play(instance, power, srpt, random_dials(dice))),
        Reference("FIFO", play(instance, power, fifo, paper, decided=True)),
        Reference("LRPT", play(instance, power, lrpt, random_dials(dice), least=1)),
        Reference("the best schedule known", bracket.upper),
    )
    return SpeedScene(run, bracket.lower, bracket.upper.cost, references[: 3 if bracket.upper.overshoot else 4])


def _scenes() -> Iterator[SpeedScene]:
    for power in (power_law("3/2"), power_law(2), power_law(3), read_power("s^2+s")):
        for m in (1, 2, 3):
            yield _scene(burst(Dice(10 * m), m, 5), power, m)
    for seed in range(2):
        yield _scene(burst(Dice(seed), 2, 6, largest=1), power_law(2), seed)


@pytest.fixture(scope="module")
def tally() -> Counter[str]:
    """Verdicts by claim over all scenes."""
    return Counter(
        f"{claim.id} {judge(claim, [scene], Fraction(1)).verdict}"
        for scene in _scenes()
        for claim in speed.SECTION.claims
    )


def test_no_claim_fails_but_those_known_to_be_false(tally: Counter[str]) -> None:
    """On random runs of SRPT at (5) every claim holds, is undecided for want of the optimum, or asks for more."""
    failing = {key.split()[0] for key in tally if key.endswith(Verdict.FAILS)}
    assert failing <= FALSE_AS_PRINTED
    assert not any(key.endswith(Verdict.UNDECIDED) for key in tally), "the lower bounds decide all of these"


def test_every_claim_says_something(tally: Counter[str]) -> None:
    """Each claim holds on some run; policy U's has runs of its own below."""
    silent = {claim.id for claim in speed.SECTION.claims if not tally[f"{claim.id} {Verdict.HOLDS}"]}
    assert silent <= {"U.2"}


def test_round_robin_fails_on_the_counterexample() -> None:
    """Unit jobs with migration below every round robin schedule: the printed claim fails, the corrected one holds."""
    one = counterexample()
    run = simulate(one.instance, one.power, "round-robin").trajectory
    scene = SpeedScene(run, energy_bracket(one.instance, one.power).lower, one.cost)
    verdicts = {claim.id: judge(claim, [scene], Fraction(1)).verdict for claim in speed.SECTION.claims}
    assert verdicts["U.optimal"] is Verdict.FAILS
    assert verdicts["U.2"] is Verdict.HOLDS
    assert verdicts["TD"] is Verdict.NOT_MET


def test_the_speed_up_fails_on_servers_of_two_speeds() -> None:
    """The gap in the step from the shortest-first to the optimum; for one common speed nothing is claimed of it."""
    other = gap_example(power_law(2), 3)
    run = play(other.instance, other.power, srpt, paper_dials(other.power, 2))
    scene = SpeedScene(run, Fraction(1), other.cost, (Reference("gap", other),))
    verdicts = {claim.id: judge(claim, [scene], Fraction(1)).verdict for claim in speed.SECTION.claims}
    assert verdicts["COR"] is Verdict.FAILS
    assert verdicts["COR.one-speed"] is Verdict.NOT_MET
    assert verdicts["7.any"] is Verdict.HOLDS


def test_another_algorithm_is_not_judged_by_the_rule() -> None:
    """SRPT at a hundredth of the power costs more than TD allows: the hypothesis is not met, nothing fails."""
    scene = _scene(burst(Dice(3), 2, 5), power_law(2), 3, slow=True)
    assert scene.run.cost > 5 * scene.upper
    verdicts = {claim.id: judge(claim, [scene], Fraction(1)).verdict for claim in speed.SECTION.claims}
    assert {verdicts[id] for id in ("5", "7.any", "T1", "TD", "c_N")} == {Verdict.NOT_MET}


def test_a_wrong_bracket_makes_a_theorem_fail() -> None:
    """The claims can fail: with an upper bound far below the cost TD does."""
    instance = burst(Dice(3), 2, 5)
    run = play(instance, power_law(2), srpt, paper_dials(power_law(2), 2))
    claims = {claim.id: claim for claim in speed.SECTION.claims}
    assert judge(claims["TD"], [SpeedScene(run, Fraction(0), run.cost / 6)], Fraction(1)).verdict is Verdict.FAILS
    assert judge(claims["TD"], [SpeedScene(run, Fraction(0), run.cost)], Fraction(1)).verdict is Verdict.UNDECIDED


def test_half_the_power_does_not_meet_the_second_assumption() -> None:
    """s^2 / 2 at dials 1 and 1 violates A2, so Theorem 1 asks for more; TD still holds."""
    power = PowerLaw(((Fraction(1, 2), Fraction(2)),))
    scene = _scene(burst(Dice(4), 2, 5), power, 4)
    verdicts = {claim.id: judge(claim, [scene], Fraction(1)).verdict for claim in speed.SECTION.claims}
    assert verdicts["A2"] is verdicts["T1"] is Verdict.NOT_MET
    assert verdicts["TD"] is Verdict.HOLDS
    assert verdicts["c_N"] is Verdict.VACUOUS


def test_a_table_of_powers_meets_no_hypothesis() -> None:
    """P with corners is not strictly convex: Assumption 1 is not met, and no theorem is judged."""
    instance = burst(Dice(4), 1, 3)
    power = Tabulated(((Fraction(1), Fraction(1)), (Fraction(2), Fraction(3)), (Fraction(4), Fraction(9))))
    run = play(instance, power, srpt, paper_dials(power, 1))
    scene = SpeedScene(run, Fraction(1), run.cost, (Reference("itself", run),))
    verdicts = {claim.id: judge(claim, [scene], Fraction(1)).verdict for claim in speed.SECTION.claims}
    assert verdicts["A1"] is verdicts["T1"] is verdicts["T-m1"] is Verdict.NOT_MET
    assert verdicts["TD"] is Verdict.VACUOUS
    assert verdicts["7.any"] is Verdict.VACUOUS


def test_the_fluid_claim_says_that_it_is_rounded() -> None:
    """Where the ratio of TF is not the formula's own, its text says so."""
    claim = next(claim for claim in speed.SECTION.claims if claim.id == "TF")
    assert "rounded up in the fourth digit" in claim.statement


def test_ids_are_unique_and_corrections_exist() -> None:
    """A line of the ledger is found by its id, and a printed claim that fails has its correction there."""
    for section in (speed.SECTION, speed_stochastic.SECTION):
        ids = [claim.id for claim in section.claims]
        assert len(set(ids)) == len(ids)
        for claim in section.claims:
            assert not claim.corrected_by or (claim.corrected_by in ids and claim.corrected_by != claim.id)


def test_the_stochastic_claims() -> None:
    """(10) to (12) and the ratios hold at all loads and exponents; the printed argmin takes in unstable speeds."""
    seen: Counter[str] = Counter()
    for alpha in ("3/2", "2", "5/2", "3"):
        for load in ("1/3", "1", "2", "7/2", "20"):
            scene = StochasticScene(power_law(alpha), Fraction(load))
            for claim in speed_stochastic.SECTION.claims:
                seen[f"{claim.id} {judge(claim, [scene], Fraction(1)).verdict}"] += 1
    holding = {claim.id for claim in speed_stochastic.SECTION.claims} - {"13.argmin", "ST.square"}
    assert all(seen[f"{id} {Verdict.HOLDS}"] == 20 for id in holding)
    assert seen[f"ST.square {Verdict.HOLDS}"] == 5
    assert seen[f"13.argmin {Verdict.FAILS}"] > 0
