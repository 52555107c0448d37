"""The constants of algorithms A and B: free to choose, proven by default."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from online.errors import InvalidInput, Problem
from online.exact import ceil_log2
from online.play import check_epsilon

SEGMENT = 6
"""The constant of the segments of section 7, re-derived; any that is at least `4 + 2 epsilon` will do."""


@dataclass(frozen=True)
class Parameters:
    """What algorithms A and B are run with; T is the guess.

    A: `epsilon` is the share of the weight that A may reject before a guess is given up, `alpha` a power of two; a
    queue may hold less than `alpha^2 T` of weighted remaining size. B: classes from `offset` above A's class on go
    first, a job of weight class w that is not done by the end of the second segment of length `beta T / 2^w` is
    rejected, and so is every `period`-th job of a machine, type and size class at once; None for no such rejections.

    Raises: `InvalidInput` for values that the algorithms are not defined for.
    """

    epsilon: Fraction
    alpha: int
    offset: int
    beta: Fraction
    period: int | None = None

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        _check("alpha", self.alpha, self.alpha >= 1 and self.alpha & (self.alpha - 1) == 0, "a power of two")
        _check("offset", self.offset, self.offset >= 0, "a whole number of classes >= 0")
        _check("beta", self.beta, self.beta > 0, "a number > 0")
        _check("period", self.period, self.period is None or self.period >= 1, "a whole number >= 1, or None")

    @classmethod
    def one_weight(
        cls, epsilon: Fraction, *, alpha: int | None = None, offset: int | None = None, beta: Fraction | None = None
    ) -> Parameters:
        """The constants of section 6.2: `offset = log2(1/epsilon)`, rounded up, and `beta = (alpha/epsilon)^2`.

        Guarantee: with T at least the optimum, A rejects at most an epsilon share of the weight. Of the weight rounded
        to powers of two, B rejects at most 20 epsilon on each machine, 12 epsilon if epsilon is a power of two, for
        alpha >= 2. Every accepted job has `2^w F < 2 beta T + 2^(w+1)`; the last term comes from whole ticks.

        Source: Rejecting jobs to minimize load and maximum flow-time, Lemma 6.12, Theorem 6.17.

        >>> Parameters.one_weight(Fraction(1, 4), alpha=2).beta
        Fraction(64, 1)
        """
        alpha = proven_alpha(epsilon) if alpha is None else alpha
        check_epsilon(epsilon)
        return cls(
            epsilon,
            alpha,
            ceil_log2(1 / epsilon) if offset is None else offset,
            (alpha / epsilon) ** 2 if beta is None else beta,
        )

    @classmethod
    def two_weights(
        cls,
        epsilon: Fraction,
        *,
        alpha: int | None = None,
        offset: int | None = None,
        beta: Fraction | None = None,
        segment: Fraction | int = SEGMENT,
        period: int | None = None,
    ) -> Parameters:
        """The constants of section 7, with N = `period` = 1/epsilon rounded up in the place of 1/epsilon.

        `offset = 2 log2 N`, rounded up, and `beta = 6 (alpha^2 + 2) N^4`.

        Guarantee: with T at least the optimum, A rejects at most an epsilon share of the rejection weight. Of the
        weight rounded to powers of two, B rejects at most 2/N at once, for each machine, type and size class, and at
        most 12/N late, for each machine.

        Source: Rejecting jobs to minimize load and maximum flow-time, Claims 7.2 to 7.5.

        >>> Parameters.two_weights(Fraction(1, 2), alpha=1).beta
        Fraction(288, 1)
        """
        alpha = proven_alpha(epsilon) if alpha is None else alpha
        period = math.ceil(1 / epsilon) if period is None else period
        return cls(
            epsilon,
            alpha,
            ceil_log2(period**2) if offset is None else offset,
            Fraction(segment) * (alpha**2 + 2) * period**4 if beta is None else beta,
            period,
        )


def proven_alpha(epsilon: Fraction, *, powers_of_two: bool = False) -> int:
    """The least power of two that is at least `152/epsilon`; `76/epsilon` is enough for weights that are powers of two.

    Claim: with T at least the optimum A rejects at most `b W` of rounded weight, `b = 2 (D+1) / (3 alpha K) + 8/K +
    2/alpha` with D = log2 alpha and K = alpha/8 - 1. From alpha = 128 on, `alpha b` falls and is at most 71, so
    `b <= 76/alpha <= epsilon`. Rounding weights down to powers of two may halve W: hence the factor 2.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemma 6.12; the constants are re-derived.

    >>> proven_alpha(Fraction(1, 2)), proven_alpha(Fraction(1, 2), powers_of_two=True)
    (512, 256)
    """
    check_epsilon(epsilon)
    return 1 << ceil_log2(proven_share(powers_of_two=powers_of_two) / epsilon)


def proven_share(*, powers_of_two: bool) -> int:
    """With T at least the optimum, A rejects at most such a number over alpha of the arrived weight, whatever alpha."""
    return 76 if powers_of_two else 152


def _check(name: str, value: object, good: bool, expected: str) -> None:
    if not good:
        raise InvalidInput(Problem(name, "out of range", str(value), expected, "choose another value"))
