"""Algorithm B of sections 6.2 and 7: what it serves, completes and drops."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from naive_weighted import Naive, cases, reference, worked

from online.instance import Instance
from online.rows import Row
from online.weighted.classes import Types, power
from online.weighted.doubling import Decisions, decide
from online.weighted.foreground import Foreground
from online.weighted.parameters import Parameters
from online.weighted.schedule import Schedule
from online.weighted.trajectory import arrivals

HALF = Fraction(1, 2)


def numbered(column: dict[str, int]) -> dict[int, int]:
    """JSON names its keys with texts."""
    return {int(job): tick for job, tick in column.items()}


def test_b_starves_a_class_behind_denser_jobs_and_drops_it() -> None:
    """epsilon 1/2, alpha 2, T 2: offset 1, segments of 32 for weight 1. Seven jobs of type (0,0) wait behind one job of
    density class 1 a tick: while A serves class 0, B holds class 1 >= 0 + 1. Released in [0, 32), they go at 64."""
    types, document = worked("late-rejection")
    expected = document["expected"]
    schedule = Schedule.of(decide(types, Parameters.one_weight(HALF, alpha=2), Fraction(2)))
    assert schedule.late == numbered(expected["B_delayed"]) == dict.fromkeys(range(7), 64)
    assert schedule.completion == numbered(expected["B_completion"])
    assert list(schedule.pieces(0)) == [(j, j - 7, j - 6) for j in range(7, 71)]


def test_every_second_job_of_a_kind_goes_at_once_and_one_goes_late() -> None:
    """epsilon 1/2, alpha 1, T 1024: segments of 6 3 1024 16 / 2^w, 576 for w = 9, so job 0 goes at 1152, as A reaches
    its class 0 only later and B holds classes 3 and 4 >= d + 2 or d itself. Job 4 is the second like job 3."""
    types, document = worked("two-weights")
    expected = document["expected"]
    parameters = Parameters.two_weights(HALF, alpha=1)
    assert (parameters.offset, parameters.beta * 1024, parameters.period) == (2, 294912, 2)
    schedule = Schedule.of(decide(types, parameters, Fraction(1024)))
    assert [[kind.weight, kind.density] for kind in types.types] == expected["types"]
    assert list(schedule.immediate) == expected["B_immediate"]
    assert schedule.late == numbered(expected["B_delayed"])
    assert schedule.completion == numbered(expected["B_completion"])


def test_b_keeps_what_earlier_phases_left() -> None:
    """Guess and double with T = 1, 2, 4: A begins each phase empty, B completes all 20 accepted unit jobs in order."""
    types, document = worked("guess-and-double")
    expected = document["expected"]
    schedule = Schedule.of(decide(types, Parameters.one_weight(HALF, alpha=2)))
    accepted = [j for j, machine in enumerate(schedule.decisions.dispatch) if machine == 0]
    assert len(accepted) == 30 - expected["A_rejected_total"]
    assert schedule.completion == {j: k + 1 for k, j in enumerate(accepted)}


def work_of(schedule: Schedule, machine: int) -> dict[int, int]:
    """The job that B serves at each tick, from its pieces."""
    return {t: job for job, start, end in schedule.pieces(machine) for t in range(start, end)}


def check_stretches(schedule: Schedule, naive: Naive, machine: int) -> None:
    """A serves in each tick of a stretch what the reference says, and the counts of the stretch add up."""
    types = schedule.decisions.types.types
    for stretch in schedule.stretches(machine):
        served = [kind for kind, ticks in stretch.left.runs(stretch.end - stretch.start) for _ in range(ticks)]
        served += [None] * (stretch.end - stretch.start - len(served))
        jobs = naive.a_work[machine][stretch.start : stretch.end]
        assert served == [None if j is None else types[j] for j in jobs]
        assert stretch.slots == Counter(served)


def check_packed(schedule: Schedule, machine: int) -> None:
    """Packed pieces follow one another, after releases, and complete every job when B does, with its whole size."""
    instance, total, end_of = schedule.decisions.types.instance, Counter[int](), dict[int, int]()
    clock = 0
    for job, start, end in schedule.packed(machine):
        assert clock <= start < end
        assert start >= instance.release[job]
        total[job] += end - start
        end_of[job] = clock = end
    for job, done in schedule.completion.items():
        if schedule.decisions.dispatch[job] == machine:
            assert (end_of[job], total[job]) == (done, instance.size[job])


def check(decisions: Decisions, naive: Naive) -> Schedule:
    """A and B agree with the reference in every decision, and B in every tick."""
    assert decisions.dispatch == naive.dispatch
    assert [offer.level for offer in decisions.offers] == naive.level
    assert [(phase.guess, phase.first) for phase in decisions.phases] == naive.phases
    schedule = Schedule.of(decisions)
    assert (schedule.completion, schedule.late) == (naive.b_done, naive.late)
    assert list(schedule.immediate) == sorted(naive.immediate)
    for machine in range(decisions.types.instance.machines):
        ticks = enumerate(naive.b_work[machine])
        assert work_of(schedule, machine) == {t: job for t, job in ticks if job is not None}
        check_stretches(schedule, naive, machine)
        check_packed(schedule, machine)
    return schedule


@pytest.mark.parametrize(
    ("count", "two", "span"), [(1000, False, 12), (1000, True, 12), (20, False, 2500), (20, True, 2500)]
)
def test_a_and_b_agree_with_the_tick_by_tick_reference(count: int, two: bool, span: int) -> None:
    """Every decision and every tick is the reference's: one weight, two weights and stretch, with known guesses and
    with doubling, many types, negative classes, bursts and pauses. The samples reject, double, drop and alternate."""
    seen: Counter[str] = Counter()
    for types, parameters, guess in cases(count, 17 + two, two=two, span=span):
        schedule = check(decide(types, parameters, guess), reference(types, parameters, guess))
        decisions = schedule.decisions
        seen["rejected"] += -1 in decisions.dispatch
        seen["doubled"] += len(decisions.phases) > 1
        seen["ended"] += any(decisions.refused)
        seen["late"] += bool(schedule.late)
        seen["late after doubling"] += bool(schedule.late) and len(decisions.phases) > 1
        seen["negative density"] += min(types.types)[0] < 0
        seen["alternating"] += any(
            len(set(stretch.owner.values())) > 1
            for machine in range(types.instance.machines)
            for stretch in schedule.stretches(machine)
        )
        seen["at once"] += bool(schedule.immediate) or not two
    if count >= 1000:
        assert len(seen) == 8
        assert min(seen.values()) >= 20, seen


def test_every_accepted_job_has_one_fate_and_keeps_its_bound() -> None:
    """A job that A accepts completes, goes late or goes at once; one that completes has a weighted flow time of at most
    two segments of each guess."""
    for types, parameters, _ in cases(300, 23, two=True):
        schedule = Schedule.of(decide(types, parameters))
        fates = [*schedule.completion, *schedule.late, *schedule.immediate]
        accepted = [j for j, machine in enumerate(schedule.decisions.dispatch) if machine >= 0]
        assert sorted(fates) == accepted
        total = sum(phase.guess or 0 for phase in schedule.decisions.phases)
        for j, done in schedule.completion.items():
            phases = len(schedule.decisions.phases)
            weight = power(types.types[j].weight)
            assert weight * (done - types.instance.release[j]) <= 2 * (parameters.beta * total + phases * weight)


def longer(types: Types, scale: int) -> Types:
    """The same jobs with all times multiplied, each size one tick less than that."""
    instance = types.instance
    return Types.weighted(
        Instance.from_columns(
            instance.machines,
            release=[t * scale for t in instance.release.tolist()],
            size=[p * scale - 1 for p in instance.size.tolist()],
            flow_weight=instance.flow_weight.tolist(),
            eligible_set=instance.eligible_set,
            sets=list(instance.sets),
        )
    )


def test_the_work_follows_events_and_not_ticks() -> None:
    """With times of 10^13 ticks and more, alternating queues and drops there are at most three stretches a job and
    phase; their packed pieces make the schedule that B has, and a stop in the middle of every stretch changes nothing.
    """
    late = stops = 0
    for types, parameters, guess in cases(60, 29):
        long = longer(types, 1 << 40)
        alone = (guess or Fraction(8)) * 2**40
        schedule = Schedule.of(decide(long, parameters, alone))
        for machine in range(long.instance.machines):
            stretches = list(schedule.stretches(machine))
            assert len(stretches) <= 3 * long.instance.n
            check_packed(schedule, machine)
            server = stopped(schedule, machine, [(one.start + one.end) // 2 for one in stretches])
            mine = {j for j, offer in enumerate(schedule.decisions.offers) if offer == (machine, offer.level, True)}
            assert server.completion == {j: t for j, t in schedule.completion.items() if j in mine}
            assert server.late == {j: t for j, t in schedule.late.items() if j in mine}
            stops += len(stretches)
        late += len(schedule.late)
    assert late > 10
    assert stops > 300


def stopped(schedule: Schedule, machine: int, stops: list[int]) -> Foreground:
    """B on a machine in one phase, stopped at these ticks on its way."""
    decisions = schedule.decisions
    server = Foreground(decisions.parameters)
    server.restart(decisions.phases[0].guess or Fraction(0))
    halts = [(-1, t, None, 0) for t in stops]
    for job, now, kind, size in sorted(
        [*halts, *arrivals(decisions, 0, machine)], key=lambda event: (event[1], event[0])
    ):
        list(server.advance(now))
        if kind is not None:
            server.arrive(job, kind, 0, size)
    list(server.advance(None))
    return server


def test_the_objective_uses_true_weights() -> None:
    """A job of weight 5 and flow time 3 counts 15, though its class is that of 4; stretch counts 1/p."""
    one = Instance.from_rows(1, [Row(0, 0, 3, flow_weight=5)])
    assert Schedule.of(decide(Types.weighted(one), Parameters.one_weight(HALF))).objective == 15
    assert Schedule.of(decide(Types.stretch(one), Parameters.two_weights(HALF))).objective == 1


def test_no_jobs_make_an_empty_schedule() -> None:
    """An instance without jobs has no pieces and objective 0."""
    schedule = Schedule.of(decide(Types.weighted(Instance.from_rows(2, [])), Parameters.one_weight(HALF)))
    assert (schedule.completion, list(schedule.pieces(1)), schedule.objective) == ({}, [], 0)
