"""What the pictures share: a window of time, curves, marks, and machines by name."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from certify.plots import RASTER, Page, legend_below, letters_across, literal, plain
from certify.trajectory import Course
from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Points = npt.NDArray[np.float64]

Limits = tuple[Fraction, Fraction]
"""From where to where, in the input's units."""


LONGEST = 14
"""Digits of a time that is written out on the axis."""

LONGEST_NAME = 24
"""Letters of a machine's name below an axis."""

FINEST = 1 << 40
"""Times further from 0 than so many times the length of the picture cannot be told apart in it."""


@dataclass(frozen=True)
class Window:
    """The stretch of the axis that is drawn, in the input's units; None: as far as there is something."""

    start: Fraction | None = None
    end: Fraction | None = None

    def check(self) -> Window:
        """The same. Raises: `InvalidInput` for an empty one."""
        if self.start is not None and self.end is not None and self.start >= self.end:
            expected = f"more than --from {self.start}"
            raise InvalidInput(Problem("--to", "empty window", str(self.end), expected, "give a later --to"))
        return self

    def limits(self, first: Fraction, last: Fraction, spare: Fraction = Fraction(0)) -> Limits:
        """From where to where, if there is something from `first` to `last`; `spare` on both sides where nobody asked.

        >>> Window(end=Fraction(9)).limits(Fraction(2), Fraction(5)), Window().limits(Fraction(0), Fraction(0))
        ((Fraction(2, 1), Fraction(9, 1)), (Fraction(0, 1), Fraction(1, 1)))

        Raises: `InvalidInput` where there is nothing in it, and where it is too short, so far from 0, for numbers on
        paper.
        """
        self._meets(first, last)
        start = first - spare if self.start is None else self.start
        end = last + spare if self.end is None else self.end
        if end <= start and self.end is not None:
            start = min(start, end - 1)
        end = max(end, start + 1) if end <= start else end
        if (end - start) * FINEST < max(abs(start), abs(end)):
            got, expected = f"{exact.decimal(start)} to {exact.decimal(end)}", "times that are apart on paper"
            fix = "subtract the first release from all times"
            raise InvalidInput(Problem("time", "too short a stretch so far from 0", got, expected, fix))
        return start, end

    def _meets(self, first: Fraction, last: Fraction) -> None:
        late, early = self.start is not None and self.start > last, self.end is not None and self.end < first
        if late or early:
            option, got = ("--from", self.start) if late else ("--to", self.end)
            expected = f"a part of {exact.decimal(first)} to {exact.decimal(last)}, where all there is lies"
            fix = f"give an earlier {option}" if late else f"give a later {option}"
            raise InvalidInput(Problem(option, "nothing to draw", str(got), expected, fix))


def scaled(column: npt.NDArray[Any], scale: Fraction) -> Points:
    """Exact numbers times a scale, as matplotlib wants them."""
    if column.dtype == object:
        return np.array([plain(value * scale) for value in column.tolist()], dtype=np.float64)
    return column * plain(scale)


def points(course: Course, tick: Fraction, unit: Fraction, limits: Limits) -> tuple[Points, Points]:
    """The corners of a course within limits and at them; jumps are two corners."""
    start, end = (limit / tick * course.per_tick for limit in limits)
    inside = np.flatnonzero((course.time >= start) & (course.time <= end)) if len(course) else np.zeros(0, np.int64)
    own = slice(inside[0], inside[-1] + 1) if len(inside) else slice(0)
    time = scaled(course.time[own], tick / course.per_tick)
    low, high = (scaled(one[own], unit / course.per_unit) for one in (course.before, course.after))
    edges = [np.array([[plain(limit), plain(course.at(limit / tick) * unit)]]) for limit in limits]
    first = edges[0] if not len(time) or time[0] > edges[0][0, 0] else np.zeros((0, 2))
    corners = np.column_stack([np.repeat(time, 2), np.column_stack([low, high]).ravel()])
    x, y = np.concatenate([first, corners, edges[1]]).T
    return x, y


