"""`dualfit ledger`: every claim of the paper on the run of a certificate."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from certify import check
from certify.claims.claim import Entry, Verdict
from certify.commands.check import conclude, open_certificate, reread
from certify.commands.common import JSON, emit, out, working
from certify.ledger import ledger
from certify.reopen import claimed_bound, reopen_run
from certify.show import ledger_table
from lp.optimum import greedy_upper
from online.algorithm import find
from online.errors import FalseClaim


@click.command("ledger")
@click.argument("certificate", type=click.Path(path_type=str))
@click.option(
    "--instance",
    "file",
    type=click.Path(path_type=str),
    help="The file of the instance, to bind the certificate to it.",
)
@JSON
def ledger_command(certificate: str, file: str | None, as_json: bool) -> None:
    """Print every claim of the section on the run of CERTIFICATE: both sides, slack, verdict.

    Verdicts: `holds`; `fails`; `vacuous` (the claim says nothing on this run); `hypothesis not met` (such as a guess
    below the optimum); `undecided` (false, but whether the hypothesis is met is not known). One line a claim, at its
    tightest place in the run.
    """
    document = open_certificate(certificate)
    verdict = document if isinstance(document, check.Verdict) else check_parsed(document, file)
    conclude(verdict)
    assert isinstance(document, dict)
    entries = entries_of(document)
    if as_json:
        emit([entry.to_document() for entry in entries])
    else:
        out().print(ledger_table(entries))
    false = [entry.claim.id for entry in entries if entry.verdict is Verdict.FAILS]
    if false:
        raise FalseClaim(f"claims that fail on this run: {', '.join(false)}", printed=True)


def check_parsed(document: object, file: str | None) -> check.Verdict:
    """The checker's verdict on a parsed certificate."""
    return check.check_document(document, None if file is None else reread(document, file).to_document())


def entries_of(document: dict[str, Any]) -> list[Entry]:
    """The ledger of an accepted certificate."""
    run = reopen_run(document)
    with working("measuring the claims"):
        upper = Fraction(greedy_upper(run.instance).value) if run.instance.n else Fraction(0)
        return ledger(run, find(run.algorithm), claimed_bound(document), upper)
