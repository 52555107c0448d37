"""Snapshots: what is recorded comes out again, and whatever comes out otherwise is said, exactly."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from certify import cli
from certify.claims import max_flow
from certify.regress import check, record
from certify.regress.settings import Settings
from certify.regress.snapshot import FILE, Snapshot
from online.algorithm import OnlineAlgorithm
from online.errors import InvalidInput
from online.flow_time.max_flow import LeastLoaded
from online.instance import Job

Run = Callable[..., tuple[int, Any, str]]

BURST = {"machines": 2, "jobs": [{"id": k, "r": 0, "p": 2, "eligible": [1] if k > 5 else [1, 2]} for k in range(12)]}
THREE = {"machines": 1, "jobs": [{"id": k, "r": k, "p": 3} for k in range(3)]}
QUARTER = Settings.of("run", "max-flow", {"epsilon": "1/4", "speed": "1", "bound": "auto"})
QUESTION = ("--epsilon", "1/4")


class FirstMachine(OnlineAlgorithm):
    """Sends every job to the first machine that may run it."""

    takes_guess = False

    def arrive(self, job: Job) -> int:
        return job.eligible[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two instances, one in a sub-folder, under names that are not ASCII."""
    place = tmp_path / "instances"
    (place / "klein é").mkdir(parents=True)
    (place / "burst.json").write_text(json.dumps(BURST))
    (place / "klein é" / "drei-三.json").write_text(json.dumps(THREE))
    return place


