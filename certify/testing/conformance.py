"""What every online algorithm owes: a suite of laws to inherit, one test each."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import pytest
from hypothesis import strategies as st

from certify import check
from certify.build import certify, certify_bounds, over_budget
from certify.evidence import Bound, Document, best, own_part
from certify.problems.registry import TRACKS
from certify.problems.track import leaves_witness
from certify.reopen import reopen_run
from certify.testing.differ import decision, run_differences, taken_back
from certify.testing.laws import Fault, Hearing, NotAsked, law, one_sentence, reasons
from certify.testing.optima import planted
from certify.testing.runs import Named, algorithm_class
from certify.testing.strategies import WEIGHTED, instances
from online import exact
from online.algorithm import Algorithm, Engine, shown
from online.errors import FalseClaim, InvalidInput
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

HUGE = 1 << 62
"""Sums of such times leave int64."""

EDGES = (
    "many machines",
    "one machine",
    "one eligible machine a job",
    "jobs of one instant",
    "no jobs",
    "huge times",
    "fractions of a unit",
    "huge weights",
)
"""Kinds of instances that are easily forgotten."""

REPLAYS = 4
"""How often a run is repeated before its algorithm is said to decide the same again."""


class AlgorithmConformance:
    """Laws that an online algorithm keeps; subclass it in a test file as `class TestMine(AlgorithmConformance)`.

    Set `algorithm` (a class, or its name), and if need be `problem`, `epsilon` and `options`. `ratio` is what you
    promise: the objective is at most so many times T*. `immediate` says whether jobs are dispatched when they arrive
    (an `OnlineAlgorithm` does, an `Engine` need not); `packed` that an engine's pieces have the right times of
    completion, but that work is put together where nothing happens in between. Override `instances` where an algorithm
    is made for some only; those that its `admits` refuses are left out anyhow. `examples` instances are tried for each
    law.

    >>> class TestGreedy(AlgorithmConformance):
    ...     algorithm, problem, examples = "greedy", "weighted", 5
    >>> TestGreedy().test_is_online()
    """

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

    # ------------------------------------------------------------------ the laws
    def test_declares_what_it_is(self) -> None:
        """It is a class of online.algorithm that decides, with a known problem and usable attributes."""
        __tracebackhide__ = True
        hearing = Hearing(self, DECLARES, one_sentence(type(self).test_declares_what_it_is.__doc__))
        try:
            _ = self._found
        except InvalidInput as refused:
            problem = refused.problems[0]
            raise hearing.broken(Fault(problem.expected, f"{problem.place}: {problem.got}")) from None

    @pytest.mark.parametrize("edge", EDGES)
    def test_copes_with(self, edge: str) -> None:
        """Every instance that it admits is played to the end, without an exception of its own."""
        __tracebackhide__ = True
        sentence = one_sentence(type(self).test_copes_with.__doc__)
        Hearing(self, f"{COPES} {edge}", sentence).hear(self._edge(edge), self._copes)

    @law(lambda self: self.instances())
    def test_dispatches_to_eligible_machines(self, instance: Instance) -> Fault | None:
        """A job goes to one of its eligible machines, as a Python int, or is rejected."""
        self._admitted(instance)
        return self._refusal(instance, ELIGIBLE)

    @law(lambda self: self.instances())
    def test_rejects_late_only_what_it_keeps(self, instance: Instance) -> Fault | None:
        """A late rejection is of a job that was accepted and is still there, once, and not in a problem with time."""
        self._admitted(instance)
        return self._refusal(instance, LATE)

    @law(lambda self: self.instances())
    def test_hands_back_a_run(self, instance: Instance) -> Fault | None:
        """What an engine's play returns is a Run of what it was given."""
        self._admitted(instance)
        return self._refusal(instance, RETURNS)

    @law(lambda self: st.tuples(self.instances(), self.instances()), steady=False)
    def test_is_deterministic(self, pair: tuple[Instance, Instance]) -> Fault | None:
        """The same instance gives the same run: at once, and after another instance was played in between."""
        instance, other = pair
        first = self._play(instance)
        for words in ("the second time", "after another instance"):
            found = list(run_differences(first, self._play(instance)))
            if found:
                return Fault("the same run again", f"{words}, {found[0]}", instance)
            self._tried(other)
        return None

    @law(lambda self: self.instances())
    def test_is_online(self, instance: Instance) -> Fault | None:
        """What is decided before a job is released does not depend on that job or later ones."""
        whole = self._play(instance)
        for count in range(1, instance.n):
            prefix = self._play(instance.restrict([j < count for j in range(instance.n)]))
            found = taken_back(prefix, whole, immediate=self._immediate, packed=self.packed)
            if found is not None:
                return Fault(f"what was decided on the first {count} jobs alone", found, instance)
        return None

    @law(lambda self: self.instances())
    def test_keeps_its_budget(self, instance: Instance) -> Fault | None:
        """After every arrival at most an epsilon share is rejected of what has arrived."""
        run = self._play(instance)
        position = over_budget(run)
        if position is None:
            return None
        rejected, arrived = list(run.prefixes())[position]
        most = exact.text(run.epsilon * arrived)
        got = f"{rejected} of {arrived} when job {instance.ids[position]!r} had arrived"
        return Fault(f"at most {run.epsilon} of it rejected, which is {most}", got, instance)

    @law(lambda self: self.instances())
    def test_is_certified(self, instance: Instance) -> Fault | None:
        """The checker accepts a certificate of the run: feasible, and its objective is what it is."""
        return self._checked(certify(self._play(instance), Algorithm).document, instance)

    @law(lambda self: self.planted())
    def test_leaves_witnesses_that_prove_something_true(self, case: tuple[Instance, Fraction]) -> Fault | None:
        """What explain says can be made again from the certificate alone, is accepted, and bounds T* from below."""
        instance, optimum = case
        if not leaves_witness(self._kind):
            raise NotAsked("it leaves no witness")
        run, best_known = self._play(instance), optimum / TRACKS[self.of].unit(instance)
        try:
            found, again = self._own_bound(run), self._own_bound(reopen_run(certify(run, Algorithm).document))
            TRACKS[run.problem].ledger(run, self._kind, Fraction(0), best_known)
        except (FalseClaim, InvalidInput) as false:
            return Fault("a witness that shows what it says, or None", str(false), instance)
        if (found and found.document()) != (again and again.document()):
            return Fault("the same witness from the certificate alone", "another one", instance)
        if found is None:
            return None
        if found.value > best_known:
            return Fault(f"a bound of at most T* = {best_known}", f"{found.value}", instance)
        return self._checked(certify_bounds(instance, run.problem, [found]), instance)

    @law(lambda self: self.instances())
    def test_finds_a_guess(self, instance: Instance) -> Fault | None:
        """Guess and double comes to an end, with guesses that grow; whoever takes no guess has none."""
        self._admitted(instance)
        fault = self._refusal(instance, GUESSES)
        if fault is not None:
            return fault
        guesses = [phase.guess for phase in self._play(instance).phases]
        known = [one for one in guesses if one is not None]
        if self._kind.takes_guess and (len(known) < len(guesses) or known != sorted(set(known))):
            return Fault("guesses that grow from phase to phase", _listed(guesses), instance)
        if not self._kind.takes_guess and known:
            return Fault("no guess, as takes_guess is False", _listed(guesses), instance)
        return None

    @law(lambda self: st.tuples(self.planted(), st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(7, 3)])))
    def test_takes_a_guess(self, case: tuple[tuple[Instance, Fraction], Fraction]) -> Fault | None:
        """With a known guess, whole or not, below T* or above, the run has that guess alone and is certified."""
        (instance, optimum), factor = case
        if not self._kind.takes_guess:
            raise NotAsked("it takes no guess")
        self._play(instance)
        guess = factor * optimum / TRACKS[self.of].unit(instance)
        try:
            run = self._made(instance, guess)
        except InvalidInput as refused:
            return Fault(f"a run with the guess {guess}", str(refused), instance)
        found = {phase.guess for phase in run.phases}
        if found - {guess}:
            return Fault(f"the guess {guess} in every phase", _listed([phase.guess for phase in run.phases]), instance)
        return self._checked(certify(run, Algorithm).document, instance)

    @law(lambda self: self.planted())
    def test_keeps_its_promise(self, case: tuple[Instance, Fraction]) -> Fault | None:
        """The objective is at most `ratio` times T*, if there is a promise."""
        instance, optimum = case
        if self.ratio is None:
            raise NotAsked("no ratio is promised")
        run, most = self._play(instance), rational(self.ratio, "ratio")
        objective = run.objective * TRACKS[run.problem].unit(instance)
        if objective <= most * optimum:
            return None
        return Fault(f"at most {most} times T* = {optimum}, which is {most * optimum}", f"{objective}", instance)

    # ------------------------------------------------------------------ what they share
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

    def _edge(self, edge: str) -> st.SearchStrategy[Instance]:
        problem = self.of
        if edge == "no jobs":
            return st.just(Instance.from_rows(2, []))
        if edge == "huge weights" and problem not in WEIGHTED:
            pytest.skip(f"{problem} has no weights")
        kinds: dict[str, st.SearchStrategy[Instance]] = {
            "many machines": instances(problem, min_machines=2, max_machines=5, eligible="all"),
            "one machine": instances(problem, max_machines=1),
            "one eligible machine a job": instances(problem, min_machines=2, eligible="one"),
            "jobs of one instant": instances(problem, min_machines=2, last_release=0),
            "huge times": instances(problem, min_machines=2, ticks=[HUGE]),
            "fractions of a unit": instances(problem, min_machines=2, ticks=["1/3", "2/7"]),
            "huge weights": instances(problem, min_machines=2, weights=[1, HUGE - 1, "1/3"]),
        }
        return kinds[edge]


def _named(kind: type[Algorithm]) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _misplaced(run: Run) -> str | None:
    """The first job that was dispatched where it may not run."""
    for job in run.instance.jobs():
        machine = int(run.dispatch[job.position])
        if machine != REJECTED and machine not in job.eligible:
            return f"{decision(machine)} for job {job.id!r}"
    return None


def _listed(guesses: list[Fraction | None]) -> str:
    return ", ".join(map(str, guesses))
