"""Highest density first, with every (1/epsilon)-th job of a kind rejected: rejection in the place of speed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from online.exact import floor_log2
from online.instance import Instance
from online.priority import Order, PriorityRule, densest
from online.run import BY_WEIGHT
from online.weights import Weights


class HdfReject(PriorityRule):
    """Highest density first, preemptive; of each weight class and size class every (1/epsilon)-th job is rejected.

    Guarantee: at every prefix at most an epsilon share is rejected: of the jobs or, where the problem counts that, of
    the rejection weight. Proof: a job is rejected when, with it, at most an epsilon share of what has arrived of its
    class is rejected; arrivals only add to the right side, and the classes add up. With equal weights and 1/epsilon
    whole that is just every (1/epsilon)-th job of the class.

    Algorithm: the classes are those of powers of two, of the weight in the objective and of the size in ticks. The
    paper says without proof that on one machine this is within a constant factor of highest density first at speed
    1 + epsilon; it claims nothing for maximum flow times.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 9 (conclusion).

    >>> from fractions import Fraction
    >>> from online.play import play
    >>> from online.rows import Row
    >>> five = Instance.from_rows(1, [Row(k, 0, 1 + k % 2) for k in range(5)])
    >>> play(five, HdfReject, Fraction(1, 2)).dispatch.tolist()
    [0, 0, -1, -1, 0]
    """

    @classmethod
    def order(cls, instance: Instance) -> Order:
        return densest(cls.problem, instance)

    @classmethod
    def rejected(cls, instance: Instance, epsilon: Fraction) -> Iterator[int]:
        by_weight = cls.problem in BY_WEIGHT
        share = instance.rejection_weight.tolist() if by_weight else [1] * instance.n
        arrived: defaultdict[tuple[int, int], int] = defaultdict(int)
        spent: defaultdict[tuple[int, int], int] = defaultdict(int)
        for j, kind in enumerate(_classes(cls.problem, instance)):
            arrived[kind] += share[j]
            if (spent[kind] + share[j]) * epsilon.denominator <= epsilon.numerator * arrived[kind]:
                spent[kind] += share[j]
                yield j


def _classes(problem: str, instance: Instance) -> Iterator[tuple[int, int]]:
    weights = Weights.objective(problem, instance)
    of_weight = [floor_log2(value) for value in weights.values]
    ranks = weights.rank.tolist()
    return ((of_weight[k], floor_log2(size)) for k, size in zip(ranks, instance.size.tolist(), strict=True))
