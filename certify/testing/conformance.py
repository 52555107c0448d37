"""What every online algorithm owes: a suite of laws to inherit, one test each."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import strategies as st

from certify.build import certify, certify_bounds, over_budget
from certify.problems.registry import TRACKS
from certify.problems.track import leaves_witness
from certify.reopen import reopen_run
from certify.testing.differ import run_differences, taken_back
from certify.testing.edges import EDGES, edge_instances
from certify.testing.laws import Fault, Hearing, NotAsked, law, one_sentence
from certify.testing.trial import COPES, DECLARES, ELIGIBLE, GUESSES, LATE, RETURNS, AlgorithmUnderTest
from online import exact
from online.algorithm import Algorithm
from online.errors import FalseClaim, InvalidInput
from online.instance import Instance
from online.validate import rational


class AlgorithmConformance(AlgorithmUnderTest):
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
        sentence, cases = one_sentence(type(self).test_copes_with.__doc__), edge_instances(self.of, edge)
        if cases is None:
            pytest.skip(f"{self.of} has no weights")
        Hearing(self, f"{COPES} {edge}", sentence).hear(cases, self._copes)

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


def _listed(guesses: list[Fraction | None]) -> str:
    return ", ".join(map(str, guesses))
