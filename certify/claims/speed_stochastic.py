"""The claims of [S] on Poisson arrivals, at one power and one load; costs per tick of work. Proofs in certify/SPEED.md.

Source: Multiple server SRPT with speed scaling is competitive, the stochastic section.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from certify.claims.claim import Reading, Section
from certify.speed.stochastic import (
    alone_bound,
    gated_cost,
    gated_dial,
    gated_ratio,
    lower_bound,
    power_bound,
    ratio_bound,
)
from online.speed.power import Power

SECTION: Section[StochasticScene] = Section("[S], stochastic")
"""The claims, in the order of the paper."""

ROUNDING = 1 + Fraction(1, 10**9)
"""More than what rounding the bounds down takes off them."""


@dataclass(frozen=True)
class StochasticScene:
    """P and the load Lambda / m of a server."""

    power: Power
    load: Fraction

    @property
    def where(self) -> str:
        """How the scene is named in the ledger."""
        return f"load {self.load}, {self.power}"

    @property
    def cost(self) -> Fraction:
        """(13) at a good speed."""
        return gated_cost(self.power.at(gated_dial(self.power, self.load)), self.load)


@SECTION.claim("10", "(10): lambda C is at least m P(Lambda / m)", r"\lambda C \ge \Lambda^\alpha / m^{\alpha-1}", ">=")
def bound_10(scene: StochasticScene) -> Iterator[Reading]:
    """Measured on the cost of the gated policy."""
    yield Reading(scene.cost, power_bound(scene.power, scene.load), scene.where)


@SECTION.claim(
    "11", "(11): lambda C is at least Lambda mu0", r"\lambda C \ge \Lambda \alpha (\alpha-1)^{1/\alpha-1}", ">="
)
def bound_11(scene: StochasticScene) -> Iterator[Reading]:
    """Measured on the cost of the gated policy."""
    yield Reading(scene.cost, alone_bound(scene.power), scene.where)


@SECTION.claim("12", "(12): the larger of the two", r"\lambda C \ge \max(\ldots)", ">=")
def bound_12(scene: StochasticScene) -> Iterator[Reading]:
    """Measured on the cost of the gated policy."""
    yield Reading(scene.cost, lower_bound(scene.power, scene.load), scene.where)


@SECTION.claim(
    "13.argmin",
    "s* minimises (13) over s > 0",
    r"C(s^*) \le C(s), s > 0",
    "<=",
    corrected_by="13.stable",
)
def argmin_printed(scene: StochasticScene) -> Iterator[Reading]:
    """Below the load (13) is no cost: it is negative near it."""
    speed = scene.load * (1 - Fraction(1, 1000))
    dial = scene.power.dial_for_speed(speed)
    point = scene.power.at(dial)
    yield Reading(scene.cost, 1 / (point.speed - scene.load) + point.power / point.speed, scene.where)


@SECTION.claim("13.stable", "corrected: over s > Lambda / m", r"C(s^*) \le C(s), s > \Lambda/m", "<=")
def argmin_stable(scene: StochasticScene) -> Iterator[Reading]:
    """At several speeds above the load; s* is known up to the rounding of its dial."""
    best = scene.power.at(gated_dial(scene.power, scene.load)).speed
    for factor in (Fraction(1, 2), Fraction(9, 10), Fraction(11, 10), Fraction(2)):
        point = scene.power.at(scene.power.dial_for_speed(scene.load + (best - scene.load) * factor, 40))
        yield Reading(scene.cost, gated_cost(point, scene.load), f"{scene.where}, speed {point.speed}")


@SECTION.claim(
    "ST.square",
    "alpha = 2: random routing and gated static speed cost at most twice the optimum",
    r"C(s^*) \le 2\, OPT",
    "<=",
    hypothesis="P(s) = s^2",
)
def ratio_square(scene: StochasticScene) -> Iterator[Reading]:
    """Tight against (12) at load 2."""
    met = scene.power.alpha == 2 and scene.power.at(Fraction(1)).power == 1
    yield Reading(gated_ratio(scene.power, scene.load), 2 * ROUNDING, scene.where, met)


@SECTION.claim(
    "ST.ratio",
    "s^alpha: at most max(2, 2^(alpha - 1)) times the optimum (SPEED.md; the paper says: a constant)",
    r"C(s^*) \le \max(2, 2^{\alpha-1})\, OPT",
    "<=",
    hypothesis="P(s) = c s^alpha",
)
def ratio_general(scene: StochasticScene) -> Iterator[Reading]:
    """With the constant rounded down."""
    alpha = scene.power.alpha
    if alpha is not None:
        yield Reading(gated_ratio(scene.power, scene.load), ratio_bound(alpha) * ROUNDING, scene.where)
