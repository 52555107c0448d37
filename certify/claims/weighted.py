"""The claims about algorithm A: sections 6.2, 6.3 and 7; their proofs, with every constant, are in WEIGHTED.md.

T is the guess of the phase, d* a density class, Delta = log2 alpha, J(l) the jobs of the classes d*..d*+Delta with
`2^(d-d*) level >= gamma_l = 4 l alpha T`, `m_{l,w}` and `L(l)` the number and total length of the intervals of Figure
4, alpha_j the dual variables, W_d the weight of class d, P the size of the jobs of the classes in its index, P_R and
W_R of the rejected jobs. Weights are rounded down to powers of two, but for the budgets. With two weights `2^w` is the
flow weight, W and d are of the rejection weight.

The analysis of the paper has T = T* throughout; claims that only need T to be at least every `2^w p` say so.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from certify.claims.claim import Claim, Reading, Section
from certify.claims.weighted_measures import by_level, covered, nested_count, priorities, processing
from certify.claims.weighted_scene import ClassView, WeightedScene
from online.run import REJECTED
from online.weighted.classes import power
from online.weighted.parameters import proven_share

SECTION: Section[WeightedScene] = Section("[R] section 6.2")
"""Algorithm A for a known T, in the order of the paper."""

DOUBLING: Section[WeightedScene] = Section("[R] section 6.3")
"""Guess and double, A's part."""

TWO_WEIGHTS: Section[WeightedScene] = Section("[R] section 7")
"""Theorem 7.1; the claims of section 6.2 are those of section 7 where there are two weights."""

AT_LEAST_OPT = "T >= T*"
FITS = "T is at least every 2^w p"
ALPHA_16 = "alpha >= 16"
CORRECTED = f"{ALPHA_16}; {FITS}"


def _each(views: Iterable[ClassView], measure: Callable[[ClassView], Reading | None]) -> Iterator[Reading]:
    return (reading for reading in map(measure, views) if reading is not None)


def _least(readings: Iterable[tuple[Reading, Fraction | int]]) -> Reading | None:
    """The reading with the least slack."""
    found = min(readings, key=lambda one: one[1], default=None)
    return None if found is None else found[0]


def _place(view: ClassView, span: tuple[int, int, int, int, Fraction]) -> str:
    i, level, start, _, _ = span
    instance = view.scene.trail.decisions.types.instance
    return f"{view.name}, machine {instance.machine_name(i)}, l = {level}, from tick {start}"


# ---------------------------------------------------------------------- the bound and its families
@SECTION.claim(
    "6.6",
    "Lemma 6.6: T* is at least (sum of alpha_j - total length) / (sum of 1/2^w), for any alpha_j that satisfy (5)",
    r"T^* \ge \bigl(\sum_j \alpha_j - \sum_{(I,i,w)} |I|\bigr) / \sum_{(I,i,w)} 2^{-w}",
    ">=",
    unit="value",
)
def lemma_6_6(scene: WeightedScene) -> Iterator[Reading]:
    """With the largest alpha_j that (5) allows; T* replaced by the value of a schedule that rejects nobody."""
    yield from (Reading(scene.upper, view.best_bound, view.name) for view in scene.views if view.spans)


@SECTION.claim(
    "6.7.covering",
    "Lemma 6.7: a job of J(l+1) lies in an interval of level l for a weight of at most 2^w, on each eligible machine",
    r"j \in J(l+1),\ i \in S_j \Rightarrow \exists (I,i,w) \in \mathcal I(i,l): r_j \in I,\ 2^w \le w_j",
    ">=",
    hypothesis=FITS,
)
def covering(scene: WeightedScene) -> Iterator[Reading]:
    """Sides: consecutive levels that cover a job on its worst machine, levels due."""

    def one(view: ClassView) -> Reading | None:
        ids = scene.trail.decisions.types.instance.ids
        return _least(
            (Reading(levels, due, f"{view.name}, job {ids[j]}", scene.fits), levels - due)
            for j, levels, due in covered(view)
        )

    yield from _each(scene.views, one)


