"""Priority rules that reject nobody: first in first out, shortest first, shortest remaining first, densest first."""

from __future__ import annotations

from online.instance import Instance
from online.priority import Order, PriorityRule, densest


class Fifo(PriorityRule):
    """First in, first out, not preemptive: an idle machine takes the job that was released first.

    Guarantee: 0 jobs are rejected. On one machine no schedule has a smaller maximum flow time; where all jobs may run
    on all m machines, none has one smaller by more than a factor of `3 - 2/m`.

    Source: Bender, Chakrabarti, Muthukrishnan, Flow and stretch metrics for scheduling continuous job streams (1998).

    >>> from fractions import Fraction
    >>> from online.play import play
    >>> from online.rows import Row
    >>> three = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 1, 2), Row("c", 2, 1)])
    >>> play(three, Fifo, Fraction(1)).completion.tolist()
    [3, 5, 6]
    """

    preemptive = False

    @classmethod
    def order(cls, instance: Instance) -> Order:
        release = instance.release.tolist()
        return lambda j, left: release[j]


class Spt(PriorityRule):
    """Shortest processing time first, not preemptive.

    Guarantee: 0 jobs are rejected.

    Source: Smith, Various optimizers for single-stage production (1956).

    >>> from fractions import Fraction
    >>> from online.play import play
    >>> from online.rows import Row
    >>> three = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 1, 2), Row("c", 2, 1)])
    >>> play(three, Spt, Fraction(1)).completion.tolist()
    [3, 6, 4]
    """

    preemptive = False

    @classmethod
    def order(cls, instance: Instance) -> Order:
        size = instance.size.tolist()
        return lambda j, left: size[j]


class Srpt(PriorityRule):
    """Shortest remaining processing time first, preemptive; a job stays on the machine where it has started.

    Guarantee: 0 jobs are rejected. On one machine no schedule has a smaller total flow time.

    Source: Schrage, A proof of the optimality of the shortest remaining processing time discipline (1968).

    >>> from fractions import Fraction
    >>> from online.play import play
    >>> from online.rows import Row
    >>> three = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 1, 1), Row("c", 2, 2)])
    >>> play(three, Srpt, Fraction(1)).completion.tolist()
    [4, 2, 6]
    """

    @classmethod
    def order(cls, instance: Instance) -> Order:
        return lambda j, left: left


class Hdf(PriorityRule):
    """Highest density first, preemptive: the density is the weight in the objective over the size.

    Guarantee: 0 jobs are rejected. The weight is the flow weight (for two weights as well), 1 for maximum flow time,
    `1/p` for stretch: in the last two the shortest job goes first.

    Source: Becchetti, Leonardi, Marchetti-Spaccamela, Pruhs, Online weighted flow time and deadline scheduling (2006).

    >>> from fractions import Fraction
    >>> from online.play import play
    >>> from online.rows import Row
    >>> two = Instance.from_rows(1, [Row("a", 0, 2, flow_weight=1), Row("b", 0, 3, flow_weight=2)])
    >>> play(two, Hdf.for_problem("weighted"), Fraction(1)).completion.tolist()
    [5, 3]
    """

    @classmethod
    def order(cls, instance: Instance) -> Order:
        return densest(cls.problem, instance)
