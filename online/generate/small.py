"""Small instances for properties and audits, biased towards full queues: unit jobs, and jobs of many types."""

from __future__ import annotations

from fractions import Fraction

from online.generate.dice import Dice
from online.instance import Instance
from online.rows import Row


def small_unit(dice: Dice, *, per_unit: int = 1, most_jobs: int = 18) -> Instance:
    """Unit jobs on up to 4 machines; releases are multiples of `1/per_unit`.

    Half of them are bursts that narrow: at one or two instants flexible jobs come first, picky ones last.
    """
    machines, jobs = 1 + dice.below(4), 1 + dice.below(most_jobs)
    burst = dice.below(2)
    span = 1 + dice.below(2 if burst else 6 * per_unit)
    rows = []
    for _ in range(jobs):
        wanted = dice.subset(machines, 1 + dice.below(machines))
        rows.append((Fraction(dice.below(span), per_unit), wanted))
    if burst:
        rows.sort(key=lambda row: (row[0], -len(row[1])))
    return Instance.from_rows(machines, [Row(k + 1, r, 1, wanted) for k, (r, wanted) in enumerate(rows)])


def small_weighted(dice: Dice, *, jobs: int = 14, longest: int = 8, heaviest: int = 4, span: int = 12) -> Instance:
    """A small instance of many types: bursts, ties, sizes and both weights over several classes, some pauses."""
    machines = 1 + dice.below(3)
    n, clock, rows = 1 + dice.below(jobs), 0, []
    sizes = [1 + dice.below(longest) for _ in range(1 + dice.below(4))]
    weights = [1 + dice.below(1 << dice.below(heaviest + 1)) for _ in range(1 + dice.below(3))]
    for k in range(n):
        clock += dice.below(span) if dice.below(3) == 0 else 0
        size, flow = sizes[dice.below(len(sizes))], weights[dice.below(len(weights))]
        rejection = weights[dice.below(len(weights))] if dice.below(2) else 1 + dice.below(16)
        wanted = dice.subset(machines, 1 + dice.below(machines))
        rows.append(Row(k, clock, size, wanted, flow_weight=flow, rejection_weight=rejection))
    return Instance.from_rows(machines, rows)
