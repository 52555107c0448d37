"""`dualfit plot`: pictures for papers and slides."""

from __future__ import annotations

import click

from certify.commands.lazy import LazyGroup

KINDS = {kind: f"certify.commands.pictures.{kind}" for kind in ("families", "queues", "ratio", "ladder", "growth")}
"""The modules of the kinds of pictures."""


@click.group("plot", cls=LazyGroup, lazy=KINDS)
def plot_command() -> None:
    """Draw a picture for a paper or a slide: svg, pdf or png by the name of --out, readable in grey.

    The same input gives the same bytes, wherever matplotlib is the same. A certificate is checked before it is drawn.
    Nothing is left out in silence: the title says how many machines of how many are shown.

    Needs pip install 'dualfit[plot]'.
    """
