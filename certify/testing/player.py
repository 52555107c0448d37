"""Somebody's online algorithm: how it is set, how it is played, and which law is broken where it cannot be."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from certify import check
from certify.evidence import Document
from certify.testing.differ import decision, in_words, run_differences
from certify.testing.laws import Fault, NotAsked, reasons
from certify.testing.runs import Named, algorithm_class
from certify.testing.settings import check_kind, check_options, check_values, needed
from certify.testing.subject import Subject
from online.algorithm import Algorithm, Engine
from online.errors import InvalidInput
from online.exact import Number
from online.instance import Instance
from online.play import check_play, play
from online.rows import Row
from online.run import REJECTED, Run
from online.validate import rational

ELIGIBLE = "dispatches to eligible machines"
LATE = "rejects late only what it keeps"
RETURNS = "hands back a run"
GUESSES = "finds a guess"
COPES = "copes with"

LAW_OF = {
    "dispatched to a machine that is not eligible": ELIGIBLE,
    "dispatched by something that is no int": ELIGIBLE,
    "late rejection in a problem with time": LATE,
    "late rejection of a job that is not there": LATE,
    "late rejection by something that is no int": LATE,
    "no run of it came from play()": RETURNS,
    "rejected under every guess": GUESSES,
    "failed in first_guess()": GUESSES,
}
"""The law that a refusal of `play` breaks, by its reason; all others break `COPES`."""

REPLAYS = 4
"""How often a run is repeated before its algorithm is said to decide the same again."""


class Player(Subject):
    """What all that try an algorithm share: its settings, and its runs."""

    role = "algorithm"
    algorithm: ClassVar[Named]
    problem: ClassVar[str | None] = None
    epsilon: ClassVar[Number] = "1/4"
    immediate: ClassVar[bool | None] = None
    packed: ClassVar[bool] = False

    def _title(self) -> str:
        return f"{self._found[1]} for {self.of}, epsilon {self._epsilon}"

    def _check_settings(self) -> None:
        """Raises: `InvalidInput` naming the attribute."""
        needed(self, "algorithm", "a class of online.algorithm that decides, or its name")
        check_options(self.options)
        check_play(self._epsilon, None, self._kind, self._known)
        for name, kinds in (("immediate", (bool, type(None))), ("packed", (bool,))):
            check_kind(name, getattr(self, name), kinds, "True or False")
        check_values(lambda: self._made(Instance.from_rows(1, [Row(1, 0, 1)])))

    def steady(self, instance: Instance) -> bool:
        """Whether the run of an instance is the same again and again, whatever is played in between."""
        first = self._play(instance)
        for count in [*range(1, instance.n), *[instance.n] * REPLAYS]:
            self._tried(instance.restrict([j < count for j in range(instance.n)]))
            if list(run_differences(first, self._play(instance))):
                return False
        return True

    @property
    def of(self) -> str:
        """The problem."""
        return self._kind.problem

    @property
    def _kind(self) -> type[Algorithm]:
        return self._found[0]

    @cached_property
    def _found(self) -> tuple[type[Algorithm], str]:
        return algorithm_class(self.algorithm, self.problem)

    @property
    def _epsilon(self) -> Fraction:
        return rational(self.epsilon, "epsilon")

    @property
    def _immediate(self) -> bool:
        return not issubclass(self._kind, Engine) if self.immediate is None else self.immediate

    def _made(self, instance: Instance, guess: Fraction | None = None) -> Run:
        name = self._found[1]
        return play(instance, self._kind, self._epsilon, guess=guess, name=name, options=self._known)

    def _admitted(self, instance: Instance) -> None:
        """Raises: `NotAsked` for an instance that the algorithm is not made for."""
        try:
            self._kind.admits(instance)
        except InvalidInput:
            raise NotAsked("admits() refuses every instance of this kind") from None
        except Exception:
            raise NotAsked(f"it breaks the law {COPES!r}") from None

    def _play(self, instance: Instance) -> Run:
        """Raises: `NotAsked` where there is no run, or a job on a machine where it may not be."""
        self._admitted(instance)
        try:
            run = self._made(instance)
        except InvalidInput as refused:
            raise NotAsked(f"it breaks the law {law_of(refused)!r}") from None
        if misplaced(run) is not None:
            raise NotAsked(f"it breaks the law {ELIGIBLE!r}")
        return run

    def _tried(self, instance: Instance) -> None:
        try:
            self._play(instance)
        except NotAsked:
            return

    def _checked(self, document: Document, instance: Instance) -> Fault | None:
        verdict = check.check_document(document)
        if verdict.verdict == "accepted":
            return None
        failed = "; ".join(in_words(str(one), instance) for one in verdict.failed)
        return Fault("accepted", f"{verdict.verdict}: {failed}", instance)


def law_of(refused: InvalidInput) -> str:
    """The law that a refusal of `play` breaks."""
    return LAW_OF.get(reasons(refused), COPES)


def misplaced(run: Run) -> str | None:
    """The first job that was dispatched where it may not run."""
    for job in run.instance.jobs():
        machine = int(run.dispatch[job.position])
        if machine != REJECTED and machine not in job.eligible:
            return f"{decision(machine)} for job {job.id!r}"
    return None
