"""The claims of [S] on a run with speeds. The proofs, and what fails, stand in certify/SPEED.md.

n, n_o: unfinished jobs of the run and of a reference; s, s~ their speeds; OPT the least cost of any schedule. A claim
about OPT holds if it holds with the certified lower bound in its place, fails if it fails with the upper one, and is
undecided between. Constants are rounded so that neither verdict depends on the rounding. The theorems are about the
speeds (5) themselves; of a run with rounded ones they claim c times the factor of "Executed speeds" there.

Source: Multiple server SRPT with speed scaling is competitive (arXiv 1907.09049).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

from certify.claims.claim import Reading, Section
from certify.claims.speed_scene import SpeedScene
from certify.speed import constants
from certify.speed.augmented import augmented_counts
from certify.speed.constants import NO_CONSTANT, Constant
from certify.speed.drift import Drift, sides
from online import exact
from online.speed.power import Power

SECTION: Section[SpeedScene] = Section("[S]")
"""All claims on a run, in the order of the paper."""

FOLLOWS = "the run is SRPT at (5), dials rounded down"
RULE = f"{FOLLOWS}, for which c grows by the factor of SPEED.md, Executed speeds"
A1_A2 = f"{RULE}; Assumptions 1 and 2"
SHORTEST = f"{RULE}; the reference serves only its m shortest jobs"


# ------------------------------------------------------------------------- assumptions and the rule
@SECTION.claim("A1", "Assumption 1: P is strictly convex, at the speeds of the run", r"P(y) > P(x) + P'(x)(y - x)", ">")
def assumption_1(scene: SpeedScene) -> Iterator[Reading]:
    """An assumption that fails is not met; P(0) = 0 included."""
    points = [scene.run.power.at(Fraction(0)), *scene.points]
    for x, y in pairwise(points):
        tangent = x.power + x.marginal * (y.speed - x.speed)
        yield Reading(y.power, tangent, f"speeds {x.speed}, {y.speed}", y.power > tangent)


@SECTION.claim("A2", "Assumption 2: P(xy) is at most P(x) P(y), at the speeds of the run", r"P(xy) \le P(x) P(y)", "<=")
def assumption_2(scene: SpeedScene) -> Iterator[Reading]:
    """For the smallest and the largest dial, and their product."""
    power = scene.run.power
    dials = sorted({dial for segment in scene.run.segments for _, dial in segment.running})
    for x in dials[:1] + dials[-1:]:
        for y in dials[:1] + dials[-1:]:
            both, product = power.at(x * y), power.at(x).power * power.at(y).power
            met = both.power <= product
            yield Reading(both.power, product, f"dials {x}, {y}", met)


@SECTION.claim(
    "5",
    "speed rule (5): the powers of the busy servers add up to the number of unfinished jobs, rounded down",
    r"\sum_{k \in A(t)} P(s_k(t)) = n(t)",
    "<=",
    hypothesis=FOLLOWS,
)
def matched_power(scene: SpeedScene) -> Iterator[Reading]:
    """At every time; the other direction is `5.energy`."""
    times = scene.run.breakpoints
    for start, side in zip(times, sides(scene.run, times), strict=False):
        yield Reading(side.power, side.alive, f"from {start} ticks", scene.follows)


@SECTION.claim(
    "5.cost", "the cost is twice the flow time", r"C = 2 \int n(t)\,dt", "<=", unit="time", hypothesis=FOLLOWS
)
def twice_the_flow(scene: SpeedScene) -> Iterator[Reading]:
    """At most, as speeds are rounded down."""
    if scene.run.segments:
        yield Reading(scene.run.cost, 2 * scene.run.flow, "run", scene.follows)


@SECTION.claim(
    "5.energy",
    "the energy is the flow time, but for the rounding of the dials to 16 bits or more",
    r"\int \sum_k P(s_k)\,dt \ge (1 - \delta) \int n(t)\,dt",
    ">=",
    unit="time",
    hypothesis=FOLLOWS,
)
def energy_is_flow(scene: SpeedScene) -> Iterator[Reading]:
    """The real power is at most `scene.rounding` times the executed one."""
    if scene.run.segments and scene.rounding is not None:
        yield Reading(scene.run.energy, scene.run.flow / scene.rounding, "run", scene.follows)


# ------------------------------------------------------------------------- potential and drift
@SECTION.claim(
    "P5.ends",
    "Proposition 5: the potential is 0 before the first job and after the last",
    r"\Phi = 0",
    "<=",
    unit="time",
)
def zero_at_the_ends(scene: SpeedScene) -> Iterator[Reading]:
    """Its absolute value at either end."""
    for name, one, _ in scene.drifts:
        for value in (one.phi[0], one.phi[-1]) if one.phi else ():
            yield Reading(abs(value), 0, f"against {name}")


@SECTION.claim(
    "P5.jumps",
    "Proposition 5: the potential does not jump up; in fact it does not jump",
    r"\Phi(t^+) \le \Phi(t^-)",
    "<=",
    unit="time",
)
def no_jumps(scene: SpeedScene) -> Iterator[Reading]:
    """The value at the start of a piece, minus that at the end of the one before."""
    for name, one, _ in scene.drifts:
        for piece, (before, after) in zip(one.pieces, pairwise(one.phi), strict=True):
            jump = after - before - piece.rate * (piece.end - piece.start)
            yield Reading(jump, 0, f"against {name}, at {piece.end} ticks")


@SECTION.claim(
    "L9",
    "Lemma 9: Delta(x) s~ is at most P(s~) - x + Delta(x) P^{-1}(x), at the run's x and the references' speeds",
    r"\Delta(x) \tilde s \le P(\tilde s) - x + \Delta(x) P^{-1}(x)",
    "<=",
)
def lemma_9(scene: SpeedScene) -> Iterator[Reading]:
    """For the speeds of both, x being the power of one of them; the tightest pair of neighbours."""
    for x, other in [*pairwise(scene.points), *((b, a) for a, b in pairwise(scene.points))]:
        right = other.power + x.conjugate
        yield Reading(x.marginal * other.speed, right, f"x = {x.power}, speed {other.speed}")


def _tightest(scene: SpeedScene, one: Drift, name: str, constant: Constant) -> Iterator[Reading]:
    """The piece with the least slack of (7)."""
    _, factor = scene.rounded
    grown = constant.times(factor)
    if one.pieces:
        piece = min(one.pieces, key=lambda piece: grown.below * piece.reference.pays - piece.left)
        pays = piece.reference.pays
        right, met = scene.against(piece.left, grown, pays, pays)
        yield Reading(piece.left, right, f"against {name}, from {piece.start} ticks{_times(factor)}", met)


def _times(factor: Fraction) -> str:
    return "" if factor == 1 else f", c times {exact.decimal(factor, 9)}"


def _drifts(scene: SpeedScene, find: Callable[[Power, int], Constant], *, shortest: bool) -> Iterator[Reading]:
    constant = find(scene.run.power, scene.machines)
    for name, one, structured in scene.drifts:
        if constant is not NO_CONSTANT and (structured or not shortest):
            yield from _tightest(scene, one, name, constant)


@SECTION.claim(
    "7.shortest",
    "(7) against references that serve their m shortest: c = 2 + (2 / P^{-1}(1)) max(1, P(sbar)); 4 for s^alpha",
    r"n + \sum P(s_k) + \dot\Phi \le c (n_o + \sum P(\tilde s_k))",
    "<=",
    hypothesis=f"{SHORTEST}; Assumptions 1 and 2",
)
def drift_shortest(scene: SpeedScene) -> Iterator[Reading]:
    """The first half of Theorem 1."""
    yield from _drifts(scene, constants.shortest_first_printed, shortest=True)


@SECTION.claim(
    "7.shortest-sharp",
    "(7) against references that serve their m shortest, sharper: c = 2 + 2 theta / P^{-1}(1)",
    r"c = 2 + 2 \theta_P / P^{-1}(1)",
    "<=",
    hypothesis=SHORTEST,
)
def drift_shortest_sharp(scene: SpeedScene) -> Iterator[Reading]:
    """T1-OS of SPEED.md."""
    yield from _drifts(scene, constants.shortest_first, shortest=True)


@SECTION.claim(
    "7.any",
    "(7) against every reference: c = 2 (1 + beta) + 2 theta / P^{-1}(1); 2 alpha + 2 theta for s^alpha",
    r"c = 2(1 + \beta) + 2 \theta_P / P^{-1}(1)",
    "<=",
    hypothesis=RULE,
)
def drift_any(scene: SpeedScene) -> Iterator[Reading]:
    """The drift of Theorem TD, which is not the paper's."""
    yield from _drifts(scene, constants.theorem_td, shortest=False)


