"""`dualfit ledger`: every claim of the paper on the run of a certificate."""

from __future__ import annotations

from typing import Any

import click

from certify.claims.claim import Entry, Verdict
from certify.commands.check import accepted_document, folder_of, naming
from certify.commands.common import CERTIFICATE, INSTANCE, JSON, OWN_ALGORITHM, emit, out, working
from certify.commands.energy.ledger import energy_entries
from certify.commands.energy.options import ENERGY
from certify.problems.energy import TITLE
from certify.problems.registry import TRACKS
from certify.reopen import reopen_run
from certify.replay import algorithm_of, run_entries
from certify.show import ledger_table
from online.errors import FalseClaim


@click.command("ledger")
@CERTIFICATE
@INSTANCE
@OWN_ALGORITHM
@JSON
def ledger_command(certificate: str, file: str | None, algorithm: str | None, as_json: bool) -> None:
    """Print every claim of the section on the run of CERTIFICATE: both sides, slack, verdict.

    Verdicts: `holds`; `fails`; `vacuous` (the claim says nothing on this run); `hypothesis not met` (such as a guess
    below the optimum); `undecided` (false, but whether the hypothesis is met is not known). One line a claim, at its
    tightest place in the run. A printed claim that is known to be false stands beside its correction; its failing is
    shown and is no failure of the run (exit code 0). Of an algorithm that leaves no witness, and at another speed
    than 1, every claim is vacuous.
    """
    document = accepted_document(certificate, file)
    about_energy = document["problem"] == ENERGY
    with naming(certificate):
        entries = (energy_entries if about_energy else entries_of)(document, folder_of(certificate), algorithm)
    if as_json:
        emit([entry.to_document() for entry in entries])
    else:
        title = TITLE if about_energy else TRACKS[document["problem"]].title
        out().print(ledger_table(entries, title))
    failing = [entry.claim for entry in entries if entry.verdict is Verdict.FAILS]
    false = [claim.id for claim in failing if not claim.corrected_by]
    if false:
        raise FalseClaim(f"claims that fail on this run: {', '.join(false)}", printed=True)


def entries_of(document: dict[str, Any], folder: str | None, name: str | None) -> list[Entry]:
    """The ledger of an accepted certificate that lies in `folder`; no module that only the certificate names is run."""
    run = reopen_run(document, folder)
    with working("measuring the claims"):
        return run_entries(document, run, algorithm_of(run, name))
