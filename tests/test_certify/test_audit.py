"""The audit of the ledgers: the same report from any number of workers, any order, any interruption."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from multiprocessing import active_children
from pathlib import Path
from random import Random

import pytest
from audit_workers import DEADLY, killed_by_one_task

from certify import check
from certify.audit import plan as plans
from certify.audit.case import Case, Setting, Task
from certify.audit.corpus import CORPORA, case_of, claims_of, place_of
from certify.audit.counterexample import counterexample
from certify.audit.journal import Journal
from certify.audit.measure import done
from certify.audit.page import markdown
from certify.audit.plan import Plan, chunks
from certify.audit.report import Report
from certify.audit.session import audit, journal_of, local
from certify.audit.tally import Line, Sight, Tally
from certify.audit.web_page import web_page
from certify.audit.workers import Workers, here, work
from certify.claims.claim import Verdict
from certify.cli import run
from certify.problems.registry import TRACKS
from online.errors import InvalidInput

PLAN = Plan(("6.4*", "6.5*"), 90, 1)
"""Flow time alone, from tiny to real instances."""


@pytest.fixture(scope="module")
def report() -> Report:
    """One process, from the start."""
    return audit(PLAN, local(PLAN, 1))


def texts(one: Report) -> tuple[str, str, str]:
    """All that is written of a report."""
    return json.dumps(one.to_document()), markdown(one), web_page(one)


def test_every_problem_has_a_corpus() -> None:
    """A problem that joins the tracks joins the audit; flow time plus energy has two ledgers."""
    assert list(CORPORA) == [*TRACKS, "energy", "stochastic"]


def test_a_task_is_a_function_of_its_name_and_the_seed() -> None:
    """Whatever else an audit does: the same instance and settings again, and others for another seed."""
    task = Task("weighted", "small", 5)
    assert case_of(1, task) == case_of(1, Task.of(str(task)))
    assert case_of(1, task) != case_of(2, task)


def test_more_instances_are_those_and_others() -> None:
    """The generated tasks of a larger audit include those of a smaller one; there are as many tasks as asked for."""
    few, many = (Plan(("5.*",), count, 0).tasks() for count in (1500, 1600))
    assert len(few), len(many) == (1500, 1600)
    assert set(few) < set(many)
    assert many == sorted(many, key=place_of)


# ---------------------------------------------------------------------- sums
@pytest.fixture(scope="module")
def parts() -> list[Tally]:
    """What each of some tasks finds."""
    wanted = {problem: frozenset(claim.id for claim in claims_of(problem)) for problem in ("load", "weighted")}
    tasks = [Task("load", "narrowing-unit", k) for k in range(50, 58)] + [
        Task("weighted", "small", k) for k in range(8)
    ]
    return [done(0, task, wanted[task.problem]) for task in tasks]


def test_sums_do_not_depend_on_order_or_grouping(parts: list[Tally]) -> None:
    """In twenty random orders, summed up in groups: the same document, which is read back as it was written."""
    whole = Tally.total(parts).to_document()
    assert whole["lines"]["load"]["5.2"]["sights"]["fails"]["jobs"] == 2
    random = Random(7)
    for _ in range(20):
        mixed = random.sample(parts, len(parts))
        cut = random.randrange(1, len(parts))
        halves = [Tally.total(mixed[:cut]), Tally.from_document(Tally.total(mixed[cut:]).to_document())]
        assert Tally.total(halves).to_document() == whole


def test_counts_of_the_verdicts_add_up(parts: list[Tally]) -> None:
    """Every instance is counted once for every claim, by its worst verdict."""
    total = Tally.total(parts)
    for problem, lines in total.lines.items():
        assert set(lines) == {claim.id for claim in claims_of(problem)}
        assert {line.counts.total() for line in lines.values()} == {8}


def test_what_goes_wrong_is_recorded_by_name(report: Report) -> None:
    """A task that cannot be measured makes the audit say so."""
    lost = done(0, Task("max-flow", "tiny", 10**6), frozenset({"6.4"}))
    assert list(lost.lost) == ["max-flow/tiny/1000000"]
    [*_, fault] = Report(PLAN, Tally.total([report.tally, lost]), {}).faults()
    assert fault.startswith("instances that were not measured: max-flow/tiny/1000000 (IndexError")


# ---------------------------------------------------------------------- workers
def begun(out: Path) -> subprocess.Popen[bytes]:
    """An audit by two processes that stand still in the middle; begun anew where it was through before that."""
    options = ["--instances", str(PLAN.instances), "--seed", str(PLAN.seed), "--workers", "2", "--out", str(out)]
    command = [sys.executable, "-m", "certify.cli", "audit", f"--claims={','.join(PLAN.claims)}", *options]
    journal = Path(f"{out}.journal")
    while True:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
        )
        while process.poll() is None and lines(journal) < 3:
            time.sleep(0.01)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGSTOP)
        if process.poll() is None and 3 <= lines(journal) <= len(chunks(PLAN.tasks())) - 2:
            return process
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        out.unlink(missing_ok=True)
        journal.unlink(missing_ok=True)


def lines(journal: Path) -> int:
    """Whole lines of a journal, its head included; 0 if there is none."""
    try:
        return journal.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def members(group: int) -> list[int]:
    """The living processes of a process group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, of = stat.read_text().rpartition(") ")[2].split()[:3]
            if int(of) == group and state != "Z":
                found.append(int(stat.parent.name))
    return found


