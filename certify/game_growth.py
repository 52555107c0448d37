"""How a lower bound grows: one game in many sizes, and the line that fits the ratios best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from certify.evidence import Document
from certify.game import Finished
from online import exact
from online.adversary.contest import NOT_COVERED
from online.adversary.game import Game
from online.adversary.lemma_8_1 import Lemma81
from online.adversary.lemma_8_3 import Lemma83
from online.adversary.theorem_8_2 import Theorem82
from online.exact import ceil_log2
from online.fit import fitted


class Axis(NamedTuple):
    """What the ratio of a game grows with, in words, and for a game."""

    words: str
    value: Callable[[Game], Fraction]


def _phases(game: Game) -> Fraction:
    assert isinstance(game, Theorem82)
    return Fraction(game.phases)


AXES: dict[str, Axis] = {
    Lemma81.name: Axis("log2(1/epsilon), rounded up", lambda game: Fraction(ceil_log2(1 / game.epsilon))),
    Theorem82.name: Axis("phases = 1 + log4(machines/2), rounded down", _phases),
    Lemma83.name: Axis("1/epsilon", lambda game: 1 / game.epsilon),
}
"""The games that grow, by name."""

SHOWN = ("epsilon", "machines", "jobs", "rejected", "algorithm_cost", "opt_upper", "ratio")
JUDGED = ("promised", "guaranteed", "verdict", "reason", "note", "certificate")


@dataclass(frozen=True)
class Growth:
    """The same game against the same algorithm in several sizes; ratios are the algorithm's cost over offline's."""

    games: Sequence[Finished]

    @property
    def axis(self) -> Axis:
        """What the ratio is set against."""
        return AXES[self.games[0].contest.game.name]

    @property
    def x(self) -> list[Fraction]:
        """What the ratio of each game is set against."""
        return [self.axis.value(one.contest.game) for one in self.games]

    @property
    def points(self) -> list[tuple[Fraction, Fraction]]:
        """x and ratio of each game that the claim is about."""
        rows = zip(self.x, self.games, strict=True)
        return [(x, one.contest.ratio) for x, one in rows if one.contest.verdict != NOT_COVERED]

    def to_document(self) -> Document:
        """One JSON object, in the input's units."""
        points = self.points
        line = fitted(points)
        first = self.games[0].to_document()
        return {
            **{key: first[key] for key in ("name", "title", "problem", "algorithm", "guess")},
            "x": self.axis.words,
            "rows": [
                {"x": exact.text(x), **{key: one.to_document()[key] for key in (*SHOWN, *JUDGED)}}
                for one, x in zip(self.games, self.x, strict=True)
            ],
            "fitted": len(points),
            "slope": None if line is None else exact.text(line[0]),
            "intercept": None if line is None else exact.text(line[1]),
        }
