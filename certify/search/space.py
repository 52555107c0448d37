"""The space of instances that a search walks through: drawing one, and varying one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from online.generate.dice import Dice, chain
from online.generate.rows import Made, instance_of
from online.instance import Instance

Rows: TypeAlias = list[Made]

AT_ONCE = 3
"""Most changes that make one variation."""


@dataclass(frozen=True)
class Space:
    """Instances of 1 to `jobs` jobs on `machines` machines, in whole numbers.

    Releases are 0 to `horizon`, sizes 1 to `sizes`, flow weights 1 to `weights`. Rejection weights are too if there are
    `two_weights`, else they are the flow weights.
    """

    jobs: int
    machines: int
    sizes: int
    horizon: int
    weights: int
    two_weights: bool = False

    @classmethod
    def of(cls, problem: str, *, jobs: int, machines: int, sizes: int, horizon: int, weights: int) -> Space:
        """The part that matters to a problem: load knows no time, and only weighted problems know weights."""
        return cls(
            jobs,
            machines,
            sizes,
            0 if problem == "load" else horizon,
            weights if problem in ("weighted", "two-weights") else 1,
            problem == "two-weights",
        )

    @property
    def extremes(self) -> Instance:
        """A job of the least size and one of the largest."""
        both = tuple(range(self.machines))
        return self.instance([Made(0, size, 1, both) for size in (1, self.sizes)])

    def instance(self, rows: Rows) -> Instance:
        """The instance of these rows."""
        return instance_of(self.machines, rows)

    def holds(self, instance: Instance) -> bool:
        """Whether there are no more jobs and machines than there may be, so that a climb can begin here."""
        return instance.n <= self.jobs and instance.machines <= self.machines

    def rows(self, instance: Instance) -> Rows:
        """The rows of an instance of the space."""
        return [
            Made(job.release, job.size, job.flow_weight, job.eligible, job.rejection_weight if self.two_weights else 0)
            for job in instance.jobs()
        ]

    def draw(self, dice: Dice) -> Rows:
        """As many rows as there may be: sizes equal, within a factor two, or any; often bursts that narrow, or alike.

        >>> space = Space.of("load", jobs=3, machines=2, sizes=2, horizon=9, weights=9)
        >>> [row.release for row in space.draw(Dice(0))]
        [0, 0, 0]
        """
        low, high = self._sizes(dice)
        span = dice.below(self.horizon + 1)
        sets = chain(dice, self.machines) if dice.below(2) else []
        rows = [
            Made(
                dice.below(span + 1),
                low + dice.below(high - low + 1),
                self.weight(dice),
                sets[dice.below(len(sets))] if sets else self.eligible(dice),
                self.weight(dice) if self.two_weights else 0,
            )
            for _ in range(self.jobs)
        ]
        if dice.below(4) == 0:
            rows = [rows[dice.below(min(2, self.jobs))] for _ in rows]
        narrows = dice.below(2)
        return sorted(rows, key=lambda row: (row.release, -len(row.eligible) if narrows else 0))

    def vary(self, dice: Dice, rows: Rows) -> Rows:
        """A few small changes."""
        for _ in range(1 + dice.below(AT_ONCE)):
            rows = CHANGES[dice.below(len(CHANGES))](self, dice, rows)
        return rows

    def weight(self, dice: Dice) -> int:
        """A weight in range."""
        return 1 + dice.below(self.weights)

    def eligible(self, dice: Dice) -> tuple[int, ...]:
        """Some of the machines."""
        return dice.subset(self.machines, 1 + dice.below(self.machines))

    def _sizes(self, dice: Dice) -> tuple[int, int]:
        """The least and the largest size of an instance to draw."""
        kind, low = dice.below(3), 1 + dice.below(self.sizes)
        return ((low, low), (low, min(2 * low - 1, self.sizes)), (1, self.sizes))[kind]


def _one(dice: Dice, rows: Rows, change: Callable[[Made], Made]) -> Rows:
    """One of the rows changed."""
    j = dice.below(len(rows))
    return [*rows[:j], change(rows[j]), *rows[j + 1 :]]


def _release(space: Space, dice: Dice, rows: Rows) -> Rows:
    return _one(dice, rows, lambda row: row._replace(release=dice.below(space.horizon + 1)))


def _nudge(space: Space, dice: Dice, rows: Rows) -> Rows:
    """A job comes a tick sooner or later."""
    step = 2 * dice.below(2) - 1
    return _one(dice, rows, lambda row: row._replace(release=min(max(row.release + step, 0), space.horizon)))


def _size(space: Space, dice: Dice, rows: Rows) -> Rows:
    return _one(dice, rows, lambda row: row._replace(size=1 + dice.below(space.sizes)))


def _same_size(space: Space, dice: Dice, rows: Rows) -> Rows:
    size = 1 + dice.below(space.sizes)
    return [row._replace(size=size) for row in rows]


def _weight(space: Space, dice: Dice, rows: Rows) -> Rows:
    if space.two_weights and dice.below(2):
        return _one(dice, rows, lambda row: row._replace(rejection=space.weight(dice)))
    return _one(dice, rows, lambda row: row._replace(weight=space.weight(dice)))


def _eligible(space: Space, dice: Dice, rows: Rows) -> Rows:
    return _one(dice, rows, lambda row: row._replace(eligible=space.eligible(dice)))


def _alike(space: Space, dice: Dice, rows: Rows) -> Rows:
    """A job takes the eligible machines of another, all but one of them perhaps."""
    machines = rows[dice.below(len(rows))].eligible
    if len(machines) > 1 and dice.below(2):
        gone = dice.below(len(machines))
        machines = machines[:gone] + machines[gone + 1 :]
    return _one(dice, rows, lambda row: row._replace(eligible=machines))


def _copy(space: Space, dice: Dice, rows: Rows) -> Rows:
    """A job once more, where there is room for it."""
    j = dice.below(len(rows))
    return [*rows[: j + 1], rows[j], *rows[j + 1 :]] if len(rows) < space.jobs else rows


def _delete(space: Space, dice: Dice, rows: Rows) -> Rows:
    j = dice.below(len(rows))
    return rows[:j] + rows[j + 1 :] if len(rows) > 1 else rows


def _swap(space: Space, dice: Dice, rows: Rows) -> Rows:
    """Two jobs change places, releases stay where they are."""
    j, k = dice.below(len(rows)), dice.below(len(rows))
    out = list(rows)
    out[j], out[k] = rows[k]._replace(release=rows[j].release), rows[j]._replace(release=rows[k].release)
    return out


CHANGES: tuple[Callable[[Space, Dice, Rows], Rows], ...] = (
    _release,
    _nudge,
    _size,
    _same_size,
    _weight,
    _eligible,
    _alike,
    _copy,
    _delete,
    _swap,
)
"""The small changes, each as likely as any other."""
