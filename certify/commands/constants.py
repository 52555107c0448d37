"""`dualfit constants`: how small the constants of the theorems can be before their budget fails."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from certify.build import to_text
from certify.commands.common import EXACT, JSON, Several, present, save, working
from certify.commands.interrupts import terminable
from certify.search.constants import CONSTANTS, Constant
from certify.search.threshold import Search, Threshold, corpus, setup_of
from certify.search.view import constants_tables
from certify.search.witness import WitnessRun
from online import exact
from online.errors import FalseClaim, InvalidInput, Problem
from online.play import check_epsilon

STANDING = "evidence on instances: no failure seen is no proof, a failure shown is one"


@dataclass(frozen=True)
class Line:
    """A threshold, and the certified run on the instance that fails just below it."""

    threshold: Threshold
    witness: WitnessRun | None
    path: str | None

    @classmethod
    def of(cls, threshold: Threshold, folder: str | None) -> Line:
        """Certify the witness, and save its certificate in the folder."""
        failing, constant = threshold.failing, threshold.constant
        if failing is None or failing.witness is None:
            return cls(threshold, None, None)
        setup = setup_of(constant, threshold.epsilon, failing.value)
        witness, path = WitnessRun.of(setup, failing.witness), None
        if folder is not None:
            name = f"{constant.id}-{str(threshold.epsilon).replace('/', '-')}.cert.json"
            path = str(Path(folder) / name)
            save(path, to_text(witness.certified.document))
        return cls(threshold, witness, path)

    def to_document(self) -> dict[str, Any]:
        """One JSON object."""
        threshold, constant = self.threshold, self.threshold.constant
        return {
            "id": constant.id,
            "theorem": constant.theorem,
            "problem": constant.problem,
            "algorithm": constant.algorithm,
            "constant": constant.option,
            "epsilon": exact.text(threshold.epsilon),
            "proven": exact.text(threshold.proven),
            "fails_at": _text(threshold.fails_at),
            "no_failure_from": _text(threshold.holds_from),
            "fails_at_all_below": threshold.monotone,
            "tried": [
                {"value": exact.text(one.value), "instances": one.instances, "failures": one.failures}
                for one in threshold.trials
            ],
            "witness": self.witness and self.witness.to_document(),
            "certificate": self.path,
        }


def _text(value: Fraction | None) -> str | None:
    return None if value is None else exact.text(value)


@click.command("constants")
@click.argument("theorems", nargs=-1, metavar="[CONSTANT]...")
@click.option(
    "--epsilon", type=Several(EXACT), default="1/4", show_default=True, help="Rejection budgets, separated by commas."
)
@click.option(
    "--instances",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="Instances drawn for each constant, beside nine tournaments, and games against every value.",
)
@click.option(
    "--steps",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    help="Instances that each of two local searches looks at for a failure, just above the largest value that fails.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another seed, other instances.")
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False),
    help="Write the certificates of the instances that fail into this folder.",
)
@JSON
def constants_command(
    theorems: tuple[str, ...],
    epsilon: tuple[Fraction, ...],
    instances: int,
    steps: int,
    seed: int,
    folder: str | None,
    as_json: bool,
) -> None:
    """Find how small the constants of the theorems can be before more than epsilon is rejected.

    \b
    5.1.alpha, 5.1.alpha-bounded, 5.2.alpha   load balancing: levels that a machine may fill
    6.1.alpha                                 maximum flow time: rejected from load alpha T on
    6.2.alpha, 6.2.offset, 6.2.segment        weighted: A's queues, B's classes, B's segments
    7.alpha, 7.offset, 7.segment, 7.period    two weights: the same, and every how many-th job is rejected

    CONSTANT is one of these, the beginning of some (6.2), or the number of a theorem (6.17); without, all. Each is
    changed alone, the others are those of the proofs, and T is the optimum, for which the theorems promise the budget.
    Every value is tried on the same instances, for load and max-flow with tournaments and a lower-bound game played
    against each of the values; and a local search looks for further failures just above the largest value that fails.
    All of them take a few minutes with the defaults; a smaller epsilon takes longer.

    Shown are the proven value, the largest one with an instance on which the budget fails, and the smallest tried one
    above it: that no failure was seen from there on is evidence, and no proof. Exit code 1 if a proven value fails.
    """
    for one in epsilon:
        check_epsilon(one)
    chosen = _chosen(theorems)
    if folder is not None:
        _make(folder)
    lines = []
    with terminable(), working("constants") as progress, redirect_stdout(sys.stderr):
        for constant in chosen:
            known = corpus(constant.space, instances, seed)
            for share in epsilon:
                search = Search(constant, share, known, steps=steps, seed=seed, tell=progress.describe)
                lines.append(Line.of(search.run(), folder))
    document = {
        "instances": instances,
        "steps": steps,
        "seed": seed,
        "standing": STANDING,
        "constants": [line.to_document() for line in lines],
    }
    report(lines, document, as_json)


def report(lines: Sequence[Line], document: dict[str, Any], as_json: bool) -> None:
    """Print the thresholds. Raises: `FalseClaim` if a proven value fails, or a certificate is not accepted."""
    present(document, lambda: constants_tables(document), as_json)
    if any(line.witness is not None and line.witness.verdict.verdict != "accepted" for line in lines):
        raise FalseClaim("the checker did not accept the certificate of a witness", printed=True)
    false = [line.threshold for line in lines if not line.threshold.proven_holds]
    if false:
        words = ", ".join(f"{one.constant.id} at epsilon {one.epsilon}" for one in false)
        raise FalseClaim(f"proven constants with which the budget fails: {words}", printed=True)


def _chosen(wanted: Sequence[str]) -> list[Constant]:
    """Raises: `InvalidInput` for a name that begins no constant."""
    for name in wanted:
        if not name or not any(one.named(name) for one in CONSTANTS):
            known = ", ".join(one.id for one in CONSTANTS)
            raise InvalidInput(Problem("CONSTANT", "unknown constant", repr(name), f"one of {known}", "choose one"))
    return [one for one in CONSTANTS if not wanted or any(map(one.named, wanted))]


def _make(folder: str) -> None:
    """Make the folder, but none above it. Raises: `InvalidInput` if that cannot be."""
    expected, fix = "a folder that can be written to, in one that is there", "choose another"
    if not folder or folder.startswith("-"):
        raise InvalidInput(Problem("--out", "no folder", repr(folder), expected, fix))
    try:
        Path(folder).mkdir(exist_ok=True)
    except OSError as failed:
        got = f"{folder!r}: {failed.strerror or failed}"
        raise InvalidInput(Problem("--out", "no folder", got, expected, fix)) from None
