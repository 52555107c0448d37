"""`dualfit plot families`: intervals, machine sets and prices are those of the witness or of the evidence."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plot_runs import JOBS, Run, bars_of, boxes, certify, plot, problem_of, run_of

from certify import check
from certify.reopen import reopen_run
from certify.replay import algorithm_of, explanations
from online.instance import Job
from online.weights import Weights

matplotlib = pytest.importorskip("matplotlib")

from matplotlib.collections import PolyCollection  # noqa: E402 - needs the extra
from matplotlib.figure import Figure  # noqa: E402


@pytest.mark.parametrize("level", [None, 1, 2])
def test_the_intervals_drawn_are_the_witness(dualfit: Run, figures: list[Figure], level: int | None) -> None:
    """Bar by bar: each interval of Figure 3 from start to end, in the band of its level, on its machine's row."""
    certificate = certify(dualfit, "max-flow", JOBS, "--guess", "5/2")
    run = run_of(certificate)
    witness: Any = explanations(run, algorithm_of(run, None))[0]
    result = plot(dualfit, "families", certificate, "--out", "f.svg", *(["--level", str(level)] if level else []))
    tick, height = run.instance.tick, witness.guess
    for machine, axes in enumerate(figures[0].axes):
        expected = {
            (float(one.start * tick), float(one.end * tick), (one.level - 1) * height, one.level * height)
            for one in witness.family
            if one.machine == machine and level in (None, one.level)
        }
        assert set(bars_of(axes)) == {tuple(map(float, bar)) for bar in expected}
        assert expected
    assert result["intervals"] == sum(level in (None, one.level) for one in witness.family)


@pytest.mark.parametrize("problem", ["max-flow", "weighted", "two-weights", "stretch"])
def test_a_job_stands_above_where_an_interval_counts_it(problem: str, dualfit: Run, figures: list[Figure]) -> None:
    """Counted: released in an interval of the machine, ends included, eligible there, of its weight or more."""
    certificate = certify(dualfit, problem, JOBS, "--bound", "witness")
    document = json.loads(Path(certificate).read_text())
    run = reopen_run(document)
    best = max(
        (goal for goal in document["goal"] if goal["claim"] == "lower-bound"), key=lambda goal: Fraction(goal["value"])
    )
    item = document["evidence"][best["evidence"]]
    assert item["rule"] == "C3"
    result = plot(dualfit, "families", certificate, "--evidence", str(best["evidence"]), "--out", "f.svg")
    weights = Weights.objective(problem, run.instance)
    thresholds = list(map(Fraction, item.get("weights", [1])))
    classes = item.get("class", [0] * len(item["machine"]))
    spans = list(zip(item["machine"], item["start"], item["end"], classes, strict=True))

    def counted(job: Job, machine: int) -> bool:
        at = job.release * item["per_tick"]
        return any(i == machine and s <= at <= e and thresholds[c] <= weights[job.position] for i, s, e, c in spans)

    pairs = [(job, i) for job in run.instance.jobs() for i in job.eligible]
    assert result["counted"] == len({job.position for job, i in pairs if counted(job, i)}) > 0
    assert result["counted"] + result["not counted"] == result["jobs"] == run.instance.n
    assert result["marks"] == len(pairs)
    for machine, axes in enumerate(figures[0].axes):
        marks = [line for line in axes.lines if line.get_linestyle() == "None"]
        above = sorted(x for line in marks for x, y in line.get_xydata() if y > -axes.get_ylim()[1] * 3 / 10)
        expected = [float(job.release * run.instance.tick) for job, i in pairs if i == machine and counted(job, i)]
        assert above == sorted(expected)