@pytest.fixture
def dualfit(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line with --json: exit code, the JSON value, standard error."""

    def run(*arguments: object) -> tuple[int, Any, str]:
        code = cli.run([*map(str, arguments), "--json"])
        captured = capsys.readouterr()
        return code, json.loads(captured.out), captured.err

    return run


def _edit(folder: Path, change: Callable[[Any], None]) -> None:
    document = json.loads((folder / FILE).read_text(encoding="utf-8"))
    change(document)
    (folder / FILE).write_text(json.dumps(document), encoding="utf-8")


def _case(document: Any, file: str = "burst.json") -> Any:
    (only,) = document["records"].values()
    return only["cases"][file]


@pytest.mark.parametrize(
    "words",
    [
        ("record", "--epsilon", "1/4"),
        ("record", "--epsilon", "0.5", "--guess", "3/2", "--size", "one:1"),
        ("record", "--problem", "load", "--epsilon", "1/4", "--alpha", "2"),
        ("record", "--problem", "weighted", "--epsilon", "1/2", "--alpha", "1"),
        ("record", "--problem", "stretch", "--algorithm", "hdf", "--speed", "5/4", "--epsilon", "1/4", "--strict"),
        ("record-bounds", "--problem", "weighted", "--method", "hall"),
        ("record-bounds",),
    ],
)
def test_what_was_recorded_comes_out_again(words: tuple[str, ...], dualfit: Run, folder: Path) -> None:
    """Any options of run and bound: no difference, and recording again changes not a byte of the snapshot."""
    code, result, _ = dualfit("regress", words[0], folder, *words[1:])
    before = (folder / FILE).read_bytes()
    assert (code, list(result["cases"]), result["changes"]) == (0, ["burst.json", "klein é/drei-三.json"], [])
    code, found, _ = dualfit("regress", "check", folder)
    assert (code, found["same"], found["cases"]) == (0, True, 2)
    code, result, _ = dualfit("regress", words[0], folder, *words[1:])
    assert (code, result["changes"], result["added"]) == (0, [], [])
    assert (folder / FILE).read_bytes() == before


def test_energy_is_recorded_too(dualfit: Run, folder: Path) -> None:
    """A run with speeds, its bracket, and the theorems come out again; a power function in a table is refused."""
    (folder / "burst.json").unlink()
    for words in (("record", "--algorithm", "srpt"), ("record-bounds",)):
        code, result, _ = dualfit("regress", words[0], folder, "--problem", "energy", "--alpha", "2", *words[1:])
        assert (code, len(result["added"])) == (0, 1)
    assert dualfit("regress", "check", folder)[:2] == (
        0,
        {"same": True, "cases": 2, "differences": [], "notes": [], "versions": []},
    )
    code, result, _ = dualfit("regress", "record", folder, "--problem", "energy", "--power", "table:speeds.csv")
    assert (code, "table" in result["error"]) == (2, True)


def test_a_changed_job_is_said_with_the_exact_difference(dualfit: Run, folder: Path) -> None:
    """Each of twelve sizes 2 becomes 3: another instance, objective and bound larger by a half."""
    dualfit("regress", "record", folder, *QUESTION)
    before = _case(json.loads((folder / FILE).read_text(encoding="utf-8")))
    (folder / "burst.json").write_text(json.dumps(BURST).replace('"p": 2', '"p": 3'))
    code, found, err = dualfit("regress", "check", folder)
    assert (code, err) == (1, "false claim: not as recorded: burst.json\n")
    lines = {one["field"]: one for one in found["differences"]}
    assert {one["file"] for one in found["differences"]} == {"burst.json"}
    assert lines["instance_sha256"]["expected"] == before["instance_sha256"]
    assert lines["objective"]["change"] == str(int(before["objective"]) // 2)
    assert {one["direction"] for one in found["differences"]} == {None}
    assert "ratio" not in lines


def test_other_bytes_of_the_same_instance_are_a_note(dualfit: Run, folder: Path) -> None:
    """White space changes no result."""
    dualfit("regress", "record", folder, *QUESTION)
    (folder / "burst.json").write_text(json.dumps(BURST, indent=2))
    code, found, _ = dualfit("regress", "check", folder)
    assert (code, found["same"]) == (0, True)
    assert [one["field"] for one in found["notes"]] == ["file_sha256"]


def test_another_dispatch_rule_is_said_field_by_field(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve jobs of size 2 on the first of two machines: flow time 24 where it was less, and another schedule."""
    record(folder, Settings.of("run", "max-flow", {"epsilon": "1", "guess": "100"}))
    assert check(folder) == []
    monkeypatch.setattr(LeastLoaded, "arrive", lambda self, job: job.eligible[0])
    found = {one.field: one for one in check(folder)}
    assert (found["objective"].got, found["objective"].direction) == ("24", "worse")
    assert found["run_sha256"].file == "burst.json"
    assert str(found["objective"]).startswith("burst.json: objective: expected 18, got 24 (by 6, worse)")


def test_a_failing_class_is_a_difference_and_the_others_go_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every case without a result is named with the reason."""

    def arrive(self: LeastLoaded, job: Job) -> int:
        raise RuntimeError("no more")

    record(folder, QUARTER)
    monkeypatch.setattr(LeastLoaded, "arrive", arrive)
    found = check(folder)
    assert [(one.file, one.field) for one in found] == [("burst.json", "result"), ("klein é/drei-三.json", "result")]
    assert "no more" in str(found[0])


def test_new_and_missing_files_differ(dualfit: Run, folder: Path) -> None:
    """A file that nobody recorded and one that is gone are named; --only looks at some files alone."""
    dualfit("regress", "record", folder, *QUESTION)
    (folder / "burst.json").rename(folder / "new.json")
    code, found, _ = dualfit("regress", "check", folder)
    assert code == 1
    assert [(one["file"], one["got"]) for one in found["differences"]] == [
        ("burst.json", "missing"),
        ("new.json", "new: record it"),
    ]
    assert dualfit("regress", "check", folder, "--only", "klein*")[0] == 0
    code, found, _ = dualfit("regress", "record", folder, *QUESTION)
    assert (code, found["added"], found["removed"]) == (0, ["new.json"], ["burst.json"])


def test_a_claim_that_the_snapshot_does_not_know_is_a_note_and_one_that_is_gone_differs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later version may have more claims, and no fewer."""
    record(folder, QUARTER)
    _edit(folder, lambda document: [_case(document)[kind].pop("6.1") for kind in ("ledger", "slack")])
    assert check(folder) == []
    record(folder, QUARTER)
    claims = [one for one in max_flow.SECTION.claims if one.id != "6.1"]
    monkeypatch.setattr(max_flow.SECTION, "claims", claims)
    assert {(one.field, one.got) for one in check(folder)} == {("ledger.6.1", None), ("slack.6.1", None)}


def test_a_forged_value_is_found(folder: Path) -> None:
    """Whatever single fact is forged, the comparison says which."""
    record(folder, QUARTER)
    good = (folder / FILE).read_text(encoding="utf-8")
    for field in ("objective", "bound", "ratio", "certificate", "rejected", "run_sha256", "used", "guesses"):
        _edit(folder, lambda document, field=field: _case(document).update({field: "17"}))  # type: ignore[misc]
        assert {one.field for one in check(folder)} == {field}
        (folder / FILE).write_text(good, encoding="utf-8")
    _edit(folder, lambda document: _case(document)["ledger"].update({"6.4": "fails"}))
    assert [one.field for one in check(folder)] == ["ledger.6.4"]


def _options(document: Any) -> Any:
    (only,) = document["records"].values()
    return only["options"]


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.update(version=2),
        lambda document: document.update(more=1),
        lambda document: document.pop("records"),
        lambda document: document.update(records=[]),
        lambda document: document["records"].update(x={}),
        lambda document: _options(document).update(out="/tmp/x"),
        lambda document: _options(document).update({"time-limit": "1"}),
        lambda document: _options(document).update(epsilon="many"),
        lambda document: _options(document).update(help=True),
        lambda document: _options(document).update(strict=7),
        lambda document: _options(document).pop("problem"),
        lambda document: _options(document).pop("epsilon"),
        lambda document: _case(document).update(objective=1.5),
        lambda document: _case(document).update(ledger={"6.1": {"deep": [1]}}),
        lambda document: _case(document).update(guesses=[{}]),
        *(
            lambda document, name=name: next(iter(document["records"].values()))["cases"].update({name: {}})
            for name in ("/etc/passwd", "../secret.json", "a/../../b", "", "a\0b", "\ud800")
        ),
    ],
)
def test_a_snapshot_that_none_of_ours_wrote_is_bad_input(
    change: Callable[[Any], None], dualfit: Run, folder: Path
) -> None:
    """Wrong shape, other options, or files elsewhere: exit code 2, no traceback, and nothing is run."""
    record(folder, QUARTER)
    _edit(folder, change)
    code, found, _ = dualfit("regress", "check", folder)
    assert (code, FILE in found["error"]) == (2, True)


