"""`dualfit audit`: every claim of the ledgers over many instances."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from certify.audit.cluster import Cluster, library
from certify.audit.page import markdown
from certify.audit.plan import Plan
from certify.audit.report import Report
from certify.audit.session import audit, journal_of, local
from certify.audit.table import tables
from certify.audit.web_page import engine, web_page
from certify.commands.common import JSON, out, save, working
from certify.commands.interrupts import terminable
from certify.commands.places import different
from certify.show import facts
from online.errors import FalseClaim, Incomplete, InvalidInput, Problem


@click.command("audit")
@click.option(
    "--claims",
    multiple=True,
    default=("*",),
    metavar="PATTERN",
    help="Ids of claims, such as 6.10 or '6.*', or with the problem, such as 'energy/*'; with commas between several; "
    "by default all.",
)
@click.option(
    "--instances", type=click.IntRange(min=1), default=20_000, show_default=True, help="On how many instances."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another seed, other instances.")
@click.option(
    "--workers", type=click.IntRange(min=1), default=None, help="Number of processes; by default one a processor."
)
@click.option("--cluster", metavar="ADDRESS", help="Have the workers of this Dask scheduler do it: tcp://host:8786.")
@click.option("--out", "path", type=click.Path(dir_okay=False), help="Write the report to this file, as JSON.")
@click.option("--markdown", "page", type=click.Path(dir_okay=False), help="Write the report as a page of Markdown.")
@click.option("--html", type=click.Path(dir_okay=False), help="Write the report as one HTML file.")
@click.option("--resume", is_flag=True, help="Go on with the audit that was to be written to --out and was ended.")
@JSON
def audit_command(
    claims: tuple[str, ...],
    instances: int,
    seed: int,
    workers: int | None,
    cluster: str | None,
    path: str | None,
    page: str | None,
    html: str | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Measure every claim of the ledgers on many instances: generated, tiny, crafted and real ones.

    For each claim: on how many instances it said something, on how many it failed, the tightest slack that was seen;
    for one that fails, a counterexample made as small as can be, and the corrected claim beside it. The same claims,
    instances and seed give the same report, whatever the number of workers. Exit code 1 if a claim fails that names no
    correction, if a claim said nothing anywhere, or if an instance could not be measured. Evidence, not proof.

    With --out, what was found lies in a journal beside that file until the end; an audit that was ended in between
    goes on from there with --resume and the same options.
    """
    plan = Plan(tuple(part.strip() for one in claims for part in one.split(",")), instances, seed)
    if resume and path is None:
        raise InvalidInput(Problem("--resume", "nothing to resume", "no --out", "the --out of the audit", "give --out"))
    if workers is not None and cluster is not None:
        got = f"--workers {workers} too"
        raise InvalidInput(Problem("--cluster", "contradicting options", got, "one of the two", "omit one"))
    for file in (one for one in (path, page, html) if one is not None):
        _check_place(file)
    different({"--out": path, "--markdown": page, "--html": html})
    if html is not None:
        engine()
    if cluster is not None:
        library()
    journal = None if path is None else journal_of(path, plan, resume=resume)
    with terminable(), working("preparing", len(plan.tasks())) as work:
        doing = local(plan, workers or os.cpu_count() or 1) if cluster is None else Cluster(plan, cluster).finished
        report = audit(plan, doing, journal, tell=work.describe, progress=work)
    _write(report, path, page, html)
    if journal is not None:
        journal.close()
    if as_json:
        click.echo(_text(report), nl=False)
    else:
        for table in tables(report):
            out().print(table)
        files = [one for one in (path, page, html) if one is not None]
        if files:
            out().print(facts("", [("written to", ", ".join(files))]))
    _conclude(report)


def _conclude(report: Report) -> None:
    """Raises: `FalseClaim` if something is false, or the audit is not complete."""
    false, incomplete = list(report.false()), list(report.incomplete())
    if false:
        raise FalseClaim("; ".join((*false, *incomplete)), printed=True)
    if incomplete:
        raise Incomplete("; ".join(incomplete), printed=True)


def _check_place(file: str) -> None:
    """Better now than after the work. Raises: `InvalidInput` if the file has no folder to be written to."""
    folder = Path(file).absolute().parent
    named = file and not file.startswith("-")
    if not named or not folder.is_dir():
        got = f"the folder {folder}, which is none" if named else repr(file)
        fix = "choose another place"
        raise InvalidInput(Problem(file or "--out", "cannot be written", got, "a file in a folder", fix))


def _write(report: Report, path: str | None, page: str | None, html: str | None) -> None:
    if path is not None:
        save(path, _text(report))
    if page is not None:
        save(page, markdown(report))
    if html is not None:
        save(html, web_page(report))


def _text(report: Report) -> str:
    return json.dumps(report.to_document(), indent=1, ensure_ascii=False) + "\n"
