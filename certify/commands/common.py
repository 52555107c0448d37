"""What the commands share: reading options, exact parameters, JSON or tables, progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from certify.commands.screen import Screen
from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.printable import printable
from online.readers import Reading, ReadOptions, read
from online.readers.options import CHOICES
from online.sizes import one_size

Command = TypeVar("Command", bound=Callable[..., Any])


def out() -> Console:
    """Where tables go: standard output, wide enough for them when it is no terminal."""
    return Screen(width=None if sys.stdout.isatty() else 140)


def err() -> Console:
    """Where progress and messages go: standard error."""
    return Screen(stderr=True)


class Exact(click.ParamType[Fraction]):
    """A command-line value that is an exact number, such as 1/4, 0.25 or 10."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """Parse, or fail with what was wrong."""
        try:
            return exact.rational(value)
        except exact.BadNumber as bad:
            self.fail(f"got {bad}; expected an exact number such as 1/4, 0.25 or 10", param, ctx)


EXACT = Exact()


class Several(click.ParamType[tuple[Any, ...]]):
    """Values with commas between them, each once."""

    name = "list"

    def __init__(self, one: click.ParamType[Any]) -> None:
        self.one = one

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Any, ...]:
        """Each value by itself, in the order given."""
        parts = [part.strip() for part in str(value).split(",")]
        return tuple(dict.fromkeys(self.one.convert(part, param, ctx) for part in parts))


FILE = click.argument("file", type=click.Path(path_type=str))
CERTIFICATE = click.argument("certificate", type=click.Path(path_type=str))
INSTANCE = click.option(
    "--instance",
    "file",
    type=click.Path(path_type=str),
    help="The file of the instance, to bind the certificate to it.",
)
OWN_ALGORITHM = click.option(
    "--algorithm",
    help="Your own package.module:Class that made the run; it is imported only if you name it here.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON value on standard output, nothing else.")
OUT = click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the certificate to this file.")

_HELP = {
    "format": "Format of FILE; `auto` looks at the content, then at the name.",
    "invalid": "What becomes of a bad job; by default JSON and CSV refuse, logs drop it and say so.",
    "zero_size": "What becomes of a job of size 0; by default SWF keeps it, CLF drops it, the others refuse.",
    "eligible_by": "SWF: the field that says which machines may run a job.",
    "swf_size": "SWF: what a job's size is: run time, requested time, or run time times processors.",
    "missing": "SWF: what becomes of a job whose run time is unknown (-1).",
    "unplaceable": "What becomes of a job that no machine may run; `reject` reports it as rejected at its release, "
    "outside the budget of the run.",
    "clf_size": "CLF: a request's size is one second, or its bytes at --bytes-per-second.",
}

_READING: tuple[Callable[[Command], Command], ...] = (
    *(
        click.option(
            "--" + name.replace("_", "-"), name, type=click.Choice(list(choices)), default=None, help=_HELP[name]
        )
        for name, choices in CHOICES.items()
    ),
    click.option(
        "--machines", type=click.IntRange(min=1), default=None, help="Number of machines, where FILE does not say."
    ),
    click.option(
        "--machines-per", type=click.IntRange(min=1), default=None, help="SWF: machines in each partition or queue."
    ),
    click.option("--bytes-per-second", default=None, metavar="NUMBER", help="CLF: bytes served per second, exact."),
    click.option("--strict", is_flag=True, help="Refuse every bad job: the same as --invalid refuse."),
    click.option(
        "--size",
        "size",
        default=None,
        metavar="one|one:DURATION",
        help="Give every job the same size: the mean, rounded to a tick, or DURATION in the time unit of FILE.",
    ),
)


def reading_options(command: Command) -> Command:
    """Add the options that say how FILE is to be read."""
    for option in reversed(_READING):
        command = option(command)
    return command


@dataclass(frozen=True)
class Input:
    """An instance as the command uses it, and the account of how it came about."""

    file: str
    reading: Reading
    options: ReadOptions
    instance: Instance
    unit_size: Fraction | None = None

    @property
    def source(self) -> dict[str, Any]:
        """How the instance was made, for a certificate to record."""
        document: dict[str, Any] = {
            "file": "standard input" if self.file == "-" else Path(self.file).name,
            "format": self.reading.format,
            "options": self.options.to_document(),
        }
        if self.unit_size is not None:
            document["unit_size"] = exact.text(self.unit_size)
        return document

    def account(self) -> dict[str, Any]:
        """Jobs read = used + dropped, by reason, as one JSON object."""
        door = self.reading.rejected_at_the_door
        return {
            "file": self.source["file"],
            "format": self.reading.format,
            "read": self.reading.read,
            "used": self.reading.used,
            "dropped": [
                {"reason": one.reason, "count": one.count, "places": list(one.places)} for one in self.reading.dropped
            ],
            "rejected_at_the_door": {"count": door.count, "weight": exact.text(door.weight)},
            "notes": list(self.reading.notes),
            "unit_size": None if self.unit_size is None else exact.text(self.unit_size),
        }


def load(file: str, size: str | None, strict: bool, chosen: dict[str, Any]) -> Input:
    """Read FILE as the options say, and give every job one size if asked to.

    Raises: `InvalidInput` for anything wrong with the file or the options.
    """
    options = {name: value for name, value in chosen.items() if value is not None}
    if strict:
        for name in ("invalid", "zero_size", "unplaceable"):
            if options.get(name, "default") not in ("default", "refuse"):
                flag = f"--{name.replace('_', '-')} {options[name]}"
                raise InvalidInput(
                    Problem("--strict", "contradicting options", flag, "one of the two", f"omit --strict or {flag}")
                )
        options["invalid"] = "refuse"
    how = ReadOptions(**options)
    with working(f"reading {file}"):
        reading = read(file, how)
    if size is None:
        _refuse_zero_sizes(reading.instance)
        return Input(file, reading, how, reading.instance)
    instance, unit = one_size(reading.instance, size)
    return Input(file, reading, how, instance, unit)


def _refuse_zero_sizes(instance: Instance) -> None:
    """Jobs of size 0 may be read, but the model of the papers has none."""
    zeros = [job for job, size in zip(instance.ids, instance.size.tolist(), strict=True) if size == 0]
    if zeros:
        got = f"{len(zeros)} jobs of size 0, the first is {zeros[0]!r}"
        fix = "--size one gives every request one size; --zero-size drop leaves them out"
        raise InvalidInput(Problem("sizes", "zero size", got, "positive sizes", fix))


class Work:
    """Long work under way: its state on a bar, and what is being done, on a terminal only."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def __call__(self, done: int) -> None:
        """So much of the total is done."""
        self._progress.update(self._task, completed=done)

    def describe(self, words: str) -> None:
        """What is being done now."""
        self._progress.update(self._task, description=printable(words))


