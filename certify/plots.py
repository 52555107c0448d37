"""Figures as files: the same bytes for the same numbers, wherever matplotlib is the same."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from online.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METADATA: dict[str, dict[str, None]] = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}
"""What each kind of file would say about when and by what it was made, left out."""

FONT = "DejaVu Sans"
"""Comes with matplotlib."""

STYLE: dict[Any, Any] = {
    "font.family": FONT,
    "svg.hashsalt": "dualfit",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}

MARKERS = "osD^vP*X<>hpd"
"""Markers that differ without colour."""

HEADROOM = 16 / 15
"""How much higher an axis from 0 is than what is drawn: the highest marker is whole."""

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


def literal(text: object, most: int | None = None) -> str:
    r"""A name from a file as matplotlib can show it: no formula begins in it, no legend leaves it out.

    What the font does not have is escaped; of more than `most` letters the middle is left out.

    >>> literal("$5 or $6"), literal("_mine:Own"), literal("日"), literal("rack-a-node-17", 9)
    ('\\$5 or \\$6', ' _mine:Own', '\\u65e5', 'rack…e-17')
    """
    known = _letters()
    shown = "".join(one if ord(one) in known else one.encode("unicode_escape").decode() for one in str(text))
    if most is not None and len(shown) > most:
        shown = f"{shown[: (most - 1) // 2]}…{shown[len(shown) - most // 2 :]}"
    shown = shown.replace("$", r"\$")
    return " " + shown if shown.startswith("_") else shown


@cache
def _letters() -> frozenset[int]:
    """The characters that the font of the pictures has."""
    from matplotlib.font_manager import findfont
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(findfont(FONT)).get_charmap())


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
    with matplotlib.rc_context({**STYLE, "font.size": plain(page.font_size)}), warnings.catch_warnings():
        warnings.filterwarnings("error", "constrained_layout not applied")
        figure = Figure(figsize=size)
        yield figure
        try:
            figure.savefig(page.path, dpi=page.dpi, metadata=METADATA[Path(page.path).suffix.lstrip(".")])
        except UserWarning:
            got, fix = " x ".join(f"{side:g} inches" for side in size), "give a larger size, or smaller letters"
            raise InvalidInput(Problem(page.option, "no room", got, "room for axes and words", fix)) from None
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


def letters_across(figure: Figure) -> int:
    """About how many letters of a text go into a line as wide as the figure."""
    return _letters_in(figure.get_figwidth())


def letters_beside(figure: Figure, rows: int) -> int:
    """About how many letters go along one of so many rows, title and legend taken off."""
    import matplotlib

    outside = matplotlib.rcParams["font.size"] / 8
    return max(6, _letters_in(max(0, figure.get_figheight() - outside) / rows))


def _letters_in(inches: float) -> int:
    import matplotlib

    return int(inches * 120 / matplotlib.rcParams["font.size"])


def legend_below(figure: Figure) -> None:
    """One legend for all panels below them, each label once, in as many columns as there is room for."""
    found: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    if found:
        room, lengths = letters_across(figure), [max(map(len, label.splitlines())) + 9 for label in found]
        columns = len(found) if sum(lengths) <= room else max(1, min(4, len(found), room // max(lengths)))
        figure.legend(list(found.values()), list(found), loc="outside lower center", ncols=columns)
