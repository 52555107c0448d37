"""A machine of Hypothesis that releases jobs one after another and looks at the run after each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from certify import check
from certify.build import certify, over_budget
from certify.testing.artifacts import brief
from certify.testing.differ import run_differences, taken_back
from certify.testing.runs import Named, algorithm_class
from certify.testing.strategies import WEIGHTED
from online.algorithm import Algorithm, Engine
from online.errors import InvalidInput
from online.exact import Number
from online.instance import Instance
from online.play import play
from online.rows import Row
from online.run import REJECTED, Run
from online.validate import rational

SMALL = st.integers(1, 6)


class ArrivalMachine(RuleBasedStateMachine):
    """Jobs arrive, at the same instant or later; after each one the algorithm has kept what it owes.

    Set `algorithm`, and if need be `problem`, `epsilon`, `options`, `sizes` (a strategy of whole numbers; one size for
    all jobs of a run if `equal_sizes`, as by default for max-flow), `most_machines`, and `immediate` and `packed` as in
    `AlgorithmConformance`. In a test file: `TestMine = Mine.TestCase`.

    Invariants after each arrival: machines are eligible, the budget is kept, and nothing that was decided before is
    decided otherwise. At any moment a prefix may be asked for again, and at the end the certificate is checked.
    """

    algorithm: ClassVar[Named]
    problem: ClassVar[str | None] = None
    epsilon: ClassVar[Number] = "1/4"
    options: ClassVar[Mapping[str, Number]] = {}
    sizes: ClassVar[st.SearchStrategy[int]] = SMALL
    equal_sizes: ClassVar[bool | None] = None
    most_machines: ClassVar[int] = 3
    immediate: ClassVar[bool | None] = None
    packed: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self.kind, self.name = algorithm_class(self.algorithm, self.problem)
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
        equal = self.kind.problem == "max-flow" if self.equal_sizes is None else self.equal_sizes
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
        self._stands(self._played(count), self.run)

    @invariant()
    def machines_are_eligible(self) -> None:
        """Every job that is not rejected goes to one of its machines."""
        for job in self.run.instance.jobs() if self.run else ():
            machine = int(self.run.dispatch[job.position]) if self.run else REJECTED
            self._demand(machine == REJECTED or machine in job.eligible, f"job {job.id!r} on machine {machine + 1}")

    @invariant()
    def the_budget_is_kept(self) -> None:
        """At most an epsilon share is rejected of what has arrived."""
        position = None if self.run is None else over_budget(self.run)
        if self.run is not None and position is not None:
            rejected, arrived = list(self.run.prefixes())[position]
            self._demand(False, f"{rejected} of {arrived} rejected, more than {self.run.epsilon}")

    @invariant()
    def nothing_is_taken_back(self) -> None:
        """What was decided before the last job was released stands."""
        if self.before is not None and self.run is not None:
            self._stands(self.before, self.run)

    def teardown(self) -> None:
        """The checker accepts the certificate of the whole run."""
        if self.run is not None and not self.failed:
            verdict = check.check_document(certify(self.run, Algorithm).document)
            self._demand(verdict.verdict == "accepted", f"its certificate is {verdict}")

    def _arrive(self, data: st.DataObject) -> None:
        everywhere = (1 << self.machines) - 1
        bits = data.draw(st.integers(1, everywhere), label="eligible")
        size = self.size or data.draw(self.sizes, label="size")
        weight = data.draw(SMALL, label="weight") if self.kind.problem in WEIGHTED else 1
        other = data.draw(SMALL, label="rejection weight") if self.kind.problem == "two-weights" else None
        eligible = [i for i in range(self.machines) if bits >> i & 1]
        self.rows.append(Row(len(self.rows) + 1, self.now, size, eligible, weight, other))
        self.before, self.run = self.run, self._played(len(self.rows))

    def _played(self, count: int) -> Run:
        instance = Instance.from_rows(self.machines, self.rows[:count])
        known = {key: rational(value, f"option {key}") for key, value in self.options.items()}
        try:
            return play(instance, self.kind, rational(self.epsilon, "epsilon"), name=self.name, options=known)
        except InvalidInput as refused:
            self.failed = True
            raise AssertionError(f"{self.name}: {refused}\n  instance  {brief(instance)}") from None

    def _stands(self, prefix: Run, whole: Run) -> None:
        if prefix.instance.n == whole.instance.n:
            found = next(run_differences(prefix, whole), None)
        else:
            immediate = not issubclass(self.kind, Engine) if self.immediate is None else self.immediate
            found = taken_back(prefix, whole, immediate=immediate, packed=self.packed)
        self._demand(found is None, f"a decision is not what it was: {found}")

    def _demand(self, kept: bool, words: str) -> None:
        __tracebackhide__ = True
        self.failed |= not kept
        if not kept:
            assert self.run is not None
            raise AssertionError(f"{self.name}: {words}\n  instance  {brief(self.run.instance)}")
