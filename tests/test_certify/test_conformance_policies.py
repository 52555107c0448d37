"""Our policies with speeds keep the laws that a third party's inherit; broken ones break their own law alone."""

from __future__ import annotations

import re
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


BROKEN: dict[type, dict[str, str]] = {
    SpeedPolicy: {},
    NoPolicy: {"declares what it is": "expected  a subclass of online.speed.policy.SpeedPolicy"},
    ByChance: {"is deterministic": "expected  the same"},
    Remembering: {"is deterministic": "got  .*one that costs .* instead of"},
    Astray: {"routes to a server that is there": "expected  a server's number\n .*job .: 1"},
    Lazy: {"copes with one machine": "ZeroDivisionError"},
}


def breaches(policy: type) -> dict[str, str]:
    """The laws that are broken, and what is said of each."""
    kind = type("TestIt", (PolicyConformance,), {"policy": policy, "examples": 8})
    tests = [(name, ()) for name in dir(kind) if name.startswith("test_") and name != "test_copes_with"]
    if policy is NoPolicy:
        tests = [("test_declares_what_it_is", ())]
    found = {}
    for name, given in [*tests, *(("test_copes_with", (edge,)) for edge in SERVED if tests[1:])]:
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
        assert f":{policy.__name__} at P(s) = s^2 breaks the law {name!r}" in said
        assert re.search(BROKEN[policy][name], said), said
