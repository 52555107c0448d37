"""The ladder of bounds on one axis, up to the upper bound and the objective of the run."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.evidence import Document
from certify.figures.axis import entitle
from certify.plots import Page, drawn, legend_below, literal, plain
from certify.report.ladder import TOWARD, Rung
from certify.show import short
from online import exact
from online.errors import InvalidInput, Problem

MARKS = {"lower": ("o", "solid"), "refuted": ("X", "dashed"), "upper": ("D", "dotted"), "run": ("s", "dashdot")}
"""Marker and dash of each kind of rung."""

WIDTH = 8
"""Inches, where the page does not say."""

WORDS = {
    "lower": "T* is at least",
    "refuted": "a guess that T* exceeds",
    "upper": "T* is at most",
    "run": "the run",
}


@dataclass(frozen=True)
class Ladder:
    """Bounds by value, and the name of the optimum."""

    rungs: Sequence[Rung]
    optimum: str = "T*"


def ladder_of(result: Mapping[str, Any]) -> Ladder:
    """The ladder in what `dualfit bound --json` printed."""
    lower = [
        Rung("lower", Fraction(one["lower"]), f"{one['rung']}: {one.get('form') or one['bound_from']}")
        for one in result["ladder"]
    ]
    upper = Rung("upper", Fraction(result["upper"]), str(result.get("upper_from", "a schedule")))
    rungs = sorted([*lower, upper], key=lambda rung: (rung.value, rung.kind))
    return Ladder(rungs, "OPT" if result["problem"] == "energy" else "T*")


def draw_ladder(shown: Ladder, page: Page, source: str) -> Document:
    """A line a rung, from the least; grey is where the optimum may be. Returns what was drawn.

    Raises: as `certify.plots.drawn`, and `InvalidInput` if there is no bound.
    """
    rungs = shown.rungs
    if not any(rung.kind != "run" for rung in rungs):
        expected, fix = "a bound on the optimum", "use a certificate of dualfit bound, or of a run with --bound"
        raise InvalidInput(Problem("certificate", "nothing to draw", "no bound", expected, fix))
    lower = max((rung.value for rung in rungs if rung.kind == "lower"), default=Fraction(0))
    upper = min((rung.value for rung in rungs if rung.kind == "upper"), default=None)
    letters = int((page.width or WIDTH) * 40 / page.font_size)
    labels = [textwrap.fill(literal(rung.by), max(16, letters)) for rung in rungs]
    lines = sum(1 + label.count("\n") for label in labels)
    with drawn(page, WIDTH, Fraction(3, 2) + Fraction(1, 50) * page.font_size * (lines + len(rungs))) as figure:
        axes = figure.add_subplot()
        end = plain(max(rung.value for rung in rungs)) or 1
        if upper is not None and upper > lower:
            axes.axvspan(
                plain(lower), plain(upper), color="0.9", linewidth=0, zorder=0, label=f"{shown.optimum} is here"
            )
        elif upper == lower:
            axes.axvline(
                plain(lower), color="0.6", linewidth=1, zorder=0, label=f"{shown.optimum} = {short(str(lower))}"
            )
        for y, rung in enumerate(rungs):
            marker, dash = MARKS[rung.kind]
            x, label = plain(rung.value), WORDS[rung.kind].replace("T*", shown.optimum)
            axes.hlines(y, 0, x, color="0.3", linestyle=dash, linewidth=1)
            axes.plot([x], [y], marker, color="0.0", markersize=7, markerfacecolor="1.0", label=label, linestyle="none")
            axes.annotate(
                short(exact.text(rung.value), TOWARD[rung.kind]),
                (x, y),
                va="center",
                xytext=(8, 0),
                textcoords="offset points",
                bbox={"facecolor": "1.0", "linewidth": 0, "pad": 1},
            )
        axes.set_yticks(range(len(rungs)), labels)
        axes.set_ylim(-1, len(rungs))
        axes.set_xlim(0, end * 6 / 5)
        axes.set_xlabel(f"bounds on {shown.optimum}")
        legend_below(figure)
        entitle(axes, page, literal(source))
    kinds = {kind: sum(rung.kind == kind for rung in rungs) for kind in MARKS}
    return {"rungs": kinds, "lower": exact.text(lower), "upper": None if upper is None else exact.text(upper)}
