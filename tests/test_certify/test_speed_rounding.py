"""What rounded speeds cost the guarantee of SRPT: the drift in all states, at coarse dials."""

from __future__ import annotations

from fractions import Fraction

import pytest

from certify.speed.potential import Potential
from certify.speed.states import States
from online.speed.power_text import read_power
from online.speed.rounding import guarantee_factor, speed_kept


@pytest.mark.parametrize("text", ["s^2", "3s^2", "s^(3/2)", "s^2+s"])
@pytest.mark.parametrize("machines", [1, 2, 3])
@pytest.mark.parametrize("bits", [3, 5])
def test_coarse_dials_keep_the_ratio_up_to_the_factor(text: str, machines: int, bits: int) -> None:
    """With c1 = 2/k, c2 = 2/(k P^{-1}(1)) the drift (7) holds at c/k in every state of as many jobs as are claimed.

    The speeds are rounded to 3 and 5 bits, so that they are up to a quarter too slow.
    """
    power, most = read_power(text), 6
    while most and guarantee_factor(power, machines, most, bits) is None:
        most -= 1
    kept, beta = speed_kept(power, bits), power.beta
    assert beta is not None
    assert most == 0 or guarantee_factor(power, machines, most, bits) == 1 / kept
    fine = [power.at(power.dial_for_power(Fraction(i, machines), 50)).marginal for i in range(1, most + 1)]
    potential = Potential(tuple(2 * step / kept for step in fine), 2 / (kept * power.unit_speed_lower))
    ratio = (2 * (1 + beta) + 2 * power.theta_upper / power.unit_speed_lower) / kept
    for n in range(1, most + 1):
        dial = power.dial_for_power(max(Fraction(n, machines), Fraction(1)), bits)
        assert States(power, machines, potential, ratio, "any", n, dial).hold()
    assert bits == 3 or most == 6
