"""`dualfit run`: play an instance to an online algorithm and certify what happened."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from certify import check
from certify.build import Certified, certify, over_budget, to_text
from certify.commands.common import (
    EXACT,
    FILE,
    JSON,
    OUT,
    Command,
    Input,
    emit,
    load,
    out,
    reading_options,
    save,
    working,
)
from certify.commands.energy.options import PROBLEMS, Shared
from certify.commands.energy.run import energy_run_command
from certify.commands.pages import PAGE, check_page, save_page
from certify.problems.registry import TRACKS
from certify.show import run_tables, witness_table
from certify.witness_view import witness_rows
from online import exact
from online.algorithm import Algorithm, find, shown
from online.errors import FalseClaim, InvalidInput, Problem
from online.run import Run
from online.speed import play_at_speed

BOUNDS = ("auto", "lp", "witness", "none")
WHAT = {"count": "jobs", "rejection": "rejection weight"}


@dataclass(frozen=True)
class Outcome:
    """A certified run, the checker's verdict on its certificate, and the input it came from."""

    source: Input
    certified: Certified
    verdict: check.Verdict
    problem: str
    constants: dict[str, str]
    left_out: str | None = None

    @property
    def over_budget(self) -> int | None:
        """The first position at which the run had rejected more than its budget, or None."""
        return over_budget(self.certified.run)

    def to_document(self) -> dict[str, Any]:
        """The result as one JSON object, in the input's units."""
        run, unit = self.certified.run, TRACKS[self.problem].unit(self.source.instance)
        bound = self.certified.bound
        *_, (rejected, arrived) = [(0, 0), *run.prefixes()]
        of = run.instance.weight_unit if run.budget == "rejection" else 1
        position = self.over_budget
        return {
            "problem": self.problem,
            "algorithm": run.algorithm,
            "epsilon": exact.text(run.epsilon),
            "speed": exact.text(run.speed),
            "jobs": run.instance.n,
            "accepted": run.instance.n - run.rejected_count,
            "rejected": run.rejected_count,
            "budget": run.budget,
            "rejected_weight": exact.text(rejected * of),
            "arrived_weight": exact.text(arrived * of),
            "late": len(run.late),
            "constants": self.constants,
            "objective": exact.text(run.objective * unit),
            "bound": exact.text(bound.value * unit) if bound else "0",
            "ratio": None if self.certified.ratio is None else exact.text(self.certified.ratio),
            "guesses": [exact.text(guess * unit) for guess in run.guesses],
            "verdict": self.verdict.verdict,
            "bound_from": bound.origin if bound else "no jobs",
            "left_out": self.left_out,
            "refuted_guesses": self.certified.refuted,
            "unrefuted_guesses": self.certified.unrefuted,
            "over_budget_at": None if position is None else run.instance.ids[position],
            "reading": self.source.account(),
        }


def certified_run(
    source: Input,
    problem: str,
    algorithm: type[Algorithm],
    name: str,
    epsilon: Fraction,
    guess: Fraction | None,
    bound: str,
    options: Mapping[str, Fraction] | None = None,
    speed: Fraction = Fraction(1),
) -> Outcome:
    """Play, bound, certify and check; `guess` is in the input's units."""
    instance, algorithm = source.instance, algorithm.for_problem(problem)
    if guess is not None and guess <= 0:
        raise InvalidInput(Problem("--guess", "not positive", str(guess), "a duration > 0", "give a larger guess"))
    value = None if guess is None else guess / TRACKS[problem].unit(instance)
    with working(f"running {name}", instance.n) as progress, redirect_stdout(sys.stderr):
        run = play_at_speed(
            instance, algorithm, epsilon, speed, guess=value, name=name, options=options, progress=progress
        )
    with working("bounding the optimum"):
        own = algorithm if speed == 1 else Algorithm
        extra = TRACKS[problem].extra_bound(instance, own, bound) if instance.n and bound != "none" else None
    with working("writing and checking the certificate"), redirect_stdout(sys.stderr):
        certified = certify(run, algorithm, extra=[extra] if extra else [], source=source.source)
        verdict = check.check_document(certified.document)
    left_out = TRACKS[problem].left_out(instance, bound) if instance.n else None
    return Outcome(source, certified, verdict, problem, shown(algorithm, run), left_out)


_CONSTANTS = (
    click.option(
        "--alpha",
        type=EXACT,
        help="From load ALPHA * T on jobs are rejected; weighted problems: the power of two in A's limit ALPHA^2 * T; "
        "energy: the exponent in P(s) = s^ALPHA.",
    ),
    click.option("--offset", type=EXACT, help="Weighted problems: B puts so many density classes above A's first."),
    click.option(
        "--segment", type=EXACT, help="Weighted problems: B rejects late after two segments of SEGMENT * T / weight."
    ),
    click.option("--period", type=EXACT, help="two-weights, stretch: B rejects every PERIOD-th job of a kind at once."),
)


def constants_options(command: Command) -> Command:
    """Add the options for the constants of algorithms."""
    for option in reversed(_CONSTANTS):
        command = option(command)
    return command


