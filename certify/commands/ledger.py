"""`dualfit ledger`: every claim of the paper on the run of a certificate."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from certify.claims.claim import Entry, Verdict
from certify.commands.check import accepted_document, folder_of
from certify.commands.common import JSON, emit, out, working
from certify.commands.energy.ledger import energy_entries
from certify.commands.energy.options import ENERGY
from certify.problems.energy import TITLE
from certify.problems.registry import TRACKS
from certify.reopen import claimed_bound, claimed_upper, reopen_run
from certify.show import ledger_table
from online import exact
from online.algorithm import Algorithm, blame, find, registered
from online.errors import FalseClaim
from online.run import Run
from online.speed import play_at_speed


@click.command("ledger")
@click.argument("certificate", type=click.Path(path_type=str))
@click.option(
    "--instance",
    "file",
    type=click.Path(path_type=str),
    help="The file of the instance, to bind the certificate to it.",
)
@click.option(
    "--algorithm",
    "name",
    help="Your own package.module:Class that made the run; it is imported only if you name it here.",
)
@JSON
def ledger_command(certificate: str, file: str | None, name: str | None, as_json: bool) -> None:
    """Print every claim of the section on the run of CERTIFICATE: both sides, slack, verdict.

    Verdicts: `holds`; `fails`; `vacuous` (the claim says nothing on this run); `hypothesis not met` (such as a guess
    below the optimum); `undecided` (false, but whether the hypothesis is met is not known). One line a claim, at its
    tightest place in the run. A printed claim that is known to be false stands beside its correction; its failing is
    shown and is no failure of the run (exit code 0). Of an algorithm that leaves no witness, and at another speed
    than 1, every claim is vacuous.
    """
    document = accepted_document(certificate, file)
    about_energy = document["problem"] == ENERGY
    entries = (energy_entries if about_energy else entries_of)(document, folder_of(certificate), name)
    if as_json:
        emit([entry.to_document() for entry in entries])
    else:
        title = TITLE if about_energy else TRACKS[document["problem"]].title
        out().print(ledger_table(entries, title))
    failing = [entry.claim for entry in entries if entry.verdict is Verdict.FAILS]
    false = [claim.id for claim in failing if not claim.corrected_by]
    if false:
        raise FalseClaim(f"claims that fail on this run: {', '.join(false)}", printed=True)


def _replay(run: Run, algorithm: type[Algorithm]) -> None:
    """Raises: `FalseClaim` if the recorded run is not what the algorithm does on the instance."""
    constants = {name: exact.rational(value) for name, value in run.parameters.items()}
    guess = constants.pop("guess", None)
    again = play_at_speed(
        run.instance, algorithm, run.epsilon, run.speed, guess=guess, name=run.algorithm, options=constants
    )
    if _decisions(again) != _decisions(run):
        raise FalseClaim(
            f"the run is not one of {run.algorithm} with epsilon {run.epsilon}: the ledger is about another"
        )


def _decisions(run: Run) -> tuple[object, ...]:
    return run.dispatch.tolist(), run.late, run.phases, run.pieces


def entries_of(document: dict[str, Any], folder: str | None, name: str | None) -> list[Entry]:
    """The ledger of an accepted certificate that lies in `folder`; no module that only the certificate names is run."""
    run = reopen_run(document, folder)
    with working("measuring the claims"):
        track = TRACKS[run.problem]
        upper = claimed_upper(document, track.upper(run.instance) if run.instance.n else Fraction(0))
        known = name or run.algorithm in registered()
        algorithm = find(name or run.algorithm, run.problem) if known else None
        if algorithm is None:
            return track.ledger(run, Algorithm, claimed_bound(document), upper)
        _replay(run, algorithm)
        claimed = algorithm if run.speed == 1 else Algorithm
        try:
            return track.ledger(run, claimed, claimed_bound(document), upper)
        except Exception as failed:
            if run.algorithm in registered():
                raise
            blame(run.algorithm, "explain()", failed)
