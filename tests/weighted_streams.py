"""Instances on which algorithm B rejects late, by length instead of number of jobs."""

from __future__ import annotations

from itertools import takewhile

from online.generate import Dice, starvation
from online.generate.rows import Made, instance_of
from online.instance import Instance


def stream(dice: Dice, *, top: int, length: int, machines: int = 1) -> Instance:
    """Dense streams behind which jobs starve, each machine's until `length`, all with one of three eligible sets."""
    rows = [row for _ in range(machines) for row in starvation.stream(dice, top, length)]
    sets = [dice.subset(machines, 1 + dice.below(machines)) for _ in range(3)]
    rows.sort(key=lambda row: row[0])
    return instance_of(machines, [Made(*row, sets[dice.below(3)]) for row in rows])


def blocked_machine(dice: Dice, *, length: int) -> Instance:
    """Two weights, one machine: small jobs that starve behind huge ones, more or less densely, until `length`."""
    calm = 4 + 2 * dice.below(4) * dice.below(16)
    return instance_of(1, takewhile(lambda row: row.release < length, starvation.blocked(dice, 0, 1, calm)))
