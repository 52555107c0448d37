"""What a search found, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich import box
from rich.table import Table

from certify.show import facts, number, short, verdict_text
from online.run import WORDS

ENDS = {"steps": "", "time": ", ended by the time limit", "interrupted": ", interrupted"}
MOST_ROWS = 40
"""Most jobs that a table shows."""


def search_tables(result: Mapping[str, Any], path: str | None) -> Iterator[Table]:
    """What was looked for and how bad it is, then the instance and what the algorithm did with it."""
    optimum, claim, most = result["optimum"], result["claim"], result["rejections"]
    known = (
        number(optimum["upper"]) if optimum["exact"] else f"{number(optimum['lower'])} to {number(optimum['upper'])}"
    )
    what = "jobs" if most["of"] == "count" else "rejection weight"
    small = "" if result["minimal"] else "; not made as small as possible"
    rows = [
        ("problem", f"{result['problem']}, at most {result['epsilon']} of the {what} rejected"),
        ("algorithm", f"{result['algorithm']}, guess: {result['guess']}{_named(result['constants'])}"),
        ("searched", f"{result['steps']} instances, seed {result['seed']}{ENDS[result['stopped']]}{small}"),
        ("objective", f"{number(result['objective'])}  ({WORDS[result['problem']]})"),
        ("optimum T*", known),
        ("ratio", f"{'' if optimum['exact'] else 'at least '}{number(result['ratio'])}  (objective / T*)"),
        ("rejected", f"{most['rejected']} of {most['arrived']} ({what}), at the worst moment"),
    ]
    if claim is not None:
        sides = f"{number(claim['lhs'])} {claim['relation']} {number(claim['rhs'])}"
        rows += [
            ("claim", f"{claim['id']}: {claim['statement']}"),
            ("", f"{claim['verdict']}: {sides}, slack {number(claim['slack'])}, at {claim['where']}"),
        ]
    yield facts("Worst instance found", [*rows, ("certificate", verdict_text(result["verdict"]))])
    yield instance_table(result)
    if path is not None:
        yield facts("", [("written to", path)])


def _named(constants: Mapping[str, str]) -> str:
    return "".join(f", {name} {value}" for name, value in constants.items())


def instance_table(result: Mapping[str, Any]) -> Table:
    """The jobs in arrival order, and where each of them went."""
    jobs, late = result["instance"]["jobs"], set(result["late"])
    weights = [name for name in ("w", "v") if any(name in job for job in jobs)]
    table = Table(box=box.SIMPLE_HEAD, title=f"{result['instance']['machines']} machines", title_justify="left")
    for name in ("job", "release", "size", *({"w": "weight", "v": "rejection weight"}[w] for w in weights)):
        table.add_column(name, justify="right")
    table.add_column("machines")
    table.add_column("went to")
    for job, machine in list(zip(jobs, result["dispatch"], strict=True))[:MOST_ROWS]:
        went = "rejected" if machine is None else f"{machine}{', rejected late' if job['id'] in late else ''}"
        numbers = [str(job[name]) for name in ("id", "r", "p")] + [
            str(job.get(name, job.get("w", 1))) for name in weights
        ]
        table.add_row(*numbers, " ".join(map(str, job.get("eligible", ["all"]))), went)
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
    return f"{jobs} {'job' if jobs == 1 else 'jobs'}, T* = {witness['optimum']['upper']}, {share}"


def _notes(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "tried", f"{result['instances']} instances and nine tournaments each, {result['steps']} steps a search"
    yield "fails at", "the largest value with an instance on which more than epsilon is rejected although T >= T*"
    yield "none from", "the smallest tried value above it: no failure was seen there, nor at larger tried values"
    yield "standing", result["standing"]
    gaps = [f"{one['id']} at {one['epsilon']}" for one in result["constants"] if not one["fails_at_all_below"]]
    if gaps:
        yield "not monotone", f"smaller values without a failure seen: {', '.join(gaps)}"
    for one in result["constants"]:
        if one["certificate"]:
            yield "written to", one["certificate"]
