"""The claims of section 5: load balancing.

T is the guess of the phase, alpha the number of levels, `M_s` the machines with load at least s T, `m_s` their number,
`J(u)` the accepted jobs that saw a load of at least u, `J_R` the rejected ones; for general sizes all of them within
one class, whose sizes lie in [P, 2P).

Corollary 5.2 counts the volume as T (m_0 + ... + m_{alpha-1}); it is T (m_1 + ... + m_alpha) at least, since a machine
of M_s has s T. So there are 2^(alpha-1) T m_alpha jobs, not 2^alpha - 1 times as many as T m_alpha: two unit jobs on
machines {1, 2} and {1}, T = T* = 1, alpha = 2 fill machine 1 with two jobs. Theorem 5.3 only needs epsilon times the
number to be at least T m_alpha, so it stands, and alpha = log2(1/epsilon) + 1 would do.

The paper proves the unit case in full and says of sizes in [1,2) that Claim 5.1 continues to hold. Its counting step
does not: the job that crosses the mark s T may lie mostly above it. Corrected, when T is at least every size: a machine
with load x has at least x - (s+1) T of volume in J(sT), so `vol J(sT) >= T (m_{s+2} + ... + m_alpha)`; with (2) and
T >= T* this gives `m_s >= m_{s+2} + ... + m_alpha`, hence `m_s >= F(alpha-s) m_alpha` with the Fibonacci numbers
F(1) = F(2) = 1 instead of powers of two. Summing up, the volume is at least `F(alpha+1) T m_alpha`, so there are more
than `F(alpha+1) T m_alpha / 2P` jobs. More than an epsilon share rejected then means that the rejected jobs, all
confined to M_alpha, have more volume than T m_alpha as soon as `F(alpha+1) >= 2/epsilon`; the printed
`alpha = 2 log2(1/epsilon) + 2` is enough for that, since F(2L+3) >= 2^(L+1). So Theorem 5.3 stands.

Stage 2. The paper says that a class has at most alpha T on a machine; the last job may exceed that, so observation
(iii) can fail. Corrected, when T is at least every size: a class has less than (alpha+1) T, so with the first index u
at which the prefix reaches (alpha-1) T in the place of r1, class(u) <= class(r2) - delta. Lemma 5.4 stands: a removed
job comes at r2 or later, so at most (alpha+1) T / 2^l of class l are removed, at most (alpha+1) T / 2^class(r2) times
1 / (1 - 2^-delta) in all; up to u there are at least (alpha-1) T / 2^(class(u)+1) jobs; and the ratio of the two is at
most (alpha+1)/(alpha-1) * 2^(1-delta) / (1 - 2^-delta) <= epsilon/2, since 2^delta >= 8/epsilon and alpha >= 4.

Source: Rejecting jobs to minimize load and maximum flow-time, section 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate, count

from certify.claims.claim import Reading, Section, tightest_prefix
from certify.claims.load_scene import Group, LoadScene, fibonacci, kept_group_loads, kept_loads
from online.load_balancing.general import size_class
from online.load_witness import ClassWitness

SECTION: Section[LoadScene] = Section("[R] section 5")
"""All claims of section 5, in the order of the paper."""

AT_LEAST_OPT = "T >= T*"
UNIT = "equal sizes, and T is a multiple of the size"
UNIT_AND_OPT = f"{UNIT}; T >= T*"
LARGE = "T is at least every size"


def _both(*conditions: bool | None) -> bool | None:
    """Whether all conditions are met: False if one is not, None if one is not known."""
    if False in conditions:
        return False
    return None if None in conditions else True


def _levels(scene: LoadScene) -> Iterator[tuple[ClassWitness, int]]:
    for one in scene.witness.classes:
        for s in range(scene.witness.alpha):
            yield one, s


@SECTION.claim(
    "5.1.eligible",
    "proof of Claim 5.1: a job of J(sT) has all its eligible machines in M_s (jobs for which it holds, jobs)",
    r"j \in J(sT) \Rightarrow S_j \subseteq M_s",
    ">=",
)
def eligible_inside(scene: LoadScene) -> Iterator[Reading]:
    """For the largest s that a job reached, hence for all smaller ones."""
    for one in scene.witness.classes:
        held = 0
        for j, _, level in one.accepted:
            s = level // scene.witness.guess
            held += all(one.loads[i] >= s * scene.witness.guess for i in scene.eligible(j))
        if one.accepted:
            yield Reading(held, len(one.accepted), scene.place(one))


@SECTION.claim(
    "(2)", "inequality (2): T* is at least vol J(sT) / m_s", r"T^* \ge \mathrm{vol}(J(sT)) / m_s", ">=", unit="time"
)
def inequality_2(scene: LoadScene) -> Iterator[Reading]:
    """T* replaced by the value of an assignment that rejects nobody."""
    for one, s in _levels(scene):
        if one.sizes_of_sets[s]:
            yield Reading(scene.upper, Fraction(scene.volume(one.jobs(s)), one.sizes_of_sets[s]), scene.place(one, s))


def _counting(scene: LoadScene, skipped: int, met: bool | None) -> Iterator[Reading]:
    for one, s in _levels(scene):
        above = sum(one.sizes_of_sets[s + skipped :])
        if above:
            yield Reading(scene.volume(one.jobs(s)), scene.witness.guess * above, scene.place(one, s), met)


@SECTION.claim(
    "5.1.count",
    "proof of Claim 5.1: vol J(sT) is at least T (m_{s+1} + ... + m_alpha)",
    r"|J(sT)| \ge T (m_{s+1} + \dots + m_\alpha)",
    ">=",
    unit="time",
    hypothesis=UNIT,
)
def counting_unit(scene: LoadScene) -> Iterator[Reading]:
    """The counting step as printed, in the unit case."""
    yield from _counting(scene, 1, scene.on_grid)


@SECTION.claim(
    "5.3.count",
    "Remarks: the same counting step for sizes within a factor two",
    r"\mathrm{vol}(J(sT)) \ge T (m_{s+1} + \dots + m_\alpha)",
    ">=",
    unit="time",
    corrected_by="5.3.count-corrected",
)
def counting_bounded(scene: LoadScene) -> Iterator[Reading]:
    """The counting step as the Remarks take it over."""
    yield from _counting(scene, 1, True)


@SECTION.claim(
    "5.3.count-corrected",
    "corrected: vol J(sT) is at least T (m_{s+2} + ... + m_alpha)",
    r"\mathrm{vol}(J(sT)) \ge T (m_{s+2} + \dots + m_\alpha)",
    ">=",
    unit="time",
    hypothesis=LARGE,
)
def counting_corrected(scene: LoadScene) -> Iterator[Reading]:
    """One level less on the right side."""
    yield from _counting(scene, 2, scene.witness.guess >= scene.largest)


def _growth(scene: LoadScene, factor: Callable[[int], int], met: bool | None) -> Iterator[Reading]:
    alpha = scene.witness.alpha
    for one, s in _levels(scene):
        full = one.sizes_of_sets[alpha]
        if full:
            yield Reading(one.sizes_of_sets[s], factor(alpha - s) * full, scene.place(one, s), met)


@SECTION.claim(
    "5.1",
    "Claim 5.1: m_s is at least 2^(alpha-1-s) m_alpha",
    r"m_s \ge 2^{\alpha-1-s} m_\alpha",
    ">=",
    hypothesis=UNIT_AND_OPT,
)
def claim_5_1(scene: LoadScene) -> Iterator[Reading]:
    """The unit case."""
    yield from _growth(scene, lambda below: 2 ** (below - 1), _both(scene.on_grid, scene.enough))


@SECTION.claim(
    "5.3.growth",
    "Remarks: Claim 5.1 for sizes within a factor two",
    r"m_s \ge 2^{\alpha-1-s} m_\alpha",
    ">=",
    hypothesis=AT_LEAST_OPT,
    corrected_by="5.3.growth-corrected",
)
def growth_bounded(scene: LoadScene) -> Iterator[Reading]:
    """Claim 5.1 as the Remarks say it continues to hold."""
    yield from _growth(scene, lambda below: 2 ** (below - 1), scene.enough)


@SECTION.claim(
    "5.3.growth-corrected",
    "corrected: m_s is at least F(alpha-s) m_alpha, Fibonacci",
    r"m_s \ge F_{\alpha-s}\, m_\alpha",
    ">=",
    hypothesis=AT_LEAST_OPT,
)
def growth_corrected(scene: LoadScene) -> Iterator[Reading]:
    """With Fibonacci numbers in the place of powers of two."""
    yield from _growth(scene, fibonacci, scene.enough)


def _number_of_jobs(scene: LoadScene, factor: Fraction, met: bool | None) -> Iterator[Reading]:
    for one in scene.witness.classes:
        full = one.sizes_of_sets[scene.witness.alpha]
        if full:
            jobs = len(one.accepted) + len(one.rejected)
            rhs = factor * scene.witness.guess * full / scene.least_size(one)
            yield Reading(jobs, rhs, scene.place(one), met)


@SECTION.claim(
    "5.2",
    "Corollary 5.2: there are at least (2^alpha - 1) T m_alpha jobs of unit size",
    r"|J| \ge (2^\alpha - 1)\, T m_\alpha",
    ">=",
    hypothesis=UNIT_AND_OPT,
    corrected_by="5.2.corrected",
)
def corollary_5_2(scene: LoadScene) -> Iterator[Reading]:
    """The unit case, sizes U in the place of 1."""
    yield from _number_of_jobs(scene, Fraction(2**scene.witness.alpha - 1), _both(scene.on_grid, scene.enough))


@SECTION.claim(
    "5.2.corrected",
    "Corollary 5.2 corrected: there are at least 2^(alpha-1) T m_alpha jobs of unit size",
    r"|J| \ge 2^{\alpha-1}\, T m_\alpha",
    ">=",
    hypothesis=UNIT_AND_OPT,
)
def corollary_5_2_corrected(scene: LoadScene) -> Iterator[Reading]:
    """The volume is at least T (m_1 + ... + m_alpha)."""
    yield from _number_of_jobs(scene, Fraction(2 ** (scene.witness.alpha - 1)), _both(scene.on_grid, scene.enough))


@SECTION.claim(
    "5.3.jobs",
    "Remarks: there are at least (2^(alpha-1) - 1) T m_alpha jobs of size in [1,2)",
    r"|J| \ge (2^{\alpha-1} - 1)\, T m_\alpha",
    ">=",
    hypothesis=AT_LEAST_OPT,
    corrected_by="5.3.jobs-corrected",
)
def jobs_bounded(scene: LoadScene) -> Iterator[Reading]:
    """Corollary 5.2 as the Remarks weaken it."""
    yield from _number_of_jobs(scene, Fraction(2 ** (scene.witness.alpha - 1) - 1), scene.enough)


@SECTION.claim(
    "5.3.jobs-corrected",
    "corrected: there are at least F(alpha+1) T m_alpha / 2 jobs of size in [1,2), Fibonacci",
    r"|J| \ge F_{\alpha+1}\, T m_\alpha / 2",
    ">=",
    hypothesis=AT_LEAST_OPT,
)
def jobs_corrected(scene: LoadScene) -> Iterator[Reading]:
    """With a Fibonacci number, and half of it as a job may have size 2."""
    yield from _number_of_jobs(scene, Fraction(fibonacci(scene.witness.alpha + 1), 2), scene.enough)


@SECTION.claim(
    "5.3.confined",
    "proof of Theorem 5.3: a rejected job has all its eligible machines in M_alpha (jobs for which it holds, jobs)",
    r"j \in J_R \Rightarrow S_j \subseteq M_\alpha",
    ">=",
)
def rejected_confined(scene: LoadScene) -> Iterator[Reading]:
    """Rejections at arrival, class by class."""
    for one in scene.witness.classes:
        full = set(one.machines(scene.witness.alpha))
        held = sum(full.issuperset(scene.eligible(j)) for j in one.rejected)
        if one.rejected:
            yield Reading(held, len(one.rejected), scene.place(one))


@SECTION.claim(
    "5.3.rejected",
    "Theorem 5.3: at most an epsilon share of the arrived jobs (of a class: epsilon/2) is rejected, at every prefix",
    r"|J_R| \le \varepsilon |J|",
    "<=",
    hypothesis="T >= T*; if the unit algorithm ran, T is a multiple of the size",
)
def theorem_5_3(scene: LoadScene) -> Iterator[Reading]:
    """Rejections at arrival, class by class, at the tightest prefix."""
    met = _both(scene.enough_levels, scene.enough, scene.on_grid if scene.one_size else True)
    for one in scene.witness.classes:
        order = sorted([(j, 0) for j, _, _ in one.accepted] + [(j, 1) for j in one.rejected])
        out = accumulate(rejected for _, rejected in order)
        yield from tightest_prefix(zip(out, count(1)), scene.share, scene.place(one), met)


@SECTION.claim(
    "5.3.load",
    "Theorem 5.3: the load of a machine (of a class) is at most alpha T plus one job",
    r"\mathrm{load}_i \le \alpha T + p_{\max}",
    "<=",
    unit="time",
)
def load_of_a_class(scene: LoadScene) -> Iterator[Reading]:
    """Before pruning."""
    limit = scene.witness.alpha * scene.witness.guess + scene.largest
    for one in scene.witness.classes:
        yield Reading(max(one.loads), limit, scene.place(one))


def _group_place(scene: LoadScene, group: Group) -> str:
    return f"{scene.name}, machine {scene.run.instance.machine_name(group.machine)}"


def _r(scene: LoadScene, group: Group, levels: int) -> int:
    return group.first_reaching(levels * scene.witness.guess)


@SECTION.claim(
    "5.4.i",
    "stage 2 (i): jobs up to r1, where the prefix by size reaches alpha T, are not removed (first removed index, r1)",
    r"\text{removed} \subseteq \{u : u > r_1\}",
    ">",
    hypothesis=LARGE,
)
def stage_2_first(scene: LoadScene) -> Iterator[Reading]:
    """Per machine and group; indices from 1."""
    met = scene.witness.guess >= scene.largest
    for group in scene.groups:
        first, r1 = group.removed_indices()[0], _r(scene, group, scene.witness.alpha)
        yield Reading(first + 1, r1 + 1, _group_place(scene, group), met)


@SECTION.claim(
    "5.4.ii",
    "stage 2 (ii): all jobs after r2, where the prefix by size reaches 2 alpha T, are removed (removed, jobs after r2)",
    r"\{u : u > r_2\} \subseteq \text{removed}",
    ">=",
)
def stage_2_second(scene: LoadScene) -> Iterator[Reading]:
    """Per machine and group."""
    for group in scene.groups:
        r2 = _r(scene, group, 2 * scene.witness.alpha)
        after = [k for k in group.removed_indices() if k > r2]
        yield Reading(len(after), len(group.jobs) - 1 - r2, _group_place(scene, group))


def _class_gap(scene: LoadScene, lower_levels: int, met: bool | None) -> Iterator[Reading]:
    tick = scene.run.instance.tick
    for group in scene.groups:
        low, high = _r(scene, group, lower_levels), _r(scene, group, 2 * scene.witness.alpha)
        classes = [size_class(group.jobs[k][0], tick) for k in (low, high)]
        yield Reading(classes[0], classes[1] - scene.witness.delta, _group_place(scene, group), met)


@SECTION.claim(
    "5.4.iii",
    "stage 2 (iii): the class of r1 is at most the class of r2 minus delta",
    r"\mathrm{class}(r_1) \le \mathrm{class}(r_2) - \Delta",
    "<=",
    hypothesis=AT_LEAST_OPT,
    corrected_by="5.4.iii-corrected",
)
def stage_2_third(scene: LoadScene) -> Iterator[Reading]:
    """As printed; it takes a class to have at most alpha T on a machine."""
    yield from _class_gap(scene, scene.witness.alpha, scene.enough)


@SECTION.claim(
    "5.4.iii-corrected",
    "corrected: with (alpha-1) T in the place of alpha T for r1",
    r"\mathrm{class}(r_1') \le \mathrm{class}(r_2) - \Delta",
    "<=",
    hypothesis=LARGE,
)
def stage_2_third_corrected(scene: LoadScene) -> Iterator[Reading]:
    """A class has less than (alpha+1) T on a machine."""
    yield from _class_gap(scene, scene.witness.alpha - 1, scene.witness.guess >= scene.largest)


def _removal_bound(scene: LoadScene, levels: int, met: bool | None) -> Iterator[Reading]:
    tick = scene.run.instance.tick
    for group in scene.groups:
        least = size_class(group.jobs[_r(scene, group, 2 * scene.witness.alpha)][0], tick)
        smallest = [Fraction(2) ** name / tick for name in group.names if name >= least]
        bound = sum((levels * scene.witness.guess / size for size in smallest), Fraction(0))
        yield Reading(len(group.removed), bound, _group_place(scene, group), met)


@SECTION.claim(
    "5.4.removed",
    "stage 2: at most the sum over classes l >= class(r2) of alpha T / 2^l jobs are removed",
    r"\#\text{removed} \le \sum_{l \ge \mathrm{class}(r_2)} \alpha T / 2^l",
    "<=",
    hypothesis=AT_LEAST_OPT,
    corrected_by="5.4.removed-corrected",
)
def removal_bound(scene: LoadScene) -> Iterator[Reading]:
    """As printed; per machine and group."""
    yield from _removal_bound(scene, scene.witness.alpha, scene.enough)


@SECTION.claim(
    "5.4.removed-corrected",
    "corrected: with (alpha+1) T in the place of alpha T",
    r"\#\text{removed} \le \sum_{l \ge \mathrm{class}(r_2)} (\alpha+1) T / 2^l",
    "<=",
    hypothesis=LARGE,
)
def removal_bound_corrected(scene: LoadScene) -> Iterator[Reading]:
    """A class has less than (alpha+1) T on a machine."""
    yield from _removal_bound(scene, scene.witness.alpha + 1, scene.witness.guess >= scene.largest)


@SECTION.claim(
    "5.4.share",
    "Lemma 5.4: stage 2 removes at most an epsilon/2 share of the jobs that stage 1 put on a machine (of a group)",
    r"\#\text{removed} \le \tfrac{\varepsilon}{2} \#\text{dispatched}",
    "<=",
    hypothesis=LARGE,
)
def removed_share(scene: LoadScene) -> Iterator[Reading]:
    """Per machine and group."""
    met = scene.witness.guess >= scene.largest and scene.enough_levels
    for group in scene.groups:
        yield Reading(len(group.removed), scene.run.epsilon / 2 * len(group.jobs), _group_place(scene, group), met)


@SECTION.claim(
    "5.4.load",
    "Lemma 5.4: after pruning, a machine keeps at most 2 alpha T of a group",
    r"\mathrm{load}_{i,\mathrm{group}} \le 2 \alpha T",
    "<=",
    unit="time",
)
def lemma_5_4_load(scene: LoadScene) -> Iterator[Reading]:
    """For the algorithm for general sizes, over all machines and groups."""
    if scene.grouped:
        kept = kept_group_loads(scene)
        yield Reading(max(kept.values(), default=0), 2 * scene.witness.alpha * scene.witness.guess, scene.name)


@SECTION.claim(
    "5.5.load",
    "Corollary 5.5: a machine keeps at most 2 alpha T of each of delta groups of the phase's jobs",
    r"\mathrm{load}_i \le 2 \alpha \Delta T",
    "<=",
    unit="time",
)
def corollary_5_5_load(scene: LoadScene) -> Iterator[Reading]:
    """After pruning; for the algorithm for general sizes."""
    if scene.grouped:
        limit = 2 * scene.witness.alpha * scene.witness.delta * scene.witness.guess
        yield Reading(max(kept_loads(scene)), limit, scene.name)


@SECTION.claim(
    "5.5.rejected",
    "Corollary 5.5: at most an epsilon share of the arrived jobs is rejected, early or late, at every prefix",
    r"|J_R| \le \varepsilon |J|",
    "<=",
    hypothesis=AT_LEAST_OPT,
)
def corollary_5_5_rejected(scene: LoadScene) -> Iterator[Reading]:
    """For the algorithm for general sizes; an ended phase would have gone over it."""
    if scene.grouped:
        phase, rejections = scene.witness.phase, list(scene.run.rejections())
        met = _both(scene.enough_levels, scene.enough)
        before = rejections[phase.first - 1] if phase.first else 0
        mine = (rejected - before for rejected in rejections[phase.first : phase.last + (0 if phase.ended else 1)])
        yield from tightest_prefix(zip(mine, count(1)), scene.run.epsilon, scene.name, met)


@SECTION.claim(
    "5.6",
    "Claim 5.6: an ended phase's guess is below T* (the best bound known, T)",
    r"T < T^*",
    ">",
    unit="time",
)
def claim_5_6(scene: LoadScene) -> Iterator[Reading]:
    """The phase's own machine sets, or the best bound on T* at hand."""
    if scene.witness.phase.ended:
        yield Reading(max(scene.refutation, scene.lower), scene.witness.guess, scene.name, scene.enough_levels)


