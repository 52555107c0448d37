"""A game played to its end: the instance, the run, the offline schedule, what was promised and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from online.adversary.game import Game, Moves, Record, Stage, Step, highest
from online.adversary.held import held
from online.algorithm import Algorithm, Engine
from online.rows import Row
from online.run import Run
from online.session import Answer, Session

REACHED, NOT_REACHED, NOT_COVERED = "reached", "not reached", "not covered"


@dataclass(frozen=True, eq=False)
class Contest:
    """A finished game.

    `run` is `play` on the instance of the game, `offline` the schedule of all its jobs as the proof has it; `stages`
    are the phases with their invariants, `held` what their machines really hold then, in ticks, and `rejected` how many
    jobs had been rejected by then; `steps` are moments to draw. `over_budget` and `uncovered` say why the claim is not
    about this run, if it is not.
    """

    game: Game
    run: Run
    offline: Run
    stages: tuple[Stage, ...]
    held: tuple[tuple[int | Fraction, ...], ...]
    rejected: tuple[int, ...]
    steps: tuple[Step, ...]
    over_budget: str | None
    uncovered: str | None

    @property
    def opt_upper(self) -> Fraction:
        """The objective of the offline schedule: T* is at most that; in the input's units."""
        return Fraction(self.offline.objective) * self.unit

    @property
    def cost(self) -> Fraction:
        """The objective of the run, in the input's units."""
        return Fraction(self.run.objective) * self.unit

    @property
    def unit(self) -> Fraction:
        """What values of the objective are multiplied by to be in the input's units."""
        return Fraction(1) if self.run.problem == "stretch" else self.run.instance.tick

    @property
    def ratio(self) -> Fraction:
        """The cost over what is possible offline."""
        return self.cost / self.opt_upper

    @property
    def promised(self) -> Fraction | None:
        """What the proof promises of the objective, by the rejections and before the game; None where it is silent."""
        if self.verdict == NOT_COVERED or not self.game.adaptive:
            return None
        return max(self.game.promise(self.stages, self.rejected), self.game.guarantee())

    @property
    def stuck(self) -> tuple[int | Fraction, ...] | None:
        """At the end of each phase, the ticks that its machines hold of the jobs whose waiting explains the result."""
        among = self.game.stuck(self.run.instance)
        if among is None:
            return None
        loads = held(self.run, [stage.last for stage in self.stages], among)
        return tuple(sum(one[i] for i in stage.machines) for one, stage in zip(loads, self.stages, strict=True))

    @property
    def verdict(self) -> str:
        """Whether the promise was reached, and the offline schedule is as good as the proof says."""
        if self.uncovered or self.over_budget:
            return NOT_COVERED
        kept = self.game.kept(self.cost, self.stages, self.rejected)
        return REACHED if kept and self.opt_upper <= self.game.opt else NOT_REACHED


def contest(
    game: Game,
    algorithm: type[Algorithm],
    *,
    guess: Fraction | None = None,
    name: str | None = None,
    options: Mapping[str, Fraction] | None = None,
) -> Contest:
    """Play the game against an algorithm; `guess` is in the input's units, None: guess and double.

    An `OnlineAlgorithm` takes time linear in the jobs. An `Engine` plays the whole game as it will probably go, and
    again whenever it dispatches otherwise than to the least loaded machine; a few more plays see whether it is online.

    An adaptive game ends with the phase after which some machine holds most.

    Raises: `InvalidInput` for an algorithm of another problem, or one whose decisions are not online.
    """
    game.admits(algorithm)
    unit = Fraction(1) if algorithm.problem == "stretch" else game.tick
    session = Session(
        game.machines,
        algorithm,
        game.epsilon,
        tick=game.tick,
        guess=None if guess is None else guess / unit,
        name=name,
        options=options,
    )
    record = _played(game, session)
    if issubclass(algorithm, Engine):
        session.probe()
    return _judged(game, session, record, game.uncovered(algorithm, guess))


