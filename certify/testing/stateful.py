"""A machine of Hypothesis that releases jobs one after another and looks at the run after each of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, ClassVar, NoReturn
from weakref import WeakKeyDictionary

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from certify.build import certify, over_budget
from certify.testing.differ import run_differences, taken_back
from certify.testing.laws import DECLARES, Fault, LawBroken, NotAsked, breach, fault_of
from certify.testing.player import ELIGIBLE, Player, law_of, misplaced
from certify.testing.runs import overspent
from certify.testing.strategies import WEIGHTED
from online.algorithm import Algorithm
from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.run import Run

DETERMINISTIC = (
    "is deterministic",
    "the same instance gives the same run",
    "the same decisions when the same jobs are played again",
)

SMALL = st.integers(1, 6)

SEEN: WeakKeyDictionary[type, dict[Hashable, Any]] = WeakKeyDictionary()
"""What came out the first time, by machine: Hypothesis wants to see the same again, also of whoever throws dice."""


class ArrivalMachine(Player, RuleBasedStateMachine):
    """Jobs arrive, at the same instant or later; after each one the algorithm has kept what it owes.

    Set `algorithm`, and if need be `problem`, `epsilon`, `options`, `sizes` (a strategy of whole numbers; one size for
    all jobs of a run if `equal_sizes`, as by default for max-flow), `most_machines`, and `immediate` and `packed` as in
    `AlgorithmConformance`. In a test file: `TestMine = Mine.TestCase`.

    Invariants after each arrival: machines are eligible, the budget is kept, and nothing that was decided before is
    decided otherwise. At any moment a prefix may be asked for again, and at the end the certificate is checked.
    """

    sizes: ClassVar[st.SearchStrategy[int]] = SMALL
    equal_sizes: ClassVar[bool | None] = None
    most_machines: ClassVar[int] = 3

    def __init__(self) -> None:
        super().__init__()
        if self.misdeclared is not None:
            raise breach(self.heading(), DECLARES, "the machine is set as it may be", self.misdeclared)
        self.rows: list[Row] = []
        self.machines, self.now = 1, 0
        self.size: int | None = None
        self.before: Run | None = None
        self.run: Run | None = None
        self.failed = False

    @initialize(data=st.data())
    def open(self, data: st.DataObject) -> None:
        """So many machines, and the size of all jobs if there is one."""
        self.machines = data.draw(st.integers(1, self.most_machines), label="machines")
        equal = self.of == "max-flow" if self.equal_sizes is None else self.equal_sizes
        self.size = data.draw(self.sizes, label="size of every job") if equal else None

    @rule(data=st.data())
    def a_job_now(self, data: st.DataObject) -> None:
        """Another job of the same instant."""
        self._arrive(data)

    @rule(gap=SMALL, data=st.data())
    def a_job_later(self, gap: int, data: st.DataObject) -> None:
        """A job after a while."""
        self.now += gap
        self._arrive(data)

    @precondition(lambda self: self.run is not None)
    @rule(data=st.data())
    def the_first_jobs_again(self, data: st.DataObject) -> None:
        """The run of a prefix alone is what it was."""
        assert self.run is not None
        count = data.draw(st.integers(1, len(self.rows)), label="jobs")
        self._stands(self._played(count, again=len(self.rows)), self.run)

    @invariant()
    def machines_are_eligible(self) -> None:
        """Every job that is not rejected goes to one of its machines."""
        wrong = None if self.run is None else misplaced(self.run)
        if wrong is not None:
            self._blame(ELIGIBLE, "a job goes to one of its machines", "a machine that is eligible", wrong)

    @invariant()
    def the_budget_is_kept(self) -> None:
        """At most an epsilon share is rejected of what has arrived."""
        position = None if self.run is None else over_budget(self.run)
        if self.run is not None and position is not None:
            spent = overspent(self.run, position)
            expected = f"at most {self.run.epsilon} of it rejected, which is {spent.most}"
            sentence = "after every arrival at most an epsilon share is rejected of what has arrived"
            self._blame("keeps its budget", sentence, expected, spent.got)

    @invariant()
    def nothing_is_taken_back(self) -> None:
        """What was decided before the last job was released stands."""
        if self.before is not None and self.run is not None:
            self._stands(self.before, self.run)

    def teardown(self) -> None:
        """The checker accepts the certificate of the whole run."""
        if self.run is not None and not self.failed:
            fault = self._checked(certify(self.run, Algorithm).document, self.run.instance)
            if fault is not None:
                self._blame("is certified", "the checker accepts a certificate of the run", *fault[:2])

    def _arrive(self, data: st.DataObject) -> None:
        everywhere = (1 << self.machines) - 1
        bits = data.draw(st.integers(1, everywhere), label="eligible")
        size = self.size or data.draw(self.sizes, label="size")
        weight = data.draw(SMALL, label="weight") if self.of in WEIGHTED else 1
        other = data.draw(SMALL, label="rejection weight") if self.of == "two-weights" else None
        eligible = [i for i in range(self.machines) if bits >> i & 1]
        self.rows.append(Row(len(self.rows) + 1, self.now, size, eligible, weight, other))
        self.before, self.run = self.run, self._played(len(self.rows))

    def _played(self, count: int, again: int = 0) -> Run:
        """The run of the first jobs; another one if `again` is."""
        instance = Instance.from_rows(self.machines, self.rows[:count])
        found = self._once(("run", instance, again), lambda: self._tried_out(instance))
        if isinstance(found, Run):
            return found
        self.failed = True
        raise LawBroken(found)

    def _tried_out(self, instance: Instance) -> Run | str:
        try:
            return self._made(instance)
        except InvalidInput as refused:
            sentence = "every instance is played to the end, as the interface says"
            return str(breach(self.heading(), law_of(refused), sentence, fault_of(refused, instance)))

    def _once(self, key: Hashable, found: Callable[[], Any]) -> Any:
        known = SEEN.setdefault(type(self), {})
        if key not in known:
            known[key] = found()
        return known[key]

    def _stands(self, prefix: Run, whole: Run) -> None:
        if prefix.instance.n == whole.instance.n:
            found = next(run_differences(prefix, whole), None)
            if found is not None:
                self._blame(*DETERMINISTIC, found)
            return
        found = taken_back(prefix, whole, immediate=self._immediate, packed=self.packed)
        if found is not None:
            sentence = "what is decided before a job is released does not depend on that job or later ones"
            self._blame("is online", sentence, f"what was decided on the first {prefix.instance.n} jobs alone", found)

    def _blame(self, name: str, sentence: str, expected: str, got: str) -> NoReturn:
        """Raises: `LawBroken`, for another law where the algorithm decides by chance, or by what it played before."""
        __tracebackhide__ = True
        assert self.run is not None
        self.failed = True
        instance = self.run.instance
        if not self._once(("steady", instance), lambda: self._repeats(instance)):
            (name, sentence, expected), got = DETERMINISTIC, f"others: {got}"
        raise breach(self.heading(), name, sentence, Fault(expected, got, instance))

    def _repeats(self, instance: Instance) -> bool:
        try:
            return self.steady(instance)
        except NotAsked:
            return True
