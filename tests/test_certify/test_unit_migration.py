"""Round robin on unit jobs is not optimal: the shipped certificates, their subject, the command that makes them."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from certify import check, cli
from certify.build import to_text
from certify.speed.unit_migration import SCHEDULE, SERVERS, UnitMigration, shipped, unit_migration

UPPER, LOWER = Fraction(168236, 10000), Fraction(1712, 100)


def _jobs(document: dict[str, Any]) -> list[tuple[str, int, int]]:
    columns = document["instance"]
    return list(zip(columns["ids"], columns["release"], columns["size"], strict=True))


def test_the_shipped_certificates_separate_round_robin_from_migration() -> None:
    """Accepted, all three: a schedule below 16.8236, and bounds of the two servers that sum to more than 17.12."""
    found = shipped()
    assert found.accepted
    assert found.upper < UPPER < LOWER < found.lower
    for document in found.certificates.values():
        verdict = check.check_document(document)
        assert (verdict.verdict, verdict.assumed, verdict.failed) == ("accepted", [], [])


def test_the_servers_have_every_other_job_of_the_schedule() -> None:
    """By their keys alone: seven unit jobs on two machines, three at 0 and four at 1, dealt in turn to one each."""
    whole, *parts = (shipped().certificates[name] for name in (SCHEDULE, *SERVERS))
    jobs = _jobs(whole)
    assert sorted(release for _, release, _ in jobs) == [0] * 3 + [1] * 4
    assert {size for *_, size in jobs} == {1}
    assert [_jobs(part) for part in parts] == [jobs[0::2], jobs[1::2]]
    assert [one["instance"]["machines"] for one in (whole, *parts)] == [2, 1, 1]
    assert all(one["power"] == whole["power"] == {"terms": [["1", "2"]]} for one in parts)


def test_made_anew_they_say_the_same() -> None:
    """The schedule byte by byte; the servers' bounds, which a solver proposes, to a thousandth, and past 17.12."""
    made, kept = unit_migration(), shipped()
    assert made.accepted
    text = files("certify.speed").joinpath(f"{SCHEDULE}.json").read_text(encoding="utf-8")
    assert to_text(made.certificates[SCHEDULE]) == text
    assert abs(made.lower - kept.lower) < Fraction(1, 1000)
    assert made.lower > LOWER


def test_a_raised_bound_is_not_accepted() -> None:
    """A thousandth more than the evidence proves is refused by the checker."""
    certificates = deepcopy(dict(shipped().certificates))
    goal = certificates[SERVERS[0]]["goal"][0]
    goal["value"] = str(Fraction(goal["value"]) + Fraction(1, 1000))
    assert not UnitMigration(certificates).accepted


def test_a_certificate_of_other_jobs_is_not_accepted() -> None:
    """Sound certificates about other instances show nothing about round robin: the servers swapped, or one twice."""
    whole, first, second = (shipped().certificates[name] for name in (SCHEDULE, *SERVERS))
    for one, other in ((second, first), (first, first)):
        swapped = UnitMigration(dict(zip((SCHEDULE, *SERVERS), (whole, one, other), strict=True)))
        assert set(swapped.verdicts.values()) == {"accepted"}
        assert not swapped.accepted


def test_the_command_writes_and_prints_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`dualfit adversary unit-migration` prints both numbers and leaves three files that `dualfit check` accepts."""
    monkeypatch.chdir(tmp_path)
    assert cli.run(["adversary", "unit-migration", "--out-dir", "made", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert Fraction(found["upper"]) < UPPER < LOWER < Fraction(found["lower"])
    assert Fraction(found["ratio"]) * Fraction(found["upper"]) == Fraction(found["lower"])
    assert sum(map(Fraction, found["servers"])) == Fraction(found["lower"])
    assert found["verdicts"] == dict.fromkeys((SCHEDULE, *SERVERS), "accepted")
    for name in (SCHEDULE, *SERVERS):
        assert cli.run(["check", f"made/{name}.json"]) == 0
    capsys.readouterr()
    assert cli.run(["adversary", "unit-migration", "--alpha", "2"]) == 2
    assert cli.run(["adversary", "unit-migration"]) == 0
    assert "16.823521" in capsys.readouterr().out
