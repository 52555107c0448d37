"""How small a constant can be before the budget of a theorem fails, as far as instances show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from certify.problems.track import Bracket, Tell, silent
from certify.search.climb import Climb
from certify.search.constants import Constant
from certify.search.rivals import rivals
from certify.search.score import Scored, Setup, Share
from certify.search.shrink import shrink
from certify.search.smaller import numbered
from certify.search.space import Space
from lp.deadline import Deadline
from online.generate.dice import Dice
from online.generate.tournaments import won_tournament
from online.instance import Instance

SHRINKING = 600
"""Most instances that are tried to make the witness of a failure small, fewer if it has more than `SMALL` jobs."""

SMALL = 32


@dataclass(frozen=True)
class Trial:
    """A value of the constant: on how many instances it was tried, on how many of them the budget failed.

    `witness` is a small one of those, at the largest value that fails.
    """

    value: Fraction
    instances: int
    failures: int
    witness: Scored | None = field(repr=False, default=None)


@dataclass(frozen=True)
class Threshold:
    """What was seen of a constant at one epsilon; evidence, and no proof of anything but the failures.

    `trials` ascend. `fails_at` is the largest value with an instance on which the budget fails, `holds_from` the
    smallest tried value above it, so that no failure was seen there or at any larger tried value.
    """

    constant: Constant
    epsilon: Fraction
    proven: Fraction
    trials: tuple[Trial, ...]

    @property
    def failing(self) -> Trial | None:
        """The largest value at which a failure was seen."""
        return max((one for one in self.trials if one.failures), key=lambda one: one.value, default=None)

    @property
    def fails_at(self) -> Fraction | None:
        """Its value."""
        return None if self.failing is None else self.failing.value

    @property
    def holds_from(self) -> Fraction | None:
        """The smallest value tried above all failures; None if the largest value tried fails."""
        return min(
            (one.value for one in self.trials if self.fails_at is None or one.value > self.fails_at), default=None
        )

    @property
    def monotone(self) -> bool:
        """Whether a failure was seen at every tried value below the largest such."""
        return all(one.failures for one in self.trials if self.fails_at is not None and one.value <= self.fails_at)

    @property
    def proven_holds(self) -> bool:
        """Whether no failure was seen at the proven value; it is tried always."""
        return not any(one.failures for one in self.trials if one.value == self.proven)


def setup_of(constant: Constant, epsilon: Fraction, value: Fraction) -> Setup:
    """The algorithm with this value, that of the proofs for all other constants, and T = T*."""
    return Setup.of(constant.problem, constant.algorithm, epsilon, "exact", {constant.option: value})


class Search:
    """Tries values of a constant at one epsilon, each on all instances known by then.

    Claim: every value is tried on the whole corpus, and on every instance that was made against any value or that a
    climb found for any, so nothing is taken for granted about larger values where a smaller one fails, or the other way
    round. The same arguments give the same result.
    """

    def __init__(
        self,
        constant: Constant,
        epsilon: Fraction,
        corpus: Sequence[Instance],
        *,
        steps: int,
        seed: int = 0,
        play: bool = True,
        tell: Tell = silent,
    ) -> None:
        self.constant, self.epsilon, self.steps, self.seed, self.tell = constant, epsilon, steps, seed, tell
        self.play, self._seen = play, set[str]()
        self.proven = setup_of(constant, epsilon, constant.proven(epsilon))
        self.known: list[tuple[Instance, Bracket]] = []
        self._learn(corpus)
        self.tried: dict[Fraction, int] = {}
        self.failures: dict[Fraction, list[Scored]] = {}
        self.climbed: set[Fraction] = set()

    def run(self) -> Threshold:
        """Try the grid; then climb just above the largest value that fails, or try one in between, until both end."""
        values = list(self.constant.grid(self.epsilon))
        while values:
            for value in values:
                self._meet(value)
            for value in values:
                self._try(value)
            values = self._next()
        trials = [self._trial(value) for value in sorted(self.tried)]
        return Threshold(self.constant, self.epsilon, self.constant.proven(self.epsilon), tuple(trials))

    def _next(self) -> list[Fraction]:
        """The values to try now: all again after a climb that found something, or a new one."""
        low = self._largest_failing()
        above = min((value for value in self.tried if low is None or value > low), default=None)
        if above is None:
            return []
        if above not in self.climbed:
            self.climbed.add(above)
            return list(self.tried) if self._climb(above, low) else self._next()
        middle = None if low is None else self.constant.between(low, above)
        return [] if middle is None else [*self.tried, middle]

    def _largest_failing(self) -> Fraction | None:
        return max((value for value, failures in self.failures.items() if failures), default=None)

    def _learn(self, instances: Iterable[Instance]) -> None:
        """Know those that the algorithm admits, each once, with their optimum."""
        for one in instances:
            if one.sha256 not in self._seen and self.proven.admits(one):
                self.known.append((one, self.proven.bracket(one)))
            self._seen.add(one.sha256)

    def _meet(self, value: Fraction) -> None:
        """Make the instances against a value that is new."""
        if self.play and value not in self.tried:
            self._tell(f"playing against {self.constant.option} {value}")
            self._learn(rivals(self.constant, self.epsilon, value))

    def _try(self, value: Fraction) -> None:
        """Run on the instances that were not known when this value was tried last."""
        self._tell(f"{self.constant.option} {value}")
        score = self._score(value)
        new = [score.given(*known) for known in self.known[self.tried.get(value, 0) :]]
        self.failures.setdefault(value, []).extend(one for one in new if self._fails(one))
        self.tried[value] = len(self.known)

    def _climb(self, value: Fraction, below: Fraction | None) -> bool:
        """Look for a failure at this value, from the smallest instance that fails just below it."""
        self._tell(f"searching at {value}")
        start = None if below is None else min(self.failures[below], key=_size).instance
        if start is not None and not self.constant.space.holds(start):
            start = None
        for by_ratio in (False, True):
            score = self._score(value, by_ratio)
            climb = Climb(self.constant.space, score, self.seed, Deadline(None), silent, start)
            best = climb.run(self.steps, self._fails).best
            if best is not None and self._fails(best):
                self.known.append((best.instance, best.bracket))
                return True
        return False

    def _tell(self, words: str) -> None:
        self.tell(f"{self.constant.id}, epsilon {self.epsilon}: {words}")

    def _score(self, value: Fraction, by_ratio: bool = False) -> Share:
        return Share(setup_of(self.constant, self.epsilon, value), by_ratio)

    def _fails(self, one: Scored) -> bool:
        return one.rank[0] > self.epsilon

    def _trial(self, value: Fraction) -> Trial:
        failures = self.failures[value]
        witness = min(failures, key=_size) if failures and value == self._largest_failing() else None
        return Trial(value, self.tried[value], len(failures), witness and self._shrunk(value, witness))

    def _shrunk(self, value: Fraction, witness: Scored) -> Scored:
        """The witness made small while it fails."""
        self._tell("making the witness small")
        score = self._score(value)

        def fails(instance: Instance) -> bool:
            scored = score(instance)
            return scored is not None and self._fails(scored)

        steps = SHRINKING * SMALL // max(witness.instance.n, SMALL)
        small = shrink(witness.instance, fails, steps=steps)
        named = numbered(small)
        return score(named if fails(named) else small) or witness


def _size(one: Scored) -> int:
    return one.instance.n


def corpus(space: Space, instances: int, seed: int) -> list[Instance]:
    """Nine tournaments, in which fewer and fewer machines are wanted, and so many instances drawn from the space."""
    dice = Dice(seed)
    tournaments = [won_tournament(rounds, height) for rounds in (1, 2, 3) for height in (1, 2, 3)]
    return [*tournaments, *(space.instance(space.draw(dice)) for _ in range(instances))]
