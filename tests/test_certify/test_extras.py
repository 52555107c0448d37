"""What is optional is optional: a base install does everything else, and a missing extra is named before any work."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any

import click
import pytest

from certify import cli
from certify.commands.plot import plot_command

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
PACKAGES = ("online", "lp", "certify")

KINDS = plot_command.list_commands(click.Context(plot_command))

NEEDED = [
    ("plot", "matplotlib", "compare none.json --plot out.svg"),
    ("plot", "matplotlib", "compare none.json --problem weighted --out-dir folder --plot out.pdf"),
    ("plot", "matplotlib", "adversary lemma-8.1 --epsilon 1/8 --figure out.svg --out out.json"),
    ("plot", "matplotlib", "adversary lemma-8.1 --sweep 1/8,1/16 --plot out.svg"),
    ("plot", "matplotlib", "adversary round-robin --alpha 2 --sweep-machines 2,4 --plot out.svg"),
    ("plot", "matplotlib", "drift none.json --alpha 2 --reference fifo --out out.json --plot out.svg"),
    *(("plot", "matplotlib", f"plot {kind} none.json --out out.svg") for kind in KINDS),
    ("report", "jinja2", "audit --out out.json --html out.html"),
    ("report", "jinja2", "report none.json --out out.html"),
    ("report", "bokeh", "report none.json --out out.html"),
    ("cluster", "distributed", "audit --cluster tcp://127.0.0.1:1 --out out.json"),
]
"""Extra, module that is missing, command line. No `none.json` is there: who looks for it has begun to work."""

DIRECT = {"matplotlib", "bokeh", "jinja2", "ortools", "distributed", "hypothesis", "pytest"}
"""What the extras name themselves; only minimum cuts take a library where it is there, unasked."""

DRAWING = ("--plot", "--figure", "--html", "--cluster")
"""Options that need an extra, whatever the command."""

BASE = [
    "generate weighted --jobs 12 --machines 2 --out jobs.json",
    "generate energy --jobs 6 --machines 2 --out e.json",
    "schema",
    "run jobs.json --epsilon 1/4 --size one --out run.json --json",
    "run jobs.json --problem weighted --epsilon 1/4 --alpha 8 --json",
    "run jobs.json --problem two-weights --epsilon 1/2 --alpha 1 --json",
    "run jobs.json --problem stretch --epsilon 1/2 --algorithm hdf --speed 5/4 --json",
    "run jobs.json --problem load --epsilon 1/4 --witness --json",
    "run e.json --problem energy --alpha 2 --out energy.json --json",
    "check run.json --instance jobs.json --json",
    "ledger run.json --json",
    "ledger energy.json --json",
    "bound jobs.json --problem weighted --json",
    "bound jobs.json --size one --json",
    "bound jobs.json --problem load --json",
    "bound e.json --problem energy --alpha 2 --json",
    "lp jobs.json --size one",
    "export jobs.json --size one --to lp --out out.lp",
    "export jobs.json --size one --to vipr --out out.vipr",
    "compare jobs.json --problem weighted --epsilon 1/4 --algorithms greedy,hdf --json",
    "compare e.json --problem energy --alpha 2 --json",
    "adversary lemma-8.3 --epsilon 1/4 --json",
    "adversary round-robin --alpha 2 --machines 4 --json",
    "search --problem load --algorithm load-unit --epsilon 1/2 --steps 5 --json",
    "audit --claims 6.1 --instances 20 --workers 1 --json",
    "drift e.json --alpha 2 --reference fifo --json",
    "stochastic --alpha 2 --load 2 --jobs 1000 --json",
    "regress record . --only jobs.json --epsilon 1/4 --size one",
    "regress check .",
]
"""One line at least of each command, with the exit code 0 and the same words whether the extras are there or not."""

SHOWN_ONLY = ("constants", "demo", "diagnose", "plot", "report")
"""Commands whose help alone is asked for: they are slow, ask for files, or need an extra."""

SCRIPT = """
import contextlib, io, json, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

blocked, lines, modules = json.load(sys.stdin)
sys.meta_path.insert(0, Missing())
from importlib import import_module
from certify import cli
from certify.commands.plot import plot_command

for module in modules:
    import_module(module)
answers = []
for line in lines:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(line.split())
    answers.append([line, code, out.getvalue(), err.getvalue()])
json.dump([answers, sorted(sys.modules)], sys.stdout)
"""


def _ask(folder: Path, blocked: set[str], lines: list[str], modules: list[str]) -> tuple[Any, set[str]]:
    """Command lines in a process that cannot import what is `blocked`: their answers, and all that it imported."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps([sorted(blocked), lines, modules]),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    answers, imported = json.loads(done.stdout)
    return answers, {name.partition(".")[0] for name in imported}


