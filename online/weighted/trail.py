"""What algorithm A did in one phase: its offers, and its queues from arrivals to arrivals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from online.weighted.background import Offer
from online.weighted.backlog import Backlog
from online.weighted.classes import Type
from online.weighted.doubling import Decisions
from online.weighted.trajectory import Arrival, DensityRange, Gap


class Piece(NamedTuple):
    """A machine's queues just after the arrivals at `start`, until those at `end` (None: never again).

    `left` has the ticks left of each type, `added` those that just arrived.
    """

    start: int
    end: int | None
    left: Mapping[Type, int]
    added: Mapping[Type, int]

    @property
    def gap(self) -> Gap:
        """The same, ready to be served."""
        return Gap(self.start, self.end, Backlog(self.left))

    @property
    def final(self) -> int | None:
        """The last tick."""
        return None if self.end is None else self.end - 1


def pieces_of(jobs: Iterable[Arrival]) -> list[Piece]:
    """The queues of a machine from its first arrival on, without holes.

    >>> [piece[:2] for piece in pieces_of([(0, 2, Type(0, 0), 5), (1, 2, Type(0, 0), 1), (2, 9, Type(0, 0), 1)])]
    [(2, 9), (9, None)]
    """
    out: list[Piece] = []
    left = Backlog({})
    for start, group in groupby(jobs, itemgetter(1)):
        if out:
            left = left.after(start - out[-1].start)
            out[-1] = out[-1]._replace(end=start)
        added: dict[Type, int] = {}
        for _, _, kind, size in group:
            added[kind] = added.get(kind, 0) + size
        left = Backlog({**left.ticks, **{kind: left.ticks.get(kind, 0) + ticks for kind, ticks in added.items()}})
        out.append(Piece(start, None, left.ticks, added))
    return out


@dataclass(frozen=True, eq=False)
class Trail:
    """What algorithm A did in one phase: its offers, that for the job that ended it included, and all its queues."""

    decisions: Decisions
    number: int

    @property
    def guess(self) -> Fraction:
        """T, in ticks times the unit of the flow weights."""
        guess = self.decisions.phases[self.number].guess
        assert guess is not None
        return guess

    @property
    def alpha(self) -> int:
        """The alpha of the run, a power of two."""
        return self.decisions.parameters.alpha

    def range_of(self, low: int) -> DensityRange:
        """The density classes `low .. low + log2 alpha`; `low` is d*."""
        return DensityRange(low, self.alpha.bit_length() - 1)

    @cached_property
    def offers(self) -> list[tuple[int, Offer]]:
        """The jobs of the phase (positions) and A's offers."""
        return list(self.decisions.offered(self.number))

    @cached_property
    def arrivals(self) -> list[list[Arrival]]:
        """The dispatched jobs of each machine, in order."""
        instance, types = self.decisions.types.instance, self.decisions.types.types
        release, size = instance.release.tolist(), instance.size.tolist()
        jobs: list[list[Arrival]] = [[] for _ in range(instance.machines)]
        for j, offer in self.offers:
            if offer.accepted:
                jobs[offer.machine].append((j, release[j], types[j], size[j]))
        return jobs

    @cached_property
    def pieces(self) -> list[list[Piece]]:
        """The queues of each machine between its arrivals, to the end of A's work."""
        return [pieces_of(jobs) for jobs in self.arrivals]

    @cached_property
    def classes(self) -> list[int]:
        """The density classes of the jobs, ascending."""
        return sorted({self.decisions.types.types[j].density for j, _ in self.offers})

    @cached_property
    def rejected_classes(self) -> list[int]:
        """The density classes of the rejected jobs, ascending: those whose families bound A's rejections."""
        types = self.decisions.types.types
        return sorted({types[j].density for j, offer in self.offers if not offer.accepted})
