"""Doing again what was recorded, and what came out otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from certify.regress.case import Case, measured
from certify.regress.difference import Difference, differences
from certify.regress.folder import files_of, opened
from certify.regress.measure import Facts, Measured
from certify.regress.recording import EVERYTHING, PACKAGES, versions
from certify.regress.snapshot import Record, Snapshot, matches
from online.errors import InvalidInput, Problem


@dataclass(frozen=True)
class Compared:
    """What `check` found: how many cases were done again, what differs, and versions other than those recorded."""

    cases: int
    differences: tuple[Difference, ...]
    versions: tuple[str, ...]

    @property
    def failing(self) -> list[Difference]:
        """The differences that are more than a note."""
        return [one for one in self.differences if one.failing]


def check(
    folder: str | Path,
    *,
    names: Collection[str] = (),
    only: Sequence[str] = (),
    workers: int = 1,
    algorithms: Collection[str] = (),
) -> list[Difference]:
    """What differs from the snapshot of a folder; nothing if all is as it was. Raises: as `compared`."""
    return compared(folder, names=names, only=only, workers=workers, algorithms=algorithms).failing


def compared(
    folder: str | Path,
    *,
    names: Collection[str] = (),
    only: Sequence[str] = (),
    workers: int = 1,
    algorithms: Collection[str] = (),
) -> Compared:
    """Do again what the snapshot of a folder holds, or its records of some `names` and files like `only`.

    A `package.module:Class` that a record names is imported only if `algorithms` has it too. Files that a record is
    about and does not have, files that are gone, and files without a result differ.

    Raises: `InvalidInput` for a folder without a good snapshot, for unknown names, if nothing is left to be done, and
    for a class that is not allowed.
    """
    place = opened(folder)
    records = _chosen(Snapshot.read(place).records, names)
    _refuse_imports(records, algorithms)
    wanted, files = tuple(only) or EVERYTHING, set(files_of(place))
    cases = [
        Case(name, file, one.settings) for name, one in records.items() for file in one.cases if matches(file, wanted)
    ]
    if not cases:
        raise InvalidInput(Problem(str(folder), "nothing to compare", "no recorded file", "one at least", "record it"))
    found = iter(measured(place, [case for case in cases if case.file in files], workers, "comparing"))
    lines: list[Difference] = []
    for case in cases:
        known = records[case.record].cases[case.file]
        lines += _lines(case, known, next(found) if case.file in files else None)
    lines += [
        Difference(name, file, "file", None, "new: record it")
        for name, one in records.items()
        for file in sorted(files)
        if one.covers(file) and file not in one.cases and matches(file, wanted)
    ]
    return Compared(len(cases), tuple(lines), tuple(_other_versions(records)))


def _chosen(records: dict[str, Record], names: Collection[str]) -> dict[str, Record]:
    unknown = [name for name in names if name not in records]
    if unknown:
        expected = f"one of {', '.join(map(repr, records)) or 'none'}"
        raise InvalidInput(Problem("--name", "unknown record", repr(unknown[0]), expected, "choose one"))
    return {name: one for name, one in records.items() if not names or name in names}


def _refuse_imports(records: dict[str, Record], allowed: Collection[str]) -> None:
    """Raises: `InvalidInput` for a class that only the snapshot names."""
    problems = [
        Problem(name, "a class of somebody's own", one.settings.imports, "leave to import it", _leave(one))
        for name, one in records.items()
        if one.settings.imports is not None and one.settings.imports not in allowed
    ]
    if problems:
        raise InvalidInput(problems)


def _leave(record: Record) -> str:
    return f"give --algorithm {record.settings.imports} if you trust it, or choose other records with --name"


def _lines(case: Case, expected: Facts, found: Measured | None) -> Iterator[Difference]:
    if found is None:
        yield Difference(case.record, case.file, "file", "there", "missing")
    elif found.failed is not None:
        yield Difference(case.record, case.file, "result", "one", str(found.failed))
    else:
        yield from differences(case.record, case.file, expected, found.facts)


def _other_versions(records: dict[str, Record]) -> Iterator[str]:
    now = versions()
    for name, one in records.items():
        for package in PACKAGES:
            before = one.made_with.get(package)
            if before != now[package]:
                yield f"{name}: recorded with {package} {before or 'absent'}, now {now[package] or 'absent'}"
