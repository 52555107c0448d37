"""Flow time plus energy, bracketed: schedules from above, server prices from below, until they are close."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from lp.deadline import Deadline
from lp.energy.few import FewJobs
from lp.energy.many import ManyJobs
from lp.energy.prices import Prices, price_bound
from online.errors import LimitReached
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
    """A lower bound in ticks, its evidence, and how it was found: size, schedule or dual."""

    method: str
    value: Fraction
    prices: Prices


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
    at most `1 + gap`, or when its attempts are used up, or after `time_limit` seconds, with what holds by then.

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
    evidence = {"size": Prices.trivial(moved, power), **method.evidence()}
    rungs = [Rung(name, price_bound(moved, power, prices), prices.shifted(first)) for name, prices in evidence.items()]
    return EnergyBracket(tuple(rungs), _shifted(instance, method.upper(), first))


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
