"""Files under settings, done one after another or by several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import NamedTuple

from certify.audit.workers import processes
from certify.commands.common import Work, quietly, working
from certify.regress.measure import Measured, measure
from certify.regress.settings import Settings
from online.errors import LimitReached


class Case(NamedTuple):
    """A file under a record."""

    record: str
    file: str
    settings: Settings


def measured(folder: Path, cases: Sequence[Case], workers: int, what: str) -> list[Measured]:
    """What comes out for each case, in order, whoever does it."""
    found = []
    with working(what, len(cases)) as work:
        for one in _here(folder, cases, work) if min(workers, len(cases)) < 2 else _together(folder, cases, workers):
            found.append(one)
            work(len(found))
    return found


def _here(folder: Path, cases: Sequence[Case], work: Work) -> Iterator[Measured]:
    for case in cases:
        work.describe(case.file)
        yield measure(folder / case.file, case.settings)


def _together(folder: Path, cases: Sequence[Case], workers: int) -> Iterator[Measured]:
    try:
        with processes(min(workers, len(cases))) as pool:
            yield from pool.map(_unseen, [folder / case.file for case in cases], [case.settings for case in cases])
    except BrokenProcessPool:
        raise LimitReached("a process was lost, perhaps for want of memory; try fewer --workers") from None


def _unseen(path: Path, settings: Settings) -> Measured:
    """In a process of its own, whose progress nobody sees."""
    with quietly():
        return measure(path, settings)
