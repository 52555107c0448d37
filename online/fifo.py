"""FIFO on one machine and on many: completion times from the order of arrival, without a loop over time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from online.exact import Column


def completions(release: Column, size: Column) -> Column:
    """Completion times of jobs that one machine runs whole, in the order given, each as soon as it can.

    Claim: `C_j = max(r_j, C_{j-1}) + p_j`, unrolled to `C_j = P_j + max over k <= j of (r_k - P_{k-1})` with
    prefix volumes `P`. Columns in ticks; linear.

    >>> completions(np.array([0, 1, 9]), np.array([4, 4, 4])).tolist()
    [4, 8, 13]
    """
    volume = np.cumsum(size)
    return volume + np.maximum.accumulate(release - (volume - size)) if len(size) else volume


def per_machine(dispatch: Column, machines: int) -> Iterator[tuple[int, Column]]:
    """Yield `(machine, positions)` of the jobs dispatched to each machine that got any, in arrival order.

    >>> [(i, jobs.tolist()) for i, jobs in per_machine(np.array([1, -1, 0, 1]), 2)]
    [(0, [2]), (1, [0, 3])]
    """
    order = np.argsort(dispatch, kind="stable")
    cuts = np.searchsorted(dispatch[order], np.arange(machines + 1))
    for i in range(machines):
        jobs = order[cuts[i] : cuts[i + 1]]
        if len(jobs):
            yield i, jobs
