"""Searching: finds what is known to be worst, reproduces its bytes, and saves what the checker accepts."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from certify.problems.registry import TRACKS
from certify.search.climb import Climb, shrunk
from certify.search.score import Ratio, Score, Setup, Slack
from certify.search.space import Space
from lp.deadline import Deadline
from lp.load.bound import load_bracket
from lp.optimum import optimum
from online.algorithm import OnlineAlgorithm
from online.errors import InvalidInput
from online.generate import Dice
from online.instance import Instance, Job
from online.readers import read

Run = Callable[..., tuple[int, str, str]]

STUBBORN = '''
from online.algorithm import OnlineAlgorithm

class Stubborn(OnlineAlgorithm):
    """Every job goes to its first eligible machine."""
    problem = "load"
    takes_guess = False

    def arrive(self, job):
        return job.eligible[0]
'''


class Stubborn(OnlineAlgorithm):
    """Every job goes to its first eligible machine: its ratio is m at worst, and that is reached."""

    problem = "load"
    takes_guess = False

    def arrive(self, job: Job) -> int:
        return job.eligible[0]


class Interrupted(Stubborn):
    """The user presses Ctrl-C when the 200th run begins."""

    runs = 0

    def __init__(self, setting: object) -> None:
        type(self).runs += 1
        if self.runs == 200:
            raise KeyboardInterrupt


class Faulty(Stubborn):
    """Its author made a mistake."""

    @classmethod
    def admits(cls, instance: Instance) -> None:
        raise KeyError(instance.n)


FAULTY = '''
from online.algorithm import OnlineAlgorithm

class Faulty(OnlineAlgorithm):
    """Its author forgot jobs of size 3."""
    takes_guess = False

    def arrive(self, job):
        return {1: job.eligible[0], 2: job.eligible[-1]}[job.size]

class Eager(OnlineAlgorithm):
    """It rejects every second job."""
    takes_guess = False

    def arrive(self, job):
        return job.eligible[0] if job.position % 2 else None

class Impatient(Faulty):
    """The user presses Ctrl-C when the 30th run begins."""
    runs = 0

    def __init__(self, setting):
        super().__init__(setting)
        Impatient.runs += 1
        if Impatient.runs == 30:
            raise KeyboardInterrupt
'''


@pytest.fixture
def dualfit(dualfit: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in a folder with an algorithm of the user's own."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "own_stubborn.py").write_text(STUBBORN)
    (tmp_path / "own_faulty.py").write_text(FAULTY)
    return dualfit


def _setup(algorithm: type[OnlineAlgorithm], problem: str = "load") -> Setup:
    return Setup(problem, algorithm, algorithm.__name__, Fraction(1, 4))


def _climb(score: Score, seed: int = 0, problem: str = "load", **size: int) -> Climb:
    limits = {"jobs": 6, "machines": 3, "sizes": 3, "horizon": 6, "weights": 4} | size
    return Climb(Space.of(problem, **limits), score, seed, Deadline(None))


@pytest.mark.parametrize("seed", range(2))
def test_a_known_worst_case_is_found_and_shrunk_to_its_least_size(seed: int) -> None:
    """An algorithm that knows one machine only is m times as bad as the optimum, by m equal jobs of size 1."""
    score = Ratio(_setup(Stubborn))
    found = shrunk(_climb(score, seed).run(500), score, 1000, Deadline(None))
    assert found.minimal
    assert found.best is not None
    assert found.best.rank == (0, 3)
    assert found.best.instance.ids == (1, 2, 3)
    assert found.best.instance.size.tolist() == [1, 1, 1]


def test_the_result_says_whether_shrinking_came_to_its_end() -> None:
    """Out of time, or after an interrupt, the best stays as it is or as small as it got."""
    score = Ratio(_setup(Stubborn))
    found = _climb(score).run(100)
    assert found.best is not None
    interrupted = found._replace(stopped="interrupted")
    assert shrunk(interrupted, score, 1000, Deadline(None)) is interrupted
    for steps, deadline in ((1000, Deadline(0)), (1, Deadline(None))):
        early = shrunk(found, score, steps, deadline)
        assert not early.minimal
        assert early.best is not None
        assert early.best.rank >= found.best.rank
    assert shrunk(found, score, 1000, Deadline(None)).minimal


def test_no_climb_overstates_the_ratio() -> None:
    """The score of the best is its objective over the optimum, worked out again by other means."""
    for problem, name in (("max-flow", "max-flow"), ("weighted", "weighted"), ("stretch", "stretch")):
        setup = Setup.of(problem, name, Fraction(1, 4), "double", {})
        best = _climb(Ratio(setup), problem=problem).run(60).best
        assert best is not None
        found = optimum(best.instance, getattr(TRACKS[problem], "weights", lambda one: None)(best.instance))
        assert found.optimal
        assert best.rank == (0, Fraction(best.run.objective) / found.upper.value)
    best = _climb(Ratio(_setup(Stubborn))).run(60).best
    assert best is not None
    assert best.rank == (0, Fraction(best.run.objective, load_bracket(best.instance, "exact", None).upper))


def test_a_score_that_is_cut_short_is_below_what_was_asked_for() -> None:
    """With `least`, a ratio is worked out exactly whenever it reaches it."""
    score, space, dice = (
        Ratio(_setup(Stubborn)),
        Space.of("load", jobs=5, machines=3, sizes=3, horizon=0, weights=1),
        Dice(5),
    )
    cut = 0
    for _ in range(60):
        instance = space.instance(space.draw(dice))
        whole, least = score(instance), (Fraction(0), Fraction(2))
        assert whole is not None
        quick = score(instance, least)
        assert whole.rank < least if quick is None else quick.rank == whole.rank
        cut += quick is None
    assert cut


def test_an_interrupt_keeps_the_best_so_far() -> None:
    """Ctrl-C ends the climb with what it had; the steps made are told."""
    Interrupted.runs = 0
    found = _climb(Ratio(_setup(Interrupted))).run(10_000)
    assert found.stopped == "interrupted"
    assert found.steps < 200
    assert found.best is not None
    assert found.best.rank == _climb(Ratio(_setup(Stubborn))).run(found.steps).best.rank  # type: ignore[union-attr]


def test_a_fault_of_an_algorithm_is_no_refusal_of_an_instance() -> None:
    """Whatever `admits` raises but `InvalidInput` ends the search with the class and method to correct."""
    with pytest.raises(InvalidInput, match=r"Faulty: failed in admits\(\)"):
        _climb(Ratio(_setup(Faulty))).run(5)


def test_a_time_limit_only_ends_the_search_earlier() -> None:
    """What was found by then is what so many steps find."""
    climb = _climb(Ratio(_setup(Stubborn)))
    climb.deadline = Deadline(0.2)
    early = climb.run(10**9)
    assert early.stopped == "time"
    assert early.best is not None
    again = _climb(Ratio(_setup(Stubborn))).run(early.steps).best
    assert again is not None
    assert again.instance == early.best.instance


def test_vacuous_readings_never_count_as_small_slack() -> None:
    """The best line of the ledger says something, and its hypothesis is met; until then the search looks for it."""
    score = Slack(Setup.of("max-flow", "max-flow", Fraction(1), "exact", {}), "6.5.rejected")
    climb = _climb(score, problem="max-flow", jobs=8, machines=3, sizes=1)
    best = climb.run(300).best
    assert best is not None
    assert best.entry is not None
    assert best.entry.verdict.value == "holds"
    assert best.rank == (1, -best.entry.slack)  # type: ignore[operator]
    assert best.run.rejected_count > 0


@given(st.integers(0, 10**6), st.sampled_from(list(TRACKS)), st.integers(1, 9), st.integers(1, 4))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_the_space_keeps_its_limits(seed: int, problem: str, jobs: int, machines: int) -> None:
    """Whatever is drawn and varied has 1 to `jobs` jobs and numbers in range; weights only where they matter."""
    space, dice = Space.of(problem, jobs=jobs, machines=machines, sizes=3, horizon=5, weights=4), Dice(seed)
    rows = space.draw(dice)
    for _ in range(30):
        instance = space.instance(rows)
        assert 1 <= instance.n <= jobs
        assert instance.size.max() <= 3
        assert instance.release.max() <= (0 if problem == "load" else 5)
        assert instance.flow_weight.max() <= (4 if problem in ("weighted", "two-weights") else 1)
        if problem != "two-weights":
            assert (instance.flow_weight == instance.rejection_weight).all()
        rows = space.vary(dice, rows)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--problem", "load", "--algorithm", "own_stubborn:Stubborn"),
        ("--problem", "weighted", "--alpha", "1", "--guess", "exact"),
        ("--claim", "6.5.flow-any", "--guess", "exact", "--sizes", "1"),
        ("--problem", "two-weights", "--alpha", "1", "--period", "2"),
        ("--problem", "stretch"),
    ],
)
def test_the_same_arguments_write_the_same_bytes(dualfit: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Certificate, instance and JSON; the checker accepts the certificate, and the file is the instance."""
    seen = []
    for name in ("a", "b"):
        files = ("--out", f"{name}.cert.json", "--instance-out", f"{name}.json", "--json")
        code, out, err = dualfit("search", *arguments, "--epsilon", "1/4", "--steps", "40", "--jobs", "5", *files)
        over = json.loads(out)["over_budget_at"] is not None
        assert (code, err == "") == (int(over), not over)
        seen.append((out, *((tmp_path / f"{name}{end}").read_bytes() for end in (".cert.json", ".json"))))
    assert seen[0] == seen[1]
    document, result = json.loads(seen[0][1]), json.loads(seen[0][0])
    verdict = check.check_document(document, read("a.json").instance.to_document())
    assert verdict.verdict == "accepted"
    assert {"upper-bound", "lower-bound", "objective", "feasible"} <= {goal["claim"] for goal in document["goal"]}
    assert (result["steps"], result["stopped"], result["verdict"]) == (40, "steps", "accepted")
    assert result["instance"] == json.loads(seen[0][2])


