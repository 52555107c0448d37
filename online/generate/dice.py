"""Random choices that are the same on every machine and Python."""

from __future__ import annotations

from random import Random


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


def chain(dice: Dice, machines: int) -> list[tuple[int, ...]]:
    """Nested eligible sets, from about half the machines down to one."""
    current = dice.subset(machines, (machines + 1) // 2)
    nested = [current]
    while len(current) > 1:
        current = tuple(current[a] for a in dice.subset(len(current), (len(current) + 1) // 2))
        nested.append(current)
    return nested


def distinct(sets: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Each set once, at its first place."""
    return list(dict.fromkeys(sets))
