"""Real traces, where they lie beside the checkout: in, certified, checked, bound to the file again."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from certify import cli

DATA = Path(__file__).resolve().parent.parent.parent.parent / "shared" / "data"

TRACES = {
    "accasim-25-crlf.swf": ("--machines", "4"),
    "access-1000.clf.log": ("--format", "clf", "--machines", "3"),
    "hpc2n-3170.swf": ("--eligible-by", "partition", "--machines-per", "4"),
    "lcg-2005-first20000.swf.gz": ("--eligible-by", "partition"),
    "lcg-2005-vo-sites-2000.csv": (),
    "openb-gpuspec33-24nodes.csv": (),
    "test_same_submit_time.json": (),
    "wagap-2013-68nodes.csv": (),
    "wagap-2013-ext21-3000.swf": ("--machines", "68"),
}


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = cli.run(list(arguments))
    return code, capsys.readouterr().out


@pytest.mark.parametrize("problem", ["max-flow", "load"])
@pytest.mark.parametrize("name", sorted(TRACES))
def test_a_real_trace_is_certified(name: str, problem: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Jobs read = used + dropped; the certificate is accepted, also when bound to the trace again; no claim fails."""
    file = DATA / name
    if not file.exists():
        pytest.skip(f"{file} is not here")
    size = ("--size", "one") if problem == "max-flow" else ("--zero-size", "drop")
    path = str(tmp_path / "trace.cert.json")
    command = ("run", str(file), "--problem", problem, "--epsilon", "1/4", *TRACES[name], *size)
    code, out = _run(capsys, *command, "--bound", "witness", "--out", path, "--json")
    result = json.loads(out)
    reading = result["reading"]
    assert (code, result["verdict"]) == (0, "accepted")
    assert reading["read"] == reading["used"] + sum(one["count"] for one in reading["dropped"])
    assert result["jobs"] == reading["used"] == result["accepted"] + result["rejected"]
    assert _run(capsys, "check", path, "--instance", str(file))[0] == 0
    assert _run(capsys, "ledger", path, "--json")[0] == 0


@pytest.mark.parametrize("constants", [(), ("--alpha", "1", "--segment", "1")])
@pytest.mark.parametrize("name", ["openb-gpuspec33-24nodes.csv", "wagap-2013-68nodes.csv"])
def test_a_weighted_run_on_a_real_trace_is_certified(
    name: str, constants: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Algorithms A and B on real sizes and weights: accepted, bound to the trace, guesses refuted, no claim fails."""
    file = DATA / name
    if not file.exists():
        pytest.skip(f"{file} is not here")
    path = str(tmp_path / "weighted.cert.json")
    command = ("run", str(file), "--problem", "weighted", "--epsilon", "1/4", *constants, "--out", path, "--json")
    code, out = _run(capsys, *command)
    result = json.loads(out)
    assert (code, result["verdict"], result["unrefuted_guesses"]) == (0, "accepted", 0)
    assert _run(capsys, "check", path, "--instance", str(file))[0] == 0
    assert _run(capsys, "ledger", path, "--json")[0] == 0


@pytest.mark.parametrize("name", ["accasim-25-crlf.swf", "access-1000.clf.log", "openb-gpuspec33-24nodes.csv"])
def test_a_real_trace_gets_a_bracket(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """lower <= T* <= upper with its width, and one certificate for all of it."""
    file = DATA / name
    if not file.exists():
        pytest.skip(f"{file} is not here")
    path = str(tmp_path / "bound.cert.json")
    command = ("bound", str(file), "--size", "one", *TRACES[name], "--method", "flow", "--out", path, "--json")
    code, out = _run(capsys, *command)
    result = json.loads(out)
    lower, upper = Fraction(result["lower"]), Fraction(result["upper"])
    assert (code, result["verdict"], result["rung"]) == (0, "accepted", "flow")
    assert 0 < lower <= upper <= lower * Fraction(3, 2)
    assert Fraction(result["width"]) == upper - lower
    assert _run(capsys, "check", path, "--instance", str(file))[0] == 0
