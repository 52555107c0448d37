"""`dualfit bound`: the ladder, its certificate, other solvers' duals, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from certify import cli
from certify.problems import ladder

Run = Callable[..., tuple[int, str, str]]

SOLUTIONS = Path(__file__).parent.parent / "test_lp" / "cases" / "solutions"
SOLVED = {
    "machines": 2,
    "jobs": [{"id": "x+", "r": 0, "p": 2}, {"id": "x-", "r": 1, "p": 3}, {"id": "1", "r": 1, "p": 2, "eligible": [2]}],
}
"""The instance of the solution files; its LP value is 5/2."""

WEIGHTED = {
    "machines": 2,
    "jobs": [
        {"id": k, "r": f"{k // 3}.5", "p": "0.5", "w": f"{1 + k % 3}/3", "eligible": [1 + k % 2, 1]} for k in range(9)
    ],
}


@pytest.fixture
def dualfit(dualfit: Run, tmp_path: Path) -> Run:
    """Run a command line in a folder with instances: exit code, standard output, standard error."""
    (tmp_path / "solved.json").write_text(json.dumps(SOLVED))
    (tmp_path / "weighted.json").write_text(json.dumps(WEIGHTED))
    return dualfit


@pytest.mark.parametrize("problem", ["max-flow", "weighted", "stretch", "load"])
def test_the_best_method_closes_a_small_bracket_with_an_accepted_certificate(dualfit: Run, problem: str) -> None:
    """Thirds as weights and halves as times: lower = upper in the input's units, and the certificate says T* = it."""
    code, out, _ = dualfit("bound", "weighted.json", "--problem", problem, "--out", "b.json", "--json")
    result = json.loads(out)
    assert code == 0
    assert result["optimal"]
    assert (result["lower"], result["width"], result["verdict"]) == (result["upper"], "0", "accepted")
    assert result["ladder"][0]["rung"] == "size"
    assert result["rung"] in [one["rung"] for one in result["ladder"]]
    code, out, _ = dualfit("check", "b.json", "--instance", "weighted.json", "--json")
    assert code == 0
    assert any("T* = " in line for line in json.loads(out)["shown"])


def test_the_ladder_is_shown_to_people(dualfit: Run) -> None:
    """A line a rung, the bracket, and the checker's word."""
    code, out, _ = dualfit("bound", "solved.json", "--method", "lp")
    assert code == 0
    assert "Ladder of lower bounds" in out
    assert "lindley form" in out
    assert "of the upper" in out
    assert "accepted" in out


@pytest.mark.parametrize("problem", ["max-flow", "weighted", "stretch"])
@pytest.mark.parametrize("method", ["lp", "lindley", "textbook", "hall", "exact", "best", "size", "witness"])
def test_every_method_of_a_flow_time_bounds_from_below(dualfit: Run, problem: str, method: str) -> None:
    """Each method's bounds are at most the optimum that `exact` proves, and are accepted."""
    optimum = Fraction(json.loads(dualfit("bound", "weighted.json", "--problem", problem, "--json")[1])["lower"])
    code, out, _ = dualfit("bound", "weighted.json", "--problem", problem, "--method", method, "--json")
    result = json.loads(out)
    assert (code, result["verdict"]) == (0, "accepted")
    assert all(Fraction(one["lower"]) <= optimum for one in result["ladder"])
    assert optimum <= Fraction(result["upper"])


def test_flow_is_for_equal_weights(dualfit: Run) -> None:
    """With several weights the minimum cuts are refused by name, and the error names other methods."""
    code, _, err = dualfit("bound", "weighted.json", "--problem", "weighted", "--method", "flow")
    assert code == 2
    assert "Hall bound" in err


def test_a_solvers_duals_become_a_certified_bound(dualfit: Run) -> None:
    """Solutions of three programs by three solvers prove the LP value 5/2; the result says how they were read."""
    for name in ("highs-primal.sol", "cplex-dual.sol", "scip-dual.sol", "cbc-lindley.txt"):
        code, out, _ = dualfit("bound", "solved.json", "--duals", str(SOLUTIONS / name), "--out", "d.json", "--json")
        result = json.loads(out)
        assert (code, result["verdict"], result["method"]) == (0, "accepted", "duals")
        rung = result["ladder"][-1]
        assert (rung["rung"], rung["lower"]) == ("duals", "5/2")
        assert "signs as given" in rung["form"]
        assert dualfit("check", "d.json")[0] == 0


