"""The report of an audit as a page of Markdown: the same bytes for the same report."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from certify.audit.corpus import corpus_of
from certify.audit.counterexample import Counterexample, rows_of
from certify.audit.jobs_text import job_lines
from certify.audit.plan import Plan
from certify.audit.report import Report, Row
from certify.audit.tally import Sight
from certify.claims.claim import Verdict
from certify.words import counted
from online import exact

HEADINGS = ("claim", "statement", "instances", "non-vacuous", "not met", "undecided", "failures", "tightest slack")
"""Of the tables by section; the last column is the verdict."""

VERBS = {"holds": "hold", "fails": "fail", "undecided": "undecided", "silent": "silent"}
"""The verdicts of several claims."""

WIDTH = 120

LONGEST = 24
"""Characters of a number that is shown as it is."""

INTRODUCTION = """\
Every claim of the ledgers, measured on every run of a fixed set of instances. **This is evidence, not proof**: a claim
that holds here may fail elsewhere; one that fails has a counterexample below, and a corrected claim beside it whose
proof stands in `certify/claims/`.

An instance is non-vacuous for a claim if the claim says something about a run on it and its hypothesis is met; it is
not met if the claim would say something but the hypothesis is violated, such as by a guess below the optimum; it is
undecided if the sides contradict the claim and it is not known whether the hypothesis is met. The slack is what is
left of the inequality, in the units of the instance; the tightest one is shown with the instance it was seen on."""

MAKING = """\
The same claims, instances and seed give this page byte for byte, with any number of workers and after any interruption
(`--out`, `--resume`). An instance is named problem/family/index and is a function of its name and the seed: generated
ones (`online/generate/`), all tiny ones, adversaries' games (`online/adversary/`), ones that a short search found to be
bad, ones made by hand (`certify/audit/crafted.py`, `certify/audit/speaking.py`), and windows of the bundled trace.
Most are run with two or three guesses: doubling, T = T*, below or above. Every run is certified, and the certificate
checked. Where T* is not known for certain, the least value known to be at least T* stands in for it as a guess.

For flow time plus energy (`certify/audit/speed_jobs.py`) there is neither budget nor guess. SRPT at the speeds of the
paper runs on most instances, another policy on some; up to 8 jobs the optimum is bracketed, beyond that prices along
the run bound it. The claims on Poisson arrivals are about a power function and a load: no jobs, nothing to certify."""


def markdown(report: Report) -> str:
    """The whole page."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield from ("# Audit of the claims", "", INTRODUCTION, "")
    yield from _wrapped(summary(report))
    for place, rows in report.sections().items():
        yield from (
            "",
            f"## {place}",
            "",
            measured_on(rows),
            "",
            _row((*HEADINGS, "verdict")),
            _row(["---"] * (len(HEADINGS) + 1)),
        )
        yield from (_row(cells(row)) for row in rows)
    yield from _findings(report)
    yield from _making(report)


def measured_on(rows: Sequence[Row]) -> str:
    """The problems whose ledgers have some of the claims."""
    return f"Measured on runs for: {', '.join(dict.fromkeys(problem for row in rows for problem in row.lines))}."


def summary(report: Report) -> str:
    """The audit in a few sentences."""
    words: dict[str, int] = {}
    for row in report.rows():
        words[row.verdict] = words.get(row.verdict, 0) + 1
    runs, refused = report.tally.runs.total(), len(report.tally.refused)
    accepted = f"all {counted(runs, 'certificate')}" if not refused else f"{runs - refused} of {runs} certificates"
    counts = ", ".join(f"{words[word]} {shown}" for word, shown in VERBS.items() if word in words)
    return (
        f"{counted(report.tally.instances.total(), 'instance')}, {counted(runs, 'run')}; the checker accepted "
        f"{accepted}. {counted(len(report.rows()), 'claim')}: {counts}."
    )


def numbers(row: Row) -> tuple[int, ...]:
    """Instances: all, non-vacuous, hypothesis not met, undecided, failures."""
    counts = row.counts
    return counts.total(), row.spoken, counts[Verdict.NOT_MET], counts[Verdict.UNDECIDED], counts[Verdict.FAILS]