@SECTION.claim(
    "6.7.nesting",
    "Lemma 6.7: each interval of level l lies inside one of level l-1 for no larger weight",
    r"\forall (I_l,i,w)\ \exists (I_{l-1},i,w'): I_l \subseteq I_{l-1},\ w' \le w",
    ">=",
)
def nesting(scene: WeightedScene) -> Iterator[Reading]:
    """Sides: intervals that do, intervals above the first level."""

    def one(view: ClassView) -> Reading | None:
        inside, due = nested_count(view)
        return Reading(inside, due, view.name) if due else None

    yield from _each(scene.views, one)


@SECTION.claim(
    "6.7.disjoint",
    "before Lemma 6.7: the intervals of one machine and level are disjoint",
    r"I \ne I' \in \mathcal I(i,l) \Rightarrow I \cap I' = \emptyset",
    ">",
    unit="time",
)
def disjoint(scene: WeightedScene) -> Iterator[Reading]:
    """Sides: the least gap between two, and 0."""

    def one(view: ClassView) -> Reading | None:
        gaps = [b[2] - a[3] for spans in by_level(view).values() for a, b in itertools.pairwise(spans)]
        return Reading(min(gaps), 0, view.name) if gaps else None

    yield from _each(scene.views, one)


@SECTION.claim(
    "6.7.processing",
    "Lemma 6.7: in an interval of level l A serves the classes d*..d*+Delta for at most the size of the jobs of J(l-1) "
    "of weight 2^w or more that are released in it and dispatched to its machine",
    r"|\{t \in I : d^* \le d_A(t) \le d^* + \Delta\}| \le"
    r" \mathrm{vol}(J(l-1) \cap \{j : w_j \ge 2^w, r_j \in I\})",
    "<=",
    unit="time",
)
def processing_printed(scene: WeightedScene) -> Iterator[Reading]:
    """The intervals as printed, whose weight is the smallest of these jobs, on any machine."""
    yield from _each(scene.printed, lambda view: _processing(view, heavy_only=True))


@SECTION.claim(
    "6.7.processing-corrected",
    "the same for the corrected intervals, jobs of any weight",
    r"|\{t \in I : d^* \le d_A(t) \le d^* + \Delta\}| \le \mathrm{vol}(J(l-1) \cap \{j : r_j \in I\})",
    "<=",
    unit="time",
)
def processing_corrected(scene: WeightedScene) -> Iterator[Reading]:
    """All the proof of Claim 6.10 needs."""
    yield from _each(scene.corrected, lambda view: _processing(view, heavy_only=False))


def _processing(view: ClassView, *, heavy_only: bool) -> Reading | None:
    return _least(
        (Reading(one.within, one.arrived, _place(view, one.span)), one.arrived - one.within)
        for one in processing(view, heavy_only=heavy_only)
        if one.span[2] < one.span[3]
    )


# ---------------------------------------------------------------------- what A serves in an interval
@SECTION.claim(
    "6.8.density",
    "Claim 6.8: in an interval only classes d* and higher are served (ticks in which none is)",
    r"t \in I \Rightarrow d_A(t) \ge d^*",
    "<=",
    unit="time",
    hypothesis=AT_LEAST_OPT,
    corrected_by="6.8.density-corrected",
)
def density_printed(scene: WeightedScene) -> Iterator[Reading]:
    """From level alpha/8 on: there gamma_{l-1} is less than half the limit."""
    yield from _each(scene.printed, lambda view: _density(view, scene.enough))


@SECTION.claim(
    "6.8.density-corrected",
    "Claim 6.8 corrected: the same from level alpha/8 + 1 on",
    r"t \in I \in \mathcal I(i,l),\ l > \alpha/8 \Rightarrow d_A(t) \ge d^*",
    "<=",
    unit="time",
    hypothesis=ALPHA_16,
)
def density_corrected(scene: WeightedScene) -> Iterator[Reading]:
    """For any T."""
    yield from _each(scene.corrected, lambda view: _density(view, True))


