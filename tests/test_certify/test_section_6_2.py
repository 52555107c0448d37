"""Algorithm A of sections 6.2, 6.3 and 7: every claim on hundreds of runs, and the printed ones that fail."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from naive_figure_4 import Phase
from weighted_runs import UNKNOWN, bursts, entry, lures, one_machine, one_machine_optimum, scenes

from certify.audit.crafted import LIGHT, LURED, TWO_WEIGHTS_AT_ONCE, flat_queue
from certify.claims.claim import Entry, Reading, Verdict, judge
from certify.claims.weighted import CLAIMS, tightest_share
from certify.claims.weighted_b import SECTION as B
from certify.claims.weighted_b_phases import SECTION as B_PHASES
from certify.claims.weighted_b_scene import ServiceScene
from certify.claims.weighted_measures import priorities
from certify.claims.weighted_scene import ClassView, WeightedScene
from online.generate import Dice
from online.generate.small import small_weighted
from online.instance import Instance
from online.rows import Row
from online.weighted.classes import Types
from online.weighted.laminar import Marks
from online.weighted.trail import Trail
from online.weighted.witness import density_witness

FALSE = {claim.id: claim.corrected_by for claim in CLAIMS if claim.corrected_by}
LARGE = {"6.18.refuted", "6.18.last", "6.12.refutes"}
"""Claims whose hypothesis asks for more jobs than the random runs have: see the tests of their own."""


def sides(found: Entry) -> tuple[Fraction, Fraction, Verdict]:
    """Left and right side, and the verdict."""
    assert found.reading is not None
    return Fraction(found.reading.lhs), Fraction(found.reading.rhs), found.verdict


@pytest.fixture(scope="module")
def tally() -> Counter[str]:
    """Bursts with alpha 8, 16, 32, a guess below T* or doubling; lures with T = T*, known exactly."""
    seen: Counter[str] = Counter()
    dice = Dice(620)
    for k in range(130):
        alpha = (16, 16, 32, 8)[k % 4]
        types = bursts(dice, alpha)
        largest = max(int(w) * p for w, p in zip(types.flow, types.instance.size.tolist(), strict=True))
        exact = types.instance.machines == 1 and types.instance.n < 300
        optimum = one_machine_optimum(types) if exact else None
        guess = None if k % 5 == 0 else largest << dice.below(2)
        _count(seen, scenes(types, alpha, guess, optimum=optimum))
        seen["exact"] += exact
    for k in range(150):
        jobs = lures(dice)
        if len(jobs) < 200:
            types = one_machine(jobs)
            optimum = one_machine_optimum(types)
            _count(seen, scenes(types, 8 << k % 2, optimum, optimum=optimum))
            seen["T = T*"] += 1
    for key, count in sorted(seen.items()):
        print(f"{count:6d}  {key}")
    return seen


def _count(seen: Counter[str], found: list[WeightedScene]) -> None:
    seen["runs"] += 1
    seen["rejections"] += any(scene.rejected_weight for scene in found)
    seen["bound above T"] += any(scene.own_bound > scene.guess for scene in found)
    for claim in CLAIMS:
        seen[f"{claim.id} {judge(claim, found, Fraction(1)).verdict.value}"] += 1


def test_no_claim_fails_unless_its_correction_stands_beside_it(tally: Counter[str]) -> None:
    """Over 200 runs: what has no correction never fails where its hypothesis holds, whatever T."""
    assert tally["runs"] > 200
    for claim in CLAIMS:
        if not claim.corrected_by:
            assert tally[f"{claim.id} {Verdict.FAILS.value}"] == 0, claim.id


def test_every_correction_is_a_claim_of_its_own() -> None:
    """The printed claims that are false: 6.8 at its lowest level, 6.10, (8) and 6.11."""
    ids = {claim.id for claim in CLAIMS}
    assert set(FALSE) == {"6.8.density", "6.10", "(8)", "6.11"}
    assert set(FALSE.values()) <= ids
    assert len(ids) == len(CLAIMS)


def test_every_claim_says_something(tally: Counter[str]) -> None:
    """Each claim holds, hypothesis included, on a real number of runs; rejections are a real share."""
    for claim in CLAIMS:
        if claim.id not in LARGE:
            enough = 3 if claim.id in {"6.7.disjoint", "6.10.corrected", "7.1.rejected"} else 6
            assert tally[f"{claim.id} {Verdict.HOLDS.value}"] >= enough, claim.id
    assert min(tally["rejections"], tally["T = T*"], tally["exact"], 2 * tally["bound above T"]) > 15


def test_the_service_is_that_of_a_replay_tick_by_tick() -> None:
    """Ticks per class, and the least load served in an interval, on 80 small runs."""
    dice, seen = Dice(622), Counter[str]()
    for _ in range(80):
        types = Types.two_weights(small_weighted(dice, jobs=25, span=3))
        scene = scenes(types, 8, Fraction(1 + dice.below(6), 2))[0]
        naive = Phase(scene.trail.decisions, 0)
        for view in scene.printed:
            for i, served in enumerate(scene.service):
                work = naive.run.a_work[i]
                start, end = sorted((dice.below(len(work) + 1), dice.below(len(work) + 1)))
                classes = [naive.d[k] for k in work[start:end] if k is not None]
                within = sum(naive.in_range(d, view.low) for d in classes)
                below = sum(d < view.low for d in classes)
                assert served.served(view.kinds, start, end) == (below, within, len(classes) - below - within)
            for one in priorities(view):
                i, _, start, end, _ = one.span
                assert one.lifted == min(_lifted(naive, i, t, view.low) for t in range(start, end))
                assert one.shortfall == 0
                seen["priorities"] += 1
    assert seen["priorities"] > 100


def _lifted(naive: Phase, machine: int, tick: int, low: int) -> Fraction:
    k = naive.run.a_work[machine][tick]
    assert k is not None
    left = naive.run.loads[machine][tick][naive.d[k], naive.w[k]]
    return Fraction(2) ** (naive.d[k] + naive.w[k] - low) * left


# --------------------------------------------------------------------------- printed claims that are false
def test_claim_6_8_fails_at_its_lowest_level() -> None:
    """Ten jobs, alpha = 8, T = T* = 28, d* = 0: in an interval of level 1 a job of class -1 is served for a tick.

    gamma_0 = 0, so the unit job of class 0 opens it at 0, but the job of size 4 and class -1 has priority 2 against 1.
    The dense job of size 17 holds the queue of class 3 until its load 16 * 7 times 8 is at least gamma_1 = 896.
    """
    types = one_machine(LURED)
    assert one_machine_optimum(types) == 28
    assert sides(entry("6.8.density", scenes(types, 8, 28, optimum=28))) == (1, 0, Verdict.FAILS)
    burst = one_machine([(1, 0, 1, 1, 1), (2, 0, 2, 1, 1), (4, 1, 1, 8, 8)])
    assert sides(entry("6.8.density", scenes(burst, 8, 8, optimum=UNKNOWN))) == (1, 0, Verdict.NOT_MET)


def test_claim_6_10_fails_on_a_flat_queue() -> None:
    """98 jobs, alpha = 8, T = T* = 512, d* = 0: the duals sum to 2, 156 - 60 are claimed.

    While the dense job is served 60 ticks of class 2 pile up; then they come as fast as they go. Level 2 is open from
    32 on, where the load is above gamma_1 / 4 = 4096, to 188, where the double job alone reaches gamma_2 / 4.
    """
    types = one_machine(flat_queue(306))
    assert (types.instance.n, one_machine_optimum(types)) == (98, 512)
    assert sides(entry("6.10", scenes(types, 8, 512, optimum=512))) == (2, 96, Verdict.FAILS)


def test_claim_6_10_fails_for_an_alpha_of_the_paper() -> None:
    """alpha = 128, T = T* = 4096: 33344 are claimed of 32717; the corrected claim holds on the same run.

    As before, with 16 levels: 2276 unit jobs of weight 4096, one a tick, on a queue of 127 just below the highest mark,
    to which a second dense job of one tick lifts it at the end.
    """
    heavy = [(1, t, 1, 4096, 128) for t in range(2276)]
    dense = [(1, 0, 126, 1, 1 << 40), (1, 2273, 1, 1, 1 << 40)]
    far = (1, 9000, 1, 1, 1)
    types = one_machine(sorted([dense[0], *heavy, dense[1], far], key=lambda job: job[1]))
    assert one_machine_optimum(types) == 4096
    found = scenes(types, 128, 4096, optimum=4096)
    assert sides(entry("6.10", found)) == (32717, 33344, Verdict.FAILS)
    assert entry("6.10.corrected", found).verdict is Verdict.HOLDS


def view_of(types: Types, alpha: int, guess: int, low: int) -> ClassView:
    """The printed family for a density class, which need not occur."""
    scene = scenes(types, alpha, guess)[0]
    return ClassView(scene, density_witness(scene.trail, low, Marks.printed(alpha, scene.guess)), "printed family")


def test_claim_6_10_fails_on_few_equal_jobs() -> None:
    """alpha = 8, T below T*, weight 1, no class above d* + Delta: five jobs if level alpha/8 counts, eleven if not.

    Sizes 4, 4, 4, 4, 3 at 2, 4, 4, 5, 5, T = 4, d* = -5: L(1) = 3 and no duals. Eleven jobs of size 2, T = 2, d* = -4:
    L(2) = 6, the duals of the dispatched jobs sum to 2.
    """
    five = one_machine([(1, 2, 4, 1, 1), (2, 4, 4, 1, 1), (1, 5, 4, 1, 1), (1, 5, 3, 1, 1)])
    eleven = one_machine([(count, t, 2, 1, 1) for count, t in ((5, 0), (3, 2), (1, 4), (2, 5))])
    one, other = view_of(five, 8, 4, -5), view_of(eleven, 8, 2, -4)
    assert (sum(one.lengths.values()), one.duals(rejected=False)) == (3, 0)
    assert (other.lengths[2], other.duals(rejected=False)) == (6, 2)
    assert one.volume(one.above) == other.volume(other.above) == 0


def test_inequality_8_fails_where_7_holds() -> None:
    """122 jobs of two weights, alpha = T = 8, d* = -1: (7) holds, 144 of class -1 are rejected, (8) allows 141."""
    found = scenes(one_machine(TWO_WEIGHTS_AT_ONCE), 8, 8)
    assert sides(entry("(8)", found)) == (144, 141, Verdict.FAILS)


def test_claim_6_11_fails_where_an_interval_takes_a_lighter_jobs_weight() -> None:
    """Six jobs, alpha = 8, T = T* = 4096, d* = 8: one interval of weight 64, T / 64 + 14 = 78 > 73/2 is claimed.

    While the dense job is served until 16, four jobs of weight 2048 come; at 16 their load 2^14 times 2^3 is gamma_1.
    J(0) holds the job of weight 64 too, so that is the printed weight of the interval; it plays no part.
    """
    types = one_machine(LIGHT)
    assert one_machine_optimum(types) == 4096
    found = scenes(types, 8, 4096, optimum=4096)
    assert sides(entry("6.11", found)) == (78, Fraction(73, 2), Verdict.FAILS)


def test_claim_6_11_fails_on_five_jobs_of_one_weight() -> None:
    """Four of weight 8 and one of weight 1 at 0, alpha = T = 8 (below T*), d* = 0: 8 <= 33/16 + 5 is claimed."""
    types = one_machine([(4, 0, 1, 8, 8), (1, 0, 1, 1, 1)])
    found = scenes(types, 8, 8, optimum=one_machine_optimum(types))
    assert sides(entry("6.11", found)) == (8, Fraction(113, 16), Verdict.NOT_MET)


def test_condition_5_fails_for_a_guess_below_a_job() -> None:
    """A guess below `w p`: a rejected job has alpha_j = 2 p_j, and no interval."""
    types = one_machine([(1, 0, 300, 1, 1)])
    found = scenes(types, 16, 1)
    assert sides(entry("6.9", found)) == (2, 0, Verdict.NOT_MET)
    assert not found[0].fits


# --------------------------------------------------------------------------- guesses below a job
def test_inequality_8_claims_nothing_where_a_rejected_job_has_no_interval() -> None:
    """One job of size 1 and weight 256, alpha = 16, T = 1: it is `alpha^2 T`, so it is rejected and no queue forms.

    No C has 1 = K P_R <= C * 0. (7) would say 0 >= 2 for the printed duals, so the printed (8) claims nothing either.
    """
    found = scenes(one_machine([(1, 0, 1, 256, 256)]), 16, 1, optimum=256)
    assert [(view.share, view.rejected_volume()) for view in found[0].views] == [(0, 1), (0, 1)]
    assert sides(entry("(8).corrected", found)) == (1, 0, Verdict.NOT_MET)
    assert sides(entry("(8)", found)) == (2, 0, Verdict.NOT_MET)


def test_inequality_8_needs_an_interval_or_that_all_jobs_fit() -> None:
    """Either is enough, alpha = 16: 600 unit jobs at T = 1 fit; with one of weight 512, which does not, S > 0."""
    all_fit = scenes(one_machine([(600, 0, 1, 1, 1)]), 16, 1)
    one_does_not = scenes(one_machine([(600, 0, 1, 1, 1), (1, 0, 1, 512, 1)]), 16, 1)
    assert (all_fit[0].fits, one_does_not[0].fits) == (True, False)
    assert all_fit[0].corrected[0].share == one_does_not[0].corrected[0].share > 0
    assert entry("(8).corrected", all_fit).verdict is entry("(8).corrected", one_does_not).verdict is Verdict.HOLDS


def heavy_and_long(dice: Dice) -> Types:
    """Up to 40 jobs of weights up to 2^20 and sizes up to 2^10, of all orders of magnitude, on one or two machines."""
    machines, clock, rows = 1 + dice.below(2), 0, []
    tallest, longest = dice.below(21), dice.below(11)
    for k in range(1 + dice.below(40)):
        clock += dice.below(1 << dice.below(longest + 1)) if dice.below(3) == 0 else 0
        size = min(1 + dice.below(1 << dice.below(longest + 1)), 1 << 10)
        flow, rejection = (min(1 + dice.below(2 << dice.below(tallest + 1)), 1 << 20) for _ in range(2))
        rows.append(Row(k, clock, size, [dice.below(machines)], flow_weight=flow, rejection_weight=rejection))
    instance = Instance.from_rows(machines, rows)
    return Types.two_weights(instance) if dice.below(2) else Types.weighted(instance)


def test_no_claim_fails_for_a_small_known_guess() -> None:
    """400 runs, T from 1 to 2^11, most with jobs that do not fit: no claim without a correction fails, of A or of B.

    Some rejected jobs have an interval and some have none.
    """
    dice, seen, about_b = Dice(623), Counter[str](), (*B.claims, *B_PHASES.claims)
    for k in range(400):
        types, alpha, guess = heavy_and_long(dice), (1, 8, 16, 32)[k % 4], 1 << dice.below(12)
        [scene] = scenes(types, alpha, guess)
        service = ServiceScene.of(scene.trail.decisions)
        entries = [judge(claim, [scene], Fraction(1)) for claim in CLAIMS]
        entries += [judge(claim, [service], Fraction(1)) for claim in about_b]
        assert [one.claim.id for one in entries if one.verdict is Verdict.FAILS and not one.claim.corrected_by] == [], (
            k,
            alpha,
            guess,
        )
        seen["does not fit"] += not scene.fits
        for view in scene.corrected:
            seen[f"rejected, {'an' if view.spans else 'no'} interval"] += view.rejected_volume() > 0
    assert min(seen["does not fit"], seen["rejected, no interval"]) > 150, seen
    assert seen["rejected, an interval"] > 15, seen


# --------------------------------------------------------------------------- claims that need many jobs
@pytest.mark.parametrize(("alpha", "count", "size"), [(16, 2600, 1), (32, 5200, 1), (16, 2800, 3)])
def test_many_rejections_certify_a_bound(alpha: int, count: int, size: int) -> None:
    """Lemma 6.12 backwards, on a burst that fills the queue several times over."""
    found = scenes(one_machine([(count, 0, size, 1, 1)]), alpha, size)
    lhs, rhs, verdict = sides(entry("6.12.refutes", found))
    assert verdict is Verdict.HOLDS
    assert lhs > rhs > size


def test_a_phase_with_a_proven_alpha_is_refuted() -> None:
    """alpha = 128, epsilon = 19/32, 41 000 unit jobs at once: T = 1 ends and its family shows T* > 1."""
    types = one_machine([(41_000, 0, 1, 1, 1)])
    found = scenes(types, 128, optimum=41_000, epsilon=Fraction(19, 32))
    assert [scene.ended for scene in found] == [True, False]
    assert found[0].proven
    assert found[0].own_bound > 20_000
    assert entry("6.18.refuted", found[:1]).verdict is Verdict.HOLDS
    assert entry("6.18.last", found).verdict is Verdict.HOLDS
    assert entry("6.18.rejected", found).verdict is Verdict.HOLDS


def test_theorem_7_1_with_rejections_although_t_is_the_optimum() -> None:
    """alpha = 128, epsilon = 5/8, T = T* = 2^15: a dense job of 2^14 ticks, and as many heavy jobs meanwhile.

    Each heavy job can be served at once, for 2^15, and the dense one is done at 2^15. A serves that first; the last
    heavy job finds alpha^2 T = 2^14 2^15 and is rejected.

    """
    volume = 1 << 14
    jobs: list[tuple[int, int, int, int, int]] = [(1, 0, volume, 1, 1 << 60)]
    jobs += [(1, t, 1, 2 * volume, 1) for t in range(volume)]
    found = scenes(one_machine(jobs), 128, 2 * volume, optimum=2 * volume, epsilon=Fraction(5, 8))
    assert found[0].rejected_weight == 1
    assert entry("7.1.rejected", found).verdict is Verdict.HOLDS
    assert entry("6.12.corrected", found).verdict is Verdict.HOLDS


def test_the_budget_is_read_at_its_tightest_prefix() -> None:
    """A rejection early on is tighter than the whole run."""
    rows = [(2, True), (1, False), (5, True), (1, False)]
    assert list(tightest_share(rows, Fraction(1, 3), "here", None)) == [Reading(1, 1, "here, after 2 arrivals", None)]
    assert list(tightest_share([(1, True)], Fraction(1, 3), "here", True)) == []


def test_hypotheses_follow_the_bracket() -> None:
    """T >= T* is met, not met or unknown as T is at least the upper end, below the lower end, or between."""
    types = one_machine([(3, 0, 1, 1, 1)])
    trail = Trail(scenes(types, 16, 2)[0].trail.decisions, 0)
    for (lower, upper), met in {(1, 2): True, (3, 3): False, (1, 3): None}.items():
        scene = WeightedScene(trail, Fraction(lower), Fraction(upper), False)
        assert (scene.enough, scene.one_weight, scene.fits) == (met, True, True)
