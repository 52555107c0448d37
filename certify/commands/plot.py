"""`dualfit plot`: pictures for papers and slides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from certify.commands.check import accepted_document, folder_of
from certify.commands.common import EXACT, JSON, Command, present, working
from certify.energy_reopen import reopen_trajectory
from certify.evidence import Document
from certify.figures.axis import Window
from certify.figures.queues import AMOUNTS, Asked, draw_queues, draw_servers
from certify.plots import Page, check_plot
from certify.reopen import reopen_run
from certify.show import facts
from online.errors import InvalidInput, Problem

CERTIFICATE = click.argument("certificate", type=click.Path(path_type=str))
INSTANCE = click.option(
    "--instance",
    "file",
    type=click.Path(path_type=str),
    help="The file of the instance, to bind the certificate to it.",
)
_PAGE = (
    click.option("--out", required=True, type=click.Path(dir_okay=False), help="The picture: a .svg, .pdf or .png."),
    click.option("--width", type=EXACT, help="Inches, such as 3.3 for a column; by default what suits the picture."),
    click.option("--height", type=EXACT, help="Inches; by default what suits the picture."),
    click.option("--title", help="A title instead of the picture's own."),
    click.option("--no-title", is_flag=True, help="No title: the caption of the paper says it."),
    click.option("--font-size", type=EXACT, default="10", show_default=True, help="Points."),
    click.option(
        "--dpi",
        type=click.IntRange(30, 1200),
        default=150,
        show_default=True,
        help="Pixels an inch, of a .png and of what is drawn in pixels inside a vector file.",
    ),
    JSON,
)
_WINDOW = (
    click.option("--from", "start", type=EXACT, help="Draw from this time on (of load: from so many arrivals on)."),
    click.option("--to", "end", type=EXACT, help="Draw up to this time (of load: so many arrivals)."),
)
_MACHINES = (
    click.option("--machine", "machines", multiple=True, metavar="NAME", help="This machine; may be repeated."),
    click.option(
        "--most",
        type=click.IntRange(min=1),
        default=6,
        show_default=True,
        help="Without --machine: so many machines at most; the title says if there are more.",
    ),
)


def _all(options: tuple[Callable[[Command], Command], ...]) -> Callable[[Command], Command]:
    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


page_options, window_options, machine_options = _all(_PAGE), _all(_WINDOW), _all(_MACHINES)

SMALLEST, LARGEST = 1, 100
"""Inches of a side, and points of a letter."""


def page_of(chosen: dict[str, Any]) -> tuple[Page, bool]:
    """The page that the options describe, and whether the result is to be JSON; they are taken out of `chosen`.

    Raises: `InvalidInput` for sizes out of range, two titles, another kind of file, and where matplotlib is missing.
    """
    names = ("out", "width", "height", "title", "no_title", "font_size", "dpi", "as_json")
    out, width, height, title, no_title, font_size, dpi, as_json = (chosen.pop(name) for name in names)
    for option, value in (("--width", width), ("--height", height), ("--font-size", font_size)):
        if value is not None and not SMALLEST <= value <= LARGEST:
            raise InvalidInput(
                Problem(option, "out of range", str(value), f"a number from {SMALLEST} to {LARGEST}", "choose another")
            )
    if title is not None and no_title:
        raise InvalidInput(Problem("--title", "contradicting options", "--no-title too", "one of the two", "omit one"))
    check_plot(out, "--out")
    return Page(out, "--out", width, height, "" if no_title else title, font_size, dpi), as_json


@click.group("plot")
def plot_command() -> None:
    """Draw a picture for a paper or a slide: svg, pdf or png by the name of --out, readable in grey.

    The same input gives the same bytes, wherever matplotlib is the same. A certificate is checked before it is drawn.
    What is too much for a picture is never left out in silence: the title says how many machines of how many it shows.

    Needs pip install 'dualfit[plot]'.
    """


@plot_command.command("queues")
@CERTIFICATE
@INSTANCE
@machine_options
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
    most: int,
    amount: str,
    start: Fraction | None,
    end: Fraction | None,
    **chosen: Any,
) -> None:
    """Draw what machines have left over time in the run of CERTIFICATE: all together, then one by one.

    Rejections are marked, the guesses T and T/epsilon are lines while they last. Of load, which has no time, the loads
    after so many arrivals. Of flow time plus energy the backlog and the sum of the speeds.
    """
    page, as_json = page_of(chosen)
    window, document = Window(start, end).check(), _opened(certificate, file)
    with working("drawing"):
        if document["problem"] == "energy":
            run = reopen_trajectory(document, folder_of(certificate))
            found = draw_servers(run, window, page, _name(document, certificate))
        else:
            asked = Asked(machines, most, amount, window)
            found = draw_queues(reopen_run(document, folder_of(certificate)), asked, page, _name(document, certificate))
    _report("queues", page, found, as_json)


def _opened(certificate: str, file: str | None) -> Document:
    with working("checking the certificate"):
        return accepted_document(certificate, file)


def _name(document: Document, certificate: str) -> str:
    """What the picture is about: the user's own file, or the certificate."""
    source = document.get("source", {})
    known = source.get("file") if isinstance(source, dict) else None
    return str(known or ("standard input" if certificate == "-" else Path(certificate).name))


def _report(kind: str, page: Page, found: Document, as_json: bool) -> None:
    result = {"kind": kind, "out": page.path, **found}
    rows = [("kind", kind), *((key, _words(value)) for key, value in found.items()), ("written to", page.path)]
    present(result, lambda: [facts("Picture", rows)], as_json)


def _words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
