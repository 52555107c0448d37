"""What every online algorithm owes: a suite of laws to inherit, one test each."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import strategies as st

from certify.build import certify, certify_bounds, over_budget
from certify.problems.registry import TRACKS
from certify.problems.track import leaves_witness
from certify.reopen import reopen_run
from certify.testing.differ import run_differences, taken_back
from certify.testing.edges import EDGES, edge_instances
from certify.testing.laws import DECLARES, Fault, Hearing, NotAsked, ask_if_declared, fault_of, law, one_sentence
from certify.testing.names import listed_ids, renamed
from certify.testing.player import COPES, ELIGIBLE, GUESSES, LATE, RETURNS
from certify.testing.runs import overspent
from certify.testing.trial import AlgorithmUnderTest
from online import exact
from online.algorithm import Algorithm
from online.errors import FalseClaim, InvalidInput
from online.instance import Instance
from online.run import Run
from online.validate import rational


class AlgorithmConformance(AlgorithmUnderTest):
    """Laws that an online algorithm keeps; subclass it in a test file as `class TestMine(AlgorithmConformance)`.

    Set `algorithm` (a class, or its name), and if need be `problem`, `epsilon` and `options`. `immediate` says whether
    jobs are dispatched when they arrive (an `OnlineAlgorithm` does, an `Engine` need not); `packed` that an engine's
    pieces have the right times of completion, but that work is put together where nothing happens in between. Override
    `instances`, `planted` and `misleading` where an algorithm is made for some instances only; those that its `admits`
    refuses are left out anyhow. `examples` instances are tried for each law.

    `ratio` is what you promise: the objective is at most so many times T*. It is tried on a few known instances, on
    which the least loaded machine is the wrong one, and on drawn ones of `planted`. All are small, with a T* known by
    construction: a promise that is broken there is false, one that is kept there is not thereby true.

    >>> class TestGreedy(AlgorithmConformance):
    ...     algorithm, problem, examples = "greedy", "weighted", 5
    >>> TestGreedy().test_is_online()
    """

    def test_declares_what_it_is(self) -> None:
        """It is a class of online.algorithm that decides, with a known problem, and the suite is set as it may be."""
        __tracebackhide__ = True
        hearing = Hearing(self, DECLARES, one_sentence(type(self).test_declares_what_it_is.__doc__))
        if self.misdeclared is not None:
            raise hearing.broken(self.misdeclared)

    @pytest.mark.parametrize("edge", EDGES)
    def test_copes_with(self, edge: str) -> None:
        """Every instance that it admits is played to the end, without an exception of its own."""
        __tracebackhide__ = True
        ask_if_declared(self)
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
    def test_does_not_go_by_names(self, instance: Instance) -> Fault | None:
        """The same jobs under other ids get the same decisions: an id is a name, and no place, time or number."""
        first = self._play(instance)
        for other in renamed(instance):
            found = list(run_differences(first, replace(self._play(other), instance=instance)))
            if found:
                got = f"{found[0]}, with ids {listed_ids(other)}"
                return Fault("the same run under other ids", got, instance)
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
        spent = overspent(run, position)
        return Fault(f"at most {run.epsilon} of it rejected, which is {spent.most}", spent.got, instance)

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
        run, unit = self._play(instance), TRACKS[self.of].unit(instance)
        try:
            found, again = self._own_bound(run), self._own_bound(reopen_run(certify(run, Algorithm).document))
            TRACKS[run.problem].ledger(run, self._kind, Fraction(0), optimum / unit)
        except FalseClaim as false:
            return Fault("a witness that shows what it says, or None", str(false), instance)
        except InvalidInput as refused:
            return fault_of(refused, instance)
        if (found and found.document()) != (again and again.document()):
            return Fault("the same witness from the certificate alone", "another one", instance)
        if found is None:
            return None
        if found.value * unit > optimum:
            return Fault(f"a bound of at most T* = {exact.text(optimum)}", exact.text(found.value * unit), instance)
        return self._checked(certify_bounds(instance, run.problem, [found]), instance)

    @law(lambda self: self.instances())
    def test_finds_a_guess(self, instance: Instance) -> Fault | None:
        """Guess and double comes to an end, with guesses that grow; whoever takes no guess has none."""
        self._admitted(instance)
        fault = self._refusal(instance, GUESSES)
        if fault is not None:
            return fault
        run = self._play(instance)
        guesses = [phase.guess for phase in run.phases]
        known = [one for one in guesses if one is not None]
        if self._kind.takes_guess and (len(known) < len(guesses) or known != sorted(set(known))):
            return Fault("guesses that grow from phase to phase", _guesses(run), instance)
        if not self._kind.takes_guess and known:
            return Fault("no guess, as takes_guess is False", _guesses(run), instance)
        return None

    @law(lambda self: st.tuples(self.planted(), st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(7, 3)])))
    def test_takes_a_guess(self, case: tuple[tuple[Instance, Fraction], Fraction]) -> Fault | None:
        """With a known guess, whole or not, below T* or above, the run has that guess alone and is certified."""
        (instance, optimum), factor = case
        if not self._kind.takes_guess:
            raise NotAsked("it takes no guess")
        self._play(instance)
        unit, guess = TRACKS[self.of].unit(instance), factor * optimum
        try:
            run = self._made(instance, guess / unit)
        except InvalidInput as refused:
            return fault_of(refused, instance)._replace(expected=f"a run with the guess {exact.text(guess)}")
        if {phase.guess for phase in run.phases} - {guess / unit}:
            return Fault(f"the guess {exact.text(guess)} in every phase", _guesses(run), instance)
        return self._checked(certify(run, Algorithm).document, instance)

    @law(lambda self: self.planted(), known=lambda self: () if self.ratio is None else self.misleading())
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


def _guesses(run: Run) -> str:
    """In the units of the input."""
    unit = TRACKS[run.problem].unit(run.instance)
    return ", ".join("none" if one.guess is None else exact.text(one.guess * unit) for one in run.phases)
