"""Queues over time are those of the run: second programs agree at every moment."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.figures.intervals import maxload
from certify.trajectory import Course, number_left, phase_work, servers, work_left
from online.adversary.held import held
from online.algorithm import find
from online.instance import Instance
from online.rows import Row
from online.run import REJECTED, Run
from online.speed import play_at_speed
from online.speed.policy import find_policy
from online.speed.power import power_law
from online.speed.simulation import simulate
from online.weighted.trail import Trail
from online.witness import Witness

JOBS = st.tuples(
    st.integers(0, 6), st.integers(1, 5), st.sampled_from([1, 2, 4]), st.sampled_from([(0,), (1,), (0, 1)])
)


@st.composite
def instances(draw: st.DrawFn, unit: bool = False) -> Instance:
    """Up to nine jobs on two machines."""
    rows = draw(st.lists(JOBS, min_size=1, max_size=9))
    return Instance.from_rows(
        2, [Row(k, r, 1 if unit else p, sorted(set(s)), w, w) for k, (r, p, w, s) in enumerate(sorted(rows))]
    )


RUNS = (
    ("max-flow", "greedy", Fraction(1)),
    ("max-flow", "srpt", Fraction(5, 4)),
    ("weighted", "weighted", Fraction(1)),
    ("weighted", "hdf-reject", Fraction(2, 3)),
    ("stretch", "stretch", Fraction(1)),
    ("load", "load", Fraction(1)),
)


def _run(instance: Instance, problem: str, name: str, speed: Fraction) -> Run:
    late = {"alpha": Fraction(4), "segment": Fraction(1, 16)}
    options = late if name in ("weighted", "stretch") else {}
    return play_at_speed(instance, find(name, problem), Fraction(1, 2), speed, name=name, options=options)


def test_the_runs_looked_at_reject_late() -> None:
    """Both algorithms do, with these constants; so what becomes of such jobs is looked at."""
    instance = Instance.from_rows(2, [Row(k, 0, 5, [0]) for k in range(3)])
    for problem in ("weighted", "stretch"):
        assert _run(instance, problem, problem, Fraction(1)).late


def _last_of_instant(run: Run) -> list[int]:
    release = run.instance.release.tolist()
    return [j for j, r in enumerate(release) if j + 1 == len(release) or release[j + 1] > r]


@pytest.mark.parametrize(("problem", "name", "speed"), RUNS)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(instance=instances())
def test_work_left_is_what_machines_hold_at_every_arrival(
    problem: str, name: str, speed: Fraction, instance: Instance
) -> None:
    """The course of a machine passes through what `held` counts job by job, all phases and late rejections included."""
    run = _run(instance, problem, name, speed)
    courses, total = [work_left(run, i) for i in range(2)], work_left(run)
    moments = list(range(instance.n)) if problem == "load" else _last_of_instant(run)
    for j, expected in zip(moments, held(run, moments), strict=True):
        when = Fraction(j + 1) if problem == "load" else Fraction(int(instance.release[j]))
        assert [course.at(when) for course in courses] == expected
        assert total.at(when) == sum(expected)
    assert total.at(Fraction(10**6)) == (sum(run.loads) if problem == "load" else 0)


@pytest.mark.parametrize(("problem", "name", "speed"), RUNS)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(instance=instances())
def test_number_left_counts_jobs_between_release_and_end(
    problem: str, name: str, speed: Fraction, instance: Instance
) -> None:
    """At every quarter of a tick: jobs that have come, and are neither complete nor rejected."""
    run = _run(instance, problem, name, speed)
    gone = {one.job: one.after + 1 if one.time is None else Fraction(one.time, run.per_tick) for one in run.late}
    for machine in (None, 0, 1):
        course = number_left(run, machine)
        for quarter in range(4 * (instance.n + 1 if problem == "load" else 40)):
            now, alive = Fraction(quarter, 4), 0
            for j, where in enumerate(run.dispatch.tolist()):
                if where == REJECTED or machine not in (None, where):
                    continue
                come = j + 1 if problem == "load" else int(instance.release[j])
                end = gone.get(j, None if problem == "load" else run.completion[j])
                alive += come <= now and (end is None or now < end)
            assert course.at(now) == alive


@settings(max_examples=40, deadline=None, derandomize=True)
@given(instance=instances(unit=True))
def test_the_load_of_a_phase_is_what_its_jobs_saw(instance: Instance) -> None:
    """Just after the last arrival of an instant the load is the level of that job and its own size."""
    algorithm = find("max-flow", "max-flow")
    run = play_at_speed(instance, algorithm, Fraction(1, 3), Fraction(1), name="max-flow")
    for phase in run.phases:
        witness = algorithm.explain(run, phase)
        assert isinstance(witness, Witness)
        chosen = [(phase.first + k, level) for k, level in enumerate(witness.level.tolist())]
        for machine in range(2):
            course = phase_work(run, phase, machine)
            mine = {}
            for j, level in chosen:
                where = phase.choice if phase.ended and j == phase.last else int(run.dispatch[j])
                if where == machine:
                    mine[int(instance.release[j])] = level + int(instance.size[j])
            assert all(course.at(Fraction(when)) == load for when, load in mine.items())


@settings(max_examples=25, deadline=None, derandomize=True)
@given(instance=instances())
def test_maxload_is_that_of_the_queues_at_every_tick(instance: Instance) -> None:
    """Where there is room for every tick, the course of maxload is exact at every tick to the end of A's work."""
    run = _run(instance, "weighted", "weighted", Fraction(1))
    algorithm = find("weighted", "weighted")
    for phase in run.phases:
        trail = algorithm.explain(run, phase)
        assert isinstance(trail, Trail)
        for low in trail.classes:
            kinds = trail.range_of(low)
            for pieces in trail.pieces:
                course = maxload(pieces, kinds)
                for piece in pieces:
                    for tick in range(piece.start, piece.start + 8 if piece.end is None else piece.end):
                        left = piece.gap.left.after(tick - piece.start)
                        assert course.at(Fraction(tick)) == kinds.maxload(left)


def test_servers_have_the_backlog_and_the_speeds_of_the_schedule() -> None:
    """n(t) integrates to the flow time, the sum of speeds to the work."""
    instance = Instance.from_rows(2, [Row(k, r, p) for k, (r, p) in enumerate([(0, 3), (0, 1), (1, 2), (9, 4)])])
    run = simulate(instance, power_law(2), find_policy("srpt")).trajectory
    jobs, speed = servers(run)
    assert _integral(jobs) == run.flow
    assert _integral(speed) == sum(run.work)
    assert jobs.peak == max(n for *_, n in run.unfinished)


def _integral(course: Course) -> Fraction:
    time, before, after = (column.tolist() for column in (course.time, course.before, course.after))
    areas = ((time[k + 1] - time[k]) * (after[k] + before[k + 1]) for k in range(len(time) - 1))
    return Fraction(sum(areas), 2 * course.per_tick * course.per_unit)


def test_a_course_of_nothing_is_zero_everywhere() -> None:
    """No jobs, no breakpoints; what cancels at one time is none either."""
    nothing = Course.of(((), ()))
    assert (len(nothing), nothing.peak, nothing.at(Fraction(3))) == (0, 0, 0)
    assert len(Course.of(([2, 2], [5, -5]))) == 0
