"""`dualfit diagnose --problem energy`: what is wrong with somebody's server prices and duals, and what repairs them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from certify import check
from certify.build import to_text
from certify.commands.common import EXACT, FILE, JSON, OUT, present, reading_options, save, working
from certify.commands.energy.options import PROBLEM, power_from, power_options
from certify.commands.energy.source import load_jobs
from certify.commands.places import different, one_standard_input
from certify.diagnose.energy import PriceDiagnosis
from certify.diagnose.energy_file import read_prices
from certify.diagnose.energy_view import tables, to_document
from certify.words import counted, violated
from online import exact
from online.errors import FalseClaim, Unproven


@click.command("diagnose")
@FILE
@PROBLEM
@click.option(
    "--duals",
    type=click.Path(dir_okay=False),
    required=True,
    help="The claim, as JSON (`-`: standard input); see below.",
)
@power_options
@click.option("--bound", type=EXACT, help="The claim says OPT >= this, in the units of FILE.")
@click.option("--show", type=click.IntRange(min=0), default=20, show_default=True, help="Lines a table; JSON has all.")
@reading_options
@OUT
@JSON
def energy_diagnose_command(
    file: str,
    duals: str,
    alpha: Fraction | None,
    described: str | None,
    bound: Fraction | None,
    show: int,
    size: str | None,
    strict: bool,
    out: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Hold somebody's server prices and duals for FILE against what each job costs alone, and repair them.

    Lists every dual that is over the exact cost of a way to serve its job alone, the largest feasible scaling, and the
    bound of the same prices with what is proven of every job. The certificate (--out) holds that; the checker accepts
    it. Exit code 1: a dual is not proven, or the stated bound is not.

    \b
    The claim is one JSON object; leave out what is not claimed (without phi, it is what is proven):
      {"problem": "energy", "grid": [0, "1/2", 2], "price": [1, 0.25], "phi": {"a": 3, "b": "7/2"}, "bound": 6}
      grid, price   a server costs price[k] a unit of time from grid[k] to grid[k + 1], nothing after the last
      phi           by job id; a job left out has 0
      bound         OPT >= bound
    Numbers are exact, times in the units of FILE.
    """
    one_standard_input({"FILE": file, "--duals": duals})
    different({"--duals": duals, "--out": out})
    power = power_from(alpha, described)
    source = load_jobs(file, size, strict, chosen)
    with working("diagnosing"):
        found = read_prices(source.instance, power, duals, bound, source.reading.why_dropped)
        document = found.certificate(source.source)
        verdict = check.check_document(document).verdict
    if out is not None:
        save(out, to_text(document), file)
    result = to_document(found, source.account(), verdict)
    present(result, lambda: tables(result, show, out), as_json)
    if verdict != "accepted":
        raise FalseClaim("the checker did not accept the certificate of the repaired claim", printed=True)
    judge(found)


def judge(found: PriceDiagnosis) -> None:
    """Raises: `FalseClaim` for a violated dual, `Unproven` for one, or a stated bound, that is not proven."""
    if found.violations:
        raise FalseClaim(violated(len(found.violations), found.claim.instance.n, "dual"), printed=True)
    if found.open:
        words = f"{len(found.open)} of {counted(found.claim.instance.n, 'dual')} within rounding"
        raise Unproven(f"{words}, neither proven nor refuted", printed=True)
    bound = found.claim.bound
    if bound is not None and not found.bound_holds:
        said = f"OPT >= {exact.text(bound * found.claim.instance.tick)}"
        raise Unproven(f"{said} is neither proven nor refuted by these prices", printed=True)
