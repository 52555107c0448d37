"""The claims of section 7 about algorithm B: a flow weight and a rejection weight. The proofs stand in WEIGHTED.md.

Notation as in `weighted_b`: weight classes are of the flow weight, density classes of the rejection weight. N is the
period of the immediate rejections, 1/epsilon in the paper, and P^A counts only weight classes of at least w_min.

Source: Rejecting jobs to minimize load and maximum flow-time, section 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate

from certify.claims.claim import Reading, Section
from certify.claims.weighted_b import charged, late_weight, lower_class, per_interval, worst_flows
from certify.claims.weighted_b_scene import ServiceScene
from online.weighted.classes import Type, power
from online.weighted.intervals import Measured

SECTION: Section[ServiceScene] = Section("[R] section 7, algorithm B")
"""Algorithm B with two weights, in the order of the paper; the last two claims are for any number of phases."""

FITS = "T >= 2^w p_j of every job"
ONE_PHASE = "immediate rejections, one phase"
CONSTANTS = f"{ONE_PHASE}; {FITS}; beta >= (4 + 2/N)(alpha^2 + 2) N^4, L = 2 log2 N rounded up"


def _met(scene: ServiceScene) -> bool:
    return scene.parameters.period is not None and scene.one_phase


def _proven(scene: ServiceScene) -> bool:
    return scene.as_in_7 and scene.one_phase and scene.fits


def _share(scene: ServiceScene) -> Fraction:
    """`1/N`."""
    return Fraction(1, scene.parameters.period or 1)


def _lost(scene: ServiceScene, one: Measured) -> Fraction:
    """`2 (alpha^2 + 2) T / 2^w_min`."""
    return 2 * (scene.parameters.alpha**2 + 2) * scene.guess / power(one.interval.least)


@SECTION.claim(
    "7.2",
    "Claim 7.2: immediate rejections weigh at most 4/N of the jobs of their machine, type and size class",
    r"W_{\mathrm{now}} \le 4\varepsilon W",
    "<=",
    unit="weight",
)
def claim_7_2(scene: ServiceScene) -> Iterator[Reading]:
    """Rejection weights, rounded; at every prefix, so the tightest for each machine, type and size class."""
    yield from _immediate(scene, 4 * _share(scene))


@SECTION.claim(
    "7.2.sharper",
    "Claim 7.2 with weights that are powers of two: at most 2/N",
    r"W_{\mathrm{now}} \le 2\varepsilon W",
    "<=",
    unit="weight",
)
def claim_7_2_sharper(scene: ServiceScene) -> Iterator[Reading]:
    """Two such jobs differ by at most a factor of two, and the last of every N is the one that goes."""
    yield from _immediate(scene, 2 * _share(scene))


def _immediate(scene: ServiceScene, share: Fraction) -> Iterator[Reading]:
    dropped = set(scene.schedule.immediate)
    groups: dict[tuple[int, Type, int], list[int]] = {}
    for j, offer in enumerate(scene.decisions.offers):
        if offer.accepted:
            groups.setdefault((offer.machine, scene.types.types[j], scene.types.size_class[j]), []).append(j)
    for (machine, kind, size), jobs in sorted(groups.items()):
        gone = accumulate(scene.rejection[j] * (j in dropped) for j in jobs)
        prefixes = zip(jobs, gone, accumulate(scene.rejection[j] for j in jobs), strict=True)
        after = [(lost - share * arrived, lost, arrived) for j, lost, arrived in prefixes if j in dropped]
        if after:
            _, lost, arrived = max(after)
            place = f"machine {scene.types.instance.machine_name(machine)}, type {tuple(kind)}, size class {size}"
            yield Reading(lost, share * arrived, place)


@SECTION.claim(
    "(9)",
    "inequality (9): for each w >= w_min, jobs of class d* and w that come in I have size <= P^A_w + alpha^2 T / 2^w",
    r"\mathrm{vol}_w(I) \le P^A_w(I) + \alpha^2 T/2^w",
    "<=",
    unit="time",
    hypothesis=ONE_PHASE,
)
def inequality_9(scene: ServiceScene) -> Iterator[Reading]:
    """Every interval, every weight class that comes in it."""
    limit = scene.parameters.alpha**2 * scene.guess
    for one in scene.figure_7:
        for weight, volume in sorted(one.dispatched.items()):
            rhs = one.of_a(weight, weight) + limit / power(weight)
            yield Reading(volume, rhs, f"{scene.place(one)}, weight class {weight}", _met(scene))


@SECTION.claim(
    "7.3",
    "Claim 7.3: in I, B serves class d* and weight class >= w_min for at most (1 - epsilon/2) P^A + "
    "2 (alpha^2 + 2) T / 2^w_min",
    r"B_{d^*}(I) \le (1 - \varepsilon/2) P^A(I) + 2(\alpha^2+2)T/2^{w_{\min}}",
    "<=",
    unit="time",
    hypothesis=f"{ONE_PHASE}; {FITS}",
)
def claim_7_3(scene: ServiceScene) -> Iterator[Reading]:
    """A processes all jobs, B none of those that it rejects at once."""
    kept = 1 - _share(scene) / 2
    yield from per_interval(
        scene,
        scene.figure_7,
        lambda one: one.of_b(one.interval.least),
        lambda one: kept * one.of_a(one.interval.least) + _lost(scene, one),
        _met(scene) and scene.fits,
    )


@SECTION.claim(
    "(10)",
    "inequality (10): (epsilon/2) P^A - 2 (alpha^2 + 2) T / 2^w_min is at most B's time in I on classes >= d* + L",
    r"\tfrac{\varepsilon}{2} P^A(I) - 2(\alpha^2+2)T/2^{w_{\min}} \le \int_I B_{\ge d^* + L}",
    "<=",
    unit="time",
    hypothesis=f"{ONE_PHASE}; {FITS}",
)
def inequality_10(scene: ServiceScene) -> Iterator[Reading]:
    """Where A serves class d* and B does not, B serves a much higher one."""
    half, offset = _share(scene) / 2, scene.parameters.offset
    yield from per_interval(
        scene,
        scene.figure_7,
        lambda one: half * one.of_a(one.interval.least) - _lost(scene, one),
        lambda one: one.above(one.density + offset),
        _met(scene) and scene.fits,
    )


@SECTION.claim(
    "7.4.length",
    "proof of Lemma 7.4: all through I, B serves density classes >= d* - L + 1 (printed: d* - L)",
    r"|I| \le \int_I B_{\ge d^* - L + 1}",
    "<=",
    unit="time",
    hypothesis='"any such job" is the densest',
)
def length(scene: ServiceScene) -> Iterator[Reading]:
    """For the intervals of Figure 7 and for ours."""
    for intervals in (scene.figure_7, scene.look_back):
        yield from per_interval(
            scene, intervals, lambda one: one.length, lambda one: one.above(lower_class(scene, one)), True
        )


@SECTION.claim(
    "7.4",
    "Lemma 7.4, (11): jobs of class d* that B rejects late in I have size at most 2/epsilon times its time on classes "
    ">= d* + L, plus epsilon^3 times that on classes >= d* - L + 1",
    r"\mathrm{vol}(R(I)) \le \tfrac{2}{\varepsilon} \int_I B_{\ge d^* + L} + \varepsilon^3 \int_I B_{\ge d^* - L + 1}",
    "<=",
    unit="time",
    hypothesis=CONSTANTS,
)
def lemma_7_4(scene: ServiceScene) -> Iterator[Reading]:
    """With N in the place of 1/epsilon."""
    yield from _rejected(scene, scene.figure_7, _share(scene) ** 3, _proven(scene))


def _rejected(scene: ServiceScene, intervals: list[Measured], length: Fraction, met: bool) -> Iterator[Reading]:
    offset, higher = scene.parameters.offset, 2 / _share(scene)
    yield from per_interval(
        scene,
        intervals,
        lambda one: one.rejected,
        lambda one: higher * one.above(one.density + offset) + length * one.above(lower_class(scene, one)),
        met,
    )


@SECTION.claim(
    "7.5",
    "Theorem 7.5: on each machine and at all times, B's late rejections weigh at most 12/N of the jobs there",
    r"W_{\mathrm{late}}(i,t) \le 12\varepsilon \sum_d 2^d \int_0^t B_{i,d} \le 12\varepsilon\, W_i(t)",
    "<=",
    unit="weight",
    hypothesis=CONSTANTS,
)
def theorem_7_5(scene: ServiceScene) -> Iterator[Reading]:
    """The sharper form, against the work done; whenever B drops jobs."""
    yield from late_weight(scene, 12 * _share(scene), _proven(scene))


@SECTION.claim(
    "7.5.flow",
    "Theorem 7.5: the weighted flow time of an accepted job is at most 2 beta T, in whole ticks 2 (beta + 1) T",
    r"2^w F_j \le 2(\beta + 1) T",
    "<=",
    unit="value",
    hypothesis=f"one phase; {FITS}",
)
def flow(scene: ServiceScene) -> Iterator[Reading]:
    """The worst completed job of each weight class."""
    limit = 2 * (scene.parameters.beta + 1) * scene.guess
    for value, job in worst_flows(scene).values():
        yield Reading(value, limit, f"job {scene.types.instance.ids[job]}", scene.one_phase and scene.fits)


@SECTION.claim(
    "7.5.rejected",
    "Lemma 7.4 for any number of phases: the second term is (8 N (alpha^2 + 2) + 4 alpha^2) / beta, not epsilon^3",
    r"\mathrm{vol}(R(I)) \le 2N \int_I B_{\ge d^* + L} + \tfrac{8N(\alpha^2+2) + 4\alpha^2}{\beta}"
    r" \int_I B_{\ge d^* - L + 1}",
    "<=",
    unit="time",
    hypothesis=FITS,
)
def rejected_in_phases(scene: ServiceScene) -> Iterator[Reading]:
    """In our intervals; with the constants of section 7 the term is at most 2 epsilon^3."""
    yield from _rejected(scene, scene.look_back, _per_length(scene), scene.parameters.period is not None and scene.fits)


def _per_length(scene: ServiceScene) -> Fraction:
    alpha, n = scene.parameters.alpha, 1 / _share(scene)
    return (8 * n * (alpha**2 + 2) + 4 * alpha**2) / scene.parameters.beta


@SECTION.claim(
    "7.5.phases",
    "Theorem 7.5 with guess and double: late rejections weigh at most 2^(3-L) N + 2^(L+1) c of the jobs of their "
    "machine, c the second term of 7.5.rejected: at most 16/N",
    r"W_{\mathrm{late}}(i,t) \le O(\varepsilon) \sum_d 2^d \int_0^t B_{i,d}",
    "<=",
    unit="weight",
    hypothesis=FITS,
)
def theorem_7_5_in_phases(scene: ServiceScene) -> Iterator[Reading]:
    """The sharper form, against the work done; whenever B drops jobs."""
    share = charged(scene, 2 / _share(scene), _per_length(scene))
    yield from late_weight(scene, share, scene.parameters.period is not None and scene.fits)
