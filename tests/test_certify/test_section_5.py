"""Section 5 on thousands of small instances whose optimum is known exactly, and the printed claims that fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from certify import check
from certify.build import certify
from certify.claims import load
from certify.claims.claim import Claim, Reading, Verdict
from certify.claims.load_scene import LoadScene
from certify.problems.load import Load
from lp.load.search import brute_force_load
from online.algorithm import OnlineAlgorithm
from online.generate import Dice
from online.generate.tournaments import (
    bounded,
    crowded,
    general,
    narrowing,
    overfull_class,
    tournament,
    unit,
    won_tournament,
)
from online.instance import Instance
from online.load_balancing.general import GroupedLoad
from online.load_balancing.one_class import BoundedLoad, UnitLoad
from online.play import play
from online.rows import Row
from online.run import Run

KINDS = ((UnitLoad, "load-unit", unit), (BoundedLoad, "load-bounded", bounded), (GroupedLoad, "load", general))
EPSILONS = (Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(1, 4))
EACH = 900


def _cases() -> Iterator[tuple[Instance, type[OnlineAlgorithm], str, int]]:
    """Small instances with the optimum in ticks by search, and tournaments, whose optimum is one largest job."""
    dice = Dice(55)
    for algorithm, name, size in KINDS:
        for _ in range(EACH):
            instance = narrowing(dice, 1 + dice.below(5), 1 + dice.below(12), size)
            yield instance, algorithm, name, brute_force_load(instance).value
        for k in range(24):
            instance = crowded(2 + k % 4, 1 + k % 3, dice, unit if algorithm is UnitLoad else bounded)
            yield instance, algorithm, name, max(instance.size.tolist())


@pytest.fixture(scope="module")
def tally() -> Counter[str]:
    """Run everything once: guess and double, the optimum as the guess, and half of it."""
    seen: Counter[str] = Counter()
    dice = Dice(56)
    for instance, algorithm, name, optimum in _cases():
        epsilon = EPSILONS[dice.below(len(EPSILONS))]
        guesses = {"doubling": None, "known": Fraction(optimum), "low": Fraction(optimum, 2)}
        for kind, guess in guesses.items():
            run = play(instance, algorithm, epsilon, guess=guess, name=name)
            _count(seen, kind, run, algorithm, optimum)
    for key, count in sorted(seen.items()):
        print(f"{count:7d}  {key}")
    return seen


def _count(seen: Counter[str], kind: str, run: Run, algorithm: type[OnlineAlgorithm], optimum: int) -> None:
    certified = certify(run, algorithm)
    assert certified.bound is not None
    seen["runs"] += 1
    seen[f"{run.algorithm} {kind} with rejections"] += run.rejected_count > 0
    seen[f"{run.algorithm} with late rejections"] += len(run.late) > 0
    seen["not accepted"] += check.check_document(certified.document).verdict != "accepted"
    seen["bound above the optimum"] += certified.bound.value > optimum
    seen["bound of a machine set"] += certified.bound.origin != "the largest job"
    if kind == "doubling":
        seen[f"{run.algorithm} doublings"] += len(run.phases) - 1
        seen["doublings not refuted"] += certified.unrefuted
    for entry in Load().ledger(run, algorithm, certified.bound.value, Fraction(optimum)):
        seen[f"{entry.claim.id} {entry.verdict.value}"] += 1


def test_no_certified_bound_exceeds_the_optimum(tally: Counter[str]) -> None:
    """Over 8 000 runs: the bound is at most T*, and the checker accepts every certificate."""
    assert tally["runs"] > 8000
    assert tally["bound above the optimum"] == 0
    assert tally["not accepted"] == 0
    assert tally["bound of a machine set"] > tally["runs"] / 4


def test_no_claim_fails_unless_its_correction_stands_beside_it(tally: Counter[str]) -> None:
    """Theorems and corrected claims never fail where their hypotheses hold."""
    for claim in load.SECTION.claims:
        if not claim.corrected_by:
            assert tally[f"{claim.id} {Verdict.FAILS.value}"] == 0, claim.id
            assert tally[f"{claim.id} {Verdict.UNDECIDED.value}"] == 0, claim.id


RARE = {"5.4.i", "5.4.iii", "5.4.iii-corrected", "5.4.removed", "5.4.removed-corrected", "5.4.share", "5.5.rejected"}
"""Stage-2 facts with T at least every size need big instances: see the tests below."""


def test_every_claim_says_something(tally: Counter[str]) -> None:
    """Each claim holds, hypothesis included, on a real number of runs."""
    for claim in load.SECTION.claims:
        if claim.id not in RARE:
            assert tally[f"{claim.id} {Verdict.HOLDS.value}"] >= 30, claim.id


def test_every_doubling_carries_a_certificate_against_its_guess(tally: Counter[str]) -> None:
    """Also for general sizes each given-up guess was refuted, by a machine set or the largest job."""
    assert all(tally[f"{name} doublings"] > 30 for _, name, _ in KINDS)
    assert tally["doublings not refuted"] == 0


def test_rejections_are_a_real_share(tally: Counter[str]) -> None:
    """Runs with rejections, early and late, of all three algorithms."""
    for _, name, _ in KINDS:
        assert tally[f"{name} doubling with rejections"] > 80
    assert tally["load with late rejections"] > 80


# ---------------------------------------------------------------------- single claims on single instances
def _claim(id: str) -> Claim[LoadScene]:
    return next(claim for claim in load.SECTION.claims if claim.id == id)


def _readings(
    id: str, instance: Instance, algorithm: type[OnlineAlgorithm], epsilon: Fraction, optimum: Fraction
) -> list[tuple[Reading, Verdict]]:
    """The readings of a claim on a run with T = T*."""
    run = play(instance, algorithm, epsilon, guess=optimum)
    witness = algorithm.explain(run, run.phases[0])
    scene = LoadScene(run, 0, witness, optimum, optimum, optimum)  # type: ignore[arg-type]
    claim = _claim(id)
    return [(reading, claim.verdict(reading)) for reading in claim.measure(scene)]


def test_corollary_5_2_fails_on_two_jobs() -> None:
    """Unit jobs on {1, 2} and on {1}, T = T* = 1, epsilon 1: m_2 = 1, so 3 = (2^2 - 1) T m_2 jobs are claimed."""
    instance = Instance.from_rows(2, [Row(1, 0, 1), Row(2, 0, 1, [0])])
    assert brute_force_load(instance).value == 1
    [(reading, verdict)] = _readings("5.2", instance, UnitLoad, Fraction(1), Fraction(1))
    assert (reading.lhs, reading.rhs, verdict) == (2, 3, Verdict.FAILS)
    [(reading, verdict)] = _readings("5.2.corrected", instance, UnitLoad, Fraction(1), Fraction(1))
    assert (reading.lhs, reading.rhs, verdict) == (2, 2, Verdict.HOLDS)


def test_the_unit_case_of_the_algorithm_for_any_sizes_counts_in_units() -> None:
    """Eight jobs of size 3 fill a machine to alpha T = 4 T: as many as Corollary 5.2, corrected, asks for, no more.

    Counted in the least size of their class, which is 2, there would have to be twelve.
    """
    instance = Instance.from_rows(8, [Row(job.id, 0, 3, job.eligible) for job in won_tournament(3, 1).jobs()])
    [(reading, verdict)] = _readings("5.2.corrected", instance, GroupedLoad, Fraction(1), Fraction(3))
    assert (reading.lhs, reading.rhs, verdict) == (8, 8, Verdict.HOLDS)


def test_the_counting_step_fails_for_sizes_within_a_factor_two() -> None:
    """Four jobs on four machines, T = T* = 3/2, epsilon 1: J(T) has volume 1, machine 2 has load 7/2 >= 2T, so m_2 = 1.

    Machine 2 gets sizes 1, 3/2, 1: only the last saw a load of at least T, but T m_2 = 3/2. The corrected count holds.
    """
    rows = [Row(1, 0, 1, [1, 3]), Row(2, 0, "3/2", [0, 2]), Row(3, 0, "3/2", [0, 1]), Row(4, 0, 1, [1])]
    instance = Instance.from_rows(4, rows)
    assert brute_force_load(instance).value == 3
    found = _readings("5.3.count", instance, BoundedLoad, Fraction(1), Fraction(3))
    assert (2, 3, Verdict.FAILS) in [(reading.lhs, reading.rhs, verdict) for reading, verdict in found]
    for id in ("5.3.count-corrected", "5.3.rejected", "5.3.growth-corrected"):
        assert {verdict for _, verdict in _readings(id, instance, BoundedLoad, Fraction(1), Fraction(3))} <= {
            Verdict.HOLDS
        }


def test_observation_iii_fails_although_the_guess_is_the_optimum() -> None:
    """r1 and r2 are of the same class, as that class has more than alpha T on the machine; corrected they are not.

    The rejection bound of Lemma 5.4 holds all the same.
    """
    instance = overfull_class()
    optimum = Fraction(1) / instance.tick
    verdicts = {}
    for id in sorted(RARE):
        [(reading, verdict)] = _readings(id, instance, GroupedLoad, Fraction(1), optimum)
        verdicts[id] = (verdict, reading.lhs, reading.rhs)
    assert verdicts["5.4.iii"] == (Verdict.FAILS, -1, -4)
    assert verdicts["5.4.iii-corrected"] == (Verdict.HOLDS, -4, -4)
    assert verdicts["5.4.removed"] == (Verdict.HOLDS, 1, 8)
    assert {verdicts[id][0] for id in RARE - {"5.4.iii"}} == {Verdict.HOLDS}


@pytest.mark.parametrize("rounds", [3, 4, 5])
def test_machine_sets_grow_by_powers_of_two(rounds: int) -> None:
    """Claim 5.1 is met on a tournament, where m_s = 2^(rounds - s), twice what is claimed: no factor more is lost."""
    epsilon = Fraction(1, 2 ** (rounds - 2))
    found = _readings("5.1", tournament(rounds), UnitLoad, epsilon, Fraction(1))
    assert [(reading.lhs, reading.rhs) for reading, _ in found] == [
        (2 ** (rounds - s), 2 ** (rounds - 1 - s)) for s in range(rounds)
    ]
    assert {verdict for _, verdict in found} == {Verdict.HOLDS}


def test_late_rejections_are_pruned_down_to_the_cap() -> None:
    """On the overfull machine the group's load is 8.25 T before the last rejection and 7.3 T after it, at most 8 T."""
    instance = overfull_class()
    [(reading, verdict)] = _readings("5.4.load", instance, GroupedLoad, Fraction(1), Fraction(1) / instance.tick)
    assert (reading.lhs * instance.tick, reading.rhs * instance.tick, verdict) == (Fraction(73, 10), 8, Verdict.HOLDS)
