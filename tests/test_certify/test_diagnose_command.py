"""`dualfit diagnose` and the arguments of `diagnose`: units, names, arrays, files, exit codes, what is refused."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certify import check
from certify.diagnose.claim_file import claim_of
from certify.diagnose.diagnosis import diagnose
from online.errors import InvalidInput
from online.family import IntervalFamily
from online.instance import Instance
from online.rows import Row

Run = Callable[..., tuple[int, str, str]]

INSTANCE = {
    "machines": 2,
    "machine_names": ["red", "blue"],
    "jobs": [
        {"id": "a", "r": "0.5", "p": "0.5", "w": "1/3"},
        {"id": 7, "r": "0.5", "p": 1, "w": 2, "eligible": [2]},
        {"id": "c", "r": 2, "p": 1, "w": 2},
    ],
}
CLAIM: dict[str, Any] = {
    "alpha": {"a": 1, "7": 2, "c": "1/2"},
    "intervals": [
        {"machine": "red", "start": "0.5", "end": 2},
        {"machine": 2, "start": 0, "end": "1.25"},
        {"machine": "blue", "start": 2, "end": 2, "b": 0.25},
    ],
}


@pytest.fixture
def dualfit(dualfit: Run, tmp_path: Path) -> Run:
    """Run a command line in a folder with an instance and a claim: exit code, standard output, standard error."""
    (tmp_path / "jobs.json").write_text(json.dumps(INSTANCE))
    (tmp_path / "claim.json").write_text(json.dumps(CLAIM))
    return dualfit


def _instance() -> Instance:
    rows = [Row("a", "0.5", "0.5", None, "1/3"), Row(7, "0.5", 1, [1], 2), Row("c", 2, 1, None, 2)]
    return Instance.from_rows(2, rows, machine_names=["red", "blue"])


# ---------------------------------------------------------------------- worked by hand
def test_every_violated_constraint_with_its_deficit_and_its_intervals(dualfit: Run) -> None:
    """Job 7 claims 2 where one interval counts it; job c 1/2 where a quarter of one does on blue; a is counted once."""
    code, out, err = dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--json")
    result = json.loads(out)
    assert (code, err) == (1, "false claim: 2 of 11 constraints violated\n")
    rows = [(row["job"], row["machine"], row["left"], row["right"], row["deficit"]) for row in result["rows"]]
    assert rows == [(7, "blue", "2", "1", "1"), ("c", "blue", "1/2", "1/4", "1/4")]
    assert [(row["intervals"], row["some"][0]["number"]) for row in result["rows"]] == [(1, 2), (1, 3)]
    assert result["rows"][0]["some"][0] == {
        "number": 2,
        "machine": "blue",
        "start": "0",
        "end": "5/4",
        "weight": "1",
        "b": "1",
    }


def test_what_the_bound_becomes(dualfit: Run) -> None:
    """A = 1/2 + 2 + 1/2 = 3, L = 3/2 + 5/4, W = 9/4: claimed 1/9; times 1/2: -5/9; repaired (7/4 - 11/4) / (9/4)."""
    result = json.loads(dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--json")[1])
    assert result["claimed"] == {"volume": "3", "length": "11/4", "share": "9/4", "bound": "1/9"}
    assert (result["scaling"]["alpha"], result["scaling"]["tight_at"]) == ("1/2", 7)
    assert result["scaling"]["bound"] == "-5/9"
    pointwise = result["repairs"][0]
    assert (pointwise["repair"], pointwise["bound"]) == ("alpha", "-4/9")
    assert (pointwise["lowered"], pointwise["raised"]) == (2, 0)


def test_the_dual_normalisation_is_that_of_whole_jobs(dualfit: Run, tmp_path: Path) -> None:
    """The same numbers per job: a_a = 1 is above 1/2 times 1, and sum b = 9/4 is over 1 by 5/4; bound A - L."""
    code, out, _ = dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--normalisation", "dual", "--json")
    result = json.loads(out)
    assert code == 1
    assert [(row["job"], row["machine"], row["right"]) for row in result["rows"]] == [
        ("a", "red", "1/2"),
        ("a", "blue", "1/2"),
        (7, "blue", "1"),
        ("c", "blue", "1/4"),
    ]
    assert (result["excess"], result["claimed"]["bound"]) == ("5/4", "3/4")
    assert result["scaling"]["whole"] == "4/9"


def test_weights_are_in_the_units_of_the_file(dualfit: Run, tmp_path: Path) -> None:
    """An interval for weight 2 counts 7 and c, not a; one for weight 1/3 counts all; its share is 3."""
    claim = {
        "problem": "weighted",
        "alpha": {"a": 1, "7": 2, "c": 1},
        "intervals": [{"machine": m, "start": 0, "end": 2, "weight": w} for m in ("red", "blue") for w in (2, "1/3")],
    }
    (tmp_path / "claim.json").write_text(json.dumps(claim))
    code, out, _ = dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--json")
    result = json.loads(out)
    assert (code, result["feasible"], result["claimed"]["share"]) == (0, True, "7")
    assert result["repairs"][0]["raised"] == 1


def test_prices_of_load_are_held_against_the_cheapest_eligible_machine(dualfit: Run, tmp_path: Path) -> None:
    """Red costs 1, blue 1/2: a may claim 1/2 only; the certificate of the repair is one of rule C4."""
    claim = {"prices": {"red": 1, "blue": "1/2"}, "alpha": {"a": 1, "7": "1/2", "c": "1/2"}}
    (tmp_path / "claim.json").write_text(json.dumps(claim))
    arguments = ("diagnose", "jobs.json", "--duals", "claim.json", "--problem", "load", "--out", "cert.json", "--json")
    code, out, _ = dualfit(*arguments)
    result = json.loads(out)
    assert (code, [(row["job"], row["machine"]) for row in result["rows"]]) == (1, [("a", "blue")])
    assert result["repairs"][0]["bound"] == "5/6"
    document = json.loads((tmp_path / "cert.json").read_text())
    assert {one["rule"] for one in document["evidence"]} == {"C0", "C4"}
    assert check.check_document(document).verdict == "accepted"


# ---------------------------------------------------------------------- statements
@pytest.mark.parametrize(
    ("alpha", "stated", "code", "standing"),
    [
        (1, ("--bound", "3"), 0, "proven"),
        (1, ("--bound", "7/2"), 1, "false"),
        (1, ("--guess", "2"), 0, "proven"),
        (1, ("--guess", "3"), 1, "false"),
        (2, ("--bound", "3"), 1, "proven"),
    ],
)
def test_the_exit_code_says_whether_the_claim_is_feasible_and_its_statement_true(
    dualfit: Run, tmp_path: Path, alpha: int, stated: tuple[str, str], code: int, standing: str
) -> None:
    """Three jobs at once cost 3: a bound of 3 and a guess of 2 are proven, 7/2 and a guess of 3 are false."""
    three = {"machines": 1, "jobs": [{"id": k, "r": 0, "p": 1} for k in "abc"]}
    (tmp_path / "three.json").write_text(json.dumps(three))
    claim = {"alpha": dict.fromkeys("abc", alpha), "intervals": [{"machine": 1, "start": 0, "end": 0}]}
    (tmp_path / "claim.json").write_text(json.dumps(claim))
    got, out, _ = dualfit("diagnose", "three.json", "--duals", "claim.json", *stated, "--json")
    (statement,) = json.loads(out)["statements"]
    assert (got, statement["standing"]) == (code, standing)


def _stated(dualfit: Run, folder: Path, jobs: list[dict[str, Any]], **stated: Any) -> tuple[int, Any, str]:
    """A claim without duals that states something, about these jobs on two machines."""
    (folder / "jobs.json").write_text(json.dumps({"machines": 2, "jobs": jobs}))
    (folder / "claim.json").write_text(json.dumps({"alpha": {}, "intervals": [], **stated}))
    code, out, err = dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--json")
    return code, json.loads(out), err


def test_a_bound_that_nothing_here_proves_is_open(dualfit: Run, tmp_path: Path) -> None:
    """Jobs of sizes 3, 3 and 5/2 on two machines cost 11/2, the linear program says 17/4: a bound of 5 is neither.

    Beside a false guess it is the guess that is told.
    """
    jobs = [{"id": k, "r": 0, "p": p} for k, p in enumerate((3, 3, "2.5"))]
    code, found, err = _stated(dualfit, tmp_path, jobs, bound=5)
    assert (code, found["statements"][0]["standing"]) == (1, "open")
    assert err == "open: T* >= 5 is neither proven nor refuted\n"
    code, found, err = _stated(dualfit, tmp_path, jobs, bound=5, guess=8)
    assert (code, err) == (1, "false claim: T* > 8\n")


def test_a_bound_is_rounded_up_to_what_the_optimum_can_be(dualfit: Run, tmp_path: Path) -> None:
    """Three jobs of size 2 on two machines cost 4, the linear program says 3: T* is a multiple of 2."""
    jobs = [{"id": k, "r": 2, "p": 2} for k in "abc"]
    code, found, err = _stated(dualfit, tmp_path, jobs, bound=4, guess="7/2")
    assert (code, found["lower"], found["upper"], err) == (0, "4", "4", "")
    assert {one["proven_by"] for one in found["statements"]} == {
        "the linear program, rounded up to a value that T* can have"
    }


def test_what_is_said_of_one_or_none_is_said_in_the_singular(dualfit: Run, tmp_path: Path) -> None:
    """One interval of b = 3/2 with a sum over 1, no jobs, and no table of what no bound becomes."""
    claim = {"normalisation": "dual", "intervals": [{"machine": 1, "start": 0, "end": 0, "b": "3/2"}]}
    (tmp_path / "claim.json").write_text(json.dumps(claim))
    out = dualfit("diagnose", "jobs.json", "--duals", "claim.json")[1]
    assert "1 machine, 1 interval: sum b / weight is 3/2 for 1 interval\n" in re.sub(" +\n", "\n", out)
    assert "1 of 2 constraints violated" in out
    code, found, err = _stated(dualfit, tmp_path, [], bound=0)
    assert (code, err, found["lower"], found["upper"]) == (0, "", "0", "0")
    assert found["statements"][0]["proven_by"] == "nothing: T* is never below 0"
    out = dualfit("diagnose", "jobs.json", "--duals", "claim.json")[1]
    assert "What the bound becomes" not in out
    assert "no constraint to hold" in out


# ---------------------------------------------------------------------- files
@pytest.mark.parametrize("problem", ["max-flow", "energy"])
def test_a_dual_of_a_job_that_was_dropped_is_said_to_be_one(dualfit: Run, tmp_path: Path, problem: str) -> None:
    """Job z of size 0 is in the file, and --zero-size drop leaves it out; y is in no file."""
    (tmp_path / "zero.csv").write_text("id,r,p\na,0,1\nz,0,0\n")
    claim = {"max-flow": {"alpha": {"z": 1, "y": 1}}, "energy": {"phi": {"z": 1, "y": 1}, "grid": [0], "price": []}}
    (tmp_path / "claim.json").write_text(json.dumps(claim[problem]))
    reading = ("--zero-size", "drop", "--machines", "1", *(("--alpha", "2") if problem == "energy" else ()))
    code, _, err = dualfit("diagnose", "zero.csv", "--duals", "claim.json", "--problem", problem, *reading)
    assert code == 2
    assert "of job 'z': dropped when read: got 'z', which is in the file: zero size" in err
    assert "of job 'y': unknown job" in err


def _type(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Give a file on standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))


@pytest.mark.parametrize(
    ("claim", "options"),
    [
        ({"alpha": {"a": 1}, "intervals": []}, ("diagnose",)),
        ({"grid": [0], "price": [], "phi": {"a": 9}}, ("diagnose", "--problem", "energy", "--alpha", "2")),
        ({"T": "0", "b_1_1_1_1": "1"}, ("diagnose",)),
        ({"T": "0", "b_1_1_1_1": "1"}, ("bound",)),
    ],
)
def test_a_dash_is_standard_input_once(
    dualfit: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claim: dict[str, Any], options: tuple[str, ...]
) -> None:
    """The claim of - is that of a file, whatever it is of; FILE and the claim cannot both be standard input."""
    (tmp_path / "claim.json").write_text(json.dumps(claim))
    expected = dualfit(options[0], "jobs.json", "--duals", "claim.json", *options[1:], "--json")
    _type(monkeypatch, tmp_path / "claim.json")
    found = dualfit(options[0], "jobs.json", "--duals", "-", *options[1:], "--json")
    assert found == tuple(part.replace("claim.json", "stdin") if isinstance(part, str) else part for part in expected)
    _type(monkeypatch, tmp_path / "jobs.json")
    code, _, err = dualfit(options[0], "-", "--duals", "-", *options[1:])
    assert code == 2
    assert err.startswith("bad input: --duals: standard input twice")


def test_the_smallest_part_and_its_claim_are_written_and_fail_again(dualfit: Run, tmp_path: Path) -> None:
    """Two files, on which the command says the same again; equal input gives equal bytes."""
    arguments = ("diagnose", "jobs.json", "--duals", "claim.json", "--smallest")
    for name in ("one.json", "two.json"):
        assert dualfit(*arguments, name)[0] == 1
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert (tmp_path / "one.duals.json").read_bytes() == (tmp_path / "two.duals.json").read_bytes()
    code, out, _ = dualfit("diagnose", "one.json", "--duals", "one.duals.json", "--json")
    result = json.loads(out)
    assert (code, result["reading"]["used"]) == (1, 1)
    assert result["rows"]


def test_the_tables_show_the_first_rows_and_how_many_there_are(dualfit: Run) -> None:
    """With --show 1 one row is printed, and the title says of how many."""
    code, out, _ = dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--show", "1")
    assert code == 1
    assert "Violated constraints; the first 1 of 2" in out
    assert "2 of 11 constraints violated" in out
    assert "repair: alpha" in out


# ---------------------------------------------------------------------- arrays
def test_arrays_are_in_arrival_order_and_floats_are_the_decimals_that_they_print() -> None:
    """A float64 of 0.1 is 1/10, three of them are exactly 3/10; how many were read so is said."""
    instance = Instance.from_rows(1, [Row(k, 0, 1) for k in range(3)])
    rows = [(np.int64(0), 0, 0, None, np.float64(0.1))]
    found = diagnose(instance, alpha=np.array([0.1, 0.1, 0.1]), intervals=rows)
    assert found.feasible
    assert found.claim.reckoned() == (Fraction(3, 10), 0, Fraction(1, 10))
    assert found.claim.notes == ("4 binary floats read as the shortest decimals that print them",)
    table = np.array([[0, 0, 0, 1, 0.1]])
    assert diagnose(instance, alpha=np.full(3, 0.1), intervals=table).claim.reckoned() == found.claim.reckoned()
    with pytest.raises(InvalidInput, match="unknown machine"):
        diagnose(instance, alpha=np.full(3, 0.1), intervals=table + 0.5)


def test_one_claim_in_every_form_is_the_same_claim() -> None:
    """Mapping or array, machines by name or from 0, Decimals or texts, an IntervalFamily in ticks, or JSON."""
    instance = _instance()
    assert instance.tick == Fraction(1, 2)
    rows = [("red", "0.5", 2), (1, 0, Decimal("1.5")), (np.int64(1), 2, 2)]
    family = IntervalFamily.of([(0, 0, 1, 4), (1, 0, 0, 3), (1, 0, 4, 4)])
    document = {
        "alpha": {"a": 1, "7": 2, "c": "0.5"},
        "intervals": [
            {"machine": m, "start": s, "end": e} for m, s, e in (("red", "1/2", 2), (2, 0, "1.5"), (2, 2, 2))
        ],
    }
    claims = [
        diagnose(instance, alpha={"a": 1, 7: 2, "c": "0.5"}, intervals=rows).claim,
        diagnose(instance, alpha=[1, 2, Fraction(1, 2)], intervals=family).claim,
        claim_of(instance, document, "claim.json"),
    ]
    assert {one.value for one in claims} == {(1, 2, Fraction(1, 2))}
    assert len({one.reckoned() for one in claims}) == 1
    assert len({tuple(one.least) for one in claims}) == 1


# ---------------------------------------------------------------------- refusals
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"alpha": {"z": 1}}, "alpha of job 'z': unknown job"),
        ({"alpha": {"a": "one"}}, "no number"),
        ({"alpha": [1, 1, 1]}, "$.alpha: wrong type"),
        ({"alpha": None}, "$.alpha: wrong type"),
        ({"beta": {}}, "$.beta: unknown key"),
        ({"intervals": [{"machine": 3, "start": 0, "end": 1}]}, "unknown machine: got 3"),
        ({"intervals": [{"machine": "green", "start": 0, "end": 1}]}, "unknown machine: got 'green'"),
        ({"intervals": [{"machine": 0, "start": 0, "end": 1}]}, "expected a number from 1 to 2 or a machine's name"),
        ({"intervals": [{"machine": True, "start": 0, "end": 1}]}, "unknown machine: got True"),
        ({"intervals": [{"machine": 1, "start": 2, "end": 1}]}, "ends before it starts"),
        ({"intervals": [{"machine": 1, "start": 2}]}, "missing key: got no end"),
        ({"intervals": [{"machine": 1, "start": 0, "end": 1, "weight": 2}]}, "bad weight"),
        ({"intervals": [{"machine": 1, "start": 0, "end": 1, "times": 2}]}, "unknown key"),
        ({"intervals": [7]}, "$.intervals[0]: wrong type"),
        ({"prices": {"1": 1}}, "has no prices"),
        ({"problem": "energy"}, "$.problem: a claim of energy"),
        ({"grid": [0, 1]}, "to fix: give --problem energy"),
        ({"normalisation": "sum"}, "unknown normalisation"),
        ({"bound": "many"}, "no number"),
    ],
)
def test_what_is_no_variable_of_the_program_is_bad_input(
    dualfit: Run, tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    """Exit code 2, with the place in the file; nothing is guessed and nothing left out."""
    (tmp_path / "claim.json").write_text(json.dumps({**CLAIM, **change}))
    code, _, err = dualfit("diagnose", "jobs.json", "--duals", "claim.json")
    assert code == 2
    assert words in err


def test_all_faults_of_a_claim_are_named_at_once(dualfit: Run, tmp_path: Path) -> None:
    """An unknown job and two bad intervals: three problems."""
    intervals = [{"machine": 9, "start": 0, "end": 1}, {"machine": 1, "start": 5, "end": 1}]
    (tmp_path / "claim.json").write_text(json.dumps({"alpha": {"z": 1}, "intervals": intervals}))
    code, out, _ = dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--json")
    assert (code, len(json.loads(out)["problems"])) == (2, 3)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--duals", "nowhere.json"),
        ("--duals", "claim.json", "--out", "claim.json"),
        ("--duals", "claim.json", "--smallest", "claim.json"),
        ("--duals", "claim.json", "--out", "jobs.json"),
        ("--duals", "claim.json", "--smallest", "jobs.json"),
        ("--duals", "claim.json", "--normalisation", "other"),
    ],
)
def test_bad_requests_are_refused(dualfit: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Exit code 2, and the files stay what they were."""
    assert dualfit("diagnose", "jobs.json", *arguments)[0] == 2
    assert json.loads((tmp_path / "jobs.json").read_text()) == INSTANCE
    assert json.loads((tmp_path / "claim.json").read_text()) == CLAIM