@SECTION.claim(
    "7.theorem-2",
    "(7) against every reference: c = 3 + 2 / (2 - alpha), for s^alpha, 1 < alpha < 2",
    r"c = 3 + 2/(2 - \alpha)",
    "<=",
    hypothesis=f"{RULE}; alpha < 2",
)
def drift_theorem_2(scene: SpeedScene) -> Iterator[Reading]:
    """Theorem 2 by the same potential."""
    yield from _drifts(scene, constants.theorem_2, shortest=False)


@SECTION.claim(
    "T1-OS",
    "the cost is at most c times that of every schedule that serves its m shortest, with c of 7.shortest",
    r"C_{SRPT} \le c\, C_{OS}",
    "<=",
    unit="time",
    hypothesis=f"{SHORTEST}; Assumptions 1 and 2",
)
def against_shortest(scene: SpeedScene) -> Iterator[Reading]:
    """The integral of `7.shortest`."""
    constant = constants.shortest_first_printed(scene.run.power, scene.machines)
    for name, one, structured in scene.drifts:
        if structured:
            cost = one.reference.cost
            right, met = scene.against(scene.run.cost, constant.times(scene.factor), cost, cost)
            yield Reading(scene.run.cost, right, f"against {name}{_times(scene.factor)}", met)


# ------------------------------------------------------------------------- from the shortest-first to the optimum
def _speed_up(scene: SpeedScene, *, only_one_speed: bool) -> Iterator[Reading]:
    for (name, schedule), uniform in scene.one_speed:
        for count in augmented_counts(schedule):
            met = uniform if only_one_speed else True
            yield Reading(count.srpt, count.other, f"against {name}, at {count.time} ticks", met)


