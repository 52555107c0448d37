"""Families of machine intervals, as Figures 1, 3 and 4 of [R] have them: a row a machine, a band a level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from certify.evidence import Document
from certify.figures.axis import (
    Limits,
    Window,
    chosen_machines,
    curve,
    entitle,
    finish,
    how_many,
    joined,
    machine_label,
    marks,
    points,
    scaled,
)
from certify.figures.fates import AWAY
from certify.figures.intervals import Picture
from certify.plots import RASTER, Page, drawn, letters_beside, literal, plain
from online import exact
from online.exact import Column
from online.family import IntervalFamily

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "oo", "++", "--")
"""Hatches that tell weight thresholds apart without colour."""

SHADES = ("0.88", "0.76")
"""Of bands of odd and of even levels."""

LANES, LANE = (Fraction(1, 10), Fraction(9, 25)), Fraction(2, 25)
"""Where below the axis stand the jobs that are counted, and not, as shares of a row; how far apart their kinds are."""

AWAY_STYLES: tuple[dict[str, Any], ...] = (
    {"marker": "x", "markersize": 3},
    {"marker": "+", "markersize": 4},
    {"marker": ">", "markersize": 3, "markerfacecolor": "1.0", "markeredgewidth": 1 / 2},
)

ELSEWHERE = "may run here, went elsewhere"

FEW = 60
"""Up to so many intervals in a row have their multiplicity written on them."""


@dataclass(frozen=True)
class Asked:
    """Which machines (by name; none: the `most` with most intervals), and the window."""

    machines: Sequence[str] = ()
    most: int = 6
    window: Window = field(default_factory=Window)


def draw_families(shown: Picture, asked: Asked, page: Page, source: str, level: int | None = None) -> Document:
    """A row a machine: its intervals by level, the load where there is one, and below it the jobs that may run there.

    A long mark is a job that was dispatched to the machine, a short one a job that went elsewhere, a cross one that the
    run rejected, on arrival or late (`+`), a triangle one that the phase left to the next; those that an interval
    counts stand above those that none counts. Returns what was drawn: the jobs in view, each once, and how many marks
    they have.

    Raises: as `certify.plots.drawn`, and `InvalidInput` for a machine that there is not.
    """
    instance, tick = shown.instance, shown.instance.tick
    machines = chosen_machines(instance, asked.machines, shown.ranked(), asked.most)
    first, last = _extent(shown)
    limits = asked.window.limits(first, last, (last - first) / 50)
    intervals, seen = 0, Seen(len(shown.weight))
    with drawn(page, 8, Fraction(3, 2) + Fraction(3, 2) * len(machines)) as figure:
        rows = figure.subplots(len(machines), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        several = shown.height is not None and len({level % 2 for level in shown.levels}) > 1
        top, room = _top(shown, machines), letters_beside(figure, len(rows))
        for axes, machine in zip(rows, machines, strict=True):
            own = shown.family.where(shown.family.machine == machine)
            intervals += len(own)
            _bands(axes, own, tick, shown.height, several)
            if shown.course is not None:
                curve(axes, *points(shown.course(machine), tick, Fraction(1), limits), label=_load_words(shown))
            _jobs(axes, shown, machine, limits, plain(top), seen)
            _heights(axes, shown, plain(top))
            axes.set_ylabel(machine_label(instance, machine, room))
        finish(figure, list(rows), limits, "time")
        some = how_many(
            len(machines), instance.machines, "as chosen" if asked.machines else "those with most intervals"
        )
        words = [*map(literal, shown.words), "" if level is None else f"level {level}", some]
        entitle(rows[0], page, f"{literal(source)}: {joined(words)}")
    names = [instance.machine_name(i) for i in machines]
    return {
        "machines": names,
        "of": instance.machines,
        "levels": shown.levels,
        "all intervals": len(shown.family),
        "intervals": intervals,
        **seen.counts(shown.dispatch),
    }


class Seen:
    """Which of the jobs are in view, which of them an interval counts, and how many marks stand for them."""

    def __init__(self, jobs: int) -> None:
        self.drawn, self.counted = np.zeros(jobs, dtype=bool), np.zeros(jobs, dtype=bool)
        self.marks = 0

    def add(self, jobs: Column, counted: bool) -> None:
        """Marks for these jobs, one each."""
        self.drawn[jobs] = True
        self.counted[jobs] |= counted
        self.marks += len(jobs)

    def counts(self, dispatch: Column | None) -> dict[str, int]:
        """How many jobs there are of each kind."""
        kinds = {} if dispatch is None else {words: int((dispatch[self.drawn] == k).sum()) for words, k in AWAY.items()}
        jobs, counted = int(self.drawn.sum()), int(self.counted.sum())
        return {"jobs": jobs, "counted": counted, "not counted": jobs - counted, **kinds, "marks": self.marks}


def _load_words(shown: Picture) -> str:
    return "load" if shown.low is None else "maxload"


def _extent(shown: Picture) -> Limits:
    """From the first to the last of the jobs' releases and the intervals, in the input's units."""
    instance, family, tick = shown.instance, shown.family, shown.instance.tick
    jobs = instance.release[shown.first : shown.first + len(shown.weight)]
    times = [Fraction(int(jobs[k])) for k in (0, -1) if len(jobs)]
    if len(family):
        times += [
            Fraction(min(family.start.tolist()), family.per_tick),
            Fraction(max(family.end.tolist()), family.per_tick),
        ]
    if not times:
        return Fraction(0), Fraction(0)
    return min(times) * tick, max(times) * tick


def _top(shown: Picture, machines: Sequence[int]) -> Fraction:
    """Where the rows end: above the intervals and the loads."""
    step = Fraction(1) if shown.height is None else shown.height
    heights = [step * max(shown.levels, default=1)]
    if shown.course is not None:
        heights += [shown.course(machine).peak for machine in machines]
    return max(heights)


def _bands(axes: Axes, own: IntervalFamily, tick: Fraction, height: Fraction | None, several: bool) -> None:
    step, scale = plain(1 if height is None else height), tick / own.per_tick
    for level in sorted(set(own.level.tolist())):
        for number, weight in enumerate(own.weights):
            part = own.where((own.level == level) & (own.weight_class == number))
            if not len(part):
                continue
            start = scaled(part.start, scale)
            spans = list(zip(start.tolist(), (scaled(part.end, scale) - start).tolist(), strict=True))
            shade = SHADES[level % 2 if height is not None else 0]
            style: dict[str, Any] = {"facecolor": shade, "edgecolor": "0.35", "linewidth": 1, "label": "intervals"}
            if len(own.weights) > 1:
                style["hatch"] = HATCHES[number % len(HATCHES)]
                style["label"] += f" for weight {exact.decimal(weight, 3)} on"
            elif several:
                style["label"] += f" of {'odd' if level % 2 else 'even'} levels"
            label = style.pop("label")
            long = {"label": label} if any(length for _, length in spans) else {}
            axes.broken_barh(
                spans, (step * (level - 1), step), rasterized=len(spans) > RASTER, zorder=1, **style, **long
            )
            _points(axes, spans, step * (level - 1), step, label)
            if len(own) <= FEW:
                _multiplicities(axes, spans, part.multiplicity.tolist(), step * (2 * level - 1) / 2)


def _points(axes: Axes, spans: Sequence[tuple[float, float]], low: float, step: float, label: str) -> None:
    """Intervals that are one moment: a bar that would have no width."""
    moments = [start for start, length in spans if not length]
    style: dict[str, Any] = {"color": "0.35", "linewidth": 3, "zorder": 2, "rasterized": len(moments) > RASTER}
    if moments:
        axes.vlines(moments, low, low + step, label=f"{label}, one moment", **style)


def _multiplicities(axes: Axes, spans: Sequence[tuple[float, float]], times: Sequence[int], y: float) -> None:
    for (start, length), often in zip(spans, times, strict=True):
        if often != 1:
            axes.annotate(f"\N{MULTIPLICATION SIGN}{often}", (start + length / 2, y), ha="center", va="center")


def _jobs(axes: Axes, shown: Picture, machine: int, limits: Limits, top: float, seen: Seen) -> None:
    jobs, inside = shown.counted(machine)
    release = scaled(shown.instance.release[jobs], shown.instance.tick)
    in_view = (release >= plain(limits[0])) & (release <= plain(limits[1]))
    where = np.full(len(jobs), machine) if shown.dispatch is None else shown.dispatch[jobs - shown.first]
    here = "may run here" if shown.dispatch is None else "dispatched here"
    kinds: list[tuple[str, Column, int, dict[str, Any]]] = [
        (here, where == machine, 0, {"marker": "|", "markersize": 5}),
        (ELSEWHERE, (where != machine) & (where >= 0), 1, {"marker": "|", "markersize": 3, "color": "0.45"}),
    ]
    for (words, code), style in zip(AWAY.items(), AWAY_STYLES, strict=True):
        kinds.append((words, where == code, 2, style))
    for counts, base in zip((True, False), LANES, strict=True):
        for words, mask, lane, style in kinds:
            own = mask & (inside == counts) & in_view
            seen.add(jobs[own] - shown.first, counts)
            marks(axes, release[own], -top * plain(base + lane * LANE), label=words, **{"color": "0.0", **style})


def _heights(axes: Axes, shown: Picture, top: float) -> None:
    """The marks of the levels as multiples of T, and the two rows of jobs."""
    ticks, labels = [-top * plain(base + LANE) for base in LANES], ["counted", "not counted"]
    if shown.height is not None and shown.guess is not None:
        step = plain(shown.height)
        count = int(top / step) if step else 0
        every = max(1, count // 4)
        for level in range(0, count + 1, every):
            ticks.append(level * step)
            labels.append(multiple(level * shown.height / shown.guess))
            axes.axhline(level * step, color="0.6", linewidth=1 / 2, linestyle="dotted", zorder=0)
    axes.set_yticks(ticks, labels)
    axes.set_ylim(-top * 3 / 5, top * 21 / 20)


def multiple(factor: Fraction) -> str:
    """So many times T.

    >>> multiple(Fraction(0)), multiple(Fraction(1)), multiple(Fraction(3)), multiple(Fraction(3, 4))
    ('0', 'T', '3 T', '3/4 T')
    """
    return "0" if not factor else "T" if factor == 1 else f"{exact.text(factor)} T"
