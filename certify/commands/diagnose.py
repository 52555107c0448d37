"""`dualfit diagnose`: what is wrong with somebody's own dual variables, and what repairs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from certify import check
from certify.build import to_text
from certify.commands.common import EXACT, FILE, JSON, OUT, load, present, reading_options, save, working
from certify.commands.energy.diagnose import energy_diagnose_command
from certify.commands.energy.options import ENERGY, Shared
from certify.commands.places import different, one_standard_input
from certify.diagnose.claim import NORMALISATIONS, PROBLEMS
from certify.diagnose.claim_file import Chosen, read_claim
from certify.diagnose.claim_file import to_document as claim_document
from certify.diagnose.diagnosis import Diagnosis, diagnosed
from certify.diagnose.view import tables, to_document
from certify.words import violated
from online import exact
from online.errors import FalseClaim, Unproven
from online.readers.writer import write_json


@click.command("diagnose", cls=Shared, energy=energy_diagnose_command)
@FILE
@click.option(
    "--duals", type=click.Path(dir_okay=False), required=True, help="The claim (`-`: standard input); see below."
)
@click.option(
    "--problem", type=click.Choice((*PROBLEMS, ENERGY)), help="The objective, if the claim does not say; or max-flow."
)
@click.option(
    "--normalisation",
    type=click.Choice(NORMALISATIONS),
    help="How the claim's numbers are meant, if it does not say; or family. See below.",
)
@click.option("--bound", type=EXACT, help="The claim says T* >= this, in the units of FILE.")
@click.option("--guess", type=EXACT, help="The claim says T* > this, in the units of FILE.")
@click.option("--lp/--no-lp", "lp", default=None, help="Solve the linear program for comparison; by default if small.")
@click.option(
    "--smallest",
    "part",
    type=click.Path(dir_okay=False),
    help="Write the smallest part of FILE on which the claim is wrong to this file, and what the claim says of it "
    "beside it, to the same name with .duals.json at the end.",
)
@click.option(
    "--show", type=click.IntRange(min=0), default=20, show_default=True, help="Lines of a table; JSON has all."
)
@reading_options
@OUT
@JSON
def diagnose_command(
    file: str,
    duals: str,
    problem: str | None,
    normalisation: str | None,
    bound: Fraction | None,
    guess: Fraction | None,
    lp: bool | None,
    part: str | None,
    show: int,
    size: str | None,
    strict: bool,
    out: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Hold somebody's dual variables and intervals for FILE against the dual linear program, and repair them.

    Lists every violated constraint with its exact deficit, the largest feasible scaling, the best repairs, what the
    bound becomes, and the smallest part of FILE on which the claim is still wrong. The certificate (--out) holds the
    repaired claims; the checker accepts it. Exit code 1: a constraint is violated, or a stated bound is not proven.

    \b
    The claim is one JSON object; leave out what is not claimed:
      {"alpha": {"a": 1, "b": "3/2"},
       "intervals": [{"machine": 1, "start": 0, "end": 2.5, "weight": 4, "b": "1/2"}],
       "bound": 17, "guess": 15, "problem": "weighted", "normalisation": "family"}
      alpha         by job id; a job left out has 0. Intervals without alpha: the largest that they allow
      intervals     closed; machines by number from 1 or by name, times and weights in the units of FILE;
                    weight: for jobs that weigh at least this (not where all weights are 1); b: how often (1).
                    Alpha without intervals: those that a linear program finds for it
      prices        of load, instead of intervals: {"1": 2, "3": 1} by machine; a machine left out has 0
      bound, guess  T* >= bound, T* > guess
    Numbers are exact: 3, 0.25, "1/3". A solver's solution of a program of `dualfit export` is a claim, too.

    \b
    An interval on machine i counts job j if it contains r_j, i is in S_j, and j weighs enough. Per job j and i in S_j,
      family    alpha_j <= sum of b that count j on i;        T* >= (sum alpha_j p_j - sum b length) / (sum b/weight)
      dual      a_j <= p_j * (sum of b that count j on i);    T* >= sum a_j - sum b length,  and sum b/weight <= 1

    Repairs: `alpha` keeps the intervals, `multiplicities` where they lie, `intervals` the ratios of the duals, `part`
    the intervals of one part in time. Flow time plus energy has server prices instead, and options of its own:
    dualfit diagnose --problem energy --help.
    """
    one_standard_input({"FILE": file, "--duals": duals})
    different({"--duals": duals, "--out": out, "--smallest": part})
    source = load(file, size, strict, chosen)
    asked = Chosen(problem, normalisation, bound, guess)
    claim = read_claim(source.instance, duals, asked, source.reading.why_dropped)
    with working("diagnosing") as progress:
        found = diagnosed(claim, lp, progress.describe)
        progress.describe("checking the certificate")
        document = found.certificate(source.source)
        verdict = check.check_document(document).verdict
        written = [("certificate", verdict), *write(found, to_text(document), file, duals, out, part)]
    result = to_document(found, source.account(), verdict)
    present(result, lambda: tables(result, show, written), as_json)
    if verdict != "accepted":
        raise FalseClaim("the checker did not accept the certificate of the repaired claim", printed=True)
    judge(found)


def write(
    found: Diagnosis, certificate: str, file: str, duals: str, out: str | None, part: str | None
) -> Iterator[tuple[str, str]]:
    """Write the files that were asked for, and say which."""
    if out is not None:
        save(out, certificate, file)
        yield "written to", out
    if part is not None and found.smallest is not None:
        beside = str(Path(part).with_suffix(".duals.json"))
        different({"--duals": duals, "--out": out, "the claim beside --smallest": beside, "--smallest": part})
        save(part, write_json(found.smallest.instance), file)
        save(beside, json.dumps(claim_document(found.smallest.claim), indent=1) + "\n", file)
        yield "smallest in", f"{part}, {beside}"


def judge(found: Diagnosis) -> None:
    """Raises: `FalseClaim` for a claim that is not feasible, or states what is false of T*; `Unproven` for the rest."""
    if not found.feasible:
        words = violated(found.violations.count, found.violations.constraints, "constraint")
        raise FalseClaim(words, printed=True)
    for one in sorted(found.standings, key=lambda one: not one.false):
        said = f"T* {'>' if one.strict else '>='} {exact.text(one.value)}"
        if one.false:
            raise FalseClaim(said, printed=True)
        if not one.proven_by:
            raise Unproven(f"{said} is neither proven nor refuted", printed=True)
