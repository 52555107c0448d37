"""Seeded instances: the same arguments give the same bytes on every machine and Python."""

from __future__ import annotations

from collections.abc import Callable

from online.generate.crowding import crowds
from online.generate.dice import Dice
from online.generate.luring import lures, weighted_lures
from online.generate.mixed import planted_weighted, weighted
from online.generate.speed import energy
from online.generate.starvation import blockers, starving
from online.generate.unit import bursts, planted, uniform
from online.instance import Instance
from online.readers.writer import write_json

__all__ = ["FAMILIES", "Dice", "generate", "make"]

Generator = Callable[[Dice, int, int], tuple[Instance, dict[str, str] | None]]

FAMILIES: dict[str, Generator] = {
    "uniform": uniform,
    "bursts": bursts,
    "planted": planted,
    "weighted": weighted,
    "planted-weighted": planted_weighted,
    "crowds": crowds,
    "starving": starving,
    "blockers": blockers,
    "lures": lures,
    "weighted-lures": weighted_lures,
    "energy": energy,
}
"""Instance families by name."""


def make(family: str, *, seed: int, jobs: int, machines: int) -> tuple[Instance, dict[str, str] | None]:
    """An instance of a family, and what is known of it (such as its optimum) or None.

    >>> instance, known = make("planted", seed=3, jobs=20, machines=3)
    >>> instance.n, known["problem"]
    (20, 'max-flow')
    """
    return FAMILIES[family](Dice(seed), jobs, machines)


def generate(family: str, *, seed: int, jobs: int, machines: int) -> str:
    """The same as a file in dualfit's own JSON, with what is known under `planted`."""
    instance, known = make(family, seed=seed, jobs=jobs, machines=machines)
    return write_json(instance, planted=known)
