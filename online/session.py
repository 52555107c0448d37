"""A session: an instance that is made up while an online algorithm plays on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, NoReturn

from online.algorithm import Algorithm, Engine, OnlineAlgorithm
from online.errors import InvalidInput, Problem
from online.instance import Instance, Job
from online.play import check_play, play
from online.priority import PriorityRule
from online.recorder import Recorder
from online.rows import CleanRow, Gate, Row
from online.run import REJECTED, LateRejection, Run


class Answer(NamedTuple):
    """What an algorithm decided: a machine or `REJECTED` for each job offered, and which jobs it rejected after all.

    `late` are positions, in the order of the rejections, that were rejected since the answer before.
    """

    dispatch: tuple[int, ...]
    late: tuple[int, ...] = ()


class Session:
    """Offers jobs to an algorithm batch by batch; whoever asks may choose the next jobs by the answers.

    Claim: answers are those of `play` on all jobs offered so far, in this order, and they are final: an algorithm that
    would take one back when it learns of further jobs is refused. `run()` is `play` on the final instance, and agrees
    with every answer given.

    An `OnlineAlgorithm` takes time linear in the jobs. An `Engine`, which plays whole instances, plays all jobs so far
    again at every `offer`, unless `foresee` had played what came: b batches of n jobs cost b times a run of b n jobs.

    `tick` is fixed from the start: releases and sizes are whole multiples of it; `guess` is in the objective's units,
    as for `play`; without, guess and double.

    Raises: `InvalidInput` for whatever `play` refuses, and for rows that do not fit.

    Source: none; the way an adversary speaks with an algorithm in [R] section 8.

    >>> from online.flow_time.max_flow import LeastLoaded
    >>> session = Session(2, LeastLoaded, Fraction(1, 2), guess=Fraction(1))
    >>> session.offer([Row("a", 0, 1), Row("b", 0, 1)]).dispatch
    (0, 1)
    >>> session.offer([Row("c", 1, 1, [1])]), session.run().dispatch.tolist()
    (Answer(dispatch=(1,), late=()), [0, 1, 1])
    """

    def __init__(
        self,
        machines: int,
        algorithm: type[Algorithm],
        epsilon: Fraction,
        *,
        tick: Fraction = Fraction(1),
        guess: Fraction | None = None,
        name: str | None = None,
        options: Mapping[str, Fraction] | None = None,
    ) -> None:
        self.algorithm, self.epsilon, self.guess, self.options = algorithm, epsilon, guess, options or {}
        check_play(epsilon, guess, algorithm, self.options)
        self.name = name or f"{algorithm.__module__}:{algorithm.__qualname__}"
        self.book = Book(machines, tick)
        self.given: list[int] = []
        self.gone: set[int] = set()
        self._player = self._seat()

    def _seat(self) -> _Player:
        if issubclass(self.algorithm, Engine):
            return _Replayed(self)
        assert issubclass(self.algorithm, OnlineAlgorithm)
        recorder = Recorder(
            self.book.machines, self.book.tick, self.algorithm, self.epsilon, self.guess, self.name, self.options
        )
        return _Recorded(self, recorder)

    def offer(self, rows: Sequence[Row]) -> Answer:
        """Release jobs, in the input's units, none before the jobs already offered; the answer is final."""
        self.book.add(rows)
        answer = self._player.answer(len(rows))
        self.given += answer.dispatch
        self.gone.update(answer.late)
        return answer

    def foresee(self, rows: Sequence[Row]) -> None:
        """Say which jobs will probably come next: if they do, answers cost an `Engine` one play in all."""
        self._player.foresee(rows)

    def foreseen(self, rows: Sequence[Row]) -> bool:
        """Whether these rows, offered next, cost no further play."""
        return self._player.foreseen(rows)

    def instance(self) -> Instance:
        """The instance of all jobs offered so far."""
        return self.book.instance()

    def run(self, jobs: int | None = None) -> Run:
        """`play` on the jobs offered, or on the first so many of them.

        Raises: `InvalidInput` if it does not agree with the answers given.
        """
        run = self.play(self.book.instance(jobs))
        known = len(self.given) if jobs is None else jobs
        self.agree(run.dispatch.tolist()[:known], self.given[:known])
        late = {one.job for one in run.late}
        if jobs is None and not self.gone <= late:
            self.took_back(f"{sorted(self.gone)} rejected late", f"{sorted(late)}")
        return run

    def probe(self) -> None:
        """Play the first n - 1, n/2, n/4, ... jobs: answers that come from one play on all n may hide a look ahead.

        Raises: `InvalidInput` if one of these runs does not agree with the answers given.
        """
        count = len(self.given)
        if count > 1:
            self.run(count - 1)
        while count > 1:
            count //= 2
            self.run(count)

    def play(self, instance: Instance) -> Run:
        """What the algorithm makes of a whole instance."""
        return play(instance, self.algorithm, self.epsilon, guess=self.guess, name=self.name, options=self.options)

    def agree(self, now: Sequence[int], before: Sequence[int]) -> None:
        """Refuse an algorithm whose decisions are not what they were."""
        for position, (new, old) in enumerate(zip(now, before, strict=True)):
            if new != old:
                self.took_back(f"job {position + 1} {_told(old)}", _told(new))

    def took_back(self, before: str, after: str) -> NoReturn:
        """Raises: `InvalidInput`: the algorithm decided otherwise when it knew more jobs."""
        reason, fix = "not an online algorithm", "decide on a job, finally, by the jobs up to it"
        if issubclass(self.algorithm, PriorityRule):
            reason = "it dispatches a job when it starts, not on arrival, so it cannot play this game"
            fix = "choose an algorithm that dispatches on arrival"
        got, expected = f"{after}, once later jobs were known", f"what was decided before: {before}"
        raise InvalidInput(Problem(self.name, reason, got, expected, fix))


