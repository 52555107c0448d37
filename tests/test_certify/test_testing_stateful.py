"""The machine of arrivals: right algorithms pass it, wrong ones are found with few jobs."""

from __future__ import annotations

from typing import Any, ClassVar

import broken
import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from certify.testing.stateful import ArrivalMachine

QUICK = settings(
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=10,
    stateful_step_count=8,
    phases=[Phase.generate, Phase.shrink],
    report_multiple_bugs=False,
)


def machine(algorithm: Any, **chosen: Any) -> type[ArrivalMachine]:
    """One for an algorithm."""
    return type("Arrivals", (ArrivalMachine,), {"algorithm": algorithm, **chosen})


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("max-flow", {"epsilon": "1/2"}),
        ("load", {"problem": "load", "epsilon": "1/2"}),
        ("greedy", {"problem": "two-weights"}),
        ("srpt", {"problem": "stretch"}),
        ("hdf-reject", {"problem": "weighted", "epsilon": "1/2"}),
        ("stretch", {"problem": "stretch", "options": {"alpha": 1}, "immediate": True, "packed": True}),
    ],
)
def test_right_algorithms_pass(name: str, chosen: dict[str, Any]) -> None:
    """Whatever arrives, and whenever a prefix is asked for again."""
    run_state_machine_as_test(machine(name, **chosen), settings=QUICK)


FOUND: dict[type, str] = {
    broken.Peeking: "a decision is not what it was: job 1: machine ., but machine . once job 2",
    broken.Remembering: "a decision is not what it was",
    broken.Trespassing: "dispatched to a machine that is not eligible: got 1, expected one of .0,.",
    broken.Rejecting: "1 of 1 rejected, more than 1/4",
    broken.Hurrying: "its certificate is rejected",
}


@pytest.mark.parametrize("algorithm", FOUND, ids=lambda one: one.__name__)
def test_wrong_algorithms_are_found(algorithm: type) -> None:
    """Smallest jobs, with the instance."""
    with pytest.raises(AssertionError, match=FOUND[algorithm]) as told:
        run_state_machine_as_test(machine(algorithm, problem="max-flow"), settings=QUICK)
    assert f"broken:{algorithm.__name__}: " in str(told.value)
    assert 'instance  {"machines": ' in str(told.value)


class Ours(ArrivalMachine):
    """As it stands in somebody's test file."""

    algorithm: ClassVar[Any] = "greedy"


TestOurs = Ours.TestCase
TestOurs.settings = QUICK
