from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE
from weighted_optimum import WEIGHTS, weighted

from lp import lindley, periods
from lp.backend import NoBound
from lp.bound import lp_bound
from lp.chains import Chains
from lp.cuts import fast
from lp.flow import flow_bound
from lp.guarded import guarded_dispatch
from lp.lindley import solve_lindley
from lp.merged import Merged
from lp.periods import first_dispatch
from lp.weak_duality import lower_bound
from online.instance import Instance
from online.rows import Row
from online.weights import Weights


@pytest.fixture
def small_periods(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve every instance by periods, the first of four jobs."""
    monkeypatch.setattr(lindley, "LARGE", 0)
    monkeypatch.setattr(periods, "FIRST", 4)


def random_case(seed: int, jobs: int = 60, load: Fraction = Fraction(9, 10)) -> tuple[Instance, Weights]:
    """Jobs of sizes 1 to 5 and of any weight, on 1 to 4 machines at a load near 1, in random eligible sets."""
    dice = Random(seed)
    machines = 1 + dice.randrange(4)
    horizon = max(1, int(3 * jobs / machines / load))
    rows = sorted(
        (dice.randrange(horizon), 1 + dice.randrange(5), dice.sample(range(machines), 1 + dice.randrange(machines)))
        for _ in range(jobs)
    )
    instance = Instance.from_rows(machines, [Row(j, r, p, chosen) for j, (r, p, chosen) in enumerate(rows)])
    return instance, Weights.of(WEIGHTS[dice.randrange(1 + seed % len(WEIGHTS))] for _ in range(jobs))


def assert_meet(instance: Instance, weights: Weights) -> None:
    """Solved by periods the value is the one solved at once, and the family proves it."""
    merged = Merged.of(instance, weights)
    if merged.instance.n == 0:
        return
    whole = lindley._at_once(instance, weights, Chains.of(merged), None)
    found = solve_lindley(instance, weights=weights)
    assert found.lower == lower_bound(instance, found.family, weights=weights)
    assert found.lower <= whole.upper
    assert whole.lower <= found.upper
    assert found.width <= found.upper / 10**6


@pytest.mark.parametrize("seed", range(60))
def test_period_by_period_reaches_the_value(small_periods: None, seed: int) -> None:
    """From periods of four jobs on, both sides meet in the value of the whole program."""
    assert_meet(*random_case(seed))


@settings(REPRODUCIBLE, suppress_health_check=list(settings.default.suppress_health_check), max_examples=60)
@given(weighted(machines=4, jobs=9, least=1))
def test_periods_of_any_small_instance(case):
    """Bursts, gaps and equal releases: both sides meet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lindley, "LARGE", 0)
        patch.setattr(periods, "FIRST", 4)
        assert_meet(*case)


@REPRODUCIBLE
@given(weighted(machines=4, jobs=9, least=1), st.randoms(use_true_random=False))
def test_backlogs_follow_the_queue_recursion(case, dice):
    """The running extrema equal the recursion chain by chain, and its mirror image, for any dispatch."""
    chains = Chains.of(Merged.of(*case))
    volume = np.array([dice.random() for _ in chains.counted.job])
    backlog, growth = chains.backlogs(volume)
    arrived = np.bincount(chains.node, volume[chains.pair], len(chains.gap))
    most = np.bincount(chains.node, chains.sizes[chains.counted.job[chains.pair]], len(chains.gap))
    volume_fits = (volume <= chains.sizes[chains.counted.job]).all()
    left = 0.0
    for k in range(len(chains.gap)):
        left = max(0.0, left - chains.drop[k]) if chains.link[k] else 0.0
        left += arrived[k]
        assert not volume_fits or backlog[k] == pytest.approx(left)
        assert left <= most.sum()
    ahead = 0.0
    for k in reversed(range(len(chains.gap))):
        assert not volume_fits or growth[k] == pytest.approx(ahead, abs=1e-9)
        ahead = max(0.0, ahead + arrived[k] - chains.drop[k]) if chains.link[k] else 0.0


@REPRODUCIBLE
@given(weighted(machines=4, jobs=9, least=1))
def test_the_first_dispatch_serves_every_job(case):
    """Whole sizes arrive: summed over machines, with copies, each merged job has its volume."""
    instance, weights = case
    chains = Chains.of(Merged.of(instance, weights))
    volume = first_dispatch(instance, weights, chains)
    served = np.bincount(chains.counted.job, volume * chains.copies[chains.counted.machine])
    assert served == pytest.approx(chains.sizes)


