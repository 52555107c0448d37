"""Executed trajectories: what is feasible, what it costs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.speed.power import power_law
from online.speed.trajectory import Segment, Trajectory, check_instance

SQUARE = power_law(2)
TWO = Instance.from_rows(2, [Row("a", 0, 2), Row("b", 1, 1)])
ONE = Fraction(1)


def _made(*segments: tuple[int | Fraction, int | Fraction, dict[int, int]], overshoot: bool = False) -> Trajectory:
    pieces = [
        Segment(Fraction(start), Fraction(end), tuple((job, Fraction(dial)) for job, dial in running.items()))
        for start, end, running in segments
    ]
    return Trajectory(TWO, SQUARE, pieces, overshoot)


def test_cost_is_flow_plus_energy() -> None:
    """a runs alone on [0, 1], then both at speed 1 on [1, 2]: flow 2 + 1, energy 3."""
    run = _made((0, 1, {0: 1}), (1, 2, {0: 1, 1: 1}))
    assert (run.completion, run.flow, run.energy, run.cost) == ([2, 2], 3, 3, 6)
    assert run.unfinished == [(0, 1, 1), (1, 2, 2)]
    assert [left for _, left in run.remaining()] == [[2, 1], [1, 1]]


def test_idle_time_between_segments_counts_as_waiting() -> None:
    """b waits on [2, 3] while nothing runs: the integral of n(t) is the flow."""
    run = _made((0, 1, {0: 2}), (3, 4, {1: 1}))
    assert run.unfinished == [(0, 1, 1), (1, 3, 1), (3, 4, 1)]
    assert run.flow == 4 == sum((end - start) * n for start, end, n in run.unfinished)
    assert run.energy == 5


def test_overshoot_is_work_beyond_the_size() -> None:
    """With `overshoot` a job may do more than its size; never less."""
    segments = ((0, 2, {0: 2}), (2, 3, {1: 1}))
    assert _made(*segments, overshoot=True).work == [4, 1]
    with pytest.raises(InvalidInput, match="work that is not the size"):
        _made(*segments)
    with pytest.raises(InvalidInput, match="work that is not the size"):
        _made((0, 1, {0: 1}), (2, 3, {1: 1}), overshoot=True)


@pytest.mark.parametrize(
    ("segments", "reason"),
    [
        (((1, 2, {0: 1}), (0, 1, {0: 1})), "out of order"),
        (((0, 2, {0: 1}), (1, 2, {1: 1})), "out of order"),
        (((0, 0, {0: 1}),), "out of order"),
        (((0, 2, {0: 1, 1: 1}),), "may not run"),
        (((0, 2, {0: 1}), (2, 3, {2: 1})), "may not run"),
        (((0, 2, {0: 1}), (2, 3, {-1: 1})), "may not run"),
        (((0, 2, {0: 0}), (2, 3, {1: 1})), "may not run"),
    ],
)
def test_infeasible_schedules_are_refused(segments: tuple[tuple[int, int, dict[int, int]], ...], reason: str) -> None:
    """Overlapping or empty segments, jobs before their release, jobs that do not exist, speed 0."""
    with pytest.raises(InvalidInput, match=reason):
        _made(*segments)


def test_a_server_runs_one_job_and_a_job_one_server() -> None:
    """On one server two jobs at once are refused; so is one job twice."""
    one = Instance.from_rows(1, [Row("a", 0, 1), Row("b", 0, 1)])
    for running in (((0, ONE), (1, ONE)), ((0, ONE), (0, ONE))):
        with pytest.raises(InvalidInput, match="too many servers"):
            Trajectory(one, SQUARE, [Segment(Fraction(0), ONE, running)])
    two = Instance.from_rows(2, [Row("a", 0, 2)])
    with pytest.raises(InvalidInput, match="too many servers"):
        Trajectory(two, SQUARE, [Segment(Fraction(0), ONE, ((0, ONE), (0, ONE)))])


def test_only_identical_servers_and_real_jobs_are_admitted() -> None:
    """A job that may not run everywhere, and one of size 0, are refused by name."""
    with pytest.raises(InvalidInput, match=r"'b'.*restricted machines"):
        check_instance(Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1, [1])]))
    with pytest.raises(InvalidInput, match=r"'z'.*zero size"):
        check_instance(Instance.from_rows(2, [Row("z", 0, 0)], keep_zero_sizes=True))


def test_no_jobs_cost_nothing() -> None:
    """The empty schedule of the empty instance."""
    empty = Trajectory(Instance.from_rows(3, []), SQUARE, [])
    assert (empty.cost, empty.unfinished, empty.breakpoints) == (0, [], [])
