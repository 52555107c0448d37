"""The notebooks: stored clean, executed from the top without a warning, ending in an accepted certificate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

import online

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PACKAGES = Path(online.__file__).resolve().parents[1]
METADATA = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
ANSWER = {"jupyter": {"source_hidden": True}, "tags": ["answer"]}

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def _read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def _executed(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The notebook with the outputs of a fresh kernel of this interpreter, which finds nothing in its folder."""
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(folder / name.lower()))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("PYTHONPATH", str(PACKAGES))
    notebook = _read(path)
    place = folder / "empty"
    place.mkdir(exist_ok=True)
    this_interpreter_only = Config({"KernelSpecManager": {"kernel_dirs": []}})
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        config=this_interpreter_only,
        coalesce_streams=True,
        resources={"metadata": {"path": str(place)}},
    )
    client.execute()
    return notebook


def _outputs(notebook: Any) -> list[list[Any]]:
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


def _text(output: Any) -> str:
    return str(output.text if output.output_type == "stream" else output.data.get("text/plain", ""))


def test_every_notebook_is_in_the_table_of_contents() -> None:
    """notebooks/README.md names every notebook, and no other."""
    contents = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    assert NOTEBOOKS
    assert {path.name for path in NOTEBOOKS} == {word for word in contents.split("`") if word.endswith(".ipynb")}


@each
def test_a_notebook_is_stored_clean(path: Path) -> None:
    """The repository holds what was written by hand: no output, no counter, ids that stay, no trace of a computer."""
    notebook = _read(path)
    nbformat.validate(notebook)
    assert path.read_text(encoding="utf-8") == nbformat.writes(notebook) + "\n"
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata == METADATA
    assert [cell.id for cell in notebook.cells] == [f"cell-{k:02}" for k in range(1, len(notebook.cells) + 1)]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
        assert cell.metadata in ({}, ANSWER)


@each
def test_a_notebook_asks_and_answers(path: Path) -> None:
    """A notebook is short, and has exercises; each is followed by an answer in words and in code, folded away.

    Of folded code its first line is seen, so it gives nothing away.
    """
    cells = _read(path).cells
    assert len(cells) < 25
    exercises = [k for k, cell in enumerate(cells) if cell.source.startswith("## Exercise")]
    answers = [k for k, cell in enumerate(cells) if "answer" in cell.metadata.get("tags", ())]
    assert exercises
    assert all(cells[k].cell_type == "markdown" for k in exercises)
    for k in answers:
        assert cells[k].cell_type == "code"
        assert cells[k].source.startswith("# Answer\n")
        assert cells[k - 1].cell_type == "markdown"
        assert "<summary>Answer</summary>" in cells[k - 1].source
    for here, following in zip(exercises, [*exercises[1:], len(cells)], strict=True):
        assert any(here < k < following for k in answers)


@each
def test_a_notebook_runs_and_ends_in_an_accepted_certificate(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the top in a fresh kernel nothing fails and nothing is said on stderr; the last cell shows `accepted`."""
    notebook = _executed(path, tmp_path, monkeypatch)
    noise = [_text(one) for cell in _outputs(notebook) for one in cell if one.get("name") == "stderr"]
    assert noise == []
    last = [cell for cell in notebook.cells if cell.cell_type == "code"][-1]
    lines = [line.strip("'") for output in last.outputs for line in _text(output).splitlines()]
    assert "check_document(" in last.source
    assert "accepted" in lines


@pytest.mark.slow
@each
def test_a_notebook_shows_the_same_twice(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two executions show the same words, numbers and pictures."""
    assert _outputs(_executed(path, tmp_path, monkeypatch)) == _outputs(_executed(path, tmp_path, monkeypatch))
