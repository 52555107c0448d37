"""Server prices and dials: the exact lower bound on flow time plus energy that they prove (lp/ENERGY.md)."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.speed.power import Power, Tabulated

Ranges = tuple[tuple[int, int], ...]
"""(first cell, dial) of each range of completions, ascending; the last range goes on for ever."""


class Tangent(NamedTuple):
    """The line `marginal * s - conjugate`, nowhere above P(s)."""

    marginal: Fraction
    conjugate: Fraction


def tangent(power: Power, dial: Fraction) -> Tangent:
    """The tangent of P at a dial; for a table, whose corners have many, the dial is the slope itself.

    Claim: `marginal * s - conjugate <= P(s)` for every s >= 0.
    """
    _require(dial >= 0, None, "dial", exact.text(dial), ">= 0")
    if isinstance(power, Tabulated):
        _require(dial <= power.slopes[-1], None, "dial", exact.text(dial), "a slope up to the last one")
        return Tangent(dial, max(Fraction(0), *(dial * speed - value for speed, value in power.points)))
    point = power.at(dial)
    return Tangent(point.marginal, point.conjugate)


@dataclass(frozen=True)
class Prices:
    """Evidence for a lower bound: what a server costs when, and for every job the dials against its completion times.

    `price[i]` >= 0 holds from `grid[i]` to `grid[i + 1]` (ticks), and 0 after the last. Job j's range q is the
    completions in the cells from its first to that of the next range, cells counted like prices; the first range
    starts with the release, wherever it lies.
    """

    grid: tuple[Fraction, ...]
    price: tuple[Fraction, ...]
    dials: tuple[Fraction, ...]
    ranges: tuple[Ranges, ...]

    @property
    def rent(self) -> Fraction:
        """What one server costs in all of time."""
        lengths = (b - a for a, b in pairwise(self.grid))
        return sum(map(operator.mul, self.price, lengths), Fraction(0))

    def to_document(self) -> dict[str, Any]:
        """Plain keys: exact texts and integers."""
        return {
            "grid": [exact.text(time) for time in self.grid],
            "price": [exact.text(value) for value in self.price],
            "dials": [exact.text(dial) for dial in self.dials],
            "ranges": [[list(part) for part in own] for own in self.ranges],
        }

    def shifted(self, ticks: int) -> Prices:
        """The same prices `ticks` later."""
        return replace(self, grid=tuple(time + ticks for time in self.grid))

    @classmethod
    def trivial(cls, instance: Instance, power: Power) -> Prices:
        """Price 0 and one dial: the bound mu0 * (sum of sizes), mu0 rounded down."""
        dial = power.work_price_lower() if isinstance(power, Tabulated) else power.dial_for_waiting(1, 40)
        start = Fraction(min(instance.release.tolist(), default=0))
        return cls((start,), (), (dial,), (((0, 0),),) * instance.n)


def price_bound(instance: Instance, power: Power, prices: Prices) -> Fraction:
    """The lower bound on flow time plus energy, in ticks, that `prices` prove.

    Claim: at most the cost of every schedule, migratory and preemptive, at any speeds, which runs at most m jobs at a
    time and no job twice at once: with H(t) = t - integral of (y - price)^+ up to t, a job of size w costs at least
    the minimum over its ranges of `mu w - H(release) + min H` over the range, for the range's tangent (mu, y), and all
    servers together are paid `m * integral of price` at most. Proof: lp/ENERGY.md, facts E1 to E4.

    Linear in dials times cells plus the total length of the ranges.

    Raises: `InvalidInput` for evidence that breaks a rule, naming it.

    One job alone costs mu0 times its size, 2 for s^2:

    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> one = Instance.from_rows(1, [Row("a", 0, 3)])
    >>> price_bound(one, power_law(2), Prices.trivial(one, power_law(2)))
    Fraction(6, 1)
    """
    proven = sum(job_bounds(instance, power, prices), Fraction(0))
    return proven - instance.machines * prices.rent


def job_bounds(instance: Instance, power: Power, prices: Prices) -> list[Fraction]:
    """What `prices` prove about each job: phi_j of lp/ENERGY.md, E4, in ticks.

    Claim: flow time, energy and rent of job j, served alone in whatever way, are at least phi_j.

    Raises: `InvalidInput` for evidence that breaks a rule, naming it.
    """
    _check_grid(instance, prices)
    clock = exact.common_denominator(prices.grid)
    field = _Field.of(prices, [int(time * clock) for time in prices.grid])
    least: dict[int, Fraction] = {}
    for dial, parts in zip(prices.dials, _by_dial(instance, prices, field.times, clock), strict=True):
        if parts:
            for job, value in _proven(tangent(power, dial), parts, field):
                least[job] = min(value, least.get(job, value))
    return [least[j] / clock for j in range(instance.n)]


class _Field(NamedTuple):
    """Grid and prices in integers: times times one denominator, prices times another."""

    times: list[int]
    values: list[int]
    denominator: int

    @classmethod
    def of(cls, prices: Prices, times: list[int]) -> _Field:
        denominator = exact.common_denominator(prices.price)
        return cls(times, [int(value * denominator) for value in prices.price], denominator)


class _Part(NamedTuple):
    """The completions of a job from its release or grid point `first` to grid point `last`, None for those without end.

    `home` is the cell of the release; `first` is None where the release is the start.
    """

    job: int
    release: int
    size: int
    home: int
    first: int | None
    last: int | None


def _by_dial(instance: Instance, prices: Prices, times: Sequence[int], clock: int) -> list[list[_Part]]:
    """The ranges of all jobs, sorted by their dials, after checking that they cover all completions."""
    asked: list[list[_Part]] = [[] for _ in prices.dials]
    for job, own in zip(instance.jobs(), prices.ranges, strict=True):
        release, size = job.release * clock, job.size * clock
        home = bisect_right(times, release) - 1
        cells = [first for first, _ in own]
        _require(cells[:1] == [home], job.position, "first range", f"cells {cells[:1]}", f"[{home}], the release's")
        _require(all(a < b for a, b in pairwise([*cells, len(times)])), job.position, "order", str(cells), "ascending")
        for (first, dial), last in zip(own, (*cells[1:], None), strict=True):
            _require(0 <= dial < len(prices.dials), job.position, "dial", str(dial), f"below {len(prices.dials)}")
            asked[dial].append(_Part(job.position, release, size, home, first if first > home else None, last))
    return asked


def _proven(line: Tangent, parts: Sequence[_Part], field: _Field) -> Iterator[tuple[int, Fraction]]:
    """What one dial proves about each of the asked ranges: (job, bound times the denominator of the times)."""
    own = exact.common_denominator(line)
    scale = exact.common_denominator([Fraction(1, own), Fraction(1, field.denominator)])
    mu, y, step = int(line.marginal * scale), int(line.conjugate * scale), scale // field.denominator
    slopes = [scale - max(0, y - value * step) for value in field.values] + [scale - y]
    rises = (slope * (b - a) for slope, (a, b) in zip(slopes, pairwise(field.times), strict=False))
    height = list(accumulate(rises, initial=0))
    suffix = list(accumulate(reversed(height), min))[::-1]
    for part in parts:
        _require(part.last is not None or y <= scale, part.job, "conjugate without end", str(line.conjugate), "<= 1")
        start = height[part.home] + slopes[part.home] * (part.release - field.times[part.home])
        ends = [start] if part.first is None else []
        inside = part.home + 1 if part.first is None else part.first
        if part.last is not None:
            ends.append(min(height[inside : part.last + 1]))
        elif inside < len(suffix):
            ends.append(suffix[inside])
        yield part.job, Fraction(mu * part.size - start + min(ends), scale)


def _check_grid(instance: Instance, prices: Prices) -> None:
    grid, price = prices.grid, prices.price
    _require(len(grid) == len(price) + 1, None, "number of prices", str(len(price)), f"{len(grid) - 1}")
    _require(all(a < b for a, b in pairwise(grid)), None, "grid", "a step back", "ascending times")
    _require(all(value >= 0 for value in price), None, "price", exact.text(min(price, default=0)), ">= 0")
    _require(len(prices.ranges) == instance.n, None, "jobs", str(len(prices.ranges)), str(instance.n))
    first = min(instance.release.tolist(), default=grid[0])
    _require(grid[0] <= first, None, "first grid point", exact.text(grid[0]), f"at most the first release, {first}")


def _require(holds: bool, job: int | None, reason: str, got: str, expected: str) -> None:
    if not holds:
        place = "prices" if job is None else f"prices of job {job}"
        raise InvalidInput(Problem(place, reason, got, expected, "use evidence made for this instance"))