@SECTION.claim(
    "5.7",
    "Theorem 5.7: the final load is at most the sum over the phases of what one phase may leave on a machine",
    r"\mathrm{load}_i \le \sum_u 2 \alpha \Delta T_u",
    "<=",
    unit="time",
)
def theorem_5_7(scene: LoadScene) -> Iterator[Reading]:
    """Read at the last phase: alpha T plus one job each for one class, 2 alpha delta T each for general sizes."""
    if scene.number == len(scene.run.phases) - 1:
        guesses = scene.run.guesses
        levels = 2 * scene.witness.alpha * scene.witness.delta if scene.grouped else scene.witness.alpha
        jobs = 0 if scene.grouped else max(scene.run.instance.size.tolist()) * len(guesses)
        yield Reading(scene.run.objective, levels * sum(guesses, Fraction(0)) + jobs, "the whole run")


@SECTION.claim(
    "5.7.rejected",
    "Theorem 5.7: guess and double rejects at most an epsilon share of all arrived jobs, at every prefix of the run",
    r"|J_R| \le \varepsilon |J|",
    "<=",
    hypothesis="guess and double, not a known guess",
)
def theorem_5_7_rejected(scene: LoadScene) -> Iterator[Reading]:
    """Read at the last phase, at the tightest prefix."""
    if scene.number == len(scene.run.phases) - 1:
        doubled = "guess" not in scene.run.parameters
        prefixes = zip(scene.run.rejections(), count(1))
        yield from tightest_prefix(prefixes, scene.run.epsilon, "the whole run", doubled)
