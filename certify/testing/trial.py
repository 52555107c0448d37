"""An online algorithm under test: what the laws of its suite share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from hypothesis import strategies as st

from certify.evidence import Bound, best, own_part
from certify.testing.laws import Fault, NotAsked, fault_of
from certify.testing.misleading import misleading
from certify.testing.optima import planted
from certify.testing.player import COPES, ELIGIBLE, Player, law_of, misplaced
from certify.testing.settings import check_examples
from certify.testing.strategies import instances
from certify.testing.traced import own_line
from online.algorithm import shown
from online.errors import InvalidInput, Problem, told
from online.exact import Number
from online.instance import Instance
from online.run import Run
from online.validate import rational


class AlgorithmUnderTest(Player):
    """What the laws share; see `AlgorithmConformance`."""

    ratio: ClassVar[Number | None] = None
    examples: ClassVar[int] = 25

    def instances(self) -> st.SearchStrategy[Instance]:
        """The instances that the laws are asked on."""
        return instances(self.of)

    def planted(self) -> st.SearchStrategy[tuple[Instance, Fraction]]:
        """Instances with their T*, in the units of the input."""
        return planted(self.of)

    def misleading(self) -> Sequence[tuple[Instance, Fraction]]:
        """Instances with their T* that the promise is tried on first."""
        return misleading(self.of)

    def _check_settings(self) -> None:
        super()._check_settings()
        check_examples(self.examples)
        if self.ratio is not None and rational(self.ratio, "ratio") < 0:
            raise InvalidInput(Problem("ratio", "negative", str(self.ratio), "a number >= 0", "correct ratio"))

    def _refusal(self, instance: Instance, name: str) -> Fault | None:
        """What breaks this law, if `play` refuses the algorithm for it."""
        try:
            run = self._made(instance)
        except InvalidInput as refused:
            if law_of(refused) != name:
                raise NotAsked(f"it breaks the law {law_of(refused)!r}") from None
            return fault_of(refused, instance)
        wrong = misplaced(run) if name == ELIGIBLE else None
        return None if wrong is None else Fault("a machine that is eligible", wrong, instance)

    def _copes(self, instance: Instance) -> Fault | None:
        try:
            self._kind.admits(instance)
        except InvalidInput:
            raise NotAsked("admits() refuses every instance of this kind") from None
        except Exception as failed:
            return Fault("no exception", f"in admits(): {told(failed)}", instance, own_line(failed))
        fault = self._refusal(instance, COPES)
        if fault is not None:
            return fault
        try:
            shown(self._kind, self._made(instance))
        except InvalidInput as refused:
            return fault_of(refused, instance)
        return None

    def _own_bound(self, run: Run) -> Bound | None:
        part = best(own_part(self._kind, run, phase) for phase in run.phases)
        return None if part is None else part.bound(run.instance)