def _density(view: ClassView, met: bool | None) -> Reading | None:
    return _least(
        (Reading(one.wasted, 0, _place(view, one.span), met), -one.wasted)
        for one in processing(view, heavy_only=False)
        if one.span[2] < one.span[3]
    )


@SECTION.claim(
    "6.8.fullest",
    "Claim 6.8: A serves the fullest queue of the density class that it serves (largest shortfall)",
    r"\mathrm{load}_{i,d}(t) = \mathrm{load}_{i,w,d}(t)",
    "<=",
    unit="value",
)
def fullest(scene: WeightedScene) -> Iterator[Reading]:
    """Read off the service, not the rule: at the last tick before each arrival and at the ends of the intervals."""

    def one(view: ClassView) -> Reading | None:
        return _least((Reading(p.shortfall, 0, _place(view, p.span)), -p.shortfall) for p in priorities(view))

    yield from _each(scene.views, one)


@SECTION.claim(
    "6.8.load",
    "Claim 6.8: the load it serves in an interval of level l is more than gamma_{l-1} / 2^(d-d*)",
    r"2^{d-d^*} \mathrm{load}_{i,w,d}(t) > \gamma_{l-1}",
    ">",
    unit="value",
)
def served_load(scene: WeightedScene) -> Iterator[Reading]:
    """At the tick of each interval where the left side is smallest."""

    def one(view: ClassView) -> Reading | None:
        rows = ((p, (p.span[1] - 1) * view.marks.height) for p in priorities(view))
        return _least((Reading(p.lifted, mark, _place(view, p.span)), p.lifted - mark) for p, mark in rows)

    yield from _each(scene.views, one)


# ---------------------------------------------------------------------- the dual variables
@SECTION.claim(
    "6.9",
    "Claim 6.9: condition (5) holds, alpha_j / p_j is at most the number of intervals that count j on each machine",
    r"\alpha_j / p_j \le |\{(I,i,w) \in \mathcal I : r_j \in I,\ 2^w \le w_j\}|",
    "<=",
    hypothesis=FITS,
)
def claim_6_9(scene: WeightedScene) -> Iterator[Reading]:
    """Printed and corrected families and duals. Sides: alpha_j / p_j, the least such number."""

    def one(view: ClassView) -> Reading | None:
        duals, ids = view.witness.duals.tolist(), scene.trail.decisions.types.instance.ids
        rows = zip(scene.trail.offers, duals, view.largest, strict=True)
        return _least(
            (Reading(dual, number, f"{view.name}, job {ids[j]}", scene.fits), number - dual)
            for (j, _), dual, number in rows
            if dual
        )

    yield from _each(scene.views, one)


@SECTION.claim(
    "(7)",
    "inequality (7): T times the sum of m_{l,w} / 2^w is at least the sum of alpha_j minus the total length",
    r"T \sum_{l,w} m_{l,w} 2^{-w} \ge \sum_j \alpha_j - \sum_l L(l)",
    ">=",
    unit="time",
    hypothesis=AT_LEAST_OPT,
)
def inequality_7(scene: WeightedScene) -> Iterator[Reading]:
    """Printed and corrected families and duals."""

    def one(view: ClassView) -> Reading | None:
        return Reading(scene.guess * view.share, view.excess, view.name, scene.enough) if view.spans else None

    yield from _each(scene.views, one)


@SECTION.claim(
    "6.10",
    "Claim 6.10: the dispatched jobs' alpha_j sum to at least sum over l > alpha/8 of L(l) - alpha/8 P_{>d*+Delta}",
    r"\sum_{j \notin J_R} \alpha_j \ge \sum_{l > \alpha/8} L(l) - \tfrac{\alpha}{8} P_{>d^*+\Delta}",
    ">=",
    unit="time",
    hypothesis=AT_LEAST_OPT,
    corrected_by="6.10.corrected",
)
def claim_6_10(scene: WeightedScene) -> Iterator[Reading]:
    """The reading that (8) uses, which leaves L(alpha/8) out; P counts rejected jobs too."""

    def one(view: ClassView) -> Reading | None:
        _, *others = view.lengths.values()
        rhs = sum(others) - scene.alpha // 8 * view.volume(view.above)
        return Reading(view.duals(rejected=False), rhs, view.name, scene.enough) if sum(others) else None

    yield from _each(scene.printed, one)


