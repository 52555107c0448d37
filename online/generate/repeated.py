"""Tournaments for equal jobs, held again and again while the winners still have work left: T* is one job."""

from __future__ import annotations

from collections.abc import Iterator

from online.instance import Instance
from online.rows import Row


def repeated_tournaments(machines: int, rounds: int, levels: int) -> Instance:
    """Unit jobs at times 0, ..., rounds - 1, made against who takes the least loaded machine and fills `levels`.

    Claim: at every time each machine gets at most one of the jobs offline, so T* = 1. As long as two machines that
    are still in have one load, below `levels`, they get a job that either may run, and the second drops out: it takes
    the job offline. Whoever is left gets one job alone, which is rejected where the machine is full.

    >>> [job.eligible for job in repeated_tournaments(4, 1, 2).jobs()]
    [(0, 1), (2, 3), (0, 2), (0,)]
    """
    loads = [0] * machines
    rows: list[Row] = []
    for time in range(rounds):
        loads = [max(load - 1, 0) for load in loads]
        rows += [Row(len(rows) + k, time, 1, eligible) for k, eligible in enumerate(_round(loads, levels), 1)]
    return Instance.from_rows(machines, rows)


def _round(loads: list[int], levels: int) -> Iterator[tuple[int, ...]]:
    """The eligible machines of one round; `loads` become those after it."""
    alive = list(range(len(loads)))
    while pair := _pair(loads, alive, levels):
        yield pair
        loads[pair[0]] += 1
        alive.remove(pair[1])
    for i in sorted(alive, key=lambda i: loads[i]):
        yield (i,)
        loads[i] = min(loads[i] + 1, max(levels, loads[i]))


def _pair(loads: list[int], alive: list[int], levels: int) -> tuple[int, int] | None:
    """The first two machines of the least load that two of them share."""
    by_load: dict[int, list[int]] = {}
    for i in alive:
        by_load.setdefault(loads[i], []).append(i)
    shared = [load for load, those in by_load.items() if load < levels and len(those) > 1]
    if not shared:
        return None
    first, second, *_ = by_load[min(shared)]
    return first, second
