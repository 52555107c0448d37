"""What the kinds of pictures share: the page, the window, the machines; a certificate that was checked; the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from certify import check
from certify.commands.check import accepted, called, conclude, folder_of, reread
from certify.commands.common import EXACT, JSON, Command, present, working
from certify.evidence import Document
from certify.plots import Page, check_plot
from certify.report.scene import Scene
from certify.show import facts, number
from online import exact
from online.errors import InvalidInput, Problem

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
    click.option(
        "--from", "start", type=EXACT, help="Draw from this time on; queues of load: from so many arrivals on."
    ),
    click.option("--to", "end", type=EXACT, help="Draw up to this time; queues of load: so many arrivals."),
)


def machine_options(most: str) -> Callable[[Command], Command]:
    """Add the options that say which machines are drawn; `most` says how many without them."""
    words = f"Without --machine: at most so many, by default {most}; the title says if there are more."
    return _all(
        (
            click.option("--machine", "machines", multiple=True, metavar="NAME", help="This machine; may be repeated."),
            click.option("--most", type=click.IntRange(1, MOST), help=words),
        )
    )


def _all(options: tuple[Callable[[Command], Command], ...]) -> Callable[[Command], Command]:
    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


page_options, window_options = _all(_PAGE), _all(_WINDOW)

MOST = 60
"""Machines in one picture: each has a row of its own."""

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


def opened(certificate: str, file: str | None, algorithm: str | None = None) -> Scene:
    """What a certificate is about, once the checker accepts it. Raises: as `accepted`."""
    with working("checking the certificate"):
        return _scene(*accepted(certificate, file), certificate, algorithm)


def about(document: Document, certificate: str, file: str | None = None) -> Scene:
    """The same of a certificate that was read already. Raises: as `conclude`."""
    with working("checking the certificate"):
        own = None if file is None else reread(document, file).to_document()
        verdict = check.check_document(document, own, folder_of(certificate))
        conclude(verdict, certificate)
    return _scene(document, verdict, certificate)


def _scene(document: Document, verdict: check.Verdict, certificate: str, algorithm: str | None = None) -> Scene:
    """It is called by the user's own file, where the certificate names it."""
    source = document.get("source")
    known = source.get("file") if isinstance(source, dict) else None
    name = known or Path(called(certificate)).name
    return Scene(document, verdict, str(name), folder_of(certificate), algorithm)


EXACT_VALUES: Mapping[str, exact.Toward] = {
    "lower": "down",
    "upper": "up",
    "ratios": "down",
    "peak": "nearest",
    "dearest": "nearest",
}
"""What is an exact number in what was drawn, and how its decimals are rounded."""


def report(kind: str, page: Page, found: Document, as_json: bool) -> None:
    """Say what was drawn; exact numbers are decimals in the table, and exact in JSON."""
    rows = [("kind", kind), *((key, _words(value, EXACT_VALUES.get(key))) for key, value in found.items())]
    rows.append(("written to", page.path))
    present({"kind": kind, "out": page.path, **found}, lambda: [facts("Picture", rows)], as_json)


def _words(value: object, toward: exact.Toward | None) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(one, toward)}" for key, one in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(_words(one, toward) for one in value) or "none"
    return "none" if value is None else str(value) if toward is None else number(str(value), toward)
