"""Small load-balancing instances: narrowing eligible sets, and tournaments that meet the hypothesis T >= T*."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from online.generate.dice import Dice
from online.instance import Instance
from online.rows import Row

Size = Callable[[Dice], Fraction]


def unit(dice: Dice) -> Fraction:
    """All sizes 1."""
    return Fraction(1)


def bounded(dice: Dice) -> Fraction:
    """Sizes in [1, 2)."""
    return Fraction(8 + dice.below(8), 8)


def general(dice: Dice) -> Fraction:
    """Sizes over nine orders of magnitude, many of them near 1."""
    return Fraction(2) ** (dice.below(30) - 15) * bounded(dice) if dice.below(2) else bounded(dice)


def narrowing(dice: Dice, machines: int, jobs: int, size: Size) -> Instance:
    """Flexible jobs first, then jobs for fewer and fewer machines, with some noise."""
    rows: list[Row] = []
    order, width = dice.subset(machines, machines), machines
    while len(rows) < jobs:
        wanted = order[:width] if dice.below(4) else dice.subset(machines, 1 + dice.below(machines))
        for _ in range(min(1 + dice.below(2 * width), jobs - len(rows))):
            rows.append(Row(len(rows) + 1, 0, size(dice), sorted(wanted)))
        if dice.below(2):
            width = max(1, (width + 1) // 2)
    return Instance.from_rows(machines, rows)


def tournament_jobs(players: list[int], block: list[Fraction], rounds: int) -> list[tuple[Fraction, tuple[int, int]]]:
    """Pairs of machines that won so far; each pair gets a block of jobs that either of the two may run.

    An assignment with one block a machine exists: each block goes to the machine that drops out.
    """
    jobs = []
    for _ in range(rounds):
        pairs = list(zip(players[::2], players[1::2], strict=True))
        jobs += [(size, pair) for pair in pairs for size in block]
        players = [winner for winner, _ in pairs]
    return jobs


def tournament(rounds: int, extra: int = 0) -> Instance:
    """Unit jobs on `2^rounds` machines, T* = 1; then `extra` unit jobs for the winner alone, T* = max(1, extra)."""
    machines = 2**rounds
    jobs = tournament_jobs(list(range(machines)), [Fraction(1)], rounds)
    rows = [Row(k + 1, 0, size, pair) for k, (size, pair) in enumerate(jobs)]
    rows += [Row(len(rows) + 1 + k, 0, 1, [0]) for k in range(extra)]
    return Instance.from_rows(machines, rows)


def won_tournament(rounds: int, height: int) -> Instance:
    """Unit jobs on `2^rounds` machines in blocks of `height`, the last block for the winner alone; T* = height.

    The loser of each pair takes its block, the winner the last one, so every machine has exactly `height`, the average.
    """
    machines = 2**rounds
    jobs = tournament_jobs(list(range(machines)), [Fraction(1)] * height, rounds)
    eligible = [*(pair for _, pair in jobs), *[(0,)] * height]
    return Instance.from_rows(machines, [Row(k, 0, 1, one) for k, one in enumerate(eligible, 1)])


def overfull_class() -> Instance:
    """Epsilon 1 (alpha 4, delta 3), T = T* = 1: stage 2 prunes a machine on which one class has more than alpha T.

    Machine 1 wins a tournament of blocks of sixteen jobs of size 1/16 (class -4), seven rounds with half a block each,
    and one of jobs of size 19/20 (class -1), five rounds: loads 3.5 and 4.75, of one group, more than 8 together.
    """
    small = tournament_jobs(list(range(256)), [Fraction(1, 16)] * 16, 7)
    large = tournament_jobs([0, *range(256, 287)], [Fraction(19, 20)], 5)
    rows = [Row(k + 1, 0, size, sorted(pair)) for k, (size, pair) in enumerate(small + large)]
    return Instance.from_rows(287, rows)


def crowded(rounds: int, finals: int, dice: Dice, size: Size) -> Instance:
    """`finals` tournaments side by side, then jobs that only the winners may run, one for each: T* is one largest job.

    The winners took part in `rounds` games and dropped out of none, so the offline optimum gives them these last jobs;
    an online algorithm with at most `rounds` levels has to reject them.
    """
    rows: list[Row] = []
    width = 2**rounds
    for final in range(finals):
        players = list(range(final * width, (final + 1) * width))
        for _, pair in tournament_jobs(players, [Fraction(1)], rounds):
            rows.append(Row(len(rows) + 1, 0, size(dice), sorted(pair)))
    winners = [final * width for final in range(finals)]
    rows += [Row(len(rows) + 1 + k, 0, size(dice), winners) for k in range(finals)]
    return Instance.from_rows(finals * width, rows)
