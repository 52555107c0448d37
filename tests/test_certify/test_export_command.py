"""`dualfit export`: files for other solvers, proofs for other checkers, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from exported import check_vipr, parsed_lp, parsed_mps

Run = Callable[..., tuple[int, str, str]]

JOBS = {
    "machines": 2,
    "jobs": [
        {"id": "x+", "r": "1000000000000.25", "p": "0.5", "w": "1/3"},
        {"id": "x-", "r": "1000000000000.5", "p": "1", "w": "2/3"},
        {"id": "1", "r": "1000000000000.5", "p": "0.75", "w": "1", "eligible": [2]},
    ],
}
PROBLEMS = ("max-flow", "weighted", "load")


@pytest.fixture
def dualfit(dualfit: Run, tmp_path: Path) -> Run:
    """Run a command line in a folder that holds jobs.json: exit code, standard output, standard error."""
    (tmp_path / "jobs.json").write_text(json.dumps(JOBS))
    return dualfit


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("program", ["primal", "dual"])
def test_both_formats_hold_one_program(dualfit: Run, problem: str, program: str) -> None:
    """MPS and LP of a problem agree row by row; MPS negates a maximum, and both say how to read the objective."""
    options = ("export", "jobs.json", "--problem", problem, "--program", program)
    (_, first, _), (_, second, _) = dualfit(*options), dualfit(*options, "--to", "lp")
    mps, lp = parsed_mps(first), parsed_lp(second)
    assert mps.rows == lp.rows
    assert mps.cost == {name: -c if lp.maximise else c for name, c in lp.cost.items()}
    unit = "1/12" if problem == "weighted" else "1/4"
    for text in (first, second):
        assert f" optimum * {unit} = lower bound on the optimal " in text
        assert ' job 2 = "x-"' in text


@pytest.mark.parametrize(("problem", "lower"), [("max-flow", "7/8"), ("weighted", "3/4"), ("load", "9/8")])
def test_the_proof_is_accepted_and_as_large_as_the_bound(dualfit: Run, problem: str, lower: str) -> None:
    """The independent checker accepts the LP value: 1.75 on two machines, 0.75 alone, 2.25 on two machines."""
    code, out, _ = dualfit("export", "jobs.json", "--problem", problem, "--to", "vipr", "--json")
    document = json.loads(out)
    assert (code, document["lower"]) == (0, lower)
    _, proven = check_vipr(document["text"])
    assert proven * Fraction(document["factor"]) == Fraction(lower)


@pytest.mark.parametrize("problem", ["max-flow", "weighted"])
def test_the_lindley_form_is_proven_too(dualfit: Run, problem: str) -> None:
    """Both forms of the program have proofs of the same bound."""
    options = ("export", "jobs.json", "--problem", problem, "--to", "vipr", "--json", "--program")
    primal, lindley = (json.loads(dualfit(*options, program)[1]) for program in ("primal", "lindley"))
    assert check_vipr(lindley["text"])[1] == check_vipr(primal["text"])[1]
    assert lindley["lower"] == primal["lower"]


def test_the_file_is_what_is_printed(dualfit: Run, tmp_path: Path) -> None:
    """--out writes the text that is printed without it, and a line says what was written; twice gives equal bytes."""
    _, text, _ = dualfit("export", "jobs.json", "--to", "lp")
    code, out, _ = dualfit("export", "jobs.json", "--to", "lp", "--out", "a.lp")
    assert (code, (tmp_path / "a.lp").read_text()) == (0, text)
    assert out.startswith("Wrote a.lp: 6 columns, 9 rows; objective times 1/4 bounds the optimal maximum flow time.")
    document = json.loads(dualfit("export", "jobs.json", "--to", "lp", "--out", "a.lp", "--json")[1])
    assert (document["out"], document["text"], document["rows"]) == ("a.lp", None, 9)


def test_the_factor_of_a_negated_maximum_is_negative(dualfit: Run) -> None:
    """JSON says by what the objective of the file is to be multiplied, sign included."""
    factor = {
        name: json.loads(dualfit("export", "jobs.json", "--program", "dual", "--to", name, "--json")[1])["factor"]
        for name in ("mps", "lp")
    }
    assert factor == {"mps": "-1/4", "lp": "1/4"}


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--problem", "load", "--program", "lindley"), 2, "expected primal or dual"),
        (("--program", "dual", "--to", "vipr"), 2, "use --program primal or lindley"),
        (("--out", "jobs.json"), 2, "would overwrite the input"),
        (("--to", "xyz"), 2, "xyz"),
        (("--time-limit", "nan", "--to", "vipr"), 2, "expected a number of seconds"),
    ],
)
def test_what_cannot_be_exported_ends_in_a_message(
    dualfit: Run, options: tuple[str, ...], code: int, message: str
) -> None:
    """Exit code and message, with --json as one object, and nothing written."""
    got, out, err = dualfit("export", "jobs.json", *options)
    assert (got, out) == (code, "")
    assert message in err
    got, out, _ = dualfit("export", "jobs.json", *options, "--json")
    assert (got, next(iter(json.loads(out)))) == (code, "error")


def test_too_many_rows_reach_a_limit(dualfit: Run, tmp_path: Path) -> None:
    """Exit code 3 names the form that has linear size, which then works."""
    jobs = [{"id": k, "r": k, "p": 1} for k in range(200)]
    (tmp_path / "long.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    code, _, err = dualfit("export", "long.json")
    assert (code, "--program lindley" in err) == (3, True)
    assert dualfit("export", "long.json", "--program", "lindley")[0] == 0
    (tmp_path / "none.json").write_text(json.dumps({"machines": 1, "jobs": []}))
    assert dualfit("export", "none.json")[0] == 2
