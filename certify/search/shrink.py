"""Making an instance small while it keeps a property: fewer jobs and machines, smaller numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from certify.problems.track import Tell, silent
from certify.search.smaller import changed, divided, earlier, without_eligible, without_jobs, without_machines
from online.instance import Instance
from online.validate import JobId

Keeps = Callable[[Instance], bool]

STEPS = 4000
"""Most instances that are tried, unless said otherwise."""

WEIGHTS = ("flow_weight", "rejection_weight")

NUMBERS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("size",), 1),
    (WEIGHTS, 1),
    (WEIGHTS[:1], 1),
    (WEIGHTS[1:], 1),
    (("release",), 0),
)
"""Columns that are lowered together, where a job's numbers in them are equal, and the least number."""


def shrink(instance: Instance, keeps: Keeps, *, steps: int = STEPS, tell: Tell = silent) -> Instance:
    """The smallest instance with the property that small moves find; the same for the same arguments.

    Claim: the result keeps the property if the instance does, and has at least one job and one machine. Each accepted
    move deletes jobs, machines or eligible machines, lowers numbers, or makes a unit 1. Unless `steps` ran out
    (`Shrinking.finished` is False), no single job can be left out, no single eligible machine of a job, and no single
    number can be one less. Jobs keep their ids, machines their names.

    >>> from online.rows import Row
    >>> ten = Instance.from_rows(3, [Row(j, 5 * j, 2 + j) for j in range(10)])
    >>> small = shrink(ten, lambda one: max(one.size) >= 7)
    >>> small.machines, [(job.id, job.release, job.size) for job in small.jobs()]
    (1, [(5, 0, 7)])
    """
    return Shrinking(instance, keeps, steps, tell).run()


class _NoStepsLeft(Exception):
    pass


class Shrinking:
    """The smallest instance so far (`best`), how many were tried, and whether the moves came to an end.

    Without `numbers` releases, sizes, weights and units stay as they are.
    """

    def __init__(
        self, instance: Instance, keeps: Keeps, steps: int = STEPS, tell: Tell = silent, *, numbers: bool = True
    ) -> None:
        self.best, self.keeps, self.steps, self.tell = instance, keeps, steps, tell
        self.moves = [self._jobs, self._machines, self._eligible]
        self.moves += [self._units, self._gaps, self._numbers] if numbers else []
        self.tried, self.finished = 0, False
        self._refused: set[str] = set()

    def run(self) -> Instance:
        """Repeat all moves until none of them works any more."""
        with suppress(_NoStepsLeft):
            while not self.finished:
                before = self.best
                for move in self.moves:
                    move()
                self.finished = self.best is before
        return self.best

    def _accept(self, candidate: Instance | None) -> bool:
        """Try a smaller instance; it becomes the best if it keeps the property."""
        if candidate is None or candidate.sha256 in self._refused:
            return False
        if self.tried >= self.steps:
            raise _NoStepsLeft
        self.tried += 1
        if not self.keeps(candidate):
            self._refused.add(candidate.sha256)
            return False
        self.best = candidate
        self.tell(f"shrinking: {candidate.n} jobs, {candidate.machines} machines")
        return True

    def _jobs(self) -> None:
        self._chunks(self.best.n, lambda start, end: without_jobs(self.best, start, end))

    def _machines(self) -> None:
        self._chunks(self.best.machines, lambda start, end: without_machines(self.best, start, end))

    def _eligible(self) -> None:
        for j in range(self.best.n):
            self._narrow(j)

    def _narrow(self, j: int) -> None:
        allowed = len(self.best.job(j).eligible)
        self._chunks(allowed, lambda start, end: without_eligible(self.best, self.best.job(j), start, end))

    def _chunks(self, length: int, without: Callable[[int, int], Instance | None]) -> None:
        """Leave out stretches `start..end-1` of a list, from halves of it down to single places, the last ones first.

        It is never left empty.
        """
        chunk = length // 2
        while chunk:
            end = length
            while end > 0:
                start = max(end - chunk, 0)
                if end - start < length and self._accept(without(start, end)):
                    length -= end - start
                end = start
            chunk //= 2

    def _units(self) -> None:
        """Coarser ticks and weight units, then units of 1."""
        for columns in (("release", "size"), WEIGHTS):
            divisor = math.gcd(*(number for name in columns for number in getattr(self.best, name).tolist()))
            if divisor > 1:
                self._accept(divided(self.best, divisor, columns))
        if self.best.tick != 1:
            self._accept(replace(self.best, tick=Fraction(1)))
        if self.best.weight_unit != 1:
            self._accept(replace(self.best, weight_unit=Fraction(1)))

    def _gaps(self) -> None:
        """Bring everything from some release on closer to what is before."""
        instants = sorted({0, *self.best.release.tolist()})
        for before, since in reversed(list(pairwise(instants))):
            self._close(before, since)

    def _close(self, before: int, since: int) -> None:
        base, gap = self.best, since - before
        self._descend(gap, 0, lambda left: earlier(base, since, gap - left))

    def _numbers(self) -> None:
        """Lower equal numbers together, as a property may ask for them, then each by itself."""
        for columns, least in NUMBERS:
            for value, ids in self._alike(columns):
                self._lower(ids, columns, value, least)
            for value, ids in self._alike(columns):
                for one in ids:
                    self._lower([one], columns, value, least)

    def _alike(self, columns: Sequence[str]) -> list[tuple[int, list[JobId]]]:
        """The jobs by the one number that they have in these columns, the largest first."""
        ids: dict[int, list[JobId]] = {}
        for job in self.best.jobs():
            value, *others = (getattr(job, name) for name in columns)
            if all(one == value for one in others):
                ids.setdefault(value, []).append(job.id)
        return sorted(ids.items(), reverse=True)

    def _lower(self, ids: Collection[JobId], columns: Sequence[str], value: int, least: int) -> None:
        self._descend(value, least, lambda number: changed(self.best, ids, **dict.fromkeys(columns, number)))

    def _descend(self, number: int, least: int, lowered: Callable[[int], Instance]) -> None:
        """Lower a number: to the least if that will do, else by halving the range where it will."""
        if number <= least or self._accept(lowered(least)):
            return
        while number - least > 1:
            middle = (least + number) // 2
            if self._accept(lowered(middle)):
                number = middle
            else:
                least = middle
