"""The claims of section 6.1: maximum flow time with unit sizes.

Sizes are all U; the paper has U = 1. T is the guess of the phase, `m_l` and `L_l` the number and total length of the
intervals of level l, `J_R` the rejected jobs, alpha_j the dual variables, all of one phase.

The paper has unit jobs in unit slots: releases and T are multiples of U. Off that grid the printed Claim 6.4 is
false (three jobs of size 3 released at 0, 1, 2 on one machine with T = 3), because a job may begin below a mark and
end above it. Corrected for any releases: in each interval I of level l, the jobs that saw at least (l-1) T have volume
more than |I| + T - U, since the last one that saw less left the load below (l-1) T + U; each of them counts alpha_j
times over the levels l > 1. Hence `U sum alpha_j >= sum over l > 1 of (L_l + m_l (T - U))`, and the rest of the proof
gives: more than an epsilon share rejected implies T* > T - U. So the budget holds whenever T >= T* + U.

Source: Rejecting jobs to minimize load and maximum flow-time, section 6.1.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, count
from operator import itemgetter

from certify.claims.claim import Reading, Section, tightest_prefix
from certify.claims.scene import PhaseScene
from online.family import IntervalFamily
from online.run import REJECTED

SECTION: Section[PhaseScene] = Section("[R] section 6.1")
"""All claims of section 6.1, in the order of the paper."""

AT_LEAST_OPT = "T >= T*"
ON_GRID = "releases and T are multiples of U"
ENOUGH = "T >= T* if releases and T are multiples of U, else T >= T* + U"


@SECTION.claim(
    "6.1",
    "Lemma 6.1: T* is at least (sum of alpha_j p_j - total length) / number of intervals",
    r"T^* \ge \bigl(\sum_j \alpha_j p_j - \sum_{(I,i)} |I|\bigr) / |\mathcal I|",
    ">=",
    unit="time",
)
def lemma_6_1(scene: PhaseScene) -> Iterator[Reading]:
    """`T* >= (sum alpha_j p_j - sum length(I)) / |I|`, T* replaced by the value of a schedule that rejects nobody."""
    if len(scene.witness.family):
        yield Reading(scene.upper, scene.own_bound, scene.name)


@SECTION.claim(
    "6.2.covering",
    "Lemma 6.2: a job that saw level l T lies in an interval of level l on each eligible machine",
    r"\mathrm{level}(j) \ge lT,\ i \in S_j \Rightarrow \exists I \in \mathcal I(i,l): r_j \in I",
    ">=",
)
def covering(scene: PhaseScene) -> Iterator[Reading]:
    """`level(j) >= l T` and i in S_j: an interval of I(i,l) contains r_j. Sides: levels that cover j, levels due."""
    height, per_tick = scene.witness.guess.numerator, scene.witness.guess.denominator
    levels = scene.witness.level.tolist()
    readings = []
    for k, (chosen, (depth, _)) in enumerate(zip(scene.dispatch.tolist(), scene.coverage, strict=True)):
        due = scene.witness.levels if chosen == REJECTED else levels[k] * per_tick // height
        if due:
            readings.append((depth - due, depth, due, k))
    yield from _tightest_job(scene, readings)


@SECTION.claim(
    "6.3",
    "Claim 6.3: alpha_j is at most the number of intervals that contain r_j, on each eligible machine",
    r"\alpha_j \le |\{(I,i): r_j \in I\}|",
    "<=",
)
def claim_6_3(scene: PhaseScene) -> Iterator[Reading]:
    """`alpha_j <= |{(I,i): r_j in I}|` for every i in S_j. Sides: alpha_j, the least such number."""
    duals = scene.witness.duals.tolist()
    rows = zip(duals, scene.coverage, strict=True)
    readings = [(number - dual, dual, number, k) for k, (dual, (_, number)) in enumerate(rows) if dual]
    yield from _tightest_job(scene, readings)


def _tightest_job(scene: PhaseScene, readings: list[tuple[int, int, int, int]]) -> Iterator[Reading]:
    if readings:
        _, lhs, rhs, k = min(readings)
        job = scene.run.instance.ids[scene.witness.phase.first + k]
        yield Reading(lhs, rhs, f"{scene.name}, job {job}")


@SECTION.claim(
    "6.2.nesting",
    "Lemma 6.2: each interval of level l lies inside one of level l-1",
    r"\forall I_l \in \mathcal I(i,l)\ \exists I_{l-1} \in \mathcal I(i,l-1): I_l \subseteq I_{l-1}",
    ">=",
)
def nesting(scene: PhaseScene) -> Iterator[Reading]:
    """Each interval of level l lies inside one of level l-1. Sides: intervals that do, intervals of level > 1."""
    rows = _by_machine_and_level(scene.witness.family)
    due = inside = 0
    for (machine, level), spans in rows.items():
        if level > 1:
            outer = rows.get((machine, level - 1), [])
            due += len(spans)
            inside += sum(_lies_inside(span, outer) for span in spans)
    if due:
        yield Reading(inside, due, scene.name)


@SECTION.claim(
    "6.2.disjoint",
    "before Lemma 6.2: the intervals of one machine and level are disjoint",
    r"I \ne I' \in \mathcal I(i,l) \Rightarrow I \cap I' = \emptyset",
    ">",
    unit="time",
)
def disjoint(scene: PhaseScene) -> Iterator[Reading]:
    """The intervals of one (i,l) are disjoint. Sides: least gap between two, and 0, in ticks."""
    gaps = [
        later[0] - earlier[1]
        for spans in _by_machine_and_level(scene.witness.family).values()
        for earlier, later in itertools.pairwise(spans)
    ]
    if gaps:
        yield Reading(Fraction(min(gaps), scene.witness.family.per_tick), 0, scene.name)


@SECTION.claim(
    "6.2.volume",
    "Lemma 6.2: jobs dispatched to i during an interval have volume at least its length plus T",
    r"\mathrm{vol}(I) \ge |I| + T",
    ">=",
    unit="time",
)
def volume(scene: PhaseScene) -> Iterator[Reading]:
    """The jobs dispatched to i during an interval of I(i,l) have volume at least its length plus T."""
    family, guess = scene.witness.family, scene.witness.guess
    release = scene.run.instance.release[scene.witness.phase.first : scene.witness.phase.last + 1]
    arrivals: dict[int, list[int]] = {}
    for when, machine in zip(release.tolist(), scene.dispatch.tolist(), strict=True):
        arrivals.setdefault(machine, []).append(when * family.per_tick)
    readings = []
    for machine, _, start, end in _rows(family):
        times = arrivals[machine]
        jobs = bisect_right(times, end) - bisect_right(times, start - 1)
        readings.append((jobs * scene.unit * family.per_tick - (end - start), machine, start, end, jobs))
    if readings:
        _, machine, start, end, jobs = min(readings)
        place = f"{scene.name}, machine {scene.run.instance.machine_name(machine)}"
        yield Reading(jobs * scene.unit, Fraction(end - start, family.per_tick) + guess, place)


@SECTION.claim(
    "(4)",
    "inequality (4): T times the number of intervals is at least sum of alpha_j minus total length",
    r"T (m_1 + \dots + m_\alpha) \ge \sum_j \alpha_j - \sum_l L_l",
    ">=",
    unit="time",
    hypothesis=AT_LEAST_OPT,
)
def inequality_4(scene: PhaseScene) -> Iterator[Reading]:
    """`T (m_1 + ... + m_alpha) >= U sum alpha_j - (L_1 + ... + L_alpha)`, if T >= T*."""
    family = scene.witness.family
    if len(family):
        rhs = scene.unit * sum(scene.witness.duals.tolist()) - family.total_length
        yield Reading(scene.witness.guess * family.count, rhs, scene.name, scene.enough)


@SECTION.claim(
    "6.4",
    "Claim 6.4: the accepted jobs' alpha_j sum to at least sum over l > 1 of L_l + m_l T",
    r"\sum_{j \notin J_R} \alpha_j \ge \sum_{l>1} (L_l + m_l T)",
    ">=",
    unit="time",
    hypothesis=ON_GRID,
)
def claim_6_4(scene: PhaseScene) -> Iterator[Reading]:
    """`U sum of alpha_j over accepted jobs >= sum over l > 1 of (L_l + m_l T)`, in unit slots."""
    yield from _accepted_duals(scene, scene.witness.guess, scene.on_grid)


@SECTION.claim(
    "6.4.any",
    "Claim 6.4 corrected for any releases: at least sum over l > 1 of L_l + m_l (T - U)",
    r"\sum_{j \notin J_R} \alpha_j \ge \sum_{l>1} (L_l + m_l (T - U))",
    ">=",
    unit="time",
)
def claim_6_4_any(scene: PhaseScene) -> Iterator[Reading]:
    """`U sum of alpha_j over accepted jobs >= sum over l > 1 of (L_l + m_l (T - U))`."""
    yield from _accepted_duals(scene, scene.witness.guess - scene.unit, True)


def _accepted_duals(scene: PhaseScene, per_interval: Fraction, met: bool) -> Iterator[Reading]:
    duals, chosen = scene.witness.duals.tolist(), scene.dispatch.tolist()
    accepted = sum(dual for dual, machine in zip(duals, chosen, strict=True) if machine != REJECTED)
    higher = [length + per_interval * number for level, (number, length) in scene.counts.items() if level > 1]
    if higher:
        yield Reading(scene.unit * accepted, sum(higher), scene.name, met)


@SECTION.claim(
    "6.5.chain-a",
    "proof of Corollary 6.5: T m_1 + L_1 is at least floor(alpha) |J_R|",
    r"T m_1 + L_1 \ge \lfloor\alpha\rfloor |J_R|",
    ">=",
    unit="time",
    hypothesis=ENOUGH,
)
def corollary_6_5_first(scene: PhaseScene) -> Iterator[Reading]:
    """`T m_1 + L_1 >= floor(alpha) U |J_R|`, if T is large enough."""
    if scene.rejected:
        rhs = scene.witness.levels * scene.unit * scene.rejected
        yield Reading(scene.level_one(), rhs, scene.name, scene.enough_for_budget)


@SECTION.claim(
    "6.5.chain-b",
    "proof of Corollary 6.5: the dispatched jobs' volume is at least T m_1 + L_1",
    r"|J \setminus J_R| \ge T m_1 + L_1",
    ">=",
    unit="time",
)
def corollary_6_5_second(scene: PhaseScene) -> Iterator[Reading]:
    """`U * dispatched >= T m_1 + L_1`."""
    if scene.counts:
        dispatched = len(scene.dispatch) - scene.rejected
        yield Reading(dispatched * scene.unit, scene.level_one(), scene.name)


@SECTION.claim(
    "6.5.rejected",
    "Corollary 6.5: at most an epsilon share of the arrived jobs is rejected, at every prefix",
    r"|J_R| \le \varepsilon |J|",
    "<=",
    hypothesis=ENOUGH,
)
def corollary_6_5_rejected(scene: PhaseScene) -> Iterator[Reading]:
    """`|J_R| <= epsilon * arrived` at every prefix of the phase, if T is large enough."""
    yield from _rejected(scene, scene.run.epsilon, scene.enough_for_budget if scene.enough_levels else False)


@SECTION.claim(
    "6.5.rejected-sharper",
    "sharper than Corollary 6.5: at most arrived / (floor(1/epsilon) + 1) jobs are rejected",
    r"|J_R| \le |J| / (\lfloor 1/\varepsilon \rfloor + 1)",
    "<=",
    hypothesis=ENOUGH,
)
def corollary_6_5_sharper(scene: PhaseScene) -> Iterator[Reading]:
    """`|J_R| <= arrived / (floor(1/epsilon) + 1)` at every prefix of the phase, if T is large enough."""
    yield from _rejected(scene, Fraction(1, scene.witness.levels + 1), scene.enough_for_budget)


def _rejected(scene: PhaseScene, share: Fraction, met: bool | None) -> Iterator[Reading]:
    out = accumulate(int(machine == REJECTED) for machine in scene.dispatch.tolist())
    yield from tightest_prefix(zip(out, count(1)), share, scene.name, met)


def _largest_flow(scene: PhaseScene) -> int | None:
    """Largest flow time in the phase had it begun with empty machines, in ticks; None if nobody was accepted."""
    loads = [
        load
        for load, machine in zip(scene.witness.level.tolist(), scene.dispatch.tolist(), strict=True)
        if machine != REJECTED
    ]
    return max(loads) + scene.unit if loads else None


@SECTION.claim(
    "6.5.flow",
    "Corollary 6.5: every accepted job has flow time at most T/epsilon",
    r"F_j \le T/\varepsilon",
    "<=",
    unit="time",
    hypothesis="releases, T and T/epsilon are multiples of U",
)
def corollary_6_5_flow(scene: PhaseScene) -> Iterator[Reading]:
    """`F_j <= T/epsilon` in the phase, in unit slots with T/epsilon a multiple of U."""
    flow, limit = _largest_flow(scene), scene.alpha * scene.witness.guess
    if flow is not None:
        met = scene.on_grid and (limit / scene.unit).denominator == 1
        yield Reading(flow, limit, scene.name, met)


@SECTION.claim(
    "6.5.flow-any",
    "corrected for any releases: every accepted job has flow time at most T/epsilon + U",
    r"F_j \le T/\varepsilon + U",
    "<=",
    unit="time",
)
def corollary_6_5_flow_any(scene: PhaseScene) -> Iterator[Reading]:
    """`F_j <= T/epsilon + U` in the phase, for any releases."""
    flow = _largest_flow(scene)
    if flow is not None:
        yield Reading(flow, scene.alpha * scene.witness.guess + scene.unit, scene.name)


@SECTION.claim(
    "5.6.doubling",
    "Claim 5.6 for flow time: an ended phase's guess is below T*, by its own intervals",
    r"T < T^*",
    ">",
    unit="time",
    hypothesis=ON_GRID,
)
def doubling_refutes(scene: PhaseScene) -> Iterator[Reading]:
    """An ended phase's own intervals show T* > T, in unit slots. Sides: its bound of Lemma 6.1, and T."""
    if scene.witness.phase.ended:
        yield Reading(scene.own_bound, scene.witness.guess, scene.name, scene.on_grid and scene.enough_levels)


