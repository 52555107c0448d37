"""Algorithm B on a whole instance: completions, rejections and pieces, from the decisions of A."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from online.weighted.classes import Weight
from online.weighted.doubling import Decisions
from online.weighted.foreground import Foreground, Piece, Stretch


@dataclass(frozen=True, eq=False)
class Schedule:
    """What algorithm B made of the jobs that A dispatched, by position, in ticks.

    Every job that A accepted stands in just one of `completion`, `late` (dropped at that tick) and `immediate` (dropped
    on arrival, two weights only).

    >>> from fractions import Fraction
    >>> from online.rows import Row
    >>> from online.instance import Instance
    >>> from online.weighted.classes import Types
    >>> from online.weighted.doubling import decide
    >>> from online.weighted.parameters import Parameters
    >>> types = Types.weighted(Instance.from_rows(1, [Row("a", 0, 3), Row("b", 1, 1, flow_weight=4)]))
    >>> schedule = Schedule.of(decide(types, Parameters.one_weight(Fraction(1, 2))))
    >>> schedule.completion, list(schedule.pieces(0))
    ({1: 2, 0: 4}, [(0, 0, 1), (1, 1, 2), (0, 2, 4)])
    """

    decisions: Decisions
    completion: dict[int, int]
    late: dict[int, int]
    immediate: tuple[int, ...]

    @classmethod
    def of(cls, decisions: Decisions) -> Schedule:
        """Run B on every machine; one machine does not depend on another."""
        schedule = cls(decisions, {}, {}, ())
        servers = [schedule._served(machine) for machine in range(decisions.types.instance.machines)]
        return cls(
            decisions,
            {j: t for one in servers for j, t in one.completion.items()},
            {j: t for one in servers for j, t in one.late.items()},
            tuple(sorted(j for one in servers for j in one.immediate)),
        )

    def _served(self, machine: int) -> Foreground:
        server = Foreground(self.decisions.parameters)
        for _ in self._play(server, machine):
            pass
        return server

    @cached_property
    def _jobs(self) -> list[list[int]]:
        jobs: list[list[int]] = [[] for _ in range(self.decisions.types.instance.machines)]
        for j, offer in enumerate(self.decisions.offers):
            if offer.accepted:
                jobs[offer.machine].append(j)
        return jobs

    def stretches(self, machine: int) -> Iterator[Stretch]:
        """The machine's stretches in order of time; computed anew, so that none need be kept."""
        return self._play(Foreground(self.decisions.parameters), machine)

    def _play(self, server: Foreground, machine: int) -> Iterator[Stretch]:
        types, phases, jobs = self.decisions.types, self.decisions.phases, self._jobs[machine]
        release, size = self._times
        firsts = [*(phase.first for phase in phases), types.instance.n]
        for phase, end in zip(phases, firsts[1:], strict=True):
            yield from server.advance(release[phase.first])
            assert phase.guess is not None
            server.restart(phase.guess)
            for j in jobs[bisect_left(jobs, phase.first) : bisect_left(jobs, end)]:
                yield from server.advance(release[j])
                server.arrive(j, types.types[j], types.size_class[j], size[j])
        yield from server.advance(None)

    @cached_property
    def _times(self) -> tuple[list[int], list[int]]:
        instance = self.decisions.types.instance
        return instance.release.tolist(), instance.size.tolist()

    @property
    def objective(self) -> Weight:
        """The largest true flow weight times flow time of a job that completes; 0 if none does."""
        flow, release = self.decisions.types.flow, self._times[0]
        return max((flow[j] * (t - release[j]) for j, t in self.completion.items()), default=0)

    def pieces(self, machine: int) -> Iterator[Piece]:
        """The pieces `(job, start, end)` as B runs them; as many as it switches jobs, which may be many."""
        return joined(piece for stretch in self.stretches(machine) for piece in stretch.pieces())

    def packed(self, machine: int) -> Iterator[Piece]:
        """Pieces of a schedule with the same completion times whose number follows events."""
        return joined(piece for stretch in self.stretches(machine) for piece in stretch.packed())


def joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The same pieces, those of one job that touch made one.

    >>> list(joined([(7, 0, 1), (7, 1, 3), (8, 3, 4), (8, 5, 6)]))
    [(7, 0, 3), (8, 3, 4), (8, 5, 6)]
    """
    current: Piece | None = None
    for piece in pieces:
        if current is not None and (piece[0], piece[1]) == (current[0], current[2]):
            current = (piece[0], current[1], piece[2])
            continue
        if current is not None:
            yield current
        current = piece
    if current is not None:
        yield current
