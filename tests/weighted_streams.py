"""Instances on which algorithm B rejects late: jobs that starve behind a dense stream."""

from __future__ import annotations

from online.generate import Dice
from online.instance import Instance
from online.rows import Row


def stream(dice: Dice, *, top: int, length: int, machines: int = 1) -> Instance:
    """Jobs with `weight * size <= top`: a few early ones of low density, then denser ones as fast as can be served.

    Weights and sizes are powers of two, some sizes one less. After the early jobs, and now and then, comes a job of
    any kind; the dense ones follow one another without a gap, sometimes twice at once or after a pause.
    """
    rows: list[tuple[int, int, int]] = []
    for _ in range(machines):
        clock, end = dice.below(2 * top), length
        kinds = [_kind(dice, top) for _ in range(3)]
        dense = sorted(kinds, key=lambda one: one[0] / one[1])[-1 - dice.below(2) :]
        while clock < end:
            for _ in range(dice.below(4) if dice.below(12) == 0 or not rows else 0):
                rows.append((clock, *kinds[dice.below(3)]))
            weight, size = dense[dice.below(len(dense))]
            rows += [(clock, weight, size)] * (2 if dice.below(16) == 0 else 1)
            clock += size + (dice.below(4 * size) if dice.below(16) == 0 else 0)
    rows.sort(key=lambda one: one[0])
    sets = [dice.subset(machines, 1 + dice.below(machines)) for _ in range(3)]
    return Instance.from_rows(
        machines,
        [Row(k, when, size, sets[dice.below(3)], flow_weight=weight) for k, (when, weight, size) in enumerate(rows)],
    )


def _kind(dice: Dice, top: int) -> tuple[int, int]:
    weight = 1 << dice.below(top.bit_length() - 1)
    size = max((top // weight) >> dice.below(4), 1)
    return weight, max(size - (dice.below(3) == 0), 1)


def blocked(dice: Dice, *, length: int) -> Instance:
    """Two weights, one machine: small jobs of large flow weight starve behind huge ones of small flow weight.

    The small ones have sizes 1 to 3, flow weights 1024 or 2048, and density class 0 of the rejection weight; they come
    in bursts, more or less densely. The huge ones have sizes of 128 to 255, flow weight 1, and density classes 2 to 9.
    So all have `weight * size <= 4096`.
    """
    rows: list[tuple[int, int, int, int]] = []
    clock, calm = dice.below(50), 2 + dice.below(4) * dice.below(16)
    blockers = sorted(dice.below(length) for _ in range(length // (100 + dice.below(100))))
    while clock < length:
        size = 1 + dice.below(3)
        rows.append((clock, size, 1024 << (size == 1 and dice.below(2)), _rejection_weight(0, size)))
        clock += dice.below(2 * calm) if dice.below(3) else 0
    for when in blockers:
        size = 128 + dice.below(128)
        rows.append((when, size, 1, _rejection_weight(2 + dice.below(8), size)))
    return Instance.from_rows(
        1,
        [
            Row(k, when, size, flow_weight=flow, rejection_weight=rejection)
            for k, (when, size, flow, rejection) in enumerate(sorted(rows))
        ],
    )


def _rejection_weight(density: int, size: int) -> int:
    return 1 << density + (size - 1).bit_length()
