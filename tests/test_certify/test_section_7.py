"""Section 7, algorithm B with two weights: its claims on runs with immediate and late rejections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest
from weighted_streams import blocked_machine, short_segments

from certify.claims import two_weights_b
from certify.claims.claim import Claim, Verdict, judge
from certify.claims.weighted_b_scene import ServiceScene
from online.generate import Dice
from online.instance import Instance
from online.rows import Row
from online.weighted.classes import Types
from online.weighted.doubling import decide
from online.weighted.parameters import Parameters

CLAIMS: dict[str, Claim[ServiceScene]] = {claim.id: claim for claim in two_weights_b.SECTION.claims}
BLOCKED, SHORT = 32, 200


def scene_of(instance: Instance, parameters: Parameters, guess: Fraction | None = None) -> ServiceScene:
    return ServiceScene.of(decide(Types.two_weights(instance), parameters, guess))


def sides(id: str, scene: ServiceScene) -> tuple[Fraction, Fraction, Verdict]:
    entry = judge(CLAIMS[id], [scene], Fraction(1))
    assert entry.reading is not None
    return Fraction(entry.reading.lhs), Fraction(entry.reading.rhs), entry.verdict


def one_machine(rows: list[tuple[int, int, int, int]]) -> Instance:
    """Rows are (release, size, flow weight, rejection weight)."""
    return Instance.from_rows(
        1,
        [Row(k, when, size, flow_weight=w, rejection_weight=v) for k, (when, size, w, v) in enumerate(sorted(rows))],
    )


def _blocked() -> Iterator[ServiceScene]:
    """The constants of the paper, up to alpha."""
    for seed in range(BLOCKED):
        dice = Dice(seed)
        epsilon = (Fraction(1, 2), Fraction(2, 3), Fraction(1, 3))[dice.below(3)]
        instance = blocked_machine(dice, length=2000 + dice.below(1500))
        yield scene_of(instance, Parameters.two_weights(epsilon, alpha=1), Fraction(4096) if dice.below(4) else None)


@pytest.fixture(scope="module")
def tally() -> Counter[str]:
    """Verdicts of all claims on all runs, and what the runs were like."""
    seen: Counter[str] = Counter()
    for scene in (*_blocked(), *short_segments(SHORT, Types.two_weights, periods=True)):
        seen["runs"] += 1
        seen["immediate"] += bool(scene.schedule.immediate)
        seen["late"] += bool(scene.schedule.late)
        seen["late in phases"] += bool(scene.schedule.late) and not scene.one_phase
        for claim in CLAIMS.values():
            seen[f"{claim.id} {judge(claim, [scene], Fraction(1)).verdict.value}"] += 1
            seen[f"{claim.id} says more than 0"] += any(one.met and one.lhs > 0 for one in claim.measure(scene))
    for key, count in sorted(seen.items()):
        print(f"{count:7d}  {key}")
    return seen


def test_no_claim_of_the_section_fails(tally: Counter[str]) -> None:
    """On 232 runs every claim holds or has no say."""
    for claim in CLAIMS.values():
        assert tally[f"{claim.id} fails"] == 0, claim.id
        assert tally[f"{claim.id} undecided"] == 0, claim.id


def test_every_claim_says_something(tally: Counter[str]) -> None:
    """Each claim has a left side above 0 on many runs; (10), whose left side is mostly negative, on a built one."""
    for claim in CLAIMS.values():
        rare = claim.hypothesis == two_weights_b.CONSTANTS
        wanted = 0 if claim.id == "(10)" else 5 if rare else 20
        assert tally[f"{claim.id} says more than 0"] >= wanted, claim.id
        assert tally[f"{claim.id} holds"] >= wanted, claim.id


def test_both_kinds_of_rejection_occur(tally: Counter[str]) -> None:
    """Immediate rejections on most runs, late ones on a third, dozens of them under guess and double."""
    assert tally["immediate"] > tally["runs"] / 2
    assert tally["late"] > tally["runs"] / 3
    assert tally["late in phases"] > 25


def starving_small_jobs() -> Instance:
    """N = 2, alpha = 1, T = 2^20: 60 jobs of size 3, flow weight 2^18 and density class 0 come, one every third tick.

    Eight jobs of size 255, flow weight 1 and density classes 2 to 9 came with the first; A serves none of them before
    the small ones, as `2^9 * 255 < 2^18`, and B none of the small ones before them, as 2 >= 0 + L.
    """
    small = [(900 + 3 * k, 3, 1 << 18, 4) for k in range(60)]
    return one_machine(small + [(900, 255, 1, 1 << d + 8) for d in range(2, 10)])


def test_small_jobs_starve_behind_dense_ones() -> None:
    """Half of the 60 go at once, the others at 2304, the end of the second segment of 288 * 4 ticks.

    I = [900, 2304): P^A = 180 and B serves no small job. (9): 180 <= 180 + 4. (10): 180/4 - 2 * 3 * 4 <= 1404, which B
    has spent on classes >= 2. Lemma 7.4: 90 <= 4 * 1404 + 1404/8. Claim 7.2: of the first two, one goes: 4 <= 8.
    """
    scene = scene_of(starving_small_jobs(), Parameters.two_weights(Fraction(1, 2), alpha=1), Fraction(1 << 20))
    assert len(scene.schedule.immediate) == 30
    assert set(scene.schedule.late.values()) == {2304}
    assert sides("(9)", scene) == (180, 184, Verdict.HOLDS)
    assert sides("7.3", scene) == (0, 135 + 24, Verdict.HOLDS)
    assert sides("(10)", scene) == (45 - 24, 1404, Verdict.HOLDS)
    assert sides("7.4", scene) == (90, 4 * 1404 + Fraction(1404, 8), Verdict.HOLDS)
    assert sides("7.4.length", scene) == (1404, 1404, Verdict.HOLDS)
    assert sides("7.2.sharper", scene) == (4, 8, Verdict.HOLDS)
    assert sides("7.5.rejected", scene) == (90, 4 * 1404 + Fraction(52, 288) * 1404, Verdict.HOLDS)


def test_the_proven_constants_reject_late_on_fifty_jobs() -> None:
    """epsilon 1/2, alpha 512: 2 beta T / 2^20 = 48 T (1 + 2^-17), so 49 jobs of size T make one of weight 2^20 wait.

    All have density classes of their own, so none is rejected at once; A and B serve them densest first.
    """
    top = 1 << 20
    rows = [(0, 1, top, 1), *[(0, top, 1, 1 << d + 20) for d in range(2, 51)]]
    scene = scene_of(one_machine(rows), Parameters.two_weights(Fraction(1, 2)), Fraction(top))
    assert scene.as_in_7
    assert len(scene.schedule.late) == 1
    assert scene.schedule.immediate == ()
    assert 48 * top < scene.figure_7[0].length < 49 * top
    verdicts = {claim.id: judge(claim, [scene], Fraction(1)).verdict for claim in CLAIMS.values()}
    assert {id for id, verdict in verdicts.items() if verdict is not Verdict.HOLDS} == {"7.2", "7.2.sharper"}


def test_a_job_of_each_block_goes_at_once() -> None:
    """N = 3, seven jobs of size class 1 and density class 0, rejection weights 2, 2, 4, 2, 2, 4, 2 in turn.

    The third and sixth go, those of size 3: 4 of 8 and 8 of 16, at most 2/3 of the weight as sharpened.
    """
    rows = [(k, 2 + (k % 3 == 2), 1, 2 << (k % 3 == 2)) for k in range(7)]
    scene = scene_of(one_machine(rows), Parameters.two_weights(Fraction(1, 3), alpha=4), Fraction(8))
    assert scene.schedule.immediate == (2, 5)
    assert sides("7.2.sharper", scene) == (4, Fraction(16, 3), Verdict.HOLDS)
    assert sides("7.2", scene) == (4, Fraction(32, 3), Verdict.HOLDS)
