"""A gallery of algorithms that are almost right: each breaks one law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

import numpy as np

from online.algorithm import OnlineAlgorithm, Setting
from online.baselines.rules import Fifo, Srpt
from online.flow_time.max_flow import LeastLoaded
from online.instance import Instance, Job
from online.run import LateRejection, Phase, Pieces, Run


class First(OnlineAlgorithm):
    """Right: the first eligible machine."""

    takes_guess = False

    def arrive(self, job: Job) -> int | None:
        return job.eligible[0]


class ForNoProblem(First):
    problem = "throughput"


class ByChance(First):
    """Throws dice that nobody has set."""

    dice = Random()

    def arrive(self, job: Job) -> int | None:
        return self.dice.choice(job.eligible)


class Remembering(First):
    """Goes on where the run before ended."""

    seen: ClassVar[list[int]] = []

    def arrive(self, job: Job) -> int | None:
        self.seen.append(job.position)
        return job.eligible[len(self.seen) % len(job.eligible)]


class Keyed(First):
    """Numbers the jobs by their ids, for ever."""

    numbers: ClassVar[dict[Any, int]] = {}

    def arrive(self, job: Job) -> int | None:
        return job.eligible[self.numbers.setdefault(job.id, len(self.numbers)) % len(job.eligible)]


class Indexing(First):
    """Takes ids for places."""

    def arrive(self, job: Job) -> int | None:
        return job.eligible[0] if job.id == job.position + 1 else job.eligible[-1]


class Peeking(First):
    """Looks at the whole instance before it begins, and sends the jobs by their number."""

    known = 0

    @classmethod
    def admits(cls, instance: Instance) -> None:
        cls.known = instance.n

    def arrive(self, job: Job) -> int | None:
        return job.eligible[self.known % len(job.eligible)]


class Trespassing(First):
    """The next machine in turn, whoever may run there."""

    def arrive(self, job: Job) -> int | None:
        return job.position % self.setting.machines


class Counting(First):
    """The right machine as a number of numpy's."""

    def arrive(self, job: Job) -> Any:
        return np.int64(job.eligible[0])


class Regretting(First):
    """Rejects late the job that has not come yet."""

    problem = "load"
    next = 0

    def arrive(self, job: Job) -> int | None:
        self.next = job.position + 1
        return job.eligible[0]

    def prune(self) -> Sequence[int]:
        return [self.next]


class Rejecting(First):
    """Everybody."""

    def arrive(self, job: Job) -> int | None:
        return None


class RejectingLate(Srpt):
    """Drops the first job a tick after its release, before it did anything."""

    problems = ()

    @classmethod
    def play(cls, instance: Instance, epsilon: Fraction, **given: Any) -> Run:
        run = super().play(instance, epsilon, **given)
        if not instance.n:
            return run
        assert run.pieces is not None
        now = int(instance.release[0]) + 1
        after = int(np.searchsorted(instance.release, now, side="left")) - 1
        kept = [piece for piece in zip(*run.pieces, strict=True) if piece[0]]
        pieces = Pieces(*zip(*kept, strict=True)) if kept else Pieces((), (), (), ())
        return replace(run, late=(LateRejection(0, after, now),), pieces=pieces)


class Waiting(Fifo):
    """Begins a tick later where more jobs will come."""

    problems = ()

    @classmethod
    def play(cls, instance: Instance, epsilon: Fraction, **given: Any) -> Run:
        run = super().play(instance, epsilon, **given)
        if run.pieces is None or instance.n < 3:
            return run
        start, end = (tuple(one + 1 for one in times) for times in run.pieces[2:])
        return replace(run, pieces=run.pieces._replace(start=start, end=end))


class Forgetting(Fifo):
    """Says nothing."""

    problems = ()

    @classmethod
    def play(cls, instance: Instance, epsilon: Fraction, **given: Any) -> Run:
        super().play(instance, epsilon, **given)
        return None  # type: ignore[return-value]


class Hurrying(Fifo):
    """Writes down every piece of work a tick too early."""

    problems = ()

    @classmethod
    def play(cls, instance: Instance, epsilon: Fraction, **given: Any) -> Run:
        run = super().play(instance, epsilon, **given)
        assert run.pieces is not None
        end = tuple(one - 1 for one in run.pieces.end)
        return replace(run, pieces=run.pieces._replace(end=end))


class Boasting(LeastLoaded):
    """Piles jobs up and explains it as the least loaded machine would."""

    problems = ()

    def arrive(self, job: Job) -> int | None:
        return job.eligible[-1]


class Silent(LeastLoaded):
    """Has no words for what it did."""

    problems = ()

    @classmethod
    def explain(cls, run: Run, phase: Phase) -> Any:
        raise ValueError("no words")


class Stubborn(OnlineAlgorithm):
    """Begins with a guess of nothing."""

    takes_guess = True

    def arrive(self, job: Job) -> int | None:
        return job.eligible[0]

    @classmethod
    def first_guess(cls, instance: Instance) -> Fraction:
        return Fraction(0)


class Whole(First):
    """Takes whole guesses only."""

    takes_guess = True

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        if setting.guess is not None and setting.guess.denominator > 1:
            raise ValueError(f"{setting.guess} is not whole")


class Shrinking(Srpt):
    """Claims a smaller guess in every phase."""

    problems = ()
    takes_guess = True

    @classmethod
    def play(
        cls,
        instance: Instance,
        epsilon: Fraction,
        *,
        guess: Fraction | None,
        name: str,
        options: Mapping[str, Fraction],
    ) -> Run:
        run = super().play(instance, epsilon, guess=None, name=name, options=options)
        guesses = [Fraction(guess or instance.n - j) for j in range(instance.n)]
        phases = tuple(Phase(one, j, j, False) for j, one in enumerate(guesses))
        return replace(run, phases=phases)


class Needing(First):
    """Asks for the largest job."""

    @classmethod
    def admits(cls, instance: Instance) -> None:
        max(instance.size.tolist())


class Dividing(First):
    """Shares among the other machines."""

    def arrive(self, job: Job) -> int | None:
        return job.eligible[0] if 1 / (self.setting.machines - 1) else None


class Overflowing(First):
    """Adds in 64 bits."""

    def arrive(self, job: Job) -> int | None:
        np.array([job.release, job.size], dtype=np.int64)
        return job.eligible[0]


class Rounding(First):
    """Counts whole units."""

    def arrive(self, job: Job) -> int | None:
        if self.setting.tick.denominator > 1:
            raise ValueError(f"a tick of {self.setting.tick}")
        return job.eligible[0]


class Heavy(First):
    """Adds weights in 64 bits."""

    problem = "weighted"

    def arrive(self, job: Job) -> int | None:
        np.array([2 * job.flow_weight], dtype=np.int64)
        return job.eligible[0]


class Promising(First):
    """Claims that the first machine is always best."""


class Speaking(First):
    """Has constants that are no text."""

    @classmethod
    def shown(cls, run: Run) -> dict[str, str]:
        return {"jobs": run.instance.n}  # type: ignore[dict-item]
