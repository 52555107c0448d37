"""Recording a folder, and doing again what was recorded."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath
from typing import NamedTuple
from unicodedata import category

from certify.audit.workers import processes
from certify.commands.common import Work, quietly, working
from certify.regress.difference import Difference, differences
from certify.regress.measure import Facts, Measured, measure
from certify.regress.settings import Settings
from certify.regress.snapshot import FILE, Record, Snapshot, matches
from online.errors import DualfitError, FalseClaim, InvalidInput, LimitReached, Problem

EVERYTHING = ("*",)

SHOWN = 3
"""Problems of one file that a refusal names."""

PACKAGES = ("dualfit", "highspy", "ortools")
"""On whose versions bounds may depend."""


class Case(NamedTuple):
    """A file under a record."""

    record: str
    file: str
    settings: Settings


@dataclass(frozen=True)
class Recorded:
    """What `record` has put into the snapshot: the facts of its files, and what they change of the snapshot before."""

    name: str
    cases: dict[str, Facts]
    changes: tuple[Difference, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]


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


def record(
    folder: str | Path,
    settings: Settings,
    *,
    name: str | None = None,
    only: Sequence[str] = (),
    workers: int = 1,
) -> Recorded:
    """Record what comes out for every file of a folder, or for those that match one of `only`; write the snapshot.

    Claim: the files that were done replace those of the record before; other files of the record, and other records,
    stay. Nothing is written unless every file has a result with an accepted certificate.

    Raises: `InvalidInput` naming every file that is no instance or has no result; `FalseClaim` for a certificate that
    the checker does not accept.
    """
    place, name = _folder(folder), settings.words if name is None else name
    snapshot = Snapshot.read(place) if (place / FILE).exists() else Snapshot()
    files = [file for file in files_of(place) if matches(file, tuple(only) or EVERYTHING)]
    if not files:
        got = f"{folder} without a file" + (f" like {', '.join(only)}" if only else "")
        raise InvalidInput(Problem("DIR", "nothing to record", got, "at least one instance", "add files"))
    _writable(place)
    cases = [Case(name, file, settings) for file in files]
    found = {case.file: one for case, one in zip(cases, _measured(place, cases, workers, "recording"), strict=True)}
    _refuse(found)
    old = snapshot.records.get(name)
    new = _merged(old, settings, tuple(only), {file: one.facts for file, one in found.items()})
    Snapshot({**snapshot.records, name: new}).write(place)
    return _recorded(name, old, new, files)


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

    Raises: `InvalidInput` for a folder without a good snapshot, for unknown names, and for a class that is not allowed.
    """
    place = _folder(folder)
    records = _chosen(Snapshot.read(place).records, names)
    _refuse_imports(records, algorithms)
    wanted, files = tuple(only) or EVERYTHING, files_of(place)
    cases = [
        Case(name, file, one.settings) for name, one in records.items() for file in one.cases if matches(file, wanted)
    ]
    there = set(files)
    found = iter(_measured(place, [case for case in cases if case.file in there], workers, "comparing"))
    lines: list[Difference] = []
    for case in cases:
        known = records[case.record].cases[case.file]
        lines += _lines(case, known, next(found) if case.file in there else None)
    lines += [
        Difference(name, file, "file", None, "new: record it")
        for name, one in records.items()
        for file in files
        if one.covers(file) and file not in one.cases and matches(file, wanted)
    ]
    return Compared(len(cases), tuple(lines), tuple(_other_versions(records)))


def files_of(folder: Path) -> list[str]:
    """All files of a folder and its sub-folders, as `a/b.csv`, in order; not the snapshot, nor names with a dot first.

    Raises: `InvalidInput` for a name that is no Unicode.
    """
    found = []
    for base, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if not one.startswith(".")]
        paths = [PurePath(base, name).relative_to(folder).as_posix() for name in names if not name.startswith(".")]
        found += [path for path in paths if path != FILE]
    for path in found:
        if any(category(letter) in ("Cc", "Cs") for letter in path):
            raise InvalidInput(Problem("DIR", "unusable name", ascii(path), "a file name in Unicode", "rename it"))
    return sorted(found)