def _told(decision: int) -> str:
    return "rejected on arrival" if decision == REJECTED else f"dispatched to machine {decision + 1}"


class Book:
    """The jobs offered so far, in ticks."""

    def __init__(self, machines: int, tick: Fraction) -> None:
        self.machines, self.tick = machines, tick
        self.gate = Gate(machines, False, _refuse)
        self.rows: list[CleanRow] = []

    def add(self, rows: Sequence[Row]) -> None:
        """Raises: `InvalidInput` for a bad row, a time that is no multiple of the tick, or a release in the past."""
        self.rows += self.clean(rows, self.gate)

    def clean(self, rows: Sequence[Row], gate: Gate) -> list[CleanRow]:
        """The rows in ticks, in order of release."""
        last = self.rows[-1].release if self.rows else 0
        out = []
        for row in rows:
            clean = gate.admit(row)
            assert clean is not None
            release, size = (self._ticks(row, value) for value in (clean.release, clean.size))
            if release < last:
                got = f"release {clean.release} of job {row.id!r}"
                raise InvalidInput(
                    Problem("session", "in the past", got, f"at least {last * self.tick}", "offer jobs in order")
                )
            last = release
            out.append(clean._replace(release=release, size=size))
        return out

    def _ticks(self, row: Row, value: Fraction | int) -> int:
        ticks = value / self.tick
        if ticks.denominator != 1:
            got, expected = f"{value} of job {row.id!r}", f"a multiple of the tick {self.tick}"
            raise InvalidInput(Problem("session", "not whole ticks", got, expected, "open it with a finer tick"))
        return ticks.numerator

    def instance(self, jobs: int | None = None, more: Sequence[CleanRow] = ()) -> Instance:
        """The instance of the first so many jobs, all of them by default, and of `more`."""
        rows = [*self.rows[:jobs], *more]
        numbers: dict[tuple[int, ...], int] = {}
        return Instance.from_columns(
            self.machines,
            tick=self.tick,
            ids=[row.id for row in rows],
            release=[int(row.release) for row in rows],
            size=[int(row.size) for row in rows],
            flow_weight=[_whole(row, row.flow_weight) for row in rows],
            rejection_weight=[_whole(row, row.rejection_weight) for row in rows],
            eligible_set=[numbers.setdefault(row.eligible, len(numbers)) for row in rows],
            sets=list(numbers),
            place="session",
        )


