"""What a search found, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich import box
from rich.table import Table

from certify.show import facts, number, short, verdict_text
from certify.words import counted
from online.run import WORDS

ENDS = {
    "steps": "",
    "failed": ", ended by a fault of the algorithm",
    "time": ", ended by the time limit",
    "interrupted": ", interrupted",
}
MOST_ROWS = 40
"""Most jobs that a table shows."""


def search_tables(result: Mapping[str, Any], files: Sequence[str]) -> Iterator[Table]:
    """What was looked for and how bad it is, then the instance and what the algorithm did with it."""
    optimum, claim, most = result["optimum"], result["claim"], result["rejections"]
    known = (
        number(optimum["upper"])
        if optimum["exact"]
        else f"{number(optimum['lower'], 'down')} to {number(optimum['upper'], 'up')}"
    )
    what = "jobs" if most["of"] == "count" else "rejection weight"
    small = "" if result["minimal"] else "; not made as small as possible"
    rows = [
        ("problem", f"{result['problem']}, at most {result['epsilon']} of the {what} rejected"),
        ("algorithm", f"{result['algorithm']}, guess: {result['guess']}{_named(result['constants'])}"),
        ("searched", f"{result['steps']} instances, seed {result['seed']}{ENDS[result['stopped']]}{small}"),
        ("objective", f"{number(result['objective'])}  ({WORDS[result['problem']]})"),
        ("optimum T*", known),
        ("ratio", f"{'' if optimum['exact'] else 'at least '}{number(result['ratio'], 'down')}  (objective / T*)"),
        ("rejected", f"{most['rejected']} of {most['arrived']} ({what}), at the worst moment"),
        ("budget", _budget(result)),
    ]
    if claim is not None:
        sides = f"{number(claim['lhs'])} {claim['relation']} {number(claim['rhs'])}"
        rows += [
            ("claim", f"{claim['id']}: {claim['statement']}"),
            ("", f"{claim['verdict']}: {sides}, slack {number(claim['slack'], 'down')}, at {claim['where']}"),
        ]
    yield facts("Worst instance found", [*rows, ("certificate", verdict_text(result["verdict"]))])
    yield instance_table(result)
    if files:
        yield facts("", [("written to", ", ".join(files))])


def fault_tables(fault: Mapping[str, Any], files: Sequence[str]) -> Iterator[Table]:
    """The small instance on which the algorithm failed."""
    yield facts("The algorithm failed", [("on", "the instance below"), ("with", fault["error"])])
    yield instance_table({"instance": fault["instance"], "late": [], "dispatch": None})
    if files:
        yield facts("", [("written to", ", ".join(files))])


def _budget(result: Mapping[str, Any]) -> str:
    job = result["over_budget_at"]
    if job is None:
        return "kept"
    low = any(Fraction(guess) < Fraction(result["optimum"]["lower"]) for guess in result["guesses"])
    return f"broken when job {job!r} had arrived" + ("; the guess is below T*" if low else "")


def _named(constants: Mapping[str, str]) -> str:
    return "".join(f", {name} {value}" for name, value in constants.items())


def instance_table(result: Mapping[str, Any]) -> Table:
    """The jobs in arrival order, and where each of them went."""
    jobs, late = result["instance"]["jobs"], set(result["late"])
    weights = [name for name in ("w", "v") if any(name in job for job in jobs)]
    title = counted(result["instance"]["machines"], "machine")
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for name in ("job", "release", "size", *({"w": "weight", "v": "rejection weight"}[w] for w in weights)):
        table.add_column(name, justify="right")
    table.add_column("machines")
    if result["dispatch"] is not None:
        table.add_column("went to")
    for job, machine in list(zip(jobs, result["dispatch"] or jobs, strict=True))[:MOST_ROWS]:
        went = "rejected" if machine is None else f"{machine}{', rejected late' if job['id'] in late else ''}"
        numbers = [str(job[name]) for name in ("id", "r", "p")] + [
            str(job.get(name, job.get("w", 1))) for name in weights
        ]
        where = [] if result["dispatch"] is None else [went]
        table.add_row(*numbers, " ".join(map(str, job.get("eligible", ["all"]))), *where)
    if len(jobs) > MOST_ROWS:
        table.caption = f"the first {MOST_ROWS} of {len(jobs)} jobs"
    return table


def constants_tables(result: Mapping[str, Any]) -> Iterator[Table]:
    """The thresholds, then the instances that fail just below them."""
    table = Table(box=box.SIMPLE_HEAD, title="Constants: proven and observed", title_justify="left")
    for name in ("constant", "theorem", "of", "epsilon", "proven", "fails at", "none from", "failing instance"):
        table.add_column(name, no_wrap=name == "constant")
    for one in result["constants"]:
        table.add_row(
            *(one[key] for key in ("id", "theorem", "algorithm", "epsilon")),
            *(short(one[key]) for key in ("proven", "fails_at", "no_failure_from")),
            _failure(one["witness"]),
        )
    yield table
    yield facts("", list(_notes(result)))


def _failure(witness: Mapping[str, Any] | None) -> str:
    if witness is None:
        return "none seen"
    most, jobs = witness["rejections"], len(witness["instance"]["jobs"])
    share = f"{most['rejected']}/{most['arrived']} rejected"
    return f"{counted(jobs, 'job')}, T* = {witness['optimum']['upper']}, {share}"


def _notes(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "tried", f"{result['instances']} instances and nine tournaments each, {result['steps']} steps a search"
    yield "", "for load and max-flow also a game and tournaments played against every value"
    yield "fails at", "the largest value with an instance on which more than epsilon is rejected although T >= T*"
    yield "none from", "the smallest tried value above it: no failure was seen there, nor at larger tried values"
    yield "standing", result["standing"]
    gaps = [f"{one['id']} at {one['epsilon']}" for one in result["constants"] if not one["fails_at_all_below"]]
    if gaps:
        yield "not monotone", f"smaller values without a failure seen: {', '.join(gaps)}"
    for one in result["constants"]:
        if one["certificate"]:
            yield "written to", one["certificate"]
