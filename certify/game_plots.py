"""Games as pictures: the growth of a lower bound, and Lemma 8.3 step by step."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from certify.evidence import Document
from certify.plots import HEADROOM, Page, drawn, legend_below, literal, plain
from certify.show import short
from online.adversary.contest import NOT_COVERED, Contest
from online.adversary.game import Step
from online.adversary.held import held
from online.errors import InvalidInput, Problem
from online.run import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OLD, NEW = "0.85", "0.35"
"""Shades of jobs that were there before a step, and of those that it released."""


def draw_growth(result: Document, page: Page) -> None:
    """The ratios of a growth against its x, the line that fits, what was promised and what was guaranteed.

    Raises: `InvalidInput` for another kind of file, without matplotlib, and if the file cannot be written.
    """
    rows = sorted(result["rows"], key=lambda row: Fraction(row["x"]))
    x = _x(rows)
    with drawn(page, 7, 5) as figure:
        axes = figure.add_subplot()
        _line(axes, result, x)
        for key, style in (("promised", "s--"), ("guaranteed", "^:")):
            known = [row for row in rows if row[key] is not None]
            y = [plain(Fraction(row[key]) / Fraction(row["opt_upper"])) for row in known]
            axes.plot(_x(known), y, style, color="0.5", markersize=11, markerfacecolor="white", label=LABELS[key])
        covered = [row for row in rows if row["verdict"] != NOT_COVERED]
        others = [row for row in rows if row["verdict"] == NOT_COVERED]
        for part, marker, words in ((covered, "o", "measured"), (others, "x", "not covered")):
            if part:
                y = [plain(row["ratio"]) for row in part]
                axes.plot(
                    _x(part), y, marker, color="0.0", markersize=5, label=f"{words}: {literal(result['algorithm'])}"
                )
        axes.set_xticks(x)
        axes.set_ylim(bottom=0, top=axes.dataLim.y1 * HEADROOM or 1)
        axes.set_xlabel(literal(result["x"]))
        axes.set_ylabel("cost of the algorithm / cost of the offline schedule")
        axes.set_title(page.titled(f"{literal(result['title'])} against {literal(result['algorithm'])}"), loc="left")
        legend_below(figure)


def _x(rows: Sequence[Document]) -> list[float]:
    return [plain(row["x"]) for row in rows]


PER_LINE, TITLE = 6, 6
"""Steps side by side at most, and how many inches the title needs."""

LABELS = {
    "promised": "promised by the proof, with so many rejections",
    "guaranteed": "guaranteed against any algorithm",
}


def _line(axes: Axes, result: Document, x: Sequence[float]) -> None:
    if result["slope"] is None:
        return
    ends = (min(x), max(x))
    slope, intercept = plain(result["slope"]), plain(result["intercept"])
    words = f"least squares: slope {short(result['slope'])}"
    axes.plot(ends, [slope * end + intercept for end in ends], "-", color="0.0", linewidth=1, label=words)


def draw_steps(contest: Contest, path: str) -> None:
    """A stage of Lemma 8.3 job by job: every machine's queue, of the algorithm above, offline below.

    Drawn is the first stage with two gadgets, if the game has one. Jobs that a step released are dark.

    Raises: `InvalidInput` for a game without steps, and as `draw_growth`.
    """
    steps = _chosen(contest.steps)
    if not steps:
        fix = "draw lemma-8.3"
        raise InvalidInput(Problem("--figure", "nothing to draw", contest.game.name, "a game with steps", fix))
    columns = min(PER_LINE, len(steps))
    lines = [steps[k : k + columns] for k in range(0, len(steps), columns)]
    before = steps[0].last - 1
    with drawn(Page(path, "--figure"), max(2 * columns, TITLE), 4 * len(lines)) as figure:
        title = f"{contest.game.title}, stage {steps[0].phase}: the queues after each step; new jobs are dark"
        figure.suptitle(title, x=0, ha="left")
        for part, line in zip(figure.subfigures(len(lines), 1, squeeze=False)[:, 0], lines, strict=True):
            panels = part.subplots(2, columns, sharey=True, squeeze=False)
            _draw_side(panels[0], contest.run, contest.run.algorithm, line, before)
            _draw_side(panels[1], contest.offline, "offline", line, before)
            _head(panels[0], contest.run, line)
            before = line[-1].last


def _chosen(steps: Sequence[Step]) -> list[Step]:
    last = max((step.phase for step in steps), default=0)
    return [step for step in steps if step.phase == last]


def _draw_side(row: Sequence[Axes], run: Run, name: str, steps: Sequence[Step], before: int) -> None:
    loads = held(run, [step.last for step in steps])
    firsts = [before, *(step.last for step in steps[:-1])]
    for axes, step, load, first in zip(row, steps, loads, firsts, strict=False):
        fresh = run.dispatch[first + 1 : step.last + 1].tolist()
        for x, machine in enumerate(step.machines):
            _stack(axes, x, int(load[machine]), fresh.count(machine))
        names = [f"$M_{{{k}}}$" for k in range(len(step.machines) - 1)] + ["$M'$"]
        shown = [f"{name}\n{run.instance.machine_name(i)}" for name, i in zip(names, step.machines, strict=True)]
        axes.set_xticks(range(len(shown)), shown, fontsize=8)
        axes.set_xlim(-1, len(shown))
        axes.tick_params(axis="x", length=0)
        axes.set_aspect("equal")
    for axes in row[len(steps) :]:
        axes.set_visible(False)
    row[0].set_ylabel(name)
    row[0].locator_params(axis="y", integer=True)


def _head(row: Sequence[Axes], run: Run, steps: Sequence[Step]) -> None:
    """When it is, and which jobs of Figure 8 or 9 have come."""
    for axes, step in zip(row, steps, strict=False):
        words = step.caption if " " in step.caption else f"${step.caption}$"
        axes.set_title(f"t = {run.instance.release[step.last]}: {words}", fontsize=9)


def _stack(axes: Axes, x: int, jobs: int, fresh: int) -> None:
    """One square a job, the newest on top."""
    for k in range(jobs):
        axes.bar(x, 1, width=1, bottom=k, color=NEW if k >= jobs - fresh else OLD, edgecolor="1.0", linewidth=1)