def test_tables_are_for_people(dualfit: Run) -> None:
    """What was looked for, the instance, where the jobs went, and that a claim holds with which slack."""
    options = ("--epsilon", "1/4", "--steps", "40", "--time-limit", "60")
    code, out, _ = dualfit("search", "--problem", "load", "--algorithm", "own_stubborn:Stubborn", *options)
    assert code == 0
    assert "40 instances, seed 0" in out
    assert "went to" in out
    code, out, _ = dualfit("search", "--claim", "6.4", "--guess", "exact", "--sizes", "1", *options)
    assert code == 0
    assert "holds: " in out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--claim", "9.9"), 2, "unknown claim"),
        (("--claim", "6.4", "--maximise", "ratio"), 2, "one of the two"),
        (("--guess", "two"), 2, "double, exact, or a number"),
        (("--guess", "-1"), 2, "not positive"),
        (("--guess", "exact", "--algorithm", "greedy"), 2, "got exact, expected double: greedy takes no guess"),
        (("--algorithm", ""), 2, "--algorithm: empty: got ''"),
        (("--claim", ""), 2, "--claim: empty: got ''"),
        (("--out", "a.json", "--instance-out", "./a.json"), 2, "the same file twice"),
        (("--problem", "load", "--algorithm", "max-flow"), 2, "wrong problem"),
        (("--alpha", "3", "--problem", "stretch", "--epsilon", "0"), 2, "out of range"),
        (("--claim", "5.6.doubling", "--jobs", "1", "--steps", "5"), 3, "no instance on which claim"),
    ],
)
def test_refusals_end_in_a_message(dualfit: Run, arguments: tuple[str, ...], code: int, words: str) -> None:
    """Contradictions, unknown names and searches without a result, each with its exit code."""
    given = () if "--epsilon" in arguments else ("--epsilon", "1/4")
    got, _, err = dualfit("search", *given, *arguments)
    assert got == code
    assert words in err


