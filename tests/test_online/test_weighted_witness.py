"""Witnesses of algorithm A: Figure 4 against a tick-by-tick reading, and the worked examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from naive_figure_4 import Phase, Tick
from weighted_optimum import weighted_optimum

from lp.density_classes import best_class, class_bounds
from lp.weak_duality import largest_duals, lower_bound
from online.exact import floor_log2
from online.generate import Dice
from online.generate.small import small_weighted
from online.instance import Instance
from online.rows import Row
from online.weighted.classes import Types
from online.weighted.doubling import Decisions, decide
from online.weighted.laminar import Marks, nested
from online.weighted.parameters import Parameters
from online.weighted.trail import Trail
from online.weighted.trajectory import DensityRange, excursions
from online.weighted.witness import DensityWitness, density_witness
from online.weights import Weights

HALF = Fraction(1, 2)
RULES = (Marks.printed, Marks.corrected, Marks.every)


def decided(
    jobs: list[tuple[int, int, int, int]],
    alpha: int,
    guess: int | None,
    machines: int = 1,
    eligible: list[tuple[int, ...] | None] | None = None,
) -> Decisions:
    """Jobs `(count, release, size, weight)`."""
    sets = [None] * len(jobs) if eligible is None else eligible
    rows = [
        Row(f"{k}.{copy}", release, size, wanted, flow_weight=weight, rejection_weight=weight)
        for k, ((count, release, size, weight), wanted) in enumerate(zip(jobs, sets, strict=True))
        for copy in range(count)
    ]
    types = Types.weighted(Instance.from_rows(machines, rows))
    return decide(types, Parameters.one_weight(HALF, alpha=alpha), None if guess is None else Fraction(guess))


def witness(decisions: Decisions, low: int, rule: object, number: int = 0) -> DensityWitness:
    """The witness of a phase for a class with one of `RULES`."""
    trail = Trail(decisions, number)
    return density_witness(trail, low, rule(trail.alpha, trail.guess))  # type: ignore[operator]


def rows(one: DensityWitness) -> list[Tick]:
    """The intervals as the naive reading lists them."""
    return sorted(
        Tick(span.level, span.machine, int(span.start), int(span.end), floor_log2(span.weight)) for span in one.family
    )


def bounds(one: DensityWitness) -> tuple[Fraction, Fraction]:
    """The bound with the paper's duals, and with the largest ones."""
    types = one.trail.decisions.types
    weights = Weights.of(types.flow)
    return (
        lower_bound(types.instance, one.family, one.duals.tolist(), weights=weights),
        lower_bound(types.instance, one.family, weights=weights),
    )


# --------------------------------------------------------------------------- worked examples
def test_a_burst_of_600_jobs() -> None:
    """600 unit jobs at 0, alpha = 16, T = 1: 255 fit, and 345 rejected ones show T* >= 282, all jobs T* >= 537.

    The limit is 256, job k sees k, so 255 are accepted; the load is 255 - t. With gamma_l = 64 l the corrected family
    has l = 3 only: at least 192 until t = 63, hence [0, 63]. Rejected jobs have alpha_j = 1, those at levels 192..255
    have l_j = 3 and alpha_j = 0: (345 - 63) / 1 = 282. With all 600 jobs in the interval (600 - 63) / 1 = 537. Printed:
    l = 2 gives [0, 127], l = 3 gives [0, 63], l = 4 nothing; rejected jobs 2 each, levels 192..255 1 each:
    (690 + 64 - 190) / 2 = 282, and (1200 - 190) / 2 = 505. The optimum is 600.
    """
    decisions = decided([(600, 0, 1, 1)], 16, 1)
    assert [offer.accepted for offer in decisions.offers] == [True] * 255 + [False] * 345
    corrected, printed = (witness(decisions, 0, rule) for rule in (Marks.corrected, Marks.printed))
    assert rows(corrected) == [Tick(3, 0, 0, 63, 0)]
    assert (Counter(corrected.duals.tolist()), bounds(corrected)) == (Counter({0: 255, 1: 345}), (282, 537))
    assert rows(printed) == [Tick(2, 0, 0, 127, 0), Tick(3, 0, 0, 63, 0)]
    assert (Counter(printed.duals.tolist()), bounds(printed)) == (Counter({0: 191, 1: 64, 2: 345}), (282, 505))