@pytest.mark.parametrize(
    "data", [b"", b"[", b"\xff", b"[" * 100_000, b"9" * 5000, b'{"a": 1, "a": 2}', b"NaN", b"null", b"\xef\xbb\xbf{}"]
)
def test_hostile_json_is_bad_input(data: bytes, dualfit: Run, folder: Path) -> None:
    """No JSON at all, or far too much of it: exit code 2; recording does not replace what it cannot read."""
    (folder / FILE).write_bytes(data)
    assert dualfit("regress", "check", folder)[0] == 2
    assert dualfit("regress", "record", folder, *QUESTION)[0] == 2
    assert (folder / FILE).read_bytes() == data


def test_what_is_no_instance_is_refused_by_name_and_nothing_is_written(dualfit: Run, folder: Path) -> None:
    """Nothing is skipped in silence: all such files are named, and --only leaves them out."""
    (folder / "notes.txt").write_text("for later")
    (folder / "old.cert.json").write_text('{"format": "dualfit-certificate"}')
    (folder / ".hidden").write_text("left alone")
    code, found, _ = dualfit("regress", "record", folder, *QUESTION)
    assert (code, {one["place"].split(":")[0] for one in found["problems"]}) == (2, {"notes.txt", "old.cert.json"})
    assert not (folder / FILE).exists()
    code, found, _ = dualfit("regress", "record", folder, *QUESTION, "--only", "burst.json", "--only", "klein*")
    assert (code, len(found["cases"])) == (0, 2)
    assert dualfit("regress", "check", folder)[0] == 0


