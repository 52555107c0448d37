"""The command line: results, JSON, exit codes, and no traceback whatever comes in."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import pytest

from certify import check, cli
from online.algorithm import registered

Run = Callable[..., tuple[int, str, str]]

BURST = {"machines": 2, "jobs": [{"id": k, "r": 0, "p": 1, "eligible": [1] if k > 5 else [1, 2]} for k in range(12)]}


@pytest.fixture
def burst(tmp_path: Path) -> str:
    """Twelve unit jobs at once, half of them on machine 1 only."""
    path = tmp_path / "burst.json"
    path.write_text(json.dumps(BURST))
    return str(path)


def test_a_run_prints_one_json_object_with_the_promised_keys(dualfit: Run, burst: str) -> None:
    """The numbers are exact strings, and the checker's verdict is among them."""
    code, out, err = dualfit("run", burst, "--problem", "max-flow", "--epsilon", "1/4", "--json")
    result = json.loads(out)
    assert code == 0
    assert err == ""
    assert set(result) >= {"problem", "algorithm", "epsilon", "jobs", "accepted", "rejected"}
    assert set(result) >= {"objective", "bound", "ratio", "guesses", "verdict"}
    assert result["jobs"] == result["accepted"] + result["rejected"] == 12
    assert Fraction(result["ratio"]) == Fraction(result["objective"]) / Fraction(result["bound"])
    assert result["verdict"] == "accepted"