def test_levels_count_the_job_itself_and_only_its_own_type() -> None:
    """Seven jobs of three types on two machines: each goes where its own type is least, first machine on ties.

    Types (w, d): size 2, weight 2 is (1, 0); 1, 1 is (0, 0); 4, 1 is (0, -2). At 0 the first goes to machine 0, the
    second to 1, the third may only go to 1 (4 + 4 = 8), the fourth sees no job of its type, the fifth goes to 1. At 1
    machine 0 has 2 of type (1, 0) left, machine 1 has 6: level 6. The last sees 1 on machine 0 and none on machine 1.
    For d* = -2 maxload is four times the load of (1, 0): 16, 24, 16, 8 on machine 0, 32, 24, 16, 8 on machine 1.
    """
    jobs = [(1, 0, 2, 2), (1, 0, 2, 2), (1, 0, 2, 2), (1, 0, 1, 1), (1, 0, 4, 1), (1, 1, 2, 2), (1, 1, 1, 1)]
    decisions = decided(jobs, 8, 4, 2, [None, None, (1,), None, (1,), None, None])
    weighted = [offer.level << kind.weight for offer, kind in zip(decisions.offers, decisions.types.types, strict=True)]
    assert decisions.dispatch == [0, 1, 1, 0, 1, 0, 1]
    assert weighted == [4, 4, 8, 1, 4, 6, 1]
    everything = density_witness(Trail(decisions, 0), -2, Marks(Fraction(8), range(1, 5)))
    assert everything.depth.tolist() == [2, 2, 4, 0, 0, 3, 0]
    assert rows(everything) == [
        *(Tick(1, 0, 0, 3, 1), Tick(1, 1, 0, 3, 1)),
        *(Tick(2, 0, 0, 2, 1), Tick(2, 1, 0, 2, 1)),
        *(Tick(3, 0, 1, 1, 1), Tick(3, 1, 0, 1, 1)),
        Tick(4, 1, 0, 0, 1),
    ]


def test_two_bursts_give_two_closed_intervals() -> None:
    """200 unit jobs at 0 and 120 at 100, alpha = 16, T = 1: level 3 twice, level 2 once across the pause.

    The load is 200 - t before 100, then 320 - t. At least 192 on [0, 8] and [100, 128]; at most 128 from 72 to 99, so
    the second begins at 100, with the jobs released there. For l = 2 it never falls to 64 before the second
    burst. Corrected: (320 - 36) / 2 = 142; printed: (640 - 228) / 3 = 412/3.
    """
    decisions = decided([(200, 0, 1, 1), (120, 100, 1, 1)], 16, 1)
    corrected, printed = (witness(decisions, 0, rule) for rule in (Marks.corrected, Marks.printed))
    assert rows(corrected) == [Tick(3, 0, 0, 8, 0), Tick(3, 0, 100, 128, 0)]
    assert bounds(corrected) == (-18, 142)
    assert rows(printed) == [Tick(2, 0, 0, 192, 0), Tick(3, 0, 0, 8, 0), Tick(3, 0, 100, 128, 0)]
    assert (sum(printed.duals.tolist()), bounds(printed)) == (38, (Fraction(-190, 3), Fraction(412, 3)))


def test_the_weight_of_an_interval_is_printed_from_the_level_below() -> None:
    """Four jobs of weight 8 and one of weight 1 at 0, alpha = T = 8: [0, 0] of level 1 is for weight 1, or for 8.

    gamma_1 = 256 is the heavy load 32 times 2^3. J(0) holds every job, so the printed weight class is 0; J(1) holds the
    fourth heavy job only, class 3. Then the bound is 4 * 8 instead of 5.
    """
    decisions = decided([(4, 0, 1, 8), (1, 0, 1, 1)], 8, 8)
    marks = Marks.printed(8, Fraction(8))
    printed, corrected = (density_witness(Trail(decisions, 0), 0, one) for one in (marks, marks._replace(lag=0)))
    assert (rows(printed), bounds(printed)) == ([Tick(1, 0, 0, 0, 0)], (0, 5))
    assert (rows(corrected), bounds(corrected)) == ([Tick(1, 0, 0, 0, 3)], (0, 32))


