"""An online algorithm under test: how it is set, how it is played, and whose law is broken where it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import pytest
from hypothesis import strategies as st

from certify import check
from certify.evidence import Bound, Document, best, own_part
from certify.testing.differ import decision, run_differences
from certify.testing.laws import Fault, NotAsked, reasons
from certify.testing.optima import planted
from certify.testing.runs import Named, algorithm_class
from certify.testing.strategies import instances
from online.algorithm import Algorithm, Engine, shown
from online.errors import InvalidInput
from online.exact import Number
from online.instance import Instance
from online.play import play
from online.run import REJECTED, Run
from online.validate import rational

ELIGIBLE = "dispatches to eligible machines"
LATE = "rejects late only what it keeps"
RETURNS = "hands back a run"
GUESSES = "finds a guess"
COPES = "copes with"
DECLARES = "declares what it is"

LAW_OF = {
    "dispatched to a machine that is not eligible": ELIGIBLE,
    "late rejection in a problem with time": LATE,
    "late rejection of a job that is not there": LATE,
    "no run of it came from play()": RETURNS,
    "rejected under every guess": GUESSES,
    "failed in first_guess()": GUESSES,
}
"""The law that a refusal of `play` breaks, by its reason; all others break `COPES`."""

REPLAYS = 4
"""How often a run is repeated before its algorithm is said to decide the same again."""


class AlgorithmUnderTest:
    """What the laws share; see `AlgorithmConformance`."""

    algorithm: ClassVar[Named]
    problem: ClassVar[str | None] = None
    epsilon: ClassVar[Number] = "1/4"
    options: ClassVar[Mapping[str, Number]] = {}
    ratio: ClassVar[Number | None] = None
    immediate: ClassVar[bool | None] = None
    packed: ClassVar[bool] = False
    examples: ClassVar[int] = 25

    def instances(self) -> st.SearchStrategy[Instance]:
        """The instances that the laws are asked on."""
        return instances(self.of)

    def planted(self) -> st.SearchStrategy[tuple[Instance, Fraction]]:
        """Instances with their T*, in the units of the input."""
        return planted(self.of)

    def heading(self) -> str:
        """Who is tried, and how."""
        try:
            _, name = self._found
        except InvalidInput:
            return self.algorithm if isinstance(self.algorithm, str) else _named(self.algorithm)
        known = "".join(f", {key} {value}" for key, value in sorted(self._known.items()))
        return f"{name} for {self.of}, epsilon {self._epsilon}{known}"

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

    @cached_property
    def _kind(self) -> type[Algorithm]:
        try:
            return self._found[0]
        except InvalidInput:
            pytest.skip(f"not asked: it breaks the law {DECLARES!r}")

    @cached_property
    def _found(self) -> tuple[type[Algorithm], str]:
        return algorithm_class(self.algorithm, self.problem)

    @property
    def _epsilon(self) -> Fraction:
        return rational(self.epsilon, "epsilon")

    @property
    def _known(self) -> dict[str, Fraction]:
        return {key: rational(value, f"option {key}") for key, value in self.options.items()}

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
            raise NotAsked(f"it breaks the law {LAW_OF.get(reasons(refused), COPES)!r}") from None
        if _misplaced(run) is not None:
            raise NotAsked(f"it breaks the law {ELIGIBLE!r}")
        return run

    def _tried(self, instance: Instance) -> None:
        try:
            self._play(instance)
        except NotAsked:
            return

    def _refusal(self, instance: Instance, name: str) -> Fault | None:
        """What breaks this law, if `play` refuses the algorithm for it."""
        try:
            run = self._made(instance)
        except InvalidInput as refused:
            if LAW_OF.get(reasons(refused), COPES) != name:
                raise NotAsked(f"it breaks the law {LAW_OF.get(reasons(refused), COPES)!r}") from None
            problem = refused.problems[0]
            return Fault(problem.expected, f"{problem.place}: {problem.got}", instance)
        wrong = _misplaced(run) if name == ELIGIBLE else None
        return None if wrong is None else Fault("a machine that is eligible", wrong, instance)

    def _copes(self, instance: Instance) -> Fault | None:
        try:
            self._kind.admits(instance)
        except InvalidInput:
            raise NotAsked("admits() refuses every instance of this kind") from None
        except Exception as failed:
            return Fault("no exception", f"{type(failed).__name__} in admits(): {failed}", instance)
        fault = self._refusal(instance, COPES)
        if fault is not None:
            return fault
        try:
            shown(self._kind, self._made(instance))
        except InvalidInput as refused:
            return Fault("constants by name", str(refused), instance)
        return None

    def _checked(self, document: Document, instance: Instance) -> Fault | None:
        verdict = check.check_document(document)
        if verdict.verdict == "accepted":
            return None
        return Fault("accepted", f"{verdict.verdict}: {'; '.join(map(str, verdict.failed))}", instance)

    def _own_bound(self, run: Run) -> Bound | None:
        part = best(own_part(self._kind, run, phase) for phase in run.phases)
        return None if part is None else part.bound(run.instance)


def _named(kind: type[Algorithm]) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _misplaced(run: Run) -> str | None:
    """The first job that was dispatched where it may not run."""
    for job in run.instance.jobs():
        machine = int(run.dispatch[job.position])
        if machine != REJECTED and machine not in job.eligible:
            return f"{decision(machine)} for job {job.id!r}"
    return None