def curve(axes: Axes, x: Points, y: Points, **style: Any) -> None:
    """A curve; one of very many points is drawn in pixels."""
    thin = len(x) > RASTER
    style = {"color": "0.0", "linewidth": 1 / 2 if thin else 1, "solid_joinstyle": "round", **style}
    axes.plot(x, y, rasterized=thin, **style)


def marks(axes: Axes, x: Points, y: object, **style: Any) -> None:
    """Markers at points, or all at one height; very many are drawn in pixels."""
    if not len(x):
        return
    heights = np.broadcast_to(np.asarray(y), x.shape)
    axes.plot(x, heights, linestyle="none", clip_on=False, rasterized=len(x) > RASTER, **style)


def chosen_machines(instance: Instance, names: Sequence[str], ranked: Sequence[int], most: int) -> list[int]:
    """The machines of these names, in that order; without names the first `most` of `ranked`, by number.

    Raises: `InvalidInput` for a machine that there is not.
    """
    if not names:
        return sorted(ranked[:most])
    known = {instance.machine_name(i): i for i in range(instance.machines)}
    missing = [name for name in names if name not in known]
    if missing:
        expected = f"one of {_some(known)}"
        raise InvalidInput(Problem("--machine", "no such machine", repr(missing[0]), expected, "choose one of these"))
    return [known[name] for name in dict.fromkeys(names)]


def _some(names: Mapping[str, int], most: int = 12) -> str:
    shown = list(names)[:most]
    return ", ".join(shown) + (f", ... ({len(names)} in all)" if len(names) > most else "")


def machine_label(instance: Instance, machine: int, letters: int) -> str:
    """How a machine is called beside a row with room for so many letters."""
    name = instance.machine_name(machine)
    words = literal(f"machine {name}")
    return words if len(words) <= letters else literal(name, letters)


def name_machines(axes: Axes, instance: Instance, machines: Sequence[int]) -> None:
    """Write machines below an axis that has one at 0, 1, ...; upright where they have no room side by side."""
    names = [literal(instance.machine_name(i), LONGEST_NAME) for i in machines]
    room = letters_across(axes.get_figure(root=True)) * 3 // 4  # type: ignore[arg-type]
    upright = len(names) > 12 or (max(map(len, names)) + 2) * len(names) > room
    axes.set_xticks(range(len(names)), names)
    axes.tick_params(axis="x", length=0, labelrotation=90 if upright else 0)


def how_many(shown: int, of: int, why: str) -> str:
    """Says that not all machines are drawn; nothing if they are.

    >>> how_many(20, 312, "those with most work"), how_many(2, 2, "")
    ('20 of 312 machines, those with most work', '')
    """
    return "" if shown >= of else f"{shown} of {of} machines, {why}"


def entitle(axes: Axes, page: Page, own: str) -> None:
    """Write the page's title, or the picture's own, in as many lines as the width asks for."""
    letters = max(20, letters_across(axes.get_figure(root=True)) * 3 // 4)  # type: ignore[arg-type]
    lines = [textwrap.fill(line, letters, break_on_hyphens=False) for line in page.titled(own).splitlines()]
    axes.set_title("\n".join(lines), loc="left")


def joined(parts: Iterable[str]) -> str:
    """The parts of a title that say something."""
    return "; ".join(part for part in parts if part)


def within(x: Points, limits: Limits) -> Points:
    """Those of the points that are in view."""
    return x[(x >= plain(limits[0])) & (x <= plain(limits[1]))]


def finish(figure: Figure, panels: Sequence[Axes], limits: Limits, words: str) -> None:
    """The shared axis below, whole numbers written out, and one legend for all panels."""
    panels[-1].set_xlim(*map(plain, limits))
    panels[-1].set_xlabel(words)
    longest = max(len(str(round(limit))) for limit in limits)
    if longest <= LONGEST:
        panels[-1].ticklabel_format(axis="x", style="plain", useOffset=False)
    panels[-1].locator_params(
        axis="x", nbins=max(1, min(9, letters_across(figure) * 3 // 5 // (min(longest, LONGEST) + 3)))
    )
    legend_below(figure)
    figure.align_ylabels(panels)