@SECTION.claim(
    "6.10.corrected",
    "Claim 6.10 corrected: the length of all but the two lowest levels is at most the sum of alpha_j + (K-2) "
    "P_{>d*+Delta}, dispatched jobs",
    r"\sum_{l \ge l_0+2} L(l) \le \sum_{j \notin J_R} \alpha_j + (K-2)^+ P_{>d^*+\Delta}",
    "<=",
    unit="time",
    hypothesis=ALPHA_16,
)
def claim_6_10_corrected(scene: WeightedScene) -> Iterator[Reading]:
    """For any T; covering loses one level and processing another."""

    def one(view: ClassView) -> Reading | None:
        _, _, *others = *view.lengths.values(), 0
        rhs = view.duals(rejected=False) + max(0, scene.levels - 2) * view.volume(view.above, rejected=False)
        return Reading(sum(others), rhs, view.name) if sum(others) else None

    yield from _each(scene.corrected, one)


@SECTION.claim(
    "(8)",
    "inequality (8): alpha/8 P_R is at most T sum m/2^w + alpha/8 P_{>d*+Delta} + L(alpha/8)",
    r"\tfrac{\alpha}{8} P_R \le T \sum_{l,w} m_{l,w} 2^{-w} + \tfrac{\alpha}{8} P_{>d^*+\Delta} + L(\alpha/8)",
    "<=",
    unit="time",
    hypothesis="(7), as when T >= T*",
    corrected_by="(8).corrected",
)
def inequality_8(scene: WeightedScene) -> Iterator[Reading]:
    """As printed; P counts rejected jobs too. It follows from (7) and Claim 6.10."""

    def one(view: ClassView) -> Reading | None:
        eighth, rejected = scene.alpha // 8, view.rejected_volume()
        rhs = scene.guess * view.share + eighth * view.volume(view.above) + view.lengths[view.marks.levels.start]
        met = scene.guess * view.share >= view.excess
        return Reading(eighth * rejected, rhs, view.name, met) if rejected else None

    yield from _each(scene.printed, one)


@SECTION.claim(
    "(8).corrected",
    "inequality (8) corrected: K P_R is at most C sum m/2^w + L(l0) + L(l0+1) + (K-2) P_{>d*+Delta}, C the larger of "
    "T and the right side of (6)",
    r"K P_R \le C \sum_{l,w} m_{l,w} 2^{-w} + L(l_0) + L(l_0+1) + (K-2)^+ P_{>d^*+\Delta}",
    "<=",
    unit="time",
    hypothesis=f"{CORRECTED}, or the family has an interval",
)
def inequality_8_corrected(scene: WeightedScene) -> Iterator[Reading]:
    """A rejected job that fits has an interval, one that does not may have none; with T >= T* and (5), C = T."""

    def one(view: ClassView) -> Reading | None:
        rejected, lowest = view.rejected_volume(), list(view.lengths.values())[:2]
        spill = max(0, scene.levels - 2) * view.volume(view.above, rejected=False)
        rhs = max(scene.guess, view.bound) * view.share + sum(lowest) + spill
        return Reading(scene.levels * rejected, rhs, view.name, scene.fits or bool(view.spans)) if rejected else None

    yield from _each(scene.corrected, one)


@SECTION.claim(
    "6.11",
    "Claim 6.11: T sum m/2^w + L(alpha/8) is at most sum of W_d / (2 alpha 2^d*), d = d*..d*+Delta, + P_{>=d*}",
    r"T \sum_{l,w} m_{l,w} 2^{-w} + L(\alpha/8) \le"
    r" \sum_{d=d^*}^{d^*+\Delta} \frac{W_d}{2 \alpha 2^{d^*}} + P_{\ge d^*}",
    "<=",
    unit="time",
    hypothesis=AT_LEAST_OPT,
    corrected_by="6.11.corrected",
)
def claim_6_11(scene: WeightedScene) -> Iterator[Reading]:
    """As printed; W and P count rejected jobs too."""

    def one(view: ClassView) -> Reading | None:
        lhs = scene.guess * view.share + view.lengths[view.marks.levels.start]
        weight = view.range_weight(dispatched_only=False) / (2 * scene.alpha * power(view.low))
        return Reading(lhs, weight + view.volume(view.low), view.name, scene.enough) if view.spans else None

    yield from _each(scene.printed, one)