def test_a_fault_of_an_own_algorithm_is_shown_small_and_saved(dualfit: Run) -> None:
    """One job of the size that its author forgot, and the certificate of the best before that."""
    files = ("--instance-out", "bad.json", "--out", "best.cert.json")
    arguments = ("search", "--algorithm", "own_faulty:Faulty", "--epsilon", "1/4", "--seed", "3", *files)
    code, out, err = dualfit(*arguments)
    assert code == 2
    assert "failed in arrive()" in err
    assert "written to" in out
    assert "1 machine " in out
    instance = read("bad.json").instance
    assert (instance.n, instance.machines, instance.size[0]) == (1, 1, 3)
    code, out, _ = dualfit(*arguments, "--json")
    assert code == 2
    assert json.loads(out)["failed"]["instance"]["machines"] == 1


def test_a_broken_budget_is_worse_than_any_ratio(dualfit: Run) -> None:
    """It ends with exit code 1 as `dualfit run`, and the table names the job."""
    code, out, err = dualfit("search", "--algorithm", "own_faulty:Eager", "--epsilon", "1/4", "--steps", "20")
    assert code == 1
    assert "budget        broken when job 1 had arrived" in out
    assert "more than 1/4 of the arrived jobs was rejected" in err


def test_an_interrupted_search_saves_and_prints_its_best(dualfit: Run) -> None:
    """Then it ends with exit code 130."""
    options = ("--sizes", "2", "--epsilon", "1/4", "--out", "a.cert.json", "--json")
    code, out, err = dualfit("search", "--algorithm", "own_faulty:Impatient", *options)
    assert (code, err) == (130, "interrupted\n")
    assert json.loads(out)["stopped"] == "interrupted"
    assert check.check_document(json.loads(Path("a.cert.json").read_bytes())).verdict == "accepted"
