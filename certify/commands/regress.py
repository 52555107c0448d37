"""`dualfit regress`: record what comes out for a folder of instances, and later see what changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from certify.commands.common import present
from certify.commands.energy.options import ENERGY, Shared
from certify.commands.interrupts import terminable
from certify.regress.comparison import Compared, compared
from certify.regress.recording import Recorded, record
from certify.regress.settings import COMMANDS, Settings, recordable
from certify.regress.snapshot import FILE
from certify.regress.view import compared_tables, recorded_tables
from online.errors import FalseClaim

FOLDER = click.Argument(["folder"], metavar="DIR", type=click.Path(path_type=str))
NAME = click.Option(["--name", "label"], metavar="NAME", help="Call the record so; by default as its options.")
ONLY = click.Option(
    ["--only"], multiple=True, metavar="GLOB", help="Only files like this, such as '*.csv' or 'small/*'; repeatable."
)
WORKERS = click.Option(
    ["--workers"], type=click.IntRange(min=1), default=1, show_default=True, help="So many files at a time."
)
JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON value on standard output, nothing else.")

RECORD = """Run every file in DIR and its sub-folders, and record what came out.

Of each file: jobs read, used and dropped, the objective, the bound, the ratio, what was rejected, the guesses, a hash
of the whole schedule, and verdict and slack of every claim of the ledger. The options are those of `dualfit run`.
The same options, or the same --name, replace the record that was there, and the result says what that changes; with
--only nothing but those files. A claim that fails, or a budget that is not kept, is recorded as it is, and shown.

A file that is no instance, or has no result, is refused by name, and then nothing is written; names that begin with a
dot are left alone. There is no --time-limit: what is proven by then depends on the
machine."""

RECORD_BOUNDS = """Bound the optimum of every file in DIR and its sub-folders, and record the bounds.

As `dualfit regress record`, with the options of `dualfit bound`."""


@click.group("regress")
def regress_command() -> None:
    """Record what comes out for a folder of instances; later, see exactly what changed.

    \b
    dualfit regress record DIR --problem max-flow --epsilon 1/4 --size one
    dualfit regress check DIR

    The snapshot is dualfit-regress.json in DIR: one value a line in a fixed order, to be kept under version control
    with the instances. It may hold several records, each with options of its own.
    """


def _recording(name: str, command: str, words: str) -> Shared:
    """The command that records another one's results, and takes the options of that one."""

    def callback(
        folder: str, label: str | None, only: tuple[str, ...], workers: int, as_json: bool, **chosen: Any
    ) -> None:
        settings = Settings.of(command, chosen.pop("problem", ENERGY), chosen)
        with terminable():
            found = record(folder, settings, name=label, only=only, workers=workers)
        path = str(Path(folder) / FILE)
        present(recorded_document(found, path), lambda: recorded_tables(found, path), as_json)

    def parts(template: click.Command) -> dict[str, Any]:
        params = [FOLDER, *recordable(template), NAME, ONLY, WORKERS, JSON]
        return {"params": params, "callback": callback, "help": words}

    template = COMMANDS[command]
    return Shared(name, energy=click.Command(name, **parts(template.energy)), **parts(template))


regress_command.add_command(_recording("record", "run", RECORD))
regress_command.add_command(_recording("record-bounds", "bound", RECORD_BOUNDS))


def recorded_document(found: Recorded, path: str) -> dict[str, Any]:
    """The recording as one JSON object."""
    return {
        "snapshot": path,
        "record": found.name,
        "cases": found.cases,
        "added": list(found.added),
        "removed": list(found.removed),
        "changes": [one.to_document() for one in found.changes],
    }


def _check(
    folder: str,
    labels: tuple[str, ...],
    only: tuple[str, ...],
    algorithms: tuple[str, ...],
    workers: int,
    as_json: bool,
) -> None:
    """Do again what the snapshot of DIR holds, and print every field that came out otherwise.

    Exit code 1 if anything differs: a result, an instance, a file that is gone, that has no result any more, or that is
    new and not recorded. Notes that are no failures: other bytes that make the same instance, and claims that the
    snapshot does not know, as a later version of dualfit may have more of them; one that it knows and that is gone is a
    failure. Exit code 2 for a snapshot that cannot be used.

    Objectives, schedules and verdicts are exact, and the same everywhere. Bounds are true everywhere, but those from
    a solver, and all of flow time plus energy, may be a little larger or smaller with another version of HiGHS or on
    another machine; where something differs, the result says which versions do.
    """
    with terminable():
        found = compared(folder, names=labels, only=only, workers=workers, algorithms=algorithms)
    present(compared_document(found), lambda: compared_tables(found), as_json)
    if found.failing:
        files = ", ".join(dict.fromkeys(one.file for one in found.failing))
        raise FalseClaim(f"not as recorded: {files}", printed=True)


def compared_document(found: Compared) -> dict[str, Any]:
    """The comparison as one JSON object."""
    return {
        "same": not found.failing,
        "cases": found.cases,
        "differences": [one.to_document() for one in found.failing],
        "notes": [one.to_document() for one in found.differences if not one.failing],
        "versions": list(found.versions),
    }


NAMES = click.Option(
    ["--name", "labels"], multiple=True, metavar="NAME", help="Only the record of this name; repeatable."
)
ALLOWED = click.Option(
    ["--algorithm", "algorithms"],
    multiple=True,
    metavar="package.module:Class",
    help="A class of your own that the snapshot names: it is imported only if you name it here; repeatable.",
)
regress_command.add_command(
    click.Command("check", callback=_check, params=[FOLDER, NAMES, ONLY, ALLOWED, WORKERS, JSON], help=_check.__doc__)
)