@SECTION.claim(
    "6.11.corrected",
    "Claim 6.11 corrected: T sum m/2^w is at most sum of W_d / (3 alpha 2^d*), d = d*..d*+Delta, dispatched jobs",
    r"T \sum_{l,w} m_{l,w} 2^{-w} \le \sum_{d=d^*}^{d^*+\Delta} \frac{W_d}{3 \alpha 2^{d^*}}",
    "<=",
    unit="time",
    hypothesis=CORRECTED,
)
def claim_6_11_corrected(scene: WeightedScene) -> Iterator[Reading]:
    """For T at least every 2^w p."""

    def one(view: ClassView) -> Reading | None:
        rhs = view.range_weight(dispatched_only=True) / (3 * scene.alpha * power(view.low))
        return Reading(scene.guess * view.share, rhs, view.name, scene.fits) if view.spans else None

    yield from _each(scene.corrected, one)


@SECTION.claim(
    "6.11.lengths",
    "the other half of Claim 6.11: L(l) is at most P_{>=d*}, for each l > alpha/8, dispatched jobs",
    r"L(l) \le P_{\ge d^*}",
    "<=",
    unit="time",
    hypothesis=ALPHA_16,
)
def lengths(scene: WeightedScene) -> Iterator[Reading]:
    """For any T; the longest level."""

    def one(view: ClassView) -> Reading | None:
        longest = max(view.lengths.values())
        return Reading(longest, view.volume(view.low, rejected=False), view.name) if longest else None

    yield from _each(scene.corrected, one)


# ---------------------------------------------------------------------- rejections and queues
@SECTION.claim(
    "6.12",
    "Lemma 6.12: A rejects at most a share 8/alpha + 64/alpha + 4/alpha of the weight",
    r"W_R \le \bigl(\tfrac 8\alpha + \tfrac{64}\alpha + \tfrac 4\alpha\bigr) W",
    "<=",
    unit="weight",
    hypothesis=AT_LEAST_OPT,
)
def lemma_6_12(scene: WeightedScene) -> Iterator[Reading]:
    """True by the corrected chain for alpha >= 128, and trivially below."""
    if scene.rejected_weight:
        weight = scene.rejected_weight + scene.dispatched_weight
        yield Reading(scene.rejected_weight, Fraction(76, scene.alpha) * weight, scene.name, scene.enough)


@SECTION.claim(
    "6.12.corrected",
    "Lemma 6.12 corrected: W_R is at most (2 (Delta+1)/(3 alpha K) C/T + 8/K + 2/alpha) times the dispatched weight, "
    "C the largest of T and all right sides of (6)",
    r"W_R \le \Bigl(\frac{2(\Delta+1)}{3 \alpha K} \frac CT + \frac 8K + \frac 2\alpha\Bigr) W",
    "<=",
    unit="weight",
    hypothesis=CORRECTED,
)
def lemma_6_12_corrected(scene: WeightedScene) -> Iterator[Reading]:
    """For T at least every 2^w p."""
    if scene.levels and scene.rejected_weight:
        share = spread(scene) * max(scene.own_bound, scene.guess) / scene.guess + fixed(scene)
        yield Reading(scene.rejected_weight, share * scene.dispatched_weight, scene.name, scene.fits)


def spread(scene: WeightedScene) -> Fraction:
    """`2 (Delta + 1) / (3 alpha K)`: the share that grows with the bound."""
    return Fraction(2 * (scene.delta + 1), 3 * scene.alpha * scene.levels)


def fixed(scene: WeightedScene) -> Fraction:
    """`8/K + 2/alpha`: the share that does not."""
    return Fraction(8, scene.levels) + Fraction(2, scene.alpha)


