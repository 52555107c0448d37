"""Jobs with sizes and weights as the generators make them, and the instance that they become."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from online.generate.dice import Dice
from online.instance import Instance


class Made(NamedTuple):
    """A job; `rejection` 0 means the flow weight."""

    release: int
    size: int
    weight: int
    eligible: tuple[int, ...]
    rejection: int = 0


def instance_of(machines: int, rows: Iterable[Made]) -> Instance:
    """The instance of these jobs, in order of release, those of one instant as they stand."""
    rows = sorted(rows, key=lambda row: row.release)
    numbers: dict[tuple[int, ...], int] = {}
    return Instance.from_columns(
        machines,
        release=[row.release for row in rows],
        size=[row.size for row in rows],
        flow_weight=[row.weight for row in rows],
        rejection_weight=[row.rejection or row.weight for row in rows],
        eligible_set=[numbers.setdefault(row.eligible, len(numbers)) for row in rows],
        sets=list(numbers),
    )


def shares(jobs: int, machines: int, least: int) -> list[int]:
    """How many jobs each of the first machines gets, at least `least` if there are so many.

    >>> shares(7, 3, 3), shares(7, 3, 9), shares(0, 3, 9)
    ([4, 3], [7], [0])
    """
    parts = max(1, min(machines, jobs // least))
    return [jobs // parts + (k < jobs % parts) for k in range(parts)]


def around(dice: Dice, machine: int, machines: int) -> tuple[int, ...]:
    """Mostly the machine alone, now and then one more."""
    return tuple(sorted({machine, dice.below(machines)})) if dice.below(8) == 0 else (machine,)