def _closure(found: list[str]) -> set[str]:
    """Distributions that these requirements bring, extras aside, by their plain names."""
    known: set[str] = set()
    waiting = list(found)
    while waiting:
        requirement, _, marker = waiting.pop().partition(";")
        name = _plain(re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0])
        if name not in known and "extra" not in marker:
            known.add(name)
            waiting += _requirements(name)
    return known


def _requirements(name: str) -> list[str]:
    try:
        return requires(name) or []
    except ModuleNotFoundError:
        return []


def _plain(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def _beyond_the_base() -> set[str]:
    """Every module that is installed here and that `pip install dualfit` alone would not bring."""
    base = _closure(PROJECT["dependencies"]) | {"dualfit", "pip", "setuptools"}
    return {
        module
        for module, places in packages_distributions().items()
        if not base & {_plain(place) for place in places} and module not in PACKAGES
    }


def _modules() -> Iterator[str]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_all_is_the_union_of_the_extras() -> None:
    """`dualfit[all]` brings every extra but what developers need; `dev` brings whatever the tests import."""
    (everything,) = EXTRAS["all"]
    found = re.fullmatch(r"dualfit\[(.*)\]", everything)
    assert found is not None
    assert set(found[1].split(",")) == set(EXTRAS) - {"all", "dev"}


def test_a_base_install_imports_every_module_and_does_all_the_rest_the_same(tmp_path: Path) -> None:
    """Without any package that an extra brings, all commands give the same answers and the same files."""
    beyond = _beyond_the_base()
    assert beyond > DIRECT
    modules = [name for name in _modules() if not name.startswith("certify.testing.")]
    helps = [f"{name} --help" for name in cli.COMMANDS]
    found = []
    for place, blocked, imported in (("base", beyond, modules), ("all", set[str](), [])):
        folder = tmp_path / place
        folder.mkdir()
        answers, names = _ask(folder, blocked, [*BASE, *helps], imported)
        assert names & DIRECT <= {"ortools"} - blocked
        found.append((answers, {path.name: path.read_bytes() for path in sorted(folder.iterdir())}))
    (answers, files), (others, other_files) = found
    assert [(line, err) for line, code, _, err in answers if code != 0] == []
    assert [one for one, other in zip(answers, others, strict=True) if one != other] == []
    files.pop("dualfit-regress.json"), other_files.pop("dualfit-regress.json")  # they say whether OR-Tools is there
    assert files == other_files
    assert {line.split()[0] for line in BASE} == {*cli.COMMANDS, "schema"} - set(SHOWN_ONLY)


@pytest.mark.parametrize(("extra", "module", "line"), NEEDED)
def test_a_missing_extra_is_named_before_any_work(
    extra: str,
    module: str,
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code 2 and the words to install it, although the input is not even there; nothing is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    assert cli.run(line.split()) == 2
    assert f"pip install 'dualfit[{extra}]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert any(one.startswith(module) for one in EXTRAS[extra])


def _commands(command: click.Command, words: str) -> Iterator[tuple[str, click.Command]]:
    """All commands beneath one, each with its words; one of several problems twice."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _commands(found, f"{words} {name}".strip())
        return
    yield words, command
    if hasattr(command, "energy"):
        yield words, command.energy


def test_every_option_that_needs_an_extra_is_tried_without_it() -> None:
    """A new option that draws must stand in the table above."""
    for words, command in _commands(cli.dualfit, ""):
        needs = [option for one in command.params for option in one.opts if option in DRAWING]
        if words.startswith("plot ") or words == "report":
            needs.append("--out")
        for option in needs:
            assert any(line.startswith(words) and f"{option} " in line for *_, line in NEEDED), (words, option)


def _at_import(nodes: list[ast.stmt]) -> Iterator[str]:
    """What is imported when a module is, not by its functions, and not for the type checker alone."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from _at_import(node.orelse)
        elif not isinstance(node, ast.FunctionDef):
            yield from _at_import([one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)])


def test_extras_are_imported_by_functions_alone() -> None:
    """Nothing but the tools for tests imports a package of an extra when it is itself imported."""
    packages = {re.split(r"\W", one)[0] for name in EXTRAS if name not in ("all", "dev") for one in EXTRAS[name]}
    for name in _modules():
        path = ROOT.joinpath(*name.split("."))
        text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")
        imported = {one.partition(".")[0] for one in _at_import(ast.parse(text).body)}
        assert not imported & packages or name.startswith("certify.testing."), name
