"""What every online policy with speeds owes: a suite of laws to inherit."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import pytest
from hypothesis import strategies as st

from certify import check
from certify.energy_build import certify_run
from certify.testing.differ import in_words
from certify.testing.edges import EDGES, edge_instances
from certify.testing.laws import (
    DECLARES,
    Fault,
    Hearing,
    NotAsked,
    ask_if_declared,
    fault_of,
    law,
    one_sentence,
    reasons,
)
from certify.testing.names import listed_ids, renamed
from certify.testing.settings import check_examples, check_options, check_values, needed
from certify.testing.strategies import ENERGY, instances
from certify.testing.subject import Subject
from online import exact
from online.errors import InvalidInput, Problem, typed
from online.instance import Instance
from online.rows import Row
from online.speed.policy import SpeedPolicy, policy_class
from online.speed.power import Power
from online.speed.power_text import read_power
from online.speed.simulation import SpeedRun, simulate
from online.speed.trajectory import Trajectory

SERVED = tuple(edge for edge in EDGES if edge not in ("one eligible machine a job", "huge weights"))
"""Kinds of instances for servers on which every job may run."""

MOST_JOBS = 4
"""Exact times grow with every event."""

ROUTES = "routes to a server that is there"
COPES = "copes with"

Share = tuple[Fraction, Fraction, tuple[tuple[int, Fraction], ...]]
"""Start and end of a stretch, and who runs at which dial."""


class PolicyConformance(Subject):
    """Laws that a policy with speeds keeps; subclass it in a test file as `class TestMine(PolicyConformance)`.

    Set `policy` (a class, or its name), and if need be `power` and `options`.

    >>> class TestFifo(PolicyConformance):
    ...     policy, power, examples = "fifo", "s^3", 5
    >>> TestFifo().test_is_online()
    """

    role = "policy"
    policy: ClassVar[str | type[SpeedPolicy]]
    power: ClassVar[str | Power] = "s^2"
    examples: ClassVar[int] = 20

    def instances(self) -> st.SearchStrategy[Instance]:
        """The instances that the laws are asked on; jobs may run everywhere."""
        return instances(ENERGY)

    def _title(self) -> str:
        return f"{policy_class(self.policy)[1]} at P(s) = {self._power}"

    def _check_settings(self) -> None:
        """Raises: `InvalidInput` naming the attribute."""
        needed(self, "policy", "a subclass of online.speed.policy.SpeedPolicy, or its name")
        kind, _ = policy_class(self.policy, "policy")
        check_options(self.options)
        if not isinstance(self._power, Power):
            expected = "a power function, or one as text"
            raise InvalidInput(Problem("power", "of another type", typed(self._power), expected, "correct power"))
        for key, value in self._known.items():
            if key not in kind.options or value < 0:
                expected = f"options {', '.join(kind.options) or 'none'}, not negative"
                raise InvalidInput(Problem("options", "bad option", f"{key} = {value}", expected, "correct options"))
        check_examples(self.examples)
        check_values(lambda: self._made(Instance.from_rows(1, [Row(1, 0, 1)])))

    def steady(self, instance: Instance) -> bool:
        """Whether the schedule of an instance is the same again and again."""
        first = self._play(instance)
        return all(_shares(self._play(instance)) == _shares(first) for _ in range(3))

    def test_declares_what_it_is(self) -> None:
        """It is a subclass of SpeedPolicy, takes the options that are set, and the suite is set as it may be."""
        __tracebackhide__ = True
        hearing = Hearing(self, DECLARES, one_sentence(type(self).test_declares_what_it_is.__doc__))
        if self.misdeclared is not None:
            raise hearing.broken(self.misdeclared)

    @pytest.mark.parametrize("edge", SERVED)
    def test_copes_with(self, edge: str) -> None:
        """Every instance is played to the end, without an exception of its own."""
        __tracebackhide__ = True
        ask_if_declared(self)
        sentence, cases = one_sentence(type(self).test_copes_with.__doc__), edge_instances(ENERGY, edge, MOST_JOBS)
        assert cases is not None
        Hearing(self, f"{COPES} {edge}", sentence).hear(cases, lambda case: self._refusal(case, COPES))

    @law(lambda self: self.instances())
    def test_routes_to_a_server_that_is_there(self, instance: Instance) -> Fault | None:
        """A job goes to a server from 0 on, as a Python int."""
        return self._refusal(instance, ROUTES)

    @law(lambda self: st.tuples(self.instances(), self.instances()), steady=False)
    def test_is_deterministic(self, pair: tuple[Instance, Instance]) -> Fault | None:
        """The same instance gives the same schedule: at once, and after another instance was played in between."""
        instance, other = pair
        first = self._play(instance)
        for words in ("the second time", "after another instance"):
            again = self._play(instance)
            if _shares(again) != _shares(first):
                got = f"{words} one that costs {_cost(again)} instead of {_cost(first)}"
                return Fault("the same schedule again", got, instance)
            self._play(other)
        return None

    @law(lambda self: self.instances())
    def test_does_not_go_by_names(self, instance: Instance) -> Fault | None:
        """The same jobs under other ids are run alike: an id is a name, and no place, time or number."""
        first = self._play(instance)
        for other in renamed(instance):
            again = self._play(other)
            if _shares(again) != _shares(first):
                got = f"one that costs {_cost(again)} instead of {_cost(first)}, with ids {listed_ids(other)}"
                return Fault("the same schedule under other ids", got, instance)
        return None

    @law(lambda self: self.instances())
    def test_is_online(self, instance: Instance) -> Fault | None:
        """Who runs, and how fast, before a job is released does not depend on that job or later ones."""
        whole = self._play(instance)
        for count in range(1, instance.n):
            now = int(instance.release[count])
            before = _shares(self._play(instance.restrict([j < count for j in range(instance.n)])), now)
            after = _shares(whole, now)
            if before != after:
                known, time = instance.ids[count], exact.text(now * instance.tick)
                expected = f"before {time}, without job {known!r}: {_told(before, instance)}"
                return Fault(expected, _told(after, instance), instance)
        return None

    @law(lambda self: self.instances())
    def test_does_all_the_work(self, instance: Instance) -> Fault | None:
        """Each job does its size in work, and its servers never stop before."""
        for job, work in zip(instance.jobs(), self._play(instance).work, strict=True):
            if work != job.size:
                done, size = (exact.text(one * instance.tick) for one in (work, job.size))
                return Fault(f"{size} of work for job {job.id!r}", done, instance)
        return None

    @law(lambda self: self.instances())
    def test_is_certified(self, instance: Instance) -> Fault | None:
        """The checker accepts a certificate of the schedule and of what it costs."""
        self._play(instance)
        verdict = check.check_document(certify_run(self._made(instance), None, None, None))
        if verdict.verdict == "accepted":
            return None
        failed = "; ".join(in_words(str(one), instance) for one in verdict.failed)
        return Fault("accepted", f"{verdict.verdict}: {failed}", instance)

    @cached_property
    def _power(self) -> Power:
        return read_power(self.power, "power") if isinstance(self.power, str) else self.power

    def _made(self, instance: Instance) -> SpeedRun:
        return simulate(instance, self._power, self.policy, options=self._known, grid=None, bits=8)

    def _play(self, instance: Instance) -> Trajectory:
        """Raises: `NotAsked` where there is no schedule."""
        try:
            return self._made(instance).trajectory
        except InvalidInput as refused:
            raise NotAsked(f"it breaks the law {_law_of(refused)!r}") from None

    def _refusal(self, instance: Instance, name: str) -> Fault | None:
        try:
            self._made(instance)
        except InvalidInput as refused:
            if _law_of(refused) != name:
                raise NotAsked(f"it breaks the law {_law_of(refused)!r}") from None
            return fault_of(refused, instance)
        return None


def _law_of(refused: InvalidInput) -> str:
    return ROUTES if reasons(refused) in ("unknown server", "routed by something that is no int") else COPES


def _cost(run: Trajectory) -> str:
    """In the units of the input."""
    return exact.text(run.cost * run.instance.tick)


def _told(shares: list[Share], instance: Instance) -> str:
    """Who runs when at which dial, in the units of the input."""
    lines = []
    for start, end, running in shares:
        dials = ", ".join(f"job {instance.ids[job]!r} at dial {exact.text(dial)}" for job, dial in running)
        lines.append(f"from {exact.text(start * instance.tick)} to {exact.text(end * instance.tick)} {dials}")
    return "; ".join(lines) or "nothing"


def _shares(run: Trajectory, until: int | None = None) -> list[Share]:
    """Who runs when, up to a time; stretches in which nothing changes are one."""
    found: list[Share] = []
    for start, end, running in run.segments:
        stop = end if until is None else min(end, Fraction(until))
        if start >= stop or not running:
            continue
        if found and found[-1][1:] == (start, running):
            start = found.pop()[0]
        found.append((start, stop, running))
    return found