def test_only_replaces_some_files_of_a_record(dualfit: Run, folder: Path) -> None:
    """The other files of the record, and other records, stay as they were."""
    for words in (QUESTION, ("--epsilon", "1/2", "--name", "half")):
        dualfit("regress", "record", folder, *words)
    _edit(folder, lambda document: [one["cases"]["burst.json"].update(late=7) for one in document["records"].values()])
    _edit(folder, lambda document: document["records"]["half"]["cases"]["klein é/drei-三.json"].update(late=7))
    code, found, _ = dualfit("regress", "record", folder, "--epsilon", "1/2", "--name", "half", "--only", "burst*")
    assert (code, [(one["file"], one["field"]) for one in found["changes"]]) == (0, [("burst.json", "late")])
    records = Snapshot.read(folder).records
    assert [one.cases["klein é/drei-三.json"]["late"] for one in records.values()] == [7, 0]
    assert [one.cases["burst.json"]["late"] for one in records.values()] == [0, 7]


def test_other_options_under_a_name_are_a_change_that_is_said(dualfit: Run, folder: Path) -> None:
    """Recording a name anew with another epsilon says so, beside what it changes."""
    dualfit("regress", "record", folder, "--epsilon", "1/4", "--name", "mine")
    _, found, _ = dualfit("regress", "record", folder, "--epsilon", "1/3", "--name", "mine")
    first = found["changes"][0]
    assert (first["field"], first["expected"], first["got"], first["change"]) == (
        "options.epsilon",
        "1/4",
        "1/3",
        "1/12",
    )
    assert {one["direction"] for one in found["changes"]} == {None}


def test_an_interrupted_recording_leaves_the_old_snapshot_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is ended in a run or while it is being written, the file is the old one and no draft is left."""
    record(folder, QUARTER)
    before, files = (folder / FILE).read_bytes(), sorted(folder.iterdir())

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    for place, name in (("certify.regress.snapshot.os", "fsync"), ("certify.regress.case", "measure")):
        with monkeypatch.context() as patch:
            patch.setattr(f"{place}.{name}", interrupt)
            with pytest.raises(KeyboardInterrupt):
                record(folder, QUARTER, name="another")
        assert ((folder / FILE).read_bytes(), sorted(folder.iterdir())) == (before, files)


def test_a_snapshot_that_cannot_be_written_is_refused_before_the_work(
    dualfit: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2 for a folder without the right to write, though nothing was run yet; checking needs no such right."""
    record(folder, QUARTER)
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    assert dualfit("regress", "check", folder)[0] == 0
    monkeypatch.setattr("certify.regress.case.measure", None)
    code, found, _ = dualfit("regress", "record", folder, *QUESTION)
    assert (code, found["problems"][0]["reason"]) == (2, "cannot be written")


def test_several_processes_say_the_same(dualfit: Run, folder: Path) -> None:
    """The same bytes and the same differences, in the same order."""
    dualfit("regress", "record", folder, *QUESTION)
    alone = (folder / FILE).read_bytes()
    dualfit("regress", "record", folder, *QUESTION, "--workers", "2")
    assert (folder / FILE).read_bytes() == alone
    (folder / "burst.json").write_text(json.dumps(BURST).replace('"p": 2', '"p": 3'))
    assert dualfit("regress", "check", folder, "--workers", "2")[:2] == dualfit("regress", "check", folder)[:2]


def test_a_class_that_only_the_snapshot_names_is_not_imported(dualfit: Run, folder: Path) -> None:
    """Checking somebody's snapshot runs none of their code, unless one says so."""
    own = f"{__name__}:FirstMachine"
    assert dualfit("regress", "record", folder, *QUESTION, "--algorithm", own)[0] == 0
    code, found, _ = dualfit("regress", "check", folder)
    assert (code, f"--algorithm {own}" in found["error"]) == (2, True)
    assert dualfit("regress", "check", folder, "--algorithm", own)[0] == 0


def test_a_folder_without_a_snapshot_or_instances_is_bad_input(dualfit: Run, tmp_path: Path) -> None:
    """Exit code 2 with the way out; so for a name that no record has."""
    assert dualfit("regress", "check", tmp_path)[0] == 2
    assert dualfit("regress", "check", tmp_path / "none")[0] == 2
    assert dualfit("regress", "record", tmp_path, *QUESTION)[0] == 2
    (tmp_path / "three.json").write_text(json.dumps(THREE))
    record(tmp_path, QUARTER)
    with pytest.raises(InvalidInput, match="unknown record"):
        check(tmp_path, names=["other"])


