"""The README on speed scaling says what the commands do."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from certify import cli

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def dualfit(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def readme() -> str:
    """The page; a package without it has nothing to compare."""
    page = Path(cli.__file__).parent.parent / "README.md"
    if not page.exists():
        pytest.skip("the README is not beside the package")
    return page.read_text(encoding="utf-8")


def test_the_run_of_the_readme_is_what_the_commands_print(dualfit: Run, readme: str) -> None:
    """The two commands of the example print its lines."""
    block = readme[readme.index("$ dualfit generate energy") :]
    make, run, *shown = block[: block.index("```")].splitlines()
    assert dualfit(*make.split()[2:])[0] == 0
    code, out, _ = dualfit(*run.split()[2:])
    assert code == 0
    assert [line.rstrip() for line in out.splitlines() if line.strip()] == shown


def test_the_commands_on_energy_in_the_readme_succeed(dualfit: Run, readme: str) -> None:
    """From the jobs that the first one makes, each ends well; the sweep of a game is tested with the games."""
    lines = readme.splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("dualfit generate energy"))
    last = next(k for k, line in enumerate(lines) if line.startswith("dualfit stochastic"))
    for line in lines[first : last + 1]:
        words = shlex.split(line, comments=True)[1:]
        if words[0] not in ("adversary", "drift"):
            assert dualfit(*words)[0] == 0, line
