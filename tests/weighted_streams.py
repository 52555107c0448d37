"""Instances on which algorithm B rejects late, by length instead of number of jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import takewhile

from certify.claims.weighted_b_scene import ServiceScene
from online.generate import Dice, starvation
from online.generate.rows import Made, instance_of
from online.generate.small import small_weighted
from online.instance import Instance
from online.weighted.classes import Types, power
from online.weighted.doubling import decide
from online.weighted.parameters import Parameters


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


def short_segments(
    runs: int, types_of: Callable[[Instance], Types], *, periods: bool = False
) -> Iterator[ServiceScene]:
    """Any beta, offset and, with `periods`, period, so that small instances of many kinds have late rejections.

    Half of the runs know T, the others are by guess and double.
    """
    for seed in range(runs):
        dice = Dice(seed)
        parameters = Parameters(
            Fraction(1, 1 + dice.below(4)),
            alpha=1 << dice.below(3),
            offset=dice.below(4),
            beta=Fraction(1 + dice.below(8), 1 + dice.below(4)),
            period=2 + dice.below(3) if periods else None,
        )
        types = types_of(small_weighted(dice, jobs=40, span=6 + dice.below(10)))
        sizes = types.instance.size.tolist()
        top = max(power(kind.weight) * size for kind, size in zip(types.types, sizes, strict=True))
        yield ServiceScene.of(decide(types, parameters, top if dice.below(2) else None))
