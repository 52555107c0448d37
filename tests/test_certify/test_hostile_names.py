"""Names in a file are shown, and cannot do anything to the terminal that shows them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

JOB = "a\x1b[2K\x1b[1;31mb\nfalse: \u202eevil\x07\x9b1m"
MACHINE = "red\x1b]0;title\x07\r\n\u2067green"


@pytest.fixture
def hostile(dualfit: Run, tmp_path: Path) -> Run:
    """A command line in a folder with an instance of such names, a claim about it, and certificates."""
    jobs = [
        {"id": JOB, "r": 0, "p": 1},
        {"id": JOB + "2", "r": 0, "p": 2, "eligible": [2]},
        {"id": "c", "r": 1, "p": 1},
    ]
    instance = {"machines": 2, "machine_names": [MACHINE, "blue"], "jobs": jobs}
    (tmp_path / "jobs.json").write_text(json.dumps(instance))
    intervals = [{"machine": MACHINE, "start": 0, "end": 1}, {"machine": "blue", "start": 0, "end": 1, "b": -1}]
    claim = {"alpha": {JOB: 7, JOB + "2": -1}, "intervals": intervals}
    (tmp_path / "claim.json").write_text(json.dumps(claim))
    wrong = {"alpha": {JOB + "3": 1}, "intervals": [{"machine": MACHINE, "start": 1, "end": 0}]}
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    prices = {"grid": [0, 1], "price": [0], "phi": {JOB: 70}}
    (tmp_path / "prices.json").write_text(json.dumps(prices))
    return dualfit


@pytest.mark.parametrize(
    "line",
    [
        "diagnose jobs.json --duals claim.json",
        "diagnose jobs.json --duals wrong.json",
        "diagnose jobs.json --duals prices.json --problem energy --alpha 2",
        "run jobs.json --epsilon 1/4 --size one --witness",
        "run jobs.json --problem weighted --alpha 2 --epsilon 1/4",
        "run jobs.json --problem energy --alpha 2",
        "bound jobs.json",
        "lp jobs.json",
        "compare jobs.json --epsilon 1/4 --size one",
        "run jobs.json --epsilon 1/4 --size one --out NAME",
        "run NAME --epsilon 1/4",
        "check NAME",
        "export jobs.json",
        "diagnose jobs.json --duals claim.json --smallest small.json",
    ],
)
def test_no_command_prints_what_moves_the_cursor(hostile: Run, line: str) -> None:
    """Of every line on both streams each character is printable, and no line begins with a name's second line."""
    code, out, err = hostile(*(JOB if word == "NAME" else word for word in line.split()))
    assert code in (0, 1, 2)
    for shown in (out + err).splitlines():
        assert shown.isprintable(), shown
        assert not shown.startswith("false: \\u202e")
    assert "Traceback" not in err
    assert "\\x1b" in out + err or not (line.startswith(("diagnose", "lp")) or "NAME" in line)


def test_json_has_the_names_and_nothing_that_moves_the_cursor(hostile: Run) -> None:
    """Escaped, they are the same names to whoever reads the JSON."""
    out = hostile("diagnose", "jobs.json", "--duals", "claim.json", "--json")[1]
    assert all(line.isprintable() for line in out.splitlines())
    assert (JOB, MACHINE) in {(row["job"], row["machine"]) for row in json.loads(out)["rows"]}


def test_the_checker_and_the_ledger_print_no_such_thing(hostile: Run) -> None:
    """Of a certificate about these names, and of one in which a claim has such a name."""
    assert hostile("run", "jobs.json", "--epsilon", "1/4", "--size", "one", "--out", "cert.json")[0] == 0
    document = json.loads(Path("cert.json").read_text())
    Path("forged.json").write_text(json.dumps({**document, "problem": JOB}))
    for line in ("check cert.json", "check forged.json", "ledger cert.json", "ledger forged.json"):
        code, out, err = hostile(*line.split())
        assert code == (2 if "forged" in line else 0), err
        assert all(one.isprintable() for one in (out + err).splitlines())
