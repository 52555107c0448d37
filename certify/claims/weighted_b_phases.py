"""The claims of section 6.3 about algorithm B: guess and double. The proofs stand in WEIGHTED.md.

Notation as in `weighted_b`; the intervals are ours, looking back from each late rejection, over any number of phases.

Source: Rejecting jobs to minimize load and maximum flow-time, section 6.3, Theorem 6.18.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction

from certify.claims.claim import Reading, Section
from certify.claims.weighted_b import FITS, charged, late_weight, per_interval, rejected
from certify.claims.weighted_b_scene import ServiceScene
from online.weighted.classes import power

SECTION: Section[ServiceScene] = Section("[R] section 6.3, algorithm B")
"""Algorithm B under guess and double."""

ONE_WEIGHT = f"one weight; {FITS}"


@SECTION.claim(
    "6.18.flow",
    "Theorem 6.18: with guess and double at most 4 beta T, T the guess at completion; in whole ticks 4 (beta + 1) T",
    r"2^w F_j \le 4(\beta + 1) T_u",
    "<=",
    unit="value",
    hypothesis=FITS,
)
def flow_in_phases(scene: ServiceScene) -> Iterator[Reading]:
    """The tightest completed job of each phase."""
    tightest: dict[int, tuple[Fraction, int]] = {}
    for j, end in scene.schedule.completion.items():
        phase = bisect_left(scene.starts, end) - 1
        value = power(scene.types.types[j].weight) * (end - scene.release[j])
        tightest[phase] = max(tightest.get(phase, (Fraction(0), j)), (value, j))
    for phase, (value, job) in sorted(tightest.items()):
        limit = 4 * (scene.parameters.beta + 1) * scene.guesses[phase]
        yield Reading(value, limit, f"job {scene.types.instance.ids[job]}", scene.fits)


@SECTION.claim(
    "6.18.left-over",
    "proof of Theorem 6.18: when a phase begins, a type has at most alpha^2 (T_1 + ... + T_u) left from those before",
    r"\mathrm{load}_{i,w,d} \le \alpha^2 \sum_{u' < u} T_{u'}",
    "<=",
    unit="value",
    corrected_by="6.18.volume",
)
def left_over(scene: ServiceScene) -> Iterator[Reading]:
    """In B, whose queues Theorem 6.13 says nothing about."""
    for phase in range(1, len(scene.guesses)):
        limit = scene.parameters.alpha**2 * sum(scene.guesses[:phase])
        for machine, kind, ticks in scene.left_over(phase):
            place = f"phase {phase + 1}, machine {scene.types.instance.machine_name(machine)}, type {tuple(kind)}"
            yield Reading(power(kind.weight) * ticks, limit, place)


@SECTION.claim(
    "6.18.volume",
    "Claim 6.14 for any number of phases: jobs that count in I have size <= P^A + 4 alpha^2 |I| / beta",
    r"\mathrm{vol}(I) \le P^A(I) + 4\alpha^2 |I|/\beta",
    "<=",
    unit="time",
    hypothesis="one weight",
)
def volume_in_phases(scene: ServiceScene) -> Iterator[Reading]:
    """In our intervals, looking back from each rejection."""
    share = 4 * scene.parameters.alpha**2 / scene.parameters.beta
    yield from per_interval(
        scene,
        scene.look_back,
        lambda one: one.dispatched.total(),
        lambda one: one.of_a() + share * one.length,
        scene.one_weight,
    )


@SECTION.claim(
    "6.18.late",
    "Corollary 6.16 for any number of phases: R(I) has size <= P^A - P + (4 alpha^2 + 8/3) |I| / beta",
    r"\mathrm{vol}(R(I)) \le P^A(I) - P(I) + (4\alpha^2 + \tfrac{8}{3}) |I|/\beta",
    "<=",
    unit="time",
    hypothesis=ONE_WEIGHT,
)
def rejected_in_phases(scene: ServiceScene) -> Iterator[Reading]:
    """In our intervals; `4 alpha^2 / beta` is `4 epsilon^2` with the constants of the paper."""
    yield from rejected(scene, scene.look_back, _per_length(scene), scene.one_weight and scene.fits)


def _per_length(scene: ServiceScene) -> Fraction:
    return (4 * scene.parameters.alpha**2 + Fraction(8, 3)) / scene.parameters.beta


@SECTION.claim(
    "6.18",
    "Theorem 6.18: with guess and double, late rejections weigh at most 2^(1-L) (2 + (4 alpha^2 + 8/3) 4^L / beta) of "
    "the jobs of their machine, at all times: 40/3 epsilon if alpha >= 2 and epsilon is a power of two",
    r"W_{\mathrm{late}}(i,t) \le O(\varepsilon) \sum_d 2^d \int_0^t B_{i,d}",
    "<=",
    unit="weight",
    hypothesis=ONE_WEIGHT,
)
def theorem_6_18(scene: ServiceScene) -> Iterator[Reading]:
    """The sharper form, against the work done; whenever B drops jobs."""
    yield from late_weight(scene, charged(scene, 1, _per_length(scene)), scene.one_weight and scene.fits)
