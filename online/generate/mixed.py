"""Mixed sizes and weights: calm and crowds, a known optimum."""

from __future__ import annotations

from online.generate.dice import Dice, chain, distinct
from online.generate.rows import Made, instance_of
from online.instance import Instance


def weighted(dice: Dice, jobs: int, machines: int) -> tuple[Instance, None]:
    """Mixed sizes and weights, restricted sets, calm and crowds, at a load near 1.

    Sizes spread over powers of two from 1 to 64, small ones more often; weights over six classes, heavy jobs being
    small. About half of the jobs are a calm background with one of `4 * machines` random eligible sets; the others
    come in crowds at one instant that narrow down to a few machines, so that no single job decides the optimum.
    """
    sets = distinct([dice.subset(machines, 1 + dice.below(machines)) for _ in range(4 * machines)])
    horizon = max(jobs * MEAN_SIZE // machines, 1)
    rows: list[Made] = []
    while len(rows) < jobs:
        when = dice.below(horizon)
        wanted = sets[dice.below(len(sets))], 1
        crowd = [(one, len(one) * (2 + dice.below(6))) for one in chain(dice, machines)]
        for one, count in crowd if dice.below(8 * machines) == 0 else [wanted]:
            for _ in range(min(count, jobs - len(rows))):
                size = mixed_size(dice)
                rows.append(Made(when, size, _weight(dice, size), one))
    return instance_of(machines, rows), None


def planted_weighted(dice: Dice, jobs: int, machines: int) -> tuple[Instance, dict[str, str] | None]:
    """Mixed sizes and weights; the smallest possible largest weighted flow time T is known.

    Claim: T* = T. At one instant jobs of weight w and total size `k T/w` want the same k machines only, so one of them
    is not done before T/w later, and T* >= T; every other job has room of its own on an eligible machine that ends
    within T / weight of its release, and the crowd fits exactly in front of T/w, so T* <= T.
    """
    if not jobs:
        return instance_of(machines, []), {"problem": "weighted", "optimum": "0"}
    k = min(1 + dice.below(machines), jobs)
    size, weight = 1 << dice.below(4), 1 << dice.below(6)
    each = max(1, min(1 + dice.below(8), jobs // (2 * k)))
    optimum = weight * size * each
    core = dice.subset(machines, k)
    when = dice.below(max(jobs // machines, 1))
    rows = [Made(when, size, weight, core)] * (each * k)
    free = [0] * machines
    while len(rows) < jobs:
        i = min(range(machines), key=free.__getitem__)
        own = mixed_size(dice)
        heavy = _weight(dice, own)
        while own * heavy > optimum:
            own, heavy = (own + 1) // 2, (heavy + 1) // 2
        start = free[i] + (dice.below(own) if dice.below(4) == 0 else 0)
        if i in core and start < when + size * each and start + own > when:
            free[i] = when + size * each
            continue
        free[i] = start + own
        slack = optimum // heavy - own
        allowed = tuple(sorted({i, dice.below(machines), dice.below(machines)}))
        rows.append(Made(max(start - dice.below(slack + 1), 0), own, heavy, allowed))
    return instance_of(machines, rows), {"problem": "weighted", "optimum": str(optimum)}


MEAN_SIZE = 5
"""About the mean of `mixed_size`."""


def mixed_size(dice: Dice) -> int:
    """1 to 64; each power of two above is half as frequent."""
    power = 0
    while power < 6 and dice.below(2):
        power += 1
    return (1 << power) + dice.below(1 << power) if power < 6 else 64


def _weight(dice: Dice, size: int) -> int:
    """1 to 63, evenly over the classes that keep weight times size below 256."""
    power = dice.below(min(6, 8 - size.bit_length()))
    return (1 << power) + dice.below(1 << power)
