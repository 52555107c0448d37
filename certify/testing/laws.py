"""Laws that a class inherits as tests: drawn instances, a smallest one that breaks the law, and reasons by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, example, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, Unsatisfiable

from certify.testing.artifacts import brief
from certify.testing.traced import own_line
from online.errors import InvalidInput
from online.instance import Instance

DECLARES = "declares what it is"
"""The law that bad settings break too."""


class Fault(NamedTuple):
    """What a law expects, what came instead, on which instance, and at which line of somebody's code."""

    expected: str
    got: str
    instance: Instance | None = None
    at: str | None = None


class LawBroken(AssertionError):
    """A law does not hold for somebody's class; the message names the law, both sides and the instance."""


class NotAsked(Exception):
    """The law says nothing here, because another one is broken here; `law` is its name."""

    def __init__(self, law: str) -> None:
        self.law = law
        super().__init__(law)


class Subject(Protocol):
    """A class under test: how it is called, and how many instances are tried for a law."""

    @property
    def examples(self) -> int: ...

    @property
    def misdeclared(self) -> Fault | None: ...

    def heading(self) -> str: ...

    def steady(self, instance: Instance) -> bool: ...


SuiteT = TypeVar("SuiteT", bound=Subject)
CaseT = TypeVar("CaseT")


class Hearing:
    """One law, asked on many cases."""

    def __init__(self, suite: Subject, name: str, sentence: str, *, steady: bool = True) -> None:
        self.suite, self.name, self.sentence, self.steady = suite, name, sentence, steady
        self.asked, self.others = 0, set[str]()

    def hear(
        self,
        cases: st.SearchStrategy[CaseT],
        check: Callable[[CaseT], Fault | None],
        known: Sequence[CaseT] = (),
    ) -> None:
        """Find a case on which the law is broken: the first of the known ones, else a smallest one.

        The test is skipped if the law was not asked even once, with the names of the laws that are in the way.

        Raises: `LawBroken`.
        """
        __tracebackhide__ = True

        @_many(self.suite.examples)
        @given(cases)
        def trial(case: CaseT) -> None:
            self._ask(case, check)

        for case in reversed(known):
            trial = example(case)(trial)
        try:
            trial()
        except LawBroken as broken:
            raise LawBroken(*broken.args) from None
        except Flaky as flaky:
            self._not_the_same_again(flaky)
        except Unsatisfiable:
            self.others.add("no instance of this kind can be drawn")
        if not self.asked:
            pytest.skip(f"not asked: {', '.join(sorted(self.others))}")

    def _ask(self, case: CaseT, check: Callable[[CaseT], Fault | None]) -> None:
        try:
            fault = check(case)
        except NotAsked as other:
            self.others.add(other.law)
            return
        self.asked += 1
        if fault is not None and self._to_blame(fault):
            raise self.broken(fault)

    def _to_blame(self, fault: Fault) -> bool:
        """Who decides by chance breaks that law alone."""
        try:
            if not self.steady or fault.instance is None or self.suite.steady(fault.instance):
                return True
        except NotAsked:  # there is no run that could be another one the next time
            return True
        self.others.add("it decides otherwise when asked again")
        return False

    def _not_the_same_again(self, flaky: Flaky) -> None:
        __tracebackhide__ = True
        if self.steady:
            pytest.skip("not asked: it decides otherwise when asked again")
        expected, got = "the same decisions for the same input", "others when it was asked again"
        raise self.broken(Fault(expected, got)) from None

    def broken(self, fault: Fault) -> LawBroken:
        """The message: who, which law, what was expected, what was got, where."""
        return breach(self.suite.heading(), self.name, self.sentence, fault)


def breach(heading: str, name: str, sentence: str, fault: Fault) -> LawBroken:
    """The failure of a test."""
    lines = [
        f"{heading} breaks the law {name!r}",
        f"law       {sentence}",
        f"expected  {fault.expected}",
        f"got       {fault.got}",
    ]
    if fault.at is not None:
        lines.append(f"at        {fault.at}")
    if fault.instance is not None:
        lines.append(f"instance  {brief(fault.instance)}")
    return LawBroken("\n  ".join(lines))


def fault_of(refused: InvalidInput, instance: Instance | None = None) -> Fault:
    """What somebody's class did, where, as a refusal tells it."""
    problem = refused.problems[0]
    place = problem.place
    if problem.reason.startswith("failed in "):
        place = problem.reason.removeprefix("failed ")
    at = None if refused.__cause__ is None else own_line(refused.__cause__)
    return Fault(problem.expected, f"{place}: {problem.got}", instance, at)


def ask_if_declared(suite: Subject) -> None:
    """Skip a law where the settings are not such that it can be asked."""
    if suite.misdeclared is not None:
        pytest.skip(f"not asked: it breaks the law {DECLARES!r}")


def _many(examples: int) -> settings:
    """The same cases every time, quietly."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


def law(
    cases: Callable[[Any], st.SearchStrategy[Any]],
    *,
    steady: bool = True,
    known: Callable[[Any], Sequence[Any]] = lambda suite: (),
) -> Callable[[Callable[[Any, Any], Fault | None]], Callable[[Any], None]]:
    """Make a test of a method that looks at one case and returns a fault, or None.

    `cases` gives the strategy, and `known` what is tried before, from the class under test. With `steady`, a fault
    counts only if the class decides the same again, so that chance is blamed by its own law.
    """

    def made(check: Callable[[Any, Any], Fault | None]) -> Callable[[Any], None]:
        name, sentence = check.__name__.removeprefix("test_").replace("_", " "), one_sentence(check.__doc__)

        def test(self: Any) -> None:
            __tracebackhide__ = True
            ask_if_declared(self)
            hearing = Hearing(self, name, sentence, steady=steady)
            hearing.hear(cases(self), lambda case: check(self, case), known(self))

        test.__name__, test.__qualname__, test.__doc__ = check.__name__, check.__qualname__, check.__doc__
        test.__module__ = check.__module__
        return test

    return made


def one_sentence(text: str | None) -> str:
    """A docstring's first paragraph, on one line."""
    return " ".join((text or "").split("\n\n")[0].split())


def reasons(refused: InvalidInput) -> str:
    """The reason of a refusal."""
    return refused.problems[0].reason if refused.problems else ""