def test_machine_sets_are_lines_at_their_thresholds(dualfit: Run, figures: list[Figure]) -> None:
    """Each non-empty M_s is a line at s T over m_s bars; the bars are the jobs of the class, J(sT) dark."""
    certificate = certify(dualfit, "load")
    run = run_of(certificate)
    result = plot(dualfit, "families", certificate, "--class", "0", "--level", "1", "--out", "f.svg")
    witness: Any = explanations(run, algorithm_of(run, None))[result["phase"] - 1]
    chosen = next(one for one in witness.classes if one.name == 0)
    axes = figures[0].axes[0]
    tick = run.instance.tick
    lines = {line.get_ydata()[0]: line.get_xdata()[1] + 1 / 2 for line in axes.lines}
    sets = enumerate(chosen.sizes_of_sets)
    assert lines == {float(s * chosen.guess * tick): count for s, count in sets if s and count}
    bars = {
        (low, high - low, round(float(collection.get_facecolor()[0][0]), 2))
        for collection in axes.collections
        for _, _, low, high in boxes(collection)
    }
    size = run.instance.size
    dark = set(chosen.jobs(1))
    expected = {
        (float(seen * tick), float(int(size[j]) * tick), 0.35 if j in dark else 0.85) for j, _, seen in chosen.accepted
    }
    assert bars == expected
    assert result["J(sT)"] == len(dark)


def test_prices_of_servers_are_the_evidence(dualfit: Run, figures: list[Figure]) -> None:
    """lambda is constant in every cell of the grid: its steps are the certificate's."""
    certificate = certify(dualfit, "energy", JOBS[:6])
    item = json.loads(Path(certificate).read_text())["evidence"][0]
    assert item["rule"] == "C9"
    plot(dualfit, "families", certificate, "--out", "f.svg")
    x, y = figures[0].axes[0].lines[0].get_data()
    inside = {(low + high) / 2: y[k] for k, (low, high) in enumerate(pairwise(x)) if high > low}
    grid, price = ([float(Fraction(value)) for value in item[key]] for key in ("grid", "price"))
    for middle, value in inside.items():
        cell = np.searchsorted(grid, middle) - 1
        assert value == pytest.approx(price[cell] if cell < len(price) else 0)


def test_a_crowded_set_is_drawn_as_its_windows(dualfit: Run, figures: list[Figure]) -> None:
    """Four unit jobs on one machine at 0 need 4: the window is [0, 4]; only they are counted."""
    jobs = [{"id": k, "r": 0 if k < 4 else 9, "p": 1} for k in range(5)]
    Path("j.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    assert dualfit("bound", "j.json", "--method", "hall", "--out", "b.cert.json")[0] == 0
    document = json.loads(Path("b.cert.json").read_text())
    number = next(k for k, item in enumerate(document["evidence"]) if item["rule"] == "C5")
    result = plot(dualfit, "families", "b.cert.json", "--evidence", str(number), "--out", "f.svg")
    assert list(bars_of(figures[0].axes[0])) == [(0, 4, 0, 1)]
    assert (result["counted"], result["not counted"], result["rule"]) == (4, 1, "C5")


def test_jobs_that_are_rejected_late_are_told_from_those_that_stay(dualfit: Run, figures: list[Figure]) -> None:
    """Their bars are hatched; accepted, rejected on arrival and late of all classes add up to the run's own numbers."""
    certificate = certify(dualfit, "load", [*JOBS, *({"id": k, "r": 9, "p": 16} for k in (30, 31, 32))])
    run = run_of(certificate)
    assert run.late
    witness: Any = explanations(run, algorithm_of(run, None))[0]
    assert len(run.phases) == 1
    late, found = {one.job for one in run.late}, {"accepted": 0, "rejected on arrival": 0, "rejected late": 0}
    for one in witness.classes:
        result = plot(dualfit, "families", certificate, "--class", str(one.name), "--out", "f.png")
        for key in found:
            found[key] += result[key]
        size, tick = run.instance.size, run.instance.tick
        hatched = [c for c in figures[-1].axes[0].collections if c.get_hatch()]
        bars = sorted((low, high) for c in hatched for _, _, low, high in boxes(c))
        expected = sorted((seen * tick, (seen + int(size[j])) * tick) for j, _, seen in one.accepted if j in late)
        assert bars == expected
        assert all("rejected late" in c.get_label() for c in hatched)
        title = figures[-1].axes[0].get_title(loc="left")
        assert (f"{len(expected)} rejected late" in title) == bool(expected)
    kept = int(run.accepted.sum())
    assert found == {
        "accepted": kept,
        "rejected on arrival": run.rejected_count - len(late),
        "rejected late": len(late),
    }


def test_a_class_is_chosen_where_sets_are(dualfit: Run) -> None:
    """One small job first, many of another class later: the class drawn is one that has a set M_s."""
    jobs = [{"id": 0, "r": 0, "p": 1}, *({"id": k, "r": 1, "p": 16} for k in range(1, 40))]
    result = plot(dualfit, "families", certify(dualfit, "load", jobs), "--out", "f.png")
    assert result["class"] == 4
    assert any(result["m_s"][1:])


def test_labels_of_sets_do_not_overlap(dualfit: Run, figures: list[Figure]) -> None:
    """Lines that are close together share one label: those that there are lie apart."""
    jobs = [{"id": k, "r": 1, "p": 1 if k < 30 else 500} for k in range(40)]
    plot(dualfit, "families", certify(dualfit, "load", jobs, "--guess", "1"), "--out", "f.png", "--dpi", "100")
    axes = figures[0].axes[0]
    assert len(axes.lines) > 1
    boxes = [text.get_window_extent() for text in axes.texts]
    assert boxes
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))


