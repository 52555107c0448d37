"""Flow time plus energy, bracketed: schedules from above, server prices from below, until they are close."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from lp.bracket import shown
from lp.deadline import Deadline
from lp.energy.few import FewJobs
from lp.energy.many import ManyJobs
from lp.energy.prices import Prices, price_bound
from online.errors import InvalidInput, LimitReached, Problem
from online.instance import Instance
from online.speed.power import Power
from online.speed.trajectory import Segment, Trajectory, check_instance

FEW = 30
"""Up to so many jobs orders of completions are searched, and prices found by linear programs."""

LONGEST = 1 << 46
"""Longest span in ticks that is worked on."""

GAP = Fraction(1, 500)
"""The gap at which the search for better bounds ends."""


def silent(words: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Rung:
    """A lower bound in ticks, its evidence, and how it was found: size, schedule, dual or run.

    `promised` is what floats said before prices, dials and ranges were made exact: for display only.
    """

    method: str
    value: Fraction
    prices: Prices
    promised: float

    @property
    def cells(self) -> int:
        """Cells of the grid of prices."""
        return len(self.prices.price)

    @property
    def loss(self) -> float:
        """The share of the promised bound that rounding and joining ranges lost: for display only."""
        return 1 - shown(self.value) / self.promised


@dataclass(frozen=True)
class EnergyBracket:
    """Claim: every rung's value <= the optimal flow time plus energy <= `upper.cost`, in ticks."""

    rungs: tuple[Rung, ...]
    upper: Trajectory

    @property
    def rung(self) -> Rung | None:
        """The rung of the largest bound, the first among equals; None without jobs."""
        return max(self.rungs, key=lambda rung: rung.value, default=None)

    @property
    def lower(self) -> Fraction:
        """The largest bound from below; 0 without jobs."""
        return self.rung.value if self.rung else Fraction(0)

    @property
    def ratio(self) -> Fraction:
        """`upper.cost / lower`; 1 without jobs."""
        return self.upper.cost / self.lower if self.rung else Fraction(1)


def energy_bracket(
    instance: Instance,
    power: Power,
    *,
    time_limit: float | None = None,
    gap: Fraction = GAP,
    tell: Callable[[str], None] = silent,
) -> EnergyBracket:
    """Bracket the optimal flow time plus energy of jobs on identical servers with speed scaling.

    Claim: lower <= OPT <= upper.cost, both exact, for any number of migrations and any speeds. `lower` has evidence
    that `price_bound` evaluates (lp/ENERGY.md), `upper` is a feasible schedule. Rungs: `size` (mu0 times the total
    size), `schedule` (prices along the schedule), `dual` (the best prices found). The search ends when upper/lower is
    at most `1 + gap`, or when its attempts are used up, or after `time_limit` seconds, with what holds by then. For few
    jobs a time limit also lets it go on with finer and finer grids.

    Raises: `InvalidInput` for jobs that may not run everywhere or have size 0; `LimitReached` for too long a span.

    Source: [S], the cost; the bound is ours.

    Two unit jobs on one server at s^2 cost mu0 (1 + sqrt 2) = 4.828...:

    >>> from online.rows import Row
    >>> from online.speed.power import power_law
    >>> found = energy_bracket(Instance.from_rows(1, [Row("a", 0, 1), Row("b", 0, 1)]), power_law(2))
    >>> [round(float(value), 2) for value in (found.lower, found.upper.cost)]
    [4.82, 4.83]
    """
    check_instance(instance)
    if not instance.n:
        return EnergyBracket((), Trajectory(instance, power, ()))
    first = int(instance.release.min())
    moved = instance.shifted(first)
    _check_span(moved)
    method = _worked(moved, power, gap, Deadline(time_limit), tell)
    tell("exact values")
    rungs = [_rung(instance, power, name, *found) for name, found in method.evidence().items()]
    return EnergyBracket((_size_rung(instance, power), *rungs), _shifted(instance, method.upper(), first))


def run_bound(run: Trajectory) -> Rung:
    """The bound that a run itself proves, by the prices gamma (n/m - 1)^+ along it.

    Claim: `value` <= OPT, whatever the run is; gamma is the best of a few, chosen after the run.

    Raises: `LimitReached` for too long a span; `InvalidInput` without jobs.

    Source: [S], the queue in units of servers as in d(t, q) of (6); the prices are ours.
    """
    instance, power = run.instance, run.power
    if not instance.n:
        raise InvalidInput(Problem("run", "no jobs", "an empty instance", "a job", "bound nothing by 0"))
    first = int(instance.release.min())
    moved = instance.shifted(first)
    _check_span(moved)
    many = ManyJobs(moved, power, Deadline(None))
    many.follow(_shifted(moved, run, -first))
    prices, promised = many.evidence()["schedule"]
    return max(
        _size_rung(instance, power), _rung(instance, power, "run", prices, promised), key=lambda rung: rung.value
    )


def _rung(instance: Instance, power: Power, method: str, prices: Prices, promised: float) -> Rung:
    """`prices` are for releases from 0 on."""
    moved = prices.shifted(int(instance.release.min()))
    return Rung(method, price_bound(instance, power, moved), moved, promised)


def _size_rung(instance: Instance, power: Power) -> Rung:
    prices = Prices.trivial(instance, power)
    value = price_bound(instance, power, prices)
    return Rung("size", value, prices, shown(value))


def _worked(
    moved: Instance, power: Power, gap: Fraction, deadline: Deadline, tell: Callable[[str], None]
) -> FewJobs | ManyJobs:
    if moved.n <= FEW:
        few = FewJobs(moved, power, gap, deadline)
        with suppress(LimitReached):
            few.work(tell)
            return few
    many = ManyJobs(moved, power, deadline)
    many.work(tell)
    return many


def _check_span(moved: Instance) -> None:
    span = int(moved.release.max()) + sum(moved.size.tolist())
    if span > LONGEST:
        raise LimitReached(f"jobs over {span} ticks, the limit is {LONGEST}; use coarser times")


def _shifted(instance: Instance, run: Trajectory, ticks: int) -> Trajectory:
    """The same schedule, `ticks` later."""
    later = tuple(Segment(start + ticks, end + ticks, jobs) for start, end, jobs in run.segments)
    return replace(run, instance=instance, segments=later)
