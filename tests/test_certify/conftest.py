"""What the tests of commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from certify import cli

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@pytest.fixture
def dualfit(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Run a command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that matplotlib saves, in order."""
    from matplotlib.figure import Figure

    saved: list[Figure] = []
    save = Figure.savefig

    def spy(figure: Figure, *arguments: Any, **settings: Any) -> None:
        saved.append(figure)
        save(figure, *arguments, **settings)

    monkeypatch.setattr(Figure, "savefig", spy)
    return saved
