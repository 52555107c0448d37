"""Runs with speeds at scale."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

import pytest

from online.generate import make
from online.speed.power import power_law
from online.speed.simulation import simulate


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["srpt", "least-loaded"])
def test_ten_thousand_jobs_on_eight_servers(policy: str) -> None:
    """10^4 jobs on 8 servers are played and costed exactly within half a minute, in short fractions."""
    instance = make("energy", seed=1, jobs=10**4, machines=8)[0]
    start = perf_counter()
    run = simulate(instance, power_law(2), policy)
    cost = run.trajectory.cost
    assert perf_counter() - start < 30
    assert cost.denominator.bit_length() < 100
    assert 0 <= run.below_rule < cost / (1 << 18)
    assert run.overshoot < Fraction(sum(instance.size.tolist()), 10**6)
