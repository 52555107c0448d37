"""The intervals of Figure 4: where a machine's maxload is above a mark, for all marks in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from types import MappingProxyType
from typing import NamedTuple

from online.weighted.classes import Type, power
from online.weighted.trail import Piece
from online.weighted.trajectory import DensityRange


class Marks(NamedTuple):
    """The marks of Figure 4: level l is between `(l - 1) height` and `l height` of maxload, for the l of `levels`.

    An interval of level l takes the smallest weight class of the jobs of J(l - lag) released in it.
    """

    height: Fraction
    levels: range
    lag: int = 0

    @classmethod
    def printed(cls, alpha: int, guess: Fraction) -> Marks:
        """`gamma_l = 4 l alpha T`, l = alpha/8 .. alpha/4, weights from J(l - 1); no levels if alpha < 8.

        >>> Marks.printed(16, Fraction(1)).levels
        range(2, 5)
        """
        return cls(4 * alpha * guess, range(alpha // 8, alpha // 4 + 1) if alpha >= 8 else range(0), 1)

    @classmethod
    def corrected(cls, alpha: int, guess: Fraction) -> Marks:
        """The same marks, l = alpha/8 + 1 .. alpha/4 - 1, weights from J(l); no levels if alpha < 16.

        >>> Marks.corrected(16, Fraction(1)).levels
        range(3, 4)
        """
        return cls(4 * alpha * guess, range(alpha // 8 + 1, alpha // 4))

    @classmethod
    def every(cls, alpha: int, guess: Fraction) -> Marks:
        """Marks for bounds, whatever alpha: from empty queues to full ones, at most `4 alpha T` and at least four.

        >>> Marks.every(2, Fraction(1)), Marks.every(64, Fraction(1)).levels
        (Marks(height=Fraction(1, 1), levels=range(1, 4), lag=0), range(1, 16))
        """
        height = 4 * alpha if alpha >= 16 else Fraction(alpha**2, 4)
        return cls(height * guess, range(1, max(alpha // 4, 4)))


def nested(pieces: Sequence[Piece], kinds: DensityRange, marks: Marks) -> Iterator[tuple[int, int, int]]:
    """The intervals `(level, start, end)` of Figure 4 on one machine, for all levels in one pass.

    Level l is open while maxload is above `(l - 1) height`; so the open levels form a stack. `high[k]` is the last tick
    known to reach the high mark of the k-th open level; what reaches a mark reaches those below it, so a level that
    closes hands its tick down.

    Claim: what `excursions` finds level by level. Maxload falls from tick to tick until the next arrivals; so only the
    marks above what is left then are looked for, and a job lifts it past few of them.

    >>> from online.weighted.trail import pieces_of
    >>> two = pieces_of([(0, 0, Type(0, 0), 5), (1, 2, Type(0, 0), 2)])
    >>> sorted(nested(two, DensityRange(0, 0), Marks(Fraction(2), range(1, 4))))
    [(1, 0, 5), (2, 0, 3)]
    """
    meter = _Meter(pieces, kinds, marks)
    first, stop = marks.levels.start, marks.levels.stop
    opened: list[int] = []
    high: list[int | None] = []

    def close() -> Iterator[tuple[int, int, int]]:
        start, reached = opened.pop(), high.pop()
        if reached is not None:
            yield first + len(opened), start, reached
            if high and (high[-1] is None or high[-1] < reached):
                high[-1] = reached

    for piece, following in zip_longest(pieces, pieces[1:]):
        load, floor = meter.load(piece.left), 0 if following is None else meter.load(following.left, following.added)
        while opened and not meter.over(load, first + len(opened) - 1):
            yield from close()
        while first + len(opened) < stop and meter.over(load, first + len(opened)):
            opened.append(piece.start)
            high.append(None)
        for level in range(min(meter.level(load), first + len(opened) - 1), first - 1, -1):
            held = meter.level(floor) >= level
            high[level - first] = piece.final if held else piece.gap.last(kinds, level * marks.height)
            if high[level - first] == piece.final:
                break
        while opened and not meter.over(floor, first + len(opened) - 1):
            mark = (first + len(opened) - 2) * marks.height
            if piece.final is not None and piece.gap.last(kinds, mark, above=True) == piece.final:
                break
            yield from close()


class _Meter:
    """Maxload in whole multiples of a power of two, against the marks."""

    def __init__(self, pieces: Iterable[Piece], kinds: DensityRange, marks: Marks) -> None:
        types = {kind for piece in pieces for kind in piece.added if kinds.holds(kind)}
        least = min((kind.exponent for kind in types), default=0)
        self.shift = {kind: kind.exponent - least for kind in types}
        height = marks.height / power(least - kinds.low)
        self.top, self.bottom = height.numerator, height.denominator

    def load(self, left: Mapping[Type, int], without: Mapping[Type, int] = MappingProxyType({})) -> int:
        """Maxload of these queues, without some ticks of them."""
        lifted = (left[kind] - without.get(kind, 0) << shift for kind, shift in self.shift.items() if kind in left)
        return max(lifted, default=0)

    def level(self, load: int) -> int:
        """The largest l with `load >= l height`."""
        return load * self.bottom // self.top

    def over(self, load: int, level: int) -> bool:
        """Whether `load > (level - 1) height`."""
        return load * self.bottom > (level - 1) * self.top
