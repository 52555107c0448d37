"""Who may import whom: stdlib <- online <- lp <- certify; the checker imports nobody; algorithms not each other."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = {"online", "lp", "certify"}
ALLOWED = {"online": {"online"}, "lp": {"online", "lp"}, "certify": OURS}
THIRD_PARTY = {
    "online": {"numpy"},
    "lp": {"numpy", "pulp", "highspy", "networkx", "ortools"},
    "certify": {
        "click",
        "rich",
        "numpy",
        "matplotlib",
        "distributed",
        "jinja2",
        "bokeh",
        "markupsafe",
        "pytest",
        "hypothesis",
    },
}
ALGORITHM_FOLDERS = ("flow_time", "load_balancing", "two_weights", "speed/policies", "baselines")
MODULES = sorted(path for package in OURS for path in (ROOT / package).rglob("*.py"))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_imports_go_one_way(path: Path) -> None:
    """A module imports the standard library, its own layer, lower layers, and the layer's third-party packages."""
    package = path.relative_to(ROOT).parts[0]
    allowed = ALLOWED[package] | THIRD_PARTY[package] | set(sys.stdlib_module_names)
    assert {name.split(".")[0] for name in _imports(path)} <= allowed


def test_the_checker_imports_the_standard_library_only() -> None:
    """certify/check.py depends on nobody it would have to trust, and its package imports nothing."""
    tops = {name.split(".")[0] for name in _imports(ROOT / "certify" / "check.py")}
    assert tops <= set(sys.stdlib_module_names)
    assert list(_imports(ROOT / "certify" / "__init__.py")) == []


def test_only_the_backend_sees_the_solver() -> None:
    """Solver signs, statuses and tolerances stay inside lp/backend.py."""
    users = [_name(path) for path in MODULES if any(name.split(".")[0] == "highspy" for name in _imports(path))]
    assert users == ["lp.backend"]


def test_only_the_cuts_see_the_optional_flow_library() -> None:
    """Whoever has no OR-Tools loses speed in lp/cuts.py alone, which imports it only when a cut is made."""
    users = [_name(path) for path in MODULES if any(name.split(".")[0] == "ortools" for name in _imports(path))]
    assert users == ["lp.cuts"]


def test_algorithms_do_not_import_one_another() -> None:
    """An algorithm is one file, read on its own."""
    for folder in ALGORITHM_FOLDERS:
        for path in (ROOT / "online" / folder).glob("*.py"):
            others = [
                name
                for name in _imports(path)
                if any(name.startswith(f"online.{other.replace('/', '.')}") for other in ALGORITHM_FOLDERS)
            ]
            assert others == [], path


def test_no_module_bears_a_standard_library_name() -> None:
    """Nothing shadows the standard library, whatever is on the path."""
    names = {path.stem for path in MODULES} - {"__init__"}
    assert names & set(sys.stdlib_module_names) == set()


def test_no_float_decides_outside_the_solver_and_the_display() -> None:
    """Float literals and float() occur in the solver's files, and where SWF fields that nobody uses are looked at."""
    exempt = {
        "online.readers.swf_records",
        "online.speed.floating",
        "certify.speed.simulation",
        "lp.backlog",
        "lp.backend",
        "lp.bracket",
        "lp.chains",
        *(
            f"lp.energy.{name}"
            for name in ("crowd", "curve", "dual", "evidence", "few", "many", "orders", "plan", "pricing", "timed")
        ),
        "lp.guarded",
        "lp.lindley",
        "lp.periods",
        "lp.textbook",
        "lp.program",
    }
    for path in MODULES:
        if _name(path) in exempt:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            literal = isinstance(node, ast.Constant) and type(node.value) is float
            call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float"
            assert not literal, f"{path}:{node.lineno}"  # type: ignore[attr-defined]
            assert not call, f"{path}:{node.lineno}"  # type: ignore[attr-defined]
