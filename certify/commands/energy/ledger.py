"""The ledger of [S] on the run of a certificate."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from certify.claims.claim import Entry
from certify.commands.common import working
from certify.energy_build import columns
from certify.energy_reopen import reopen_trajectory, reopen_witness
from certify.problems.energy import ledger
from certify.reopen import claimed_bound
from online import exact
from online.errors import FalseClaim, InvalidInput, Problem
from online.speed.policy import names
from online.speed.simulation import simulate
from online.speed.trajectory import Trajectory

MOST_BITS = 1000
"""No run was recorded with finer dials or times."""


def energy_entries(document: dict[str, Any], folder: str | None, name: str | None) -> list[Entry]:
    """The ledger of an accepted certificate that lies in `folder`; no module that only the certificate names is run."""
    run = reopen_trajectory(document, folder)
    record = document["run"]
    with working("measuring the claims"):
        if name or record["algorithm"] in names():
            _replay(run, record, name or record["algorithm"])
        return ledger(run, claimed_bound(document), reopen_witness(document, folder))


def _replay(run: Trajectory, record: dict[str, Any], name: str) -> None:
    """Raises: `FalseClaim` if the recorded run is not what the policy does on the instance; `InvalidInput` if it does
    not say how it came about.
    """
    constants = {key: _number(key, value) for key, value in record.get("parameters", {}).items()}
    bits, grid = _whole("bits", constants.pop("bits", None)), constants.pop("grid", None)
    again = simulate(
        run.instance,
        run.power,
        name,
        options=constants,
        bits=bits,
        grid=None if grid is None else _whole("grid", grid),
    )
    if columns(again.trajectory) != record["schedule"]:
        raise FalseClaim(f"the run is not one of {name} with its constants: the ledger is about another")


def _number(key: str, value: str) -> Fraction:
    try:
        return exact.rational(value)
    except exact.BadNumber as bad:
        raise _unusable(key, str(bad)) from None


def _whole(key: str, value: Fraction | None) -> int:
    if value is None or value.denominator != 1 or not 0 <= value <= MOST_BITS:
        raise _unusable(key, "nothing" if value is None else str(value))
    return int(value)


def _unusable(key: str, got: str) -> InvalidInput:
    expected, fix = "a run as `dualfit run` records it", "use a certificate that `dualfit run` wrote"
    return InvalidInput(Problem(f"$.run.parameters.{key}", "no such number", got, expected, fix))
