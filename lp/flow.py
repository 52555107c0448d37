"""The LP of one weight class solved exactly, in whole numbers, by minimum cuts: Newton's method on T."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from lp.clusters import strongest_cluster
from lp.deadline import Deadline
from lp.merged import Merged
from lp.optimum import greedy_upper
from lp.queues import Queues
from online.errors import InvalidInput, LimitReached, Problem
from online.family import IntervalFamily
from online.instance import Instance
from online.validate import rational
from online.weights import Weight, Weights


@dataclass(frozen=True, eq=False)
class FlowBound:
    """The value of the LP of Lemma 6.1, exactly if `optimal`, else bracketed, with a family from below.

    Claim: lower <= LP value <= upper and lower <= T*, in ticks times weight units; `lower` is the bound of `family`.
    `cuts` least cuts were made; `stopped` says why there were no more, "" if `optimal`.
    """

    lower: Fraction
    upper: Fraction
    family: IntervalFamily
    cuts: int
    stopped: str = ""

    @property
    def optimal(self) -> bool:
        """Whether the value is exact: the last cut proved that nothing is larger."""
        return self.lower == self.upper


def flow_bound(
    instance: Instance,
    *,
    weights: Weights | None = None,
    start: Fraction | IntervalFamily | None = None,
    time_limit: float | None = None,
    cuts: int | None = None,
    edge_limit: int | None = None,
) -> FlowBound:
    """The exact value of the LP of Lemma 6.1 for jobs of one weight, and an interval family of that value.

    Claim: T is at least the LP value exactly if the least cut of the network of `Queues` is the whole volume; else
    that cut is a family whose bound is over T. Newton's method: T is the bound of the best family known, at first that
    of the fullest interval on all machines, or of `start`; the strongest cluster of the family of the cut gives the
    next T. If no family beats T, the bound is the LP value.

    It ends: a cut maximises `volume - length - count T` over all families. If F does so at T and G at a later T', F
    is at most 0 at T' and G is over 0, so G gains on F from T to T': its count is less. So there are at most as many
    cuts as counts, one more than (machine, release) pairs; in practice one to five.

    A weight w of all jobs multiplies values by w. A number as `start` need not be a bound: if the cut shows it to be
    large enough, it is an upper bound, and the search goes on from below. Every family found is a certificate, so the
    search may be stopped: after `cuts` cuts, `time_limit` seconds (looked at between cuts), or above `edge_limit`
    arcs; `upper` is then the value of a greedy schedule, if nothing better is known.

    Growth: the network is linear in the total size of the eligible sets; most of its flow is found by a greedy
    dispatch. 10^5 jobs in sets of 10 of 20 machines take about 4 seconds, 10^6 about a minute and 4 gigabytes.

    Raises: `InvalidInput` for several weights or a malformed `start`; `LimitReached` if the first cut is too large
    for the libraries at hand.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1, the LP in the proof of Lemma 6.1.

    >>> from online.rows import Row
    >>> bound = flow_bound(Instance.from_rows(2, [Row("a", 0, 4), Row("b", 0, 3), Row("c", 1, 2, [1])]))
    >>> bound.lower, bound.optimal, bound.family.count
    (Fraction(4, 1), True, 2)
    """
    weight, merged = _the_weight(weights), Merged.of(instance)
    if merged.instance.n == 0:
        return FlowBound(Fraction(0), Fraction(0), IntervalFamily.of([]), 0)
    families, guess = [replace(fullest_interval(merged), weights=(weight,))], Fraction(0)
    if isinstance(start, IntervalFamily):
        families += [start] if start.count else []
    elif start is not None:
        guess = rational(start, "start")
    limits = _Limits(Deadline(time_limit), cuts, edge_limit)
    return _Newton(instance, weights, weight, Queues.of(merged), limits).run(families, guess)


@dataclass(frozen=True, eq=False)
class _Newton:
    instance: Instance
    weights: Weights | None
    weight: Weight
    queues: Queues
    limits: _Limits

    def run(self, families: list[IntervalFamily], guess: Fraction) -> FlowBound:
        """Cut until nothing beats the best family, from the best of `families` or a larger `guess` on."""
        family, lower = max(map(self.strongest, families), key=itemgetter(1))
        upper, made = None, 0
        while lower != upper and not (stopped := self.limits.reached(made, self.queues.arcs)):
            T = max(lower, guess) if upper is None else lower
            try:
                found = self.queues.violated(T / self.weight)
            except LimitReached as limit:
                if not made:
                    raise
                stopped = str(limit)
                break
            made += 1
            if found is None:
                upper = T
            else:
                family, lower = self.strongest(replace(found, weights=(self.weight,)))
                if lower <= T:
                    raise LimitReached("the cut is inconsistent: its family does not beat T")
        if upper is None:
            upper = Fraction(greedy_upper(self.instance).value) * self.weight
        return FlowBound(lower, upper, family, made, "" if lower == upper else stopped)

    def strongest(self, family: IntervalFamily) -> tuple[IntervalFamily, Fraction]:
        return strongest_cluster(self.instance, family, weights=self.weights)


def fullest_interval(merged: Merged) -> IntervalFamily:
    """Of all intervals, each taken on every machine, those of the largest bound: one queue with all machines' speed.

    >>> from online.rows import Row
    >>> merged = Merged.of(Instance.from_rows(2, [Row("a", 0, 1), Row("b", 5, 3, [1]), Row("c", 6, 3)]))
    >>> [one[2:4] for one in fullest_interval(merged)]
    [(Fraction(5, 1), Fraction(6, 1)), (Fraction(5, 1), Fraction(6, 1))]
    """
    machines = sorted(i for group in merged.members for i in group)
    begin = before = int(merged.instance.release[0])
    span, backlog, most = (begin, begin), 0, 0
    for release, size in zip(merged.instance.release.tolist(), merged.instance.size.tolist(), strict=True):
        backlog -= len(machines) * (release - before)
        if backlog <= 0:
            begin, backlog = release, 0
        before, backlog = release, backlog + size
        if backlog > most:
            span, most = (begin, release), backlog
    return IntervalFamily.of((i, 0, *span) for i in machines)


class _Limits(NamedTuple):
    deadline: Deadline
    cuts: int | None
    arcs: int | None

    def reached(self, made: int, arcs: int) -> str:
        """Which limit forbids another cut; "" if none does."""
        if self.deadline.passed():
            return "the time limit"
        if self.cuts is not None and made >= self.cuts:
            return f"the limit of {self.cuts} cuts"
        if self.arcs is not None and arcs > self.arcs:
            return f"a network of {arcs} arcs, over the limit of {self.arcs}"
        return ""


def _the_weight(weights: Weights | None) -> Weight:
    """The weight of all jobs. Raises: `InvalidInput` if there are several."""
    if weights is None or not weights.classes:
        return 1
    if weights.classes > 1:
        got = f"{weights.classes} distinct weights"
        fix = "use the lindley form or the Hall bound, which take any weights"
        raise InvalidInput(Problem("weights", "several weights in the flow form", got, "one", fix))
    return weights.values[0]
