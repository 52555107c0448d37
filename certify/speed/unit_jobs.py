"""Jobs of one size: round robin is optimal among schedules that never migrate, and is not among all.

Source: Multiple server SRPT with speed scaling is competitive, the section on unit jobs (policy U); SPEED.md.
"""

from __future__ import annotations

from fractions import Fraction

from lp.energy.bracket import energy_bracket
from online.instance import Instance
from online.rows import Row
from online.speed.power import Power, power_law
from online.speed.trajectory import Segment, Trajectory


def round_robin(instance: Instance) -> list[Instance]:
    """The one-server instance that each server gets when job j goes to server j mod m; servers without jobs left out.

    >>> [one.release.tolist() for one in round_robin(counterexample().instance)]
    [[0, 0, 1, 1], [0, 1, 1]]
    """
    return [_of_server(instance, server) for server in range(min(instance.machines, instance.n))]


def _of_server(instance: Instance, server: int) -> Instance:
    jobs = range(server, instance.n, instance.machines)
    return Instance.from_columns(
        1,
        tick=instance.tick,
        ids=[instance.ids[j] for j in jobs],
        release=[int(instance.release[j]) for j in jobs],
        size=[int(instance.size[j]) for j in jobs],
        eligible_set=[0] * len(jobs),
        sets=[(0,)],
    )


def round_robin_bound(instance: Instance, power: Power, gap: Fraction = Fraction(1, 10**4)) -> Fraction:
    """At most the cost, in ticks, of every schedule that routes round robin, whatever the speeds.

    The sum of certified lower bounds of the servers, each up to a share `gap` below a schedule where that is reached.
    """
    return sum((energy_bracket(one, power, gap=gap).lower for one in round_robin(instance)), Fraction(0))


def counterexample() -> Trajectory:
    """Two servers, s^2, three unit jobs at 0 and four at 1, with migration: less than 16.8236.

    Up to 1 all runs at speed 3/2 and the second job moves from one server to the other; then each server does two jobs
    at about the square root of 2 and at 1. Round robin costs 17.1207 at least.

    >>> from online import exact
    >>> exact.decimal(counterexample().cost)
    '~16.823521'
    """
    instance = Instance.from_rows(2, [Row(f"{r}{k}", r, 1) for r, many in ((0, "abc"), (1, "defg")) for k in many])
    fast, root, one = Fraction(3, 2), Fraction(1414, 1000), Fraction(1)
    third, half = Fraction(1, 3), 1 + 1 / root
    segments = [
        Segment(Fraction(0), third, ((0, fast), (1, fast))),
        Segment(third, 2 * third, ((0, fast), (2, fast))),
        Segment(2 * third, one, ((1, fast), (2, fast))),
        Segment(one, half, ((3, root), (4, root))),
        Segment(half, half + 1, ((5, one), (6, one))),
    ]
    return Trajectory(instance, power_law(2), segments)
