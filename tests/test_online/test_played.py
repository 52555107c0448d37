"""What an engine's `play` returns is a run of what it was given, or it is refused by name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from online.algorithm import Engine, OnlineAlgorithm, find, shown
from online.baselines.rules import Srpt
from online.errors import InvalidInput
from online.instance import Instance, Job
from online.play import play
from online.rows import Row
from online.run import LateRejection, Phase, Pieces, Run
from online.session import Session
from online.speed import play_at_speed

EPSILON = Fraction(1, 4)
ROWS = [Row("a", 0, 2, [0]), Row("b", 1, 1), Row("c", 3, 4)]
JOBS = Instance.from_rows(2, ROWS)
OTHER = Instance.from_rows(2, [Row("a", 0, 1, [0]), Row("b", 1, 1), Row("c", 3, 4)])

Change = Callable[[Run], Any]


def returning(change: Change, *, guessed: bool = False) -> type[Engine]:
    """Shortest remaining time first, whose run is changed before it is handed back."""

    class Own(Srpt):
        takes_guess = guessed

        @classmethod
        def play(cls, instance: Instance, epsilon: Fraction, **given: Any) -> Run:
            run: Run = change(super().play(instance, epsilon, **given))
            return run

    return Own


def parts(run: Run, **changed: Any) -> Run:
    """The run with columns of its pieces changed."""
    assert run.pieces is not None
    return replace(run, pieces=run.pieces._replace(**changed))


REFUSED: dict[str, Change] = {
    "a NoneType": lambda run: None,
    "a dict": vars,
    "another instance": lambda run: replace(run, instance=OTHER),
    "problem 'load'": lambda run: replace(run, problem="load"),
    "algorithm 'max-flow'": lambda run: replace(run, algorithm="max-flow"),
    "epsilon Fraction(1, 2)": lambda run: replace(run, epsilon=Fraction(1, 2)),
    "speed Fraction(2, 1)": lambda run: replace(run, speed=Fraction(2)),
    "per_tick 0": lambda run: replace(run, per_tick=0),
    "a dispatch that is a list": lambda run: replace(run, dispatch=run.dispatch.tolist()),
    "float64 array": lambda run: replace(run, dispatch=run.dispatch.astype("float64")),
    "object array": lambda run: replace(run, dispatch=run.dispatch.astype(object)),
    "shape (2,)": lambda run: replace(run, dispatch=run.dispatch[:2]),
    "machine 2 for job 'b'": lambda run: replace(run, dispatch=np.array([0, 2, 1])),
    "machine -2": lambda run: replace(run, dispatch=np.array([0, -2, 1])),
    "parameter 'guess'": lambda run: replace(run, parameters={"guess": "2"}),
    "parameters that are": lambda run: replace(run, parameters=None),  # type: ignore[arg-type]
    "pieces of other types": lambda run: replace(run, pieces=tuple(run.pieces or ())),  # type: ignore[arg-type]
    "types or lengths": lambda run: parts(run, end=(1,)),
    "or lengths": lambda run: parts(run, job=tuple(np.array([0, 1, 2]))),
    "that is not there": lambda run: parts(run, job=(0, 1, 3)),
    "on a machine": lambda run: parts(run, machine=(0, -1, 1)),
    "phases of another type": lambda run: replace(run, phases=[]),  # type: ignore[arg-type]
    "another type": lambda run: replace(run, phases=(Phase(2, 0, 2, False),)),  # type: ignore[arg-type]
    "a phase of jobs 1 to 2": lambda run: replace(run, phases=(Phase(None, 1, 2, False),)),
    "phases up to job 1": lambda run: replace(run, phases=(Phase(None, 0, 1, False),)),
    "with choice 1": lambda run: replace(run, phases=(Phase(None, 0, 2, False, 1),)),
    "late rejections of another": lambda run: replace(run, late=(2,)),  # type: ignore[arg-type]
    "LateRejection(job=2, after=1": lambda run: replace(run, late=(LateRejection(2, 1, 3),)),
    "LateRejection(job=0, after=2": lambda run: replace(run, late=(LateRejection(0, 2, 1),)),
    "late rejections and no pieces": lambda run: replace(run, late=(LateRejection(0, 2, 4),), pieces=None),
    "of one job twice": lambda run: replace(run, late=(LateRejection(0, 2, 4),) * 2),
}


@pytest.mark.parametrize("got", REFUSED)
def test_anything_but_a_run_of_what_was_given_is_refused(got: str) -> None:
    """By whoever plays, with the class, `play()`, what was got and what was expected."""
    own = returning(REFUSED[got])
    for call in (
        lambda: play(JOBS, own, EPSILON, name="mine:Own"),
        lambda: play_at_speed(JOBS, own, EPSILON, Fraction(3, 2), name="mine:Own"),
        lambda: Session(2, own, EPSILON, name="mine:Own").offer(
            [Row(*job) for job in (("a", 0, 2), ("b", 1, 1), ("c", 3, 4))]
        ),
    ):
        with pytest.raises(InvalidInput) as refused:
            call()
        (problem,) = refused.value.problems
        assert (problem.place, problem.reason) == ("mine:Own", "no run of it came from play()")
    with pytest.raises(InvalidInput) as refused:
        play(JOBS, own, EPSILON, name="mine:Own")
    assert got in refused.value.problems[0].got


def test_what_was_told_beforehand_is_not_believed() -> None:
    """An objective that the engine stored in its run is worked out anew."""

    def lying(run: Run) -> Run:
        run.__dict__["objective"] = 1
        return run

    true = play(JOBS, Srpt, EPSILON)
    run = play(JOBS, returning(lying), EPSILON)
    assert run.objective == true.objective == 4


def test_what_an_engine_was_given_stands_in_its_run() -> None:
    """The guess need not be repeated, an equal instance will do, and so will int32."""
    copied = returning(
        lambda run: replace(run, instance=replace(JOBS), dispatch=run.dispatch.astype("int32")), guessed=True
    )
    run = play(JOBS, copied, EPSILON, guess=Fraction(5, 2))
    assert run.parameters == {"guess": "5/2"}
    assert run.instance is JOBS
    assert run.dispatch.dtype == "int64"


@pytest.mark.parametrize("column", ["release", "size", "flow_weight", "rejection_weight", "eligible_set"])
def test_an_instance_cannot_be_written_to(column: str) -> None:
    """An engine that tries is refused by name, and the instance stays what it was."""

    def spoil(run: Run) -> Run:
        getattr(run.instance, column)[0] = 1
        return run

    before = JOBS.sha256
    with pytest.raises(InvalidInput, match=r"failed in play\(\): got ValueError"):
        play(JOBS, returning(spoil), EPSILON)
    assert Instance.from_document(JOBS.to_document()).sha256 == before


def test_late_rejections_of_pieces_in_parts_of_a_tick_are_accepted() -> None:
    """Their times are in the units of the pieces."""
    late = returning(
        lambda run: replace(
            run,
            per_tick=2,
            pieces=Pieces((1, 2), (1, 0), (2, 6), (4, 14)),
            dispatch=np.array([0, 1, 0]),
            late=(LateRejection(0, 1, 5),),
        )
    )
    assert play(JOBS, late, EPSILON).rejected_count == 1


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (MemoryError(), "got MemoryError, expected no exception"),
        (ValueError("one\ntwo"), "got ValueError: one ..., expected"),
        (ValueError("\x1b[2Jboo"), r"got ValueError: \x1b[2Jboo, expected"),
        (SystemExit(0), "got SystemExit: 0, expected"),
    ],
)
def test_what_is_raised_is_told_in_one_line(raised: BaseException, words: str) -> None:
    """Its kind and the first line of what it says."""

    def fail(run: Run) -> Run:
        raise raised

    with pytest.raises(InvalidInput) as refused:
        play(JOBS, returning(fail), EPSILON)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("problem", "throughput"), ("problems", None), ("options", (1,)), ("takes_guess", "no"), ("problems", ("fast",))],
)
def test_class_attributes_that_mean_nothing_are_refused(
    attribute: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the class is found, by its name and that of the attribute."""
    own = returning(lambda run: run)
    setattr(own, attribute, value)
    monkeypatch.setattr(sys.modules[__name__], "Own", own, raising=False)
    with pytest.raises(InvalidInput, match=f"{__name__}:Own.{attribute[:7]}.*unusable class attribute"):
        find(f"{__name__}:Own")


def test_constants_that_are_no_text_are_refused() -> None:
    """What `shown` returns is printed and stands in JSON."""
    own = returning(lambda run: run)
    run = play(JOBS, own, EPSILON, name="mine:Own")
    own.shown = classmethod(lambda cls, run: {"alpha": 1})  # type: ignore[assignment, method-assign]
    with pytest.raises(InvalidInput, match=r"mine:Own: failed in shown\(\)"):
        shown(own, run)


def test_a_decision_that_cannot_be_shown_is_refused_in_one_line() -> None:
    """Whatever object `arrive` returns, even one whose repr fails."""

    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError("no words")

    shown = (
        (Odd(), "got something that cannot be shown, a "),
        (np.zeros((2, 2)), "got array([[0., 0.], ..., a numpy."),
    )
    for value, words in shown:

        class Own(OnlineAlgorithm):
            takes_guess = False
            answer: ClassVar[Any] = value

            def arrive(self, job: Job) -> int | None:
                answer: int = self.answer
                return answer

        with pytest.raises(InvalidInput) as refused:
            play(JOBS, Own, EPSILON)
        assert words in str(refused.value)