def test_an_option_that_contradicts_the_file_is_refused(dualfit: Run, tmp_path: Path) -> None:
    """The file says load, the option weighted."""
    (tmp_path / "claim.json").write_text('{"prices": {}, "problem": "load"}')
    code, _, err = dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--problem", "weighted")
    assert code == 2
    assert "contradicts the file" in err


@pytest.mark.parametrize(
    "arguments",
    [
        {"alpha": [1, 2]},
        {"alpha": [1, 2, float("nan")]},
        {"alpha": [True, 1, 1]},
        {"alpha": {"a": 1, 7: 1, "7": 1}},
        {"intervals": [(0, 0)]},
        {"intervals": ["012"]},
        {"intervals": [(2, 0, 1)]},
        {"intervals": [(0, 0, 1, 2)]},
        {"intervals": IntervalFamily.of([(5, 0, 0, 1)])},
        {},
        *(
            {name: value}
            for name in ("alpha", "intervals")
            for value in (5, 1.5, "123", b"123", {1, 2, 3}, np.array(5))
        ),
        *({"prices": value, "problem": "load"} for value in (5, "12", {1, 2}, np.array(5), [1], [1, None])),
        {"alpha": np.ones((3, 2))},
        {"intervals": {"red": 1}},
        {"intervals": [None]},
        {"alpha": [1, 1, 1], "bound": [1]},
        {"alpha": [1, 1, 1], "problem": ["load"]},
        {"alpha": [1, 1, 1], "normalisation": 5},
        {"intervals": [([], 0, 1)]},
    ],
)
def test_bad_arrays_are_refused(arguments: dict[str, Any]) -> None:
    """Wrong lengths, NaN, booleans, ids twice, intervals that are none, no machines, no sequences, nothing at all."""
    with pytest.raises(InvalidInput):
        diagnose(_instance(), **arguments)


