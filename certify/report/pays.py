"""What each job pays at server prices: where the dual variable of a job comes from, exactly."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from lp.energy.prices import Prices, Tangent, tangent
from online import exact
from online.instance import Instance
from online.speed.power import Power
from online.speed.trajectory import Trajectory, total


class Pay(NamedTuple):
    """What a job pays at least: its completion is cheapest at `at`, in the range `first` to `last` (None: for ever).

    `dial` stands for the tangent of that range. All but that are in ticks.
    """

    value: Fraction
    at: Fraction
    first: Fraction
    last: Fraction | None
    dial: Fraction


@dataclass(frozen=True)
class Bill:
    """All that is paid at prices: by the jobs, `pays`, and for the servers, `rent`, which is m times their price.

    Claim: `value`, what jobs pay less the rent, is the lower bound that the prices prove.
    """

    pays: list[Pay]
    rent: Fraction

    @property
    def paid(self) -> Fraction:
        """What all jobs pay."""
        return sum((pay.value for pay in self.pays), Fraction(0))

    @property
    def value(self) -> Fraction:
        """What is left of it after the rent."""
        return self.paid - self.rent


def rents(schedule: Trajectory, prices: Prices) -> list[Fraction]:
    """What each job of a schedule pays for its servers: the price, for as long as it runs.

    Claim: its cost plus that is what it pays in a `Bill` at least, and all jobs together pay at most the rent.

    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> from online.speed.trajectory import Segment
    >>> one, three = Instance.from_rows(1, [Row("a", 0, 2)]), Fraction(3)
    >>> run = Trajectory(one, power_law(2), (Segment(Fraction(0), Fraction(2), ((0, Fraction(1)),)),))
    >>> rents(run, Prices((Fraction(0), Fraction(1)), (three,), (Fraction(1),), (((0, 0),),)))
    [Fraction(3, 1)]
    """
    grid, price = prices.grid, (*prices.price, Fraction(0))
    lengths = (price * (b - a) for price, (a, b) in zip(price, pairwise(grid), strict=False))
    before = list(accumulate(lengths, initial=Fraction(0)))
    known: dict[Fraction, Fraction] = {}

    def up_to(time: Fraction) -> Fraction:
        if time not in known:
            cell = bisect_right(grid, time) - 1
            known[time] = before[cell] + price[cell] * (time - grid[cell])
        return known[time]

    paid: list[list[Fraction]] = [[] for _ in range(schedule.instance.n)]
    for start, end, running in schedule.segments:
        each = up_to(end) - up_to(start)
        for job, _ in running:
            paid[job].append(each)
    return [total(one) for one in paid]


def reopen_prices(evidence: dict[str, Any]) -> Prices:
    """The prices of evidence by rule C9, of a certificate that the checker accepted."""
    grid, price, dials = (tuple(map(exact.rational, evidence[name])) for name in ("grid", "price", "dials"))
    return Prices(grid, price, dials, tuple(tuple((first, dial) for first, dial in own) for own in evidence["ranges"]))


def bill(instance: Instance, power: Power, prices: Prices) -> Bill:
    """What everybody pays at prices that are evidence.

    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> one = Instance.from_rows(1, [Row("a", 0, 3)])
    >>> bill(one, power_law(2), Prices.trivial(one, power_law(2))).value
    Fraction(6, 1)
    """
    unit = exact.common_denominator(prices.grid)
    field = _Field(prices, [int(time * unit) for time in prices.grid], unit)
    asked: dict[int, list[tuple[int, int, int | None]]] = {}
    for job, own in enumerate(prices.ranges):
        for (first, dial), after in zip(own, (*own[1:], None), strict=True):
            asked.setdefault(dial, []).append((job, first, None if after is None else after[0]))
    least: dict[int, Pay] = {}
    for dial in sorted(asked):
        line = tangent(power, prices.dials[dial])
        for job, pay in field.pays(prices.dials[dial], line, asked[dial], instance):
            if job not in least or pay.value < least[job].value:
                least[job] = pay
    lengths = (b - a for a, b in pairwise(prices.grid))
    rent = sum((price * length for price, length in zip(prices.price, lengths, strict=True)), Fraction(0))
    return Bill([least[job] for job in range(instance.n)], instance.machines * rent)


class _Field(NamedTuple):
    """The prices on their grid; `times` count 1/`unit` ticks."""

    prices: Prices
    times: list[int]
    unit: int

    def pays(
        self, dial: Fraction, line: Tangent, asked: Sequence[tuple[int, int, int | None]], instance: Instance
    ) -> Iterator[tuple[int, Pay]]:
        """What one tangent proves of ranges `(job, first cell, last grid point)`."""
        whole = exact.common_denominator([*line, *self.prices.price])
        y, mu = int(line.conjugate * whole), int(line.marginal * whole)
        slopes = [whole - max(0, y - int(price * whole)) for price in (*self.prices.price, Fraction(0))]
        rises = (slope * (b - a) for slope, (a, b) in zip(slopes, pairwise(self.times), strict=False))
        height = list(accumulate(rises, initial=0))
        ahead = _least_ahead(height)
        for job, first, last in asked:
            release = int(instance.release[job]) * self.unit
            home = bisect_right(self.times, release) - 1
            own = height[home] + slopes[home] * (release - self.times[home])
            start = home + 1 if first == home else first
            found = [(own, release)] if first == home else []
            if last is not None:
                found += [min((height[k], self.times[k]) for k in range(start, last + 1))]
            elif start < len(height):
                found.append((height[ahead[start]], self.times[ahead[start]]))
            low, at = min(found)
            value = Fraction(mu * int(instance.size[job]) * self.unit - own + low, whole * self.unit)
            begins = release if first == home else self.times[first]
            ends = None if last is None else self.prices.grid[last]
            yield job, Pay(value, Fraction(at, self.unit), Fraction(begins, self.unit), ends, dial)


def _least_ahead(height: Sequence[int]) -> list[int]:
    """Where the least height from each place on is, the first among equals."""
    best = list(range(len(height)))
    for k in range(len(height) - 2, -1, -1):
        if height[best[k + 1]] < height[k]:
            best[k] = best[k + 1]
    return best
