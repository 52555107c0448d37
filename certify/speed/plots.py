"""The drift condition over time, as data and as a picture: the potential, and both sides of (7)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.plots import Page, drawn, plain
from certify.speed.drift import Drift


@dataclass(frozen=True)
class Curves:
    """Times in the input's unit at which pieces begin, and the end; Phi there; both sides of (7) on each piece.

    `own` is what the algorithm pays per unit of time, n + sum of P(s); `left` adds the rate of the potential; `right`
    is c (n_o + sum of P(s~)). Phi is in the input's unit, the sides in jobs.
    """

    times: list[Fraction]
    phi: list[Fraction]
    own: list[Fraction]
    left: list[Fraction]
    right: list[Fraction]


def curves(drift: Drift, ratio: Fraction) -> Curves:
    """Both sides of (7) with c = ratio, exact; left <= right everywhere is the drift condition."""
    pieces, tick = drift.pieces, drift.algorithm.instance.tick
    times = [piece.start for piece in pieces] + [piece.end for piece in pieces[-1:]]
    return Curves(
        [time * tick for time in times],
        [value * tick for value in drift.phi],
        [piece.algorithm.pays for piece in pieces],
        [piece.left for piece in pieces],
        [ratio * piece.reference.pays for piece in pieces],
    )


def draw(drift: Drift, ratio: Fraction, path: str, title: str = "") -> None:
    """Write the picture to `path`, in the format of its name.

    Raises: `InvalidInput` without matplotlib, and if the file cannot be written.
    """
    shown = curves(drift, ratio)
    times = [*map(plain, shown.times)]
    with drawn(Page(path), 9, 6) as figure:
        top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(1, 2))
        top.plot(times, [*map(plain, shown.phi)], color="black", linewidth=1)
        top.axhline(0, color="0.8", linewidth=1)
        top.set_ylabel("potential Φ")
        top.set_title(title or f"drift condition (7) with c = {plain(ratio):g}")
        for values, style in ((shown.right, _RIGHT), (shown.left, _LEFT), (shown.own, _OWN)) if times else ():
            bottom.stairs([*map(plain, values)], times, baseline=None, **style)
        for start, end, left, right in zip(times, times[1:], shown.left, shown.right, strict=False):
            if left > right:
                bottom.axvspan(start, end, color="tab:red", alpha=1 / 4, linewidth=0, zorder=0)
        bottom.set_xlabel("time")
        bottom.set_ylabel("jobs")
        if times:
            bottom.legend(loc="upper center", bbox_to_anchor=(1 / 2, -4 / 25), ncols=3, fontsize=9)


_RIGHT: dict[str, Any] = {"color": "tab:green", "linewidth": 2, "label": "right: c (n_o + powers of the reference)"}
_LEFT: dict[str, Any] = {"color": "tab:blue", "linewidth": 3 / 2, "label": "left: n + powers + dΦ/dt"}
_OWN: dict[str, Any] = {"color": "tab:gray", "linewidth": 1, "linestyle": ":", "label": "n + powers of the algorithm"}
