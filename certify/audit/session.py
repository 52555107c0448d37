"""An audit from its plan to its report: here or elsewhere, from the start or from a journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from certify.audit.counterexample import findings
from certify.audit.journal import Journal
from certify.audit.plan import Plan, chunks
from certify.audit.report import Report
from certify.audit.tally import Tally
from certify.audit.workers import Chunk, Finished, Workers, here
from certify.claims.claim import Verdict
from certify.problems.track import Tell, silent

Doing = Callable[[Sequence[Chunk]], Iterator[Finished]]


def local(plan: Plan, workers: int) -> Doing:
    """In this process, or in several."""
    return (lambda chunks: here(plan, chunks)) if workers == 1 else Workers(plan, workers).finished


def audit(
    plan: Plan,
    doing: Doing,
    journal: Journal | None = None,
    *,
    tell: Tell = silent,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Do what is not yet in the journal, record it there as it is finished, and sum up.

    Claim: the report is a function of the plan and of the code, whatever does the work and in whatever order.
    """
    tally = Tally() if journal is None else journal.tally
    finished = set() if journal is None else journal.finished
    count = len(finished)
    tell("measuring the claims")
    for one in doing(chunks([task for task in plan.tasks() if str(task) not in finished])):
        if journal is None:
            tally.add(one.found)
        else:
            journal.record(one.names, one.found)
        count += len(one.names)
        if progress is not None:
            progress(count)
    return _with_counterexamples(Report(plan, tally, {}), tell)


def _with_counterexamples(report: Report, tell: Tell) -> Report:
    """One for each claim that fails: from the smallest instance on which it did."""
    failing = {}
    for row in report.rows():
        seen = row.best(Verdict.FAILS)
        if seen is not None:
            failing[seen[0], row.claim.id] = seen[1]
    return Report(report.plan, report.tally, findings(report.plan.seed, failing, tell))


def journal_of(out: str, plan: Plan, *, resume: bool) -> Journal:
    """The journal beside the file that the report goes to."""
    path = Path(out + ".journal")
    return Journal.resume(path, plan) if resume else Journal.begin(path, plan)
