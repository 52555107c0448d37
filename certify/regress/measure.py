"""One file under one setting: what is read, what the run or the bounds are, and how the claims fare."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from certify import check
from certify.build import certify_bounds
from certify.claims.claim import Entry
from certify.commands import bound as bounds
from certify.commands.common import Input, load
from certify.commands.energy import bound as energy_bounds
from certify.commands.energy.ledger import energy_entries
from certify.commands.energy.options import ENERGY, policy_constants, power_from
from certify.commands.energy.run import Bounds, Outcome, played
from certify.commands.energy.search import bounding
from certify.commands.energy.source import load_jobs
from certify.commands.ledger import entries_of
from certify.commands.run import certified_run, constants_of
from certify.energy_build import certify_bracket
from certify.evidence import Document
from certify.problems.registry import TRACKS
from certify.regress.settings import Settings
from online import exact
from online.algorithm import find
from online.errors import DualfitError, InvalidInput, Problem
from online.instance import canonical_bytes

Value: TypeAlias = str | int | bool | list[str] | dict[str, Any] | None
Facts: TypeAlias = dict[str, Value]
"""What is recorded of one file, by name: exact numbers as text."""

RESULTS = (
    "algorithm",
    "constants",
    "power",
    "machines",
    "accepted",
    "rejected",
    "rejected_weight",
    "late",
    "over_budget_at",
    "guesses",
    "refuted_guesses",
    "unrefuted_guesses",
    "objective",
    "flow",
    "energy",
    "bound",
    "bound_from",
    "ratio",
    "method",
    "lower",
    "rung",
    "upper",
    "optimal",
    "closed",
)
"""What is taken over from the result of a command, as far as it has it."""


@dataclass(frozen=True)
class Measured:
    """What came out for a file, or why nothing did."""

    facts: Facts
    failed: DualfitError | None = None

    @property
    def accepted(self) -> bool:
        """Whether the checker accepted the certificate."""
        return self.facts.get("certificate") == "accepted"


def measure(path: Path, settings: Settings) -> Measured:
    """Do what the settings say with one file; a refusal is an answer too."""
    try:
        parameters = settings.parsed(str(path.absolute()), "options")
        name = settings.command + ("-energy" if settings.problem == ENERGY else "")
        return Measured({"file_sha256": _hash_of(path), **MEASURES[name](**parameters)})
    except DualfitError as failed:
        return Measured({}, failed)


def _hash_of(path: Path) -> str:
    """Raises: `InvalidInput` for what is no file, such as a pipe, and what cannot be read."""
    try:
        if not path.is_file():
            raise OSError("no ordinary file")
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as failed:
        why = failed.strerror or str(failed)
        raise InvalidInput(Problem(path.name, "cannot be read", why, "a readable file", "check it")) from failed


def _run(
    file: str,
    problem: str,
    epsilon: Fraction,
    guess: Fraction | None,
    name: str | None,
    speed: Fraction,
    bound: str,
    size: str | None,
    strict: bool,
    **chosen: Any,
) -> Facts:
    constants = constants_of(**{key: chosen.pop(key) for key in ("alpha", "offset", "segment", "period")})
    source = load(file, size, strict, chosen)
    name = name or TRACKS[problem].default_algorithm(source.instance)
    algorithm = find(name, problem)
    outcome = certified_run(source, problem, algorithm, name, epsilon, guess, bound, constants, speed)
    document = outcome.certified.document
    entries = entries_of(document, None, name) if outcome.verdict.verdict == "accepted" else []
    return _facts(source, outcome.to_document(), document, entries)


def _run_energy(
    file: str,
    alpha: Fraction | None,
    described: str | None,
    name: str,
    kappa: Fraction | None,
    speed: Fraction | None,
    seed: int | None,
    bits: int,
    bound: str,
    gap: Fraction,
    size: str | None,
    strict: bool,
    **chosen: Any,
) -> Facts:
    power, constants = power_from(alpha, described), policy_constants(kappa, speed, seed)
    source = load_jobs(file, size, strict, chosen)
    run = played(source, power, name, constants, bits)
    bracket = bounding(source.instance, power, None, gap) if bound == "auto" else None
    outcome = Outcome.of(source, run, Bounds(None, None) if bound == "none" else Bounds.of([run.trajectory], bracket))
    accepted = outcome.verdict.verdict == "accepted"
    entries = energy_entries(outcome.certificate, None, name) if accepted else []
    return _facts(source, outcome.to_document(), outcome.certificate, entries)


def _bound(file: str, problem: str, method: str | None, size: str | None, strict: bool, **chosen: Any) -> Facts:
    source = load(file, size, strict, chosen)
    found = TRACKS[problem].bracket(source.instance, method or "best")
    lower = [rung.bound for rung in found.rungs]
    document = certify_bounds(source.instance, problem, lower, found.upper, source.source)
    verdict = check.check_document(document).verdict
    return _facts(source, bounds.to_document(source, problem, found, verdict), document, [])


def _bound_energy(
    file: str,
    alpha: Fraction | None,
    described: str | None,
    gap: Fraction,
    size: str | None,
    strict: bool,
    **chosen: Any,
) -> Facts:
    power = power_from(alpha, described)
    source = load_jobs(file, size, strict, chosen)
    found = bounding(source.instance, power, None, gap)
    document = certify_bracket(source.instance, power, found, source.source)
    verdict = check.check_document(document).verdict
    return _facts(source, energy_bounds.to_document(source, power, found, gap, verdict), document, [])


MEASURES: dict[str, Callable[..., Facts]] = {
    "run": _run,
    "run-energy": _run_energy,
    "bound": _bound,
    "bound-energy": _bound_energy,
}


def _facts(source: Input, result: Mapping[str, Any], certificate: Document, entries: list[Entry]) -> Facts:
    facts: Facts = {"instance_sha256": source.instance.sha256, **_reading(source)}
    if "run" in certificate:
        facts["run_sha256"] = hashlib.sha256(canonical_bytes(certificate["run"])).hexdigest()
    facts |= {name: result[name] for name in RESULTS if name in result}
    if "ladder" in result:
        facts["ladder"] = {one["rung"]: one["lower"] for one in result["ladder"]}
    if "guarantees" in result:
        facts["guarantees"] = {one["theorem"]: one["shown"] for one in result["guarantees"]}
    facts["certificate"] = result["verdict"]
    if entries:
        facts["ledger"] = {entry.claim.id: entry.verdict.value for entry in entries}
        facts["slack"] = dict(_slacks(entries))
    return facts


def _reading(source: Input) -> Facts:
    account = source.account()
    door = account["rejected_at_the_door"]
    return {
        "format": account["format"],
        "read": account["read"],
        "used": account["used"],
        "dropped": {one["reason"]: one["count"] for one in account["dropped"]},
        "rejected_at_the_door": door["count"],
        "rejected_weight_at_the_door": door["weight"],
        "unit_size": account["unit_size"],
    }


def _slacks(entries: list[Entry]) -> Iterator[tuple[str, str]]:
    """The slack of every claim that says something."""
    for entry in entries:
        if entry.slack is not None:
            yield entry.claim.id, exact.text(entry.slack)
