"""`dualfit compare`: one bound for all, every run certified, no contender lost, the same bytes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from certify import check
from online.algorithm import OnlineAlgorithm
from online.instance import Job
from online.load_witness import LoadWitness
from online.weighted.trail import Trail
from online.witness import Witness

Run = Callable[..., tuple[int, str, str]]

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

JOBS = {
    "machines": 2,
    "jobs": [
        {"id": k, "r": k // 3, "p": 1 + k % 4, "w": 1 + k % 3, "eligible": [1] if k % 2 else [1, 2]} for k in range(14)
    ],
}


class Spendthrift(OnlineAlgorithm):
    """Takes no guess and rejects everybody."""

    takes_guess = False

    def arrive(self, job: Job) -> None:
        return None


class FirstComeFirstServed(Spendthrift):
    """Accepts everybody."""

    def arrive(self, job: Job) -> int:  # type: ignore[override]
        return job.eligible[0]


@pytest.fixture
def jobs(tmp_path: Path) -> str:
    """Fourteen jobs of four sizes on two machines."""
    path = tmp_path / "jobs.json"
    path.write_text(json.dumps(JOBS))
    return str(path)


def _result(answer: tuple[int, str, str]) -> dict[str, Any]:
    code, out, err = answer
    assert (code, err) == (0, "")
    result: dict[str, Any] = json.loads(out)
    return result


@pytest.mark.parametrize("problem", ["max-flow", "load", "weighted", "two-weights", "stretch"])
def test_every_registered_algorithm_has_a_row_for_each_epsilon_and_one_bound(
    problem: str, dualfit: Run, jobs: str, tmp_path: Path
) -> None:
    """All certificates are accepted and claim the bound of the summary; the ratio is objective over bound."""
    result = _result(
        dualfit("compare", jobs, "--problem", problem, "--epsilon", "1/2,1/4", "--out-dir", "out", "--json")
    )
    rows = result["rows"]
    assert [row["epsilon"] for row in rows] == ["1/2", "1/4"] * (len(rows) // 2)
    assert len({row["algorithm"] for row in rows}) == len(rows) // 2
    assert {problem, "greedy-load" if problem == "load" else "hdf-reject"} <= {row["algorithm"] for row in rows}
    saved = {one.name for one in (tmp_path / "out").iterdir()} - {"bounds.cert.json"}
    ran = [row for row in rows if row["refused"] is None]
    assert {Path(row["certificate"]).name for row in ran} == saved
    for row in ran:
        document = json.loads(Path(row["certificate"]).read_text())
        verdict = check.check_document(document)
        assert (verdict.verdict, row["verdict"]) == ("accepted", "accepted")
        bounds = [goal["value"] for goal in document["goal"] if goal["claim"] == "lower-bound"]
        assert bounds == [json.loads((tmp_path / "out/bounds.cert.json").read_text())["goal"][0]["value"]]
        assert Fraction(row["ratio"]) == Fraction(row["objective"]) / Fraction(result["lower"])


def test_an_algorithm_that_does_not_admit_the_instance_has_a_row_that_says_why(dualfit: Run, jobs: str) -> None:
    """`max-flow` is for equal sizes; in the table it has one line for all epsilons."""
    result = _result(dualfit("compare", jobs, "--algorithms", "max-flow,greedy", "--json"))
    refused = [row for row in result["rows"] if row["refused"] is not None]
    assert [(row["algorithm"], row["epsilon"]) for row in refused] == [("max-flow", e) for e in ("1/2", "1/4", "1/8")]
    assert "sizes differ" in refused[0]["refused"]
    table = dualfit("compare", jobs, "--algorithms", "max-flow,greedy")[1]
    assert table.count("not for this instance") == 1
    assert "1/2, 1/4, 1/8" in table


def test_a_speed_is_a_suffix_and_is_named_everywhere(dualfit: Run, jobs: str, tmp_path: Path) -> None:
    """`1+eps` follows epsilon; the table reminds that T* is at speed 1."""
    names = "srpt,srpt@1+eps,srpt@5/4"
    result = _result(
        dualfit("compare", jobs, "--algorithms", names, "--epsilon", "1/2,1/4", "--out-dir", "o", "--json")
    )
    assert [row["speed"] for row in result["rows"]] == ["1", "1", "3/2", "5/4", "5/4", "5/4"]
    faster = result["rows"][3]
    assert faster["objective"] == result["rows"][4]["objective"]
    assert json.loads(Path(faster["certificate"]).read_text())["run"]["speed"] == "5/4"
    assert "T* is always at speed 1" in dualfit("compare", jobs, "--algorithms", names)[1]


def test_same_input_same_bytes(dualfit: Run, jobs: str, tmp_path: Path) -> None:
    """The JSON and the pictures do not depend on when they are made; seconds stand in the table alone."""
    outputs = []
    for turn in ("a", "b"):
        arguments = ("--problem", "weighted", "--algorithms", "all,hdf@1+eps", "--json")
        outputs.append([_result(dualfit("compare", jobs, *arguments, "--plot", f"{turn}.svg"))])
        for kind in ("png", "pdf"):
            _result(dualfit("compare", jobs, "--algorithms", "srpt,edf", "--plot", f"{turn}.{kind}", "--json"))
        outputs[-1] += [(tmp_path / f"{turn}.{kind}").read_bytes() for kind in ("svg", "png", "pdf")]
    assert outputs[0] == outputs[1]
    assert "seconds" not in json.dumps(outputs[0][0])
    assert "seconds" in dualfit("compare", jobs, "--algorithms", "srpt")[1]


def test_constants_go_to_the_algorithms_that_take_them(dualfit: Run, jobs: str) -> None:
    """Without one that does, they are refused."""
    result = _result(dualfit("compare", jobs, "--problem", "weighted", "--alpha", "1", "--epsilon", "1/2", "--json"))
    assert all(row["refused"] is None for row in result["rows"])
    code, _, err = dualfit("compare", jobs, "--algorithms", "fifo", "--alpha", "1")
    assert (code, "--alpha" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--algorithms", "nobody"), "unknown algorithm"),
        (("--algorithms", "greedy-load"), "wrong problem"),
        (("--algorithms", "fifo@fast"), "no speed"),
        (("--algorithms", "fifo@"), "no speed"),
        (("--algorithms", "fifo@0"), "not positive"),
        (("--problem", "load", "--algorithms", "load@2"), "no time"),
        (("--problem", "load", "--algorithms", "load@1+eps"), "no time"),
        (("--epsilon", "1/2,2"), "epsilon"),
        (("--epsilon", "1/2,,1/4"), "number"),
        (("--plot", "x.jpg"), ".svg, .png or .pdf"),
        (("--out-dir", "jobs.json"), "jobs.json"),
        (("--out-dir", ""), "no folder"),
        (("--plot", ""), "no name"),
        (("--algorithms", "nobody"), "--algorithms: unknown"),
        (("--algorithms", "load@2"), "got load, which is for load, expected an algorithm for max-flow"),
    ],
)
def test_what_means_nothing_is_refused(arguments: tuple[str, ...], message: str, dualfit: Run, jobs: str) -> None:
    """With exit code 2 and a message that names it."""
    code, out, err = dualfit("compare", jobs, *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_without_matplotlib_a_plot_is_refused_before_anything_runs(
    dualfit: Run, jobs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the extra."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = dualfit("compare", jobs, "--plot", "x.svg")
    assert (code, out) == (2, "")
    assert "pip install 'dualfit[plot]'" in err


def test_a_run_over_its_budget_is_a_false_claim(dualfit: Run, jobs: str) -> None:
    """It is shown, with the rest, and ends in exit code 1."""
    own = f"{__name__}:Spendthrift"
    sys.modules[__name__].Spendthrift = Spendthrift  # type: ignore[attr-defined]
    code, out, err = dualfit("compare", jobs, "--algorithms", f"greedy,{own}", "--epsilon", "1/2", "--json")
    rows = json.loads(out)["rows"]
    assert [row["over_budget_at"] for row in rows] == [None, 0]
    assert (code, "rejects more than its budget" in err) == (1, True)


class Broken(Spendthrift):
    """Cannot say why."""

    @classmethod
    def explain(cls, run: object, phase: object) -> None:
        raise KeyError("why")


def test_a_class_that_fails_leaves_the_others_in_the_table(dualfit: Run, jobs: str) -> None:
    """Its rows say why, the rest is certified, one JSON value is printed, and the exit code is 2."""
    sys.modules[__name__].Broken = Broken  # type: ignore[attr-defined]
    own = f"{__name__}:Broken"
    code, out, err = dualfit("compare", jobs, "--algorithms", f"greedy,{own},fifo", "--epsilon", "1/2,1/4", "--json")
    rows = json.loads(out)["rows"]
    assert (code, err.count("failed in explain()")) == (2, 1)
    assert [row["failed"] for row in rows] == [False, False, True, True, False, False]
    assert all(row["verdict"] == "accepted" for row in rows if not row["failed"])
    assert rows[2]["refused"].startswith(f"{own}: failed in explain(): got KeyError")
    table = dualfit("compare", jobs, "--algorithms", f"greedy,{own}")[1]
    assert table.count("failed: ") == 1


@pytest.mark.parametrize("witness", [Witness, LoadWitness, Trail, int])
def test_a_witness_that_is_none_is_refused_by_name(witness: type, dualfit: Run, jobs: str) -> None:
    """An object of the right class with nothing in it, or of another class: by `run` and by `compare`."""

    class Empty(FirstComeFirstServed):
        @classmethod
        def explain(cls, run: object, phase: object) -> Any:
            return witness.__new__(witness)

    own = f"{__name__}:Empty"
    sys.modules[__name__].Empty = Empty  # type: ignore[attr-defined]
    for command in (("run", jobs, "--algorithm", own), ("compare", jobs, "--algorithms", own)):
        code, _, err = dualfit(*command, "--epsilon", "1/4")
        assert (code, f"{own}: failed in explain()" in err) == (2, True)


def test_a_ratio_below_one_is_explained_by_what_made_it(dualfit: Run, jobs: str) -> None:
    """By speed where nobody was rejected, by rejections where some were."""
    for command in (("compare", jobs, "--algorithms", "fifo@9"), ("run", jobs, "--algorithm", "fifo", "--speed", "9")):
        text = dualfit(*command, "--epsilon", "1/2")[1]
        assert "The run had faster machines" in text
        assert "The run may reject jobs" not in text
    text = dualfit("compare", jobs, "--algorithms", "hdf-reject", "--epsilon", "1")[1]
    assert "The run may reject jobs" in text
    assert "faster" not in text


def test_an_algorithm_that_fails_is_bad_input_and_no_row(dualfit: Run, jobs: str) -> None:
    """The message names the class and what failed; so does a constant that an algorithm cannot have."""
    sys.modules[__name__].Broken = Broken  # type: ignore[attr-defined]
    code, out, err = dualfit("compare", jobs, "--algorithms", f"{__name__}:Broken")
    assert (code, out) == (2, "")
    assert "failed in explain(): got KeyError" in err
    assert dualfit("compare", jobs, "--problem", "weighted", "--alpha", "3")[0] == 2


def test_no_jobs_no_ratio(dualfit: Run, tmp_path: Path) -> None:
    """The bound is 0, nobody has a ratio, and the picture is empty but there."""
    (tmp_path / "none.json").write_text(json.dumps({"machines": 1, "jobs": []}))
    result = _result(dualfit("compare", "none.json", "--epsilon", "1/2", "--plot", "x.svg", "--json"))
    assert result["lower"] == "0"
    assert {row["ratio"] for row in result["rows"]} == {None}
    assert (tmp_path / "x.svg").exists()


def test_the_bundled_trace(dualfit: Run, tmp_path: Path) -> None:
    """1 500 requests of one size: who rejects nobody stays above the bound, rejecting a tenth brings it down."""
    trace = resources.files("online.data") / "openb-gpuspec33-24nodes.csv"
    names = "max-flow,greedy,srpt,hdf-reject"
    result = _result(
        dualfit("compare", str(trace), "--size", "one:14400", "--epsilon", "1/10", "--algorithms", names, "--json")
    )
    ratios = {row["algorithm"]: Fraction(row["ratio"]) for row in result["rows"]}
    assert ratios["max-flow"] < 1 <= min(ratios["greedy"], ratios["srpt"])
    assert ratios["hdf-reject"] < 1
    assert {row["verdict"] for row in result["rows"]} == {"accepted"}


@pytest.mark.skipif(not DATA.exists(), reason="the real traces are not there")
def test_a_real_trace_with_mixed_sizes(dualfit: Run, tmp_path: Path) -> None:
    """A web server's log by bytes: who rejects nobody is at or above the bound; all certificates are accepted."""
    reading = ("--clf-size", "bytes", "--bytes-per-second", "20000", "--machines", "2")
    trace = str(DATA / "access-1000.clf.log")
    result = _result(dualfit("compare", trace, *reading, "--epsilon", "1/4", "--json"))
    assert result["lower"] == "54306753/20000"
    ran = [row for row in result["rows"] if row["refused"] is None]
    assert {row["verdict"] for row in ran} == {"accepted"}
    assert all(Fraction(row["ratio"]) >= 1 for row in ran if row["rejected"] == 0)
