"""Local search with restarts for the instance with the largest score."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Literal, NamedTuple, TypeAlias

from certify.problems.track import Tell, silent
from certify.search.score import Rank, Score, Scored
from certify.search.shrink import Shrinking
from certify.search.smaller import numbered
from certify.search.space import Rows, Space
from lp.deadline import Deadline
from online import exact
from online.generate.dice import Dice
from online.instance import Instance

Stopped: TypeAlias = Literal["steps", "time", "interrupted", "reached", "failed"]

PATIENCE = 150
"""So many steps without a larger score, and the climb starts again."""

SHAKES = 4
"""Variations at once that a new start makes of the best instance so far."""


class Found(NamedTuple):
    """The instance with the largest score, or None if none had any; the steps made, and what ended them.

    `minimal` is whether it was made small to the end: no single change of those that shrinking knows works any more.
    """

    best: Scored | None
    steps: int
    stopped: Stopped
    minimal: bool = False


def never(scored: Scored) -> bool:
    """Nothing is enough."""
    return False


class Climb:
    """A climb under way: the best so far, and where it stands.

    Claim: which instances are looked at depends on the space, the score and the seed alone; a deadline or an interrupt
    only ends it earlier. With `start` it begins at that instance.
    """

    def __init__(
        self,
        space: Space,
        score: Score,
        seed: int,
        deadline: Deadline,
        tell: Tell = silent,
        start: Instance | None = None,
    ) -> None:
        self.space, self.score, self.dice, self.deadline, self.tell = space, score, Dice(seed), deadline, tell
        self.best: Scored | None = None
        self.best_rows: Rows = []
        self.here: Rank | None = None
        self.rows: Rows = []
        self.steps = self.idle = 0
        self.start = start

    def run(self, steps: int, enough: Callable[[Scored], bool] = never) -> Found:
        """Make so many steps, or fewer if the best is enough."""
        try:
            while self.steps < steps:
                if self.best is not None and enough(self.best):
                    return Found(self.best, self.steps, "reached")
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
        self.tell(f"step {self.steps}{self._so_far()}")
        if scored is None or (self.here is not None and scored.rank < self.here):
            return
        if self.here is None or scored.rank > self.here:
            self.idle = 0
        self.rows, self.here = rows, scored.rank
        if self.best is None or scored.rank > self.best.rank:
            self.best, self.best_rows = scored, rows

    def _so_far(self) -> str:
        return "" if self.best is None else f", best so far {', '.join(map(exact.decimal, self.best.rank))}"

    def _next(self) -> Rows:
        if self.idle >= PATIENCE:
            self.idle, self.here = 0, None
            if self.best is not None and self.dice.below(2):
                rows = self.best_rows
                for _ in range(SHAKES):
                    rows = self.space.vary(self.dice, rows)
                return rows
        if self.here is not None:
            return self.space.vary(self.dice, self.rows)
        first, self.start = self.start, None
        return self.space.draw(self.dice) if first is None else self.space.rows(first)


def shrunk(found: Found, score: Score, steps: int, deadline: Deadline, tell: Tell = silent) -> Found:
    """The best made smaller, with no smaller score, and its jobs numbered anew.

    A deadline or an interrupt ends the work earlier; after an interrupted climb there is none.
    """
    best = found.best
    if best is None or found.stopped == "interrupted":
        return found
    rank = best.rank

    def as_bad(instance: Instance) -> bool:
        if deadline.passed():
            raise _OutOfTime
        scored = score(instance, rank)
        return scored is not None and scored.rank >= rank

    work = Shrinking(best.instance, as_bad, steps, tell)
    stopped: Stopped = found.stopped
    try:
        with suppress(_OutOfTime):
            work.run()
    except KeyboardInterrupt:
        stopped = "interrupted"
    named = score(numbered(work.best))
    small = named if named is not None and named.rank >= rank else score(work.best)
    return found._replace(best=small or best, minimal=work.finished, stopped=stopped)


class _OutOfTime(Exception):
    pass
