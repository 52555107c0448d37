"""Our policies with speeds keep the laws that a third party's inherit; broken ones break their own law alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from certify.testing.laws import LawBroken
from certify.testing.policy_conformance import SERVED, PolicyConformance
from online.instance import Job
from online.speed.policy import POLICIES, Server, SpeedPolicy

for _name in POLICIES:
    _title = f"Test{_name.title().replace('-', '')}"
    globals()[_title] = type(_title, (PolicyConformance,), {"policy": _name, "examples": 3, "__module__": __name__})


class NoPolicy:
    """Not even a subclass."""


class ByChance(SpeedPolicy):
    dice = Random()

    def order(self, job: Job, left: Fraction) -> Any:
        return self.dice.random()


class Astray(SpeedPolicy):
    migrates = False

    def route(self, job: Job, servers: Sequence[Server]) -> int:
        return 1 if job.size > 1 else 0


class Lazy(SpeedPolicy):
    """Divides by the number of servers less one."""

    def dial(self, jobs: int, servers: int) -> Fraction:
        return Fraction(1, servers - 1)


class Remembering(SpeedPolicy):
    """The longest first in every other run."""

    runs = 0

    def __init__(self, setting: Any) -> None:
        super().__init__(setting)
        type(self).runs += 1

    def order(self, job: Job, left: Fraction) -> Any:
        return -left if self.runs % 2 else left


class Keyed(SpeedPolicy):
    """The largest id first."""

    def order(self, job: Job, left: Fraction) -> Any:
        return -len(str(job.id)), -int(str(job.id).split()[-1])


class Peeking(SpeedPolicy):
    """Speeds of a whole instance, as the one before ended."""

    def dial(self, jobs: int, servers: int) -> Fraction:
        count = next(f.f_locals["instance"].n for f in _frames() if "instance" in f.f_locals)
        return Fraction(count)


def _frames() -> Any:
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        yield frame


BROKEN: dict[type, dict[str, str]] = {
    SpeedPolicy: {},
    NoPolicy: {"declares what it is": "expected  a subclass of online.speed.policy.SpeedPolicy"},
    ByChance: {"is deterministic": "expected  the same"},
    Remembering: {"is deterministic": "got  .*one that costs .* instead of"},
    Astray: {"routes to a server that is there": "expected  a server's number, from 0 to 0\n .*: route.. returned 1"},
    Lazy: {"copes with one machine": "got .*in dial.1, 1.: ZeroDivisionError.*\n .*at  .*, in dial: return Fraction"},
    Keyed: {"does not go by names": "got .*one that costs .* instead of .*, with ids 2, 1"},
    Peeking: {"is online": "expected  before .*, without job .: from 0 to .* job 1 at dial .*\n .*got .*from 0 to"},
}


def breaches(policy: object, **chosen: object) -> dict[str, str]:
    """The laws that are broken, and what is said of each."""
    kind = type("TestIt", (PolicyConformance,), {"policy": policy, "examples": 8, **chosen})
    tests = [(name, ()) for name in dir(kind) if name.startswith("test_") and name != "test_copes_with"]
    found = {}
    for name, given in [*tests, *(("test_copes_with", (edge,)) for edge in SERVED)]:
        try:
            getattr(kind(), name)(*given)
        except LawBroken as told:
            found[" ".join([name.removeprefix("test_").replace("_", " "), *given])] = str(told)
        except pytest.skip.Exception:
            continue
    return found


@pytest.mark.parametrize("policy", BROKEN, ids=lambda one: one.__name__)
def test_each_breaks_its_own_law_alone(policy: type) -> None:
    """With its name, that of the law, what was expected, what was got."""
    found = breaches(policy)
    assert list(found) == list(BROKEN[policy])
    for name, said in found.items():
        assert re.search(f":{policy.__name__}( at P.s. = s.2)? breaks the law {name!r}", said)
        assert re.search(BROKEN[policy][name], said), said


MISSET: dict[str, tuple[dict[str, Any], str]] = {
    "a name": ({"policy": "nope"}, "expected  one of srpt.*\n .*got  .*policy: 'nope'"),
    "no class": ({"policy": 3}, "expected  a subclass of .*\n .*got  .*policy: "),
    "power": ({"power": "s^x"}, "got  .*power"),
    "a number": ({"power": 2}, "got  .*power: 2, a int"),
    "an option": ({"options": {"zz": 1}}, "expected  options kappa.*\n .*got  .*options: zz = 1"),
    "its value": ({"options": {"kappa": 0}}, "expected  .*\n .*got .*0"),
    "a float": ({"options": {"kappa": 0.5}}, "got  .*option kappa: the binary float 0.5"),
    "examples": ({"examples": 0}, "got  .*examples: 0"),
}


@pytest.mark.parametrize("what", MISSET)
def test_settings_that_mean_nothing_break_one_law_alone(what: str) -> None:
    """The one that asks what the class declares; it names the attribute, and the others are not asked."""
    chosen, words = MISSET[what]
    found = breaches(**{"policy": "srpt", **chosen})
    assert list(found) == ["declares what it is"]
    assert re.search(words, found["declares what it is"]), found


def test_a_policy_is_needed() -> None:
    """Told by the name of the attribute."""
    with pytest.raises(LawBroken, match=r"got  .*policy: nothing"):
        type("TestIt", (PolicyConformance,), {})().test_declares_what_it_is()
