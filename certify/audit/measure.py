"""One task of an audit: what the ledgers of all its runs say."""

from __future__ import annotations

from certify.audit.case import Task
from certify.audit.corpus import case_of, corpus_of, place_of
from certify.audit.tally import KEPT, Sight, Tally
from certify.claims.claim import Verdict
from online.errors import told

WORST_FIRST = list(Verdict)


def done(seed: int, task: Task, wanted: frozenset[str]) -> Tally:
    """What the ledgers of all runs of a task say about the `wanted` claims: the worst verdict of each.

    Whatever goes wrong is recorded under the task's name, so that no audit is silently smaller than it says.
    """
    try:
        return _done(seed, task, wanted)
    except Exception as failed:
        return Tally(lost={str(task): told(failed)})


def _done(seed: int, task: Task, wanted: frozenset[str]) -> Tally:
    case, subject = case_of(seed, task), corpus_of(task.problem)
    tally = Tally()
    tally.instances[f"{task.problem}/{task.family}"] = 1
    worst: dict[str, Verdict] = {}
    known = subject.known(case)
    for number, setting in enumerate(case.settings):
        entries, accepted = subject.measured(case, setting, known)
        tally.runs[task.problem] += accepted is not None
        if accepted is False:
            tally.refused.append(f"{task}, run {number + 1}")
        where = place_of(task), str(task), number, subject.enough(setting, known), case.instance.n
        for entry in entries:
            id = entry.claim.id
            if id in wanted:
                worst[id] = min(worst.get(id, Verdict.VACUOUS), entry.verdict, key=WORST_FIRST.index)
                if entry.verdict in KEPT:
                    tally.line(task.problem, id).keep(entry.verdict, Sight.of(entry, *where))
    for id, verdict in worst.items():
        tally.line(task.problem, id).counts[verdict] += 1
    return tally
