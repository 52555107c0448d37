"""Section 6.1 on thousands of small instances whose optimum is known exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest
from instances import epsilons, small_unit_instances

from certify import check
from certify.build import certify
from certify.claims import max_flow
from certify.claims.claim import Verdict
from certify.problems.max_flow import MaxFlow
from lp.optimum import brute_force_optimum, unit_optimum
from online.flow_time.max_flow import LeastLoaded
from online.instance import Instance
from online.play import play
from online.rows import Row
from online.run import Run

INTEGER, RATIONAL = 2400, 600


def _cases() -> Iterator[tuple[Instance, Fraction, int]]:
    """Instances with a budget and the exact optimum in ticks: matching, and brute force at rational releases."""
    for instance, epsilon in zip(small_unit_instances(INTEGER, 101), epsilons(101), strict=False):
        yield instance, epsilon, unit_optimum(instance).value
    rational = small_unit_instances(RATIONAL, 102, per_unit=3, most_jobs=9)
    for instance, epsilon in zip(rational, epsilons(102), strict=False):
        yield instance, epsilon, brute_force_optimum(instance).value


def _runs(instance: Instance, epsilon: Fraction, optimum: int) -> Iterator[Run]:
    """Guess and double, the optimum itself as the guess, and a guess that is too small."""
    yield play(instance, LeastLoaded, epsilon)
    yield play(instance, LeastLoaded, epsilon, guess=Fraction(optimum))
    yield play(instance, LeastLoaded, epsilon, guess=Fraction(max(optimum // 2, 1)))


@pytest.fixture(scope="module")
def tally() -> Counter[str]:
    """Run everything once; count what was seen, and every way in which something could be wrong."""
    seen: Counter[str] = Counter()
    for instance, epsilon, optimum in _cases():
        seen["instances"] += 1
        for kind, run in zip(("doubling", "known", "low"), _runs(instance, epsilon, optimum), strict=True):
            certified = certify(run, LeastLoaded)
            verdict = check.check_document(certified.document)
            seen["runs"] += 1
            seen[f"{kind} with rejections"] += run.rejected_count > 0
            seen["not accepted"] += verdict.verdict != "accepted"
            assert certified.bound is not None
            seen["bound above the optimum"] += certified.bound.value > optimum
            seen["bound above the trivial one"] += certified.bound.origin != "the largest job"
            seen["bound equal to the optimum"] += certified.bound.value == optimum
            if kind == "doubling":
                seen["doublings"] += len(run.phases) - 1
                seen["doublings not refuted"] += certified.unrefuted
            for entry in MaxFlow().ledger(run, LeastLoaded, certified.bound.value, Fraction(optimum)):
                seen[f"{entry.claim.id} {entry.verdict.value}"] += 1
    for key, count in sorted(seen.items()):
        print(f"{count:7d}  {key}")
    return seen


def test_no_certified_bound_exceeds_the_optimum(tally: Counter[str]) -> None:
    """On 9 000 runs the certified bound is at most T*, and the checker accepts every certificate."""
    assert tally["instances"] == INTEGER + RATIONAL
    assert tally["bound above the optimum"] == 0
    assert tally["not accepted"] == 0
    assert tally["bound above the trivial one"] > tally["runs"] / 4


def test_every_claim_of_the_section_holds(tally: Counter[str]) -> None:
    """No claim fails or is undecided on any run, and each claim says something on a real share of them."""
    for claim in max_flow.SECTION.claims:
        assert tally[f"{claim.id} {Verdict.FAILS.value}"] == 0, claim.id
        assert tally[f"{claim.id} {Verdict.UNDECIDED.value}"] == 0, claim.id
        assert tally[f"{claim.id} {Verdict.HOLDS.value}"] > 100, claim.id


def test_every_doubling_carries_a_certificate_against_its_guess(tally: Counter[str]) -> None:
    """Each of hundreds of given-up guesses is refuted by the ended phase's own intervals."""
    assert tally["doublings"] > 500
    assert tally["doublings not refuted"] == 0


def test_rejections_are_a_real_share(tally: Counter[str]) -> None:
    """At least a quarter of the doubling runs reject somebody, and dozens of runs do with T = T* as the guess."""
    assert tally["doubling with rejections"] > tally["instances"] / 4
    assert tally["known with rejections"] > 60
    assert tally["low with rejections"] > tally["instances"] / 4


def test_claim_6_4_fails_off_the_grid() -> None:
    """Three jobs of size 3 released at 0, 1, 2 on one machine, T = 3: 3 >= 4 is claimed; with T - U it is 3 >= 1.

    The levels seen are 0, 2, 4, so only the last job has alpha_j = 1, but level 2 holds the interval [1, 2].
    """
    instance = Instance.from_rows(1, [Row(k, k, 3) for k in range(3)])
    run = play(instance, LeastLoaded, Fraction(1, 2), guess=Fraction(3))
    witness = LeastLoaded.explain(run, run.phases[0])
    assert witness is not None
    assert witness.level.tolist() == [0, 2, 4]
    entries = {entry.claim.id: entry for entry in MaxFlow().ledger(run, LeastLoaded, Fraction(3), Fraction(7))}
    printed, corrected = entries["6.4"], entries["6.4.any"]
    assert printed.reading is not None
    assert corrected.reading is not None
    assert (printed.reading.lhs, printed.reading.rhs, printed.verdict) == (3, 4, Verdict.NOT_MET)
    assert (corrected.reading.lhs, corrected.reading.rhs, corrected.verdict) == (3, 1, Verdict.HOLDS)


def test_flow_times_may_exceed_t_over_epsilon_off_the_grid() -> None:
    """Unit jobs at 0 and 1/2, T = 1, epsilon 1: the second waits 1/2, so F = 3/2 > T/epsilon, at most T/epsilon + U."""
    instance = Instance.from_rows(1, [Row(1, 0, 1), Row(2, "1/2", 1)])
    run = play(instance, LeastLoaded, Fraction(1), guess=Fraction(2))
    assert run.instance.tick == Fraction(1, 2)
    entries = {entry.claim.id: entry for entry in MaxFlow().ledger(run, LeastLoaded, Fraction(3), Fraction(3))}
    printed, corrected = entries["6.5.flow"], entries["6.5.flow-any"]
    assert printed.reading is not None
    assert (printed.reading.lhs, printed.reading.rhs, printed.verdict) == (3, 2, Verdict.NOT_MET)
    assert corrected.verdict is Verdict.HOLDS
