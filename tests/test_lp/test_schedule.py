from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE
from weighted_optimum import weighted

from lp.dispatch import followed_shares, largest_shares, least_backlog, least_finishing, picky_first
from lp.grid import Grid
from lp.improve import good_schedule, improve
from lp.matching import unit_optimum
from lp.schedule import Schedule, best_schedule, edf, fifo_value, first_miss
from online.errors import InvalidInput
from online.generate import make
from online.instance import Instance
from online.rows import Row
from online.weights import Weight, Weights


def tick_by_tick(jobs: list[tuple[int, int, Weight]]) -> Weight:
    """The least max w F of one machine, every choice at every tick tried: no deadlines, no order, no bound."""

    @cache
    def best(now: int, left: tuple[int, ...]) -> Weight:
        if not any(left):
            return 0
        ready = [k for k, (release, _, _) in enumerate(jobs) if left[k] and release <= now]
        choices = []
        for k in ready:
            rest = tuple(amount - (other == k) for other, amount in enumerate(left))
            value = jobs[k][2] * (now + 1 - jobs[k][0]) if not rest[k] else 0
            choices.append(max(value, best(now + 1, rest)))
        return min(choices) if ready else best(now + 1, left)

    return best(0, tuple(size for _, size, _ in jobs))


def on_machine(instance: Instance, weights: Weights, schedule: Schedule, i: int) -> list[tuple[int, int, Weight]]:
    return [(j.release, j.size, weights[j.position]) for j in instance.jobs() if schedule.dispatch[j.position] == i]


def replayed(instance: Instance, weights: Weights, schedule: Schedule) -> Weight:
    """The value of a schedule with pieces, after every condition of a schedule was checked."""
    pieces = schedule.pieces
    assert pieces is not None
    left = instance.size.tolist()
    done = instance.release.tolist()
    free = [0] * instance.machines
    for j, i, start, end in sorted(zip(*pieces, strict=True), key=lambda piece: piece[2]):
        assert i == schedule.dispatch[j] in instance.job(j).eligible
        assert max(free[i], instance.job(j).release) <= start < end
        free[i] = done[j] = end
        left[j] -= end - start
    assert not any(left)
    return max((weights[j] * (done[j] - instance.job(j).release) for j in range(instance.n)), default=0)


@st.composite
def dispatched(draw, jobs: int = 5) -> tuple[Instance, Weights, list[int]]:
    instance, weights = draw(weighted(jobs=jobs))
    return instance, weights, [draw(st.sampled_from(job.eligible)) for job in instance.jobs()]


@REPRODUCIBLE
@given(dispatched())
def test_the_best_schedule_of_a_dispatch_is_the_best_of_all(given):
    """No way of running the jobs tick by tick, preemptions at every tick included, has a smaller value."""
    instance, weights, dispatch = given
    best = best_schedule(instance, dispatch, weights)
    machines = (on_machine(instance, weights, best, i) for i in range(instance.machines))
    assert best.value == max((tick_by_tick(jobs) for jobs in machines), default=0)
    assert best.pieces is None or best.value == replayed(instance, weights, best)


@REPRODUCIBLE
@given(dispatched(jobs=7), st.fractions(0, 60, max_denominator=4))
def test_edf_attains_every_value_that_can_be_attained(given, value):
    """EDF with deadlines r_j + T/w_j has a value of at most T exactly if some schedule of the dispatch has."""
    instance, weights, dispatch = given
    found = edf(instance, dispatch, value, weights)
    best = best_schedule(instance, dispatch, weights).value
    assert found.value == replayed(instance, weights, found) >= best
    assert (found.value <= value) == (best <= value)