@pytest.mark.parametrize("whom", ["all by SIGINT", "one by SIGTERM"])
def test_an_interrupted_audit_goes_on_to_the_same_bytes(report: Report, tmp_path: Path, whom: str) -> None:
    """Two processes, interrupted from the keyboard or asked to terminate, and two others for the rest."""
    out = tmp_path / "audit.json"
    journal = tmp_path / "audit.json.journal"
    with begun(out) as process:
        if whom == "all by SIGINT":
            os.killpg(process.pid, signal.SIGINT)
        else:
            os.kill(process.pid, signal.SIGTERM)
        os.killpg(process.pid, signal.SIGCONT)
        said, _ = process.communicate()
    assert (process.returncode, said.strip()) == (130, b"interrupted")
    assert 0 < len(Journal.resume(journal, PLAN).finished) < PLAN.instances
    subprocess.run([*map(str, process.args), "--resume"], capture_output=True, check=False)  # type: ignore[arg-type, union-attr]
    assert json.loads(out.read_text(encoding="utf-8")) == report.to_document()
    assert not journal.exists()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_no_worker_outlives_the_audit_that_began_it(tmp_path: Path) -> None:
    """The audit is killed; its workers end by themselves, idle or not."""
    with begun(tmp_path / "audit.json") as process:
        assert len(members(process.pid)) >= 3
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        os.killpg(process.pid, signal.SIGCONT)
        until = time.monotonic() + 20
        while members(process.pid) and time.monotonic() < until:
            time.sleep(0.1)
        left = members(process.pid)
        for one in left:
            os.kill(one, signal.SIGKILL)
    assert left == []


def test_a_killed_worker_loses_no_results(report: Report) -> None:
    """One of the two processes is killed in the middle."""
    before, found = set(active_children()), []
    for one in Workers(PLAN, 2).finished(chunks(PLAN.tasks())):
        if not found:
            victim = next(process for process in active_children() if process not in before)
            assert victim.pid is not None
            os.kill(victim.pid, signal.SIGKILL)
        found.append(one)
    assert sorted(name for one in found for name in one.names) == sorted(map(str, PLAN.tasks()))
    assert Tally.total(one.found for one in found).to_document() == report.tally.to_document()


def test_a_task_that_kills_its_workers_is_given_up_by_name() -> None:
    """The others of its chunk are done all the same."""
    chunk = tuple(f"max-flow/tiny/{k}" for k in range(2, 5))
    found = list(Workers(PLAN, 2, killed_by_one_task).finished([chunk, ("max-flow/tiny/7",)]))
    total = Tally.total(one.found for one in found)
    assert list(total.lost) == [DEADLY]
    assert total.instances == {"max-flow/tiny": 3}


# ---------------------------------------------------------------------- journals
def interrupted(out: Path, lines: int) -> Iterator[None]:
    """An audit that ends after so many lines of its journal."""
    journal = journal_of(str(out), PLAN, resume=False)
    for one in list(here(PLAN, chunks(PLAN.tasks())[:lines])):
        journal.record(one.names, one.found)
        yield


