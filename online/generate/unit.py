"""Unit jobs: even load, bursts after calm, a known optimum."""

from __future__ import annotations

from online.generate.dice import Dice, chain, distinct
from online.instance import Instance


def uniform(dice: Dice, jobs: int, machines: int) -> tuple[Instance, None]:
    """Releases spread evenly at a load near 1; each job has one of `4 * machines` random eligible sets."""
    sets = distinct([dice.subset(machines, 1 + dice.below(machines)) for _ in range(4 * machines)])
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
        when, nested = dice.below(horizon), chain(dice, machines)
        for one in nested:
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


def _unit_jobs(machines: int, rows: list[tuple[int, int]], sets: list[tuple[int, ...]]) -> Instance:
    numbers: dict[tuple[int, ...], int] = {}
    return Instance.from_columns(
        machines,
        release=[when for when, _ in rows],
        size=[1] * len(rows),
        eligible_set=[numbers.setdefault(sets[k], len(numbers)) for _, k in rows],
        sets=list(numbers),
    )