def _job(position: int, row: CleanRow) -> Job:
    flow, rejection = _whole(row, row.flow_weight), _whole(row, row.rejection_weight)
    return Job(position, row.id, int(row.release), int(row.size), flow, rejection, row.eligible)


def _whole(row: CleanRow, weight: Fraction | int) -> int:
    if weight.denominator != 1:
        got = f"weight {weight} of job {row.id!r}"
        raise InvalidInput(Problem("session", "weight not whole", got, "whole weights", "multiply all weights"))
    return weight.numerator


def _refuse(problem: Problem) -> NoReturn:
    raise InvalidInput(problem)


class _Player(ABC):
    def __init__(self, session: Session) -> None:
        self.session = session

    @abstractmethod
    def answer(self, count: int) -> Answer:
        """The decisions on the last so many jobs of the book."""

    def foresee(self, rows: Sequence[Row]) -> None:
        """Nothing to prepare."""

    def foreseen(self, rows: Sequence[Row]) -> bool:
        return True


class _Recorded(_Player):
    def __init__(self, session: Session, recorder: Recorder) -> None:
        super().__init__(session)
        self.recorder = recorder

    def answer(self, count: int) -> Answer:
        recorder, book = self.recorder, self.session.book
        first, late = len(recorder.dispatch), len(recorder.late)
        if first == 0 and count:
            recorder.begin(book.instance(1))
        for position, row in enumerate(book.rows[first:], first):
            recorder.offer(_job(position, row))
        return Answer(tuple(recorder.dispatch[first:]), tuple(one.job for one in recorder.late[late:]))


class _Replayed(_Player):
    """Plays all jobs known so far, or foreseen, and reads the decisions back."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.ahead: list[CleanRow] = []
        self.dispatch: list[int] = []
        self.late: list[LateRejection] = []

    def answer(self, count: int) -> Answer:
        rows, known = self.session.book.rows, len(self.session.given)
        if not self._expected(rows[known:]):
            self._look(rows)
        fresh = tuple(one.job for one in self.late if self._happened(one, len(rows) - 1))
        self.late = [one for one in self.late if not self._happened(one, len(rows) - 1)]
        return Answer(tuple(self.dispatch[known : known + count]), fresh)

    def foresee(self, rows: Sequence[Row]) -> None:
        self._look([*self.session.book.rows, *self._clean(rows)])

    def foreseen(self, rows: Sequence[Row]) -> bool:
        return self._expected(self._clean(rows))

    def _clean(self, rows: Sequence[Row]) -> list[CleanRow]:
        book = self.session.book
        return book.clean(rows, Gate(book.machines, False, _refuse))

    def _expected(self, rows: Sequence[CleanRow]) -> bool:
        known = len(self.session.given)
        return self.ahead[known : known + len(rows)] == rows

    def _look(self, rows: Sequence[CleanRow]) -> None:
        """Play these jobs, and check that what was answered before stands."""
        session, known = self.session, len(self.session.given)
        run = session.play(session.book.instance(0, rows))
        self.ahead, self.dispatch = list(rows), run.dispatch.tolist()
        session.agree(self.dispatch[:known], session.given)
        before = {one.job for one in run.late if known and self._happened(one, known - 1)}
        if before != session.gone:
            session.took_back(*(f"{sorted(jobs)} rejected late by then" for jobs in (session.gone, before)))
        self.late = [one for one in run.late if one.job not in before]

    def _happened(self, one: LateRejection, position: int) -> bool:
        """Whether the late rejection has taken place when the job at this position has arrived."""
        return one.after <= position if one.time is None else one.time <= self.ahead[position].release