@SECTION.claim(
    "5.6.doubling-any",
    "the same for any releases: an ended phase's intervals show T* > T - U",
    r"T - U < T^*",
    ">",
    unit="time",
)
def doubling_refutes_any(scene: PhaseScene) -> Iterator[Reading]:
    """An ended phase's own intervals show T* > T - U. Sides: its bound of Lemma 6.1, and T - U."""
    if scene.witness.phase.ended:
        yield Reading(scene.own_bound, scene.witness.guess - scene.unit, scene.name, scene.enough_levels)


@SECTION.claim(
    "5.7.flow",
    "Theorem 5.7 for flow time: real flow is at most the sum of T_u/epsilon + U over the phases so far",
    r"F_j \le \sum_{u' \le u} (T_{u'}/\varepsilon + U)",
    "<=",
    unit="time",
)
def doubling_flow(scene: PhaseScene) -> Iterator[Reading]:
    """A job of phase u has real flow time at most the sum over phases u' <= u of `T_u'/epsilon + U`."""
    phase, run = scene.witness.phase, scene.run
    stop = phase.last + (0 if phase.ended else 1)
    mine = slice(phase.first, stop)
    flows = (run.completion[mine] - run.instance.release[mine])[run.accepted[mine]]
    if len(flows):
        earlier = [one.guess for one in run.phases[: scene.number + 1] if one.guess is not None]
        limit = sum(earlier, Fraction(0)) * scene.alpha + scene.unit * len(earlier)
        yield Reading(int(flows.max()), limit, scene.name)


def _rows(family: IntervalFamily) -> Iterator[tuple[int, int, int, int]]:
    columns = (family.machine, family.level, family.start, family.end)
    return zip(*(column.tolist() for column in columns), strict=True)


def _by_machine_and_level(family: IntervalFamily) -> dict[tuple[int, int], list[tuple[int, int]]]:
    rows: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for machine, level, start, end in _rows(family):
        rows.setdefault((machine, level), []).append((start, end))
    return {key: sorted(spans) for key, spans in rows.items()}


def _lies_inside(span: tuple[int, int], outer: list[tuple[int, int]]) -> bool:
    k = bisect_right(outer, span[0], key=itemgetter(0)) - 1
    return k >= 0 and span[1] <= outer[k][1]
