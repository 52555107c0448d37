"""Figures as files: the same bytes for the same numbers, wherever matplotlib is the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from online.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METADATA: dict[str, dict[str, None]] = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}
"""What each kind of file would say about when and by what it was made, left out."""

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "dualfit",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}

MARKERS = "osD^vP*X<>hpd"
"""Markers that differ without colour."""

DASHES = ("solid", "dashed", "dashdot", "dotted")
"""Line styles that differ without colour."""

RASTER = 2000
"""Curves and marks of more points than this are pixels inside a vector file: it stays small, and quick to show."""


@dataclass(frozen=True)
class Page:
    """A picture to be written: its file, its size in inches and its title where they are not the picture's own.

    `title` is None for the picture's own and empty for none; `font_size` is in points, `dpi` in pixels an inch;
    `option` is where the user named the file.
    """

    path: str
    option: str = "--plot"
    width: Fraction | None = None
    height: Fraction | None = None
    title: str | None = None
    font_size: Fraction = Fraction(10)
    dpi: int = 150

    def titled(self, own: str) -> str:
        """The title, given the picture's own; formulas are no part of what a user wrote."""
        return own if self.title is None else literal(self.title)


def literal(text: object) -> str:
    """A name from a file as matplotlib shows it as it is: no formula begins in it, and no legend leaves it out.

    >>> literal("$5 or $6"), literal("_mine:Own")
    ('\\\\$5 or \\\\$6', ' _mine:Own')
    """
    shown = str(text).replace("$", r"\$")
    return " " + shown if shown.startswith("_") else shown


def check_plot(path: str, option: str = "--plot") -> None:
    """Raises: `InvalidInput` for a file that is no svg, png or pdf, and where matplotlib is missing."""
    if Path(path).suffix.lstrip(".") not in METADATA:
        got, expected = path or "no name", "a name in .svg, .png or .pdf"
        raise InvalidInput(Problem(option, "no picture", got, expected, "choose one of these"))
    check_matplotlib(option)


def check_matplotlib(place: str) -> None:
    """Raises: `InvalidInput` where matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        fix = "pip install 'dualfit[plot]'"
        raise InvalidInput(Problem(place, "no matplotlib", "no such module", "matplotlib", fix)) from None


@contextmanager
def drawn(page: Page, width: int | Fraction, height: int | Fraction) -> Iterator[Figure]:
    """An empty figure, of so many inches where the page does not say; written to the file at the end.

    Raises: `InvalidInput` as `check_plot`, and if the file cannot be written.
    """
    check_plot(page.path, page.option)
    import matplotlib
    from matplotlib.figure import Figure

    size = (plain(page.width or width), plain(page.height or height))
    with matplotlib.rc_context({**STYLE, "font.size": plain(page.font_size)}):
        figure = Figure(figsize=size)
        yield figure
        try:
            figure.savefig(page.path, dpi=page.dpi, metadata=METADATA[Path(page.path).suffix.lstrip(".")])
        except OSError as failed:
            got, fix = f"{page.path!r}: {failed.strerror or failed}", f"choose another {page.option}"
            raise InvalidInput(Problem(page.option, "cannot be written", got, "a writable file", fix)) from failed


def plain(value: str | int | Fraction) -> float:
    """An exact number as matplotlib wants it. Raises: `InvalidInput` for one that no picture can show."""
    value = Fraction(value)
    try:
        return value.numerator / value.denominator
    except OverflowError:
        got, fix = f"a number of {len(str(round(value)))} digits", "choose another unit of time or weight"
        raise InvalidInput(Problem("picture", "too large", got, "numbers below 10^300", fix)) from None
