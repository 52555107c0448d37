"""Constants: exact thresholds on tiny corpora, witnesses that the checker accepts, the same bytes again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from certify import check
from certify.claims.claim import Verdict
from certify.problems.registry import TRACKS
from certify.search.constants import CONSTANTS, Constant
from certify.search.rivals import rivals
from certify.search.score import largest_share
from certify.search.threshold import Search, Threshold, corpus, setup_of
from lp.load.bound import load_bracket
from lp.optimum import brute_force_optimum, unit_optimum
from online.algorithm import find
from online.generate.repeated import repeated_tournaments
from online.generate.tiny import tiny_instances
from online.instance import Instance
from online.play import play

Run = Callable[..., tuple[int, str, str]]
BY_ID = {one.id: one for one in CONSTANTS}
HALF = Fraction(1, 2)


def _tiny() -> list[Instance]:
    return [one for jobs in (1, 2, 3) for one in tiny_instances(jobs, sizes=(1,), releases=(0, 1))]


def _brute_force(constant: Constant, epsilon: Fraction, instances: Sequence[Instance], value: Fraction) -> int:
    """On how many instances more than epsilon is rejected with T = T*, found by trying every schedule."""
    algorithm, failures = find(constant.algorithm), 0
    for instance in instances:
        load = constant.problem == "load"
        best = _least_load(instance) if load else brute_force_optimum(instance).value
        run = play(instance, algorithm, epsilon, guess=Fraction(best), options={constant.option: value})
        prefixes = list(enumerate(run.rejections(), 1))
        failures += any(rejected > epsilon * arrived for arrived, rejected in prefixes)
    return failures


def _least_load(instance: Instance) -> int:
    loads: set[tuple[int, ...]] = {(0,) * instance.machines}
    for job in instance.jobs():
        loads = {(*one[:i], one[i] + job.size, *one[i + 1 :]) for one in loads for i in job.eligible}
    return min(map(max, loads))


@pytest.mark.parametrize("name", ["5.1.alpha", "6.1.alpha"])
@pytest.mark.parametrize("epsilon", [Fraction(1, 3), Fraction(1, 4), Fraction(1)])
def test_the_threshold_on_a_tiny_corpus_is_exact(name: str, epsilon: Fraction) -> None:
    """On all instances of up to three unit jobs the failures at every value tried are those of brute force."""
    constant, instances = BY_ID[name], _tiny()
    found = Search(constant, epsilon, instances, steps=0, play=False).run()
    for trial in found.trials:
        assert trial.instances == len(instances)
        assert trial.failures == _brute_force(constant, epsilon, instances, trial.value)
    below = found.fails_at if found.fails_at is not None else Fraction(0)
    assert found.holds_from is not None
    assert all(one.failures == 0 for one in found.trials if one.value > below)
    assert constant.between(below, found.holds_from) is None or found.fails_at is None


def test_no_order_of_failures_is_taken_for_granted() -> None:
    """A constant that fails at 1 and 4 of 1 to 8 only: its threshold is above 4, and the gap below is told."""

    class Odd(Search):
        def _try(self, value: Fraction) -> None:
            super()._try(value)
            self.failures[value] = [] if value not in (1, 4) else self.failures[Fraction(1)]

    constant = replace(BY_ID["5.1.alpha"], proven=lambda epsilon: Fraction(8))
    found = Odd(constant, Fraction(1, 4), _tiny(), steps=0, play=False).run()
    assert (found.fails_at, found.holds_from) == (4, 5)
    assert not found.monotone
    assert found.proven_holds


@pytest.mark.parametrize("name", ["5.1.alpha", "5.2.alpha", "6.1.alpha", "6.2.alpha", "6.2.segment", "7.period"])
def test_a_witness_fails_with_the_guess_at_the_optimum(name: str) -> None:
    """At the largest value that fails, a small instance whose run rejects too much although T >= T*."""
    constant, epsilon = BY_ID[name], Fraction(1, 4)
    found = Search(constant, epsilon, corpus(constant.space, 12, 0), steps=10).run()
    assert found.proven_holds
    assert found.fails_at is not None
    assert found.fails_at < found.proven
    assert found.failing is not None
    witness = found.failing.witness
    assert witness is not None
    assert largest_share(witness.run) == witness.rank[0] > epsilon
    assert witness.run.phases[0].guess == witness.bracket.upper.value
    again = setup_of(constant, epsilon, found.fails_at).run(witness.instance)
    assert again.dispatch.tolist() == witness.run.dispatch.tolist()
    if constant.problem == "load":
        assert witness.bracket.upper.value == load_bracket(witness.instance, "exact", None).upper


def test_a_climb_adds_to_the_instances_of_every_value() -> None:
    """Without a corpus the failures are those that a climb found, tried at all values."""
    found: Threshold = Search(BY_ID["5.1.alpha"], Fraction(1, 8), [], steps=200, play=False).run()
    assert found.fails_at is not None
    assert len({one.instances for one in found.trials}) == 1
    assert found.trials[0].instances > 0


def test_what_is_made_against_a_value_finds_what_chance_does_not() -> None:
    """Tournaments again and again: 2 T is too little for epsilon 1/4 (Corollary 6.5), without any other instance."""
    found = Search(BY_ID["6.1.alpha"], Fraction(1, 4), [], steps=0).run()
    assert found.fails_at == 2
    assert found.monotone
    assert found.proven_holds


@pytest.mark.parametrize(("machines", "rounds", "levels"), [(4, 1, 2), (8, 3, 2), (8, 4, 3), (16, 2, 1)])
def test_repeated_tournaments_are_possible_without_rejection(machines: int, rounds: int, levels: int) -> None:
    """T* is 1 by the exact optimum, and a machine of the algorithm with `levels` levels is met full."""
    instance, alpha = repeated_tournaments(machines, rounds, levels), {"alpha": Fraction(levels)}
    assert instance.n == machines * rounds
    assert unit_optimum(instance).value == 1
    run = play(instance, find("max-flow"), Fraction(1, 4), guess=Fraction(1), options=alpha)
    assert run.rejected_count >= machines >> levels


@pytest.mark.parametrize("name", ["5.1.alpha", "5.1.alpha-bounded", "5.2.alpha", "6.1.alpha"])
def test_games_are_played_against_the_value(name: str) -> None:
    """Each value has its tournaments and its game, of which the optimum is at most 2."""
    for value in map(Fraction, (1, 2, 3)):
        made = list(rivals(BY_ID[name], Fraction(1, 4), value))
        assert len(made) == (5 if name == "6.1.alpha" else 2)
        assert [setup_of(BY_ID[name], Fraction(1, 4), value).bracket(one).upper.value for one in made[:-1]] == [1] * (
            len(made) - 1
        )
        assert setup_of(BY_ID[name], Fraction(1, 4), value).bracket(made[-1]).upper.value <= 2


def test_default_constants_are_those_of_plain_runs() -> None:
    """Every proven value, given, leads to the same decisions as not giving any constant."""
    for constant in CONSTANTS:
        for epsilon in (HALF, Fraction(1, 5)):
            setup = setup_of(constant, epsilon, constant.proven(epsilon))
            instance = next(one for one in corpus(constant.space, 30, 1)[9:] if setup.admits(one))
            given = setup.run(instance)
            plain = replace(setup, options={}).run(instance)
            assert given.dispatch.tolist() == plain.dispatch.tolist(), constant.id
            assert given.late == plain.late


@pytest.mark.parametrize("name", ["5.1.alpha", "5.1.alpha-bounded", "5.2.alpha", "6.1.alpha"])
def test_no_claim_fails_beyond_its_hypothesis_whatever_alpha_is(name: str) -> None:
    """With any alpha a claim that is not known to be false holds, or its hypothesis on alpha is not met."""
    constant, verdicts = BY_ID[name], Counter[Verdict]()
    for value in (Fraction(1), Fraction(2), Fraction(3)):
        setup = setup_of(constant, Fraction(1, 4), value)
        for instance in corpus(constant.space, 15, 3):
            if not setup.admits(instance):
                continue
            bracket = setup.bracket(instance)
            for one in (setup, replace(setup, guess=None)):
                assert bracket.lower is not None
                entries = TRACKS[setup.problem].ledger(
                    one.run(instance, bracket), setup.algorithm, bracket.lower.value, bracket.upper.value
                )
                false = [entry.claim.id for entry in entries if entry.verdict is Verdict.FAILS]
                known = [entry.claim.id for entry in entries if entry.claim.corrected_by]
                assert set(false) <= set(known)
                verdicts.update(entry.verdict for entry in entries)
    assert verdicts[Verdict.HOLDS]
    assert verdicts[Verdict.NOT_MET]


def test_the_command_prints_thresholds_and_saves_accepted_certificates(dualfit: Run, tmp_path: Path) -> None:
    """The same bytes twice; each certificate shows T* <= T, and claims no budget as the run is over it."""
    seen = []
    for _ in range(2):
        options = ("--epsilon", "1/4", "--instances", "5", "--steps", "5", "--out", "found", "--json")
        code, out, err = dualfit("constants", "5.1.alpha", "6.1", *options)
        assert (code, err) == (0, "")
        seen.append((out, [path.read_bytes() for path in sorted((tmp_path / "found").iterdir())]))
    assert seen[0] == seen[1]
    result = json.loads(seen[0][0])
    assert [one["id"] for one in result["constants"]] == ["5.1.alpha", "5.1.alpha-bounded", "6.1.alpha"]
    for one in result["constants"]:
        document = json.loads((tmp_path / one["certificate"]).read_bytes())
        assert check.check_document(document).verdict == "accepted"
        goals = {goal["claim"]: goal for goal in document["goal"]}
        assert "budget" not in goals
        assert Fraction(goals["upper-bound"]["value"]) == Fraction(document["run"]["phases"][0]["guess"])
        assert Fraction(one["fails_at"]) < Fraction(one["no_failure_from"]) <= Fraction(one["proven"])
        assert Fraction(one["witness"]["rejections"]["share"]) > Fraction(1, 4)


def test_tables_say_what_is_evidence_and_what_is_proven(dualfit: Run) -> None:
    """The observed threshold beside the proven one; names that begin no constant and bad budgets are refused."""
    code, out, _ = dualfit("constants", "5.1.alpha", "--epsilon", "1/8", "--instances", "0", "--steps", "0")
    assert code == 0
    assert "no failure seen is no proof" in out
    assert "rejected" in out
    code, out, _ = dualfit("constants", "5.3", "--epsilon", "1", "--instances", "0", "--steps", "0", "--json")
    assert [one["id"] for one in json.loads(out)["constants"]] == ["5.1.alpha", "5.1.alpha-bounded"]
    for arguments in (("9.9",), ("",), ("--epsilon", "2"), ("--epsilon", "x"), ("--out", "no/where"), ("--out", "")):
        assert dualfit("constants", *arguments)[0] == 2
