"""Nested machine sets of load balancing: the machines by load, and the thresholds s T."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from certify.evidence import Document
from certify.figures.axis import entitle, how_many, joined
from certify.plots import Page, drawn, legend_below, literal, plain
from online import exact
from online.instance import Instance
from online.load_witness import ClassWitness, LoadWitness

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BARS = 40
"""Machines side by side, where nobody asks for another number."""

BLOCKS = 1000
"""Up to so many jobs are drawn one by one."""


def draw_sets(
    instance: Instance,
    witness: LoadWitness,
    chosen: ClassWitness,
    level: int | None,
    most: int | None,
    page: Page,
    head: Sequence[str],
) -> Document:
    """The loads of the jobs of a size class, the fullest machine first, and each set M_s as a line at s T above it.

    With `level` s the jobs of J(sT), which saw a load of at least s T, are dark. Returns what was drawn.

    Raises: as `certify.plots.drawn`.
    """
    machines = sorted(range(instance.machines), key=lambda i: (-chosen.loads[i], i))[: most or BARS]
    tick, dark = instance.tick, set() if level is None else set(chosen.jobs(level))
    with drawn(page, max(6, min(12, len(machines) // 4)), 5) as figure:
        axes = figure.add_subplot()
        place = {machine: x for x, machine in enumerate(machines)}
        for shade, label, part in (("0.85", "jobs of the class", False), ("0.35", f"J({level or 's'} T)", True)):
            rows = [row for row in chosen.accepted if row[1] in place and (row[0] in dark) == part]
            if rows:
                _stack(axes, instance, rows, place, shade, label, len(chosen.accepted) <= BLOCKS)
        _thresholds(axes, chosen, len(machines), tick, level)
        axes.set_xticks(range(len(machines)), [literal(instance.machine_name(i)) for i in machines])
        axes.tick_params(axis="x", length=0, labelrotation=90 if len(machines) > 12 else 0)
        axes.set_xlabel("machines, by load of the class")
        axes.set_ylabel("load of the class")
        axes.set_xlim(-1, plain(len(machines) + Fraction(1, 2)))
        axes.set_ylim(bottom=0)
        legend_below(figure)
        some = how_many(len(machines), instance.machines, "the fullest of the class")
        size = f"size class {chosen.name}" if len(witness.classes) > 1 else ""
        words = [
            *map(literal, head),
            f"T = {exact.decimal(chosen.guess * tick, 3)}",
            size,
            f"{len(chosen.rejected)} rejected",
            some,
        ]
        entitle(axes, page, joined(words))
    return {
        "machines": [instance.machine_name(i) for i in machines],
        "of": instance.machines,
        "class": chosen.name,
        "m_s": chosen.sizes_of_sets,
        "accepted": len(chosen.accepted),
        "rejected": len(chosen.rejected),
        **({} if level is None else {"level": level, "J(sT)": len(dark)}),
    }


def _stack(
    axes: Axes,
    instance: Instance,
    rows: Sequence[tuple[int, int, int]],
    place: Mapping[int, int],
    shade: str,
    label: str,
    blocks: bool,
) -> None:
    """Every job on top of what it saw; many jobs as one bar a machine."""
    tick = instance.tick
    if not blocks:
        spans: dict[int, tuple[int, int]] = {}
        for j, machine, seen in rows:
            low, high = spans.get(machine, (seen, seen))
            spans[machine] = (min(low, seen), max(high, seen + int(instance.size[j])))
        bars = [(place[machine], low, high - low) for machine, (low, high) in spans.items()]
    else:
        bars = [(place[machine], seen, int(instance.size[j])) for j, machine, seen in rows]
    x, bottom, height = zip(*bars, strict=True)
    axes.bar(
        x,
        [plain(value * tick) for value in height],
        bottom=[plain(value * tick) for value in bottom],
        width=plain(Fraction(4, 5)),
        color=shade,
        edgecolor="1.0" if blocks else shade,
        linewidth=1 / 2,
        label=label,
    )


def _thresholds(axes: Axes, chosen: ClassWitness, shown: int, tick: Fraction, level: int | None) -> None:
    """A line at s T over the machines of M_s, with their number at its end."""
    for s, count in enumerate(chosen.sizes_of_sets):
        if not s or not count:
            continue
        y, end = plain(s * chosen.guess * tick), min(count, shown) - Fraction(1, 2)
        strong = level == s
        axes.plot(
            [-1, plain(end)],
            [y, y],
            color="0.0",
            linewidth=2 if strong else 1,
            linestyle="solid" if strong else "dashed",
        )
        axes.annotate(f" $m_{{{s}}}$ = {count}", (plain(end), y), va="center", fontsize="small")


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
        axes.set_xticks(range(len(kept)), [literal(instance.machine_name(i)) for i, _ in kept])
        axes.tick_params(axis="x", length=0, labelrotation=90 if len(kept) > 12 else 0)
        axes.set_xlabel("machines with a price; all others have 0")
        axes.set_ylabel("price β")
        entitle(axes, page, joined([*map(literal, head), how_many(len(kept), len(rows), "the dearest")]))
    return {
        "machines": [instance.machine_name(i) for i, _ in kept],
        "of": len(rows),
        "beta": [price for _, price in kept],
    }
