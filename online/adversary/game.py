"""A lower bound as a game: an adversary releases jobs, sees what becomes of them, and goes on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple, Self, TypeAlias

from online.algorithm import Algorithm
from online.errors import InvalidInput, Problem
from online.exact import Column
from online.instance import Instance
from online.rows import Row
from online.run import REJECTED
from online.session import Answer

Moves: TypeAlias = Generator[list[Row], Answer, None]
"""Yields batches of jobs and is sent the answers."""


DRAWN = 2
"""The last phase (from 0) whose steps are kept to be drawn."""


class Stage(NamedTuple):
    """The invariant at the end of a phase, just after the arrival of the job at position `last`.

    Each of `machines` would hold at least `loads` ticks of work, had nobody been rejected.
    """

    last: int
    machines: tuple[int, ...]
    loads: tuple[int, ...]


class Step(NamedTuple):
    """A moment of a phase (from 0) to be drawn: just after job `last`, with the machines in the order of the proof."""

    last: int
    phase: int
    caption: str
    machines: tuple[int, ...]


class Record:
    """The transcript of a game being played: offline machines, the loads that are kept, the phases and their steps."""

    def __init__(self, machines: int) -> None:
        self.offline: list[int] = []
        self.stages: list[Stage] = []
        self.steps: list[Step] = []
        self.kept = [0] * machines
        self.free = [0] * machines
        self.placed: list[tuple[int, int]] = []

    def row(self, release: Fraction | int, size: Fraction | int, eligible: Sequence[int], offline: int) -> Row:
        """A new job, and where the offline schedule runs it."""
        self.offline.append(offline)
        return Row(len(self.offline), release, size, tuple(eligible))

    def correct(self, offline: int) -> None:
        """Choose the offline machine of the newest job anew, as the proof does when the algorithm has answered."""
        self.offline[-1] = offline

    def take(self, jobs: Iterable[tuple[int, int]], answer: Answer) -> None:
        """Add to the loads what was accepted, and subtract what was rejected after all; jobs are releases and sizes."""
        for (release, size), machine in zip(jobs, answer.dispatch, strict=True):
            self.placed.append((machine, size))
            if machine != REJECTED:
                self.kept[machine] += size
                self.free[machine] = max(self.free[machine], release) + size
        for position in answer.late:
            machine, size = self.placed[position]
            self.kept[machine] -= size

    def reached(self, machines: Sequence[int], loads: Sequence[int]) -> None:
        """End a phase with the job that was made last."""
        self.stages.append(Stage(len(self.offline) - 1, tuple(machines), tuple(loads)))

    def step(self, caption: str, machines: Sequence[int]) -> None:
        """Note a step of the present phase, one of the first, with the job that was made last."""
        if len(self.stages) <= DRAWN:
            self.steps.append(Step(len(self.offline) - 1, len(self.stages), caption, tuple(machines)))


class Game(ABC):
    """One lower bound of the paper, of given size.

    Claim: against every algorithm that it covers, whose rejections stay within an epsilon share, the objective on the
    instance of the finished game is at least `promise`, and an offline schedule without rejection has at most `opt`.

    Class attributes: `problems` that it can be played in, `options` that set its size, the algorithm it is played
    `against` by default, with a `guess` (input's units) or by guess and double. An `adaptive` game may end early, and
    is about runs within their budget.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    problems: ClassVar[tuple[str, ...]]
    opt: ClassVar[int]
    options: ClassVar[tuple[str, ...]]
    against: ClassVar[str]
    guess: ClassVar[Fraction | None] = None
    adaptive: ClassVar[bool] = True
    machines: int
    epsilon: Fraction

    @property
    def tick(self) -> Fraction:
        """The tick of the instance, in the input's unit: all releases and sizes are multiples."""
        return Fraction(1)

    @classmethod
    @abstractmethod
    def sized(cls, epsilon: Fraction, size: Mapping[str, int]) -> Self:
        """The game for an epsilon, of the `size` given by option, or of a size that suits.

        Raises: `InvalidInput` for a size that is too small.
        """

    @property
    @abstractmethod
    def most_jobs(self) -> int:
        """The number of jobs if the game is played to its end."""

    @abstractmethod
    def moves(self, record: Record) -> Moves:
        """Play: release jobs, and write offline machines and phases into the record."""

    @abstractmethod
    def promise(self, stages: Sequence[Stage], rejected: Sequence[int]) -> Fraction:
        """What the objective is at least, in the input's units.

        `rejected` counts the rejections up to the end of each phase, those after the last arrival with the last.
        """

    @abstractmethod
    def guarantee(self) -> Fraction:
        """The promise before the game: the algorithm may reject as cleverly as it likes, up to an epsilon share."""

    def kept(self, cost: Fraction, stages: Sequence[Stage], rejected: Sequence[int]) -> bool:
        """Whether the claim holds for an objective of `cost`."""
        return cost >= max(self.promise(stages, rejected), self.guarantee())

    def uncovered(self, algorithm: type[Algorithm], guess: Fraction | None) -> str | None:
        """Why the claim is not about this algorithm, with a guess in the input's units or None; None if it is."""
        return None

    def note(self) -> str | None:
        """What a reader of the result should know of this epsilon or size."""
        return None

    def rejections(self) -> int | None:
        """How many jobs a claim about rejections says are rejected; None for a claim about the objective."""
        return None

    def stuck(self, instance: Instance) -> Column | None:
        """The jobs whose waiting explains the result, as a boolean column; None where loads say it all."""
        return None

    def admits(self, algorithm: type[Algorithm]) -> None:
        """Raises: `InvalidInput` for an algorithm of a problem that the game is not played in."""
        if algorithm.problem not in self.problems:
            expected = f"an algorithm for {' or '.join(self.problems)}"
            got = f"an algorithm for {algorithm.problem}"
            fix = "choose another game or algorithm"
            raise InvalidInput(Problem("--against", f"{self.name} is about another problem", got, expected, fix))


def at_least(size: Mapping[str, int], option: str, least: int, default: int) -> int:
    """A size as given, or by default.

    Raises: `InvalidInput` for one below the least.
    """
    value = size.get(option, default)
    if value < least:
        expected = f"at least {least}"
        raise InvalidInput(Problem(f"--{option}", "too small", str(value), expected, "give more, or omit it"))
    return value


def highest(loads: Iterable[int], removed: int) -> int:
    """The largest load that some machine keeps after any `removed` unit jobs were taken away.

    >>> highest([1, 2, 3, 4], 2), highest([1, 2, 3, 4], 3), highest([1], 5)
    (3, 2, 0)
    """
    descending = sorted(loads, reverse=True)
    level, above = descending[0] if descending else 0, 0
    while level > 0:
        while above < len(descending) and descending[above] >= level:
            above += 1
        if removed < above:
            break
        removed, level = removed - above, level - 1
    return max(level, 0)