def test_an_audit_goes_on_from_its_journal(report: Report, tmp_path: Path) -> None:
    """Also where the last line was torn: what it held is done again, and nothing else is."""
    out = tmp_path / "audit.json"
    list(interrupted(out, 3))
    path = tmp_path / "audit.json.journal"
    data = path.read_bytes()
    for kept in (len(data), len(data) - 40):
        path.write_bytes(data[:kept])
        journal = journal_of(str(out), PLAN, resume=True)
        assert len(journal.finished) == (3 if kept == len(data) else 2)
        assert texts(audit(PLAN, local(PLAN, 1), journal)) == texts(report)


def refusal(path: Path, plan: Plan) -> str:
    with pytest.raises(InvalidInput) as refused:
        Journal.resume(path, plan)
    return str(refused.value)


def test_a_journal_of_something_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of another seed, of another version of the code, changed by hand; and a new audit never writes over one."""
    list(interrupted(tmp_path / "audit.json", 1))
    path = tmp_path / "audit.json.journal"
    assert "other seed" in refusal(path, Plan(PLAN.claims, PLAN.instances, 2))
    assert "other instances" in refusal(path, Plan(PLAN.claims, 91, PLAN.seed))
    with pytest.raises(InvalidInput, match="an unfinished audit"):
        Journal.begin(path, PLAN)
    with monkeypatch.context() as patch:
        patch.setattr(plans, "fingerprint", lambda: "0")
        assert "other code" in refusal(path, PLAN)
    head, line = path.read_text(encoding="utf-8").splitlines()
    path.write_text(f"{head}\n{{}}\n{line}\n", encoding="utf-8")
    assert "line 2 is none of ours" in refusal(path, PLAN)
    path.write_text(f"{head}\n{line[:-9]}\n{line}\n", encoding="utf-8")
    assert "line 2 is no JSON" in refusal(path, PLAN)
    path.write_text("[]\n", encoding="utf-8")
    assert "another file" in refusal(path, PLAN)


# ---------------------------------------------------------------------- reports
def test_the_pages_say_what_the_document_says(report: Report) -> None:
    """Each claim has a line of its own with the numbers of the document."""
    page = markdown(report)
    for claim in report.to_document()["claims"]:
        numbers = [claim[key] for key in ("instances", "non_vacuous", "not_met", "undecided", "fails")]
        [line] = [line for line in page.splitlines() if line.startswith(f"| {claim['id']} |")]
        assert " | ".join(map(str, numbers)) in line
    assert report.to_document()["instances"] == 90
    assert "90 instances, 269 runs; the checker accepted all 269 certificates." in page
    assert "dualfit audit --seed 1 --instances 90 --claims '6.4*' --claims '6.5*' --markdown certify/AUDIT.md" in page


def test_a_failing_claim_is_shown_small_with_its_correction() -> None:
    """Corollary 5.2: whatever it failed on, two jobs on two machines with T = T* = 1 are left."""
    plan = Plan(("5.2*",), 1, 0)
    tally = Tally.total(work(plan, (f"load/narrowing-unit/{k}",)).found for k in range(50, 58))
    sight = tally.lines["load"]["5.2"].sights[Verdict.FAILS]
    one = counterexample(0, "5.2", "load", sight, lambda words: None)
    assert (one.instance.n, one.instance.machines, one.guess, one.optimum) == (2, 2, "1", "1")
    assert one.entry.verdict is Verdict.FAILS
    found = Report(plan, tally, {("load", "5.2"): one})
    assert list(found.faults()) == []
    for page in (markdown(found), web_page(found)):
        assert "1 x release 0; size 1; machines 1" in page
        assert "Corrected by 5.2.corrected: Corollary 5.2 corrected" in page


def test_what_fails_without_a_correction_or_says_nothing_is_a_fault() -> None:
    """And so is a certificate that was not accepted."""
    plan = Plan(("6.13.*",), 10, 0)
    sight = Sight((2, 0, 0), "weighted/tiny/0", 0, True, 1, Fraction(2), Fraction(1), Fraction(-1), "somewhere")
    tally = Tally()
    line = Line()
    line.counts[Verdict.FAILS] = 1
    line.keep(Verdict.FAILS, sight)
    tally.line("weighted", "6.13.queue").add(line)
    assert list(Report(plan, tally, {}).faults()) == [
        "claims that fail and name no correction: 6.13.queue",
        "claims that said nothing on any instance: 6.13.rejected; try more --instances",
    ]
    assert list(Report(plan, Tally(refused=["weighted/tiny/0, run 1"]), {}).faults()) == [
        "runs whose certificate was not accepted: weighted/tiny/0, run 1",
        "claims that said nothing on any instance: 6.13.queue, 6.13.rejected; try more --instances",
    ]


def test_settings_say_what_was_run() -> None:
    """Guesses relative to T*, absolute, and none."""
    half = Fraction(1, 2)
    assert Setting(half).words() == "epsilon 1/2, guess and double"
    assert Setting(half, Fraction(3), options=(("alpha", Fraction(8)),)).words() == "epsilon 1/2, guess 3, alpha 8"
    assert Setting(half, Fraction(1), relative=True).words() == "epsilon 1/2, guess T*"
    assert Setting(half, Fraction(2), relative=True).value(Fraction(5)) == 10


# ---------------------------------------------------------------------- the command
@pytest.mark.slow
def test_the_page_of_the_repository_is_made_again(tmp_path: Path) -> None:
    """The command that certify/AUDIT.md names gives that page, byte for byte."""
    page, again = Path(check.__file__).with_name("AUDIT.md"), tmp_path / "AUDIT.md"
    [command] = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("dualfit audit ")]
    assert run([*shlex.split(command)[1:-1], str(again)]) == 0
    assert again.read_bytes() == page.read_bytes()


def test_the_command_writes_and_cleans_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Report, page and HTML; the journal is gone; a claim that said nothing ends with exit code 1."""
    out, page, html = (tmp_path / name for name in ("audit.json", "AUDIT.md", "audit.html"))
    arguments = ["audit", "--claims", "6.5*", "--instances", "6", "--workers", "1", "--json"]
    code = run([*arguments, "--out", str(out), "--markdown", str(page), "--html", str(html)])
    printed = capsys.readouterr()
    assert code == 1
    assert "incomplete audit: claims that said nothing on any instance: 6.5.chain-a" in printed.err
    assert "try more --instances" in printed.err
    assert printed.out == out.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8").startswith("# Audit of the claims\n")
    assert '<h2 id="s1">[R] section 6.1</h2>' in html.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["AUDIT.md", "audit.html", "audit.json"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--claims", "9.9"], "--claims: no such claim: got 9.9"),
        (["--resume"], "--resume: nothing to resume: got no --out"),
        (["--out", "/nowhere/audit.json"], "/nowhere/audit.json: cannot be written: got the folder /nowhere"),
        (["--claims", ""], "--claims: no such claim: got ''"),
        (["--out", "a.json", "--html", "./a.json"], "--html: the same file twice"),
        (["--workers", "2", "--cluster", "tcp://x:1"], "--cluster: contradicting options"),
        (["--out", "a.json", "--resume"], "a.json.journal: nothing to resume: got no journal"),
        (["--markdown=-x"], "-x: cannot be written"),
    ],
)
def test_bad_requests_are_refused(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With what is missing."""
    monkeypatch.chdir(tmp_path)
    assert run(["audit", "--instances", "5", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_library_that_is_missing_is_named_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """jinja2 for --html, distributed for --cluster."""
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.setitem(sys.modules, "distributed", None)
    for options, extra in ((["--html", str(tmp_path / "a.html")], "report"), (["--cluster", "tcp://x:1"], "cluster")):
        assert run(["audit", "--claims", "6.4", *options]) == 2
        assert f"pip install 'dualfit[{extra}]'" in capsys.readouterr().err


def test_refusals_survive_the_way_between_processes() -> None:
    """A refusal that a worker sends is the same refusal where it arrives."""
    import pickle

    with pytest.raises(InvalidInput) as refused:
        Plan(("9.9",), 1, 0).tasks()
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.problems) == (str(refused.value), refused.value.problems)


def test_planted_optima_are_used_only_where_they_are_planted() -> None:
    """Lures are planted for two weights; for stretch the optimum of the same instance is another one."""
    dice = Task("stretch", "lures", 0).dice(0)
    case = next(one for one in CORPORA["stretch"].families if one.name == "lures").make(dice, 0)
    assert isinstance(case, Case)
    assert case.optimum is None
    assert case_of(0, Task("two-weights", "lures", 0)).optimum is not None
