"""`dualfit plot growth`: how a lower bound grows with the size of the game."""

from __future__ import annotations

from typing import Any

import click

from certify import energy_plots, game_plots
from certify.commands.pictures.options import page_of, page_options, report
from certify.figures.results import GROWTH, SERVERS, expect, read_result


@click.command("growth")
@click.argument("result", type=click.Path(path_type=str))
@page_options
def growth_command(result: str, **chosen: Any) -> None:
    """Draw the sweep in RESULT, which `dualfit adversary GAME --sweep 1/4,1/16 --json` printed (`-`: standard input).

    The measured ratios, the line that fits them, what the proof promises, and what it guarantees. A sweep of the games
    of flow time plus energy, --sweep-machines, is drawn beside m^(1 - 1/alpha).
    """
    page, as_json = page_of(chosen)
    document = read_result(result)
    about_servers = isinstance(document, dict) and "policy" in document
    expect(document, result, SERVERS if about_servers else GROWTH, "dualfit adversary GAME --sweep ... --json")
    (energy_plots if about_servers else game_plots).draw_growth(document, page)
    report(
        "growth", page, {"games": len(document["rows"]), "ratios": [row["ratio"] for row in document["rows"]]}, as_json
    )
