"""Every algorithm, for every problem of its own, at every speed: the certificate is accepted and says the speed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from baselines import EPSILONS, SPEEDS, small_instances
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from certify.build import certify, over_budget
from certify.commands.ledger import entries_of
from certify.problems.registry import TRACKS
from certify.reopen import reopen_run
from online.algorithm import find, registered
from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.speed import play_at_speed

PAIRS = [
    (name, problem)
    for name in sorted(registered())
    for problem in TRACKS
    if problem in (find(name).problem, *find(name).problems)
]


@pytest.mark.parametrize(("name", "problem"), PAIRS)
@settings(derandomize=True, max_examples=10, deadline=None)
@given(small_instances(), st.sampled_from(EPSILONS), st.sampled_from((Fraction(1), *SPEEDS)))
def test_every_run_is_accepted_by_the_checker(
    name: str, problem: str, instance: Instance, epsilon: Fraction, speed: Fraction
) -> None:
    """Feasible, within the budget by guess and double, its objective; read back, it is the same run."""
    algorithm = find(name, problem)
    pace = Fraction(1) if problem == "load" else speed
    try:
        run = play_at_speed(instance, algorithm, epsilon, pace, name=name)
    except InvalidInput:
        with pytest.raises(InvalidInput):
            algorithm.admits(instance)
        return
    document = certify(run, algorithm).document
    verdict = check.check_document(document)
    assert verdict.verdict == "accepted"
    assert over_budget(run) is None or name not in ("greedy", "greedy-load", "threshold-load", "hdf-reject")
    again = reopen_run(document)
    assert (again.objective, again.speed, again.per_tick) == (run.objective, run.speed, run.per_tick)
    assert (again.dispatch.tolist(), again.late, again.phases) == (run.dispatch.tolist(), run.late, run.phases)
    about_the_run = [line for line in verdict.shown if " run " in line or line.startswith("the largest")]
    assert all(f"at speed {pace}" in line for line in about_the_run if pace != 1)


@settings(derandomize=True, max_examples=10, deadline=None)
@given(small_instances(), st.sampled_from(SPEEDS))
def test_the_ledger_says_nothing_about_a_run_at_another_speed(instance: Instance, speed: Fraction) -> None:
    """The claims are about machines of speed 1; the run is replayed all the same."""
    run = play_at_speed(
        instance, find("stretch"), Fraction(1, 2), speed, name="stretch", options={"alpha": Fraction(1)}
    )
    document = certify(run, find("stretch")).document
    assert {entry.verdict.value for entry in entries_of(document, None, None)} == {"vacuous"}


def test_a_faster_run_may_beat_the_optimum_and_proves_no_bound_by_itself() -> None:
    """Two jobs on one machine, T* = 4: at speed 2 the flow time is 2; the bound stays that of the longest job."""
    two = Instance.from_rows(1, [Row(0, 0, 2), Row(1, 0, 2)])
    slow, fast = (
        certify(play_at_speed(two, find("max-flow"), Fraction(1), speed, guess=Fraction(4)), find("max-flow"))
        for speed in (Fraction(1), Fraction(2))
    )
    assert slow.bound is not None
    assert fast.bound is not None
    assert (fast.objective, fast.bound.value, fast.bound.origin) == (2, 2, "the largest job")
    assert fast.document["run"]["speed"] == "2"
    assert "speed" not in slow.document["run"]
