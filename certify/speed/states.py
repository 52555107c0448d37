"""The drift condition (7) in every state with a given backlog: against all references at once, at any speeds.

A state is the order of the remaining sizes of n jobs of the algorithm and n_o of the reference. The algorithm serves
its min(n, m) shortest at one speed s. The reference picks up to m of its jobs and their speeds; a served one that
lifts v from e - 1 to e gains at most `sup (step(e) + linear) s - c P(s) = c P*((step(e) + linear) / c)`. So the largest
left minus right side of (7) over all orders is a longest path in a grid whose nodes are (jobs of the algorithm ahead,
jobs of the reference ahead, services left), and the number of orders does not matter.

The left side is convex in s: what holds at two speeds holds at all speeds between them.

From n_o = max(n, m) on the convex part of the algorithm cannot hurt, the reference gains at most the weights of its
ranks (SPEED.md, TD), and each further job costs it c: once that bound is below 0 all larger n_o are settled.

Source: Multiple server SRPT with speed scaling is competitive, (7); SPEED.md, "All states".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import ceil, floor
from typing import Literal, NamedTuple

from certify.speed.conjugate import UNIT, conjugate_above
from certify.speed.potential import Potential
from online.errors import InvalidInput, Problem
from online.speed.power import Power

References = Literal["shortest", "any"]
"""Who is compared with: schedules that serve only jobs among their own m shortest, or any schedule."""


class Worst(NamedTuple):
    """The state with the largest left minus right side of (7) for a backlog and a number of reference jobs.

    `excess` is at least that difference, in jobs, exact up to the rounding (up). `order` spells the jobs from short to
    long: `a`, `A` the algorithm's waiting and served, `r`, `R` the reference's.
    """

    backlog: int
    held: int
    excess: Fraction
    order: str


@dataclass(frozen=True)
class States:
    """All states with a backlog of n, for SRPT at the dial `dial` and the potential's table.

    Claim: if `excess` of every state is at most 0 then (7) holds whenever n jobs are unfinished.
    """

    power: Power
    machines: int
    potential: Potential
    ratio: Fraction
    references: References
    backlog: int
    dial: Fraction

    @property
    def running(self) -> int:
        """Servers that SRPT keeps busy."""
        return min(self.backlog, self.machines)

    @cached_property
    def _own(self) -> list[int]:
        """What serving a job of the algorithm at v = 0, 1, ... n takes off the left side; in 1 / UNIT, rounded down."""
        speed = self.power.at(self.dial).speed if self.running else Fraction(0)
        return [0, *(floor(speed * step * UNIT) for step in self.potential.steps[: self.backlog])]

    @cached_property
    def _gains(self) -> list[int]:
        """The most that serving a job of the reference adds when it lifts v to 0 (or less), 1, ... n; rounded up."""
        weights = (Fraction(0), *self.potential.steps[: self.backlog])
        linear, c = self.potential.linear, self.ratio
        return [ceil(c * conjugate_above(self.power, (weight + linear) / c) * UNIT) for weight in weights]

    def _base(self, held: int) -> int:
        """The terms of (7) that the order does not change; rounded up."""
        point = self.power.at(self.dial)
        own = self.running * (point.power - self.potential.linear * point.speed)
        return ceil((self.backlog + own - self.ratio * held) * UNIT)

    @cached_property
    def last(self) -> int:
        """From one more reference job on, every state holds by the bound on ranks. See the proof above.

        Raises: `InvalidInput` if that is never so, since 0 jobs less cost nothing.
        """
        if self.ratio <= 0:
            raise InvalidInput(Problem("ratio", "not positive", str(self.ratio), "a ratio > 0", "give a larger one"))
        ranks = sum(self._gains[max(0, self.backlog - i)] for i in range(self.machines))
        start = max(self.backlog, self.machines)
        return next(held for held in count(start) if self._base(held + 1) + ranks <= 0)

    def worst(self) -> Iterator[Worst]:
        """The worst state for each number of reference jobs that matters, 0 first."""
        for held in range(self.last + 1):
            gain, order = _longest(self, held)
            yield Worst(self.backlog, held, Fraction(self._base(held) + gain, UNIT), order)

    def hold(self) -> bool:
        """Whether no state exceeds."""
        return all(one.excess <= 0 for one in self.worst())


def _longest(states: States, held: int) -> tuple[int, str]:
    """The largest sum over all orders of the jobs, and that order: from the long end, service by service.

    best[b][l] is the answer for the `a` longest jobs of the algorithm and the `b` longest of the reference, of which at
    most l may still be served.
    """
    n, waiting = states.backlog, states.backlog - states.running
    services = min(states.machines, held)
    rows: list[list[list[tuple[int, str]]]] = []
    for a in range(n + 1):
        row: list[list[tuple[int, str]]] = []
        for b in range(held + 1):
            cell = []
            for left in range(services + 1):
                options = [(0, "")] if a == b == 0 else []
                if a:
                    served = a > waiting
                    gain, order = rows[a - 1][b][left]
                    own = states._own[max(0, a - b)] if served else 0
                    options.append((gain - own, ("A" if served else "a") + order))
                if b:
                    options += _reference_step(states, row[b - 1], a - b + 1, left, b > held - services)
                cell.append(max(options, key=lambda option: option[0]))
            row.append(cell)
        rows.append(row)
    return rows[n][held][services]


def _reference_step(
    states: States, below: list[tuple[int, str]], v: int, left: int, shortest: bool
) -> Iterator[tuple[int, str]]:
    """Pass a job of the reference that lifts to v: waiting, or served if that is allowed."""
    gain, order = below[left]
    yield gain, "r" + order
    if left and (shortest or states.references == "any"):
        gain, order = below[left - 1]
        yield gain + states._gains[max(0, v)], "R" + order


def rule_dials(power: Power, machines: int, backlog: int) -> list[Fraction]:
    """The dials of speed rule (5) for 0, 1, ... `backlog` unfinished jobs, rounded down; 0 jobs need none.

    >>> from online.speed.power import power_law
    >>> [str(dial) for dial in rule_dials(power_law(3), 2, 2)]
    ['0', '1', '1']
    """
    served = (power.dial_for_power(max(Fraction(n, machines), Fraction(1))) for n in range(1, backlog + 1))
    return [Fraction(0), *served]


def worst_states(
    power: Power, machines: int, potential: Potential, ratio: Fraction, references: References, backlog: int
) -> Iterator[Worst]:
    """The worst state for every number of jobs up to `backlog`, at speed rule (5), against every number of theirs.

    Claim: if no excess is above 0, then cost(SRPT) <= ratio * cost(reference) whenever at most `backlog` jobs are
    unfinished at a time.

    >>> from certify.speed.potential import printed_potential
    >>> from online.speed.power import power_law
    >>> square = power_law(2)
    >>> table = printed_potential(square, 2, 3)
    >>> max(worst_states(square, 2, table, Fraction(4), "shortest", 3), key=lambda one: one.excess).order
    ''
    """
    for n, dial in enumerate(rule_dials(power, machines, backlog)):
        yield from States(power, machines, potential, ratio, references, n, dial).worst()


def least_ratio(
    power: Power, machines: int, potential: Potential, references: References, backlog: int, bits: int = 10
) -> Fraction:
    """The smallest multiple of 2^-bits at which (7) is shown for all states with at most `backlog` jobs.

    Claim: (7) holds in all those states at the answer; the next smaller multiple was not shown.
    """

    def shown(multiple: int) -> bool:
        ratio = Fraction(multiple, 1 << bits)
        return all(one.excess <= 0 for one in worst_states(power, machines, potential, ratio, references, backlog))

    high = 1 << bits
    while not shown(high):
        high *= 2
    low = high // 2 if high > 1 << bits else 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shown(middle) else (middle, high)
    return Fraction(high, 1 << bits)
