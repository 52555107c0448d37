"""The smallest instance we find on which a claim fails as it did on a larger one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.audit.case import Case, Setting, Task
from certify.audit.corpus import case_of, corpus_of
from certify.audit.tally import Sight
from certify.claims.claim import Entry, Verdict
from certify.problems.track import Tell
from certify.search.shrink import shrink
from online import exact
from online.errors import DualfitError
from online.instance import Instance

JOBS = 200
"""Most jobs of an instance that is made smaller."""


@dataclass(frozen=True)
class Counterexample:
    """An instance, how it is run, and the two sides of the claim that fails on it.

    `guess` is T, None for guess and double; `optimum` is what is known of T* or OPT, "" if there is none.
    """

    problem: str
    found_on: str
    instance: Instance
    setting: Setting
    entry: Entry
    guess: str | None
    optimum: str
    smaller: bool

    def to_document(self) -> dict[str, Any]:
        """One JSON object; times and weights in units of the input."""
        entry = self.entry.to_document()
        return {
            "problem": self.problem,
            "found_on": self.found_on,
            "smaller": self.smaller,
            "setting": self.setting.words(),
            "guess": self.guess,
            "optimum": self.optimum,
            **{name: entry[name] for name in ("lhs", "relation", "rhs", "where")},
            "machines": self.instance.machines,
            "jobs": rows_of(self.instance),
        }


def rows_of(instance: Instance) -> list[dict[str, Any]]:
    """The jobs as dualfit's own JSON has them: machines count from 1, and all are eligible where none are named."""
    found = []
    for job in instance.jobs():
        row: dict[str, Any] = {"r": exact.text(job.release * instance.tick), "p": exact.text(job.size * instance.tick)}
        weights = {"w": job.flow_weight * instance.weight_unit, "v": job.rejection_weight * instance.weight_unit}
        row |= {name: exact.text(weight) for name, weight in weights.items() if set(weights.values()) != {Fraction(1)}}
        if len(job.eligible) < instance.machines:
            row["eligible"] = [i + 1 for i in job.eligible]
        found.append(row)
    return found


def counterexample(seed: int, claim: str, problem: str, sight: Sight, tell: Tell) -> Counterexample:
    """The instance of a sight on which the claim fails, made smaller while it fails under the same setting."""
    task = Task.of(sight.task)
    case, subject = case_of(seed, task), corpus_of(problem)
    setting = case.settings[sight.setting]

    def failing(one: Case) -> Entry | None:
        found = subject.measured(one, setting, subject.known(one))
        return next((e for e in found.entries if e.claim.id == claim and e.verdict is Verdict.FAILS), None)

    def keeps(instance: Instance) -> bool:
        try:
            return failing(Case(instance, case.settings)) is not None
        except DualfitError:
            return False

    small, few = case.instance, subject.steps and case.instance.n <= JOBS
    if few and keeps(small):
        small = shrink(small, keeps, steps=subject.steps, tell=tell)
    best = case if small is case.instance else Case(small, case.settings)
    entry = failing(best)
    assert entry is not None
    words = subject.words(small, setting, subject.known(best))
    return Counterexample(problem, sight.task, small, setting, entry, *words, small is not case.instance)


def findings(seed: int, failing: Mapping[tuple[str, str], Sight], tell: Tell) -> dict[tuple[str, str], Counterexample]:
    """A counterexample for each failing (problem, claim)."""
    found = {}
    for (problem, claim), sight in failing.items():
        tell(f"looking for a smaller counterexample to {claim}")
        found[problem, claim] = counterexample(seed, claim, problem, sight, tell)
    return found