def test_a_comparison_of_nothing_is_no_success(dualfit: Run, folder: Path) -> None:
    """A pattern that no recorded file has is bad input, not a folder that is as recorded."""
    record(folder, QUARTER)
    code, found, _ = dualfit("regress", "check", folder, "--only", "brust*")
    assert (code, found["problems"][0]["reason"]) == (2, "nothing to compare")


def test_a_file_is_a_file_whatever_its_name(dualfit: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` and `--json` in the folder where one works are files, and a pipe is refused without waiting for it."""
    monkeypatch.chdir(folder)
    (folder / "burst.json").rename("-")
    (folder / "klein é" / "drei-三.json").rename("--json")
    code, found, _ = dualfit("regress", "record", ".", *QUESTION)
    assert (code, found["added"]) == (0, ["-", "--json"])
    assert dualfit("regress", "check", ".")[0] == 0
    os.mkfifo("pipe")
    code, found, _ = dualfit("regress", "record", ".", *QUESTION)
    assert (code, [one["place"] for one in found["problems"]]) == (2, ["pipe"])


def test_the_name_of_a_record_is_printable(dualfit: Run, folder: Path) -> None:
    """Nothing, and what a terminal or a file cannot hold, is no name."""
    for name in ("", " ", "a\nb", "\udc80"):
        assert dualfit("regress", "record", folder, *QUESTION, "--name", name)[0] == 2
    assert not (folder / FILE).exists()


def test_the_tables_show_numbers_and_the_direction(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For people: the cases, then what changed, in the exact numbers; of another instance nothing is worse."""
    assert cli.run(["regress", "record", str(folder), *QUESTION]) == 0
    assert "2 new, 0 changed, 0 as before" in capsys.readouterr().out
    (folder / "burst.json").write_text(json.dumps(BURST).replace('"p": 2', '"p": 3'))
    assert cli.run(["regress", "check", str(folder)]) == 1
    shown = capsys.readouterr().out
    assert "not as recorded: 1 of the files" in shown
    assert "worse" not in shown
    record(folder, Settings.of("run", "max-flow", {"epsilon": "1", "guess": "100"}))
    monkeypatch.setattr(LeastLoaded, "arrive", lambda self, job: job.eligible[0])
    assert cli.run(["regress", "check", str(folder)]) == 1
    assert "worse" in capsys.readouterr().out


def test_other_bytes_are_not_shown_as_changed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Recorded anew after a change of white space: a note, and no file changed."""
    record(folder, QUARTER)
    (folder / "burst.json").write_text(json.dumps(BURST, indent=2))
    assert cli.run(["regress", "record", str(folder), *QUESTION]) == 0
    shown = capsys.readouterr().out
    assert "0 new, 0 changed, 2 as before" in shown
    assert "notes; the results are the same" in shown
    assert "changed: run" not in shown


def test_what_is_wrong_is_said_once(dualfit: Run, folder: Path) -> None:
    """An option once and not once a file; a file by one name; a record's options by their names, each once."""
    code, found, _ = dualfit("regress", "record", folder, "--epsilon", "0")
    assert (code, [one["place"].split(":")[0] for one in found["problems"]]) == (2, ["all 2 files"])
    (folder / "klein é" / "readme.txt").write_text("for later")
    code, found, _ = dualfit("regress", "record", folder, *QUESTION)
    assert (code, [one["place"] for one in found["problems"]]) == (2, ["klein é/readme.txt"])
    code, found, _ = dualfit("regress", "record", folder, "--epsilon", "0", "--only", "burst.json")
    assert (code, [one["place"].split(":")[0] for one in found["problems"]]) == (2, ["burst.json"])
    for command in ("run", "bound"):
        with pytest.raises(InvalidInput, match="expected one of problem, ") as refused:
            Settings(command, {"problem": "load", "depth": "1"}).parsed("FILE", "options")
        assert str(refused.value).count("problem,") == 1
