"""The drift condition over time, as data and as a picture: the potential, and both sides of (7)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.speed.drift import Drift
from online.errors import InvalidInput, Problem


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
    figure, (top, bottom) = _pyplot().subplots(2, 1, sharex=True, figsize=(9, 6), height_ratios=(1, 2))
    shown = curves(drift, ratio)
    times = [*map(_shown, shown.times)]
    top.plot(times, [*map(_shown, shown.phi)], color="black", linewidth=1)
    top.axhline(0, color="0.8", linewidth=1)
    top.set_ylabel("potential Φ")
    top.set_title(title or f"drift condition (7) with c = {_shown(ratio):g}")
    for values, style in ((shown.right, _RIGHT), (shown.left, _LEFT), (shown.own, _OWN)) if times else ():
        bottom.stairs([*map(_shown, values)], times, baseline=None, **style)
    for start, end, left, right in zip(times, times[1:], shown.left, shown.right, strict=False):
        if left > right:
            bottom.axvspan(start, end, color="tab:red", alpha=1 / 4, linewidth=0, zorder=0)
    bottom.set_xlabel("time")
    bottom.set_ylabel("jobs")
    if times:
        bottom.legend(loc="upper center", bbox_to_anchor=(1 / 2, -4 / 25), ncols=3, frameon=False, fontsize=9)
    figure.tight_layout()
    try:
        figure.savefig(path, dpi=120)
    except OSError as failed:
        got, fix = f"{path!r}: {failed.strerror or failed}", "choose another --plot"
        raise InvalidInput(Problem("--plot", "cannot be written", got, "a writable file", fix)) from failed
    finally:
        _pyplot().close(figure)


_RIGHT: dict[str, Any] = {"color": "tab:green", "linewidth": 2, "label": "right: c (n_o + powers of the reference)"}
_LEFT: dict[str, Any] = {"color": "tab:blue", "linewidth": 3 / 2, "label": "left: n + powers + dΦ/dt"}
_OWN: dict[str, Any] = {"color": "tab:gray", "linewidth": 1, "linestyle": ":", "label": "n + powers of the algorithm"}


def _shown(value: Fraction) -> Any:
    return value.numerator / value.denominator


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError as missing:
        raise InvalidInput(
            Problem("plot", "matplotlib is missing", "no matplotlib", "matplotlib", "pip install 'dualfit[plot]'")
        ) from missing
    matplotlib.use("agg")
    from matplotlib import pyplot

    return pyplot