def test_intervals_that_count_nobody_are_said_to(dualfit: Run, tmp_path: Path) -> None:
    """Between releases, or after all of them; those of b = 0 are no intervals."""
    rows = [("red", "0.75", "1.5", 1), ("red", 3, 9, 1), ("blue", 0, 1, 1), ("blue", 5, 6, 0)]
    intervals = [{"machine": m, "start": s, "end": e, "b": b} for m, s, e, b in rows]
    (tmp_path / "claim.json").write_text(json.dumps({"intervals": intervals}))
    code, out, _ = dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--json")
    assert (code, json.loads(out)["idle"]) == (0, 2)
    assert "2 intervals without a job to count" in dualfit("diagnose", "jobs.json", "--duals", "claim.json")[1]


def test_numbers_too_long_for_a_certificate_are_left_out_of_it(dualfit: Run, tmp_path: Path) -> None:
    """Multiplicities of 1800 digits: the diagnosis is exact, the certificate holds what fits, and says so."""
    intervals = [{"machine": m, "start": 0, "end": 2, "b": b} for m, b in ((1, "1e-900"), (2, "1e900"))]
    (tmp_path / "claim.json").write_text(json.dumps({"alpha": {"a": "2e-900"}, "intervals": intervals}))
    code, out, _ = dualfit("diagnose", "jobs.json", "--duals", "claim.json", "--json")
    result = json.loads(out)
    assert (code, result["rows"][0]["deficit"]) == (1, f"1/{10**900}")
    assert result["verdict"] == "accepted"
    assert "of the certificate, the repair by alpha: numbers too long" in result["skipped"]


def test_an_instance_without_jobs_has_nothing_to_violate() -> None:
    """No jobs: no constraint but those of the intervals, T* = 0."""
    found = diagnose(Instance.from_rows(1, []), alpha={}, intervals=[(0, 0, 1)])
    assert found.feasible
    assert (found.lower, found.upper) == (0, 0)
    assert check.check_document(found.certificate()).verdict == "accepted"
