"""`dualfit check --instance` on certificates that name the file of their instance instead of holding it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from direct_evaluation import certificate

from certify import cli
from online.readers import read

BURST = {"machines": 2, "jobs": [{"id": k, "r": 0, "p": 1, "eligible": [1] if k > 5 else [1, 2]} for k in range(12)]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's file here, and in `certified/` a certificate of it beside the file of its instance."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "certified").mkdir()
    (tmp_path / "own.json").write_text(json.dumps(BURST))
    instance = read("own.json").instance
    document = certificate(instance, [{"claim": "lower-bound", "value": 1, "evidence": 0}])
    document |= {"instance": {"file": "x.instance"}, "evidence": [{"rule": "C0", "job": 11}]}
    (tmp_path / "certified" / "x.json").write_text(json.dumps(document))
    (tmp_path / "certified" / "x.instance").write_text(json.dumps(instance.to_document()))
    return tmp_path


def verdict(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = cli.run(["check", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("own", ["own.json", "certified/x.instance"])
def test_certificate_with_its_instance_beside_it_is_bound_to_the_users_file(
    folder: Path, capsys: pytest.CaptureFixture[str], own: str
) -> None:
    """The instance is read from beside the certificate, the user's file from where it lies, and both are the same."""
    code, found = verdict(capsys, "certified/x.json", "--instance", own)
    assert (code, found["verdict"], found["assumed"]) == (0, "accepted", [])
    assert "the instance is the one in the file given with --instance (binding)" in found["shown"]


def test_other_file_fails_the_binding(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One release changed in the user's file: rejected, by the binding."""
    (folder / "own.json").write_text(json.dumps(BURST).replace('"r": 0', '"r": 1', 1))
    code, found = verdict(capsys, "certified/x.json", "--instance", "own.json")
    assert (code, found["verdict"], found["failed"][0]["rule"]) == (1, "rejected", "binding")


def test_missing_file_of_the_instance_leaves_everything_assumed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the file beside the certificate nothing is shown, also where the user's file is the right one."""
    (folder / "certified" / "x.instance").unlink()
    code, found = verdict(capsys, "certified/x.json", "--instance", "own.json")
    assert (code, found["verdict"], found["shown"], len(found["assumed"])) == (1, "rejected", [], 1)


def test_certificate_on_standard_input_lies_in_no_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From `-` a named file is not looked for, not even in the working folder."""
    monkeypatch.chdir(folder / "certified")
    data = io.BytesIO((folder / "certified" / "x.json").read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data))
    code, found = verdict(capsys, "-", "--instance", "../own.json")
    assert (code, found["verdict"], len(found["assumed"])) == (1, "rejected", 1)


@pytest.mark.parametrize("command", [["check"], ["ledger"], ["report"], ["plot", "queues", "--out", "x.svg"]])
def test_standard_input_is_one_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """A certificate and its instance cannot both be standard input."""
    monkeypatch.chdir(tmp_path)
    assert cli.run([*command, "-", "--instance", "-"]) == 2
    assert "--instance: standard input twice: got -, as for CERTIFICATE" in capsys.readouterr().err
