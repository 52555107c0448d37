"""The corpora by problem, and the tasks of an audit. A problem joins with one entry."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from certify.audit import load_jobs, speed_jobs, unit_jobs, weighted_jobs
from certify.audit.case import Case, Task
from certify.audit.speed_runs import PoissonArrivals, SpeedRuns
from certify.audit.subject import Subject
from certify.audit.track_runs import TrackRuns
from certify.claims.claim import Claim
from online.errors import InvalidInput, Problem

CORPORA: dict[str, Subject] = {
    subject.name: subject
    for subject in (
        TrackRuns("max-flow", unit_jobs.FAMILIES_OF_UNIT_JOBS, unit_jobs.exact),
        TrackRuns("load", load_jobs.FAMILIES_OF_LOAD, load_jobs.exact),
        *(
            TrackRuns(problem, weighted_jobs.families(problem), weighted_jobs.exact_for(problem))
            for problem in ("weighted", "two-weights", "stretch")
        ),
        SpeedRuns("energy", speed_jobs.FAMILIES_WITH_SPEEDS),
        PoissonArrivals("stochastic", speed_jobs.FAMILIES_OF_LOADS),
    )
}
"""What each problem's ledger is audited on."""


def corpus_of(problem: str) -> Subject:
    """Raises: `InvalidInput` for a problem without a corpus."""
    if problem not in CORPORA:
        known = ", ".join(CORPORA)
        raise InvalidInput(Problem("audit", "no corpus", problem, f"one of {known}", "give it an entry in CORPORA"))
    return CORPORA[problem]


def place_of(task: Task) -> tuple[int, ...]:
    """Where a task stands in the order of all tasks."""
    names = [family.name for family in corpus_of(task.problem).families]
    return list(CORPORA).index(task.problem), names.index(task.family), task.number


def case_of(seed: int, task: Task) -> Case:
    """The case of a task: a function of the seed and the task's name."""
    family = next(one for one in corpus_of(task.problem).families if one.name == task.family)
    return family.make(task.dice(seed), task.number)


def tasks(problems: Iterable[str], instances: int) -> list[Task]:
    """So many tasks, in order: all fixed cases and generated ones dealt evenly; or, of too many, every k-th fixed one.

    >>> [str(task) for task in tasks(["load"], 3)]
    ['load/tiny/0', 'load/tiny/46', 'load/tiny/93']
    """
    of = [(problem, family) for problem in problems for family in corpus_of(problem).families]
    found = [Task(problem, one.name, k) for problem, one in of for k in range(one.count or 0)]
    if instances <= len(found):
        return [found[k * len(found) // instances] for k in range(instances)]
    open_ones = [(problem, one.name) for problem, one in of if one.count is None]
    missing = instances - len(found)
    for number, (problem, name) in enumerate(open_ones):
        share = (missing - number + len(open_ones) - 1) // len(open_ones)
        found += [Task(problem, name, k) for k in range(share)]
    return sorted(found, key=place_of)


@cache
def claims_of(problem: str) -> tuple[Claim[Any], ...]:
    """Every claim of the ledger of a problem, in its order."""
    return corpus_of(problem).claims()
