"""What rounded speeds cost the guarantee of SRPT with speed scaling."""

from __future__ import annotations

from fractions import Fraction

from online.speed.power import BITS, Power


def speed_kept(power: Power, bits: int = BITS) -> Fraction:
    """What is left at least of a speed when its dial is rounded down to `bits` significant bits, as a share.

    >>> from online.speed.power import power_law
    >>> speed_kept(power_law("5/2"), 3)
    Fraction(9, 16)
    """
    return (1 - Fraction(2, 1 << bits)) ** power.root


def guarantee_factor(power: Power, machines: int, most_jobs: int, bits: int = BITS) -> Fraction | None:
    """By what the ratio c = 2 (1 + beta) + 2 theta / P^{-1}(1) grows when SRPT's speeds are rounded down to dials.

    Claim: a run of SRPT with completions as they come and at most `most_jobs` unfinished jobs at a time costs at most
    the factor times c times OPT; None if the proof does not reach so many jobs, or beta is not known.

    Proof: with k = `speed_kept`, the potential of the unrounded proof with c1 = 2/k and c2 = 2/(k P^{-1}(1)). In the
    drift of n >= m jobs the terms of the algorithm are as before, since speeds fell by k at most; those of the
    reference grow by 1/k, which c does too, but for (c1 - 2) sum (H(u_i) - u_i) <= (c1 - 2) beta n, and the
    unrounded drift has m + 1 to spare. With fewer than m jobs nothing else changes.

    Source: the drift of [S], Theorem 1, against references of any kind.

    >>> from online.speed.power import power_law
    >>> guarantee_factor(power_law(2), 2, 1000)
    Fraction(524288, 524287)
    """
    kept, beta = speed_kept(power, bits), power.beta
    if beta is None or (2 / kept - 2) * beta * most_jobs > machines + 1:
        return None
    return 1 / kept