def test_no_time_means_no_bound_by_periods_either(small_periods: None) -> None:
    """Stopped before anything is proven there is no bound; nothing is made up."""
    with pytest.raises(NoBound, match="stopped at a limit"):
        solve_lindley(*random_case(1)[:1], time_limit=0.0)


def test_stopped_early_what_is_proven_stays(small_periods: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the solver stops after the first proof, the bracket is wide but right, and the family proves its bound."""
    instance, weights = random_case(15)
    whole = lindley._at_once(instance, weights, Chains.of(Merged.of(instance, weights)), None)
    solve, calls = periods.solve, []

    def stops(program, time_limit):
        calls.append(time_limit)
        return solve(program, time_limit=0.0 if len(calls) > 1 else None)

    monkeypatch.setattr(periods, "solve", stops)
    found = solve_lindley(instance, weights=weights, time_limit=60.0)
    assert len(calls) == 2  # of seven
    assert 0 < found.lower == lower_bound(instance, found.family, weights=weights)
    assert found.lower < whole.lower <= whole.upper <= found.upper


def test_long_instances_are_solved_in_few_short_periods(monkeypatch: pytest.MonkeyPatch) -> None:
    """2 000 jobs of four weights on 5 machines: no program holds more than a third of the jobs."""
    instance, weights = random_case(3, jobs=2000, load=Fraction(3, 4))
    assert weights.classes == 4
    solve, columns = periods.solve, []

    def counts(program, time_limit):
        columns.append(len(program.cost))
        return solve(program, time_limit=time_limit)

    monkeypatch.setattr(lindley, "LARGE", 0)
    monkeypatch.setattr(periods, "solve", counts)
    found = solve_lindley(instance, weights=weights)
    whole = len(Chains.of(Merged.of(instance, weights)).everything.program().cost)
    assert max(columns) < whole / 3
    assert found.width <= found.upper / 10**6


def test_one_weight_at_scale_goes_to_the_cuts() -> None:
    """`auto` solves 12 000 jobs of one weight by cuts where they are fast, else by periods, to the same value."""
    dice = Random(2)
    sets = [tuple(sorted(dice.sample(range(6), 2))) for _ in range(40)]
    instance = Instance.from_columns(
        6,
        release=sorted(dice.randrange(24_000) for _ in range(12_000)),
        size=[10] * 12_000,
        eligible_set=[dice.randrange(40) for _ in range(12_000)],
        sets=sets,
    )
    found, cuts = lp_bound(instance), flow_bound(instance)
    assert found.form == ("flow" if fast() else "lindley")
    assert cuts.lower <= found.upper
    assert found.lower <= cuts.upper
    assert found.width <= found.upper / 10**6


def test_long_intervals_are_proven_by_cuts_before_the_period_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """An overloaded machine needs one interval of everything: with cuts it is proven when the first period is not."""
    if not fast():
        pytest.skip("no fast library for cuts")
    rows = [Row(j, 2 * j, 3) for j in range(400)]
    instance = Instance.from_rows(1, rows)
    weights = Weights.of([1, 3] * 200)
    monkeypatch.setattr(lindley, "LARGE", 0)
    state = periods.Improvement.of(instance, weights, Chains.of(Merged.of(instance, weights)), None)
    assert state.cut
    assert state.lower == 402
    assert len(state.family) == 1


@REPRODUCIBLE
@given(weighted(machines=4, jobs=9, least=1), st.floats(0, 4))
def test_a_guarded_dispatch_serves_every_job(case, guess):
    """Whatever the guess, volumes are not negative and those of a job add up to its size."""
    chains = Chains.of(Merged.of(*case))
    volume = guarded_dispatch(chains, guess)
    served = np.bincount(chains.counted.job, volume * chains.copies[chains.counted.machine])
    assert (volume >= 0).all()
    assert served == pytest.approx(chains.sizes)


def test_a_guarded_dispatch_splits_what_does_not_fit():
    """T = 12 allows 3 ticks of weight 4: of the urgent job's 5 the empty machine takes 3, the other the rest."""
    instance = Instance.from_rows(2, [Row("first", 0, 1, [1]), Row("urgent", 0, 5)])
    chains = Chains.of(Merged.of(instance, Weights.of([1, 4])))
    volume = guarded_dispatch(chains, 1.0)
    assert (chains.unit.total, chains.unit.jobs) == (6, 2)
    assert volume.tolist() == pytest.approx([1.0, 1 / 3, 2 / 3])
    assert chains.backlogs(volume)[0].max() == pytest.approx(1.0)
