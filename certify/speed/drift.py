"""The drift condition (7) between two schedules of one instance, on every piece between events and crossings.

On a piece nothing arrives or ends, speeds are constant and no two remaining sizes cross, so all terms of (7) are
constants and one comparison settles the piece. Then cost(algorithm) <= c cost(reference), for this pair.

Source: Multiple server SRPT with speed scaling is competitive, (7) and Proposition 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from certify.speed.potential import Mover, Potential, printed_potential
from online.errors import FalseClaim, InvalidInput, Problem
from online.speed.power import Point
from online.speed.trajectory import Trajectory


class Side(NamedTuple):
    """One schedule during a piece: its unfinished jobs, and what it pays per tick: their number and its power.

    `movers` leaves out jobs that have done their size and still run (overshoot); `pays` counts them.
    """

    movers: tuple[Mover, ...]
    alive: int
    power: Fraction

    @property
    def pays(self) -> Fraction:
        """n(t) plus the sum of powers."""
        return self.alive + self.power


@dataclass(frozen=True)
class Piece:
    """An interval of time on which every term of (7) is constant; sides as at its middle."""

    start: Fraction
    end: Fraction
    algorithm: Side
    reference: Side
    rate: Fraction

    @property
    def left(self) -> Fraction:
        """The left side of (7): n + sum of P(s) + dPhi/dt."""
        return self.algorithm.pays + self.rate


@dataclass(frozen=True, eq=False)
class Drift:
    """The drift of a potential between two schedules.

    Claim: `pieces` cover all times at which either schedule has a job, in order; `phi[k]` is the potential at the
    start of piece k and at the end of the last one, and equals the sum of the rates before it; it begins and ends at 0.

    Raises: `InvalidInput` if the schedules are of different instances or have other powers; `FalseClaim` should
    Proposition 5 ever fail.
    """

    algorithm: Trajectory
    reference: Trajectory
    potential: Potential

    def __post_init__(self) -> None:
        if self.algorithm.instance.sha256 != self.reference.instance.sha256:
            _refuse("instance")
        if self.algorithm.power != self.reference.power:
            _refuse("power")
        if not self.boundary_holds():
            raise FalseClaim("Proposition 5 fails: the potential jumps, or is not 0 at an end")

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces, in order of time."""
        times = sorted({*self.algorithm.breakpoints, *self.reference.breakpoints})
        both = zip(sides(self.algorithm, times), sides(self.reference, times), strict=True)
        spans = zip(pairwise(times), both, strict=True)
        return tuple(piece for span, (own, other) in spans for piece in self._cut(span, own, other))

    def _cut(self, span: tuple[Fraction, Fraction], algorithm: Side, reference: Side) -> Iterator[Piece]:
        """Split where two remaining sizes cross, or one reaches 0."""
        start, end = span
        cuts = sorted({start, end, *_crossings((*algorithm.movers, *reference.movers), start, end)})
        for a, b in pairwise(cuts):
            sides = [_later(side, (a + b) / 2 - start) for side in (algorithm, reference)]
            yield Piece(a, b, sides[0], sides[1], self.potential.rate(sides[0].movers, sides[1].movers))

    @cached_property
    def phi(self) -> list[Fraction]:
        """The potential at the start of each piece, and at the end."""
        return [self._value(piece, back=True) for piece in self.pieces] + [
            self._value(piece, back=False) for piece in self.pieces[-1:]
        ]

    def _value(self, piece: Piece, *, back: bool) -> Fraction:
        half = (piece.end - piece.start) / 2
        sides = [_later(side, -half if back else half).movers for side in (piece.algorithm, piece.reference)]
        return self.potential.value(sides[0], sides[1])

    def boundary_holds(self) -> bool:
        """Proposition 5: 0 at both ends, no jump at any event, and on each piece the change is rate times length."""
        values = self.phi or [Fraction(0)]
        changes = [after - before for before, after in pairwise(values)]
        moved = [piece.rate * (piece.end - piece.start) for piece in self.pieces]
        return values[0] == 0 == values[-1] and changes == moved

    @property
    def ratio(self) -> Fraction | None:
        """The smallest c for which (7) holds on every piece; None if no c does. At least 0."""
        least = Fraction(0)
        for piece in self.pieces:
            if piece.reference.pays:
                least = max(least, piece.left / piece.reference.pays)
            elif piece.left > 0:
                return None
        return least

    def violations(self, ratio: Fraction) -> list[Piece]:
        """The pieces on which (7) fails for c = ratio, in order of time."""
        return [piece for piece in self.pieces if piece.left > ratio * piece.reference.pays]


