"""The growth of the games of [S] as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from certify.evidence import Document
from certify.plots import Page, drawn, literal, plain
from certify.show import short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OCTAVES = 8
"""Ratios that differ by less have ticks at round numbers, for there are few powers of two between them."""


def draw_growth(result: Document, page: Page) -> None:
    """The certified ratios against the number of servers, beside m^(1 - 1/alpha), on logarithmic scales.

    Raises: `InvalidInput` for another kind of file, without matplotlib, and if the file cannot be written.
    """
    rows = sorted(result["rows"], key=lambda row: int(row["machines"]))
    x = [int(row["machines"]) for row in rows]
    with drawn(page, 7, 5) as figure:
        axes = figure.add_subplot()
        order = [plain(row["order"]) for row in rows]
        axes.plot(x, order, "--", color="0.5", label=f"$m^{{{result['theory']}}}$")
        fit = "" if result["exponent"] is None else f", fitted exponent {short(result['exponent'])}"
        axes.plot(x, [plain(row["ratio"]) for row in rows], "o-", color="0.0", label=f"certified ratio{fit}")
        _label(axes, x)
        own = f"{literal(result['policy'])}, P(s) = s^{result['alpha']}"
        axes.set_title(page.titled(own), loc="left")


def _label(axes: Axes, x: list[int]) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xticks(x, [str(m) for m in x])
    if axes.dataLim.y1 < OCTAVES * axes.dataLim.y0:
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.set_xlabel("servers m")
    axes.set_ylabel("cost of the policy / cost of a schedule, at least")
    axes.legend(loc="upper left")
