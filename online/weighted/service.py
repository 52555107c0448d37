"""What algorithm A served on a machine in a phase, from the queues before and after."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from online.weighted.backlog import Backlog
from online.weighted.classes import Type, power
from online.weighted.trail import Piece
from online.weighted.trajectory import DensityRange


class Served(NamedTuple):
    """Ticks spent on density classes below a range, in it, and above it."""

    below: int
    within: int
    above: int


class Choice(NamedTuple):
    """What A served at `tick`: a queue of `kind` with this load, and the largest load of its density class.

    Loads are in ticks times weight units.
    """

    tick: int
    kind: Type
    load: Fraction
    largest: Fraction


class Service:
    """The service of one machine, by pieces.

    Claim: exact at every tick; the cost is that of the pieces looked at.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.starts = [piece.start for piece in pieces]
        self.choices: dict[tuple[int, int], Choice] = {}
        self.totals: dict[DensityRange, list[Served]] = {}

    def served(self, kinds: DensityRange, start: int, end: int) -> Served:
        """The ticks `[start, end)` by class; those that are left out of the sum were idle."""
        before, after = self._until(kinds, start), self._until(kinds, end)
        return Served(*(b - a for a, b in zip(before, after, strict=True)))

    def _until(self, kinds: DensityRange, tick: int) -> Served:
        k = bisect_right(self.starts, tick) - 1
        if k < 0:
            return Served(0, 0, 0)
        if kinds not in self.totals:
            self.totals[kinds] = self._sums(kinds)
        piece, base = self.pieces[k], self.totals[kinds][k]
        if tick == piece.start:
            return base
        left = Backlog(piece.left).after(tick - piece.start).ticks
        return Served(*(a + b for a, b in zip(base, _spent(kinds, piece.left, left), strict=True)))

    def _sums(self, kinds: DensityRange) -> list[Served]:
        sums = [Served(0, 0, 0)]
        for piece, drained in zip(self.pieces, self.drained, strict=False):
            sums.append(Served(*(a + b for a, b in zip(sums[-1], _spent(kinds, piece.left, drained), strict=True))))
        return sums

    @cached_property
    def drained(self) -> list[dict[Type, int]]:
        """What each piece but the last leaves to the next."""
        return [
            {kind: ticks - piece.added.get(kind, 0) for kind, ticks in piece.left.items()} for piece in self.pieces[1:]
        ]

    def choice(self, k: int, before: int) -> Choice:
        """What A served at the last tick of piece k that is before the given tick; it must not be idle there."""
        piece = self.pieces[k]
        tick = (before if piece.end is None else min(before, piece.end)) - 1
        if (k, tick) not in self.choices:
            now = Backlog(piece.left).after(tick - piece.start)
            later = now.after(1).ticks
            kind = next(kind for kind, ticks in now.ticks.items() if later.get(kind, 0) < ticks)
            loads = {other: ticks * power(other.weight) for other, ticks in now.ticks.items()}
            rivals = (load for other, load in loads.items() if other.density == kind.density)
            self.choices[k, tick] = Choice(tick, kind, loads[kind], max(rivals))
        return self.choices[k, tick]


def _spent(kinds: DensityRange, left: Mapping[Type, int], later: Mapping[Type, int]) -> Served:
    spent = [0, 0, 0]
    for kind, ticks in left.items():
        place = 1 if kinds.holds(kind) else 0 if kind.density < kinds.low else 2
        spent[place] += ticks - later.get(kind, 0)
    return Served(*spent)
