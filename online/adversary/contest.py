"""A game played to its end: the instance, the run, the offline schedule, what was promised and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from online.adversary.game import Game, Moves, Record, Stage, highest
from online.adversary.held import held
from online.algorithm import Algorithm
from online.rows import Row
from online.run import Run
from online.session import Answer, Session

REACHED, NOT_REACHED, NOT_COVERED = "reached", "not reached", "not covered"


@dataclass(frozen=True, eq=False)
class Contest:
    """A finished game.

    `run` is `play` on the instance of the game, `offline` the schedule of all its jobs as the proof has it; `stages`
    are the phases with their invariants, `held` what their machines really hold then, in ticks, and `rejected` how many
    jobs had been rejected by then. `uncovered` says why the claim is not about this run.
    """

    game: Game
    run: Run
    offline: Run
    stages: tuple[Stage, ...]
    held: tuple[tuple[int | Fraction, ...], ...]
    rejected: tuple[int, ...]
    uncovered: str | None = None

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
    def promised(self) -> Fraction:
        """What the proof promises of the objective, by the number of jobs that were rejected."""
        return self.game.promise(self.stages, self.rejected)

    @property
    def verdict(self) -> str:
        """Whether the promise was reached, and the offline schedule is as good as the proof says."""
        if self.uncovered is not None:
            return NOT_COVERED
        kept = self.cost >= max(self.promised, self.game.guarantee()) and self.opt_upper <= self.game.opt
        return REACHED if kept else NOT_REACHED


def contest(
    game: Game,
    algorithm: type[Algorithm],
    *,
    guess: Fraction | None = None,
    name: str | None = None,
    options: Mapping[str, Fraction] | None = None,
) -> Contest:
    """Play the game against an algorithm; `guess` is in the input's units, None: guess and double.

    The game ends with the phase after which the largest load is surest: what some machine holds even if all that the
    budget still allows is rejected later.

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
    return _judged(game, session, record, algorithm)


def _played(game: Game, session: Session) -> Record:
    record, answers = Record(game.machines), list[Answer]()
    moves = game.moves(record)
    batch = next(moves, None)
    while batch:
        if not session.foreseen(batch):
            session.foresee(_rehearsed(game, answers))
        answers.append(session.offer(batch))
        record.take(_sizes(game, batch), answers[-1])
        batch = _sent(moves, answers[-1])
    return record


def _rehearsed(game: Game, answers: Sequence[Answer]) -> list[Row]:
    """The jobs of the rest of the game, if the algorithm always takes the first eligible machine."""
    record, rows = Record(game.machines), list[Row]()
    moves = game.moves(record)
    batch, known = next(moves, None), iter(answers)
    while batch:
        answer = next(known, None)
        if answer is None:
            rows += batch
            answer = Answer(tuple(row.eligible[0] if row.eligible else 0 for row in batch))
        record.take(_sizes(game, batch), answer)
        batch = _sent(moves, answer)
    return rows


def _sent(moves: Moves, answer: Answer) -> list[Row] | None:
    try:
        return moves.send(answer)
    except StopIteration:
        return None


def _sizes(game: Game, batch: Sequence[Row]) -> list[int]:
    return [int(Fraction(row.size) / game.tick) for row in batch]


def _judged(game: Game, session: Session, record: Record, algorithm: type[Algorithm]) -> Contest:
    run = session.run()
    chosen = _surest(game, run, record.stages)
    stages = record.stages[: chosen + 1]
    if stages and stages[-1].last + 1 < run.instance.n:
        run = session.run(stages[-1].last + 1)
    offline = Run(
        run.instance,
        run.problem,
        "offline",
        game.epsilon,
        np.array(record.offline[: run.instance.n], dtype=np.int64),
        (),
    )
    loads = held(run, [stage.last for stage in stages])
    return Contest(
        game,
        run,
        offline,
        tuple(stages),
        tuple(tuple(all_[i] for i in stage.machines) for stage, all_ in zip(stages, loads, strict=True)),
        tuple(_rejected(run, [stage.last for stage in stages])),
        game.uncovered(algorithm) or _over(run),
    )


def _surest(game: Game, run: Run, stages: Sequence[Stage]) -> int:
    """The phase whose largest load is largest after all late rejections that the budget still allows."""
    best, chosen = -1, len(stages) - 1
    lasts = [stage.last for stage in stages]
    for k, (loads, rejected) in enumerate(zip(held(run, lasts), _rejected(run, lasts), strict=True)):
        spare = game.epsilon * (lasts[k] + 1) - rejected if run.pieces is not None else 0
        sure = highest(map(int, loads), max(int(spare), 0)) if spare else max(map(int, loads))
        if sure >= best:
            best, chosen = sure, k
    return chosen


def _rejected(run: Run, lasts: Sequence[int]) -> list[int]:
    counts = list(run.rejections())
    return [counts[last] for last in lasts]


def _over(run: Run) -> str | None:
    for position, (rejected, arrived) in enumerate(run.prefixes()):
        if rejected > run.epsilon * arrived:
            return f"the run is over its budget when job {run.instance.ids[position]} has arrived"
    return None
