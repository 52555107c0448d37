"""`dualfit adversary`: results, certificates, refusals, sweeps and pictures."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from certify import check
from certify.cli import run
from online.adversary.lemma_8_3 import Lemma83
from online.adversary.registry import GAMES as GAMES_BY_NAME
from online.fit import fitted

KEYS = {"ratio", "opt_upper", "algorithm_cost", "phases", "jobs", "verdict"}
GAMES = {
    "lemma-8.1": ("--epsilon", "1/8"),
    "theorem-8.2": ("--epsilon", "1/16", "--machines", "32"),
    "lemma-8.3": ("--epsilon", "1/8", "--delta", "5"),
    "section-4": ("--epsilon", "1/4", "--time", "60"),
}


def played(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """The JSON of a command that ends with this code."""
    assert run(["adversary", *arguments, "--json"]) == code
    result = json.loads(capsys.readouterr().out)
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize("name", GAMES)
def test_a_game_ends_in_a_certificate_that_is_accepted(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The result's numbers are those that the certificate shows, T* is at most what is possible offline."""
    path = tmp_path / "game.json"
    result = played(capsys, name, *GAMES[name], "--out", str(path))
    assert result.keys() >= KEYS
    assert result["verdict"] == "reached"
    assert Fraction(result["ratio"]) == Fraction(result["algorithm_cost"]) / Fraction(result["opt_upper"])
    document = json.loads(path.read_text())
    tick = Fraction(document["instance"]["tick"])
    goal = next(goal for goal in document["goal"] if goal["claim"] == "game")
    assert Fraction(goal["cost"]) * tick == Fraction(result["algorithm_cost"])
    assert Fraction(goal["opt"]) * tick == Fraction(result["opt_upper"])
    assert len(document["instance"]["ids"]) == result["jobs"]
    assert check.check_document(document).verdict == "accepted"
    assert run(["check", str(path)]) == 0


