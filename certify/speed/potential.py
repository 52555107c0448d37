"""The potential of [S]: what the algorithm still has to pay for being behind a reference schedule, and how it moves.

n(q) and n_o(q) are the unfinished jobs of the algorithm and of the reference with at least q of their size left, and
`v = n(q) - n_o(q)`. The potential is the integral over q of `level(v) + linear * v`, where level(v) is 0 for v <= 0 and
the sum of the first v steps otherwise. In the paper the i-th step is `c1 Delta(i/m)` and linear is c2.

Every table of steps >= 0 and every linear >= 0 give a potential that is 0 when both are empty and does not jump
(SPEED.md, P5), so the checks below take any.

Source: Multiple server SRPT with speed scaling is competitive, (6) and Proposition 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from online.errors import InvalidInput, Problem
from online.speed.power import BITS, Power


class Mover(NamedTuple):
    """An unfinished job: `remaining` ticks of work, served at `speed`, 0 if it waits."""

    remaining: Fraction
    speed: Fraction


class Passed(NamedTuple):
    """A job on the way from short to long ones: v before and after it, and whether it is the reference's."""

    mover: Mover
    before: int
    after: int
    of_reference: bool


@dataclass(frozen=True)
class Potential:
    """Steps of the convex part, from the first on, and the linear part.

    >>> flat = Potential((Fraction(2),), Fraction(1))
    >>> one, half = Mover(Fraction(1), Fraction(1)), Mover(Fraction(1, 2), Fraction(3))
    >>> flat.value([one], []), flat.value([one], [half]), flat.rate([one], [half])
    (Fraction(3, 1), Fraction(3, 2), Fraction(6, 1))
    """

    steps: tuple[Fraction, ...]
    linear: Fraction

    def over(self, share: Fraction) -> Potential:
        """Every step and the linear part divided by `share` > 0."""
        return Potential(tuple(step / share for step in self.steps), self.linear / share)

    @cached_property
    def _levels(self) -> list[Fraction]:
        return list(accumulate(self.steps, initial=Fraction(0)))

    def level(self, v: int) -> Fraction:
        """The convex part at v jobs more than the reference. Raises: `InvalidInput` beyond the table."""
        if v >= len(self._levels):
            got, expected = f"{v} jobs more than the reference", f"at most {len(self.steps)}"
            raise InvalidInput(Problem("potential", "table too short", got, expected, "give a longer table"))
        return self._levels[v] if v > 0 else Fraction(0)

    def value(self, algorithm: Sequence[Mover], reference: Sequence[Mover]) -> Fraction:
        """The potential in a state, in ticks."""
        total, reached = Fraction(0), Fraction(0)
        for mover, before, _, _ in walk(algorithm, reference):
            total += (mover.remaining - reached) * (self.level(before) + self.linear * before)
            reached = mover.remaining
        return total

    def rate(self, algorithm: Sequence[Mover], reference: Sequence[Mover]) -> Fraction:
        """Its derivative in time while the order of the remaining sizes lasts.

        Each job moves the end of the strip below it by its speed: it trades level(before) for level(after). Jobs of one
        size that move together telescope, so their order does not matter.
        """
        total = Fraction(0)
        for mover, before, after, _ in walk(algorithm, reference):
            if mover.speed:
                change = self.level(after) - self.level(before) + self.linear * (after - before)
                total += mover.speed * change
        return total


def walk(algorithm: Iterable[Mover], reference: Iterable[Mover]) -> Iterator[Passed]:
    """All jobs from short to long, served before waiting ones, the algorithm's before the reference's."""
    jobs = [(mover, False) for mover in algorithm] + [(mover, True) for mover in reference]
    jobs.sort(key=lambda one: (one[0].remaining, one[0].speed == 0, one[1]))
    v = sum(-1 if of_reference else 1 for _, of_reference in jobs)
    for mover, of_reference in jobs:
        after = v + 1 if of_reference else v - 1
        yield Passed(mover, v, after, of_reference)
        v = after


def printed_potential(power: Power, machines: int, backlog: int, *, linear: bool = True) -> Potential:
    """The paper's table for up to `backlog` jobs, with what reproduces its ratio: c1 = 2, c2 = 2 / P^{-1}(1).

    The marginal is read at a dial of 20 bits below P^{-1}(i/m), and c2 is rounded up. Without `linear`, c2 = 0.

    Raises: `InvalidInput` for a P that is not strictly convex.

    >>> from online.speed.power import power_law
    >>> [str(step) for step in printed_potential(power_law(2), 1, 4).steps][::3]
    ['4', '8']
    """
    if not power.strict:
        raise InvalidInput(
            Problem(str(power), "no potential", "a P with corners", "a strictly convex P", "use s^2, s^(3/2), s^2+s")
        )
    steps = (2 * power.at(power.dial_for_power(Fraction(i, machines))).marginal for i in range(1, backlog + 1))
    return Potential(tuple(steps), 2 / power.unit_speed_lower if linear else Fraction(0))


def steps_kept(power: Power) -> Fraction:
    """At most the ratio of a step of `printed_potential` to the paper's; 0 if beta is not known.

    Proof: P'(x s) >= x^beta P'(s) for x <= 1.

    >>> from online.speed.power import power_law
    >>> steps_kept(power_law(3))
    Fraction(274876858369, 274877906944)
    """
    return Fraction(0) if power.beta is None else (1 - Fraction(2, 1 << BITS)) ** int(power.root * power.beta)