def _played(game: Game, session: Session) -> Record:
    record, answers = Record(game.machines), list[Answer]()
    moves = game.moves(record)
    batch = next(moves, None)
    while batch:
        if not session.foreseen(batch):
            session.foresee(_rehearsed(game, answers))
        answers.append(session.offer(batch))
        record.take(_ticks(game, batch), answers[-1])
        batch = _sent(moves, answers[-1])
    return record


def _rehearsed(game: Game, answers: Sequence[Answer]) -> list[Row]:
    """The jobs of the rest of the game, if the algorithm goes on with the least loaded machine, and rejects nobody."""
    record, rows = Record(game.machines), list[Row]()
    moves = game.moves(record)
    batch, known = next(moves, None), iter(answers)
    while batch:
        answer = next(known, None)
        if answer is None:
            rows += batch
            answer = _likely(game, batch, list(record.free))
        record.take(_ticks(game, batch), answer)
        batch = _sent(moves, answer)
    return rows


def _likely(game: Game, batch: Sequence[Row], free: list[int]) -> Answer:
    dispatch = []
    for row, (release, size) in zip(batch, _ticks(game, batch), strict=True):
        best = min(row.eligible or range(game.machines), key=lambda i: max(free[i] - release, 0))
        free[best] = max(free[best], release) + size
        dispatch.append(best)
    return Answer(tuple(dispatch))


def _sent(moves: Moves, answer: Answer) -> list[Row] | None:
    try:
        return moves.send(answer)
    except StopIteration:
        return None


def _ticks(game: Game, batch: Sequence[Row]) -> list[tuple[int, int]]:
    return [(int(Fraction(row.release) / game.tick), int(Fraction(row.size) / game.tick)) for row in batch]


def _judged(game: Game, session: Session, record: Record, uncovered: str | None) -> Contest:
    stages, run = _ended(game, session, record.stages)
    lasts = [stage.last for stage in stages]
    dispatch = np.array(record.offline[: run.instance.n], dtype=np.int64)
    everything = zip(stages, held(run, lasts), strict=True)
    return Contest(
        game,
        run,
        Run(run.instance, run.problem, "offline", game.epsilon, dispatch, ()),
        tuple(stages),
        tuple(tuple(loads[i] for i in stage.machines) for stage, loads in everything),
        tuple(_rejected(run, lasts)),
        tuple(step for step in record.steps if step.last < run.instance.n),
        _over(run) if game.adaptive else None,
        uncovered,
    )


def _ended(game: Game, session: Session, stages: Sequence[Stage]) -> tuple[Sequence[Stage], Run]:
    """End after the phase with the largest load; after the one where it is surest, if late rejections spoil that.

    Surest is what some machine holds even if all that the budget still allows is rejected later.
    """
    run = session.run()
    if not game.adaptive or not stages:
        return stages, run
    lasts = [stage.last for stage in stages]
    loads = held(run, lasts)
    largest = [max(map(int, one)) for one in loads]
    sure = largest
    if run.pieces is not None:
        spare = [int(game.epsilon * (last + 1)) - gone for last, gone in zip(lasts, _rejected(run, lasts), strict=True)]
        sure = [highest(map(int, one), max(left, 0)) for one, left in zip(loads, spare, strict=True)]
    for values in (largest, sure):
        part = stages[: _last_of_largest(values) + 1]
        run = session.run(part[-1].last + 1)
        if run.objective >= max(sure):
            break
    return part, run


def _last_of_largest(values: Sequence[int]) -> int:
    return max(range(len(values)), key=lambda k: (values[k], k))


def _rejected(run: Run, lasts: Sequence[int]) -> list[int]:
    counts = list(run.rejections())
    return [counts[last] for last in lasts]


def _over(run: Run) -> str | None:
    for position, (rejected, arrived) in enumerate(run.prefixes()):
        if rejected > run.epsilon * arrived:
            return f"the run is over its budget when job {run.instance.ids[position]} has arrived"
    return None