def cells(row: Row) -> tuple[str, ...]:
    """One line of a table."""
    seen = row.best(Verdict.HOLDS)
    verdict = f"**fails**, see {row.claim.corrected_by or 'below'}" if row.verdict == "fails" else row.verdict
    slack = "-" if seen is None else tightest(seen[1])
    return (row.claim.id, statement(row), *map(str, numbers(row)), slack, verdict)


def statement(row: Row) -> str:
    """The claim with its hypothesis."""
    return row.claim.statement + (f" (given: {row.claim.hypothesis})" if row.claim.hypothesis else "")


def tightest(sight: Sight) -> str:
    """The least slack and where it was seen."""
    return f"{exact.decimal(sight.slack, 3)} on {sight.task}"


def _row(row: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _findings(report: Report) -> Iterator[str]:
    rows = {row.claim.id: row for row in report.rows()}
    if report.counterexamples:
        yield from ("", "## Findings")
    for (_, claim), one in report.counterexamples.items():
        row = rows[claim]
        yield from ("", f"### {claim}", "", *_wrapped(f"{statement(row)}."), "", *_wrapped(finding(row, one)))
        yield from ("", "```text", *jobs(one), "```") if one.instance.n else ()
        yield from ("", *_wrapped(correction(row, rows)))


def finding(row: Row, one: Counterexample) -> str:
    """How often the claim failed, and on what."""
    return f"Fails on {row.counts[Verdict.FAILS]} of {row.spoken} non-vacuous instances. {example(one)}"


def jobs(one: Counterexample) -> list[str]:
    """The jobs in arrival order."""
    return job_lines(rows_of(one.instance))


def correction(row: Row, rows: Mapping[str, Row]) -> str:
    """What holds instead."""
    if not row.claim.corrected_by:
        return "**No correction is known.**"
    corrected = rows.get(row.claim.corrected_by)
    if corrected is None:
        return f"Corrected by {row.claim.corrected_by}, which was not asked for."
    held = f"{corrected.counts[Verdict.HOLDS]} of {corrected.spoken} non-vacuous instances"
    return f"Corrected by {corrected.claim.id}: {statement(corrected)}. That holds on {held}."


def example(one: Counterexample) -> str:
    """Where and how the claim fails, but for the jobs."""
    found, count = one.to_document(), one.instance.n
    machines = counted(one.instance.machines, "machine")
    from_words = "made smaller from " if one.smaller else ""
    sides = f"{_short(found['lhs'])} {found['relation']} {_short(found['rhs'])} is claimed"
    whose = f"{counted(count, 'job')} on {machines}, {one.problem}, " if count else ""
    return (
        f"Counterexample, {from_words}{one.found_on}: {whose}{found['setting']}{_known(one)}. "
        f"There {sides} ({found['where']})."
    )


def _known(one: Counterexample) -> str:
    """Guess and optimum, in brackets."""
    guess = "" if one.guess is None else f"T is {one.guess}, "
    return f" ({guess}{corpus_of(one.problem).optimum} is {one.optimum})" if one.optimum else ""


def _short(number: str) -> str:
    """The exact number if it is short, else a decimal one."""
    return number if len(number) <= LONGEST else exact.decimal(exact.rational(number))


def command(plan: Plan, output: str) -> str:
    """The command that makes the page again."""
    claims = "" if plan.claims == ("*",) else "".join(f" --claims '{one}'" for one in plan.claims)
    return f"dualfit audit --seed {plan.seed} --instances {plan.instances}{claims} {output}"


def _making(report: Report) -> Iterator[str]:
    yield from ("", "## How it was made", "", "```sh", command(report.plan, "--markdown certify/AUDIT.md"), "```", "")
    first, *others = MAKING.split("\n\n")
    yield from _wrapped(first)
    for paragraph in others:
        yield from ("", *_wrapped(paragraph))
    yield from ("", _row(["problem", "family", "instances"]), _row(["---"] * 3))
    for name, count in sorted(report.tally.instances.items()):
        yield _row([*name.split("/"), str(count)])
    for fault in report.faults():
        yield from ("", *_wrapped(f"**{fault}**"))


def plain(text: str) -> str:
    """The text without the marks of Markdown."""
    return text.replace("**", "").replace("`", "")
