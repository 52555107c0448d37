"""Jobs for identical servers whose speeds are free: steady arrivals and bursts, small and large sizes."""

from __future__ import annotations

from online.generate.dice import Dice
from online.generate.mixed import MEAN_SIZE, mixed_size
from online.generate.rows import Made, instance_of
from online.instance import Instance


def energy(dice: Dice, jobs: int, machines: int) -> tuple[Instance, None]:
    """Mixed sizes that may run everywhere, at a load near 1 at speed 1; about half of the jobs come in bursts.

    A burst is of up to four jobs a server at one instant: every other one of a single size, which calls for all servers
    at one speed, the others of mixed sizes, which do not.
    """
    everywhere = tuple(range(machines))
    horizon = max(jobs * MEAN_SIZE // machines, 1)
    rows: list[Made] = []
    while len(rows) < jobs:
        when = dice.below(horizon)
        burst = 1 + dice.below(4 * machines) if dice.below(2 * machines) == 0 else 1
        same = _size(dice) if dice.below(2) else None
        rows += [Made(when, same or _size(dice), 1, everywhere) for _ in range(min(burst, jobs - len(rows)))]
    return instance_of(machines, rows), None


def _size(dice: Dice) -> int:
    """Half of them even from 1 to 9, the others 1 to 64, each power of two above half as frequent."""
    return 1 + dice.below(9) if dice.below(2) else mixed_size(dice)
