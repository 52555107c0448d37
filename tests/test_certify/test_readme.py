"""The README says what the commands do."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from certify import cli

Run = Callable[..., tuple[int, str, str]]


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


def test_the_diagnosis_of_the_readme_is_what_the_command_prints(dualfit: Run, readme: str, tmp_path: Path) -> None:
    """Made of the two files that the text shows, the claim is refuted in the lines of the example."""
    section = readme[readme.index("### Debug a dual fitting") :]
    jobs, claim = re.findall(r"^`({.*})`", section, re.M)[:2]
    (tmp_path / "jobs.json").write_text(jobs)
    (tmp_path / "duals.json").write_text(claim)
    diagnose, *shown = section[section.index("$ dualfit diagnose") :].split("```")[0].splitlines()
    code, out, _ = dualfit(*diagnose.split()[2:])
    assert code == 1
    assert [line.rstrip() for line in out.splitlines() if line.strip()] == [line for line in shown if line]


def test_the_pictures_of_the_readme_are_drawn(dualfit: Run, readme: str) -> None:
    """Each kind of `dualfit plot` that the text shows draws a file from what `run`, `bound` and `--json` write."""
    assert dualfit("generate", "uniform", "--jobs", "30", "--out", "trace.csv")[0] == 0
    assert dualfit("run", "trace.csv", "--epsilon", "1/4", "--size", "one", "--out", "trace.cert.json")[0] == 0
    assert dualfit("bound", "trace.csv", "--size", "one", "--out", "t.cert.json")[0] == 0
    block = readme[readme.index("### Look at it") :].split("```sh\n")[1].split("```")[0]
    for line in block.splitlines():
        *before, plot = (shlex.split(part)[1:] for part in line.split("|"))
        if before:
            code, out, _ = dualfit(*before[0])
            assert code == 0
            Path("result.json").write_text(out)
        assert dualfit(*("result.json" if word == "-" else word for word in plot))[0] == 0, line
        assert Path(plot[plot.index("--out") + 1]).stat().st_size > 0


def test_the_tests_of_the_readme_pass(readme: str, tmp_path: Path) -> None:
    """The two files of Python that the text shows, side by side, are a passing suite."""
    for text, name in re.findall(r"```python\n(# (\w+\.py)\n.*?)```", readme, re.S):
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"[12]\d passed", done.stdout)
