"""Runs of the problems whose jobs may be rejected: play, certify, check, and read the ledger."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from certify import check
from certify.audit.case import Case, Family, Setting
from certify.audit.subject import Measured, Subject
from certify.build import certify
from certify.claims.claim import Claim
from certify.problems.registry import TRACKS
from online import exact
from online.algorithm import Algorithm, find
from online.instance import Instance
from online.play import play

find_once = cache(find)

Exact = Callable[[Instance], Fraction | None]


class Between(NamedTuple):
    """T* if it is known, and the least value known to be at least T*; in ticks, times the unit of the weights."""

    optimum: Fraction | None
    upper: Fraction


class TrackRuns(Subject):
    """A problem of the registry; `exact` gives T* where it is quickly found, in ticks times the unit of the weights."""

    def __init__(self, name: str, families: tuple[Family, ...], exact: Exact) -> None:
        super().__init__(name, families)
        self.track, self.exact = TRACKS[name], exact

    def claims(self) -> tuple[Claim[Any], ...]:
        """Those of a run of one job."""
        instance = Instance.from_columns(1, release=[0], size=[1], eligible_set=[0], sets=[[0]])
        name = self.track.default_algorithm(instance)
        run = play(instance, find(name), Fraction(1), name=name)
        one = Fraction(1)
        return tuple(entry.claim for entry in self.track.ledger(run, find(name), one, one))

    def known(self, case: Case) -> Between:
        found = self.exact(case.instance) if case.optimum is None else case.optimum
        return Between(found, self.track.upper(case.instance) if found is None else found)

    def measured(self, case: Case, setting: Setting, known: Between) -> Measured:
        instance, options = case.instance, dict(setting.options)
        name = setting.algorithm or self.track.default_algorithm(instance)
        algorithm: type[Algorithm] = find_once(name)
        guess = setting.value(known.upper)
        run = play(instance, algorithm, setting.epsilon, guess=guess, name=name, options=options)
        certified = certify(run, algorithm)
        assert certified.bound is not None
        lower = certified.bound.value if known.optimum is None else known.optimum
        verdict = check.check_document(certified.document).verdict
        return Measured(self.track.ledger(run, algorithm, lower, known.upper), verdict == "accepted")

    def enough(self, setting: Setting, known: Between) -> bool:
        return setting.knows(known.upper)

    def words(self, instance: Instance, setting: Setting, known: Between) -> tuple[str | None, str]:
        unit, guess = self.track.unit(instance), setting.value(known.upper)
        most = "" if known.optimum is not None else "at most "
        return None if guess is None else exact.text(guess * unit), most + exact.text(known.upper * unit)