@SECTION.claim(
    "COR",
    "speed augmentation: SRPT with 2 - 1/m times the speeds of a schedule never has more unfinished jobs",
    r"n_{SRPT}(t) \le n_o(t)",
    "<=",
    corrected_by="COR.one-speed",
)
def speed_up(scene: SpeedScene) -> Iterator[Reading]:
    """As the step C_OS <= P(2 - 1/m) C_OPT needs it: for any speeds."""
    yield from _speed_up(scene, only_one_speed=False)


@SECTION.claim(
    "COR.one-speed",
    "corrected: the same, if the schedule runs min(m, n_o) jobs at one common speed at any time",
    r"n_{SRPT}(t) \le n_o(t)",
    "<=",
    hypothesis="the reference runs min(m, n_o) jobs at one common speed",
)
def speed_up_one_speed(scene: SpeedScene) -> Iterator[Reading]:
    """The speed-up lemma in changed time."""
    yield from _speed_up(scene, only_one_speed=True)


# ------------------------------------------------------------------------- against the optimum
def _theorem(scene: SpeedScene, find: Callable[[Power, int], Constant]) -> Iterator[Reading]:
    constant = find(scene.run.power, scene.machines)
    if scene.run.segments and constant is not NO_CONSTANT:
        yield _against_optimum(scene, constant.times(scene.factor), f"run{_times(scene.factor)}")


def _against_optimum(scene: SpeedScene, constant: Constant, where: str) -> Reading:
    """The cost of the run against c OPT; of an optimum without a lower bound nothing is known but that it is > 0."""
    right, met = scene.against_optimum(constant)
    known = right > 0
    return Reading(scene.run.cost, right, where if known else f"{where}; no lower bound on OPT is known", met, known)


@SECTION.claim(
    "T1",
    "Theorem 1: cost <= P(2 - 1/m) (2 + (2 / P^{-1}(1)) max(1, P(sbar))) OPT; 4 (2 - 1/m)^alpha for s^alpha",
    r"C \le P(2 - 1/m)\left(2 + \tfrac{2}{P^{-1}(1)} \max(1, P(\bar s))\right) OPT",
    "<=",
    unit="time",
    hypothesis=A1_A2,
)
def theorem_1(scene: SpeedScene) -> Iterator[Reading]:
    """For power laws TD implies it; for other P its proof rests on COR."""
    yield from _theorem(scene, constants.theorem_1)


