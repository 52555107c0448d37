"""What rounded speeds cost the guarantee of SRPT with speed scaling."""

from __future__ import annotations

from fractions import Fraction

from online.speed.power import BITS, Power
from online.speed.sums import power_upper


def speed_kept(power: Power, bits: int = BITS) -> Fraction:
    """What is left at least of a speed when its dial is rounded down to `bits` significant bits, as a share.

    >>> from online.speed.power import power_law
    >>> speed_kept(power_law("5/2"), 3)
    Fraction(9, 16)
    """
    return (1 - Fraction(2, 1 << bits)) ** power.root


def guarantee_factor(power: Power, kept: Fraction) -> Fraction | None:
    """By what a proved ratio grows if SRPT runs at the share `kept` at least of its speeds, and never faster.

    Claim: if (7) holds with some potential and c in every state, against any speeds of the reference, then such a run
    costs at most the factor times c times the reference. Exact for kept = 1; None if beta is not known.

    Proof: take the potential over `kept`. The terms of the algorithm fall at least as fast as at its own speeds, and
    its power is no more; those of the reference are what they were for speeds over `kept`, at which its power is at
    most kept^-(1 + beta) times as large, since s P'(s) <= (1 + beta) P(s).

    Source: SPEED.md, "Executed speeds".

    >>> from online.speed.power import power_law
    >>> guarantee_factor(power_law(2), Fraction(1, 2)), guarantee_factor(power_law("3/2"), Fraction(1))
    (Fraction(4, 1), Fraction(1, 1))
    """
    return None if power.beta is None else power_upper(1 / kept, 1 + power.beta)
