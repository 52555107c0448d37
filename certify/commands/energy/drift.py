"""`dualfit drift`: the potential of [S] between a run and another schedule of the same jobs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from certify import check
from certify.build import to_text
from certify.commands.check import accepted_document, folder_of, naming
from certify.commands.common import (
    EXACT,
    FILE,
    JSON,
    OUT,
    Input,
    present,
    reading_options,
    save,
    working,
)
from certify.commands.energy.options import (
    POLICY_NAMES,
    policy_constants,
    policy_options,
    power_from,
    power_options,
)
from certify.commands.energy.source import load_jobs
from certify.energy_build import certifiable, certify_drift
from certify.energy_reopen import reopen_trajectory, reopen_witness
from certify.energy_show import drift_tables
from certify.evidence import Document
from certify.plots import check_plot
from certify.problems.energy import follows_rule
from certify.speed import constants
from certify.speed.constants import Constant
from certify.speed.drift import Drift, Piece, drift, serves_its_shortest
from certify.speed.plots import draw
from certify.speed.rule import rounded_potential
from certify.speed.shrink import first_violation
from lp.energy.bracket import energy_bracket
from online import exact
from online.errors import FalseClaim, InvalidInput, LimitReached, Problem
from online.speed.policy import find_policy
from online.speed.simulation import SpeedRun, simulate
from online.speed.trajectory import Trajectory

BEST = "best"

MOST_JOBS = 1000
"""Every pair of sizes that cross cuts a piece."""


@dataclass(frozen=True)
class Pair:
    """A run, a schedule that it is compared with, the drift between them, and by what c grows for rounded speeds."""

    source: Input
    run: SpeedRun
    name: str
    found: Drift
    factor: Fraction

    @cached_property
    def shortest(self) -> bool:
        """Whether the reference serves only its m shortest jobs."""
        return serves_its_shortest(self.found.reference)

    @property
    def constant(self) -> Constant:
        """The c of (7) that is proved against such references, at rounded speeds."""
        find = constants.shortest_first if self.shortest else constants.theorem_td
        return find(self.run.trajectory.power, self.run.trajectory.instance.machines).times(self.factor)

    @property
    def promised(self) -> bool:
        """Whether the hypotheses of that c are met."""
        return follows_rule(self.run) is True and self.constant.met is True

    @property
    def costs(self) -> Fraction | None:
        """Cost of the run over that of the reference; None without jobs."""
        reference = self.found.reference.cost
        return self.run.trajectory.cost / reference if reference else None

    def to_document(self, asked: Fraction | None, verdict: str | None) -> Document:
        """The result as one JSON object, in the input's units; `asked` is a c to be tested."""
        run, other, tick = self.run.trajectory, self.found.reference, self.source.instance.tick
        ratio = self.found.ratio
        worst = next((one for one in self.found.pieces if _needs(one, ratio)), None)
        violation = None if asked is None else first_violation(self.found, asked)
        return {
            "problem": "energy",
            "power": str(run.power),
            "machines": run.instance.machines,
            "algorithm": self.run.policy,
            "constants": {name: exact.text(value) for name, value in sorted(self.run.options.items())},
            "reference": self.name,
            "serves_shortest": self.shortest,
            "cost": exact.text(run.cost * tick),
            "reference_cost": exact.text(other.cost * tick),
            "costs_ratio": None if self.costs is None else exact.text(self.costs),
            "pieces": len(self.found.pieces),
            "least_ratio": None if ratio is None else exact.text(ratio),
            "worst_from": None if worst is None else exact.text(worst.start * tick),
            "largest_phi": exact.text(max(self.found.phi, default=Fraction(0)) * tick),
            "theorem": "7.shortest-sharp" if self.shortest else "7.any",
            "theorem_ratio": exact.text(self.constant.below) if self.promised else None,
            "asked": None if asked is None else exact.text(asked),
            "violation": None if violation is None else str(violation),
            "verdict": verdict,
            "reading": self.source.account(),
        }


def _needs(piece: Piece, ratio: Fraction | None) -> bool:
    """Whether (7) is an equality here at c = ratio, or fails for every c if that is None."""
    if ratio is None:
        return piece.left > 0 == piece.reference.pays
    return bool(piece.reference.pays) and piece.left == ratio * piece.reference.pays


