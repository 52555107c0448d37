"""Runs on which the rare claims of sections 6.2 to 7 say something, and where they cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from certify.audit import crafted
from certify.audit.case import Case, Setting
from certify.audit.whole_budget import NAME as WHOLE_BUDGET
from online.generate import make


class Speaking(NamedTuple):
    """A generated instance and how it is run; guess 0 is the planted optimum, None is guess and double."""

    problem: str
    family: str
    seed: int
    jobs: int
    machines: int = 1
    guess: int | None = None
    options: Mapping[str, int] = {}
    epsilon: Fraction = Fraction(1)
    algorithm: str = ""

    def case(self) -> Case:
        """As a case of the audit."""
        instance, known = make(self.family, seed=self.seed, jobs=self.jobs, machines=self.machines)
        optimum = None if known is None or known["problem"] != self.problem else Fraction(known["optimum"])
        guess = optimum if self.guess == 0 else None if self.guess is None else Fraction(self.guess)
        options = tuple((name, Fraction(value)) for name, value in self.options.items())
        return Case(instance, (Setting(self.epsilon, guess, False, options, self.algorithm),), optimum)


FIGURE_5 = {"alpha": 2, "offset": 1, "segment": 16}
"""With epsilon = 1 the constants of Corollary 6.16 and Theorem 6.17 for a share of 1/2."""

SPEAKING = (
    Speaking("weighted", "crowds", 3, 60, 3),
    Speaking("weighted", "crowds", 1, 600, options={"alpha": 8}),
    Speaking("weighted", "crowds", 1, 400, options={"alpha": 32}),
    Speaking("weighted", "crowds", 1, 1500, 2, options={"alpha": 16}),
    Speaking("weighted", "crowds", 36, 8000, guess=32, options={"alpha": 16}),
    Speaking("weighted", "starving", 1, 200, options=FIGURE_5),
    Speaking("weighted", "starving", 3, 400, 2, options=FIGURE_5),
    Speaking("weighted", "starving", 7, 400, 2, options={"alpha": 1, "segment": 2, "offset": 1}),
    Speaking("weighted", "weighted-lures", 1, 300, guess=0, options={"alpha": 1}),
    Speaking("weighted", "weighted-lures", 1, 1500, 2, guess=0, options={"alpha": 8}),
    Speaking("weighted", "weighted-lures", 1, 5500, guess=0, options={"alpha": 8}),
    Speaking("two-weights", "crowds", 3, 60, 3),
    Speaking("two-weights", "crowds", 1, 600, options={"alpha": 8}),
    Speaking("two-weights", "crowds", 1, 400, options={"alpha": 32}),
    Speaking("two-weights", "crowds", 1, 1500, 2, options={"alpha": 16}),
    Speaking("two-weights", "crowds", 36, 8000, guess=32, options={"alpha": 16}),
    Speaking("two-weights", "blockers", 7, 200, guess=4096, options={"alpha": 1, "period": 2}),
    Speaking("two-weights", "blockers", 3, 400, 2, options={"alpha": 1, "period": 2}),
    Speaking("two-weights", "lures", 1, 100, guess=0, options={"alpha": 8}),
    Speaking("two-weights", "lures", 2, 400, 2, guess=0, options={"alpha": 8}),
    Speaking("two-weights", "lures", 3, 400, 2, guess=0, options={"alpha": 16}),
)

THEOREM_7_1 = Speaking(
    "two-weights",
    "lures",
    0,
    (1 << 14) + 2,
    guess=0,
    options={"alpha": 128},
    epsilon=Fraction(5, 8),
    algorithm=WHOLE_BUDGET,
)
"""A proven alpha, T = T*: 16 384 heavy jobs pile up behind a lure and the last is rejected."""


def _set(epsilon: Fraction, guess: int | None, algorithm: str = "", **options: int) -> Setting:
    chosen = tuple((name, Fraction(value)) for name, value in options.items())
    return Setting(epsilon, None if guess is None else Fraction(guess), False, chosen, algorithm)


HALF, ONE = Fraction(1, 2), Fraction(1)


def _joint() -> Case:
    return Case(crafted.old_jobs_fill_the_joint_time(), (_set(HALF, 1024, alpha=2, offset=2, segment=64),))


def _left_over() -> Case:
    return Case(crafted.one_machine(crafted.LEFT_OVER), (_set(HALF, None, alpha=2, offset=2, segment=64),))


def _weights_at_once() -> Case:
    return Case(crafted.one_machine(crafted.TWO_WEIGHTS_AT_ONCE), (_set(ONE, 8, alpha=8),))


def _lured() -> Case:
    return Case(crafted.one_machine(crafted.LURED), (_set(ONE, 28, alpha=8),), Fraction(28))


def _light() -> Case:
    return Case(crafted.one_machine(crafted.LIGHT), (_set(ONE, 4096, alpha=8),), Fraction(4096))


def _flat_queue() -> Case:
    return Case(crafted.one_machine(crafted.flat_queue(306)), (_set(ONE, 512, alpha=8),), Fraction(512))


def _refuted() -> Case:
    """Unit jobs at once, for a proven alpha = 128: the guess 1 ends."""
    instance = crafted.one_machine([(41_000, 0, 1, 1, 1)])
    return Case(instance, (_set(Fraction(19, 32), None, WHOLE_BUDGET, alpha=128),), Fraction(41_000))


OTHERS: dict[str, list[Callable[[], Case]]] = {
    "weighted": [_joint, _left_over, _weights_at_once],
    "two-weights": [_lured, _light, _flat_queue, THEOREM_7_1.case, _refuted],
}


def cases(problem: str) -> list[Callable[[], Case]]:
    """The fixed cases of a problem, to be made when they are wanted."""
    return [*(one.case for one in SPEAKING if one.problem == problem), *OTHERS[problem]]
