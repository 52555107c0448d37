"""Figures as files: the same bytes for the same numbers, wherever matplotlib is the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}

MARKERS = "osD^vP*X<>hpd"
"""Markers that differ without colour."""

DASHES = ("solid", "dashed", "dashdot", "dotted")
"""Line styles that differ without colour."""


def check_plot(path: str, option: str = "--plot") -> None:
    """Raises: `InvalidInput` for a file that is no svg, png or pdf, and where matplotlib is missing."""
    if Path(path).suffix.lstrip(".") not in METADATA:
        got, expected = path or "no name", "a name in .svg, .png or .pdf"
        raise InvalidInput(Problem(option, "no picture", got, expected, "choose one of these"))
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        fix = "pip install 'dualfit[plot]'"
        raise InvalidInput(Problem(option, "no matplotlib", "no such module", "matplotlib", fix)) from None


@contextmanager
def drawn(path: str, width: int, height: int, option: str = "--plot") -> Iterator[Figure]:
    """An empty figure of so many inches; written to the file at the end.

    Raises: `InvalidInput` as `check_plot`, and if the file cannot be written.
    """
    check_plot(path, option)
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height))
        yield figure
        try:
            figure.savefig(path, dpi=150, metadata=METADATA[Path(path).suffix.lstrip(".")])
        except OSError as failed:
            got, fix = f"{path!r}: {failed.strerror or failed}", f"choose another {option}"
            raise InvalidInput(Problem(option, "cannot be written", got, "a writable file", fix)) from failed


def plain(value: str | Fraction) -> float:
    """An exact number as matplotlib wants it."""
    value = Fraction(value)
    return value.numerator / value.denominator
