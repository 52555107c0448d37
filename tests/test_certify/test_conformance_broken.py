"""Each algorithm of a gallery breaks the law that it is there for, and no other; the message says how."""

from __future__ import annotations

import re
from typing import Any

import broken
import pytest

from certify.testing.assertions import assert_optimum
from certify.testing.conformance import AlgorithmConformance
from certify.testing.edges import EDGES
from certify.testing.laws import LawBroken
from certify.testing.misleading import misleading
from online.algorithm import PROBLEMS

EXPECTED: dict[type, dict[str, str]] = {
    broken.First: {},
    broken.ForNoProblem: {"declares what it is": "expected  one of max-flow, load, .*\n .*got .*problem: 'throughput'"},
    broken.ByChance: {"is deterministic": "expected  the same"},
    broken.Remembering: {"is deterministic": "got  .*job 1 .number 1.: machine . and machine ."},
    broken.Peeking: {"is online": "got  .*job 1: machine ., but machine . once job 2 .released at 0. was known"},
    broken.Keyed: {"does not go by names": "got  .*job .*, with ids"},
    broken.Indexing: {"does not go by names": "got  .*machine 1 and machine 2, with ids 'job 1'"},
    broken.Trespassing: {
        "dispatches to eligible machines": r"expected  0 .machine 1., or None to reject\n"
        r" .*got .*job 2: arrive.. returned 1 .machine 2.\n .*\"id\": 2, .*\"eligible\": \[1\]"
    },
    broken.Counting: {
        "dispatches to eligible machines": r"expected  a machine as a Python int.*\n .*: .*0.*, a numpy.int64"
    },
    broken.Regretting: {
        "rejects late only what it keeps": "got  .*after job 1: prune.. returned position 1, counted from 0"
    },
    broken.Rejecting: {
        "keeps its budget": "expected  at most 1/4 of it rejected, which is 1/4\n .* 1 of 1 jobs rejected when job 1"
    },
    broken.RejectingLate: {"keeps its budget": "got  .*1 of 1 jobs rejected when job 1 had arrived"},
    broken.Forgetting: {"hands back a run": "expected  an online.run.Run\n .*got .*play.*a NoneType|a NoneType"},
    broken.Hurrying: {"is certified": "got  .*rejected: .*feasible"},
    broken.Boasting: {"leaves witnesses that prove something true": "got  .*job .* claims alpha"},
    broken.Silent: {
        "leaves witnesses that prove something true": "got  .*in explain..: ValueError: no words\n .*at  .*raise"
    },
    broken.Waiting: {"is online": "got .*work before 1: job 1 on machine 1 from 0 to 1, but nothing more once job 3"},
    broken.Stubborn: {"finds a guess": "got  .*returned 0, expected a duration > 0"},
    broken.Whole: {"takes a guess": "expected  a run with the guess 1/2\n .*in __init__: ValueError: 1/2 is not whole"},
    broken.Shrinking: {"finds a guess": "expected  guesses that grow from phase to phase\n .*got .*2, 1"},
    broken.Needing: {"copes with no jobs": "got  .*in admits..: ValueError: max.*\n .*at  .* in admits: max"},
    broken.Dividing: {
        "copes with one machine": "expected  no exception\n .*in arrive.. at job 1: ZeroDivisionError.*\n"
        r" .*at  .*broken.py:\d+, in arrive: return job.eligible.0. if 1 / "
    },
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


MISSET: dict[str, tuple[dict[str, Any], str]] = {
    "algorithm": ({}, "expected  a class of .*\n .*got .*algorithm: nothing"),
    "a name": ({"algorithm": "nope"}, "expected  one of .*max-flow.*\n .*got .*algorithm: 'nope'"),
    "problem": (
        {"algorithm": broken.First, "problem": "load"},
        "expected  an algorithm for load\n .*which is for max-flow",
    ),
    "no budget": ({"algorithm": broken.First, "epsilon": 0}, "expected  a number in .0, 1.\n .*got  .*epsilon: 0"),
    "a float": ({"algorithm": broken.First, "epsilon": 0.25}, "got  .*epsilon: the binary float 0.25"),
    "an option": ({"algorithm": broken.First, "options": {"zz": 1}}, "expected  options none\n .*got .*option zz: zz"),
    "its value": ({"algorithm": "load", "problem": "load", "options": {"alpha": -3}}, "expected  .*\n .*alpha: -3"),
    "options": (
        {"algorithm": broken.First, "options": [1]},
        "expected  numbers by name\n .*options: .1., a list",
    ),
    "examples": ({"algorithm": broken.First, "examples": 0}, "got  .*examples: 0"),
    "some": ({"algorithm": broken.First, "examples": "8"}, "got  .*examples: '8', a str"),
    "ratio": ({"algorithm": broken.First, "ratio": 1.5}, "got  .*ratio: the binary float 1.5"),
    "packed": ({"algorithm": broken.First, "packed": None}, "got  .*packed: None, a NoneType"),
    "immediate": ({"algorithm": broken.First, "immediate": 1}, "got  .*immediate: 1, a int"),
}


@pytest.mark.parametrize("what", MISSET)
def test_settings_that_mean_nothing_break_one_law_alone(what: str) -> None:
    """The one that asks what the class declares; it names the attribute, and the others are not asked."""
    chosen, words = MISSET[what]
    found = breaches(type("TestIt", (AlgorithmConformance,), chosen))
    assert list(found) == ["declares what it is"]
    assert re.search(words, found["declares what it is"]), found


GREEDY: list[tuple[Any, str, Any]] = [
    ("greedy", "max-flow", 1),
    ("greedy", "max-flow", "2"),
    ("greedy", "weighted", "2"),
    ("greedy", "stretch", "2"),
    ("greedy-load", "load", "2"),
    ("max-flow", "max-flow", 1),
    ("srpt", "max-flow", "2"),
    (broken.First, "max-flow", "2"),
]


@pytest.mark.parametrize(("algorithm", "problem", "ratio"), GREEDY, ids=str)
def test_a_promise_that_is_too_good_is_found_out(algorithm: Any, problem: str, ratio: Any) -> None:
    """Whoever takes a least loaded machine has no constant ratio; two is too little on eight machines."""
    chosen = {"algorithm": algorithm, "problem": problem, "ratio": ratio, "examples": 1}
    suite = type("TestIt", (AlgorithmConformance,), chosen)
    with pytest.raises(LawBroken, match=f"breaks the law 'keeps its promise'\n.*\n  expected  at most {ratio} times T"):
        suite().test_keeps_its_promise()


@pytest.mark.parametrize("problem", PROBLEMS)
def test_misleading_instances_have_the_optimum_that_is_said(problem: str) -> None:
    """A certificate shows it from both sides."""
    for instance, optimum in misleading(problem):
        if instance.n <= 16:
            assert_optimum(instance, optimum, problem)


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
