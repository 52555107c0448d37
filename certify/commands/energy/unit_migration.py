"""`dualfit adversary unit-migration`: unit jobs on which round robin costs more than a schedule that migrates."""

from __future__ import annotations

from pathlib import Path

import click

from certify.build import to_text
from certify.commands.common import JSON, make_folder, present, save, working
from certify.energy_show import migration_tables
from certify.speed.unit_migration import UnitMigration, unit_migration
from online.errors import FalseClaim

NAME = "unit-migration"


@click.command("adversary")
@click.argument("name", metavar="GAME", type=click.Choice([NAME]), expose_value=False)
@click.option("--out-dir", "folder", type=click.Path(file_okay=False), help="Write the three certificates there.")
@JSON
def unit_migration_command(folder: str | None, as_json: bool) -> None:
    """Seven unit jobs on two servers at s^2: round robin is not optimal among schedules that migrate.

    Three certificates: a schedule with migration, and a lower bound for each of the two servers when jobs go to the
    servers in turn. Whatever is done there, in any order and at any speeds, is a schedule of the server's own jobs; the
    cost is the sum, and so at least the sum of the two bounds, which is more than that of the schedule.
    """
    with working("prices for both servers, certificates"):
        found = unit_migration()
        found.verdicts  # noqa: B018
    if folder is not None:
        make_folder(folder)
        for name, one in found.certificates.items():
            save(str(Path(folder) / f"{name}.json"), to_text(one))
    report(found, folder, as_json)


def report(found: UnitMigration, folder: str | None, as_json: bool) -> None:
    """Print the result. Raises: `FalseClaim` unless all is accepted and round robin costs more."""
    present(found.to_document(), lambda: migration_tables(found.to_document(), folder), as_json)
    if not found.accepted:
        raise FalseClaim(f"the checker did not accept a certificate of {NAME}", printed=True)
    if found.lower <= found.upper:
        raise FalseClaim("the bounds do not separate round robin from the schedule that migrates", printed=True)
