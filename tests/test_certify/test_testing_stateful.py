"""The machine of arrivals: right algorithms pass it, wrong ones are found with few jobs."""

from __future__ import annotations

from typing import Any, ClassVar

import broken
import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from certify.testing.laws import LawBroken
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


FOUND: dict[type, tuple[str, str]] = {
    broken.Peeking: ("is online", "got  .*job .: machine ., but machine . once job 2"),
    broken.Remembering: ("is deterministic", "got  .*job "),
    broken.ByChance: ("is deterministic", "got  .*job "),
    broken.Trespassing: ("dispatches to eligible machines", "got  .*job 2: arrive.. returned 1 .machine 2."),
    broken.Counting: ("dispatches to eligible machines", "got  .*job 1: .*, a numpy.int64"),
    broken.Rejecting: ("keeps its budget", "expected  at most 1/4 .* which is 1/4\n  got  .*1 of 1 jobs rejected"),
    broken.Hurrying: ("is certified", "got .*rejected: .*job 1 gets 0"),
    broken.Forgetting: ("hands back a run", "got .*a NoneType"),
    broken.Dividing: ("copes with", "got .*in arrive.. at job 1: ZeroDivisionError.*\n  at  .*broken.py:"),
}


@pytest.mark.parametrize("algorithm", FOUND, ids=lambda one: one.__name__)
def test_wrong_algorithms_are_found(algorithm: type) -> None:
    """By the law that they break in the suite too, with few jobs, and the instance."""
    name, words = FOUND[algorithm]
    with pytest.raises(LawBroken, match=words) as told:
        run_state_machine_as_test(machine(algorithm, problem="max-flow"), settings=QUICK)
    who = f"broken:{algorithm.__name__} for max-flow, epsilon 1/4"
    assert str(told.value).startswith(f"{who} breaks the law {name!r}\n")
    assert 'instance  {"machines": ' in str(told.value)


@pytest.mark.parametrize(("name", "value"), [("epsilon", 0), ("options", {"zz": 1}), ("algorithm", "nope")])
def test_settings_that_mean_nothing_are_named(name: str, value: Any) -> None:
    """And blamed on no algorithm."""
    with pytest.raises(LawBroken, match=f"breaks the law 'declares what it is'\n.*\n.*\n  got .*{name[:6]}"):
        run_state_machine_as_test(machine(**{"algorithm": broken.First, name: value}), settings=QUICK)


class Ours(ArrivalMachine):
    """As it stands in somebody's test file."""

    algorithm: ClassVar[Any] = "greedy"


TestOurs = Ours.TestCase
TestOurs.settings = QUICK
