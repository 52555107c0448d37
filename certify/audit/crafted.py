"""Instances made by hand: the smallest known counterexamples to printed claims about algorithms A and B."""

from __future__ import annotations

from collections.abc import Sequence

from online.instance import Instance
from online.rows import Row

Jobs = Sequence[tuple[int, int, int, int, int]]
"""Count, release, size, flow weight, rejection weight."""


def one_machine(jobs: Jobs) -> Instance:
    """The jobs on one machine; copies of a row come one after another."""
    rows = [
        Row(f"{k}.{copy}", release, size, flow_weight=flow, rejection_weight=rejection)
        for k, (count, release, size, flow, rejection) in enumerate(jobs)
        for copy in range(count)
    ]
    return Instance.from_rows(1, rows)


LURED: Jobs = [(1, 0, 1, 1, 1), (1, 0, 4, 1, 2), (1, 1, 17, 1, 1 << 40), *((1, t, 1, 16, 8) for t in range(10, 17))]
"""Claim 6.8 fails: ten jobs, alpha = 8, T = T* = 28."""

LIGHT: Jobs = [(1, 1, 16, 1, 1 << 40), (1, 3, 8, 64, 2048), *((1, t, 2, 2048, 4096) for t in (4, 8, 12, 16))]
"""Claim 6.11 fails: six jobs, alpha = 8, T = T* = 4096."""

TWO_WEIGHTS_AT_ONCE: Jobs = [(25, 0, 4, 2, 2), (28, 0, 3, 2, 2), (2, 0, 1, 4, 4), (53, 0, 4, 2, 2), (14, 4, 1, 4, 4)]
"""Inequality (8) fails although (7) holds: 122 jobs of weights 2 and 4, alpha = T = 8."""

LEFT_OVER: Jobs = [(1, 0, 7, 1, 1), (3, 0, 5, 1, 1), (1, 0, 2, 1, 1), (4, 2, 7, 1, 1)]
"""B carries more into a phase than A could hold: nine jobs of weight 1, alpha = 2, A's epsilon = 1/4."""


def flat_queue(guess: int) -> Jobs:
    """Claim 6.10 fails: 98 jobs, alpha = 8, T = T* = 512, with the last job 306 ticks behind.

    A dense job of 60 ticks; 128-fold weight every other tick until 188, twice there; one of class 0 far behind.
    """
    heavy = [(2 if t == 188 else 1, t, 2, 128, 8) for t in range(0, 190, 2)]
    return [(1, 0, 60, 1, 1 << 40), *heavy, (1, guess, 2, 1, 2)]


def old_jobs_fill_the_joint_time() -> Instance:
    """852 jobs on one machine, for T = 1024, alpha = 2, epsilon = 1/4: segments of weight 16 have 4096 ticks.

    Jobs of weight 16 and size 33 keep A's queue of their type just below 4 T from 1447 to 4063. At first small jobs
    come that are four times as dense but of small weight: A leaves them alone, B serves nothing else. So when they
    stop, B holds 1406 ticks of weight 16 that A has already served. From then on A and B both serve this type, B the
    old jobs, A those that are released from 2710 on; and from 4096 on a stream of twice the density keeps both busy.

    Corollary 6.16 fails for the intervals of Figure 5.
    """
    rows = [(1447, 33, 16)] * 7 + [(t, 33, 16) for t in range(1456, 4064, 33)]
    rows += [(t, 16, 16) for t in range(1447, 1480, 16)] + [(t, 8, 8) for t in range(1495, 1592, 8)]
    rows += [(t, 4, 4) for t in range(1599, 1812, 4)] + [(t, 2, 2) for t in range(1815, 2250, 2)]
    rows += [(t, 1, 1) for t in (*range(2264, 2314), *range(2346, 2644))]
    rows += [(4096, 32, 16)] * 7 + [(t, 32, 16) for t in range(4097, 7970, 32)]
    return one_machine([(1, when, size, w, w) for when, size, w in sorted(rows, key=lambda row: row[0])])
