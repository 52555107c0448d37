"""Each algorithm of a gallery breaks the law that it is there for, and no other; the message says how."""

from __future__ import annotations

import re
from typing import Any

import broken
import pytest

from certify.testing.conformance import AlgorithmConformance
from certify.testing.edges import EDGES
from certify.testing.laws import LawBroken

EXPECTED: dict[type, dict[str, str]] = {
    broken.First: {},
    broken.ForNoProblem: {"declares what it is": "expected  one of max-flow, load, .*\n .*got .*problem: 'throughput'"},
    broken.ByChance: {"is deterministic": "expected  the same"},
    broken.Remembering: {"is deterministic": "got  .*job 1 .number 1.: machine . and machine ."},
    broken.Peeking: {"is online": "got  .*job 1: machine ., but machine . once job 2 .released at tick 0. was known"},
    broken.Trespassing: {"dispatches to eligible machines": r"expected  one of \(.*,\) .*\n .*got .*job .: ."},
    broken.Regretting: {"rejects late only what it keeps": "got  .*after job 1: position 1"},
    broken.Rejecting: {
        "keeps its budget": "expected  at most 1/4 of it rejected, which is 1/4\n .*got .* 1 of 1 when job 1"
    },
    broken.RejectingLate: {"keeps its budget": "got  .*1 of 1 when job 1 had arrived"},
    broken.Forgetting: {"hands back a run": "expected  an online.run.Run\n .*got .*play.*a NoneType|a NoneType"},
    broken.Hurrying: {"is certified": "got  .*rejected: .*feasible"},
    broken.Boasting: {"leaves witnesses that prove something true": "got  .*job .* claims alpha"},
    broken.Stubborn: {"finds a guess": "got  .*returned 0, expected a duration > 0"},
    broken.Whole: {"takes a guess": "expected  a run with the guess 1/2\n .*ValueError: 1/2 is not whole"},
    broken.Shrinking: {"finds a guess": "expected  guesses that grow from phase to phase\n .*got .*2, 1"},
    broken.Needing: {"copes with no jobs": "got  .*ValueError in admits"},
    broken.Dividing: {"copes with one machine": "expected  no exception\n .*ZeroDivisionError"},
    broken.Overflowing: {"copes with huge times": "OverflowError"},
    broken.Rounding: {"copes with fractions of a unit": "ValueError: a tick of 1/3"},
    broken.Heavy: {"copes with huge weights": "OverflowError"},
    broken.Promising: {"keeps its promise": "expected  at most 1 times T. = 1, which is 1\n .*got  .* 2\n"},
}


def suite(algorithm: type) -> type[AlgorithmConformance]:
    """The laws for one of the gallery."""
    ratio = 1 if algorithm is broken.Promising else None
    return type("TestIt", (AlgorithmConformance,), {"algorithm": algorithm, "ratio": ratio, "examples": 8})


def breaches(kind: type[AlgorithmConformance]) -> dict[str, str]:
    """The laws that are broken, and what is said of each."""
    found = {}
    for name in [name for name in dir(kind) if name.startswith("test_")]:
        for given in ((edge,) for edge in EDGES) if name == "test_copes_with" else ((),):
            said = _told(getattr(kind(), name), given)
            if said is not None:
                found[" ".join([name.removeprefix("test_").replace("_", " "), *given])] = said
    return found


def _told(test: Any, given: tuple[str, ...]) -> str | None:
    try:
        test(*given)
    except LawBroken as told:
        return str(told)
    except pytest.skip.Exception:
        return None
    return None


@pytest.mark.parametrize("algorithm", EXPECTED, ids=lambda one: one.__name__)
def test_each_breaks_its_own_law_alone(algorithm: type) -> None:
    """With its name, that of the law, what was expected, what was got."""
    found = breaches(suite(algorithm))
    assert list(found) == list(EXPECTED[algorithm])
    for name, said in found.items():
        assert said.startswith(f"broken:{algorithm.__name__}")
        assert f"breaks the law {name!r}" in said
        assert re.search(EXPECTED[algorithm][name], said), said


def test_constants_that_are_no_text_are_no_way_to_cope() -> None:
    """`shown` is asked on every kind of instance."""
    found = breaches(suite(broken.Speaking))
    assert {name.split(" with ")[0] for name in found} == {"copes"}
    assert "returned a dict, expected a dict of text by name" in found["copes with no jobs"]


def test_algorithm_b_with_its_default_constants_is_online() -> None:
    """Whether all weights are powers of two changes nothing before a job that has another one."""

    class Defaults(AlgorithmConformance):
        algorithm, epsilon, packed, examples = "weighted", 1, True, 1

        def instances(self) -> Any:
            from hypothesis import strategies as st

            from online.instance import Instance
            from online.rows import Row

            rows = [Row(1, 0, 2, None, 64), Row(2, 0, 64, None, 64), Row(3, 3, 1, None, 3)]
            return st.just(Instance.from_rows(1, rows))

    Defaults().test_is_online()
