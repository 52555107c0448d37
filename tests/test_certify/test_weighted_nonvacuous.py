"""Generated instances on which every line of the ledgers of weighted flow time and two weights says something."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from certify import check
from certify.audit.speaking import SPEAKING, THEOREM_7_1, Speaking
from certify.audit.whole_budget import WholeBudget
from certify.build import certify
from certify.claims.claim import Entry, Verdict
from certify.claims.weighted import TWO_WEIGHTS
from certify.problems import weighted as problems
from certify.problems.registry import TRACKS
from online.algorithm import find
from online.generate import make
from online.instance import Instance
from online.play import play

MANY_JOBS = {
    "6.18.refuted": "more than half of the jobs rejected with alpha >= 256: at least `2 alpha^2` jobs",
}
"""Entries that speak here, but whose hypothesis no instance of this size meets."""


def entries_of(case: Speaking) -> list[Entry]:
    """The ledger of a run whose certificate is accepted."""
    instance, known = make(case.family, seed=case.seed, jobs=case.jobs, machines=case.machines)
    track, algorithm = TRACKS[case.problem], find(case.problem)
    guess = Fraction(known["optimum"]) if known and case.guess == 0 else case.guess and Fraction(case.guess)
    options = {name: Fraction(value) for name, value in case.options.items()}
    run = play(instance, algorithm, Fraction(1), guess=guess, name=case.problem, options=options)
    certified = certify(run, algorithm)
    assert certified.bound is not None
    assert check.check_document(certified.document).verdict == "accepted", case
    return track.ledger(run, algorithm, certified.bound.value, track.upper(instance))


@pytest.fixture(scope="module")
def ledgers() -> list[tuple[Speaking, Entry]]:
    """All entries on all cases."""
    return [(case, entry) for case in SPEAKING for entry in entries_of(case)]


@pytest.fixture(scope="module")
def tally(ledgers: list[tuple[Speaking, Entry]]) -> dict[tuple[str, str], Counter[Verdict]]:
    """Verdicts by problem and claim."""
    seen: dict[tuple[str, str], Counter[Verdict]] = {}
    for case, entry in ledgers:
        seen.setdefault((case.problem, entry.claim.id), Counter())[entry.verdict] += 1
    return seen


def test_every_entry_says_something(tally: dict[tuple[str, str], Counter[Verdict]]) -> None:
    """Both ledgers, all claims: each has a reading on one of the runs."""
    assert {problem for problem, _ in tally} == {"weighted", "two-weights"}
    assert [key for key, verdicts in tally.items() if set(verdicts) == {Verdict.VACUOUS}] == []


def test_every_entry_holds_where_its_hypothesis_can_be_met(tally: dict[tuple[str, str], Counter[Verdict]]) -> None:
    """The hypothesis is met on one of the runs, and the claim holds; the others are listed with the reason."""
    silent = {id for _, id in tally} - {id for (_, id), verdicts in tally.items() if verdicts[Verdict.HOLDS]}
    assert silent == set(MANY_JOBS)


def test_no_claim_fails_that_names_no_correction(ledgers: list[tuple[Speaking, Entry]]) -> None:
    """On none of the runs does a line fail without a correction beside it."""
    failing = [(case, one.claim) for case, one in ledgers if one.verdict is Verdict.FAILS]
    assert [(case, claim.id) for case, claim in failing if not claim.corrected_by] == []


class Theorem71(problems.TwoWeights):
    """The lines of the ledger of two weights that are about Theorem 7.1."""

    about_a = (TWO_WEIGHTS,)
    about_b = ()


def test_theorem_7_1_speaks_with_a_proven_alpha() -> None:
    """alpha = 128, epsilon = 5/8, T = T*: 16 384 heavy jobs pile up behind a lure and the last is rejected."""
    case = THEOREM_7_1.case()
    [setting], optimum = case.settings, case.optimum
    assert optimum is not None
    run = play(
        case.instance, WholeBudget, setting.epsilon, guess=optimum, name="two-weights", options=dict(setting.options)
    )
    [queue, rejected] = Theorem71().ledger(run, WholeBudget, optimum, optimum)
    assert (queue.claim.id, rejected.claim.id) == ("7.1.queue", "7.1.rejected")
    assert queue.verdict is rejected.verdict is Verdict.HOLDS
    assert rejected.reading is not None
    assert rejected.reading.met
    assert rejected.reading.lhs > 0


def instances(family: str) -> list[tuple[Instance, Fraction]]:
    """Of all kinds of sizes, with the planted optimum."""
    found = [
        make(family, seed=seed, jobs=jobs, machines=machines)
        for seed, (jobs, machines) in enumerate([(1, 1), (2, 3), (3, 1), (30, 2), (150, 1), (400, 3), (1500, 2)])
    ]
    return [(instance, Fraction(known["optimum"])) for instance, known in found if known is not None]


@pytest.mark.parametrize(("family", "problem"), [("lures", "two-weights"), ("weighted-lures", "weighted")])
def test_the_planted_optimum_is_that_of_the_largest_job_and_of_a_schedule(family: str, problem: str) -> None:
    """No schedule is better than the largest `w p`, and one is as good."""
    track = TRACKS[problem]
    for instance, optimum in instances(family):
        largest = max(w * p for w, p in zip(track.weights(instance).tolist(), instance.size.tolist(), strict=True))
        assert largest == optimum == track.upper(instance)
