"""`dualfit search`: the instance on which an algorithm does worst, or a claim of the paper comes closest to failing."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from fractions import Fraction
from typing import Any, NoReturn

import click

from certify.build import to_text
from certify.claims.claim import Verdict
from certify.commands.common import EXACT, JSON, OUT, not_nan, present, save, working
from certify.commands.energy.options import NotEnergy
from certify.commands.interrupts import terminable
from certify.commands.places import different
from certify.commands.run import constants_of, constants_options, over_budget_words
from certify.problems.registry import TRACKS
from certify.search.climb import Climb, Found, shrunk
from certify.search.fault import Fault, Watched
from certify.search.score import Ratio, Setup, Slack
from certify.search.space import Space
from certify.search.view import fault_tables, search_tables
from certify.search.witness import WitnessRun
from lp.deadline import Deadline
from online import exact
from online.algorithm import shown
from online.errors import FalseClaim, InvalidInput, LimitReached, Problem
from online.readers.writer import write_json

STEPS, SHRINKING = 2000, 2000
"""Steps of the search unless said otherwise, and most instances that shrinking tries."""


@click.command("search")
@click.option("--problem", type=NotEnergy(list(TRACKS)), default="max-flow", show_default=True, help="The objective.")
@click.option("--algorithm", "name", help="A short name (default: the problem's own), or package.module:Class.")
@click.option("--epsilon", type=EXACT, required=True, help="The share that may be rejected, such as 1/4.")
@click.option(
    "--guess",
    default="double",
    show_default=True,
    metavar="double|exact|NUMBER",
    help="What the algorithm knows of the optimum: nothing, the optimum itself, or this number.",
)
@click.option("--maximise", type=click.Choice(["ratio"]), help="Look for the largest objective / T* (the default).")
@click.option("--claim", "claim", help="Look for the smallest slack of this claim of the ledger instead, such as 6.4.")
@click.option("--jobs", type=click.IntRange(1, 200), default=8, show_default=True, help="Most jobs.")
@click.option("--machines", type=click.IntRange(1, 50), default=3, show_default=True, help="Most machines.")
@click.option("--sizes", type=click.IntRange(1, 10**6), default=4, show_default=True, help="Largest size.")
@click.option("--horizon", type=click.IntRange(0, 10**6), default=10, show_default=True, help="Latest release.")
@click.option("--weights", type=click.IntRange(1, 10**6), default=8, show_default=True, help="Largest weight.")
@constants_options
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another seed, another search.")
@click.option("--steps", type=click.IntRange(min=1), help=f"Instances to look at; {STEPS} without a time limit.")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    callback=not_nan,
    help="Seconds, looked at between instances; the search ends sooner then. A fifth of them is for making it small.",
)
@click.option("--instance-out", type=click.Path(dir_okay=False), help="Write the instance to this file, as JSON.")
@OUT
@JSON
def search_command(
    problem: str,
    name: str | None,
    epsilon: Fraction,
    guess: str,
    maximise: str | None,
    claim: str | None,
    jobs: int,
    machines: int,
    sizes: int,
    horizon: int,
    weights: int,
    seed: int,
    steps: int | None,
    time_limit: float | None,
    instance_out: str | None,
    out: str | None,
    as_json: bool,
    **constants: Fraction | None,
) -> None:
    """Search for the instance on which an algorithm does worst, make it small, and certify the run on it.

    Local search with restarts over instances in whole numbers, by default for the largest objective / T*. The optimum
    T* is exact where it can be proven, which is so for a dozen jobs; else the value of a schedule stands for it, so
    that the ratio is not overstated. What is found shows how bad the algorithm can be, not how bad at most.

    The same arguments look at the same instances and write the same bytes; with a time limit, or interrupted, only
    fewer of them, and the result says how many. Ctrl-C saves and prints the best so far, and ends with exit code 130.
    A run that rejects more than its budget is worse than any other, whatever its ratio: exit code 1, as for
    `dualfit run`. Where an algorithm of your own fails, the instance is made small and goes to --instance-out.
    """
    if maximise and claim:
        raise InvalidInput(Problem("--claim", "contradicting options", "--maximise too", "one of the two", "omit one"))
    for option, given in (("--algorithm", name), ("--claim", claim)):
        if given == "":
            raise InvalidInput(Problem(option, "empty", "''", "a name", f"give one, or omit {option}"))
    different({"--out": out, "--instance-out": instance_out})
    space = Space.of(problem, jobs=jobs, machines=machines, sizes=sizes, horizon=horizon, weights=weights)
    name = name or TRACKS[problem].default_algorithm(space.extremes)
    setup = Setup.of(problem, name, epsilon, guess, constants_of(**constants))
    score = Watched(Slack(setup, claim) if claim is not None else Ratio(setup))
    found, fault = look(space, score, seed, steps, time_limit)
    best, fault = certified(setup, found, fault)
    if fault is not None:
        fail(best, found, fault, seed, claim, as_json, out, instance_out)
    if best is None or (claim and best.scored.entry is None):
        if found.stopped == "interrupted":
            raise click.Abort
        what = f"claim {claim} says something" if claim else f"{name} runs"
        raise LimitReached(f"no instance on which {what} in {found.steps} steps; give --steps, or other sizes")
    if out is not None:
        save(out, to_text(best.certified.document))
    if instance_out is not None:
        save(instance_out, write_json(best.scored.instance))
    report(best, to_document(best, found, seed, claim), as_json, [one for one in (out, instance_out) if one])


def look(
    space: Space, score: Watched, seed: int, steps: int | None, time_limit: float | None
) -> tuple[Found, Fault | None]:
    """Climb, then shrink; four fifths of the time are for the climb. A fault of the algorithm ends it."""
    whole = Deadline(time_limit)
    deadline = Deadline(None if time_limit is None else time_limit * 4 / 5)
    most = steps or (STEPS if time_limit is None else sys.maxsize)
    with terminable(), working("searching", steps) as progress, redirect_stdout(sys.stderr):
        climb = Climb(space, score, seed, deadline, progress.describe)
        try:
            found = climb.run(most)
            return shrunk(found, score, SHRINKING, whole, progress.describe), None
        except InvalidInput as error:
            fault = Fault.of(score, error).smaller(score, progress.describe)
            return Found(climb.best, climb.steps, "failed"), fault


def certified(setup: Setup, found: Found, fault: Fault | None) -> tuple[WitnessRun | None, Fault | None]:
    """The best so far with its certificate; where the algorithm fails at that, the fault."""
    if found.best is None:
        return None, fault
    try:
        return WitnessRun.of(setup, found.best), fault
    except InvalidInput as error:
        return None, fault or Fault(found.best.instance, error)


def fail(
    best: WitnessRun | None,
    found: Found,
    fault: Fault,
    seed: int,
    claim: str | None,
    as_json: bool,
    out_path: str | None,
    instance_out: str | None,
) -> NoReturn:
    """Save and show the instance on which the algorithm failed, and the best before that. Raises: `InvalidInput`."""
    text = write_json(fault.instance)
    files = [path for path in (best and out_path, instance_out) if path]
    if best is not None and out_path is not None:
        save(out_path, to_text(best.certified.document))
    if instance_out is not None:
        save(instance_out, text)
    known = {} if best is None else to_document(best, found, seed, claim)
    failed = {"error": str(fault.error), "instance": json.loads(text)}
    present(
        {**known, "failed": failed},
        lambda: (*(search_tables(known, []) if known else ()), *fault_tables(failed, files)),
        as_json,
    )
    raise InvalidInput(fault.error.problems, printed=True)


def to_document(best: WitnessRun, found: Found, seed: int, claim: str | None) -> dict[str, Any]:
    """The result as one JSON object."""
    setup, entry = best.setup, best.scored.entry
    return {
        "problem": setup.problem,
        "algorithm": setup.name,
        "epsilon": exact.text(setup.epsilon),
        "guess": "double" if setup.guess is None else str(setup.guess),
        "constants": shown(setup.algorithm, best.scored.run),
        "seed": seed,
        "steps": found.steps,
        "stopped": found.stopped,
        "minimal": found.minimal,
        "maximise": None if claim else "ratio",
        "claim": entry and entry.to_document(),
        **best.to_document(),
    }


def report(best: WitnessRun, document: dict[str, Any], as_json: bool, files: Sequence[str]) -> None:
    """Print the result.

    Raises: `FalseClaim` if a claim fails for which no correction is known, or the run is over its budget;
    `click.Abort` if the search was interrupted.
    """
    present(document, lambda: search_tables(document, files), as_json)
    if best.verdict.verdict != "accepted":
        raise FalseClaim("the checker did not accept the certificate of this run", printed=True)
    entry = best.scored.entry
    if entry is not None and entry.verdict is Verdict.FAILS and not entry.claim.corrected_by:
        raise FalseClaim(f"claim {entry.claim.id} fails on this instance", printed=True)
    if document["over_budget_at"] is not None:
        raise FalseClaim(over_budget_words(best.scored.run), printed=True)
    if document["stopped"] == "interrupted":
        raise click.Abort
