"""Recording what comes out for a folder of instances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath

from certify.regress.case import Case, measured
from certify.regress.difference import Difference, differences
from certify.regress.folder import check_writable, files_of, opened
from certify.regress.measure import Facts, Measured
from certify.regress.settings import Settings
from certify.regress.snapshot import FILE, Record, Snapshot, matches
from online.errors import DualfitError, FalseClaim, InvalidInput, Problem

EVERYTHING = ("*",)

SHOWN = 3
"""Problems of one file that a refusal names."""

PACKAGES = ("dualfit", "highspy", "ortools")
"""On whose versions bounds may depend."""


@dataclass(frozen=True)
class Recorded:
    """What `record` has put into the snapshot: the facts of its files, and what they change of the snapshot before."""

    name: str
    cases: dict[str, Facts]
    changes: tuple[Difference, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]


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
    place, name = opened(folder), settings.words if name is None else _printable(name)
    snapshot = Snapshot.read(place) if (place / FILE).exists() else Snapshot()
    files = [file for file in files_of(place) if matches(file, tuple(only) or EVERYTHING)]
    if not files:
        got = f"{folder} without a file" + (f" like {', '.join(only)}" if only else "")
        raise InvalidInput(Problem("DIR", "nothing to record", got, "at least one instance", "add files"))
    check_writable(place)
    cases = [Case(name, file, settings) for file in files]
    found = {case.file: one for case, one in zip(cases, measured(place, cases, workers, "recording"), strict=True)}
    _refuse(found)
    old = snapshot.records.get(name)
    new = _merged(old, settings, tuple(only), {file: one.facts for file, one in found.items()})
    Snapshot({**snapshot.records, name: new}).write(place)
    return _recorded(name, old, new, files)


def _printable(name: str) -> str:
    if not name.strip() or not name.isprintable():
        raise InvalidInput(
            Problem("--name", "unusable name", ascii(name), "a name of printable text", "choose another")
        )
    return name


def versions() -> dict[str, str | None]:
    """Of the packages that bounds may depend on; None where one is not installed."""
    return {name: _version(name) for name in PACKAGES}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _refuse(found: dict[str, Measured]) -> None:
    """Raises: `InvalidInput` or `FalseClaim` unless all can be recorded."""
    problems = _common(found) or [problem for file, one in found.items() for problem in _problems(file, one.failed)]
    if problems:
        raise InvalidInput(problems)
    rejected = [file for file, one in found.items() if not one.accepted]
    if rejected:
        raise FalseClaim(f"the checker did not accept the certificates of {', '.join(rejected)}; nothing is recorded")


def _common(found: dict[str, Measured]) -> list[Problem]:
    """What is wrong alike with all of several files, as an option is."""
    alike = {one.failed.problems if isinstance(one.failed, InvalidInput) else () for one in found.values()}
    if len(found) < 2 or len(alike) > 1:
        return []
    return [replace(one, place=f"all {len(found)} files: {one.place}") for one in alike.pop()]


def _problems(file: str, failed: DualfitError | None) -> Iterator[Problem]:
    """Why a file has no result."""
    leave = "or leave the file out with --only"
    if isinstance(failed, InvalidInput):
        for one in failed.problems[:SHOWN]:
            yield replace(one, place=_place(file, one.place), fix=f"{one.fix}, {leave}")
    elif failed is not None:
        yield Problem(file, "no result", str(failed), "a run to its end", f"choose other options, {leave}")


def _place(file: str, place: str) -> str:
    """The place in a file of the folder; readers begin it with the last part of the name.

    >>> _place("a/b.csv", "b.csv:7"), _place("a/b.csv", "b.csv"), _place("a/b.csv", "sizes")
    ('a/b.csv:7', 'a/b.csv', 'a/b.csv: sizes')
    """
    rest = place.removeprefix(PurePosixPath(file).name)
    return f"{file}{rest}" if rest != place and rest[:1] in ("", ":") else f"{file}: {place}"


def _merged(old: Record | None, settings: Settings, only: tuple[str, ...], cases: dict[str, Facts]) -> Record:
    """The new cases, and, if only some files of a record were done, its others as they were."""
    if old is None or old.settings != settings or not only:
        return Record(settings, only or EVERYTHING, versions(), cases)
    further = tuple(one for one in only if any(matches(file, (one,)) and not old.covers(file) for file in cases))
    return Record(settings, (*old.only, *further), versions(), {**old.cases, **cases})


def _recorded(name: str, old: Record | None, new: Record, files: Sequence[str]) -> Recorded:
    before = {} if old is None else old.cases
    changes = [] if old is None else _options(name, old.settings, new.settings)
    same = old is not None and old.settings == new.settings
    for file in [file for file in files if file in before]:
        changes += differences(name, file, before[file], new.cases[file], same)
    added = tuple(file for file in files if file not in before)
    removed = tuple(file for file in before if file not in new.cases)
    return Recorded(name, {file: new.cases[file] for file in files}, tuple(changes), added, removed)


def _options(name: str, old: Settings, new: Settings) -> list[Difference]:
    return list(differences(name, "all", {"options": dict(old.options)}, {"options": dict(new.options)}))
