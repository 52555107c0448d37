"""A stranger's package, installed beside dualfit in an environment of its own, tests itself with `dualfit[testing]`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from certify import check

ROOT = Path(__file__).resolve().parents[2]

SOURCES = ("pyproject.toml", "README.md", "LICENSE", "online", "lp", "certify")

OFFLINE = ("No matching distribution found", "Could not find a version", "Failed to establish a new connection")

UNRELATED = """
import sys
from fractions import Fraction
import pytest


@pytest.fixture
def certify():
    return 1


def test_it(certify, request):
    assert Fraction(1, 2) + Fraction(1, 2) == certify
    assert not {"numpy", "online", "hypothesis", "rich"} & set(sys.modules)
    assert request.config.pluginmanager.has_plugin("dualfit")


def test_nothing_else_is_there():
    with pytest.raises(ImportError):
        from hypothesis import given
"""


SAME = """
from hypothesis import given, strategies as st
from certify import OWN


@given(st.integers())
def test_it(number):
    assert OWN == 1
"""


class House:
    """A fresh environment with dualfit, not editable, and the stranger's package."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.python = folder, folder / "venv" / "bin" / "python"
        self.package = folder / "stranger"

    def build(self) -> None:
        """Nothing is written to the checkout."""
        unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
        for name in SOURCES:
            source, target = ROOT / name, self.folder / "dualfit" / name
            target.parent.mkdir(exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=unwanted)
            else:
                shutil.copy(source, target)
        shutil.copytree(ROOT / "tests" / "stranger", self.package, ignore=unwanted)
        self.run(sys.executable, "-m", "venv", "--without-pip", "venv")
        self.pip("install", "--quiet", "--no-compile", "./dualfit[testing]", "./stranger")

    def pip(self, *arguments: str) -> None:
        """pip for the environment. Skips the test where packages cannot be had, unless CI is set."""
        base = (sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check")
        done = self.run(*base, *arguments, fails=True)
        if done.returncode and any(words in done.stderr for words in OFFLINE) and "CI" not in os.environ:
            pytest.skip(f"packages cannot be installed here: {done.stderr[-300:]}")
        assert done.returncode == 0, done.stderr[-3000:]

    def pytest(self, *arguments: str, fails: bool = False) -> str:
        """What pytest says in the stranger's package."""
        base = (str(self.python), "-m", "pytest", "-p", "no:cacheprovider", "--color=no", "-q")
        return self.run(*base, *arguments, where=self.package, fails=fails).stdout

    def run(self, *command: str, where: Path | None = None, fails: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a command, with nothing of this process but its path."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "PYTHON"))}
        done = subprocess.run(
            command, cwd=where or self.folder, env=kept, capture_output=True, text=True, check=False, timeout=600
        )
        assert fails or done.returncode == 0, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
        return done


def test_a_stranger_can_use_it(tmp_path: Path) -> None:
    """The sample package passes its tests, its failing ones say why, the plugin shows itself, nobody else minds."""
    house = House(tmp_path)
    house.build()
    _its_tests_pass(house)
    _what_fails_says_why(house)
    _the_plugin_shows_itself(house)
    _a_package_of_the_same_name_can_turn_it_off(house)
    _other_suites_do_not_mind(house)


def _its_tests_pass(house: House) -> None:
    """All of them, by entry points alone."""
    said = house.pytest("-rs")
    found = re.search(r"(\d+) passed, (\d+) skipped", said)
    assert found, said
    assert int(found[1]) >= 50
    reasons = set(re.findall(r"SKIPPED .*?: ((?:not asked: )?.*)", said))
    assert reasons <= {
        "max-flow has no weights",
        "not asked: it leaves no witness",
        "not asked: it takes no guess",
        "not asked: no ratio is promised",
    }


REASONS = {
    "test_budget": "budget exceeded: 1 of 1 jobs rejected when job 'a' had arrived; at most 1/4 of it is 1/4",
    "test_claim": "claim 5.2 fails: 2 >= 3, slack -1",
    "test_unknown_claim": "no such claim: got 'Claim 6.4', expected an id such as",
    "test_ratio": "objective <= 3/2 * bound: 4 <= 3, exceeded by 1",
    "test_bound": "T* >= 5 for max-flow: a schedule shows that it is false, by 3",
    "test_drawn": 'instance {"machines": 1, "jobs": [{"id": 1, "r": 0, "p": 1}]}',
    "TestAstray.test_dispatches_to_eligible_machines": "Astray for max-flow, epsilon 1/4 breaks the law 'dispatches to",
    "TestRejecting.test_keeps_its_budget": "expected  at most 1/4 of it rejected, which is 1/4",
}


def _what_fails_says_why(house: House) -> None:
    """These and no others, with exact numbers; certificates are kept, and hold."""
    said = house.pytest("failing", "--dualfit-artifacts", "kept", fails=True)
    parts = dict(re.findall(r"\n_+ (\S+) _+\n(.*?)(?=\n_+ \S+ _+\n|\n=+ )", said, flags=re.DOTALL))
    assert set(parts) == set(REASONS), said
    for name, words in REASONS.items():
        assert words in parts[name], parts[name]
    kept = sorted((house.package / "kept").glob("*.cert.json"))
    assert len(kept) == 3
    assert {check.check_document(json.loads(one.read_text())).verdict for one in kept} == {"accepted"}


def _the_plugin_shows_itself(house: House) -> None:
    """In the lists of markers, fixtures and options; the algorithm is one of dualfit's by its short name."""
    assert "@pytest.mark.dualfit(epsilon=..., problem=..., " in house.pytest("--markers")
    assert re.search(r"certify_run \[session scope\].*\n +Run an algorithm on an instance", house.pytest("--fixtures"))
    assert "--dualfit-artifacts=DIR" in house.pytest("--help")
    (house.folder / "jobs.json").write_text('{"machines": 2, "jobs": [{"id": "a", "r": 0, "p": 1}]}')
    command = ("run", "jobs.json", "--epsilon", "1/4", "--algorithm", "two-choices", "--json")
    said = json.loads(house.run(str(house.python), "-m", "certify.cli", *command).stdout)
    assert (said["algorithm"], said["verdict"]) == ("two-choices", "accepted")


def _a_package_of_the_same_name_can_turn_it_off(house: House) -> None:
    """As it hides dualfit's, the plugin cannot be loaded: the options that are written down do away with it."""
    (house.folder / "same" / "certify").mkdir(parents=True)
    (house.folder / "same" / "certify" / "__init__.py").write_text("OWN = 1\n")
    (house.folder / "same" / "test_same.py").write_text(SAME)
    base = (str(house.python), "-m", "pytest", "-q")
    hidden = house.run(*base, where=house.folder / "same", fails=True)
    assert "No module named 'certify.testing'" in hidden.stdout + hidden.stderr
    off = ("env", "HYPOTHESIS_NO_PLUGINS=1", *base, "-p", "no:dualfit")
    assert "1 passed" in house.run(*off, where=house.folder / "same").stdout


def _other_suites_do_not_mind(house: House) -> None:
    """Without Hypothesis, and with all warnings as errors."""
    house.pip("uninstall", "--quiet", "--yes", "hypothesis")
    (house.folder / "other").mkdir()
    (house.folder / "other" / "test_other.py").write_text(UNRELATED)
    base = (str(house.python), "-W", "error", "-m", "pytest", "-q", "-W", "error", "--strict-markers")
    assert "2 passed" in house.run(*base, where=house.folder / "other").stdout
