"""Jobs that starve behind denser ones, until algorithm B rejects them late: one weight, and two."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from online.generate.dice import Dice
from online.generate.rows import Made, around, instance_of, shares
from online.instance import Instance


def starving(dice: Dice, jobs: int, machines: int) -> tuple[Instance, None]:
    """On every machine a few jobs of low density, then denser ones as fast as can be served.

    The guess starts at the largest `weight * size`, 2 to 16, and B rejects what waits through two segments of `SEGMENT
    * T / weight` ticks. A machine gets a share of at least 120 jobs, if there are so many, else others get none.

    Speak: the claims of sections 6.2 and 6.3 about algorithm B, for `weighted`. `--epsilon 1 --alpha 2 --offset 1
    --segment 16` are the constants of Corollary 6.16 and Theorem 6.17; shorter segments make more jobs late.
    """
    top = 2 << dice.below(4)
    rows: list[Made] = []
    for machine, count in enumerate(shares(jobs, machines, 120)):
        rows += islice(_starved(dice, top, machine, machines), count)
    return instance_of(machines, rows), None


def _starved(dice: Dice, top: int, machine: int, machines: int) -> Iterator[Made]:
    yield Made(0, top, 1, (machine,))
    for when, size, weight in stream(dice, top):
        yield Made(when, size, weight, around(dice, machine, machines))


def stream(dice: Dice, top: int, length: int | None = None) -> Iterator[tuple[int, int, int]]:
    """Release, size and weight of jobs with `weight * size <= top`; without a length, without an end.

    Weights and sizes are powers of two, some sizes one less. After the early jobs, and now and then, comes a job of
    any kind; the dense ones follow one another without a gap, sometimes twice at once or after a pause.
    """
    clock = dice.below(2 * top)
    kinds = sorted((_kind(dice, top) for _ in range(3)), key=lambda one: Fraction(one[1], one[0]))
    dense = kinds[-1 - dice.below(2) :]
    first = True
    while length is None or clock < length:
        for _ in range(dice.below(4) if dice.below(12) == 0 or first else 0):
            yield clock, *kinds[dice.below(3)]
        size, weight = dense[dice.below(len(dense))]
        for _ in range(2 if dice.below(16) == 0 else 1):
            yield clock, size, weight
        clock += size + (dice.below(4 * size) if dice.below(16) == 0 else 0)
        first = False


def _kind(dice: Dice, top: int) -> tuple[int, int]:
    weight = 1 << dice.below(top.bit_length() - 1)
    size = max((top // weight) >> dice.below(4), 1)
    return max(size - (dice.below(3) == 0), 1), weight


def blockers(dice: Dice, jobs: int, machines: int) -> tuple[Instance, None]:
    """Small jobs of large flow weight starve behind a few huge ones of flow weight 1.

    The guess starts at 4096, the largest `weight * size`. The small jobs have sizes 1 to 3, flow weights 1024 or 2048
    and density class 0 of the rejection weight; the huge ones sizes of 128 to 255 and density classes 2 to 9. A machine
    gets a share of at least 200 jobs, if there are so many, else others get none.

    Speak: the claims of section 7 about algorithm B, for `two-weights`. With `--epsilon 1 --alpha 1 --period 2` B
    rejects every second job of a kind at once, and others after two segments of `288 * 4` ticks (or half of that);
    `--guess 4096` keeps it to one phase.
    """
    rows: list[Made] = []
    for machine, count in enumerate(shares(jobs, machines, 200)):
        rows += islice(blocked(dice, machine, machines, max(8000 // (count + 1), 8)), count)
    return instance_of(machines, rows), None


def blocked(dice: Dice, machine: int, machines: int, calm: int) -> Iterator[Made]:
    """The jobs of one machine, without an end; a small one comes about every `calm / 3` ticks."""
    yield Made(0, 2, 2048, (machine,), _rejection(0, 2))
    pause = 60 + dice.below(100)
    clock, next_one = dice.below(50), dice.below(2 * pause)
    while True:
        while next_one <= clock:
            size = 128 + dice.below(128)
            yield Made(next_one, size, 1, (machine,), _rejection(2 + dice.below(8), size))
            next_one += dice.below(2 * pause)
        size = 1 + dice.below(3)
        weight = 1024 << (size == 1 and dice.below(2))
        yield Made(clock, size, weight, around(dice, machine, machines), _rejection(0, size))
        clock += dice.below(calm) if dice.below(3) else 0


def _rejection(density: int, size: int) -> int:
    """The least power of two of a density class."""
    return 1 << density + (size - 1).bit_length()