def constants_of(
    alpha: Fraction | None, offset: Fraction | None, segment: Fraction | None, period: Fraction | None
) -> dict[str, Fraction]:
    """The constants that were given, by name."""
    given = {"alpha": alpha, "offset": offset, "segment": segment, "period": period}
    return {name: value for name, value in given.items() if value is not None}


@click.command("run", cls=Shared, energy=energy_run_command)
@FILE
@click.option("--problem", type=click.Choice(PROBLEMS), default="max-flow", show_default=True, help="The objective.")
@click.option("--epsilon", type=EXACT, required=True, help="The share of the jobs that may be rejected, such as 1/4.")
@click.option(
    "--guess",
    type=EXACT,
    help="A guess of the offline optimum, in the units of FILE; without it, guess and double.",
)
@click.option(
    "--algorithm",
    "name",
    help="A short name (see above), or package.module:Class of your own; by default the problem's own.",
)
@click.option(
    "--speed",
    type=EXACT,
    default="1",
    show_default=True,
    help="The speed of the machines of the run, such as 5/4; the optimum T* stays at speed 1. Not for load.",
)
@constants_options
@click.option(
    "--bound",
    type=click.Choice(BOUNDS),
    default="auto",
    show_default=True,
    help="A bound on T* beside the run's own witness: the LP (auto: if it is not too large), or none.",
)
@click.option("--witness", is_flag=True, help="Also show what each phase leaves: intervals, or machine sets.")
@reading_options
@OUT
@PAGE
@JSON
def run_command(
    file: str,
    problem: str,
    epsilon: Fraction,
    guess: Fraction | None,
    name: str | None,
    speed: Fraction,
    bound: str,
    witness: bool,
    alpha: Fraction | None,
    offset: Fraction | None,
    segment: Fraction | None,
    period: Fraction | None,
    size: str | None,
    strict: bool,
    out: str | None,
    page: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Run an online algorithm on FILE (`-` for standard input) and certify the run.

    The certificate says that the run is feasible, that at most an epsilon share of the jobs (of their rejection weight,
    for weighted and two-weights) was rejected at every moment, what the objective is, and how small it can possibly be
    for anybody who rejects nobody. The constants of the weighted problems are proven ones by default; with those hardly
    anything is ever rejected, so try --alpha 1 or --alpha 8. Baselines leave no witness: their bound is that of the LP
    or of the paper's own algorithm.

    \b
    max-flow, weighted, two-weights, stretch        the paper's own for the problem of that name
    load, load-bounded, load-unit                   the paper's for any, similar and equal sizes
    greedy-load                                     load: least loaded machine, nobody is rejected
    threshold-load                                  the same, but rejects on arrival at load T/epsilon

    Baselines for the problems with time; those of a central queue dispatch a job when it starts:

    \b
    greedy      on arrival to the machine with the least work left; first in, first out there
    per-size    max-flow: on arrival to the machine with the least work of the job's own size; shortest size
                first, preemptive; rejects where that is T/epsilon or more
    fifo, spt   central queue: earliest release, smallest size; not preemptive
    srpt, hdf   central queue, preemptive: least left to do, most weight for its size
    hdf-reject  hdf, and of each kind of jobs every (1/epsilon)-th is rejected
    edf         central queue, preemptive: earliest deadline, release + T / weight

    Flow time plus energy has options of its own: dualfit run --problem energy --help.
    """
    if witness and speed != 1:
        fix = "omit one of the two"
        raise InvalidInput(Problem("--witness", "only at speed 1", f"--speed {speed}", "a run that bounds T*", fix))
    check_page(page, out)
    source = load(file, size, strict, chosen)
    name = name or TRACKS[problem].default_algorithm(source.instance)
    algorithm, options = find(name, problem), constants_of(alpha, offset, segment, period)
    outcome = certified_run(source, problem, algorithm, name, epsilon, guess, bound, options, speed)
    if out is not None:
        save(out, to_text(outcome.certified.document), file)
    save_page(page, outcome.certified.document, outcome.verdict, name, file)
    rows = witness_rows(outcome.certified.run, algorithm) if witness else None
    report(outcome, out, as_json, rows)


def report(outcome: Outcome, path: str | None, as_json: bool, rows: list[dict[str, str]] | None = None) -> None:
    """Print the result; a certificate that is not accepted, or a budget not kept, is a false claim.

    Raises: `FalseClaim`.
    """
    if as_json:
        emit(outcome.to_document() | ({} if rows is None else {"witness": rows}))
    else:
        for table in run_tables(outcome.to_document(), outcome.verdict, path):
            out().print(table)
        if rows:
            out().print(witness_table(rows))
    if outcome.verdict.verdict != "accepted":
        raise FalseClaim("the checker did not accept the certificate of this run", printed=True)
    position = outcome.over_budget
    if position is not None:
        refuted = " and shows that the guess is below the offline optimum" if outcome.certified.refuted else ""
        raise FalseClaim(over_budget_words(outcome.certified.run) + refuted, printed=True)


def over_budget_words(run: Run) -> str:
    """When a run had rejected more than its budget, and what its certificate says of that."""
    position = over_budget(run)
    assert position is not None
    return (
        f"more than {run.epsilon} of the arrived {WHAT[run.budget]} was rejected when job "
        f"{run.instance.ids[position]!r} had arrived; the certificate claims no budget"
    )
