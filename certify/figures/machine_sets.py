"""Nested machine sets of load balancing: the machines by load, and the thresholds s T."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from certify.evidence import Document
from certify.figures.axis import entitle, how_many, joined, name_machines
from certify.figures.fates import AWAY, LATE, LEFT, fates
from certify.plots import HEADROOM, RASTER, Page, drawn, legend_below, literal, plain
from online import exact
from online.instance import Instance
from online.load_witness import ClassWitness, LoadWitness
from online.run import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Kind = tuple[bool, int]
"""Whether a job is in J(sT); 0, or what else becomes of it than that it runs."""

WORDS = {0: "", LATE: ", rejected late", LEFT: ", left to the next phase"}
HATCHES = {0: "", LATE: "////", LEFT: "...."}
HALF = 2 / 5
"""Of the width of a bar."""


class Bar(NamedTuple):
    """Jobs on the machine at place `x`, from what the first saw up to what the last made of it, in ticks."""

    x: int
    low: int
    high: int


BARS = 40
"""Machines side by side, where nobody asks for another number."""

BLOCKS = 1000
"""Up to so many jobs are drawn one by one."""


def draw_sets(
    run: Run, witness: LoadWitness, chosen: ClassWitness, level: int | None, most: int | None, page: Page, source: str
) -> Document:
    """The loads of the jobs of a size class, the fullest machine first, and each set M_s as a line at s T above it.

    The sets are those of the loads before any late rejection: jobs that the run rejects late are there, hatched; so is
    one that the phase left to the next. With `level` s the jobs of J(sT), which saw a load of at least s T, are dark.
    Returns what was drawn.

    Raises: as `certify.plots.drawn`.
    """
    instance, tick = run.instance, run.instance.tick
    machines = sorted(range(instance.machines), key=lambda i: (-chosen.loads[i], i))[: most or BARS]
    dark, fate = set() if level is None else set(chosen.jobs(level)), fates(run, witness.phase)
    ends = [int(fate[j - witness.phase.first]) for j in [row[0] for row in chosen.accepted] + chosen.rejected]
    away = {words: ends.count(code) for words, code in AWAY.items()}
    bars = _bars(instance, chosen, machines, lambda j: (j in dark, min(int(fate[j - witness.phase.first]), 0)))
    with drawn(page, max(6, min(12, len(machines) // 4)), 5) as figure:
        axes = figure.add_subplot()
        top = plain(max(chosen.loads) * tick) * HEADROOM or 1
        for (part, code), own in sorted(bars.items(), key=lambda item: (item[0][0], -item[0][1])):
            label = (f"J({level} T)" if part else "jobs of the class") + WORDS[code]
            _stack(axes, own, tick, len(chosen.accepted) <= BLOCKS, label, "0.35" if part else "0.85", HATCHES[code])
        axes.set_xlim(-1, plain(len(machines) + Fraction(1, 2)))
        axes.set_ylim(0, top)
        _thresholds(axes, chosen, len(machines), tick, level, top * _share_of_a_line(figure))
        name_machines(axes, instance, machines)
        axes.set_xlabel("machines, by load of the class")
        axes.set_ylabel("load of the class" + (", with late rejections" if away["rejected late"] else ""))
        legend_below(figure)
        words = [
            f"T = {exact.decimal(chosen.guess * tick, 3)}",
            f"size class {chosen.name}" if len(witness.classes) > 1 else "",
            *(f"{count} {words}" for words, count in away.items() if count),
            how_many(len(machines), instance.machines, "the fullest of the class"),
        ]
        entitle(axes, page, joined([literal(source), *words]))
    return {
        "machines": [instance.machine_name(i) for i in machines],
        "of": instance.machines,
        "class": chosen.name,
        "m_s": chosen.sizes_of_sets,
        "accepted": len(ends) - sum(away.values()),
        **away,
        **({} if level is None else {"level": level, "J(sT)": len(dark)}),
    }


def _bars(
    instance: Instance, chosen: ClassWitness, machines: Sequence[int], kind_of: Callable[[int], Kind]
) -> dict[Kind, list[Bar]]:
    """By kind of job: every job on top of what it saw; of many jobs, neighbours of one kind are one bar."""
    place = {machine: x for x, machine in enumerate(machines)}
    merge, last, out = len(chosen.accepted) > BLOCKS, dict[int, Kind](), dict[Kind, list[Bar]]()
    newest: dict[int, int] = {}
    for j, machine, seen in chosen.accepted:
        if machine not in place:
            continue
        kind, high = kind_of(j), seen + int(instance.size[j])
        own = out.setdefault(kind, [])
        if merge and last.get(machine) == kind:
            own[newest[machine]] = own[newest[machine]]._replace(high=high)
        else:
            last[machine], newest[machine] = kind, len(own)
            own.append(Bar(place[machine], seen, high))
    return out


def _stack(axes: Axes, bars: Sequence[Bar], tick: Fraction, blocks: bool, label: str, shade: str, hatch: str) -> None:
    from matplotlib.collections import PolyCollection

    corners = [
        [(x - HALF, low), (x + HALF, low), (x + HALF, high), (x - HALF, high)]
        for x, low, high in ((one.x, plain(one.low * tick), plain(one.high * tick)) for one in bars)
    ]
    edge = "1.0" if blocks and not hatch else "0.35" if hatch else shade
    style: dict[str, Any] = {"facecolor": shade, "edgecolor": edge, "linewidth": 1 / 2, "hatch": hatch}
    axes.add_collection(PolyCollection(corners, label=label, rasterized=len(bars) > RASTER, **style))


def _share_of_a_line(figure: Figure) -> float:
    """About how much of the height of the axes a line of small letters takes."""
    import matplotlib

    letter: float = matplotlib.rcParams["font.size"] / 72
    return letter / max(1, figure.get_figheight() - 3 / 2)


def _thresholds(axes: Axes, chosen: ClassWitness, shown: int, tick: Fraction, level: int | None, line: float) -> None:
    """A line at s T over the machines of M_s, with their number at its end; `line` is how high a label is."""
    labels: list[tuple[float, list[float], list[int]]] = []
    for s, count in enumerate(chosen.sizes_of_sets):
        if not s or not count:
            continue
        y, end = plain(s * chosen.guess * tick), plain(min(count, shown) - Fraction(1, 2))
        width, dash = (2, "solid") if level == s else (1, "dashed")
        axes.plot([-1, end], [y, y], color="0.0", linewidth=width, linestyle=dash)
        if labels and y - labels[-1][1][0] < line:
            labels[-1][1].append(y)
            labels[-1][2].append(s)
        else:
            labels.append((end, [y], [s]))
    for end, heights, levels in labels:
        place = (end, (heights[0] + heights[-1]) / 2)
        axes.annotate(" " + _counts(chosen, levels), place, va="center", fontsize="small")


def _counts(chosen: ClassWitness, levels: Sequence[int]) -> str:
    """The numbers of machines in sets whose lines are close together, as far apart as they go."""
    first, last = (f"$m_{{{s}}}$" for s in (levels[0], levels[-1]))
    most, least = (chosen.sizes_of_sets[s] for s in (levels[0], levels[-1]))
    if len(levels) == 1:
        return f"{first} = {most}"
    return f"{first} to {last} = {most}" + ("" if most == least else f" to {least}")


def draw_prices_of_machines(
    item: Document, instance: Instance, most: int | None, page: Page, head: Sequence[str]
) -> Document:
    """The prices beta of the machines in evidence of rule C4, the dearest first. Returns what was drawn."""
    beta = item.get("beta", [1] * len(item["machine"]))
    rows = sorted(zip(item["machine"], beta, strict=True), key=lambda row: (-row[1], row[0]))
    kept = rows[: most or BARS]
    with drawn(page, max(6, min(12, len(kept) // 4)), 4) as figure:
        axes = figure.add_subplot()
        axes.bar(range(len(kept)), [plain(price) for _, price in kept], color="0.8", edgecolor="0.3", linewidth=1)
        name_machines(axes, instance, [i for i, _ in kept])
        axes.set_xlabel("machines with a price; all others have 0")
        axes.set_ylabel("price β")
        entitle(axes, page, joined([*map(literal, head), how_many(len(kept), len(rows), "the dearest")]))
    return {
        "machines": [instance.machine_name(i) for i, _ in kept],
        "of": len(rows),
        "beta": [price for _, price in kept],
    }