def versions() -> dict[str, str | None]:
    """Of the packages that bounds may depend on; None where one is not installed."""
    return {name: _version(name) for name in PACKAGES}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _measured(folder: Path, cases: Sequence[Case], workers: int, what: str) -> list[Measured]:
    """What comes out for each case, in order, whoever does it."""
    found = []
    with working(what, len(cases)) as work:
        for one in _here(folder, cases, work) if workers == 1 else _together(folder, cases, workers):
            found.append(one)
            work(len(found))
    return found


def _here(folder: Path, cases: Sequence[Case], work: Work) -> Iterator[Measured]:
    for case in cases:
        work.describe(case.file)
        yield measure(folder / case.file, case.settings)


def _together(folder: Path, cases: Sequence[Case], workers: int) -> Iterator[Measured]:
    try:
        with processes(workers) as pool:
            yield from pool.map(_unseen, [folder / case.file for case in cases], [case.settings for case in cases])
    except BrokenProcessPool:
        raise LimitReached("a process was lost, perhaps for want of memory; try fewer --workers") from None


def _unseen(path: Path, settings: Settings) -> Measured:
    """In a process of its own, whose progress nobody sees."""
    with quietly():
        return measure(path, settings)


def _folder(folder: str | Path) -> Path:
    if not Path(folder).is_dir():
        raise InvalidInput(Problem(str(folder), "no folder", "none of this name", "a folder", "check the name"))
    return Path(folder)


def _writable(folder: Path) -> None:
    """Better now than after the work."""
    place = (folder / FILE).resolve()
    if not os.access(place if place.exists() else place.parent, os.W_OK) or place.is_dir():
        got, fix = "no right to write there", "allow it, or record a copy of the folder"
        raise InvalidInput(Problem(str(place), "cannot be written", got, "a file that can be written", fix))


def _refuse(found: dict[str, Measured]) -> None:
    """Raises: `InvalidInput` or `FalseClaim` unless all can be recorded."""
    problems = [one for file, measured in found.items() for one in _problems(file, measured.failed)]
    if problems:
        raise InvalidInput(problems)
    rejected = [file for file, one in found.items() if not one.accepted]
    if rejected:
        raise FalseClaim(f"the checker did not accept the certificates of {', '.join(rejected)}; nothing is recorded")


def _problems(file: str, failed: DualfitError | None) -> Iterator[Problem]:
    """Why a file has no result."""
    leave = "or leave the file out with --only"
    if isinstance(failed, InvalidInput):
        for one in failed.problems[:SHOWN]:
            yield replace(one, place=f"{file}: {one.place}", fix=f"{one.fix}, {leave}")
    elif failed is not None:
        yield Problem(file, "no result", str(failed), "a run to its end", f"choose other options, {leave}")


def _merged(old: Record | None, settings: Settings, only: tuple[str, ...], cases: dict[str, Facts]) -> Record:
    """The new cases, and, if only some files of a record were done, its others as they were."""
    if old is None or old.settings != settings or not only:
        return Record(settings, only or EVERYTHING, versions(), cases)
    further = tuple(one for one in only if any(matches(file, (one,)) and not old.covers(file) for file in cases))
    return Record(settings, (*old.only, *further), versions(), {**old.cases, **cases})


def _recorded(name: str, old: Record | None, new: Record, files: Sequence[str]) -> Recorded:
    before = {} if old is None else old.cases
    changes = [] if old is None else _options(name, old.settings, new.settings)
    changes += [
        change for file in files if file in before for change in differences(name, file, before[file], new.cases[file])
    ]
    added = tuple(file for file in files if file not in before)
    removed = tuple(file for file in before if file not in new.cases)
    return Recorded(name, {file: new.cases[file] for file in files}, tuple(changes), added, removed)


def _options(name: str, old: Settings, new: Settings) -> list[Difference]:
    return list(differences(name, "all", {"options": dict(old.options)}, {"options": dict(new.options)}))


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
