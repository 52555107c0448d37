"""Crowds that fill algorithm A's queues: rejections on arrival, and guesses that are given up."""

from __future__ import annotations

from online.generate.dice import Dice
from online.generate.rows import Made, instance_of
from online.instance import Instance


def crowds(dice: Dice, jobs: int, machines: int) -> tuple[Instance, None]:
    """A few crowds of up to half of the jobs each, of one kind to three, on one machine to three, and a few stragglers.

    A crowd comes at one instant or as a dense stream, sometimes after a pause in which a machine could do all that came
    before. Sizes are 1 to 4, weights at most 15, one in four no power of two; stragglers have weight 1 and up to twice
    the size. With alpha the queue of a type holds less than `alpha^2 T`, so from about `4 alpha^2` jobs on A rejects.

    Speak: the claims of sections 6.2 and 6.3 about algorithm A, for `weighted`, with `--alpha 8` (the printed families)
    or `--alpha 16` (the corrected ones too); with `--guess`, about the largest `weight * size`, or without.
    """
    kinds = [(1 + dice.below(4), _weight(dice)) for _ in range(1 + dice.below(3))]
    rows: list[Made] = []
    clock = 0
    while len(rows) < jobs:
        clock += dice.below(40) + (sum(row.size for row in rows) if dice.below(3) == 0 else 0)
        wanted = dice.subset(machines, 1 + dice.below(min(machines, 3)))
        chosen = [kinds[dice.below(len(kinds))] for _ in range(1 + dice.below(2))]
        step, slower = dice.below(3), 1 + dice.below(3)
        crowd = range(1 + dice.below((jobs + 1) // 2))
        rows += [Made(clock + k * step // slower, *chosen[k % len(chosen)], wanted) for k in crowd]
        rows += [Made(clock + dice.below(40), 1 + dice.below(8), 1, wanted) for _ in range(dice.below(3))]
    return instance_of(machines, rows[:jobs]), None


def _weight(dice: Dice) -> int:
    power = 1 << dice.below(4)
    return power + (dice.below(power) if dice.below(4) == 0 else 0)
