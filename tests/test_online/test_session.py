"""Sessions: answers are those of a play on the final instance, and algorithms that take decisions back are refused."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from game_opponents import Fickle, Regretful, dicey, hoarding

from online.algorithm import Algorithm, find, registered
from online.baselines.rules import Spt
from online.errors import InvalidInput
from online.instance import Job
from online.load_balancing.general import GroupedLoad
from online.play import play
from online.rows import Row
from online.run import Run
from online.session import Session

EPSILON = Fraction(1, 4)
SIZED = ("load", "greedy", "greedy-load", "threshold-load", "per-size", "weighted", "two-weights", "stretch")

GUESS = {name: find(name).takes_guess for name in registered()}


def stream(seed: int, count: int, machines: int, largest: int = 1) -> list[Row]:
    """Jobs at whole times on random machines."""
    dice, now, rows = Random(seed), 0, []
    for number in range(count):
        now += dice.choice([0, 0, 0, 1, 2])
        eligible = sorted(dice.sample(range(machines), dice.randint(1, machines)))
        rows.append(Row(number, now, dice.randint(1, largest), eligible))
    return rows


def offered(session: Session, rows: list[Row], seed: int, *, foresee: bool = False) -> tuple[list[int], list[int]]:
    """All decisions and late rejections, asked for in batches of any size."""
    dice, dispatch, late, first = Random(seed), list[int](), list[int](), 0
    if foresee:
        session.foresee(rows[: len(rows) // 2])
    while first < len(rows):
        batch = rows[first : first + dice.randint(1, 4)]
        answer = session.offer(batch)
        dispatch += answer.dispatch
        late += answer.late
        first += len(batch)
    return dispatch, late


def by_the_end(run: Run) -> set[int]:
    """The jobs that were rejected late by the time of the last release."""
    now = int(run.instance.release[-1])
    return {one.job for one in run.late if one.time is None or one.time <= now}


@pytest.mark.parametrize("foresee", [False, True], ids=["", "foreseen"])
@pytest.mark.parametrize(
    ("name", "guess"),
    [(name, guess) for name in sorted(registered()) for guess in (None, Fraction(2)) if GUESS[name] or not guess],
)
def test_answers_are_those_of_a_play_on_the_final_instance(name: str, guess: Fraction | None, foresee: bool) -> None:
    """Unit jobs: every registered algorithm decides in a session as in `play`, with and without foreseen jobs."""
    algorithm = find(name)
    for seed in range(2):
        session = Session(3, algorithm, EPSILON, guess=guess, name=name)
        dispatch, late = offered(session, stream(seed, 24, 3), seed, foresee=foresee)
        run = play(session.instance(), algorithm, EPSILON, guess=guess, name=name)
        assert dispatch == run.dispatch.tolist()
        assert set(late) == by_the_end(run)
        assert session.run().dispatch.tolist() == dispatch


@pytest.mark.parametrize("name", SIZED)
def test_answers_for_jobs_of_any_size(name: str) -> None:
    """The same where sizes differ, late rejections of `load` included."""
    algorithm = find(name)
    for seed in range(4):
        session = Session(2, algorithm, Fraction(1, 2), name=name)
        dispatch, late = offered(session, stream(seed, 30, 2, largest=9), seed)
        run = play(session.instance(), algorithm, Fraction(1, 2), name=name)
        assert dispatch == run.dispatch.tolist()
        assert set(late) == by_the_end(run)


def test_late_rejections_of_load_are_seen_when_they_happen() -> None:
    """A job that `load` prunes is in the answer to the batch that made it do so."""
    session = Session(1, GroupedLoad, Fraction(1), guess=Fraction(2))
    first = session.offer([Row(k, 0, 1) for k in range(7)])
    second = session.offer([Row("large", 0, 8), Row("huge", 0, 64)])
    third = session.offer([Row("small", 0, 1)])
    assert (first.late, second.late, third.late) == ((), (8,), ())
    assert [one.job for one in session.run().late] == [8]


@pytest.mark.parametrize("algorithm", [Fickle, Regretful])
def test_an_engine_that_takes_a_decision_back_is_refused(algorithm: type[Algorithm]) -> None:
    """Knowing more jobs must not change an earlier dispatch or rejection."""
    session = Session(2, algorithm, EPSILON)
    with pytest.raises(InvalidInput, match="not an online algorithm"):
        offered(session, stream(0, 12, 2), 0)


def test_an_algorithm_that_remembers_another_run_is_refused() -> None:
    """State outside of the object: the play on the final instance is not what the session saw."""

    class Forgetful(dicey("max-flow", 0, 0)):  # type: ignore[misc]
        seen = 0

        def arrive(self, job: Job) -> int | None:
            Forgetful.seen += 1
            return job.eligible[Forgetful.seen % 2]

    session = Session(2, Forgetful, EPSILON)
    session.offer([Row(k, 0, 1) for k in range(3)])
    with pytest.raises(InvalidInput, match="not an online algorithm"):
        session.run()


def test_an_engine_that_only_the_final_play_shows_to_be_fickle_is_refused() -> None:
    """Foreseeing does not hide it: the run of the first jobs alone has to agree with the answers."""
    session = Session(2, Fickle, EPSILON)
    rows = stream(1, 12, 2)
    session.foresee(rows)
    session.offer(rows[:5])
    with pytest.raises(InvalidInput, match="not an online algorithm"):
        session.run()


def test_a_central_queue_is_no_immediate_dispatch_once_sizes_differ() -> None:
    """Shortest first: a short job takes the machine of a waiting long one; the refusal says that it is a queue."""
    session = Session(2, Spt, EPSILON)
    session.offer([Row("a", 0, 2, [0]), Row("b", 0, 4, [1]), Row("waits", 1, 3)])
    with pytest.raises(InvalidInput, match=r"when it starts, not on arrival.*to machine 2, once later jobs were"):
        session.offer([Row("short", 1, 1, [0]), Row("next", 1, 2, [0])])


def test_a_late_rejection_is_not_taken_back() -> None:
    """A late engine answers in a session as it does on the whole instance."""
    algorithm = hoarding(3, until=2)
    session = Session(3, algorithm, Fraction(1, 2))
    dispatch, late = offered(session, stream(5, 30, 3), 5)
    run = session.run()
    assert dispatch == run.dispatch.tolist()
    assert late
    assert set(late) == by_the_end(run)


def test_times_must_fit_the_tick_and_go_forward() -> None:
    """A session is opened with its tick; releases do not go back."""
    session = Session(1, dicey("load", 0, 0), EPSILON, tick=Fraction(1, 8))
    session.offer([Row("a", 1, Fraction(1, 8))])
    with pytest.raises(InvalidInput, match="not whole ticks"):
        session.offer([Row("b", 1, Fraction(1, 16))])
    with pytest.raises(InvalidInput, match="in the past"):
        session.offer([Row("c", 0, 1)])
    assert session.instance().size.tolist() == [1]


def test_a_prefix_can_be_run() -> None:
    """`run(jobs)` is the play on the first jobs only."""
    session = Session(2, find("greedy"), EPSILON)
    dispatch, _ = offered(session, stream(2, 20, 2), 2)
    run = session.run(7)
    assert run.instance.n == 7
    assert run.dispatch.tolist() == dispatch[:7]