def _given_up(dualfit: Run) -> tuple[str, Any]:
    """A run whose first phases end, and the run."""
    jobs = [{"id": k, "r": k // 8, "p": 4, "w": 1} for k in range(40)]
    certificate = certify(dualfit, "weighted", jobs)
    run = run_of(certificate)
    assert any(phase.ended and run.accepted[phase.last] for phase in run.phases)
    return certificate, run


def test_rejected_is_who_the_run_rejects(dualfit: Run, figures: list[Figure]) -> None:
    """A job at which a phase gave its guess up, and that the next one takes, is no rejection; each job counts once."""
    certificate, run = _given_up(dualfit)
    for number, phase in enumerate(run.phases, start=1):
        result = plot(dualfit, "families", certificate, "--phase", str(number), "--out", "f.png")
        span = slice(phase.first, phase.last + 1)
        refused = run.dispatch[span] == -1
        assert result["rejected on arrival"] == refused.sum()
        assert result["rejected late"] == (~run.accepted[span] & ~refused).sum()
        assert result["left to the next phase"] == int(phase.ended and run.accepted[phase.last])
        assert result["jobs"] == phase.last + 1 - phase.first
        labels = {line.get_label() for axes in figures[-1].axes for line in axes.lines}
        assert ("left to the next phase" in labels) == bool(result["left to the next phase"])


def test_the_phase_that_is_drawn_has_intervals(dualfit: Run) -> None:
    """Where any phase has some."""
    certificate, run = _given_up(dualfit)
    counts = [
        plot(dualfit, "families", certificate, "--phase", str(k + 1), "--out", "f.png")["intervals"]
        for k in range(len(run.phases))
    ]
    assert any(counts)
    assert plot(dualfit, "families", certificate, "--out", "f.png")["intervals"] > 0


def test_the_legend_says_what_grey_rectangles_are(dualfit: Run, figures: list[Figure]) -> None:
    """Intervals of odd and of even levels; of one level, intervals."""
    certificate = certify(dualfit, "max-flow", JOBS, "--guess", "5/2")
    for level, expected in (([], {"intervals of odd levels", "intervals of even levels"}), ([1], {"intervals"})):
        plot(dualfit, "families", certificate, "--out", "f.png", *(f"--level={one}" for one in level))
        assert expected <= {text.get_text() for text in figures[-1].legends[0].get_texts()}


def test_weight_thresholds_differ_by_hatches(dualfit: Run, figures: list[Figure]) -> None:
    """Intervals for heavier jobs have another hatch, and the legend says which weight it stands for."""
    assert dualfit("generate", "weighted", "--seed", "36", "--jobs", "50", "--machines", "4", "--out", "j.json")[0] == 0
    assert dualfit("bound", "j.json", "--problem", "weighted", "--method", "lp", "--out", "b.cert.json")[0] == 0
    document = json.loads(Path("b.cert.json").read_text())
    number = next(k for k, one in enumerate(document["evidence"]) if len(one.get("weights", [])) > 1)
    plot(dualfit, "families", "b.cert.json", "--evidence", str(number), "--out", "f.svg")
    bars = [one for axes in figures[0].axes for one in axes.collections if isinstance(one, PolyCollection)]
    found = {one.get_label(): one.get_hatch() for one in bars}
    item = document["evidence"][number]
    used = {f"intervals for weight {item['weights'][c]} on" for c in item["class"]}
    moments = {one.get_label() for axes in figures[0].axes for one in axes.collections if one not in bars}
    shown = {label.removesuffix(", one moment") for label in found.keys() | moments}
    assert {label for label in shown if not label.startswith("_")} == used
    assert len({one.get_hatch() for one in bars}) == len(used) > 1


@pytest.mark.parametrize(
    ("problem", "options", "expected"),
    [
        ("max-flow", ["--level", "99"], "one of 1, 2"),
        ("max-flow", ["--phase", "99"], "one of 1 to 1"),
        ("max-flow", ["--class", "0"], "no such option here"),
        ("max-flow", ["--evidence", "99"], "evidence "),
        ("max-flow", ["--evidence", "0", "--level", "1"], "no such option here"),
        ("max-flow", ["--machine", "9"], "one of 1, 2"),
        ("weighted", ["--class", "99"], "one of "),
        ("load", ["--class", "99"], "one of 0, 1"),
        ("load", ["--level", "99"], "one of 1"),
        ("load", ["--machine", "1"], "no such option here"),
        ("energy", ["--most", "1"], "no such option here"),
        ("energy", ["--phase", "1"], "no such option here"),
    ],
)
def test_what_there_is_not_is_named_beside_what_there_is(
    problem: str, options: list[str], expected: str, dualfit: Run
) -> None:
    """Levels, phases, classes, machines and evidence: the refusal lists those that exist, and nothing is written."""
    guess = ["--guess", "5/2"] if problem == "max-flow" else []
    certificate = certify(dualfit, problem, JOBS[:8] if problem == "energy" else JOBS, *guess)
    found = problem_of(dualfit("plot", "families", certificate, *options, "--out", "f.png", "--json"))
    assert found["expected"].startswith(expected)
    assert not Path("f.png").exists()


def test_a_run_that_the_algorithm_does_not_make_is_not_explained(dualfit: Run) -> None:
    """A certificate may name any algorithm; its witness is drawn only if the same decisions come out again."""
    certificate = certify(dualfit, "max-flow", JOBS, "--algorithm", "greedy")
    document = json.loads(Path(certificate).read_text())
    document["run"]["algorithm"] = "max-flow"
    document["run"]["parameters"]["guess"] = "1"
    Path("lie.json").write_text(json.dumps(document))
    assert check.check_file("lie.json").verdict == "accepted"
    code, _, err = dualfit("plot", "families", "lie.json", "--out", "f.png")
    assert (code, "is not one of max-flow" in err) == (1, True)
    assert plot(dualfit, "families", "lie.json", "--evidence", "0", "--out", "f.png")["drawn"] == "evidence 0"


def test_an_unknown_algorithm_leaves_the_evidence(dualfit: Run) -> None:
    """Without a witness the largest bound's own intervals are drawn."""
    certificate = certify(dualfit, "max-flow", JOBS, "--algorithm", "greedy")
    assert plot(dualfit, "families", certificate, "--out", "f.png")["drawn"].startswith("evidence")