@click.command("drift")
@FILE
@power_options
@click.option("--algorithm", "name", default="srpt", show_default=True, help=f"The run: one of {POLICY_NAMES}.")
@policy_options
@click.option(
    "--reference",
    required=True,
    metavar="NAME[@KAPPA]|best|CERTIFICATE",
    help="Compare with a policy, such as fifo or srpt@1/2; with the best schedule that `dualfit bound` finds; or with "
    "the run of a certificate of the same instance and power, or its schedule if it is one of `dualfit bound`.",
)
@click.option("--ratio", "asked", type=EXACT, help="Test (7) with this c; without it the smallest c is found.")
@click.option(
    "--plot", type=click.Path(dir_okay=False), help="Draw the potential and both sides of (7): svg, png, pdf."
)
@reading_options
@OUT
@JSON
def drift_command(
    file: str,
    alpha: Fraction | None,
    described: str | None,
    name: str,
    kappa: Fraction | None,
    speed: Fraction | None,
    seed: int | None,
    bits: int,
    reference: str,
    asked: Fraction | None,
    plot: str | None,
    size: str | None,
    strict: bool,
    out: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Test the drift condition (7) of the potential function between a run on FILE and another schedule, exactly.

    On every piece of time between arrivals, completions and crossings of remaining sizes all terms are constant, so the
    smallest c for which (7) holds is found, and with it cost(run) <= c cost(reference). The potential is 0 at both ends
    and does not jump. The certificate (--out) holds both schedules and the potential.

    Against references that serve their m shortest jobs c = 2 + 2 theta is proved for s^alpha, against all others 2
    alpha + 2 theta; a little more as speeds are rounded down, for which the potential is a little larger too.
    """
    if plot is not None:
        check_plot(plot)
    power, given = power_from(alpha, described), policy_constants(kappa, speed, seed)
    source = load_jobs(file, size, strict, chosen)
    if source.instance.n > MOST_JOBS:
        raise LimitReached(f"the drift of {source.instance.n} jobs; the limit is {MOST_JOBS}")
    with working("comparing two schedules"):
        run = simulate(source.instance, power, name, options=given, bits=bits, grid=None)
        other = _reference(run.trajectory, reference, bits)
        if not (certifiable(run.trajectory) and certifiable(other)):
            raise LimitReached("the exact times of these schedules are too long; give less --bits, or fewer jobs")
        table, factor = rounded_potential(run.trajectory) if follows_rule(run) else (None, Fraction(1))
        pair = Pair(source, run, reference, drift(run.trajectory, other, table), factor)
    if plot is not None:
        draw(pair.found, _drawn(pair, asked), plot)
    verdict = _certified(pair, asked, out, file)
    report(pair, pair.to_document(asked, verdict), out, as_json)


def _drawn(pair: Pair, asked: Fraction | None) -> Fraction:
    if asked is not None:
        return asked
    return pair.found.ratio if pair.found.ratio is not None else pair.constant.below


def _reference(run: Trajectory, name: str, bits: int) -> Trajectory:
    """The schedule that an option names."""
    if name == BEST:
        return energy_bracket(run.instance, run.power).upper
    if Path(name).is_file():
        document = accepted_document(name)
        witness = None if "run" in document else reopen_witness(document, folder_of(name))
        with naming(name):
            return witness or reopen_trajectory(document, folder_of(name))
    base, at, kappa = name.partition("@")
    try:
        options = {"kappa": exact.rational(kappa)} if at else {}
    except exact.BadNumber as bad:
        fix = f"write {base}@1/2"
        raise InvalidInput(Problem("--reference", "no kappa", str(bad), "a number", fix)) from None
    find_policy(base)
    return simulate(run.instance, run.power, base, options=options, bits=bits, grid=None).trajectory


def _certified(pair: Pair, asked: Fraction | None, path: str | None, file: str) -> str | None:
    """The checker's verdict on the certificate of the pair; None if (7) fails, so that there is nothing to certify."""
    ratio = pair.found.ratio if asked is None else asked
    if ratio is None and path is not None:
        raise InvalidInput(Problem("--out", "nothing to certify", "(7) fails for every c", "another pair", "omit it"))
    if ratio is None or pair.found.violations(ratio):
        return None
    with working("writing and checking the certificate"):
        certificate = certify_drift(pair.run, pair.found, ratio, pair.source.source, shortest=pair.shortest)
        verdict = check.check_document(certificate).verdict
    if path is not None:
        save(path, to_text(certificate), file)
    return verdict


def report(pair: Pair, document: Document, path: str | None, as_json: bool) -> None:
    """Print the result.

    Raises: `FalseClaim` if (7) fails for the c that was asked for or for the theorem's, or without acceptance.
    """
    present(document, lambda: drift_tables(document, path if document["verdict"] else None), as_json)
    if document["violation"] is not None:
        raise FalseClaim(document["violation"], printed=True)
    if pair.promised and pair.found.violations(pair.constant.above):
        raise FalseClaim(f"{document['theorem']} fails against this reference", printed=True)
    if document["verdict"] not in (None, "accepted"):
        raise FalseClaim("the checker did not accept the certificate of this pair", printed=True)
