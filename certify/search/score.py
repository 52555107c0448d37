"""How bad an instance is for an algorithm: its ratio to the optimum, or how close a claim comes to failing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, TypeAlias

from certify.build import over_budget
from certify.claims.claim import Entry, Verdict
from certify.evidence import size_bound, weights_of
from certify.problems.registry import TRACKS
from certify.problems.track import Bracket
from online import exact
from online.algorithm import Algorithm, blame, find
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.play import play
from online.run import Run

Rank: TypeAlias = tuple[Fraction, ...]
"""Compared like words in a dictionary."""


@dataclass(frozen=True)
class Scored:
    """An instance, what an algorithm did with it, what is known of the optimum, and how bad that is: larger is worse.

    `entry` is the line of the ledger that was looked for, if it says something.
    """

    instance: Instance
    rank: Rank
    run: Run = field(repr=False)
    bracket: Bracket = field(repr=False)
    entry: Entry | None = None


class Score(Protocol):
    """Scores an instance; None if the algorithm does not admit it, or the rank is certainly below `least`."""

    def __call__(self, instance: Instance, least: Rank | None = None) -> Scored | None: ...


@dataclass(frozen=True)
class Setup:
    """An algorithm with all that it is run with.

    `guess` is a number in the units of the input, None for guess and double, or "exact" for the optimum; where the
    optimum is not known for certain, that is the value of the best schedule, which is no less.
    """

    problem: str
    algorithm: type[Algorithm]
    name: str
    epsilon: Fraction
    guess: Fraction | str | None = None
    options: Mapping[str, Fraction] = field(default_factory=dict)

    @classmethod
    def of(cls, problem: str, name: str, epsilon: Fraction, guess: str, options: Mapping[str, Fraction]) -> Setup:
        """Find the algorithm; `guess` is double, exact or a number.

        Raises: `InvalidInput` for an algorithm that is not for the problem, or a guess that is none.
        """
        algorithm, known = find(name, problem), _guess(guess)
        if known is not None and not algorithm.takes_guess:
            expected = f"double: {name} takes no guess"
            raise InvalidInput(Problem("--guess", "of no use", guess, expected, "omit --guess"))
        return cls(problem, algorithm, name, epsilon, known, options)

    def admits(self, instance: Instance) -> bool:
        """Whether the algorithm is made for such an instance.

        Raises: `InvalidInput` if its `admits` fails otherwise than by a refusal.
        """
        try:
            self.algorithm.admits(instance)
        except InvalidInput:
            return False
        except BaseException as failed:
            blame(self.name, "admits()", failed)
        return True

    def bracket(self, instance: Instance) -> Bracket:
        """Bounds on the optimum; equal ones for small instances."""
        return TRACKS[self.problem].bracket(instance, "exact")

    def run(self, instance: Instance, bracket: Bracket | None = None) -> Run:
        """The run; a bracket that is known need not be worked out again."""
        guess = self.guess
        if guess == "exact":
            guess = (bracket or self.bracket(instance)).upper.value
        elif isinstance(guess, Fraction):
            guess /= TRACKS[self.problem].unit(instance)
        assert not isinstance(guess, str)
        return play(instance, self.algorithm, self.epsilon, guess=guess, name=self.name, options=self.options)


def _guess(text: str) -> Fraction | str | None:
    if text in ("exact", "double"):
        return text if text == "exact" else None
    try:
        return exact.rational(text)
    except exact.BadNumber as bad:
        expected = "double, exact, or a number > 0"
        raise InvalidInput(Problem("--guess", "not understood", str(bad), expected, "give one of them")) from None


@dataclass(frozen=True)
class Ratio:
    """Objective over optimum; where the optimum is not known, over the value of the best schedule.

    Claim: the score is a ratio that the algorithm does not stay below on this instance. A run that rejects more than
    its budget is worse than any that does not, unless its guess is below what the best schedule has.
    """

    setup: Setup

    def __call__(self, instance: Instance, least: Rank | None = None) -> Scored | None:
        if not self.setup.admits(instance):
            return None
        bracket = self.setup.bracket(instance) if self.setup.guess == "exact" else None
        run = self.setup.run(instance, bracket)
        over = over_budget(run) is not None
        if least is not None and (Fraction(over), self._at_most(run)) < least:
            return None
        bracket = bracket or self.setup.bracket(instance)
        broken = over and not any(guess < bracket.upper.value for guess in run.guesses)
        return Scored(instance, (Fraction(broken), ratio(run, bracket)), run, bracket)

    def _at_most(self, run: Run) -> Fraction:
        """The ratio to what one job costs by itself."""
        alone = size_bound(run.instance, weights_of(run.problem, run.instance))
        return Fraction(run.objective) / alone.value


def ratio(run: Run, bracket: Bracket) -> Fraction:
    """Objective over the least known value without rejections: at most the ratio to the optimum."""
    return Fraction(run.objective) / bracket.upper.value


@dataclass(frozen=True)
class Share:
    """The largest share of what has arrived that is rejected at a prefix.

    `by_ratio` puts fuller queues first where shares are equal; without, a climb wanders among equals.
    """

    setup: Setup
    by_ratio: bool = False

    def __call__(self, instance: Instance, least: Rank | None = None) -> Scored | None:
        return self.given(instance, self.setup.bracket(instance)) if self.setup.admits(instance) else None

    def given(self, instance: Instance, bracket: Bracket) -> Scored:
        """The same where the optimum is known already."""
        run = self.setup.run(instance, bracket)
        rank = (largest_share(run), ratio(run, bracket)) if self.by_ratio else (largest_share(run),)
        return Scored(instance, rank, run, bracket)


def largest_share(run: Run) -> Fraction:
    """The largest share of what has arrived, in number or rejection weight, that is rejected at a prefix."""
    return max(Fraction(rejected, arrived) for rejected, arrived in run.prefixes())


@dataclass(frozen=True)
class Slack:
    """How close a claim of the ledger comes to failing: minus its least slack, in the units of the input.

    Instances on which the claim says nothing, its hypothesis is not met, or it is not known whether it is, come before
    all others, in order of the ratio: full queues are where most claims begin to speak.
    """

    setup: Setup
    claim: str

    def __call__(self, instance: Instance, least: Rank | None = None) -> Scored | None:
        if not self.setup.admits(instance):
            return None
        bracket = self.setup.bracket(instance)
        run = self.setup.run(instance, bracket)
        entry = self._entry(run, bracket)
        if entry.slack is None or entry.verdict not in (Verdict.HOLDS, Verdict.FAILS):
            return Scored(instance, (Fraction(0), ratio(run, bracket)), run, bracket)
        return Scored(instance, (Fraction(1), -entry.slack), run, bracket, entry)

    def _entry(self, run: Run, bracket: Bracket) -> Entry:
        lower = bracket.lower.value if bracket.lower else Fraction(0)
        entries = TRACKS[self.setup.problem].ledger(run, self.setup.algorithm, lower, bracket.upper.value)
        for entry in entries:
            if entry.claim.id == self.claim:
                return entry
        known = ", ".join(entry.claim.id for entry in entries)
        raise InvalidInput(Problem("--claim", "unknown claim", repr(self.claim), f"one of {known}", "choose one"))