@SECTION.claim(
    "6.12.refutes",
    "Lemma 6.12 read backwards: rejections of a share s of the dispatched weight show a bound of "
    "T (s - 8/K - 2/alpha) 3 alpha K / (2 (Delta+1)), if that is more than T",
    r"\max_{d^*} \text{(6)} \ge T \bigl(s - \tfrac 8K - \tfrac 2\alpha\bigr) \frac{3 \alpha K}{2(\Delta+1)}",
    ">=",
    unit="value",
    hypothesis=f"{CORRECTED}; the right side is more than T",
)
def refutes(scene: WeightedScene) -> Iterator[Reading]:
    """What the rejections of a phase certify, with the duals of the paper."""
    if scene.levels and scene.rejected_weight and scene.dispatched_weight:
        factor = (scene.rejected_weight / scene.dispatched_weight - fixed(scene)) / spread(scene)
        met = scene.fits and factor > 1
        yield Reading(scene.own_bound, scene.guess * factor, scene.name, met)


def _queue(scene: WeightedScene) -> Iterator[Reading]:
    """Loads only rise at arrivals, so they are largest just after some."""
    loads = (
        ticks * power(kind.weight)
        for pieces in scene.trail.pieces
        for piece in pieces
        for kind, ticks in piece.left.items()
        if kind in piece.added
    )
    largest = max(loads, default=None)
    if largest is not None:
        yield Reading(scene.alpha**2 * scene.guess, largest, scene.name)


def _share(scene: WeightedScene) -> Iterator[Reading]:
    """True weights, at the prefix of the phase with the least slack; with small alpha the share is above 1."""
    types = scene.trail.decisions.types
    rows = ((types.rejection[j], offer.accepted) for j, offer in scene.trail.offers)
    share = Fraction(proven_share(powers_of_two=types.rounded), scene.alpha)
    yield from tightest_share(rows, share, scene.name, scene.enough)


def tightest_share(
    rows: Iterable[tuple[Fraction | int, bool]], share: Fraction, where: str, met: bool | None
) -> Iterator[Reading]:
    """`rejected <= share * arrived` in weight at the prefix with the least slack; nothing if nobody is rejected.

    `rows` has the weight of each job and whether it was accepted.

    >>> [(one.lhs, one.rhs) for one in tightest_share([(4, True), (3, False), (1, True)], Fraction(1, 2), "run", True)]
    [(Fraction(3, 1), Fraction(7, 2))]
    """
    rejected = arrived = Fraction(0)
    readings = []
    for number, (weight, accepted) in enumerate(rows, 1):
        arrived += weight
        if not accepted:
            rejected += weight
            readings.append((share * arrived - rejected, number, rejected, arrived))
    if readings:
        _, number, rejected, arrived = min(readings)
        yield Reading(rejected, share * arrived, f"{where}, after {number} arrivals", met)


@SECTION.claim(
    "6.13.queue",
    "Theorem 6.13: the queue of a type never holds alpha^2 T (that, the largest load)",
    r"\mathrm{load}_{i,w,d}(t) < \alpha^2 T",
    ">",
    unit="value",
)
def theorem_6_13_queue(scene: WeightedScene) -> Iterator[Reading]:
    """Weighted remaining size."""
    if scene.one_weight:
        yield from _queue(scene)


@SECTION.claim(
    "6.13.rejected",
    "Theorem 6.13: A rejects at most a 152/alpha share of the arrived weight (76/alpha where weights are powers of "
    "two), at every prefix; so alpha = 152/epsilon keeps to epsilon",
    r"W_R \le \frac{152}{\alpha} W",
    "<=",
    unit="weight",
    hypothesis="T >= T*",
)
def theorem_6_13_rejected(scene: WeightedScene) -> Iterator[Reading]:
    """True weights."""
    if scene.one_weight:
        yield from _share(scene)