@pytest.mark.parametrize(("problem", "limit"), [("max-flow", "max_flow.LP_ENTRIES"), ("weighted", "weighted.PAIRS")])
def test_a_run_says_that_a_program_was_too_large(
    problem: str, limit: str, dualfit: Run, burst: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eighteen pairs: at a limit of 18 the program is solved, at one of 17 the result says that it was left out."""
    words = ("run", burst, "--problem", problem, "--epsilon", "1/4")
    for most, left_out in ((18, None), (17, "the linear program, of 18 pairs: give --bound lp, or see dualfit bound")):
        monkeypatch.setattr(f"certify.problems.{limit}", most)
        code, out, _ = dualfit(*words, "--json")
        assert (code, json.loads(out)["left_out"]) == (0, left_out)
    assert "left out" in dualfit(*words)[1]
    assert json.loads(dualfit(*words, "--bound", "lp", "--json")[1])["left_out"] is None


def test_same_input_same_bytes(dualfit: Run, burst: str, tmp_path: Path) -> None:
    """Two runs write the same certificate, byte for byte."""
    for name in ("a", "b"):
        assert dualfit("run", burst, "--epsilon", "1/4", "--out", name)[0] == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_certificate_is_checked_and_bound_to_the_file(dualfit: Run, burst: str, tmp_path: Path) -> None:
    """`check --instance` re-reads the user's file: accepted for the same jobs, rejected for others."""
    assert dualfit("run", burst, "--epsilon", "1/4", "--out", "x.cert.json")[0] == 0
    code, out, _ = dualfit("check", "x.cert.json", "--instance", burst, "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "accepted")
    assert set(json.loads(out)) >= {"verdict", "shown", "assumed", "failed"}
    other = tmp_path / "other.json"
    other.write_text(json.dumps(BURST).replace('"r": 0', '"r": 1', 1))
    code, out, _ = dualfit("check", "x.cert.json", "--instance", str(other), "--json")
    assert (code, json.loads(out)["verdict"]) == (1, "rejected")


def test_the_binding_repeats_how_a_file_was_read(dualfit: Run, tmp_path: Path) -> None:
    """A CSV read with one size for all is read the same way again when the certificate is bound to it."""
    (tmp_path / "t.csv").write_text("# machines: 2\njob,r,p\na,0,3\nb,0.5,4\nc,0.5,5\n")
    assert dualfit("run", "t.csv", "--epsilon", "1/2", "--size", "one", "--out", "t.cert.json")[0] == 0
    code, out, _ = dualfit("check", "t.cert.json", "--instance", "t.csv")
    assert code == 0
    assert "accepted" in out


def test_a_tampered_certificate_is_rejected(dualfit: Run, burst: str, tmp_path: Path) -> None:
    """A larger bound than the evidence gives: exit 1, and the failing rule is named."""
    dualfit("run", burst, "--epsilon", "1/4", "--out", "x.cert.json")
    document = json.loads((tmp_path / "x.cert.json").read_text())
    for goal in document["goal"]:
        if goal["claim"] == "lower-bound":
            goal["value"] = "1000"
    (tmp_path / "x.cert.json").write_text(json.dumps(document))
    code, out, _ = dualfit("check", "x.cert.json", "--json")
    verdict = json.loads(out)
    assert (code, verdict["verdict"]) == (1, "rejected")
    assert verdict["failed"][0]["rule"] == "C3"
    code, out, _ = dualfit("ledger", "x.cert.json", "--json")
    assert code == 1
    assert "error" in json.loads(out)


def test_the_ledger_is_a_list_of_exact_entries(dualfit: Run, burst: str) -> None:
    """Each entry has id, statement, lhs, rhs, slack, verdict; nothing fails."""
    dualfit("run", burst, "--epsilon", "1/4", "--out", "x.cert.json")
    code, out, _ = dualfit("ledger", "x.cert.json", "--json")
    entries = json.loads(out)
    assert code == 0
    assert {"id", "statement", "lhs", "rhs", "slack", "verdict"} <= set(entries[0])
    ids = [entry["id"] for entry in entries]
    assert [
        one for one in ("6.1", "6.2.covering", "6.3", "(4)", "6.4", "6.5.rejected", "6.5.flow") if one not in ids
    ] == []
    assert {entry["verdict"] for entry in entries} <= {"holds", "vacuous", "hypothesis not met"}


def test_a_bound_brackets_the_optimum_and_its_certificate_is_accepted(dualfit: Run, burst: str) -> None:
    """Twelve jobs for two machines, six of them for one only: T* = 6."""
    code, out, _ = dualfit("bound", burst, "--problem", "max-flow", "--method", "lp", "--out", "b.json", "--json")
    result = json.loads(out)
    assert code == 0
    assert (result["lower"], result["method"], result["verdict"]) == ("6", "lp", "accepted")
    assert Fraction(result["upper"]) >= 6
    assert dualfit("check", "b.json", "--instance", burst)[0] == 0


@pytest.mark.parametrize("method", ["lp", "witness", "size"])
def test_every_method_bounds_the_empty_instance_by_zero(dualfit: Run, tmp_path: Path, method: str) -> None:
    """No jobs: T* = 0, which needs no evidence."""
    (tmp_path / "empty.json").write_text('{"machines": 3, "jobs": []}')
    code, out, _ = dualfit("bound", "empty.json", "--method", method, "--json")
    result = json.loads(out)
    assert (code, result["lower"], result["upper"], result["verdict"]) == (0, "0", "0", "accepted")


def test_an_empty_instance_runs(dualfit: Run, tmp_path: Path) -> None:
    """Objective 0, bound 0, ratio null; the certificate is accepted."""
    (tmp_path / "empty.json").write_text('{"machines": 3, "jobs": []}')
    code, out, _ = dualfit("run", "empty.json", "--epsilon", "1/2", "--out", "e.cert.json", "--json")
    result = json.loads(out)
    assert code == 0
    assert [result[key] for key in ("jobs", "rejected", "objective", "bound", "ratio")] == [0, 0, "0", "0", None]
    assert dualfit("run", "empty.json", "--epsilon", "1/2")[0] == 0
    assert dualfit("check", "e.cert.json")[0] == 0
    assert dualfit("ledger", "e.cert.json")[0] == 0


def test_a_guess_below_the_optimum_breaks_the_budget_and_is_refuted(dualfit: Run, burst: str) -> None:
    """Exit 1: more than epsilon is rejected; the certificate shows that T* is larger than the guess."""
    code, out, err = dualfit("run", burst, "--epsilon", "1/4", "--guess", "1", "--json", "--out", "g.cert.json")
    result = json.loads(out)
    assert code == 1
    assert result["refuted_guesses"] == 1
    assert "below the offline optimum" in err
    assert dualfit("check", "g.cert.json")[0] == 0


def test_the_lp_is_printed_as_text_and_latex(dualfit: Run, tmp_path: Path) -> None:
    """Primal and dual, and the algorithm's duals beside the optimal ones."""
    (tmp_path / "two.json").write_text(
        '{"machines": 1, "jobs": [{"id": "a", "r": 0, "p": 1}, {"id": "b", "r": 0, "p": 1}]}'
    )
    code, out, _ = dualfit("lp", "two.json", "--show", "both")
    assert code == 0
    assert "minimise  T" in out
    assert "maximise" in out
    assert "algorithm" in out
    for show, programs in (("primal", 1), ("dual", 1), ("both", 2)):
        latex = dualfit("lp", "two.json", "--show", show, "--latex")[1]
        assert [latex.count(f"\\{word}{{document}}") for word in ("begin", "end")] == [1, 1]
        assert latex.count("\\documentclass") == 1
        assert latex.count("\\begin{align*}") == latex.count("\\end{align*}") == programs
    code, out, _ = dualfit("lp", "two.json", "--show", "dual", "--json")
    assert set(json.loads(out)) >= {"dual", "lp_lower", "lp_upper", "alpha"}
    assert json.loads(out)["lp_lower"] == "2"


def test_mixed_sizes_are_refused_with_a_hint(dualfit: Run, tmp_path: Path) -> None:
    """Exit 2 and the way out."""
    (tmp_path / "m.csv").write_text("# machines: 1\njob,r,p\na,0,1\nb,0,2\n")
    code, _, err = dualfit("run", "m.csv", "--epsilon", "1/2")
    assert code == 2
    assert "--size one" in err


MINE = """
from online.algorithm import OnlineAlgorithm

class RoundRobin(OnlineAlgorithm):
    takes_guess = False
    def __init__(self, setting):
        super().__init__(setting)
        self.turn = 0
    def arrive(self, job):
        self.turn += 1
        return job.eligible[self.turn % len(job.eligible)]
"""


def test_a_users_own_class_runs_and_is_certified(dualfit: Run, burst: str, tmp_path: Path) -> None:
    """A class in the user's own module, by name; its bound comes from the LP or the house's own intervals."""
    (tmp_path / "mine_rr.py").write_text(MINE)
    for bound in ("auto", "witness"):
        code, out, _ = dualfit(
            "run", burst, "--epsilon", "1/4", "--algorithm", "mine_rr:RoundRobin", "--bound", bound, "--json"
        )
        result = json.loads(out)
        assert code == 0
        assert result["algorithm"] == "mine_rr:RoundRobin"
        assert (result["rejected"], result["guesses"], result["verdict"]) == (0, [], "accepted")
        assert Fraction(result["ratio"]) >= 1


@pytest.mark.parametrize(("family", "seed"), [("uniform", "1"), ("bursts", "1"), ("planted", "1"), ("planted", "7")])
def test_generated_instances_run_and_are_reproducible(dualfit: Run, tmp_path: Path, family: str, seed: str) -> None:
    """The same seed gives the same bytes; the instance runs; a planted optimum is bracketed by the LP."""
    command = ("generate", family, "--seed", seed, "--jobs", "60", "--machines", "3")
    code, first, _ = dualfit(*command)
    assert code == 0
    assert dualfit(*command)[1] == first
    assert dualfit(*command, "--out", "g.json") == (0, "", "")
    assert (tmp_path / "g.json").read_text() == first
    code, out, _ = dualfit("run", "g.json", "--epsilon", "1/3", "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "accepted")
    if family == "planted":
        known = Fraction(json.loads(first)["planted"]["optimum"])
        bound = json.loads(dualfit("bound", "g.json", "--json")[1])
        assert Fraction(bound["lower"]) <= known <= Fraction(bound["upper"])
        assert Fraction(bound["lower"]) == known


def test_the_schema_is_printed(dualfit: Run) -> None:
    """`dualfit schema` prints a JSON Schema."""
    code, out, _ = dualfit("schema")
    assert code == 0
    assert json.loads(out)["$schema"].startswith("https://json-schema.org/")


BAD = {
    "zero.json": '{"machines": 1, "jobs": [{"id": 1, "r": 0, "p": 0}]}',
    "ghost.json": '{"machines": 1, "jobs": [{"id": 1, "r": 0, "p": 1, "eligible": [2]}]}',
    "none.json": '{"machines": 1, "jobs": [{"id": 1, "r": 0, "p": 1, "eligible": []}]}',
    "twice.json": '{"machines": 1, "jobs": [{"id": 1, "r": 0, "p": 1}, {"id": 1, "r": 0, "p": 1}]}',
    "minus.json": '{"machines": 1, "jobs": [{"id": 1, "r": -1, "p": 1}]}',
    "nan.json": '{"machines": 1, "jobs": [{"id": 1, "r": NaN, "p": 1}]}',
    "infinity.json": '{"machines": 1, "jobs": [{"id": 1, "r": 0, "p": Infinity}]}',
    "boolean.json": '{"machines": 1, "jobs": [{"id": 1, "r": true, "p": 1}]}',
    "nomachine.json": '{"machines": 0, "jobs": []}',
    "truncated.json": '{"machines": 1, "jobs": [',
    "deep.json": "[" * 100000,
    "huge.json": '{"machines": 1, "jobs": [{"id": 1, "r": ' + "9" * 5000 + ', "p": 1}]}',
    "nothing.json": "",
    "binary.bin": "\x00\x01\x02",
    "words.csv": "job,r,p\na,zero,1\n",
    "short.csv": "job,r,p\na,0\n",
}


@pytest.mark.parametrize("name", sorted(BAD))
@pytest.mark.parametrize("as_json", [False, True])
def test_bad_input_of_every_kind_is_refused_without_a_traceback(
    dualfit: Run, tmp_path: Path, name: str, as_json: bool
) -> None:
    """Exit 2, a message with the file's name, and with --json one JSON object."""
    (tmp_path / name).write_text(BAD[name])
    code, out, err = dualfit("run", name, "--epsilon", "1/2", *(["--json"] if as_json else []))
    assert code == 2
    assert name in err
    assert "Traceback" not in err
    if as_json:
        assert name in json.loads(out)["error"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "missing.json", "--epsilon", "1/2"),
        ("run", "b.json", "--epsilon", "0"),
        ("run", "b.json", "--epsilon", "2"),
        ("run", "b.json", "--epsilon", "x"),
        ("run", "b.json", "--epsilon", "nan"),
        ("run", "b.json"),
        ("run", "b.json", "--epsilon", "1/2", "--guess", "-1"),
        ("run", "b.json", "--epsilon", "1/2", "--guess", "0"),
        ("run", "b.json", "--epsilon", "1/2", "--algorithm", "nobody"),
        ("run", "b.json", "--epsilon", "1/2", "--algorithm", "os:path"),
        ("run", "b.json", "--epsilon", "1/2", "--size", "two"),
        ("run", "b.json", "--epsilon", "1/2", "--size", "one:-3"),
        ("run", "b.json", "--epsilon", "1/2", "--size", "one:0"),
        ("run", "b.json", "--epsilon", "1/2", "--out", "no/such/folder/x"),
        ("run", "b.json", "--epsilon", "1/2", "--strict", "--invalid", "drop"),
        ("run", "b.json", "--epsilon", "1/2", "--problem", "other"),
        ("bound", "b.json", "--method", "other"),
        ("check", "missing.json"),
        ("check", "b.json"),
        ("ledger", "missing.json"),
        ("ledger", "b.json"),
        ("lp", "missing.json"),
        ("generate", "other"),
        ("generate", "uniform", "--jobs", "-1"),
        ("generate", "uniform", "--machines", "0"),
        ("nothing",),
    ],
)
def test_bad_arguments_are_refused_without_a_traceback(
    dualfit: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """Exit 2 and a message on standard error, with --json one JSON object on standard output."""
    (tmp_path / "b.json").write_text(json.dumps(BURST))
    code, out, err = dualfit(*arguments)
    assert code == 2, out + err
    assert err or out
    assert "Traceback" not in err
    if arguments[0] in ("run", "bound", "check", "ledger", "lp"):
        code, out, _ = dualfit(*arguments, "--json")
        assert code == 2
        assert isinstance(json.loads(out), dict)


def _process(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "certify.cli", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, cwd=cwd)


def test_standard_input_and_a_separate_checker(tmp_path: Path) -> None:
    """`-` reads standard input; the certificate is accepted by the checker with nothing installed."""
    out = tmp_path / "x.cert.json"
    done = _process("run", "-", "--epsilon", "1/4", "--out", str(out), "--json", stdin=json.dumps(BURST).encode())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["reading"]["file"] == "standard input"
    alone = [sys.executable, "-I", "-S", str(check.__file__), str(out)]
    verdict = subprocess.run(alone, capture_output=True, text=True, check=False)
    assert verdict.returncode == 0, verdict.stdout
    piped = _process("check", "-", "--json", stdin=out.read_bytes())
    assert json.loads(piped.stdout)["verdict"] == "accepted"


def test_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    """Certificates are the same under PYTHONHASHSEED = 0, 1, 2."""
    path = tmp_path / "b.json"
    path.write_text(json.dumps(BURST))
    texts = set()
    for seed in ("0", "1", "2"):
        out = tmp_path / f"{seed}.cert.json"
        command = [sys.executable, "-m", "certify.cli", "run", str(path), "--epsilon", "1/4", "--out", str(out)]
        subprocess.run(command, env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"}, check=True, capture_output=True)
        texts.add(out.read_bytes())
    assert len(texts) == 1


def test_the_demo_ends_with_a_ratio_and_accepted(dualfit: Run, tmp_path: Path) -> None:
    """Rejections, a doubling, a certified ratio, and the separate checker's word."""
    code, out, _ = dualfit("demo")
    assert code == 0
    assert "accepted\n  shown" in out
    document: dict[str, Any] = json.loads((tmp_path / "demo.cert.json").read_text())
    run = document["run"]
    assert -1 in run["dispatch"]
    assert len(run["phases"]) == 2
    assert "ratio" in [goal["claim"] for goal in document["goal"]]


@pytest.mark.parametrize(("name", "optimum"), [("hurink-edata-la01.csv", "609"), ("hurink-vdata-la40.csv", "765")])
def test_restricted_assignment_optima_are_bracketed_exactly(dualfit: Run, name: str, optimum: str) -> None:
    """Published optima 609 and 765 (where the LP has 764.8): lower = upper, and the checker accepts the lower bound."""
    file = str(Path(__file__).parent.parent / "cases" / name)
    for method in ("flow", "exact"):
        code, out, _ = dualfit("bound", file, "--problem", "load", "--method", method, "--out", "l.json", "--json")
        result = json.loads(out)
        assert (code, result["lower"], result["upper"], result["verdict"]) == (0, optimum, optimum, "accepted")
        assert dualfit("check", "l.json", "--instance", file)[0] == 0


@pytest.mark.parametrize("method", ["flow", "lp", "exact", "witness", "size"])
def test_every_method_bounds_a_load_from_below(dualfit: Run, burst: str, method: str) -> None:
    """Twelve unit jobs, six of them for machine 1 only: T* = 6; every method stays below and is accepted."""
    code, out, _ = dualfit("bound", burst, "--problem", "load", "--method", method, "--json")
    result = json.loads(out)
    assert (code, result["verdict"], result["upper"]) == (0, "accepted", "6")
    assert Fraction(result["lower"]) <= 6
    assert method in ("witness", "size") or result["lower"] == "6"


def test_a_real_trace_by_volume(dualfit: Run, tmp_path: Path) -> None:
    """The GPU trace with its true sizes: general sizes, doublings, rejections, an accepted certificate, a ledger."""
    trace = str(Path(cli.__file__).parent.parent / "online" / "data" / "openb-gpuspec33-24nodes.csv")
    code, out, _ = dualfit("run", trace, "--problem", "load", "--epsilon", "1/8", "--out", "v.cert.json", "--json")
    result = json.loads(out)
    assert (code, result["algorithm"], result["verdict"]) == (0, "load", "accepted")
    assert result["rejected"] > 0
    assert len(result["guesses"]) > 1
    assert result["unrefuted_guesses"] == 0
    document = json.loads((tmp_path / "v.cert.json").read_text())
    assert all(one["origin"] for one in document["evidence"])
    code, out, _ = dualfit("ledger", "v.cert.json", "--json")
    assert code == 0
    assert {"5.1", "5.3.rejected", "5.4.iii", "5.5.load", "5.6", "5.7"} <= {entry["id"] for entry in json.loads(out)}


def test_the_default_algorithm_of_load_fits_the_sizes(dualfit: Run, tmp_path: Path) -> None:
    """Equal sizes, sizes within a factor two, others."""
    for sizes, name in (([2, 2], "load-unit"), ([2, 3], "load-bounded"), ([1, 2], "load")):
        jobs = [{"id": k, "r": 0, "p": p} for k, p in enumerate(sizes)]
        (tmp_path / "s.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
        code, out, _ = dualfit("run", "s.json", "--problem", "load", "--epsilon", "1/2", "--json")
        assert (code, json.loads(out)["algorithm"]) == (0, name)


def test_a_negative_class_and_twelve_orders_of_magnitude(dualfit: Run, tmp_path: Path) -> None:
    """Sizes from 0.000001 to 1000000, exactly: the certificate is accepted and bound to the file."""
    rows = "\n".join(f"j{k},0,{10 ** (k % 7)}\ns{k},0,0.{'0' * (k % 6)}1" for k in range(60))
    (tmp_path / "wide.csv").write_text("# machines: 2\njob,r,p\n" + rows + "\n")
    code, out, _ = dualfit("run", "wide.csv", "--problem", "load", "--epsilon", "1/4", "--out", "w.json", "--json")
    result = json.loads(out)
    assert (code, result["verdict"], result["algorithm"]) == (0, "accepted", "load")
    assert dualfit("check", "w.json", "--instance", "wide.csv")[0] == 0


def test_the_lp_of_load_balancing_is_printed(dualfit: Run, burst: str) -> None:
    """Primal and dual as in section 5, and the algorithm's machine set beside the optimal prices."""
    code, out, _ = dualfit("lp", burst, "--problem", "load", "--json")
    result = json.loads(out)
    assert code == 0
    assert "load of machine 1" in result["primal"]
    assert result["lp_lower"] == result["lp_upper"] == "6"
    assert result["own_bound"] == "6"
    assert sum(Fraction(one["beta"]) for one in result["beta"]["own"]) == 1


# ---------------------------------------------------------------------- hostile surroundings
def test_tiny_guesses_and_late_epochs_do_not_overflow(dualfit: Run, tmp_path: Path) -> None:
    """Times in ever finer parts of a tick go to Python integers: the same bound as near the origin, no traceback."""
    rows = ["0,2000000000000,1,1|2", "1,0,1,2", "2,2000000000000,1,1", "3,3000000000001,1,1|2"]
    (tmp_path / "late.csv").write_text("# machines: 2\njob,r,p,eligible\n" + "\n".join(rows) + "\n")
    for guess in ("1e-18", "1e-19", "1e-300", "1/7"):
        arguments = ("run", "late.csv", "--epsilon", "1/4", "--guess", guess, "--bound", "none", "--json")
        code, out, err = dualfit(*arguments)
        assert (code, json.loads(out)["verdict"]) == (1, "accepted"), err
    epoch = 1_700_000_000
    for name, origin in (("near", 0), ("far", epoch)):
        jobs = [{"id": k, "r": f"{origin + k // 3}.{k:09d}", "p": 1} for k in range(12)]
        (tmp_path / f"{name}.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    bounds = [
        json.loads(dualfit("run", f"{name}.json", "--epsilon", "1/2", "--bound", "none", "--json")[1])["bound"]
        for name in ("near", "far")
    ]
    assert bounds[0] == bounds[1]


def test_names_are_shown_as_they_are(dualfit: Run, tmp_path: Path) -> None:
    """Brackets in ids, machine names and file names are no mark-up."""
    jobs = [{"id": "[/q]", "r": -1, "p": 1}, {"id": "b[red]", "r": 0, "p": 1}]
    (tmp_path / "x[red].json").write_text(json.dumps({"machines": 1, "machine_names": ["[/]"], "jobs": jobs}))
    code, out, err = dualfit("run", "x[red].json", "--epsilon", "1/4", "--invalid", "drop", "--out", "c[b].cert")
    assert (code, err) == (0, "")
    assert "[/q]" in out
    assert "x[red].json" in out
    assert "c[b].cert" in out
    assert "b[red]" in dualfit("lp", "x[red].json", "--invalid", "drop")[1]
    assert dualfit("ledger", "c[b].cert")[0] == 0


BROKEN = """
from online.algorithm import OnlineAlgorithm
import numpy, sys

class Base(OnlineAlgorithm):
    takes_guess = False
    def arrive(self, job): return 0

class Raises(Base):
    def arrive(self, job): raise KeyError("mine")
class Exits(Base):
    def arrive(self, job): raise SystemExit(0)
class Array(Base):
    def arrive(self, job): return numpy.array([0, 1])
class Boolean(Base):
    def arrive(self, job): return False
class Real(Base):
    def arrive(self, job): return 0.0
class Constructor(Base):
    def __init__(self): pass
class Finish(Base):
    def finish(self): raise RuntimeError("late")
class Explains(Base):
    @classmethod
    def explain(cls, run, phase): raise ValueError("why")
class Prunes(Base):
    def prune(self): return [99]
class Twice(Base):
    def prune(self): return [0]
class Abstract(OnlineAlgorithm): pass
class PrunesText(Base):
    def prune(self): return ["a"]
class PrunesNothing(Base):
    def prune(self): return None
class PrunesFlag(Base):
    def prune(self): return [True]
class Guesses(Base):
    takes_guess = True
    @classmethod
    def first_guess(cls, instance): return -1
class GuessesReal(Guesses):
    @classmethod
    def first_guess(cls, instance): return 1.5
class PrunesUnderGuesses(Base):
    takes_guess = True
    def prune(self): return [77]
class Admits(Base):
    @classmethod
    def admits(cls, instance): raise LookupError("no")
class ExplainsText(Base):
    @classmethod
    def explain(cls, run, phase): return "because"
class Exact(Base):
    def arrive(self, job):
        from fractions import Fraction
        return Fraction(0)
class Prints(Base):
    def arrive(self, job):
        print("hello")
        return 0
"""


@pytest.mark.parametrize(
    "name",
    [one for one in re.findall(r"^class (\w+)", BROKEN, re.MULTILINE) if one not in ("Base", "Prints")],
)
def test_a_users_broken_class_is_blamed_without_a_traceback(
    dualfit: Run, burst: str, tmp_path: Path, name: str
) -> None:
    """Whatever it raises or returns: exit 2, its name in the message, one JSON object."""
    (tmp_path / "broken_algorithms.py").write_text(BROKEN)
    command = ("run", burst, "--epsilon", "1/4", "--algorithm", f"broken_algorithms:{name}", "--json")
    code, out, err = dualfit(*command)
    assert code == 2, out
    assert "Traceback" not in err
    assert "error" in json.loads(out)


def test_what_a_users_class_prints_stays_off_standard_output(dualfit: Run, burst: str, tmp_path: Path) -> None:
    """--json is one JSON object even then; a guess for a class that takes none is refused."""
    (tmp_path / "broken_algorithms.py").write_text(BROKEN)
    command = ("run", burst, "--epsilon", "1/4", "--algorithm", "broken_algorithms:Prints")
    code, out, err = dualfit(*command, "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "accepted")
    assert "hello" in err
    assert dualfit(*command, "--guess", "3")[0] == 2


def test_a_ledger_runs_no_module_that_only_the_certificate_names(dualfit: Run, burst: str, tmp_path: Path) -> None:
    """A foreign certificate executes nothing; named on the command line the class is imported."""
    (tmp_path / "side_effect.py").write_text("open('ran', 'w').close()\n" + MINE)
    dualfit("run", burst, "--epsilon", "1/4", "--algorithm", "side_effect:RoundRobin", "--out", "s.cert.json")
    sys.modules.pop("side_effect")
    (tmp_path / "ran").unlink()
    code, out, _ = dualfit("ledger", "s.cert.json", "--json")
    assert code == 0
    assert {entry["verdict"] for entry in json.loads(out)} == {"vacuous"}
    assert not (tmp_path / "ran").exists()
    assert dualfit("ledger", "s.cert.json", "--algorithm", "side_effect:RoundRobin")[0] == 0
    assert (tmp_path / "ran").exists()


def test_ledgers_of_certificates_without_parameters_are_refused(dualfit: Run, burst: str, tmp_path: Path) -> None:
    """The format does not ask for epsilon, the ledger does: exit 2, no traceback."""
    dualfit("run", burst, "--epsilon", "1/4", "--out", "x.cert.json")
    document = json.loads((tmp_path / "x.cert.json").read_text())
    for parameters in ({}, {"epsilon": "junk"}, None):
        document["run"]["parameters"] = parameters
        if parameters is None:
            del document["run"]["parameters"]
        (tmp_path / "p.cert.json").write_text(json.dumps(document))
        assert dualfit("check", "p.cert.json")[0] == 0
        code, _, err = dualfit("ledger", "p.cert.json")
        assert code == 2
        assert "epsilon" in err


def test_nesting_holds_at_any_magnitude(dualfit: Run, tmp_path: Path) -> None:
    """Sizes of 10^25 and a guess of 10^-40: no claim of the ledger fails."""
    jobs = [{"id": k, "r": k * 5 * 10**24, "p": 10**25} for k in range(3)]
    (tmp_path / "far.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    dualfit("run", "far.json", "--epsilon", "1/4", "--guess", "1e-40", "--out", "far.cert")
    assert dualfit("ledger", "far.cert")[0] == 0


def test_numbers_that_no_solver_takes_fall_back_to_the_witness(dualfit: Run, tmp_path: Path) -> None:
    """A size of 10^301 runs with --bound auto; with --bound lp it is refused."""
    (tmp_path / "huge.json").write_text('{"machines": 1, "jobs": [{"id": "a", "r": 0, "p": 1e301}]}')
    code, out, _ = dualfit("run", "huge.json", "--epsilon", "1/4", "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "accepted")
    assert dualfit("run", "huge.json", "--epsilon", "1/4", "--bound", "lp")[0] == 2


def test_zero_sizes_are_refused_where_the_model_has_none(dualfit: Run, tmp_path: Path) -> None:
    """SWF keeps run time 0 as a request; run and bound then ask for --size one or --zero-size drop."""
    line = "{} 0 -1 {} 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    (tmp_path / "z.swf").write_text("; Version: 2.2\n" + line.format(1, 0) + line.format(2, 0))
    for command in (("bound", "z.swf"), ("run", "z.swf", "--epsilon", "1/2"), ("lp", "z.swf")):
        code, _, err = dualfit(*command)
        assert code == 2
        assert "--size one" in err
    assert dualfit("run", "z.swf", "--epsilon", "1/2", "--size", "one")[0] == 0


def test_an_output_file_never_replaces_the_input(dualfit: Run, burst: str) -> None:
    """--out FILE is refused for run and bound, and so is `-`."""
    before = Path(burst).read_bytes()
    for command in (("run", burst, "--epsilon", "1/4"), ("bound", burst)):
        assert dualfit(*command, "--out", burst)[0] == 2
        assert dualfit(*command, "--out", "-")[0] == 2
    assert Path(burst).read_bytes() == before


def test_strict_contradicts_every_lenient_option(dualfit: Run, burst: str) -> None:
    """--strict with drop, keep or reject is refused."""
    for option in (("--unplaceable", "drop"), ("--zero-size", "keep"), ("--unplaceable", "reject")):
        assert dualfit("run", burst, "--epsilon", "1/4", "--strict", *option)[0] == 2


def test_jobs_rejected_at_the_door_are_reported_outside_the_budget(dualfit: Run, tmp_path: Path) -> None:
    """The account says how many and their weight, and that the budget does not count them."""
    (tmp_path / "d.csv").write_text("# machines: 2\njob,r,p,eligible\na,0,1,3\nb,0,1,1\n")
    code, out, _ = dualfit("run", "d.csv", "--epsilon", "1/4", "--unplaceable", "reject")
    assert code == 0
    assert "outside the budget" in out
    result = json.loads(dualfit("run", "d.csv", "--epsilon", "1/4", "--unplaceable", "reject", "--json")[1])
    assert result["reading"]["rejected_at_the_door"] == {"count": 1, "weight": "1"}


def test_every_command_has_json(dualfit: Run, tmp_path: Path) -> None:
    """Also schema, generate and demo print one JSON value."""
    for command in (
        ("schema",),
        ("generate", "uniform", "--jobs", "3"),
        ("generate", "uniform", "--out", "u"),
        ("demo",),
    ):
        code, out, _ = dualfit(*command, "--json")
        assert code == 0
        assert isinstance(json.loads(out), dict)


@pytest.mark.parametrize("closed", ["pipe", "full"])
def test_output_that_nobody_takes_ends_without_a_traceback(burst: str, closed: str) -> None:
    """A reader that left: 141; a full device: 2; the checker alone keeps its verdict."""
    for command in (["-m", "certify.cli", "run", burst, "--epsilon", "1/4", "--json"], ["-m", "certify.cli", "schema"]):
        if closed == "full":
            with open("/dev/full", "wb") as full:
                done = subprocess.run([sys.executable, *command], stdout=full, stderr=subprocess.PIPE, check=False)
            code, err = done.returncode, done.stderr
        else:
            process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            err = process.stderr.read()
            process.stderr.close()
            code = process.wait()
        assert b"Traceback" not in err
        assert code == (2 if closed == "full" else 141)


def test_each_refutation_cites_its_own_evidence_and_bytes_repeat(dualfit: Run, tmp_path: Path) -> None:
    """Many doublings: the same bytes each time, and no two refuted guesses share evidence by accident."""
    jobs = [{"id": k, "r": 0, "p": 4**k, "eligible": [1 + k % 2]} for k in range(12)]
    (tmp_path / "mid.json").write_text(json.dumps({"machines": 2, "jobs": jobs}))
    texts = set()
    for _ in range(3):
        dualfit("run", "mid.json", "--problem", "load", "--epsilon", "1/4", "--out", "m.cert.json")
        texts.add((tmp_path / "m.cert.json").read_bytes())
    assert len(texts) == 1
    document = json.loads(texts.pop())
    refuted = [goal for goal in document["goal"] if goal["claim"] == "refuted-guess"]
    assert len(refuted) > 3
    for goal in refuted:
        guess = document["run"]["phases"][goal["phase"]]["guess"]
        origin = document["evidence"][goal["evidence"]]["origin"]
        assert origin.endswith(f"guess T = {guess}") or "LP" in origin or "job" in origin


@pytest.mark.parametrize("epsilon", ["0", "2", "-1", "1/0", "abc", "1/3", "5/14"])
def test_a_ledger_is_about_the_run_that_is_recorded(dualfit: Run, burst: str, tmp_path: Path, epsilon: str) -> None:
    """Another epsilon written into the certificate is noticed: no number (2), or not what the algorithm does (1)."""
    for problem in ("max-flow", "load"):
        dualfit("run", burst, "--problem", problem, "--epsilon", "1/4", "--out", "x.cert.json")
        document = json.loads((tmp_path / "x.cert.json").read_text())
        document["run"]["parameters"]["epsilon"] = epsilon
        (tmp_path / "e.cert.json").write_text(json.dumps(document))
        code, out, err = dualfit("ledger", "e.cert.json", "--json")
        assert code == (1 if epsilon in ("1/3", "5/14") else 2), out
        assert "error" in json.loads(out)
        assert "Traceback" not in err


def test_numbers_that_lie_too_far_apart_are_refused_at_the_door(dualfit: Run, tmp_path: Path) -> None:
    """10^-999 beside 10^999 has no common tick that a certificate can hold; 10^-400 beside 10^400 runs."""
    for exponent, expected in ((999, 2), (400, 0)):
        jobs = f'[{{"id": 1, "r": 0, "p": 1e-{exponent}}}, {{"id": 2, "r": 0, "p": 1e{exponent}}}]'
        (tmp_path / "wide.json").write_text(f'{{"machines": 2, "jobs": {jobs}}}')
        code, _, err = dualfit("run", "wide.json", "--problem", "load", "--epsilon", "1/4")
        assert code == expected, err
        assert dualfit("bound", "wide.json", "--problem", "load")[0] == expected


def test_the_witness_of_a_run_can_be_seen(dualfit: Run, burst: str) -> None:
    """Twelve unit jobs at once, T = 4, epsilon 1/2: levels with m_l intervals; for load M_s with m_s and J(sT)."""
    code, out, _ = dualfit("run", burst, "--epsilon", "1/2", "--guess", "4", "--witness", "--json")
    rows = json.loads(out)["witness"]
    assert code == 0
    assert [(row["l"], row["m_l"], row["L_l"]) for row in rows] == [("1", "1", "0"), ("2", "1", "0")]
    code, out, _ = dualfit("run", burst, "--problem", "load", "--epsilon", "1/2", "--guess", "4", "--witness", "--json")
    rows = json.loads(out)["witness"]
    assert [(row["s"], row["m_s"], row["M_s"]) for row in rows] == [("0", "2", "1 2"), ("1", "1", "1"), ("2", "1", "1")]
    assert [row["vol J(sT)"] for row in rows] == ["12", "5", "1"]
    assert "M_s" in dualfit("run", burst, "--problem", "load", "--epsilon", "1/2", "--witness")[1]


def test_the_help_of_run_names_every_registered_algorithm(capsys: pytest.CaptureFixture[str]) -> None:
    """With a few words on each baseline's rule; the README and the glossary name all baselines."""
    assert cli.run(["run", "--help"]) == 0
    words = set(re.split(r"[\s,.;:]+", capsys.readouterr().out))
    own = {"edf", "fifo", "greedy", "greedy-load", "hdf", "hdf-reject", "per-size", "spt", "srpt", "threshold-load"}
    assert own < registered().keys() <= words
    for page in ("README.md", "online/GLOSSARY.md"):
        text = (Path(__file__).resolve().parents[2] / page).read_text(encoding="utf-8")
        assert all(f"`{name}`" in text for name in own)


def test_every_command_goes_by_its_name() -> None:
    """The table of modules leads to commands of the names it gives, `schema` beside them."""
    context = click.Context(cli.dualfit)
    for name in cli.dualfit.list_commands(context):
        command = cli.dualfit.get_command(context, name)
        assert command is not None
        assert command.name == name


def test_a_command_imports_no_other_large_one() -> None:
    """`dualfit bound` starts without the audit and the search."""
    script = (
        "import sys; from certify import cli; cli.run(['bound', '--help']); "
        "print([name for name in sys.modules if name.startswith(('certify.audit', 'certify.search'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
