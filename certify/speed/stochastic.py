"""Poisson arrivals: what every policy pays per job at least, and what random routing at one speed pays.

Jobs come at rate lambda with mean size E[X], Lambda = lambda E[X]; the cost of a job is its response time plus its
energy. `load` is Lambda / m, the work that a server must do per tick. All costs are per tick of work, that is
lambda C / Lambda = C / E[X]; with P(s) in jobs they have no unit.

Source: Multiple server SRPT with speed scaling is competitive, the stochastic section, (10) to (13).
"""

from __future__ import annotations

from fractions import Fraction

from online.errors import InvalidInput, Problem
from online.speed.power import Point, Power, Tabulated
from online.speed.sums import power_lower


def power_bound(power: Power, load: Fraction) -> Fraction:
    """(10): at least P(load) / load of power per tick of work, by Jensen over time and over servers; rounded down.

    >>> from online.speed.power import power_law
    >>> power_bound(power_law(2), Fraction(3))
    Fraction(3, 1)
    """
    return power.at(power.dial_for_speed(load, 40)).power / load


def alone_bound(power: Power) -> Fraction:
    """(11): at least mu0 = min_s (1 + P(s)) / s, what a job alone costs per tick of work; rounded down."""
    return power.mu0_lower


def lower_bound(power: Power, load: Fraction) -> Fraction:
    """(12): no policy pays less per tick of work."""
    return max(power_bound(power, load), alone_bound(power))


def gated_cost(point: Point, load: Fraction) -> Fraction:
    """(13): random routing, processor sharing, every server at this speed while it has jobs: C(s) / E[X].

    The queue is stable for speed > load only, which the paper's infimum over s > 0 leaves out: below, the formula is
    negative.
    """
    assert point.speed > load
    return 1 / (point.speed - load) + point.power / point.speed


def gated_dial(power: Power, load: Fraction) -> Fraction:
    """About the dial of the speed that minimises (13) over s > load.

    The derivative -1 / (s - load)^2 + P*(P'(s)) / s^2 changes its sign once, as P*(P'(s)) (1 - load / s)^2 rises.

    Raises: `InvalidInput` for a table on which (13) falls for ever.

    >>> from online.speed.power import power_law
    >>> gated_dial(power_law(2), Fraction(2)), gated_ratio(power_law(2), Fraction(2))
    (Fraction(3, 1), Fraction(2, 1))
    """
    if isinstance(power, Tabulated) and power.largest_conjugate <= 1:
        speed, paid = power.points[-1]
        expected = f"a last slope of more than (1 + {paid}) / {speed}, else faster is always cheaper"
        fix = "add points of larger speeds to the table"
        raise InvalidInput(Problem("--power", "table that rises too slowly", str(power), expected, fix))

    def falls(point: Point) -> bool:
        return point.speed <= load or point.conjugate * (point.speed - load) ** 2 <= point.speed**2

    return power.dial_below(falls)


def gated_ratio(power: Power, load: Fraction) -> Fraction:
    """At least the ratio of (13) at a good speed to (12): an upper bound on the competitive ratio at this load."""
    return gated_cost(power.at(gated_dial(power, load)), load) / lower_bound(power, load)


def ratio_bound(alpha: Fraction) -> Fraction:
    """max(2, 2^(alpha - 1)), rounded down: what SPEED.md proves for s^alpha.

    >>> ratio_bound(Fraction(2)), ratio_bound(Fraction(3))
    (Fraction(2, 1), Fraction(4, 1))
    """
    return max(Fraction(2), power_lower(Fraction(2), alpha - 1))
