"""A claim about flow time plus energy: server prices, and what each job costs at least at these prices.

With `price(t) >= 0` what a server costs at t, the claim is `OPT >= sum phi_j - m * integral of price`, for every job

    phi_j <= flow time + energy + rent of job j, served alone in any way          (lp/ENERGY.md, E1 to E4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from certify.diagnose.claim import notes_of
from certify.diagnose.entries import Entries
from certify.energy_build import Paper
from certify.evidence import Document
from lp.energy.prices import Prices
from lp.energy.single import Alone, alone
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.speed.power import Power
from online.speed.trajectory import check_instance


@dataclass(frozen=True, eq=False)
class PriceClaim:
    """Times and phi in ticks: one price a cell of the grid, one phi a job in arrival order or None, OPT >= bound."""

    instance: Instance
    power: Power
    grid: tuple[Fraction, ...]
    price: tuple[Fraction, ...]
    phi: tuple[Fraction, ...] | None = None
    bound: Fraction | None = None
    notes: tuple[str, ...] = ()

    @property
    def rent(self) -> Fraction:
        """What all servers cost in all of time."""
        return self.instance.machines * Prices(self.grid, self.price, (), ()).rent


class DualViolation(NamedTuple):
    """Job `job` claims `phi`, but can be served alone for `most`; by as much as the difference it is wrong at least."""

    job: int
    phi: Fraction
    most: Fraction

    @property
    def deficit(self) -> Fraction:
        """By how much the claim is over what the job can be served for."""
        return self.phi - self.most


@dataclass(frozen=True, eq=False)
class PriceDiagnosis:
    """What is wrong with a claim about prices, and what is left of it; values in ticks.

    `open` are the jobs whose phi lies between what is proven of them and the schedule found for them alone: rounding.
    `scaling` is the largest theta for which theta times phi is proven feasible, None if no phi is above 0.
    """

    claim: PriceClaim
    alone: Alone
    violations: tuple[DualViolation, ...]
    open: tuple[int, ...]
    scaling: Fraction | None

    @property
    def feasible(self) -> bool:
        """Whether every phi is proven."""
        return not self.violations and not self.open

    @property
    def says(self) -> Fraction | None:
        """The bound of the claim's own numbers, true or not."""
        return None if self.claim.phi is None else sum(self.claim.phi, Fraction(0)) - self.claim.rent

    @property
    def scaled(self) -> Fraction | None:
        """The bound of theta times phi at the same prices."""
        if self.claim.phi is None or self.scaling is None:
            return None
        return self.scaling * sum(self.claim.phi, Fraction(0)) - self.claim.rent

    @property
    def repaired(self) -> Fraction:
        """The bound of the prices with what is proven of every job."""
        return sum(self.alone.least, Fraction(0)) - self.claim.rent

    @property
    def most(self) -> Fraction:
        """No duals at these prices prove more."""
        return sum(self.alone.most, Fraction(0)) - self.claim.rent

    @property
    def bound_holds(self) -> bool:
        """Whether the stated bound is proven, if there is one."""
        return self.claim.bound is None or self.repaired >= self.claim.bound

    def certificate(self, source: Document | None = None) -> Document:
        """The repaired claim, by rule C9."""
        paper = Paper(self.claim.instance, self.claim.power, source)
        paper.claim_prices(self.repaired, self.alone.prices, "somebody's prices, each job's dual as proven for them")
        return paper.document()


def diagnose_prices(
    instance: Instance,
    power: Power,
    *,
    grid: Sequence[Any],
    price: Sequence[Any],
    phi: Mapping[Any, Any] | Iterable[Any] | None = None,
    bound: Any = None,
    entries: Entries | None = None,
) -> PriceDiagnosis:
    """Hold server prices and the duals of jobs against what each job costs alone; numbers in the input's own units.

    `price[k]` holds from `grid[k]` to `grid[k + 1]`, servers are free of charge after the last time; `phi` is by job id
    or in arrival order. Claim: a phi that is listed as violated is over the exact cost of a way to serve the job alone;
    a feasible one is proven; the few in between are `open`.

    Raises: `InvalidInput` for what is no number or job, for a negative price, for a grid that does not ascend, begins
    after a release, or has another number of cells than there are prices.

    Source: [S], the cost; lp/ENERGY.md, facts E1 to E4.

    A job of size 3 costs 6 alone at s^2; who claims 7 is wrong by 1:

    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> one = Instance.from_rows(1, [Row("a", 0, 3)])
    >>> found = diagnose_prices(one, power_law(2), grid=[0, 1], price=[0], phi={"a": 7})
    >>> found.violations[0].deficit, found.scaling, found.repaired
    (Fraction(1, 1), Fraction(6, 7), Fraction(6, 1))
    """
    claim = _read(instance, power, grid, price, phi, bound, entries or Entries(instance))
    found = alone(instance, power, claim.grid, claim.price)
    given = claim.phi or ()
    bracket = list(zip(given, found.least, found.most, strict=False))
    wrong = tuple(DualViolation(j, one, most) for j, (one, _, most) in enumerate(bracket) if one > most)
    between = tuple(j for j, (one, least, most) in enumerate(bracket) if least < one <= most)
    theta = min((least / one for one, least, _ in bracket if one > 0), default=None)
    return PriceDiagnosis(claim, found, wrong, between, theta)


def _read(
    instance: Instance, power: Power, grid: Sequence[Any], price: Sequence[Any], phi: Any, bound: Any, entries: Entries
) -> PriceClaim:
    check_instance(instance)
    if not instance.n:
        raise InvalidInput(Problem("instance", "no jobs", "an instance without jobs", "a job", "its optimum is 0"))
    tick = instance.tick
    times = tuple(time / tick for time in entries.numbers("grid", grid))
    prices = entries.numbers("price", price)
    duals, missing = (None, 0) if phi is None else entries.by_job("phi", phi)
    stated = None if bound is None else entries.number(bound, "bound") / tick
    for k, value in enumerate(prices):
        if value < 0:
            entries.wrong(f"price[{k}]", "negative price", str(value), "a price >= 0", "correct it")
    if len(times) != len(prices) + 1:
        entries.wrong("price", "wrong length", f"{len(prices)} prices", f"{len(times) - 1}, one a cell", "correct it")
    if any(a >= b for a, b in pairwise(times)):
        entries.wrong("grid", "no ascending times", "a step back", "ascending times", "sort the grid")
    if times and times[0] > int(instance.release.min()):
        got = f"{times[0] * tick}, after the first release"
        entries.wrong("grid[0]", "begins too late", got, "a time up to the first release", "add a cell before")
    entries.finish()
    scaled = None if duals is None else tuple(one / tick for one in duals)
    return PriceClaim(instance, power, times, prices, scaled, stated, notes_of(entries.floats, missing))
