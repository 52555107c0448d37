"""One task of an audit: play, certify, check, and read the ledger."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from certify import check
from certify.audit.case import Case, Setting, Task
from certify.audit.corpus import CORPORA, case_of, place_of
from certify.audit.tally import KEPT, Sight, Tally
from certify.build import certify
from certify.claims.claim import Entry, Verdict
from certify.problems.registry import TRACKS
from online.algorithm import Algorithm, find
from online.errors import told
from online.instance import Instance
from online.play import play

WORST_FIRST = list(Verdict)

find_once = cache(find)


class Measured(NamedTuple):
    """One run: its ledger, and whether its certificate was accepted."""

    entries: list[Entry]
    accepted: bool


def between(problem: str, case: Case) -> tuple[Fraction | None, Fraction]:
    """T* if it is known, and the least value known to be at least T*; in ticks, times the unit of the weights."""
    known = CORPORA[problem].exact(case.instance) if case.optimum is None else case.optimum
    return known, TRACKS[problem].upper(case.instance) if known is None else known


def measured(problem: str, instance: Instance, setting: Setting, known: Fraction | None, upper: Fraction) -> Measured:
    """One run of an instance whose optimum is `known`, or at most `upper`."""
    track = TRACKS[problem]
    name = setting.algorithm or track.default_algorithm(instance)
    algorithm: type[Algorithm] = find_once(name)
    guess, options = setting.value(upper), dict(setting.options)
    run = play(instance, algorithm, setting.epsilon, guess=guess, name=name, options=options)
    certified = certify(run, algorithm)
    assert certified.bound is not None
    lower = certified.bound.value if known is None else known
    verdict = check.check_document(certified.document).verdict
    return Measured(track.ledger(run, algorithm, lower, upper), verdict == "accepted")


def done(seed: int, task: Task, wanted: frozenset[str]) -> Tally:
    """What the ledgers of all runs of a task say about the `wanted` claims: the worst verdict of each.

    Whatever goes wrong is recorded under the task's name, so that no audit is silently smaller than it says.
    """
    try:
        return _done(seed, task, wanted)
    except Exception as failed:
        return Tally(lost={str(task): told(failed)})


def _done(seed: int, task: Task, wanted: frozenset[str]) -> Tally:
    case = case_of(seed, task)
    tally = Tally()
    tally.instances[f"{task.problem}/{task.family}"] = 1
    tally.runs[task.problem] = len(case.settings)
    worst: dict[str, Verdict] = {}
    known, upper = between(task.problem, case)
    for number, setting in enumerate(case.settings):
        entries, accepted = measured(task.problem, case.instance, setting, known, upper)
        if not accepted:
            tally.refused.append(f"{task}, run {number + 1}")
        where = place_of(task), str(task), number, setting.knows(upper), case.instance.n
        for entry in entries:
            id = entry.claim.id
            if id in wanted:
                worst[id] = min(worst.get(id, Verdict.VACUOUS), entry.verdict, key=WORST_FIRST.index)
                if entry.verdict in KEPT:
                    tally.line(task.problem, id).keep(entry.verdict, Sight.of(entry, *where))
    for id, verdict in worst.items():
        tally.line(task.problem, id).counts[verdict] += 1
    return tally