def test_a_phase_that_gave_up_holds_the_job_that_ended_it() -> None:
    """60 unit jobs at 0, alpha = 4: T = 1 ends at the 16th rejection of 31 jobs, which is in that witness too."""
    decisions = decided([(60, 0, 1, 1)], 4, None)
    trail = Trail(decisions, 0)
    assert decisions.phases[0].ended
    assert (len(trail.offers), sum(not offer.accepted for _, offer in trail.offers)) == (31, 16)
    best = best_class(class_bounds(trail))
    assert best is not None
    assert trail.guess < best.value <= 60


def test_a_phase_without_levels_or_jobs_in_range_has_no_interval() -> None:
    """alpha = 8 has no corrected level, alpha = 4 no printed one; far classes give nothing."""
    burst = decided([(100, 0, 1, 1)], 8, 1)
    assert len(witness(burst, 0, Marks.corrected).family) == 0
    assert len(witness(decided([(100, 0, 1, 1)], 4, 1), 0, Marks.printed).family) == 0
    far = witness(burst, 5, Marks.every)
    assert (len(far.family), set(far.depth.tolist()), set(far.duals.tolist())) == (0, {-1}, {0})


# --------------------------------------------------------------------------- against the naive reading
def cases(number: int, seed: int) -> Iterator[Decisions]:
    """Small instances, three kinds of weights, alpha from 1 to 32; known guesses below the optimum, and doubling."""
    dice = Dice(seed)
    for k in range(number):
        instance = small_weighted(dice, jobs=6 + 10 * (k % 3), span=5)
        kind = (Types.weighted, Types.two_weights, Types.stretch)[dice.below(3)]
        types, alpha = kind(instance), 1 << dice.below(6)
        scale = Fraction(1 + dice.below(8), alpha**2) * max(types.flow) * max(instance.size.tolist())
        guess = None if k % 3 == 0 else scale
        yield decide(types, Parameters.one_weight(HALF, alpha=alpha), guess)


def test_figure_4_agrees_with_its_reading_tick_by_tick() -> None:
    """On 300 runs, every phase, class and choice of marks: equal intervals, depths of the sets J(l), and duals."""
    seen: Counter[str] = Counter()
    for decisions in cases(300, 61):
        for number, phase in enumerate(decisions.phases):
            if len(decisions.phases) > 4 and number % 3:
                continue
            trail, naive = Trail(decisions, number), Phase(decisions, number)
            assert [offer.level for _, offer in trail.offers] == naive.run.level[: len(trail.offers)]
            low = trail.classes[number % len(trail.classes)] - number % 2
            for rule in RULES:
                marks = rule(trail.alpha, trail.guess)
                one = density_witness(trail, low, marks)
                assert rows(one) == naive.intervals(low, *marks)
                assert one.depth.tolist() == [_depth(naive, k, low, marks) for k in range(len(naive.list))]
                assert one.duals.tolist() == [_dual(naive, k, low, rule) for k in range(len(naive.list))]
                seen["intervals"] += len(one.family)
                seen["deep"] += sum(level > marks.levels.start + 1 for level in one.family.level.tolist())
                seen["weights"] += len(one.family.weights) > 1
                seen["positive duals"] += sum(one.duals.tolist()) > 0
            seen["phases"] += 1
            seen["ended"] += phase.ended
    print(seen)
    assert min(seen["intervals"], seen["phases"], seen["deep"]) > 300
    assert min(seen["positive duals"], 4 * seen["weights"], 10 * seen["ended"]) > 140


