"""Small random instances for properties: seeded, reproducible, and biased towards full queues."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from online.generate import Dice
from online.instance import Instance
from online.rows import Row

EPSILONS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(2, 5), Fraction(2, 3), Fraction(1))


def small_unit_instances(count: int, seed: int, *, per_unit: int = 1, most_jobs: int = 18) -> Iterator[Instance]:
    """Unit jobs on up to 4 machines; releases are multiples of `1/per_unit`.

    Half of them are bursts that narrow: at one or two instants flexible jobs come first, picky ones last.
    """
    dice = Dice(seed)
    for _ in range(count):
        machines, jobs = 1 + dice.below(4), 1 + dice.below(most_jobs)
        burst = dice.below(2)
        span = 1 + dice.below(2 if burst else 6 * per_unit)
        rows = []
        for _ in range(jobs):
            wanted = dice.subset(machines, 1 + dice.below(machines))
            rows.append((Fraction(dice.below(span), per_unit), wanted))
        if burst:
            rows.sort(key=lambda row: (row[0], -len(row[1])))
        yield Instance.from_rows(machines, [Row(k + 1, r, 1, wanted) for k, (r, wanted) in enumerate(rows)])


def epsilons(seed: int) -> Iterator[Fraction]:
    """An endless stream of rejection budgets."""
    dice = Dice(seed)
    while True:
        yield EPSILONS[dice.below(len(EPSILONS))]
