"""`dualfit compare --problem energy`: many policies with speeds on one instance, with one certified bound for all."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from certify import check
from certify.build import to_text
from certify.commands.common import FILE, JSON, Input, Several, make_folder, present, reading_options, save, working
from certify.commands.energy.options import (
    POLICY_NAMES,
    PROBLEM,
    policy_constants,
    policy_options,
    power_from,
    power_options,
)
from certify.commands.energy.run import Bounds, Outcome, played
from certify.commands.energy.search import bounding, search_options
from certify.commands.energy.source import load_jobs
from certify.energy_build import ORIGINS, certify_bracket
from certify.energy_show import comparison_tables
from certify.evidence import Document
from lp.energy.bracket import EnergyBracket
from online import exact
from online.errors import FalseClaim, InvalidInput, Problem
from online.speed.policy import find_policy, names
from online.speed.power import Power
from online.speed.simulation import SpeedRun
from online.speed.trajectory import check_instance

ALL = "all"


@dataclass(frozen=True)
class Contender:
    """A policy by name, with the constants that are meant for it."""

    name: str
    constants: Mapping[str, Fraction]

    @property
    def file(self) -> str:
        """The name of its certificate."""
        return re.sub("[^A-Za-z0-9.@+_-]", "_", self.name) + ".cert.json"


def contenders(listed: Iterable[str], constants: Mapping[str, Fraction]) -> list[Contender]:
    """The policies of these names, once each; `all` are those with short names.

    Raises: `InvalidInput` for an unknown one, and for a constant that none takes.
    """
    wanted = dict.fromkeys(one for name in listed for one in (names() if name == ALL else [name]))
    options = {name: find_policy(name).options for name in wanted}
    for key in constants:
        if not any(key in taken for taken in options.values()):
            raise InvalidInput(Problem(f"--{key}", "of no use", "given", "a policy that takes it", "omit it"))
    return [
        Contender(name, {key: value for key, value in constants.items() if key in taken})
        for name, taken in options.items()
    ]


@dataclass(frozen=True)
class Comparison:
    """Outcomes of the contenders, the bounds that they share, and how long each played."""

    source: Input
    power: Power
    bounds: Bounds
    verdict: str
    outcomes: Sequence[tuple[Contender, Outcome, Any]]
    failed: Sequence[tuple[Contender, InvalidInput]] = ()

    def to_document(self) -> Document:
        """One JSON object, in the input's units; without times, so that it is the same every time."""
        tick, (rung, upper) = self.source.instance.tick, self.bounds
        return {
            "problem": "energy",
            "power": str(self.power),
            "machines": self.source.instance.machines,
            "lower": "0" if rung is None else exact.text(rung.value * tick),
            "bound_from": ORIGINS[rung.method] if rung else "no jobs",
            "upper": "0" if upper is None else exact.text(upper.cost * tick),
            "verdict": self.verdict,
            "rows": [_row(one, outcome) for one, outcome, _ in self.outcomes],
            "failed": [{"name": one.name, "refused": str(refused)} for one, refused in self.failed],
            "reading": self.source.account(),
        }

    @property
    def false(self) -> list[str]:
        """What is not as it should be."""
        out = [] if self.verdict == "accepted" else ["the certificate of the bounds is not accepted"]
        for one, outcome, _ in self.outcomes:
            if outcome.verdict.verdict != "accepted":
                out.append(f"the certificate of {one.name} is not accepted")
            out += [f"theorem {theorem} fails on {one.name}" for theorem in outcome.false]
        return out


def _row(one: Contender, outcome: Outcome) -> Document:
    document = outcome.to_document()
    kept = ("constants", "objective", "flow", "energy", "ratio", "backlog", "guarantees", "rounding", "verdict")
    return {"name": one.name, **{key: document[key] for key in kept}}


@click.command("compare")
@FILE
@PROBLEM
@power_options
@click.option(
    "--algorithms",
    "listed",
    type=Several(click.STRING),
    default=ALL,
    show_default=True,
    help=f"Names with commas between them: `all` that have short names, {POLICY_NAMES}.",
)
@policy_options
@search_options
@click.option("--out-dir", "folder", type=click.Path(file_okay=False), help="Write every certificate into this folder.")
@reading_options
@JSON
def energy_compare_command(
    file: str,
    alpha: Fraction | None,
    described: str | None,
    listed: tuple[str, ...],
    kappa: Fraction | None,
    speed: Fraction | None,
    seed: int | None,
    bits: int,
    time_limit: float | None,
    gap: Fraction,
    folder: str | None,
    size: str | None,
    strict: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Compare policies with speeds on FILE: flow time, energy, and the ratio of their sum to one certified bound.

    Every run is certified and its certificate checked; a policy that fails has a row that says so. Seconds stand in the
    table alone: with --json the same input gives the same bytes.
    """
    power = power_from(alpha, described)
    entered = contenders(listed, policy_constants(kappa, speed, seed))
    source = load_jobs(file, size, strict, chosen)
    check_instance(source.instance)
    make_folder(folder)
    found = _compared(source, power, entered, bits, bounding(source.instance, power, time_limit, gap), folder)
    present(
        found.to_document(),
        lambda: comparison_tables(found.to_document(), [seconds for *_, seconds in found.outcomes]),
        as_json,
    )
    if found.false:
        raise FalseClaim("; ".join(found.false), printed=True)
    if found.failed:
        raise InvalidInput(tuple(problem for _, refused in found.failed for problem in refused.problems), printed=True)


def _compared(
    source: Input, power: Power, entered: Sequence[Contender], bits: int, bracket: EnergyBracket, folder: str | None
) -> Comparison:
    games, failed = [], []
    for one in entered:
        try:
            games.append((one, *_timed(source, power, one, bits)))
        except InvalidInput as refused:
            failed.append((one, refused))
    if not games:
        raise InvalidInput(tuple(problem for _, refused in failed for problem in refused.problems))
    best = Bounds.of([run.trajectory for _, run, _ in games], bracket)
    outcomes = []
    for one, run, seconds in games:
        with working(f"certifying {one.name}"):
            outcome = Outcome.of(source, run, best)
        _save(folder, one.file, outcome.certificate, source)
        outcomes.append((one, outcome, seconds))
    certificate = certify_bracket(source.instance, power, bracket, source.source)
    _save(folder, "bounds.cert.json", certificate, source)
    return Comparison(source, power, best, check.check_document(certificate).verdict, outcomes, failed)


def _timed(source: Input, power: Power, one: Contender, bits: int) -> tuple[SpeedRun, Any]:
    start = time.perf_counter()
    run = played(source, power, one.name, one.constants, bits)
    return run, time.perf_counter() - start


def _save(folder: str | None, name: str, document: Document, source: Input) -> None:
    if folder is not None:
        save(str(Path(folder) / name), to_text(document), source.file)