def drift(algorithm: Trajectory, reference: Trajectory, potential: Potential | None = None) -> Drift:
    """The drift between two schedules, with the paper's potential unless another one is given."""
    backlog = max((n for _, _, n in algorithm.unfinished), default=0)
    chosen = potential or printed_potential(algorithm.power, algorithm.instance.machines, backlog)
    return Drift(algorithm, reference, chosen)


def serves_its_shortest(trajectory: Trajectory) -> bool:
    """Whether only jobs among the min(m, n) shortest ever run: the references of Theorem 1's first half.

    A reference of that kind may leave some of them waiting.
    """
    times = trajectory.breakpoints
    machines = trajectory.instance.machines
    for (start, end), side in zip(pairwise(times), sides(trajectory, times), strict=True):
        cuts = sorted({start, end, *_crossings(side.movers, start, end)})
        for a, b in pairwise(cuts):
            movers = _later(side, (a + b) / 2 - start).movers
            order = sorted((mover.remaining, mover.speed == 0) for mover in movers)
            if any(not waits for _, waits in order[machines:]):
                return False
    return True


def sides(trajectory: Trajectory, times: list[Fraction]) -> Iterator[Side]:
    """The schedule just after each of `times` but the last; they contain all its breakpoints."""
    left = [Fraction(size) for size in trajectory.instance.size.tolist()]
    coming = iter([*enumerate(trajectory.instance.release.tolist()), (-1, None)])
    job, release = next(coming)
    segments = iter((*trajectory.segments, None))
    segment = next(segments)
    alive: list[int] = []
    for start, end in pairwise(times):
        alive = [j for j in alive if start < trajectory.completion[j]]
        while release is not None and release <= start:
            alive.append(job)
            job, release = next(coming)
        while segment is not None and segment.end <= start:
            segment = next(segments)
        points = {}
        if segment is not None and segment.start <= start:
            points = {j: trajectory.power.at(dial) for j, dial in segment.running}
        yield _side(alive, left, points)
        for j, point in points.items():
            left[j] = max(Fraction(0), left[j] - point.speed * (end - start))


def _side(alive: list[int], left: list[Fraction], points: dict[int, Point]) -> Side:
    speeds = ((j, points[j].speed if j in points else Fraction(0)) for j in alive)
    movers = tuple(Mover(left[j], speed) for j, speed in speeds if left[j])
    return Side(movers, len(alive), sum((point.power for point in points.values()), Fraction(0)))


def _later(side: Side, time: Fraction) -> Side:
    """The same speeds, `time` later (or earlier); a job that has done its size is left out."""
    moved = (Mover(mover.remaining - mover.speed * time, mover.speed) for mover in side.movers)
    return side._replace(movers=tuple(mover for mover in moved if mover.remaining > 0))


def _crossings(movers: tuple[Mover, ...], start: Fraction, end: Fraction) -> Iterator[Fraction]:
    """Times inside (start, end) at which two remaining sizes are equal, or one is 0; sizes are those at `start`."""
    ground = Mover(Fraction(0), Fraction(0))
    for one in movers:
        if one.speed:
            for other in (*movers, ground):
                if one.speed != other.speed:
                    time = start + (one.remaining - other.remaining) / (one.speed - other.speed)
                    if start < time < end:
                        yield time


def _refuse(what: str) -> None:
    raise InvalidInput(
        Problem("drift", f"two schedules with another {what}", "different ones", "the same", "compare runs of one file")
    )