@SECTION.claim(
    "T2",
    "Theorem 2: cost <= (3 + 2 / (2 - alpha)) OPT for s^alpha, 1 < alpha < 2",
    r"C \le \left(3 + \tfrac{2}{2 - \alpha}\right) OPT",
    "<=",
    unit="time",
    hypothesis=f"{RULE}; P(s) = s^alpha, alpha < 2",
)
def theorem_2(scene: SpeedScene) -> Iterator[Reading]:
    """TD implies it."""
    yield from _theorem(scene, constants.theorem_2)


@SECTION.claim(
    "TD",
    "TD (SPEED.md, not in the paper): cost <= (2 (1 + beta) + 2 theta / P^{-1}(1)) OPT; 2 alpha + 2 theta for s^alpha",
    r"C \le (2\alpha + 2\theta_\alpha)\, OPT",
    "<=",
    unit="time",
    hypothesis=f"{RULE}; P twice differentiable, beta finite",
)
def theorem_td(scene: SpeedScene) -> Iterator[Reading]:
    """Against every schedule, migration included."""
    yield from _theorem(scene, constants.theorem_td)


@SECTION.claim(
    "TF",
    "TF (SPEED.md, not in the paper): cost <= c OPT, c = 2 / (1 - (alpha-1) alpha^(-alpha/(alpha-1))), 8/3 for s^2, "
    "else rounded up in the fourth digit",
    r"C \le \frac{2}{1 - (\alpha - 1)\alpha^{-\alpha/(\alpha-1)}}\, OPT",
    "<=",
    unit="time",
    hypothesis=f"{RULE}; P(s) = c s^alpha, alpha one of 3/2, 7/4, 2, 7/3, 5/2, 3",
)
def theorem_fluid(scene: SpeedScene) -> Iterator[Reading]:
    """Against every schedule, on any number of servers; proved for these exponents."""
    yield from _theorem(scene, constants.theorem_fluid)


@SECTION.claim(
    "T-m1",
    "one server: cost <= 2 OPT",
    r"m = 1 \Rightarrow C \le 2\, OPT",
    "<=",
    unit="time",
    hypothesis=f"{RULE}; m = 1",
)
def theorem_one_server(scene: SpeedScene) -> Iterator[Reading]:
    """With c2 = 0."""
    yield from _theorem(scene, constants.one_server)


@SECTION.claim(
    "c_N",
    "backlog (SPEED.md): cost <= c OPT with the c of a table for at most N jobs at a time",
    r"C \le c_N\, OPT",
    "<=",
    unit="time",
    hypothesis=f"{FOLLOWS}; P(s) = s^alpha; at most 40 jobs at a time",
)
def backlog(scene: SpeedScene) -> Iterator[Reading]:
    """The table is checked before it is used."""
    if scene.table is not None and scene.run.segments:
        ratio, where = scene.table.ratio, f"run, at most {scene.backlog} jobs at a time"
        yield _against_optimum(scene, Constant(ratio, ratio, True), where)


# ------------------------------------------------------------------------- unit jobs
@SECTION.claim(
    "U.optimal",
    "unit jobs: round robin routing is optimal",
    r"OPT_{RR} \le OPT",
    "<=",
    unit="time",
    hypothesis="equal sizes; at most 60 jobs",
    corrected_by="U.2",
)
def round_robin_optimal(scene: SpeedScene) -> Iterator[Reading]:
    """A certified lower bound on every round robin schedule against the cost of some schedule."""
    if scene.unit:
        yield Reading(scene.round_robin, scene.upper, "instance")


@SECTION.claim(
    "U.2",
    "unit jobs, corrected: policy U costs at most twice the optimum without migration, which routes round robin",
    r"C_U \le 2\, OPT_{RR}",
    "<=",
    unit="time",
    hypothesis="the run is policy U; at most 60 jobs",
)
def policy_u(scene: SpeedScene) -> Iterator[Reading]:
    """Round robin is optimal among schedules without migration (SPEED.md, U); each server is T-m1."""
    if scene.unit and scene.policy_u:
        right = 2 * scene.round_robin
        yield Reading(scene.run.cost, right, "run", True if scene.run.cost <= right else None)
