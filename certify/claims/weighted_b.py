"""The claims of section 6.2 about algorithm B: weighted flow time, known T. The proofs stand in WEIGHTED.md.

For a machine, a density class d* and an interval I: R(I) are the jobs of the class that B rejects late and that are
released in I, w_min the smallest weight class in R(I), P^A the ticks at which A serves the class, P those at which A
and B both do, B_{>=d} those at which B serves a class of at least d. T is the guess, beta T / 2^w the segments, L the
offset of B's density classes.

Source: Rejecting jobs to minimize load and maximum flow-time, section 6.2, from algorithm B on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from certify.claims.claim import Number, Reading, Section
from certify.claims.weighted_b_scene import ServiceScene
from online.weighted.classes import power
from online.weighted.intervals import Measured

SECTION: Section[ServiceScene] = Section("[R] section 6.2, algorithm B")
"""Algorithm B for a known T, in the order of the paper."""

FITS = "T >= 2^w p_j of every job"
ONE_PHASE = "one weight, one phase"
CONSTANTS = f"{ONE_PHASE}; {FITS}; alpha >= 2, beta >= (alpha/epsilon)^2, L = log2(1/epsilon) rounded up"
Side = Callable[[Measured], Number]


def per_interval(
    scene: ServiceScene, intervals: Iterable[Measured], lhs: Side, rhs: Side, met: bool
) -> Iterator[Reading]:
    """One reading an interval."""
    for one in intervals:
        yield Reading(lhs(one), rhs(one), scene.place(one), met)


def _one_phase(scene: ServiceScene) -> bool:
    return scene.one_weight and scene.one_phase


def _proven(scene: ServiceScene) -> bool:
    return scene.as_in_6_2 and scene.one_phase and scene.fits


def lower_class(scene: ServiceScene, one: Measured) -> int:
    """The class below which B serves nothing while a job of class d* waits: `d* - L + 1`, and d* if L = 0."""
    return one.density - max(scene.parameters.offset, 1) + 1


def charged(scene: ServiceScene, higher: Number, length: Number) -> Fraction:
    """What a rejected volume of at most `higher * B_{>=d*+L} + length * B_{>=d*-L+1}` for each d* weighs, per work.

    Claim: the rounded weight is below `2^(d*+1)` times the size; summing the powers of two over all d* of which a tick
    of class d counts gives `2^(d-L+2)` and `2^(d+L+1)`.
    """
    offset = scene.parameters.offset
    return 4 * higher / power(offset) + 2 * length * power(max(offset, 1))


@SECTION.claim(
    "6.14",
    "Claim 6.14: jobs of class d* and weight class >= w_min that come in I have size <= P^A + 2 alpha^2 T / 2^w_min",
    r"\mathrm{vol}(I) \le P^A(I) + 2\alpha^2 T/2^{w_{\min}}",
    "<=",
    unit="time",
    hypothesis=ONE_PHASE,
)
def claim_6_14(scene: ServiceScene) -> Iterator[Reading]:
    """Both for the intervals of Figure 5 and for those of Figure 7."""
    limit = 2 * scene.parameters.alpha**2 * scene.guess

    def rhs(one: Measured) -> Fraction:
        return one.of_a() + limit / power(one.interval.least)

    for intervals in (scene.figure_5, scene.figure_7):
        yield from per_interval(scene, intervals, lambda one: one.dispatched.total(), rhs, _one_phase(scene))


@SECTION.claim(
    "6.14.joint",
    "after Claim 6.14: when A and B both serve d* in I, B's job has weight class >= w_min (ticks at which it has not)",
    r"1_{d^*}(t) = 1,\ t \in I \Rightarrow w \ge w_{\min}",
    "<=",
    hypothesis="one weight",
)
def joint_weight(scene: ServiceScene) -> Iterator[Reading]:
    """Both for the intervals of Figure 5 and for those of Figure 7."""
    for intervals in (scene.figure_5, scene.figure_7):
        yield from per_interval(scene, intervals, lambda one: one.light, lambda _: 0, scene.one_weight)


@SECTION.claim(
    "6.15",
    "Lemma 6.15: the bad time of I is at most 8 |I| / beta",
    r"\mathrm{bad}(I) \le 8|I|/\beta",
    "<=",
    unit="time",
    hypothesis=f"{ONE_PHASE}; {FITS}",
)
def lemma_6_15(scene: ServiceScene) -> Iterator[Reading]:
    """Both for the intervals of Figure 5 and for those of Figure 7."""
    for intervals in (scene.figure_5, scene.figure_7):
        yield from _bad(scene, intervals, Fraction(8), _one_phase(scene) and scene.fits)


@SECTION.claim(
    "6.15.sharper",
    "Lemma 6.15 with the constant that its proof can give: the bad time of I is at most 8/3 |I| / beta",
    r"\mathrm{bad}(I) \le \tfrac{8}{3}|I|/\beta",
    "<=",
    unit="time",
    hypothesis=f"one weight; {FITS}",
)
def lemma_6_15_sharper(scene: ServiceScene) -> Iterator[Reading]:
    """Figure 7 for one phase; our intervals for any number."""
    for intervals in (scene.look_back, scene.figure_7 if scene.one_phase else []):
        yield from _bad(scene, intervals, Fraction(8, 3), scene.one_weight and scene.fits)


def _bad(scene: ServiceScene, intervals: list[Measured], factor: Fraction, met: bool) -> Iterator[Reading]:
    beta = scene.parameters.beta
    yield from per_interval(scene, intervals, lambda one: one.bad, lambda one: factor * one.length / beta, met)


@SECTION.claim(
    "6.16",
    "Corollary 6.16: jobs of class d* that B rejects in I, of Figure 5, have size <= P^A - P + 4 epsilon^2 |I|",
    r"\mathrm{vol}(R(I)) \le P^A(I) - P(I) + 4\varepsilon^2 |I|",
    "<=",
    unit="time",
    hypothesis=CONSTANTS,
    corrected_by="6.16.maximal",
)
def corollary_6_16(scene: ServiceScene) -> Iterator[Reading]:
    """As printed: jobs that B held before I may fill the joint time."""
    yield from rejected(scene, scene.figure_5, 4 * scene.parameters.epsilon**2, _proven(scene))


@SECTION.claim(
    "6.16.maximal",
    "Corollary 6.16 for the intervals of Figure 7",
    r"\mathrm{vol}(R(I)) \le P^A(I) - P(I) + 4\varepsilon^2 |I|",
    "<=",
    unit="time",
    hypothesis=CONSTANTS,
)
def corollary_6_16_maximal(scene: ServiceScene) -> Iterator[Reading]:
    """Before such an interval B holds none of the jobs that it serves in the joint time."""
    yield from rejected(scene, scene.figure_7, 4 * scene.parameters.epsilon**2, _proven(scene))


def rejected(scene: ServiceScene, intervals: list[Measured], share: Fraction, met: bool) -> Iterator[Reading]:
    """`vol(R(I)) <= P^A - P + share |I|`."""
    yield from per_interval(
        scene, intervals, lambda one: one.rejected, lambda one: one.of_a() - one.joint + share * one.length, met
    )


@SECTION.claim(
    "6.17.higher",
    "proof of Theorem 6.17: P^A - P is at most B's time in I on density classes >= d* + L",
    r"P^A(I) - P(I) \le \int_I B_{\ge d^* + L}",
    "<=",
    unit="time",
    hypothesis="one weight",
)
def higher(scene: ServiceScene) -> Iterator[Reading]:
    """For every kind of interval."""
    offset = scene.parameters.offset
    for intervals in (scene.figure_5, scene.figure_7, scene.look_back):
        yield from per_interval(
            scene,
            intervals,
            lambda one: one.of_a() - one.joint,
            lambda one: one.above(one.density + offset),
            scene.one_weight,
        )


@SECTION.claim(
    "6.17.length",
    "proof of Theorem 6.17: all through I, B serves density classes >= d* - L + 1 (printed: d* - L)",
    r"|I| \le \int_I B_{\ge d^* - L + 1}",
    "<=",
    unit="time",
    hypothesis='one weight; "any such job" is the densest',
)
def length(scene: ServiceScene) -> Iterator[Reading]:
    """For every kind of interval."""
    for intervals in (scene.figure_5, scene.figure_7, scene.look_back):
        yield from per_interval(
            scene,
            intervals,
            lambda one: one.length,
            lambda one: one.above(lower_class(scene, one)),
            scene.one_weight,
        )


@SECTION.claim(
    "6.17.work",
    "proof of Theorem 6.17: the sum of 2^d over B's time is at most the weight of the jobs (printed: twice that)",
    r"\sum_d 2^d \int_0^t B_{i,d} \le W_i(t)",
    "<=",
    unit="weight",
)
def work(scene: ServiceScene) -> Iterator[Reading]:
    """For every machine, whenever B drops jobs; weights that arrived before then."""
    for one in scene.progress:
        yield Reading(one.work, one.arrived, _when(scene, one.machine, one.time))


@SECTION.claim(
    "6.17",
    "Theorem 6.17: on each machine and at all times, B's late rejections weigh at most 20 epsilon of the jobs there, "
    "12 epsilon if epsilon is a power of two",
    r"W_{\mathrm{late}}(i,t) \le 12\varepsilon \sum_d 2^d \int_0^t B_{i,d} \le 12\varepsilon\, W_i(t)",
    "<=",
    unit="weight",
    hypothesis=CONSTANTS,
)
def theorem_6_17(scene: ServiceScene) -> Iterator[Reading]:
    """The sharper form, against the work done; whenever B drops jobs."""
    epsilon = scene.parameters.epsilon
    exact = epsilon * power(scene.parameters.offset) == 1
    yield from late_weight(scene, (12 if exact else 20) * epsilon, _proven(scene))


def late_weight(scene: ServiceScene, share: Fraction, met: bool) -> Iterator[Reading]:
    """Rounded weight of the late rejections against a share of the work."""
    for one in scene.progress:
        yield Reading(one.late, share * one.work, _when(scene, one.machine, one.time), met)


def _when(scene: ServiceScene, machine: int, time: int) -> str:
    return f"machine {scene.types.instance.machine_name(machine)}, up to tick {time}"


@SECTION.claim(
    "6.17.flow",
    "before Claim 6.14: the weighted flow time of an accepted job is at most 2 beta T",
    r"2^w F_j \le 2\beta T",
    "<=",
    unit="value",
    hypothesis="one phase; beta T / 2^w is a whole number of ticks",
)
def flow(scene: ServiceScene) -> Iterator[Reading]:
    """The worst completed job of each weight class."""
    limit = scene.parameters.beta * scene.guess
    for weight, (value, job) in worst_flows(scene).items():
        met = scene.one_phase and (limit / power(weight)).denominator == 1
        yield Reading(value, 2 * limit, f"job {scene.types.instance.ids[job]}", met)


@SECTION.claim(
    "6.17.flow-ticks",
    "before Claim 6.14, with segments rounded up to whole ticks: at most 2 (beta + 1) T",
    r"2^w F_j \le 2(\beta + 1) T",
    "<=",
    unit="value",
    hypothesis=f"one phase; {FITS}",
)
def flow_ticks(scene: ServiceScene) -> Iterator[Reading]:
    """The worst completed job of each weight class."""
    limit = 2 * (scene.parameters.beta + 1) * scene.guess
    for value, job in worst_flows(scene).values():
        yield Reading(value, limit, f"job {scene.types.instance.ids[job]}", scene.one_phase and scene.fits)


def worst_flows(scene: ServiceScene) -> dict[int, tuple[Fraction, int]]:
    """By weight class, the largest `2^w F_j` of a job that completes, and its position."""
    worst: dict[int, tuple[Fraction, int]] = {}
    for j, end in scene.schedule.completion.items():
        weight = scene.types.types[j].weight
        worst[weight] = max(worst.get(weight, (Fraction(0), j)), (power(weight) * (end - scene.release[j]), j))
    return dict(sorted(worst.items()))
