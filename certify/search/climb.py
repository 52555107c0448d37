"""Local search with restarts for the instance with the largest score."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal, NamedTuple, TypeAlias

from certify.problems.track import Tell, silent
from certify.search.score import Rank, Score, Scored
from certify.search.shrink import Shrinking
from certify.search.space import Rows, Space
from lp.deadline import Deadline
from online import exact
from online.generate.dice import Dice
from online.instance import Instance

Stopped: TypeAlias = Literal["steps", "time", "interrupted"]

PATIENCE = 150
"""So many steps without a larger score, and the climb starts again."""

SHAKES = 4
"""Variations at once that a new start makes of the best instance so far."""


class Found(NamedTuple):
    """The instance with the largest score, or None if none had any; the steps made, and what ended them."""

    best: Scored | None
    steps: int
    stopped: Stopped


class Climb:
    """A climb under way: the best so far, and where it stands.

    Claim: which instances are looked at depends on the space, the score and the seed alone; a deadline or an interrupt
    only ends it earlier.
    """

    def __init__(self, space: Space, score: Score, seed: int, deadline: Deadline, tell: Tell = silent) -> None:
        self.space, self.score, self.dice, self.deadline, self.tell = space, score, Dice(seed), deadline, tell
        self.best: Scored | None = None
        self.best_rows: Rows = []
        self.here: Rank | None = None
        self.rows: Rows = []
        self.steps = self.idle = 0

    def run(self, steps: int) -> Found:
        """Make so many steps."""
        try:
            while self.steps < steps:
                if self.deadline.passed():
                    return Found(self.best, self.steps, "time")
                self.step()
        except KeyboardInterrupt:
            return Found(self.best, self.steps, "interrupted")
        return Found(self.best, self.steps, "steps")

    def step(self) -> None:
        """Score one more instance; stay with it unless its score is lower."""
        rows = self._next()
        scored = self.score(self.space.instance(rows), self.here)
        self.steps += 1
        self.idle += 1
        if scored is None or (self.here is not None and scored.rank < self.here):
            return
        if self.here is None or scored.rank > self.here:
            self.idle = 0
        self.rows, self.here = rows, scored.rank
        if self.best is None or scored.rank > self.best.rank:
            self.best, self.best_rows = scored, rows
            self.tell(f"step {self.steps}: {', '.join(map(exact.decimal, scored.rank))}")

    def _next(self) -> Rows:
        if self.idle >= PATIENCE:
            self.idle, self.here = 0, None
            if self.best is not None and self.dice.below(2):
                rows = self.best_rows
                for _ in range(SHAKES):
                    rows = self.space.vary(self.dice, rows)
                return rows
        return self.space.draw(self.dice) if self.here is None else self.space.vary(self.dice, self.rows)


def shrunk(best: Scored, score: Score, steps: int, deadline: Deadline, tell: Tell = silent) -> Scored:
    """A smaller instance with no smaller score; a deadline or an interrupt ends the work earlier."""

    def as_bad(instance: Instance) -> bool:
        if deadline.passed():
            raise _OutOfTime
        scored = score(instance, best.rank)
        return scored is not None and scored.rank >= best.rank

    work = Shrinking(best.instance, as_bad, steps, tell)
    with suppress(_OutOfTime, KeyboardInterrupt):
        work.run()
    return score(work.best) or best


class _OutOfTime(Exception):
    pass
