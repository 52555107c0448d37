"""The corpora: certificates that must be accepted, rejected and refused as malformed."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from certify import check

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "corpus"
CHECKER = ROOT / "certify" / "check.py"


def files(kind: str) -> list[str]:
    return sorted(path.name for path in (CORPUS / kind).glob("*.json"))


def table(kind: str) -> dict[str, dict[str, str]]:
    with (CORPUS / kind / "EXPECTED.tsv").open(encoding="utf-8", newline="") as lines:
        return {row["file"]: row for row in csv.DictReader(lines, delimiter="\t")}


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-I", "-S", str(CHECKER), *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=60)


@pytest.mark.parametrize("name", files("accept"))
def test_accepted_file_leaves_nothing_assumed(name: str) -> None:
    """Each file of the accept corpus is accepted: one line for the instance, one a goal, one where the bounds meet."""
    verdict = check.check_file(str(CORPUS / "accept" / name))
    assert (verdict.verdict, verdict.assumed, verdict.failed) == ("accepted", [], [])
    document = json.loads((CORPUS / "accept" / name).read_bytes())
    goals, bounded = document["goal"], ("upper-bound",) if document["problem"] == "routing" else ("upper-bound", "game")
    optimum = any(line.startswith("T* = ") for line in verdict.shown)
    assert len(verdict.shown) == 1 + len(goals) + optimum
    assert optimum == any(goal["claim"] in bounded for goal in goals)


@pytest.mark.parametrize("name", files("reject"))
def test_rejected_file_fails_by_its_rule_and_place(name: str) -> None:
    """Each file of the reject corpus fails first by the rule and at the place that its table names."""
    verdict, stated = check.check_file(str(CORPUS / "reject" / name)), table("reject")[name]
    assert verdict.verdict == "rejected"
    if stated["rule"] == "assumed":
        assert len(verdict.assumed) == 1
        assert not verdict.failed
    else:
        assert (verdict.failed[0].rule, verdict.failed[0].place) == (stated["rule"], stated["place"])


@pytest.mark.parametrize("name", files("malformed"))
def test_malformed_file_is_refused_with_its_place(name: str) -> None:
    """Each file of the malformed corpus is refused, nothing shown, at the place that its table names."""
    verdict = check.check_file(str(CORPUS / "malformed" / name))
    assert (verdict.verdict, verdict.shown, verdict.assumed) == ("malformed", [], [])
    assert [(one.rule, one.place) for one in verdict.failed] == [("format", table("malformed")[name]["place"])]


def test_tables_name_exactly_the_files() -> None:
    """No file of the reject and malformed corpora is without an expectation, and no expectation without a file."""
    for kind in ("reject", "malformed"):
        assert sorted(table(kind)) == files(kind)
    rules = {row["rule"] for row in table("reject").values()}
    assert rules == {"binding", "ratio", "assumed", *(f"C{k}" for k in (*range(11), "9-drift", "9-backlog", "9-game"))}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("accept/burst-first-in-first-out.json", 0),
        ("accept/instance-in-a-file.json", 0),
        ("reject/bound-above-its-family.json", 1),
        ("reject/bound-without-evidence.json", 1),
        ("malformed/nested-too-deeply.json", 2),
        ("malformed/integer-of-5000-digits.json", 2),
        ("malformed/truncated.json", 2),
        ("malformed/no-such-file.json", 2),
        ("malformed", 2),
    ],
)
def test_isolated_process_returns_the_verdict_as_exit_code(name: str, code: int) -> None:
    """With nothing installed (`-I -S`) the exit code is 0, 1 or 2, the words are on stdout, stderr is empty."""
    done = run(str(CORPUS / name))
    assert (done.returncode, done.stderr) == (code, b"")
    assert done.stdout.split()[0] == [b"accepted", b"rejected", b"malformed"][code]


def test_standard_input_and_json() -> None:
    """`-` reads standard input, and `--json` prints the same verdict as one JSON object."""
    data = (CORPUS / "reject" / "ratio-too-small.json").read_bytes()
    done = run("-", "--json", stdin=data)
    verdict = check.check_document(json.loads(data))
    assert done.returncode == 1
    assert json.loads(done.stdout) == json.loads(verdict.to_json())
    assert json.loads(done.stdout)["failed"][0]["rule"] == "ratio"


def test_instance_in_a_file_is_not_at_hand_for_standard_input() -> None:
    """A certificate that names a file cannot be accepted where no file lies beside it."""
    done = run("-", stdin=(CORPUS / "accept" / "instance-in-a-file.json").read_bytes())
    assert done.returncode == 1
    assert b"assumed: everything" in done.stdout


def test_parsed_certificate_is_accepted_only_with_the_folder_of_its_instance(tmp_path: Path) -> None:
    """`check_document` reads an instance that the certificate names from the folder given, and from nowhere else."""
    document = json.loads((CORPUS / "accept" / "instance-in-a-file.json").read_bytes())
    assert check.check_document(document, folder=str(CORPUS / "accept")).verdict == "accepted"
    for folder in (None, str(tmp_path)):
        verdict = check.check_document(document, folder=folder)
        assert (verdict.verdict, verdict.failed, len(verdict.assumed)) == ("rejected", [], 1)


def test_wrong_usage_is_no_verdict() -> None:
    """Wrong arguments end with 2 and print no verdict."""
    done = run("--frobnicate")
    assert (done.returncode, done.stdout) == (2, b"")


def test_checker_imports_the_standard_library_only() -> None:
    """No module outside the standard library is loaded by the checker."""
    script = (
        "import runpy, sys; sys.argv = ['check.py', sys.argv[1]]\n"
        f"try: runpy.run_path({str(CHECKER)!r}, run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} - sys.stdlib_module_names - {'__main__'}))"
    )
    path = str(CORPUS / "accept" / "burst-first-in-first-out.json")
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script, path], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[0] == "accepted"
    assert done.stdout.splitlines()[-1] == "[]"


def test_failures_beyond_twenty_are_counted() -> None:
    """A run with many faults lists the first twenty and says how many more there are."""
    document = json.loads((CORPUS / "accept" / "burst-first-in-first-out.json").read_bytes())
    document["goal"] = [{"claim": "objective", "value": value} for value in range(100, 130)]
    document["evidence"] = []
    verdict = check.check_document(document)
    assert (len(verdict.failed), verdict.hidden) == (20, 10)
    assert "10 more failures" in str(verdict)


def test_times_are_also_given_in_the_unit_of_the_input() -> None:
    """Where a tick is not one unit of the input, a shown time says both: 10 ticks of 1/4 are 5/2."""
    verdict = check.check_file(str(CORPUS / "accept" / "late-rejection-in-pieces.json"))
    assert "T* >= 10 ticks (5/2 in the input's time unit) (rule C0)" in verdict.shown
    assert any("ratio below 1 is possible" in line for line in verdict.shown)


def test_words_about_a_load_do_not_speak_of_flow_times() -> None:
    """The verdict on a problem says in its first line and in every other what its objective is: loads, not flows."""
    verdict = check.check_file(str(CORPUS / "accept" / "load-of-unit-jobs.json"))
    assert verdict.shown[0].startswith("all of this is about loads in the instance of 8 jobs")
    assert "the largest load of the jobs kept is 4 ticks (rule C2)" in verdict.shown
    assert any(line.startswith("largest load / T* <= 1;") for line in verdict.shown)
    assert "flow" not in str(verdict)
    assert "load" not in str(check.check_file(str(CORPUS / "accept" / "burst-first-in-first-out.json")))