@pytest.mark.parametrize("nudge", ["cost", "opt", "held", "dispatch"])
def test_a_nudged_certificate_is_rejected(nudge: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A larger cost, a smaller optimum, more held in a phase, or another offline machine."""
    path = tmp_path / "game.json"
    played(capsys, "lemma-8.3", *GAMES["lemma-8.3"], "--out", str(path))
    document = json.loads(path.read_text())
    goal = next(goal for goal in document["goal"] if goal["claim"] == "game")
    evidence = document["evidence"][goal["evidence"]]
    if nudge == "cost":
        goal["cost"] = str(Fraction(goal["cost"]) + 1)
    elif nudge == "opt":
        goal["opt"] = str(Fraction(goal["opt"]) - 1)
    elif nudge == "held":
        evidence["phases"][2]["load"][0] += 1
    else:
        evidence["dispatch"] = document["run"]["dispatch"]
    assert check.check_document(document).verdict == "rejected"


def test_the_phases_are_the_invariant_and_the_curve(capsys: pytest.CaptureFixture[str]) -> None:
    """Lemma 8.3 on five machines: after stage l they hold 1, ..., l + 1, and the largest is the curve."""
    result = played(capsys, "lemma-8.3", "--epsilon", "1/8", "--delta", "5")
    assert [phase["invariant"] for phase in result["phases"]] == [["1"], ["1", "2"], ["1", "2", "3"], list("1234")]
    assert result["curve"] == ["1", "2", "3", "4"]
    assert [phase["jobs"] for phase in result["phases"]] == [2, 9, 25, 54]
    assert (result["ratio"], result["promised"], result["guaranteed"]) == ("2", "4", "1")


def test_sizes_of_theorem_8_2_are_in_the_units_of_the_input(capsys: pytest.CaptureFixture[str]) -> None:
    """Ticks are 1/64 there, the loads of the result are not in ticks."""
    result = played(capsys, "theorem-8.2", "--epsilon", "1/16", "--machines", "32")
    assert (result["algorithm_cost"], result["opt_upper"], result["curve"]) == ("3", "2", ["1", "2", "3"])
    assert [phase["invariant"][0] for phase in result["phases"]] == ["1/2", "1", "3/2"]


def test_a_known_guess_is_in_the_units_of_the_input(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the tick is, and also for a baseline played for another of its problems."""
    known = ("--guess", "2", "--against", "threshold-load")
    assert played(capsys, "theorem-8.2", "--epsilon", "1/16", "--machines", "8", *known)["guess"] == "2"
    result = played(capsys, "lemma-8.3", "--epsilon", "1/4", "--against", "greedy", "--problem", "stretch")
    assert (result["problem"], result["ratio"]) == ("stretch", "2")


def test_late_rejection_is_refused_unless_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Theorem 8.2 against `load`: bad input; with --anyway it is played, and not covered."""
    arguments = ("theorem-8.2", "--epsilon", "1/16", "--machines", "8", "--against", "load")
    refused = played(capsys, *arguments, code=2)
    assert "may reject late" in refused["error"]
    assert "--anyway" in refused["error"]
    assert played(capsys, *arguments, "--anyway")["verdict"] == "not covered"


def test_a_run_over_its_budget_is_a_false_claim(capsys: pytest.CaptureFixture[str]) -> None:
    """With a guess far too small more than an epsilon share is rejected: the result stands, the exit code is 1."""
    guess = ("--guess", "1/100", "--against", "threshold-load")
    result = played(capsys, "theorem-8.2", "--epsilon", "1/2", "--machines", "32", *guess, code=1)
    assert result["verdict"] == "not covered"
    assert "over its budget" in result["reason"]


def test_a_promise_that_is_not_reached_is_a_false_claim(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Had the proof promised more than comes out, the result would say so, and the exit code be 1."""
    monkeypatch.setattr(Lemma83, "guarantee", lambda self: Fraction(5))
    result = played(capsys, "lemma-8.3", "--epsilon", "1/8", "--delta", "5", code=1)
    assert (result["verdict"], result["algorithm_cost"], result["guaranteed"]) == ("not reached", "4", "5")


@pytest.mark.parametrize(
    "arguments",
    [
        ("lemma-8.1", "--epsilon", "1/4", "--delta", "4"),
        ("lemma-8.1", "--epsilon", "1/4", "--against", "max-flow"),
        ("lemma-8.1",),
        ("lemma-8.1", "--epsilon", "2"),
        ("lemma-8.1", "--epsilon", "1/4", "--plot", "plot.svg"),
        ("lemma-8.1", "--epsilon", "1/4", "--figure", "steps.svg"),
        ("lemma-8.3", "--sweep", "1/4", "--figure", "steps.svg"),
        ("lemma-8.3", "--epsilon", "1/4", "--figure", "steps.doc"),
        ("lemma-8.3", "--epsilon", "1/4", "--sweep-machines", "4"),
        ("theorem-8.2", "--epsilon", "1/4", "--sweep-machines", "4,x"),
        ("theorem-8.2", "--sweep", "1/4,", "--against", "greedy-load"),
        ("section-4", "--sweep", "1/4"),
        ("lemma-8.1", "--sweep", "1/4", "--epsilon", "1/8"),
        ("lemma-8.1", "--epsilon", "1/4", "--against", "greedy-load", "--guess", "2"),
        ("lemma-8.1", "--epsilon", "1/4", "--against", ""),
        ("lemma-8.1", "--epsilon", "1/4", "--problem", "max-flow"),
        ("lemma-8.1", "--sweep", "1/4", "--sweep-machines", "4"),
        ("lemma-8.1", "--sweep", ""),
        ("theorem-8.2", "--epsilon", "1/16", "--sweep-machines", ""),
        ("theorem-8.2", "--epsilon", "1/16", "--sweep-machines", "8,32", "--machines", "8"),
        ("lemma-8.1", "--epsilon", "1/4", "--out", ""),
        ("lemma-8.3", "--epsilon", "1/4", "--figure", ""),
        ("lemma-8.1", "--sweep", "1/4", "--plot", ""),
    ],
)
def test_bad_input_ends_in_a_message(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Exit code 2, an error in the JSON, and no file is left."""
    monkeypatch.chdir(tmp_path)
    assert "error" in played(capsys, *arguments, code=2)
    assert list(tmp_path.iterdir()) == []


def test_a_sweep_fits_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """8.1 grows by 1/2 whenever epsilon halves, 8.3 by epsilon's inverse, 8.2 with the logarithm of the machines."""
    first = played(capsys, "lemma-8.1", "--sweep", "1/4,1/8,1/16")
    second = played(capsys, "theorem-8.2", "--epsilon", "1/16", "--sweep-machines", "2,8,32")
    third = played(capsys, "lemma-8.3", "--sweep", "1/4,1/8,1/12")
    assert [one["slope"] for one in (first, second, third)] == ["1/2"] * 3
    assert [one["intercept"] for one in (first, second, third)] == ["1", "0", "0"]
    assert [row["x"] for row in third["rows"]] == ["4", "8", "12"]
    assert {row["verdict"] for one in (first, second, third) for row in one["rows"]} == {"reached"}


def test_the_same_value_twice_is_one_game(capsys: pytest.CaptureFixture[str]) -> None:
    """1/4 is 0.25, and eight machines are eight machines."""
    assert [row["epsilon"] for row in played(capsys, "lemma-8.1", "--sweep", "1/4,0.25,1/8")["rows"]] == ["1/4", "1/8"]
    machines = played(capsys, "theorem-8.2", "--epsilon", "1/16", "--sweep-machines", "8,2,8")["rows"]
    assert [row["machines"] for row in machines] == [8, 2]


def test_a_sweep_names_every_game_that_is_not_covered_and_fits_none_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Two of three games are over their budget: both are named, with the machines, and no line is fitted to one."""
    arguments = ["adversary", "theorem-8.2", "--epsilon", "1/2", "--guess", "1/100", "--against", "threshold-load"]
    arguments += ["--sweep-machines", "2,8,32"]
    assert run(arguments) == 1
    printed = capsys.readouterr()
    for machines in (8, 32):
        assert f"{machines} machines: the run is over its budget" in printed.out
        assert f"epsilon 1/2, {machines} machines" in printed.err
    assert "2 machines: the run" not in printed.out.replace("32 machines", "")
    assert "no line fitted" in printed.out
    result = played(capsys, *arguments[1:], code=1)
    assert (result["fitted"], result["slope"]) == (1, None)
    assert [row["promised"] for row in result["rows"]] == ["1/2", None, None]


def test_the_name_is_refused_under_the_option_that_gave_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Unknown, for another problem, or no algorithm at all: --against, and short names, not those of classes."""
    for name, words in (("nobody", "unknown"), ("max-flow", "another problem"), ("os:getcwd", "unknown")):
        error = played(capsys, "lemma-8.1", "--epsilon", "1/4", "--against", name, code=2)["error"]
        assert error.startswith("--against: ")
        assert words in error
    error = played(capsys, "lemma-8.3", "--epsilon", "1/4", "--against", "load", "--problem", "stretch", code=2)[
        "error"
    ]
    assert "got load, which is for load, expected an algorithm for stretch" in error


def test_without_an_opponent_the_problem_has_one(capsys: pytest.CaptureFixture[str]) -> None:
    """--problem weighted plays against `weighted`; --help names the default opponents."""
    result = played(capsys, "lemma-8.3", "--epsilon", "1/4", "--delta", "3", "--problem", "weighted")
    assert (result["algorithm"], result["problem"]) == ("weighted", "weighted")
    assert run(["adversary", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split()).replace("- ", "-")
    for name, one in GAMES_BY_NAME.items():
        assert f"{one.against} for {name}" in text


def test_section_4_says_what_it_promises_and_where_it_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    """Rejections in a number, more than the share; too early, the time that would do, and exit code 0 all the same."""
    result = played(capsys, "section-4", "--epsilon", "1/4", "--time", "60")
    assert (result["promised_rejections"], result["rejected"], result["jobs"]) == (29, 29, 98)
    assert {phase["stuck"] for phase in result["phases"]} == {"8"}
    early = played(capsys, "section-4", "--epsilon", "1/4", "--time", "20")
    assert (early["verdict"], early["promised_rejections"]) == ("not covered", None)
    assert "--time 26 will do" in early["reason"]
    assert run(["adversary", "section-4", "--epsilon", "1/4", "--time", "60"]) == 0
    text = capsys.readouterr().out
    assert "of large jobs" in text
    assert "29 jobs rejected, more than 1/4" in text


def test_theorem_8_2_notes_an_epsilon_that_it_is_not_about(capsys: pytest.CaptureFixture[str]) -> None:
    """The condition is in --help, and a note in the result."""
    assert "epsilon <= 1/8" in played(capsys, "theorem-8.2", "--epsilon", "1/4", "--machines", "8")["note"]
    assert played(capsys, "theorem-8.2", "--epsilon", "1/8", "--machines", "8")["note"] is None
    assert run(["adversary", "--help"]) == 0
    assert "epsilon <= 1/8" in capsys.readouterr().out


def test_the_fit_is_the_line_of_least_squares() -> None:
    """Any other line near it has a larger sum of squares; points above one another have none."""
    points = [(Fraction(x), Fraction(y)) for x, y in ((1, 2), (2, 2), (4, 5), (7, 3))]

    def squares(slope: Fraction, intercept: Fraction) -> Fraction:
        return sum(((slope * x + intercept - y) ** 2 for x, y in points), Fraction(0))

    line = fitted(points)
    assert line is not None
    step = Fraction(1, 1000)
    around = [(line[0] + a * step, line[1] + b * step) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    assert all(squares(*line) < squares(*other) for other in around)
    assert fitted([(Fraction(1), Fraction(1)), (Fraction(1), Fraction(2))]) is None


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_pictures_are_the_same_bytes_every_time(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a sweep and of the steps of Lemma 8.3."""
    pytest.importorskip("matplotlib")
    paths = [tmp_path / f"{name}{k}.{kind}" for name in ("growth", "steps") for k in (0, 1)]
    for path in paths[:2]:
        played(capsys, "lemma-8.1", "--sweep", "1/2,1/4", "--plot", str(path))
    for path in paths[2:]:
        played(capsys, "lemma-8.3", "--epsilon", "1/4", "--delta", "3", "--figure", str(path))
    growth, again, steps, once_more = (path.read_bytes() for path in paths)
    assert growth == again
    assert steps == once_more
    assert growth != steps


def test_people_see_phases_and_result(capsys: pytest.CaptureFixture[str]) -> None:
    """Tables name the game, what was promised and the verdict; the same bytes every time."""
    assert run(["adversary", "lemma-8.1", "--epsilon", "1/8"]) == 0
    text = capsys.readouterr().out
    assert run(["adversary", "lemma-8.1", "--epsilon", "1/8"]) == 0
    assert capsys.readouterr().out == text
    for words in ("Lemma 8.1, 32 machines", "guaranteed", "reached", "accepted"):
        assert words in text