def test_duals_with_the_other_signs_are_turned_around(dualfit: Run, tmp_path: Path) -> None:
    """A file with all signs changed proves the same, and the result says so."""
    (tmp_path / "plain.sol").write_text("b_1_1_1_1 -0.5\nb_1_2_1_2 -0.5\nT 0\n")
    code, out, err = dualfit("bound", "solved.json", "--duals", "plain.sol", "--json")
    assert code == 0, err
    assert "signs negated" in json.loads(out)["ladder"][-1]["form"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--duals", "nobody.sol"), "cannot be read"),
        (("--duals", "solved.json", "--method", "lp"), "contradicting"),
        (("--duals", "other.sol"), "unknown names"),
        (("--problem", "stretch", "--duals", "zero.sol"), "no exported program"),
        (("--duals", "zero.sol"), "no multipliers"),
        (("--problem", "load", "--method", "hall"), "unknown method for load"),
        (("--time-limit", "0"), "0"),
    ],
)
def test_bad_requests_are_refused_with_a_reason(
    dualfit: Run, tmp_path: Path, arguments: tuple[str, ...], word: str
) -> None:
    """Exit code 2 and what was wrong; nothing is guessed."""
    (tmp_path / "other.sol").write_text("b_9_9_9_9 1\n")
    (tmp_path / "zero.sol").write_text("b_1_1_1_1 0\n")
    code, _, err = dualfit("bound", "solved.json", *arguments)
    assert code == 2
    assert word in err


def test_a_time_limit_leaves_what_is_proven(dualfit: Run) -> None:
    """With hardly any time the bracket is wide, says what was left out, and is still accepted."""
    text = dualfit("generate", "weighted", "--seed", "3", "--jobs", "400", "--machines", "5")[1]
    Path("g.json").write_text(text)
    arguments = ("bound", "g.json", "--problem", "weighted", "--time-limit", "0.001", "--json")
    code, out, _ = dualfit(*arguments)
    result = json.loads(out)
    assert (code, result["verdict"]) == (0, "accepted")
    assert any("no time left" in one for one in result["skipped"])
    assert Fraction(result["lower"]) <= Fraction(result["upper"])


def test_large_instances_leave_out_what_is_too_large_and_say_so(dualfit: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """`best` without a time limit names every rung that it left out, and how to ask for it."""
    monkeypatch.setattr(ladder, "CASE_JOBS", 5)
    monkeypatch.setattr(ladder, "HALL_PAIRS", 5)
    text = dualfit("generate", "bursts", "--seed", "3", "--jobs", "60", "--machines", "5")[1]
    Path("g.json").write_text(text)
    result = json.loads(dualfit("bound", "g.json", "--json")[1])
    if not result["optimal"]:
        assert [one.split(":")[0] for one in result["skipped"]] == ["hall", "exact"]
        assert "--method hall" in result["skipped"][0]


def test_the_same_input_gives_the_same_bytes(dualfit: Run, tmp_path: Path) -> None:
    """Two climbs write the same certificate."""
    for name in ("a.json", "b.json"):
        dualfit("bound", "weighted.json", "--problem", "weighted", "--out", name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_the_ladder_of_the_readme_is_what_the_commands_print(dualfit: Run) -> None:
    """The two commands of the README's example print its lines."""
    readme = (Path(cli.__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    if "$ dualfit bound jobs.json" not in readme:
        pytest.skip("the README is not beside the package")
    block = readme[readme.index("$ dualfit generate weighted") :]
    make, *shown = block[: block.index("```")].splitlines()
    bound = shown.pop(0)
    assert dualfit(*make.split()[2:])[0] == 0
    code, out, _ = dualfit(*bound.split()[2:])
    assert code == 0
    assert [line.rstrip() for line in out.splitlines() if line.strip()] == shown


def test_the_duals_of_load_add_up_to_the_value_in_the_units_of_the_input(dualfit: Run) -> None:
    """With sizes of half a unit the alphas of the load program sum to the optimum printed beside them."""
    result = json.loads(dualfit("lp", "weighted.json", "--problem", "load", "--json")[1])
    assert sum(Fraction(row["optimal"]) for row in result["alpha"]) == Fraction(result["lp_lower"])