@REPRODUCIBLE
@given(dispatched(jobs=7), st.fractions(0, 60, max_denominator=4))
def test_a_miss_is_a_set_without_room(given, value):
    """The jobs of a miss are released from `start` on, are due by `due`, and have more volume than lies between."""
    instance, weights, dispatch = given
    for i in range(instance.machines):
        jobs = [job for job in instance.jobs() if dispatch[job.position] == i]
        due = [job.release + value // weights[job.position] for job in jobs]
        miss = first_miss([job.release for job in jobs], [job.size for job in jobs], due)
        best = tick_by_tick([(job.release, job.size, weights[job.position]) for job in jobs])
        assert (miss is None) == (best <= value)
        if miss is not None:
            assert all(jobs[k].release >= miss.start and due[k] <= miss.due for k in miss.jobs)
            assert sum(jobs[k].size for k in miss.jobs) > miss.due - miss.start


@REPRODUCIBLE
@given(dispatched(jobs=7))
def test_equal_weights_need_no_preemption(given):
    """With one weight the best schedule is FIFO, worth the weight times the maximum flow time."""
    instance, _, dispatch = given
    third = Weights.of([Fraction(1, 3)] * instance.n)
    best = best_schedule(instance, dispatch, third)
    assert best == Schedule(fifo_value(instance, dispatch) * Fraction(1, 3), tuple(dispatch))
    assert best.value == edf(instance, dispatch, best.value, third).value


def test_weights_like_one_over_the_size_are_exact():
    """Stretch: two jobs of 3 and 7 ticks at once; the short one first gives 10/7, the long one first 10/3."""
    instance = Instance.from_rows(1, [Row("long", 0, 7), Row("short", 0, 3)])
    assert best_schedule(instance, [0, 0], Weights.stretch(instance)).value == Fraction(10, 7)


@REPRODUCIBLE
@given(weighted(jobs=6, least=1), st.fractions(0, 40, max_denominator=6))
def test_the_grid_holds_all_flow_times_that_a_value_allows(given, value):
    """`reach` and `short_of` are the largest multiples of the unit with w F <= V and w F < V; neighbours are next."""
    instance, weights = given
    grid = Grid.of(instance, weights)
    flows = [[grid.unit * k for k in range(200)] for _ in range(instance.n)]
    for j, own in enumerate(flows):
        assert grid.reach(value)[j] == max(f for f in own if weights[j] * f <= value)
        assert grid.short_of(value)[j] == max([f for f in own if weights[j] * f < value], default=0)
    values = sorted({weights[j] * f for j, own in enumerate(flows) for f in own})
    assert grid.at_most(value) == max(v for v in values if v <= value)
    assert grid.after(value) == min(v for v in values if v > value)


@REPRODUCIBLE
@given(weighted(jobs=7), st.integers(0, 2000))
def test_witnesses_from_above_are_never_worse_than_where_they_began(given, effort):
    """Improved or not, after any effort: an exact value, a dispatch of all jobs, at most the value of each start."""
    instance, weights = given
    starts = [least_backlog(instance, weights), least_backlog(instance, weights, picky_first(instance, weights))]
    for start in starts:
        before = best_schedule(instance, start, weights)
        after = improve(instance, before, weights, effort=effort)
        assert after == best_schedule(instance, after.dispatch, weights)
        assert good_schedule(instance, weights, effort=effort).value <= before.value
        assert after.value <= before.value


def test_improvement_is_the_same_every_time_and_reaches_its_target():
    """Bursts that narrow: picky jobs find flexible ones in their way, which are moved on; two runs agree."""
    instance, _ = make("bursts", seed=1, jobs=60, machines=4)
    best = unit_optimum(instance).value
    first, second = (good_schedule(instance, target=best) for _ in range(2))
    assert first == second
    assert first.value == best < fifo_value(instance, least_finishing(instance))


def test_an_improvement_may_push_a_job_on():
    """The picky job needs machine 0, whose job fits on 1 only if that one's job leaves for 2."""
    sets = [[0, 1], [1, 2], [2], [0]]
    instance = Instance.from_rows(
        3, [Row(j, 0, p, one) for j, (p, one) in enumerate(zip([3, 3, 1, 2], sets, strict=True))]
    )
    start = best_schedule(instance, [0, 1, 2, 0])
    assert (start.value, improve(instance, start).value) == (5, 4)


def test_shares_of_a_fractional_dispatch_are_rounded_to_eligible_machines():
    """The largest share wins; or the machine that is most behind its fractional volume; without shares, the first."""
    instance = Instance.from_rows(3, [Row(j, 0, 2, [1, 2]) for j in range(4)])
    job, machine = [0, 0, 1, 1, 2, 2], [1, 2, 1, 2, 1, 2]
    share = [0.6, 0.4, 0.6, 0.4, 0.6, 0.4]
    assert largest_shares(instance, job, machine, share) == [1, 1, 1, 1]
    assert followed_shares(instance, job, machine, share) == [1, 2, 1, 1]
    assert good_schedule(instance, shares=(job, machine, share)).value == 4


def test_backlogs_leave_room_for_heavy_jobs():
    """Light jobs fill machines evenly; a heavy one sees the work of its own weight only."""
    rows = [Row(j, 0, 4) for j in range(3)] + [Row("heavy", 0, 1, flow_weight=9), Row("next", 0, 1, flow_weight=9)]
    instance = Instance.from_rows(2, rows)
    weights = Weights.flow(instance)
    assert least_backlog(instance, weights)[-2:] == [1, 0]
    assert good_schedule(instance, weights).value == 9


@pytest.mark.parametrize("call", [edf, best_schedule])
def test_a_dispatch_must_be_one_eligible_machine_a_job(call):
    """A machine too few, or one outside S_j, is bad input."""
    instance = Instance.from_rows(2, [Row("a", 0, 1, [0]), Row("b", 0, 1, flow_weight=2)])
    more = {"value": 3} if call is edf else {}
    for dispatch, reason in (([0], "wrong length"), ([1, 0], "dispatch of job 'a': machine not eligible: got 1")):
        with pytest.raises(InvalidInput, match=reason):
            call(instance, dispatch, weights=Weights.flow(instance), **more)


def test_numbers_beyond_64_bits_are_exact():
    """Sizes of 10^30 ticks and weights with coprime denominators: the same schedule, scaled."""
    random = Random(3)
    rows = [(random.randrange(9), 1 + random.randrange(9), Fraction(1, 2 + random.randrange(9))) for _ in range(12)]
    rows.sort()
    weights = Weights.of(w for *_, w in rows)
    small, large = (
        Instance.from_rows(2, [Row(j, r * factor, p * factor) for j, (r, p, _) in enumerate(rows)])
        for factor in (1, 10**30)
    )
    dispatch = [j % 2 for j in range(12)]
    large = large.refined(1) if large.tick == 1 else large
    found = best_schedule(small, dispatch, weights), best_schedule(large, dispatch, weights)
    assert found[0].value * 10**30 == found[1].value
    assert found[0].pieces.job == found[1].pieces.job
    assert good_schedule(small, weights).value * 10**30 == good_schedule(large, weights).value


def test_nobody_needs_no_time():
    """Without jobs all schedules have value 0."""
    nobody = Instance.from_rows(2, [])
    for weights in (None, Weights.flow(nobody)):
        assert best_schedule(nobody, [], weights) == good_schedule(nobody, weights) == Schedule(0, ())


def test_all_dispatches_of_a_small_instance():
    """The best dispatch is found by improvement from every start on an instance where greedy fails."""
    rows = [Row(j, 0, 1, [0] if j >= 4 else [0, 1], flow_weight=1 + j % 2) for j in range(8)]
    instance = Instance.from_rows(2, rows)
    weights = Weights.flow(instance)
    dispatches = itertools.product(*(job.eligible for job in instance.jobs()))
    best = min(best_schedule(instance, one, weights).value for one in dispatches)
    assert good_schedule(instance, weights).value == best