@TWO_WEIGHTS.claim(
    "7.1.queue",
    "Theorem 7.1: the queue of a type never holds alpha^2 T of flow-weighted size (that, the largest load)",
    r"\mathrm{load}_{i,w^f,d^r}(t) < \alpha^2 T",
    ">",
    unit="value",
)
def theorem_7_1_queue(scene: WeightedScene) -> Iterator[Reading]:
    """As in Theorem 6.13."""
    if not scene.one_weight:
        yield from _queue(scene)


@TWO_WEIGHTS.claim(
    "7.1.rejected",
    "Theorem 7.1: A rejects at most a 152/alpha share of the arrived rejection weight (76/alpha where weights are "
    "powers of two), at every prefix; so alpha = 152/epsilon keeps to epsilon",
    r"W^r_R \le \frac{152}{\alpha} W^r",
    "<=",
    unit="weight",
    hypothesis="T >= T*",
)
def theorem_7_1_rejected(scene: WeightedScene) -> Iterator[Reading]:
    """True weights."""
    if not scene.one_weight:
        yield from _share(scene)


# ---------------------------------------------------------------------- guess and double
@DOUBLING.claim(
    "6.18.rejected",
    "Theorem 6.18, algorithm A: at most an epsilon share of the arrived weight is rejected, at every prefix of each "
    "phase and of the run",
    r"W_R \le \varepsilon W",
    "<=",
    unit="weight",
    hypothesis="guess and double, not a known guess",
)
def theorem_6_18_rejected(scene: WeightedScene) -> Iterator[Reading]:
    """True weights; the job that ends a phase counts in the next one."""
    types, offers = scene.trail.decisions.types, scene.trail.offers
    kept = offers[:-1] if scene.ended else offers
    share, met = scene.trail.decisions.parameters.epsilon, scene.doubling
    yield from tightest_share(((types.rejection[j], one.accepted) for j, one in kept), share, scene.name, met)
    if scene.last:
        whole = zip(types.rejection, (i != REJECTED for i in scene.trail.decisions.dispatch), strict=True)
        yield from tightest_share(whole, share, "the whole run", met)


@DOUBLING.claim(
    "6.18.guesses",
    "section 6.3: the guess of a phase is a power of two, at least 2, times that before (that power, 2)",
    r"T_{u+1} / T_u \in \{2, 4, 8, \dots\}",
    ">=",
)
def theorem_6_18_guesses(scene: WeightedScene) -> Iterator[Reading]:
    """The ratio if it is a power of two, else 0."""
    if scene.trail.number:
        before = scene.trail.decisions.phases[scene.trail.number - 1].guess or Fraction(0)
        ratio = scene.guess / before
        whole = ratio.denominator == 1 and ratio.numerator & (ratio.numerator - 1) == 0
        yield Reading(ratio if whole else 0, 2, scene.name)


@DOUBLING.claim(
    "6.18.refuted",
    "proof of Theorem 6.18: a phase that rejects more than an epsilon share has T < T* (the best bound known, T)",
    r"T < T^*",
    ">",
    unit="value",
    hypothesis="alpha >= 152/epsilon, or 76/epsilon for weights that are powers of two",
)
def theorem_6_18_refuted(scene: WeightedScene) -> Iterator[Reading]:
    """The phase's own families, or the best bound on T* at hand."""
    if scene.ended:
        best = max((view.best_bound for view in scene.corrected), default=Fraction(0))
        yield Reading(max(best, scene.lower), scene.guess, scene.name, scene.proven)


@DOUBLING.claim(
    "6.18.last",
    "proof of Theorem 6.18: the last guess is less than 2 T* if there were others (2 T*, T)",
    r"T_{u^*} < 2 T^*",
    ">",
    unit="value",
    hypothesis="alpha >= 152/epsilon, or 76/epsilon for weights that are powers of two",
)
def theorem_6_18_last(scene: WeightedScene) -> Iterator[Reading]:
    """T* replaced by the value of a schedule that rejects nobody."""
    if scene.doubling and scene.last and scene.trail.number:
        yield Reading(2 * scene.upper, scene.guess, scene.name, scene.proven)


CLAIMS: list[Claim[WeightedScene]] = [*SECTION.claims, *DOUBLING.claims, *TWO_WEIGHTS.claims]
"""All claims about algorithm A."""