def _depth(naive: Phase, k: int, low: int, marks: Marks) -> int:
    if not naive.in_range(naive.d[k], low):
        return -1
    return min(naive.lifted_level(k, low) // marks.height, marks.levels.stop)


def _dual(naive: Phase, k: int, low: int, rule: object) -> int:
    """The table of the duals, printed and corrected; with every mark as corrected."""
    rejected, alpha = naive.run.dispatch[k] < 0, naive.alpha
    if not naive.in_range(naive.d[k], low) or (rejected and naive.d[k] != low):
        return 0
    marks = rule(alpha, naive.T)  # type: ignore[operator]
    first, last = (alpha // 8, alpha // 4) if rule == Marks.printed else (marks.levels.start, marks.levels.stop)
    if not marks.levels:
        return 0
    depth = min(naive.lifted_level(k, low) // marks.height, last)
    assert depth == last or not rejected or rule == Marks.every
    return max(0, depth - first)


def test_one_pass_finds_what_one_level_at_a_time_finds() -> None:
    """Nested intervals of many levels against single excursions, at heights from a fraction of a tick on."""
    dice, found = Dice(62), 0
    for decisions in cases(150, 63):
        trail = Trail(decisions, 0)
        kinds = DensityRange(trail.classes[0], dice.below(6))
        for pieces in trail.pieces:
            all_gaps = [piece.gap for piece in pieces]
            marks = Marks(Fraction(1 + dice.below(9), 1 + dice.below(3)), range(1 + dice.below(3), 9))
            single = [
                (level, start, end)
                for level in marks.levels
                for start, end in excursions(all_gaps, kinds, (level - 1) * marks.height, level * marks.height)
            ]
            assert sorted(nested(pieces, kinds, marks)) == sorted(single)
            found += len(single)
    assert found > 500


# --------------------------------------------------------------------------- bounds
def test_no_bound_of_a_class_exceeds_the_optimum() -> None:
    """Every class and family of 250 small runs stays below the optimum of the true weights; many say something."""
    dice, strong, exact = Dice(64), 0, 0
    for _ in range(250):
        instance = small_weighted(dice, jobs=5, span=4)
        kind = (Types.weighted, Types.two_weights, Types.stretch)[dice.below(3)]
        types, alpha = kind(instance), 1 << dice.below(6)
        optimum = weighted_optimum(instance, Weights.of(types.flow))
        guess = optimum * (1 + dice.below(4)) / alpha**2
        trail = Trail(decide(types, Parameters.one_weight(HALF, alpha=alpha), guess), 0)
        for one in class_bounds(trail, trail.classes):
            assert one.value <= optimum
            strong += one.value > 0
            exact += one.value == optimum
    assert strong > 300
    assert exact > 5


def test_the_duals_of_the_paper_are_feasible_from_the_largest_job_on() -> None:
    """Claim 6.9 with both families on runs with T at least every 2^w p: alpha_j is at most the largest dual."""
    dice, positive = Dice(65), Counter[str]()
    for k in range(60):
        alpha = (8, 16)[k % 2]
        burst = (alpha**2 * (2 + dice.below(4)) // 2, dice.below(40), 1 + dice.below(2), 1 << dice.below(3))
        decisions = decided([burst, (20 + dice.below(200), dice.below(90), 1, 1 + dice.below(3))], alpha, 4)
        trail = Trail(decisions, 0)
        for low in trail.classes:
            for rule in RULES[:2]:
                one = witness(decisions, low, rule)
                largest = largest_duals(
                    decisions.types.instance, one.family, weights=Weights.flow(decisions.types.instance)
                )
                assert all(np.array(largest) >= one.duals)
                positive[rule.__name__] += bool(one.duals.any())
    assert min(positive[rule.__name__] for rule in RULES[:2]) > 8


@pytest.mark.parametrize("alpha", [2, 4, 8])
def test_bounds_beat_given_up_guesses_on_bursts(alpha: int) -> None:
    """Guess and double on bursts of 500 jobs: the best class of each phase that gave up refutes its guess."""
    decisions = decided([(200, 0, 1, 4), (200, 0, 2, 1), (100, 3, 1, 1)], alpha, None)
    ended = [number for number, phase in enumerate(decisions.phases) if phase.ended]
    for number in ended:
        trail = Trail(decisions, number)
        best = best_class(class_bounds(trail))
        assert best is not None
        assert best.value > trail.guess
    assert ended
