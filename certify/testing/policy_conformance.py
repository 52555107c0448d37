"""What every online policy with speeds owes: a suite of laws to inherit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import pytest
from hypothesis import strategies as st

from certify import check
from certify.energy_build import certify_run
from certify.testing.edges import EDGES, edge_instances
from certify.testing.laws import Fault, Hearing, NotAsked, law, one_sentence, reasons
from certify.testing.strategies import ENERGY, instances
from online.errors import InvalidInput
from online.exact import Number
from online.instance import Instance
from online.speed.policy import SpeedPolicy, find_policy
from online.speed.power import Power
from online.speed.power_text import read_power
from online.speed.simulation import SpeedRun, simulate
from online.speed.trajectory import Trajectory
from online.validate import rational

SERVED = tuple(edge for edge in EDGES if edge not in ("one eligible machine a job", "huge weights"))
"""Kinds of instances for servers on which every job may run."""

MOST_JOBS = 4
"""Exact times grow with every event."""

ROUTES = "routes to a server that is there"
COPES = "copes with"

Share = tuple[str, str, tuple[tuple[int, str], ...]]
"""Start and end of a stretch, and who runs at which dial."""


class PolicyConformance:
    """Laws that a policy with speeds keeps; subclass it in a test file as `class TestMine(PolicyConformance)`.

    Set `policy` (a class, or its name), and if need be `power` and `options`.

    >>> class TestFifo(PolicyConformance):
    ...     policy, power, examples = "fifo", "s^3", 5
    >>> TestFifo().test_is_online()
    """

    policy: ClassVar[str | type[SpeedPolicy]]
    power: ClassVar[str | Power] = "s^2"
    options: ClassVar[Mapping[str, Number]] = {}
    examples: ClassVar[int] = 20

    def instances(self) -> st.SearchStrategy[Instance]:
        """The instances that the laws are asked on; jobs may run everywhere."""
        return instances(ENERGY)

    def heading(self) -> str:
        """Who is tried, and how."""
        known = "".join(f", {key} {value}" for key, value in sorted(self._known.items()))
        name = self.policy if isinstance(self.policy, str) else f"{self.policy.__module__}:{self.policy.__qualname__}"
        return f"{name} at P(s) = {self._power}{known}"

    def steady(self, instance: Instance) -> bool:
        """Whether the schedule of an instance is the same again and again."""
        first = self._play(instance)
        return all(_shares(self._play(instance)) == _shares(first) for _ in range(3))

    def test_declares_what_it_is(self) -> None:
        """It is a subclass of SpeedPolicy, and takes the options that are set."""
        __tracebackhide__ = True
        hearing = Hearing(self, "declares what it is", one_sentence(type(self).test_declares_what_it_is.__doc__))
        try:
            kind = find_policy(self.policy) if isinstance(self.policy, str) else self.policy
        except InvalidInput as refused:
            raise hearing.broken(Fault(refused.problems[0].expected, refused.problems[0].got)) from None
        if not (isinstance(kind, type) and issubclass(kind, SpeedPolicy)):
            raise hearing.broken(Fault("a subclass of online.speed.policy.SpeedPolicy", repr(kind)))
        unknown = sorted(set(self.options) - set(kind.options))
        if unknown:
            raise hearing.broken(Fault(f"options {', '.join(kind.options) or 'none'}", ", ".join(unknown)))

    @pytest.mark.parametrize("edge", SERVED)
    def test_copes_with(self, edge: str) -> None:
        """Every instance is played to the end, without an exception of its own."""
        __tracebackhide__ = True
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
                got = f"{words} one that costs {again.cost} instead of {first.cost}"
                return Fault("the same schedule again", got, instance)
            self._play(other)
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
                expected = f"before tick {now}, without job {instance.ids[count]!r}: {before}"
                return Fault(expected, str(after), instance)
        return None

    @law(lambda self: self.instances())
    def test_does_all_the_work(self, instance: Instance) -> Fault | None:
        """Each job does its size in work, and its servers never stop before."""
        work = self._play(instance).work
        if work == instance.size.tolist():
            return None
        return Fault(f"work {instance.size.tolist()}", str([str(one) for one in work]), instance)

    @law(lambda self: self.instances())
    def test_is_certified(self, instance: Instance) -> Fault | None:
        """The checker accepts a certificate of the schedule and of what it costs."""
        self._play(instance)
        verdict = check.check_document(certify_run(self._made(instance), None, None, None))
        if verdict.verdict == "accepted":
            return None
        return Fault("accepted", f"{verdict.verdict}: {'; '.join(map(str, verdict.failed))}", instance)

    @cached_property
    def _power(self) -> Power:
        return read_power(self.power) if isinstance(self.power, str) else self.power

    @property
    def _known(self) -> dict[str, Fraction]:
        return {key: rational(value, f"option {key}") for key, value in self.options.items()}

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
            problem = refused.problems[0]
            return Fault(problem.expected, f"{problem.place}: {problem.got}", instance)
        return None


def _law_of(refused: InvalidInput) -> str:
    return ROUTES if reasons(refused) == "unknown server" else COPES


def _shares(run: Trajectory, until: int | None = None) -> list[Share]:
    """Who runs when, up to a time; stretches in which nothing changes are one."""
    found: list[tuple[Fraction, Fraction, tuple[tuple[int, Fraction], ...]]] = []
    for start, end, running in run.segments:
        stop = end if until is None else min(end, Fraction(until))
        if start >= stop or not running:
            continue
        if found and found[-1][1:] == (start, running):
            start = found.pop()[0]
        found.append((start, stop, running))
    return [(str(a), str(b), tuple((job, str(dial)) for job, dial in running)) for a, b, running in found]
