"""Algorithm A on a whole instance: with a known guess, or guess and double."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from online.errors import InvalidInput, Problem
from online.run import REJECTED, Phase
from online.weighted.background import Background, Offer
from online.weighted.classes import Types, power
from online.weighted.parameters import Parameters


@dataclass(frozen=True, eq=False)
class Decisions:
    """What algorithm A decided: an offer for every job, and the phases.

    A phase that `ended` gave its guess up at job `last`, and `refused` holds what it would have decided for that job,
    None for the other phases. A phase that is followed by another but has not ended was left because its guess
    was below `2^w p` of the next job, which it never saw.
    """

    types: Types
    parameters: Parameters
    offers: tuple[Offer, ...]
    phases: tuple[Phase, ...]
    refused: tuple[Offer | None, ...]

    @property
    def dispatch(self) -> list[int]:
        """The machine of each job, `REJECTED` for those that A rejects."""
        return [offer.machine if offer.accepted else REJECTED for offer in self.offers]

    def offered(self, number: int) -> Iterator[tuple[int, Offer]]:
        """The jobs (positions) of a phase and its offers, with the one that ended it."""
        phase, refused = self.phases[number], self.refused[number]
        kept = phase.last if refused else phase.last + 1
        yield from ((j, self.offers[j]) for j in range(phase.first, kept))
        if refused:
            yield phase.last, refused


def decide(types: Types, parameters: Parameters, guess: Fraction | None = None) -> Decisions:
    """Offer the jobs one by one to algorithm A.

    With `guess` (ticks times weight units) A runs once. Without: the guess starts at `2^w p` of the first job and
    doubles until it is at least that of the job at hand; it doubles too when A's rejections, the job at hand included,
    would weigh more than an epsilon share of the phase's jobs. Then the new phase, with empty queues, handles that job
    again, and it fits: its level `2^w p` is at most half the new guess.

    Claim: at every prefix of a run without guess, the jobs that A rejected weigh at most an epsilon share of those that
    arrived, in true rejection weights: it holds in each phase.

    Raises: `InvalidInput` for a guess that is not positive.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 6.3, Figure 6.
    """
    if guess is not None and guess <= 0:
        raise InvalidInput(Problem("guess", "not positive", str(guess), "a guess > 0", "give a larger guess"))
    return _Doubling(types, parameters, guess).decisions()


class _Doubling:
    def __init__(self, types: Types, parameters: Parameters, guess: Fraction | None) -> None:
        self.types, self.parameters, self.doubling = types, parameters, guess is None
        self.offers: list[Offer] = []
        self.phases: list[Phase] = []
        self.refused: list[Offer | None] = []
        self.guess = guess or Fraction(0)

    def decisions(self) -> Decisions:
        for position, _, release, size, _, _, eligible in self.types.instance.jobs():
            if position == 0:
                self._open(0, self.guess or self._alone(0, size))
            elif self.doubling and self.guess < self._alone(position, size):
                self._raise(position, size)
            self.offers.append(self._offer(position, size, release, eligible))
        if self.offers:
            self._close(len(self.offers) - 1, None)
        return Decisions(self.types, self.parameters, tuple(self.offers), tuple(self.phases), tuple(self.refused))

    def _alone(self, position: int, size: int) -> Fraction:
        """The rounded weight times the size: no schedule of the job does better."""
        return power(self.types.types[position].weight) * size

    def _open(self, first: int, guess: Fraction) -> None:
        self.first, self.guess = first, guess
        self.arrived, self.rejected = Fraction(0), Fraction(0)
        self.background = Background(self.types.instance.machines, self.parameters.alpha, guess)

    def _close(self, last: int, refused: Offer | None) -> None:
        self.phases.append(Phase(self.guess, self.first, last, refused is not None))
        self.refused.append(refused)

    def _raise(self, position: int, size: int) -> None:
        guess = self.guess
        while guess < self._alone(position, size):
            guess *= 2
        self._close(position - 1, None)
        self._open(position, guess)

    def _offer(self, position: int, size: int, release: int, eligible: tuple[int, ...]) -> Offer:
        kind, weight = self.types.types[position], self.types.rejection[position]
        while True:
            offer = self.background.arrive(kind, size, release, eligible)
            rejected = self.rejected + (0 if offer.accepted else weight)
            arrived = self.arrived + weight
            if offer.accepted or not self.doubling or rejected <= self.parameters.epsilon * arrived:
                self.rejected, self.arrived = rejected, arrived
                return offer
            self._close(position, offer)
            self._open(position, 2 * self.guess)
