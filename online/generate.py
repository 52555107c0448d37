"""Seeded instances: the same arguments give the same bytes on every machine and Python."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from online.instance import Instance
from online.readers.writer import write_json

Generator = Callable[["Dice", int, int], tuple[Instance, dict[str, str] | None]]


class Dice:
    """Random choices from `Random.random` alone, the one stream that Python promises to keep.

    >>> [Dice(1).below(100) for _ in range(2)]
    [13, 13]
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, n: int) -> int:
        """An integer in `0..n-1`."""
        return int(self._random() * n)

    def subset(self, n: int, k: int) -> tuple[int, ...]:
        """An ascending k-subset of `0..n-1`."""
        pool = list(range(n))
        for a in range(k):
            b = a + self.below(n - a)
            pool[a], pool[b] = pool[b], pool[a]
        return tuple(sorted(pool[:k]))


def uniform(dice: Dice, jobs: int, machines: int) -> tuple[Instance, None]:
    """Releases spread evenly at a load near 1; each job has one of `4 * machines` random eligible sets."""
    sets = _distinct([dice.subset(machines, 1 + dice.below(machines)) for _ in range(4 * machines)])
    horizon = max(jobs // machines, 1)
    rows = sorted((dice.below(horizon), dice.below(len(sets))) for _ in range(jobs))
    return _unit_jobs(machines, rows, sets), None


def bursts(dice: Dice, jobs: int, machines: int) -> tuple[Instance, None]:
    """Bursts after calm: at a few instants many jobs want the same few machines, first the more flexible ones.

    About a third of the jobs are a calm background; each burst narrows from all machines down to a few, so that
    queues are filled by jobs that could have gone elsewhere.
    """
    sets = [tuple(range(machines))]
    horizon = max(2 * jobs // machines, 1)
    rows = [(dice.below(horizon), 0) for _ in range(jobs // 3)]
    while len(rows) < jobs:
        when, chain = dice.below(horizon), _chain(dice, machines)
        for one in chain:
            sets.append(one)
            wanted = min(len(one) * (2 + dice.below(6)), jobs - len(rows))
            rows += [(when, len(sets) - 1)] * wanted
    rows.sort()
    return _unit_jobs(machines, rows, sets), None


def planted(dice: Dice, jobs: int, machines: int) -> tuple[Instance, dict[str, str] | None]:
    """The offline optimum T is known.

    Claim: T* = T. At one instant `T * k` jobs want the same k machines only, so T* >= T; every other job has a
    slot of its own on an eligible machine within T of its release, so T* <= T.
    """
    if not jobs:
        return _unit_jobs(machines, [], []), {"problem": "max-flow", "optimum": "0"}
    k = min(1 + dice.below(machines), jobs)
    optimum = max(1, min(2 + dice.below(31), jobs // (2 * k)))
    core = dice.subset(machines, k)
    when = dice.below(max(jobs // machines, 1))
    sets: list[tuple[int, ...]] = [core]
    rows = [(when, 0)] * (optimum * k)
    reserved = {(i, slot) for i in core for slot in range(when, when + optimum)}
    slot = 0
    while len(rows) < jobs:
        for i in range(machines):
            if len(rows) < jobs and (i, slot) not in reserved and dice.below(10):
                sets.append(tuple(sorted({i, dice.below(machines), dice.below(machines)})))
                rows.append((max(slot - dice.below(optimum), 0), len(sets) - 1))
        slot += 1
    order = sorted(range(len(rows)), key=lambda j: rows[j][0])
    return _unit_jobs(machines, [rows[j] for j in order], sets), {"problem": "max-flow", "optimum": str(optimum)}


def weighted(dice: Dice, jobs: int, machines: int) -> tuple[Instance, None]:
    """Mixed sizes and weights, restricted sets, calm and crowds, at a load near 1.

    Sizes spread over powers of two from 1 to 64, small ones more often; weights over six classes, heavy jobs being
    small. About half of the jobs are a calm background with one of `4 * machines` random eligible sets; the others
    come in crowds at one instant that narrow down to a few machines, so that no single job decides the optimum.
    """
    sets = _distinct([dice.subset(machines, 1 + dice.below(machines)) for _ in range(4 * machines)])
    horizon = max(jobs * MEAN_SIZE // machines, 1)
    rows: list[_Row] = []
    while len(rows) < jobs:
        when = dice.below(horizon)
        wanted = sets[dice.below(len(sets))], 1
        crowd = [(one, len(one) * (2 + dice.below(6))) for one in _chain(dice, machines)]
        for one, count in crowd if dice.below(8 * machines) == 0 else [wanted]:
            for _ in range(min(count, jobs - len(rows))):
                size = _size(dice)
                rows.append(_Row(when, size, _weight(dice, size), one))
    return _weighted_jobs(machines, rows), None


def planted_weighted(dice: Dice, jobs: int, machines: int) -> tuple[Instance, dict[str, str] | None]:
    """Mixed sizes and weights; the smallest possible largest weighted flow time T is known.

    Claim: T* = T. At one instant jobs of weight w and total size `k T/w` want the same k machines only, so one of them
    is not done before T/w later, and T* >= T; every other job has room of its own on an eligible machine that ends
    within T / weight of its release, and the crowd fits exactly in front of T/w, so T* <= T.
    """
    if not jobs:
        return _weighted_jobs(machines, []), {"problem": "weighted", "optimum": "0"}
    k = min(1 + dice.below(machines), jobs)
    size, weight = 1 << dice.below(4), 1 << dice.below(6)
    each = max(1, min(1 + dice.below(8), jobs // (2 * k)))
    optimum = weight * size * each
    core = dice.subset(machines, k)
    when = dice.below(max(jobs // machines, 1))
    rows = [_Row(when, size, weight, core)] * (each * k)
    free = [0] * machines
    while len(rows) < jobs:
        i = min(range(machines), key=free.__getitem__)
        own = _size(dice)
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
        rows.append(_Row(max(start - dice.below(slack + 1), 0), own, heavy, allowed))
    return _weighted_jobs(machines, rows), {"problem": "weighted", "optimum": str(optimum)}


MEAN_SIZE = 5
"""About the mean of `_size`."""


class _Row(NamedTuple):
    release: int
    size: int
    weight: int
    eligible: tuple[int, ...]


def _size(dice: Dice) -> int:
    """1 to 64; each power of two above is half as frequent."""
    power = 0
    while power < 6 and dice.below(2):
        power += 1
    return (1 << power) + dice.below(1 << power) if power < 6 else 64


def _weight(dice: Dice, size: int) -> int:
    """1 to 63, evenly over the classes that keep weight times size below 256."""
    power = dice.below(min(6, 8 - size.bit_length()))
    return (1 << power) + dice.below(1 << power)


def _weighted_jobs(machines: int, rows: list[_Row]) -> Instance:
    rows = sorted(rows, key=lambda row: row.release)
    numbers: dict[tuple[int, ...], int] = {}
    return Instance.from_columns(
        machines,
        release=[row.release for row in rows],
        size=[row.size for row in rows],
        flow_weight=[row.weight for row in rows],
        eligible_set=[numbers.setdefault(row.eligible, len(numbers)) for row in rows],
        sets=list(numbers),
    )


def _chain(dice: Dice, machines: int) -> list[tuple[int, ...]]:
    """Nested eligible sets, from about half the machines down to one."""
    current = dice.subset(machines, (machines + 1) // 2)
    chain = [current]
    while len(current) > 1:
        current = tuple(current[a] for a in dice.subset(len(current), (len(current) + 1) // 2))
        chain.append(current)
    return chain


def _distinct(sets: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return list(dict.fromkeys(sets))


def _unit_jobs(machines: int, rows: list[tuple[int, int]], sets: list[tuple[int, ...]]) -> Instance:
    numbers: dict[tuple[int, ...], int] = {}
    return Instance.from_columns(
        machines,
        release=[when for when, _ in rows],
        size=[1] * len(rows),
        eligible_set=[numbers.setdefault(sets[k], len(numbers)) for _, k in rows],
        sets=list(numbers),
    )


FAMILIES: dict[str, Generator] = {
    "uniform": uniform,
    "bursts": bursts,
    "planted": planted,
    "weighted": weighted,
    "planted-weighted": planted_weighted,
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
