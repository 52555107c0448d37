"""Small examples of a violated drift condition: states with fewer waiting jobs, instances with fewer, smaller jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from certify.speed.drift import Drift, Piece, Side
from certify.speed.potential import Potential, walk
from online import exact
from online.instance import Instance


@dataclass(frozen=True)
class Violation:
    """A state in which (7) fails: left > ratio * (n_o + powers).

    `order` spells the unfinished jobs from short to long, `a` and `A` the algorithm's waiting and served ones, `r` and
    `R` the reference's; `speeds` are those of the served ones in that order.
    """

    start: Fraction
    end: Fraction
    order: str
    speeds: tuple[Fraction, ...]
    left: Fraction
    right: Fraction

    def __str__(self) -> str:
        speeds = ", ".join(exact.decimal(speed, 3) for speed in self.speeds)
        sides = f"{exact.decimal(self.left, 3)} > {exact.decimal(self.right, 3)}"
        span = f"{exact.decimal(self.start, 3)} to {exact.decimal(self.end, 3)}"
        return f"(7) fails from {span} ticks: {sides}; order {self.order or 'none'}, speeds {speeds or 'none'}"


def first_violation(drift: Drift, ratio: Fraction) -> Violation | None:
    """The first piece on which (7) fails, with as few waiting jobs as still make it fail at the same speeds."""
    for piece in drift.violations(ratio):
        return _told(_fewest(piece, drift.potential, ratio), ratio)
    return None


def _fewest(piece: Piece, potential: Potential, ratio: Fraction) -> Piece:
    """Leave out waiting jobs one by one, from the first, while the condition still fails."""
    found = next((one for one in _smaller(piece, potential) if one.left > ratio * one.reference.pays), None)
    return piece if found is None else _fewest(found, potential, ratio)


def _smaller(piece: Piece, potential: Potential) -> Iterator[Piece]:
    own, other = piece.algorithm, piece.reference
    sides = [(side, other) for side in _without_one(own)] + [(own, side) for side in _without_one(other)]
    for first, second in sides:
        rate = potential.rate(first.movers, second.movers)
        yield Piece(piece.start, piece.end, first, second, rate)


def _without_one(side: Side) -> Iterator[Side]:
    for k, mover in enumerate(side.movers):
        if not mover.speed:
            yield Side(side.movers[:k] + side.movers[k + 1 :], side.alive - 1, side.power)


def _told(piece: Piece, ratio: Fraction) -> Violation:
    jobs = list(walk(piece.algorithm.movers, piece.reference.movers))
    letters = ("R" if one.of_reference else "A" for one in jobs)
    order = "".join(letter if one.mover.speed else letter.lower() for letter, one in zip(letters, jobs, strict=True))
    speeds = tuple(one.mover.speed for one in jobs if one.mover.speed)
    return Violation(piece.start, piece.end, order, speeds, piece.left, ratio * piece.reference.pays)


def shrink(instance: Instance, fails: Callable[[Instance], bool]) -> Instance:
    """A smaller instance on which `fails` is still true: jobs left out, sizes and releases lowered, one at a time.

    Deterministic; the answer is one from which no single such step leads on. `fails(instance)` must be true.

    >>> from online.rows import Row
    >>> big = Instance.from_rows(1, [Row(k, k, 7) for k in range(6)])
    >>> small = shrink(big, lambda one: sum(one.size.tolist()) >= 9)
    >>> small.release.tolist(), small.size.tolist()
    ([0, 0], [2, 7])
    """
    found = next((smaller for smaller in _simpler(instance) if fails(smaller)), None)
    return instance if found is None else shrink(found, fails)


def _simpler(instance: Instance) -> Iterator[Instance]:
    release, size = instance.release.tolist(), instance.size.tolist()
    for k in range(instance.n if instance.n > 1 else 0):
        yield _instance(instance, release[:k] + release[k + 1 :], size[:k] + size[k + 1 :])
    for column, least in ((release, 0), (size, 1)):
        for k, value in enumerate(column):
            for lower in sorted({least, (value + least) // 2, value - 1}):
                if least <= lower < value:
                    changed = [*column[:k], lower, *column[k + 1 :]]
                    yield _instance(instance, *((changed, size) if column is release else (release, changed)))


def _instance(instance: Instance, release: list[int], size: list[int]) -> Instance:
    order = sorted(range(len(release)), key=lambda j: release[j])
    return Instance.from_columns(
        instance.machines,
        tick=instance.tick,
        release=[release[j] for j in order],
        size=[size[j] for j in order],
        eligible_set=[0] * len(order),
        sets=[tuple(range(instance.machines))],
    )
