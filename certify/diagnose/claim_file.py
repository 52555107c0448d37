"""A claim as a JSON file: what a job, a machine and a number are called there."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from certify.diagnose.claim import Claim
from certify.diagnose.entries import Entries
from certify.diagnose.solution import claim_of_solution
from certify.evidence import plain
from lp.solution_file import parse as parse_solution
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.readers.json_text import kind, parse, show
from online.readers.source import Source

KEYS = ("problem", "normalisation", "alpha", "intervals", "prices", "bound", "guess")
ENERGY = ("grid", "price", "phi")
INTERVAL = ("machine", "start", "end", "weight", "b")


class Chosen(NamedTuple):
    """What options say beside the file; None leaves it to the file."""

    problem: str | None = None
    normalisation: str | None = None
    bound: Any = None
    guess: Any = None


UNCHOSEN = Chosen()
NOTHING: Mapping[str, str] = {}


def read_claim(instance: Instance, path: str, chosen: Chosen = UNCHOSEN, dropped: Mapping[str, str] = NOTHING) -> Claim:
    """Read a claim about `instance` from a file, or standard input for `-`; `dropped` says why jobs are not in it.

    `{"alpha": {JOB: NUMBER}, "intervals": [{"machine", "start", "end", "weight", "b"}], "prices": {MACHINE: NUMBER},
    "bound": NUMBER, "guess": NUMBER, "problem": TEXT, "normalisation": TEXT}`, all optional. Jobs are ids as in the
    instance's file, machines numbers from 1 or names, times and weights in the units of that file, numbers exact.

    Any other file is a solver's solution of an exported program (`claim_of_solution`).

    Raises: `InvalidInput` with every fault of the file; for what an option and the file say differently.
    """
    opened = Source.open(path)
    if not _is_claim(opened.text()):
        return _of_solver(instance, opened.text(), opened.name, chosen)
    return claim_of(instance, parse(opened.text(), opened.name), opened.name, chosen, dropped)


def _is_claim(text: str) -> bool:
    """Whether this is meant as JSON, and not as a solver's: that of Gurobi, or an object from names to numbers."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        keys = json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return True
    return not any(key == "SolutionInfo" or re.fullmatch(r"[a-z]+(_\d+)+", key) for key in keys)


def _of_solver(instance: Instance, text: str, path: str, chosen: Chosen) -> Claim:
    if chosen.normalisation is not None:
        got = "--normalisation beside a solver's solution"
        raise InvalidInput(Problem("--normalisation", "no choice", got, "that of the program: dual", "omit it"))
    found = parse_solution(text, path)
    return claim_of_solution(instance, found, chosen.problem or "max-flow", chosen.bound, chosen.guess)


def claim_of(
    instance: Instance,
    document: Mapping[str, Any],
    place: str,
    chosen: Chosen = UNCHOSEN,
    dropped: Mapping[str, str] = NOTHING,
) -> Claim:
    """The claim of a document; see `read_claim`."""
    entries = Entries(instance, place, first=1, dropped=dropped)
    of_energy = ["problem"] if document.get("problem") == "energy" else [key for key in ENERGY if key in document]
    if of_energy:
        fix = "give --problem energy and --alpha or --power"
        entries.wrong(f"$.{of_energy[0]}", "a claim of energy", "no --problem energy", "that and P(s)", fix)
        entries.finish()
    for key in document:
        if key not in KEYS:
            entries.wrong(f"$.{key}", "unknown key", show(key), f"only {', '.join(KEYS)}", "correct or remove it")
    typed(entries, document, {"alpha": dict, "prices": dict, "intervals": list, "problem": str, "normalisation": str})
    rows = [_interval(entries, one, f"$.intervals[{k}]") for k, one in enumerate(document.get("intervals", ()))]
    entries.finish()
    said = {key: agreed(key, getattr(chosen, key), document.get(key)) for key in Chosen._fields}
    return Claim.of(
        instance,
        alpha=document.get("alpha"),
        intervals=rows if "intervals" in document else None,
        prices=document.get("prices"),
        problem=said["problem"] or "max-flow",
        normalisation=said["normalisation"] or "family",
        bound=said["bound"],
        guess=said["guess"],
        entries=entries,
    )


def to_document(claim: Claim) -> dict[str, Any]:
    """The claim as a document that `claim_of` reads back; machines by name where they have names."""
    instance, unit = claim.instance, claim.instance.tick
    said: dict[str, Any] = {"problem": claim.problem, "normalisation": claim.normalisation}
    if claim.value is not None:
        said["alpha"] = {str(job): plain(one) for job, one in zip(instance.ids, claim.value, strict=True)}
    if claim.family is not None and claim.problem == "load":
        prices = [(one.machine, Fraction(one.multiplicity, claim.scale)) for one in claim.family]
        said["prices"] = {instance.machine_name(i): plain(price) for i, price in prices}
    elif claim.family is not None:
        said["intervals"] = [
            {
                "machine": instance.machine_name(one.machine) if instance.machine_names else one.machine + 1,
                "start": plain(one.start * unit),
                "end": plain(one.end * unit),
                **({} if claim.weights is None else {"weight": plain(one.weight * claim.unit_weight)}),
                "b": plain(Fraction(one.multiplicity, claim.scale)),
            }
            for one in claim.family
        ]
    stated = {"bound": claim.bound, "guess": claim.guess}
    return {**said, **{key: plain(one) for key, one in stated.items() if one is not None}}


def typed(entries: Entries, document: Mapping[str, Any], types: Mapping[str, type]) -> None:
    """Raises: `InvalidInput` for members that are of another type."""
    words: dict[type, str] = {dict: "an object", list: "a list", str: "a text"}
    for key, wanted in types.items():
        if key in document and not isinstance(document[key], wanted):
            entries.wrong(f"$.{key}", "wrong type", kind(document[key]), words[wanted], "correct it")
    entries.finish()


def _interval(entries: Entries, given: Any, place: str) -> tuple[Any, ...]:
    if not isinstance(given, dict):
        entries.wrong(place, "wrong type", kind(given), f"an object with {', '.join(INTERVAL)}", "correct it")
        return ()
    for key in given:
        if key not in INTERVAL:
            entries.wrong(f"{place}.{key}", "unknown key", show(key), f"only {', '.join(INTERVAL)}", "correct it")
    for key in INTERVAL[:3]:
        if key not in given:
            entries.wrong(place, "missing key", f"no {key}", "machine, start and end", "add it")
    return tuple(given.get(key, 1 if key == "b" else None) for key in INTERVAL)


def agreed(key: str, option: Any, written: Any) -> Any:
    """What the option or the file says. Raises: `InvalidInput` if both do, and differently."""
    if option is not None and written is not None and str(option) != str(written):
        got = f"{option} beside {written} in the file"
        raise InvalidInput(Problem(f"--{key}", "contradicts the file", got, "one of the two", "omit one of them"))
    return written if option is None else option
