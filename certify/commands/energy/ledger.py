"""The ledger of [S] on the run of a certificate."""

from __future__ import annotations

from typing import Any

from certify.claims.claim import Entry
from certify.commands.common import working
from certify.energy_build import columns
from certify.energy_reopen import reopen_trajectory, reopen_witness
from certify.problems.energy import ledger
from certify.reopen import claimed_bound
from online import exact
from online.errors import FalseClaim
from online.speed.policy import find_policy, names
from online.speed.simulation import simulate
from online.speed.trajectory import Trajectory


def energy_entries(document: dict[str, Any], folder: str | None, name: str | None) -> list[Entry]:
    """The ledger of an accepted certificate that lies in `folder`; no module that only the certificate names is run."""
    run = reopen_trajectory(document, folder)
    record = document["run"]
    with working("measuring the claims"):
        if name or record["algorithm"] in names():
            _replay(run, record, name or record["algorithm"])
        return ledger(run, claimed_bound(document), reopen_witness(document, folder))


def _replay(run: Trajectory, record: dict[str, Any], name: str) -> None:
    """Raises: `FalseClaim` if the recorded run is not what the policy does on the instance."""
    constants = dict(record["parameters"])
    bits, grid = int(constants.pop("bits")), constants.pop("grid", None)
    again = simulate(
        run.instance,
        run.power,
        find_policy(name),
        options={key: exact.rational(value) for key, value in constants.items()},
        bits=bits,
        grid=None if grid is None else int(grid),
    )
    if columns(again.trajectory) != record["schedule"]:
        raise FalseClaim(f"the run is not one of {name} with its constants: the ledger is about another")