_SHOWN: list[Progress] = []


@contextmanager
def working(what: str, total: int | None = None) -> Iterator[Work]:
    """Show progress on standard error for long work, only on a terminal; work within work has a bar beneath."""
    with _progress() as progress:
        task = progress.add_task(printable(what), total=total)
        try:
            yield Work(progress, task)
        finally:
            progress.remove_task(task)


@contextmanager
def _progress() -> Iterator[Progress]:
    if _SHOWN:
        yield _SHOWN[-1]
        return
    console = err()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        _on(progress),
    ):
        yield progress


@contextmanager
def quietly() -> Iterator[None]:
    """Show no progress, as in a process whose work another one shows."""
    with _on(Progress(disable=True)):
        yield


@contextmanager
def _on(progress: Progress) -> Iterator[None]:
    _SHOWN.append(progress)
    try:
        yield
    finally:
        _SHOWN.pop()


def emit(document: Any) -> None:
    """Print one JSON value on standard output; in names, what is no printable character is escaped."""
    click.echo("\n".join(map(_escaped, json.dumps(document, indent=2, ensure_ascii=False).split("\n"))))


def _escaped(line: str) -> str:
    return line if line.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def present(document: Any, tables: Callable[[], Iterable[RenderableType]], as_json: bool) -> None:
    """Print a result on standard output: as one JSON value, or as tables, which are made only then."""
    if as_json:
        emit(document)
        return
    for table in tables():
        out().print(table)


def not_nan(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse NaN and infinity, which pass the comparisons of a range."""
    if value is not None and value - value != 0:
        raise click.BadParameter(f"got {value}, expected a number of seconds", context, parameter)
    return value


def save(path: str, text: str, source: str = "-") -> None:
    """Write a file whole, never over the `source` it was made from.

    Raises: `InvalidInput` saying why it could not be written.
    """
    if not path or path.startswith("-"):
        fix = "name a file; --json prints the result"
        raise InvalidInput(Problem("--out", "not a file", repr(path), "a file name", fix))
    if source != "-" and Path(path).exists() and Path(path).samefile(source):
        raise InvalidInput(Problem("--out", "would overwrite the input", path, "another file", "choose another --out"))
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as failed:
        raise InvalidInput(
            Problem(
                path, "cannot be written", failed.strerror or str(failed), "a writable file", "choose another --out"
            )
        ) from failed


def make_folder(path: str | None) -> None:
    """Make the folder of `--out-dir` if one was given. Raises: `InvalidInput` saying why it cannot be made."""
    if path == "":
        raise InvalidInput(Problem("--out-dir", "no folder", "''", "a folder", "name one, or omit --out-dir"))
    try:
        if path is not None:
            Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as failed:
        reason = failed.strerror or str(failed)
        fix = "choose another --out-dir"
        raise InvalidInput(Problem("--out-dir", "cannot be made", reason, "a folder", fix)) from failed
