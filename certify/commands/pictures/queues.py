"""`dualfit plot queues`: what machines have left over time."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from certify.commands.check import naming
from certify.commands.common import CERTIFICATE, INSTANCE, working
from certify.commands.pictures.options import (
    machine_options,
    opened,
    page_of,
    page_options,
    report,
    window_options,
)
from certify.energy_reopen import reopen_trajectory
from certify.figures.axis import Window
from certify.figures.chosen import refuse_options
from certify.figures.queues import AMOUNTS, Asked, draw_queues, draw_servers
from certify.reopen import reopen_run


@click.command("queues")
@CERTIFICATE
@INSTANCE
@machine_options("6")
@click.option(
    "--of",
    "amount",
    type=click.Choice(list(AMOUNTS)),
    default="work",
    show_default=True,
    help="Work left, or the number of unfinished jobs.",
)
@window_options
@page_options
def queues_command(
    certificate: str,
    file: str | None,
    machines: tuple[str, ...],
    most: int | None,
    amount: str,
    start: Fraction | None,
    end: Fraction | None,
    **chosen: Any,
) -> None:
    """Draw what machines have left over time in the run of CERTIFICATE: all together, then one by one.

    Rejections are marked. For max-flow and load the guesses T and T/epsilon are lines while they last. Of load, which
    has no time, the loads after so many arrivals. Of flow time plus energy the backlog and the sum of the speeds.
    """
    page, as_json = page_of(chosen)
    window, scene = Window(start, end).check(), opened(certificate, file)
    with working("drawing"), naming(certificate):
        if scene.problem == "energy":
            given = {"--machine": machines or None, "--most": most, "--of": None if amount == "work" else amount}
            refuse_options(given, "servers share one backlog")
            run = reopen_trajectory(scene.document, scene.folder)
            found = draw_servers(run, window, page, scene.name)
        else:
            asked = Asked(machines, most or Asked.most, amount, window)
            found = draw_queues(reopen_run(scene.document, scene.folder), asked, page, scene.name)
    report("queues", page, found, as_json)
