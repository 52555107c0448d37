"""`dualfit plot`: what is drawn is what the certificate says, in grey, the same bytes, or a refusal that says why."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certify import check
from certify.reopen import reopen_run
from certify.replay import algorithm_of, explanations
from online.instance import Job
from online.weights import Weights

matplotlib = pytest.importorskip("matplotlib")

from matplotlib.collections import PolyCollection  # noqa: E402 - needs the extra
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.image import imread  # noqa: E402

Run = Callable[..., tuple[int, str, str]]

KINDS = {
    "max-flow": ["--size", "one", "--epsilon", "1/3"],
    "load": ["--problem", "load", "--epsilon", "1/2", "--guess", "1", "--algorithm", "load", "--alpha", "3"],
    "weighted": ["--problem", "weighted", "--epsilon", "1/4", "--alpha", "1"],
    "two-weights": ["--problem", "two-weights", "--epsilon", "1/2", "--alpha", "1"],
    "stretch": ["--problem", "stretch", "--epsilon", "1/2", "--alpha", "1"],
    "energy": ["--problem", "energy", "--alpha", "2"],
}
"""A run of every problem, with some rejections where there can be any."""

JOBS = [{"id": k, "r": k // 4, "p": 1 + k % 4, "w": 1 + k % 3, "eligible": [1] if k % 2 else [1, 2]} for k in range(24)]


def _instance(problem: str, jobs: list[dict[str, Any]], **more: Any) -> str:
    if problem == "energy":
        jobs = [{key: value for key, value in job.items() if key != "eligible"} for job in jobs]
    return json.dumps({"machines": 2, "jobs": jobs, **more})


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that are saved, in order."""
    saved: list[Figure] = []
    save = Figure.savefig

    def spy(figure: Figure, *arguments: Any, **settings: Any) -> None:
        saved.append(figure)
        save(figure, *arguments, **settings)

    monkeypatch.setattr(Figure, "savefig", spy)
    return saved


_MADE: dict[tuple[Any, ...], str] = {}


def _certify(dualfit: Run, problem: str, jobs: list[dict[str, Any]] = JOBS, *more: str, name: str = "jobs") -> str:
    """Certify a run; the same one is not made twice."""
    file, certificate, text = f"{name}.json", f"{name}.cert.json", _instance(problem, jobs)
    Path(file).write_text(text)
    key = (problem, text, more, name)
    if key not in _MADE:
        code, _, err = dualfit("run", file, *KINDS[problem], *more, "--out", certificate)
        assert code == 0 or "the certificate claims no budget" in err, err
        _MADE[key] = Path(certificate).read_text()
    Path(certificate).write_text(_MADE[key])
    return certificate


def _plot(dualfit: Run, *arguments: str) -> dict[str, Any]:
    code, out, err = dualfit("plot", *arguments, "--json")
    assert (code, err) == (0, "")
    result: dict[str, Any] = json.loads(out)
    assert Path(result["out"]).stat().st_size
    return result


def _run_of(certificate: str) -> Any:
    return reopen_run(json.loads(Path(certificate).read_text()))


def _bars(axes: Any) -> Iterator[tuple[float, float, float, float]]:
    """Start, end, bottom and top of every bar."""
    for collection in axes.collections:
        if isinstance(collection, PolyCollection) and collection.get_label() != "load":
            yield from _boxes(collection)


def _boxes(collection: PolyCollection) -> Iterator[tuple[float, float, float, float]]:
    for path in collection.get_paths():
        (low, bottom), (high, top) = path.vertices.min(axis=0), path.vertices.max(axis=0)
        yield low, high, bottom, top


# ---------------------------------------------------------------- what is drawn
def test_a_queue_is_drawn_corner_by_corner(dualfit: Run, figures: list[Figure]) -> None:
    """Two jobs of half a unit at 0 and one at 3/4 on one machine: jumps to 1 and from 1/4 to 3/4, then down to 0."""
    jobs = [{"id": k, "r": r, "p": "1/2"} for k, r in enumerate([0, 0, "3/4"])]
    Path("j.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    assert dualfit("run", "j.json", "--epsilon", "1/4", "--guess", "1", "--out", "j.cert.json")[0] == 0
    result = _plot(dualfit, "queues", "j.cert.json", "--out", "q.svg")
    assert (result["machines"], result["of"], result["rejected on arrival"]) == (["1"], 1, 0)
    corners = [(0, 0), (0, 1), (3 / 4, 1 / 4), (3 / 4, 3 / 4), (3 / 2, 0), (3 / 2, 0), (3 / 2, 0)]
    for axes in figures[0].axes:
        assert axes.lines[0].get_xydata().tolist() == [list(corner) for corner in corners]
    thresholds = {line.get_label(): set(line.get_ydata()) for line in figures[0].axes[1].lines[1:]}
    assert thresholds == {"T": {1}, "T/ε, up to 4: out of view": {4}}


def test_rejections_are_marked_where_they_happen(dualfit: Run, figures: list[Figure]) -> None:
    """Crosses at the releases of the jobs that are rejected on arrival, one each."""
    certificate = _certify(dualfit, "max-flow", JOBS, "--guess", "5/2")
    run = _run_of(certificate)
    refused = run.instance.release[run.dispatch == -1] * Fraction(run.instance.tick)
    assert len(refused) > 2
    result = _plot(dualfit, "queues", certificate, "--out", "q.png")
    crosses = next(line for line in figures[0].axes[0].lines if line.get_marker() == "x")
    assert crosses.get_xdata().tolist() == [float(time) for time in refused]
    assert result["rejected on arrival"] == len(refused)


def test_loads_after_so_many_arrivals_end_where_the_run_ends(dualfit: Run, figures: list[Figure]) -> None:
    """The last value of each machine is its load in the certificate; late rejections are bars at their arrival."""
    certificate = _certify(dualfit, "load", [*JOBS, *({"id": k, "r": 9, "p": 16} for k in (30, 31, 32))])
    run = _run_of(certificate)
    assert run.late
    result = _plot(dualfit, "queues", certificate, "--out", "q.png")
    assert [axes.lines[0].get_ydata()[-1] for axes in figures[0].axes[1:]] == [
        load * run.instance.tick for load in run.loads
    ]
    late = next(line for line in figures[0].axes[0].lines if line.get_marker() == "|")
    assert late.get_xdata().tolist() == [one.after + 1 for one in run.late]
    assert result["rejected late"] == len(run.late)


@pytest.mark.parametrize("level", [None, 1, 2])
def test_the_intervals_drawn_are_the_witness(dualfit: Run, figures: list[Figure], level: int | None) -> None:
    """Bar by bar: each interval of Figure 3 from start to end, in the band of its level, on its machine's row."""
    certificate = _certify(dualfit, "max-flow", JOBS, "--guess", "5/2")
    run = _run_of(certificate)
    witness: Any = explanations(run, algorithm_of(run, None))[0]
    result = _plot(dualfit, "families", certificate, "--out", "f.svg", *(["--level", str(level)] if level else []))
    tick, height = run.instance.tick, witness.guess
    for machine, axes in enumerate(figures[0].axes):
        expected = {
            (float(one.start * tick), float(one.end * tick), (one.level - 1) * height, one.level * height)
            for one in witness.family
            if one.machine == machine and level in (None, one.level)
        }
        assert set(_bars(axes)) == {tuple(map(float, bar)) for bar in expected}
        assert expected
    assert result["intervals"] == sum(level in (None, one.level) for one in witness.family)


@pytest.mark.parametrize("problem", ["max-flow", "weighted", "two-weights", "stretch"])
def test_a_job_stands_above_where_an_interval_counts_it(problem: str, dualfit: Run, figures: list[Figure]) -> None:
    """Counted: released in an interval of the machine, ends included, eligible there, of its weight or more."""
    certificate = _certify(dualfit, problem, JOBS, "--bound", "witness")
    document = json.loads(Path(certificate).read_text())
    run = reopen_run(document)
    best = max(
        (goal for goal in document["goal"] if goal["claim"] == "lower-bound"), key=lambda goal: Fraction(goal["value"])
    )
    item = document["evidence"][best["evidence"]]
    assert item["rule"] == "C3"
    result = _plot(dualfit, "families", certificate, "--evidence", str(best["evidence"]), "--out", "f.svg")
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


def test_all_machines_or_the_title_says_how_many(dualfit: Run, figures: list[Figure]) -> None:
    """Two of five machines are the two with most work, and the title names both numbers; all five need no words."""
    jobs = [{"id": k, "r": 0, "p": 1, "eligible": [1 + k * k % 5]} for k in range(20)]
    Path("j.json").write_text(json.dumps({"machines": 5, "jobs": jobs}))
    assert dualfit("run", "j.json", "--epsilon", "1/9", "--out", "j.cert.json")[0] == 0
    for kind, why in (("queues", "those with most work"), ("families", "those with most intervals")):
        result = _plot(dualfit, kind, "j.cert.json", "--most", "2", "--out", "q.png")
        assert (result["machines"], result["of"]) == (["2", "5"], 5)
        assert f"2 of 5 machines, {why}" in figures[-1].axes[0].get_title(loc="left").replace("\n", " ")
        _plot(dualfit, kind, "j.cert.json", "--out", "q.png")
        assert "of 5 machines" not in figures[-1].axes[0].get_title(loc="left")
    assert _plot(dualfit, "queues", "j.cert.json", "--machine", "3", "--out", "q.png")["machines"] == ["3"]


def test_machine_sets_are_lines_at_their_thresholds(dualfit: Run, figures: list[Figure]) -> None:
    """Each non-empty M_s is a line at s T over m_s bars; the bars are the jobs of the class, J(sT) dark."""
    certificate = _certify(dualfit, "load")
    run = _run_of(certificate)
    result = _plot(dualfit, "families", certificate, "--class", "0", "--level", "1", "--out", "f.svg")
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
        for _, _, low, high in _boxes(collection)
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
    certificate = _certify(dualfit, "energy", JOBS[:6])
    item = json.loads(Path(certificate).read_text())["evidence"][0]
    assert item["rule"] == "C9"
    _plot(dualfit, "families", certificate, "--out", "f.svg")
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
    result = _plot(dualfit, "families", "b.cert.json", "--evidence", str(number), "--out", "f.svg")
    assert list(_bars(figures[0].axes[0])) == [(0, 4, 0, 1)]
    assert (result["counted"], result["not counted"], result["rule"]) == (4, 1, "C5")


def test_the_ladder_has_every_bound(dualfit: Run, figures: list[Figure]) -> None:
    """From the certificate and from the JSON: one mark a bound at its value, the upper bound too."""
    Path("j.json").write_text(_instance("weighted", JOBS))
    code, out, _ = dualfit("bound", "j.json", "--problem", "weighted", "--json", "--out", "b.cert.json")
    assert code == 0
    Path("b.json").write_text(out)
    printed = json.loads(out)
    expected = sorted(float(Fraction(one)) for one in [*(r["lower"] for r in printed["ladder"]), printed["upper"]])
    for source in ("b.cert.json", "b.json"):
        result = _plot(dualfit, "ladder", source, "--out", "l.svg")
        marks = [line.get_xdata()[0] for line in figures[-1].axes[0].lines if line.get_marker() not in ("", "None")]
        assert sorted(marks) == expected
        assert (result["lower"], result["upper"]) == (printed["lower"], printed["upper"])


def test_a_bound_that_nobody_shows_is_told_and_not_drawn(dualfit: Run, figures: list[Figure]) -> None:
    """`unproven` in the JSON of a bound stands in the title; the ladder has the two bounds that are shown."""
    result = {
        "problem": "load",
        "lower": "3",
        "upper": "9/2",
        "reading": {"file": "f"},
        "ladder": [{"rung": "size", "lower": "3", "bound_from": "the largest job"}],
        "unproven": {"lower": "4", "by": "a search"},
    }
    Path("b.json").write_text(json.dumps(result))
    assert _plot(dualfit, "ladder", "b.json", "--out", "l.png")["rungs"] == {
        "lower": 1,
        "refuted": 0,
        "upper": 1,
        "run": 0,
    }
    assert "4 <= T* says a search, no certificate shows it" in figures[0].axes[0].get_title(loc="left")


def test_the_ladder_of_a_run_ends_at_its_objective(dualfit: Run) -> None:
    """A run's certificate has its bound and its objective; guesses that were given up are refuted ones."""
    result = _plot(dualfit, "ladder", _certify(dualfit, "weighted"), "--out", "l.png")
    assert result["rungs"]["run"] == 1
    assert result["rungs"]["lower"] == 1


def test_ratios_are_those_of_the_comparison_and_of_the_certificates(dualfit: Run, figures: list[Figure]) -> None:
    """One comparison as JSON, and its certificates, draw the same points."""
    Path("j.json").write_text(_instance("weighted", JOBS))
    chosen = ["--problem", "weighted", "--algorithms", "hdf,hdf-reject", "--epsilon", "1/2,1/4"]
    code, out, _ = dualfit("compare", "j.json", *chosen, "--json", "--out-dir", "certs")
    assert code == 0
    Path("c.json").write_text(out)
    rows = json.loads(out)["rows"]
    assert _plot(dualfit, "ratio", "c.json", "--out", "r.svg")["points"] == 4
    certificates = sorted(str(path) for path in Path("certs").glob("hdf*.json"))
    assert _plot(dualfit, "ratio", *certificates, "--out", "s.svg")["points"] == 4
    expected = {(float(Fraction(row["epsilon"])), float(Fraction(row["ratio"]))) for row in rows}
    for figure in figures:
        lines = [line for line in figure.axes[0].lines if line.get_marker() not in ("", "None")]
        assert {tuple(point) for line in lines for point in line.get_xydata().tolist()} == expected


def test_growth_is_drawn_from_both_kinds_of_sweeps(dualfit: Run, figures: list[Figure]) -> None:
    """The measured ratios are those of the JSON."""
    code, out, _ = dualfit("adversary", "lemma-8.1", "--against", "load-unit", "--sweep", "1/4,1/8", "--json")
    assert code == 0
    Path("g.json").write_text(out)
    result = _plot(dualfit, "growth", "g.json", "--out", "g.png")
    drawn = [line.get_ydata().tolist() for line in figures[0].axes[0].lines if line.get_marker() == "o"]
    assert drawn == [[float(Fraction(ratio)) for ratio in result["ratios"]]]
    code, out, _ = dualfit("adversary", "round-robin", "--alpha", "2", "--sweep-machines", "2,4", "--json")
    Path("h.json").write_text(out)
    assert _plot(dualfit, "growth", "h.json", "--out", "h.png")["games"] == 2


def test_a_window_cuts_the_axis_and_nothing_else(dualfit: Run, figures: list[Figure]) -> None:
    """From 1 to 2 the curve has the same values as in the whole picture, up to both limits."""
    certificate = _certify(dualfit, "weighted")
    _plot(dualfit, "queues", certificate, "--out", "a.png")
    _plot(dualfit, "queues", certificate, "--out", "b.png", "--from", "1", "--to", "5/2")
    whole, part = (figure.axes[0].lines[0] for figure in figures)
    assert figures[1].axes[-1].get_xlim() == (1, 2.5)
    x, y = part.get_data()
    assert (x[0], x[-1]) == (1, 2.5)
    late = np.interp([1.25, 2.25, 2.5], *whole.get_data())
    assert np.interp([1.25, 2.25, 2.5], x, y).tolist() == late.tolist()


def test_jobs_that_are_rejected_late_are_told_from_those_that_stay(dualfit: Run, figures: list[Figure]) -> None:
    """Their bars are hatched; accepted, rejected on arrival and late of all classes add up to the run's own numbers."""
    certificate = _certify(dualfit, "load", [*JOBS, *({"id": k, "r": 9, "p": 16} for k in (30, 31, 32))])
    run = _run_of(certificate)
    assert run.late
    witness: Any = explanations(run, algorithm_of(run, None))[0]
    assert len(run.phases) == 1
    late, found = {one.job for one in run.late}, {"accepted": 0, "rejected on arrival": 0, "rejected late": 0}
    for one in witness.classes:
        result = _plot(dualfit, "families", certificate, "--class", str(one.name), "--out", "f.png")
        for key in found:
            found[key] += result[key]
        size, tick = run.instance.size, run.instance.tick
        hatched = [c for c in figures[-1].axes[0].collections if c.get_hatch()]
        bars = sorted((low, high) for c in hatched for _, _, low, high in _boxes(c))
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
    result = _plot(dualfit, "families", _certify(dualfit, "load", jobs), "--out", "f.png")
    assert result["class"] == 4
    assert any(result["m_s"][1:])


def test_labels_of_sets_do_not_overlap(dualfit: Run, figures: list[Figure]) -> None:
    """Lines that are close together share one label: those that there are lie apart."""
    jobs = [{"id": k, "r": 1, "p": 1 if k < 30 else 500} for k in range(40)]
    _plot(dualfit, "families", _certify(dualfit, "load", jobs, "--guess", "1"), "--out", "f.png", "--dpi", "100")
    axes = figures[0].axes[0]
    assert len(axes.lines) > 1
    boxes = [text.get_window_extent() for text in axes.texts]
    assert boxes
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))


def _given_up(dualfit: Run) -> tuple[str, Any]:
    """A run whose first phases end, and the run."""
    jobs = [{"id": k, "r": k // 8, "p": 4, "w": 1} for k in range(40)]
    certificate = _certify(dualfit, "weighted", jobs)
    run = _run_of(certificate)
    assert any(phase.ended and run.accepted[phase.last] for phase in run.phases)
    return certificate, run


def test_rejected_is_who_the_run_rejects(dualfit: Run, figures: list[Figure]) -> None:
    """A job at which a phase gave its guess up, and that the next one takes, is no rejection; each job counts once."""
    certificate, run = _given_up(dualfit)
    for number, phase in enumerate(run.phases, start=1):
        result = _plot(dualfit, "families", certificate, "--phase", str(number), "--out", "f.png")
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
        _plot(dualfit, "families", certificate, "--phase", str(k + 1), "--out", "f.png")["intervals"]
        for k in range(len(run.phases))
    ]
    assert any(counts)
    assert _plot(dualfit, "families", certificate, "--out", "f.png")["intervals"] > 0


def test_the_legend_says_what_grey_rectangles_are(dualfit: Run, figures: list[Figure]) -> None:
    """Intervals of odd and of even levels; of one level, intervals."""
    certificate = _certify(dualfit, "max-flow", JOBS, "--guess", "5/2")
    for level, expected in (([], {"intervals of odd levels", "intervals of even levels"}), ([1], {"intervals"})):
        _plot(dualfit, "families", certificate, "--out", "f.png", *(f"--level={one}" for one in level))
        assert expected <= {text.get_text() for text in figures[-1].legends[0].get_texts()}


@pytest.mark.parametrize(
    ("kind", "problem"), [("queues", "max-flow"), ("families", "max-flow"), ("queues", "load"), ("queues", "energy")]
)
def test_a_window_outside_of_the_run_is_refused(kind: str, problem: str, dualfit: Run) -> None:
    """After all there is, or before it: the refusal says from when to when there is something."""
    jobs = [{**job, "r": job["r"] + 100} for job in JOBS[:8]]
    certificate = _certify(dualfit, problem, jobs)
    spans = [(["--from", "5000", "--to", "5001"], "--from"), (["--from", "5000"], "--from")]
    for window, place in [*spans, (["--from", "-9", "--to", "-8"], "--to"), (["--to", "-8"], "--to")]:
        found = _problem(dualfit("plot", kind, certificate, *window, "--out", "w.png", "--json"))
        assert (found["place"], found["reason"]) == (place, "nothing to draw")
        assert " to " in found["expected"]
        assert not Path("w.png").exists()


def test_long_names_of_machines_are_shortened_and_stay_apart(dualfit: Run, figures: list[Figure]) -> None:
    """The middle of a name goes; no label is longer than its row or leaves the paper, no two are the same."""
    jobs = [{"id": k, "r": k, "p": 3, "eligible": [1 + k % 3]} for k in range(12)]
    for problem, kinds in (("max-flow", ("queues", "families")), ("load", ("queues", "families"))):
        names = [f"a-machine-in-a-very-far-away-data-centre-rack-{k}" for k in range(3)]
        Path("j.json").write_text(json.dumps({"machines": 3, "machine_names": names, "jobs": jobs}))
        code, _, err = dualfit("run", "j.json", "--problem", problem, "--epsilon", "1/2", "--out", "j.cert.json")
        assert code == 0, err
        for kind in kinds:
            assert set(_plot(dualfit, kind, "j.cert.json", "--out", "q.png", "--dpi", "100")["machines"]) == set(names)
            _apart(figures[-1], kind, problem)


def _apart(figure: Figure, kind: str, problem: str) -> None:
    rows = figure.axes[1:] if kind == "queues" else figure.axes
    sets = (problem, kind) == ("load", "families")
    texts = rows[0].xaxis.get_ticklabels() if sets else [axes.yaxis.label for axes in rows]
    assert len({text.get_text() for text in texts}) == len(texts) == 3
    boxes = [text.get_window_extent() for text in texts]
    assert all("…" in text.get_text() for text in texts)
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    assert all(box.y0 >= -1 and box.y1 <= figure.bbox.y1 + 1 for box in boxes)


# ---------------------------------------------------------------- how it is drawn
@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        *((kind, problem) for kind in ("queues", "families") for problem in KINDS),
        ("ladder", "load"),
        ("ratio", "max-flow"),
    ],
)
def test_every_problem_is_drawn_in_grey(kind: str, problem: str, dualfit: Run) -> None:
    """No colour anywhere: every pixel has as much red as green as blue; and there is something on the paper."""
    certificate = _certify(dualfit, problem, JOBS[:8] if problem == "energy" else JOBS)
    assert _plot(dualfit, kind, certificate, "--out", "p.png", "--dpi", "60")["kind"] == kind
    pixels = imread("p.png")[..., :3]
    assert (pixels.max(axis=2) == pixels.min(axis=2)).all()
    assert pixels.min() < 1 / 4


@pytest.mark.parametrize(
    ("kind", "suffix"), [("queues", "svg"), ("families", "pdf"), ("ladder", "png"), ("families", "svg")]
)
def test_the_same_certificate_gives_the_same_bytes(kind: str, suffix: str, dualfit: Run) -> None:
    """No clock, no chance."""
    certificate = _certify(dualfit, "max-flow")
    for name in ("a", "b"):
        _plot(dualfit, kind, certificate, "--out", f"{name}.{suffix}")
    assert Path(f"a.{suffix}").read_bytes() == Path(f"b.{suffix}").read_bytes()


def test_weight_thresholds_differ_by_hatches(dualfit: Run, figures: list[Figure]) -> None:
    """Intervals for heavier jobs have another hatch, and the legend says which weight it stands for."""
    assert dualfit("generate", "weighted", "--seed", "36", "--jobs", "50", "--machines", "4", "--out", "j.json")[0] == 0
    assert dualfit("bound", "j.json", "--problem", "weighted", "--method", "lp", "--out", "b.cert.json")[0] == 0
    document = json.loads(Path("b.cert.json").read_text())
    number = next(k for k, one in enumerate(document["evidence"]) if len(one.get("weights", [])) > 1)
    _plot(dualfit, "families", "b.cert.json", "--evidence", str(number), "--out", "f.svg")
    bars = [one for axes in figures[0].axes for one in axes.collections if isinstance(one, PolyCollection)]
    found = {one.get_label(): one.get_hatch() for one in bars}
    item = document["evidence"][number]
    used = {f"intervals for weight {item['weights'][c]} on" for c in item["class"]}
    moments = {one.get_label() for axes in figures[0].axes for one in axes.collections if one not in bars}
    shown = {label.removesuffix(", one moment") for label in found.keys() | moments}
    assert {label for label in shown if not label.startswith("_")} == used
    assert len({one.get_hatch() for one in bars}) == len(used) > 1


def test_size_title_and_letters_are_the_papers(dualfit: Run, figures: list[Figure]) -> None:
    """Inches, a title of one's own or none, the size of the letters, pixels an inch."""
    certificate = _certify(dualfit, "max-flow")
    options = ["--width", "3.3", "--height", "5/2", "--font-size", "7", "--dpi", "100", "--out", "p.png"]
    _plot(dualfit, "queues", certificate, *options, "--title", "50 $ a day")
    assert figures[0].get_size_inches().tolist() == [3.3, 2.5]
    assert figures[0].axes[0].get_title(loc="left") == r"50 \$ a day"
    assert figures[0].axes[0].yaxis.label.get_fontsize() == 7
    assert imread("p.png").shape[:2] == (250, 330)
    _plot(dualfit, "ladder", certificate, *options, "--no-title")
    assert figures[1].axes[0].get_title(loc="left") == ""


def test_a_column_of_a_paper_has_room_for_all_words(dualfit: Run, figures: list[Figure]) -> None:
    """At 3.4 inches and small letters, titles, labels of axes and legends lie on the paper."""
    certificate = _certify(dualfit, "max-flow", JOBS, "--guess", "5/2")
    for kind in ("queues", "families", "ladder", "ratio"):
        _plot(dualfit, kind, certificate, "--width", "3.4", "--font-size", "7", "--dpi", "100", "--out", "p.png")
        figure = figures[-1]
        words = [text for axes in figure.axes for text in (axes._left_title, axes.xaxis.label, axes.yaxis.label)]
        for shown in [*(word for word in words if word.get_text()), *figure.legends]:
            box = shown.get_window_extent()
            assert box.x0 >= -1
            assert box.x1 <= figure.bbox.x1 + 1, (kind, shown)


def test_names_from_files_are_shown_as_they_are(dualfit: Run, figures: list[Figure]) -> None:
    """Machine names and file names with dollars, underscores and braces are no formulas."""
    name = "$x_{1} & <b>"
    jobs = [{"id": 1, "r": 0, "p": 1, "eligible": [1]}]
    names = {"machine_names": ["$\\frac{", "_日"]}
    Path(f"{name}.json").write_text(json.dumps({"machines": 2, "jobs": jobs, **names}))
    assert dualfit("run", f"{name}.json", "--epsilon", "1/2", "--out", "j.cert.json")[0] == 0
    for kind in ("queues", "families", "ladder"):
        _plot(dualfit, kind, "j.cert.json", "--out", "q.svg")
        assert figures[-1].axes[0].get_title(loc="left").startswith(r"\$x_{1} & <b>.json")
    assert [axes.get_ylabel() for axes in figures[0].axes[1:]] == [r"\$\frac{", r" _\u65e5"]


@pytest.mark.parametrize(
    ("problem", "jobs"), [*((problem, 0) for problem in KINDS), ("max-flow", 1), ("load", 1), ("weighted", 1)]
)
def test_nobody_and_one_job_are_pictures_too(problem: str, jobs: int, dualfit: Run) -> None:
    """An instance without jobs has queues of nothing; it has no family, and the refusal says so."""
    certificate = _certify(dualfit, problem, JOBS[:jobs])
    _plot(dualfit, "queues", certificate, "--out", "q.png")
    code, out, _ = dualfit("plot", "families", certificate, "--out", "f.png", "--json")
    assert code == (0 if jobs else 2)
    if not jobs:
        assert json.loads(out)["problems"][0]["reason"] == "no family to draw"


# ---------------------------------------------------------------- refusals
def _problem(answer: tuple[int, str, str], code: int = 2) -> dict[str, str]:
    assert answer[0] == code, answer
    found: dict[str, str] = json.loads(answer[1])["problems"][0]
    return found


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
    certificate = _certify(dualfit, problem, JOBS[:8] if problem == "energy" else JOBS, *guess)
    found = _problem(dualfit("plot", "families", certificate, *options, "--out", "f.png", "--json"))
    assert found["expected"].startswith(expected)
    assert not Path("f.png").exists()


def test_a_rejected_certificate_is_no_picture(dualfit: Run) -> None:
    """Exit code 1, and nothing is written; one that is no certificate at all is bad input."""
    certificate = _certify(dualfit, "max-flow")
    document = json.loads(Path(certificate).read_text())
    goal = next(one for one in document["goal"] if one["claim"] == "objective")
    goal["value"] = "12345"
    Path("bad.json").write_text(json.dumps(document))
    for kind in ("queues", "families", "ladder", "ratio"):
        assert dualfit("plot", kind, "bad.json", "--out", "p.png")[0] == 1
        assert not Path("p.png").exists()
    Path("no.json").write_text("{")
    for kind in ("queues", "families", "ladder", "ratio", "growth"):
        assert dualfit("plot", kind, "no.json", "--out", "p.png")[0] == 2


def test_a_run_that_the_algorithm_does_not_make_is_not_explained(dualfit: Run) -> None:
    """A certificate may name any algorithm; its witness is drawn only if the same decisions come out again."""
    certificate = _certify(dualfit, "max-flow", JOBS, "--algorithm", "greedy")
    document = json.loads(Path(certificate).read_text())
    document["run"]["algorithm"] = "max-flow"
    document["run"]["parameters"]["guess"] = "1"
    Path("lie.json").write_text(json.dumps(document))
    assert check.check_file("lie.json").verdict == "accepted"
    code, _, err = dualfit("plot", "families", "lie.json", "--out", "f.png")
    assert (code, "is not one of max-flow" in err) == (1, True)
    assert _plot(dualfit, "families", "lie.json", "--evidence", "0", "--out", "f.png")["drawn"] == "evidence 0"


def test_an_unknown_algorithm_leaves_the_evidence(dualfit: Run) -> None:
    """Without a witness the largest bound's own intervals are drawn."""
    certificate = _certify(dualfit, "max-flow", JOBS, "--algorithm", "greedy")
    assert _plot(dualfit, "families", certificate, "--out", "f.png")["drawn"].startswith("evidence")


WRONG: list[tuple[str, Any, str]] = [
    ("ratio", {"rows": []}, "$"),
    ("ratio", [1], "$"),
    (
        "ratio",
        {
            "problem": "load",
            "lower": "1",
            "upper": "x",
            "reading": {"file": "f"},
            "rows": [1],
        },
        "$.upper",
    ),
    (
        "ratio",
        {
            "problem": "load",
            "lower": "1",
            "upper": "1",
            "reading": {"file": "f"},
            "rows": [{"algorithm": "a", "epsilon": "1/2", "refused": None, "ratio": True}],
        },
        "$.rows[0].ratio",
    ),
    ("ladder", {"problem": "load"}, "$"),
    (
        "ladder",
        {"problem": "load", "lower": 0, "upper": 1, "reading": {"file": "f"}, "ladder": [{"rung": 3}]},
        "$.ladder[0].rung",
    ),
    ("growth", {"policy": "round-robin"}, "$"),
    ("growth", {"title": "t"}, "$"),
]


@pytest.mark.parametrize(("kind", "value", "place"), WRONG)
def test_another_kind_of_json_is_refused_with_its_place(kind: str, value: Any, place: str, dualfit: Run) -> None:
    """Exit code 2; the place in the file, what was got and expected, and which command prints the right kind."""
    Path("x.json").write_text(json.dumps(value))
    found = _problem(dualfit("plot", kind, "x.json", "--out", "p.png", "--json"))
    assert found["place"].startswith(f"x.json: {place}")
    assert found["reason"] == "another kind of result"
    assert "dualfit" in found["fix"]


def _changed(document: dict[str, Any], path: list[Any], value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(document))
    inner: Any = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


COMPARED = {
    "problem": "load",
    "lower": "1",
    "upper": "2",
    "reading": {"file": "f"},
    "rows": [{"algorithm": "a", "epsilon": "1/2", "refused": None, "ratio": "3/2"}],
}
GREW = {
    "title": "t",
    "algorithm": "a",
    "x": "x",
    "slope": None,
    "intercept": None,
    "rows": [{"x": 1, "ratio": "2", "opt_upper": 1, "promised": None, "guaranteed": None, "verdict": "reached"}],
}
MORE_SERVERS = {
    "policy": "p",
    "alpha": "2",
    "exponent": None,
    "theory": "1/2",
    "rows": [{"machines": 2, "order": "7/5", "ratio": "6/5"}],
}
BOUNDED = {
    "problem": "load",
    "lower": "1",
    "upper": "2",
    "reading": {"file": "f"},
    "ladder": [{"rung": "size", "lower": "1", "bound_from": "the largest job"}],
}
IMPOSSIBLE = [
    ("ratio", COMPARED, ["rows"], []),
    ("ratio", COMPARED, ["rows", 0, "ratio"], "-5"),
    ("ratio", COMPARED, ["rows", 0, "epsilon"], "0"),
    ("ratio", COMPARED, ["rows", 0, "epsilon"], "3/2"),
    ("ratio", COMPARED, ["lower"], "-1"),
    ("ratio", COMPARED, ["lower"], "3"),
    ("growth", GREW, ["rows"], []),
    ("growth", GREW, ["rows", 0, "ratio"], "-5"),
    ("growth", GREW, ["rows", 0, "opt_upper"], "0"),
    ("growth", GREW, ["rows", 0, "promised"], -1),
    ("growth", MORE_SERVERS, ["rows"], []),
    ("growth", MORE_SERVERS, ["rows", 0, "machines"], "5/2"),
    ("growth", MORE_SERVERS, ["rows", 0, "machines"], 0),
    ("growth", MORE_SERVERS, ["rows", 0, "order"], 0),
    ("growth", MORE_SERVERS, ["rows", 0, "ratio"], "-5"),
    ("growth", MORE_SERVERS, ["alpha"], "1"),
    ("ladder", BOUNDED, ["upper"], "-5"),
    ("ladder", BOUNDED, ["ladder", 0, "lower"], "-5"),
    ("ladder", BOUNDED, ["ladder", 0, "lower"], "3"),
]


@pytest.mark.parametrize(("kind", "document", "path", "value"), IMPOSSIBLE)
def test_impossible_results_are_refused(
    kind: str, document: dict[str, Any], path: list[Any], value: Any, dualfit: Run
) -> None:
    """No rows, negative ratios, budgets outside (0, 1], half a machine, a lower bound above the upper one."""
    Path("x.json").write_text(json.dumps(document))
    _plot(dualfit, kind, "x.json", "--out", "p.png")
    Path("p.png").unlink()
    Path("x.json").write_text(json.dumps(_changed(document, path, value)))
    found = _problem(dualfit("plot", kind, "x.json", "--out", "p.png", "--json"))
    place = "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    assert found["place"] == f"x.json: {place}"
    assert not Path("p.png").exists()


@pytest.mark.parametrize(("refused", "ratio"), [("needs unit sizes", None), (None, None)])
def test_a_comparison_without_a_ratio_is_no_picture(refused: str | None, ratio: None, dualfit: Run) -> None:
    """All runs refused, or the optimum is 0: there is no point to draw."""
    rows = [{"algorithm": "a", "epsilon": "1/2", "refused": refused, "ratio": ratio}]
    Path("x.json").write_text(json.dumps({**COMPARED, "rows": rows}))
    found = _problem(dualfit("plot", "ratio", "x.json", "--out", "p.png", "--json"))
    assert (found["place"], found["reason"]) == ("x.json", "nothing to draw")
    assert not Path("p.png").exists()


def test_words_of_a_result_are_no_formulas(dualfit: Run, figures: list[Figure]) -> None:
    """Titles and axes from a file may have dollars and backslashes."""
    words = "$\\frac{"
    for kind, document, *keys in (("growth", GREW, "title", "x", "algorithm"), ("ratio", COMPARED, "problem")):
        Path("x.json").write_text(json.dumps({**document, **dict.fromkeys(keys, words)}))
        _plot(dualfit, kind, "x.json", "--out", "p.png")
        assert figures[-1].axes[0].get_title(loc="left").startswith(r"\$\frac{")


def test_a_comparison_of_energy_has_no_epsilon(dualfit: Run) -> None:
    """The JSON of `dualfit compare --problem energy` is what it says, and still no such picture."""
    Path("e.json").write_text(_instance("energy", JOBS[:3]))
    code, out, _ = dualfit("compare", "e.json", "--problem", "energy", "--alpha", "2", "--json")
    assert code == 0
    Path("c.json").write_text(out)
    found = _problem(dualfit("plot", "ratio", "c.json", "--out", "p.png", "--json"))
    assert (found["place"], found["reason"]) == ("c.json", "no epsilon")
    assert "dualfit compare" not in found["fix"]


@pytest.mark.parametrize("command", ["check", "ledger", "report", "queues", "families", "ladder", "ratio"])
def test_what_is_wrong_in_a_certificate_is_said_of_its_file(command: str, dualfit: Run) -> None:
    """Malformed, rejected, or a bound without a run: the message begins with the file's name."""
    page = [] if command in ("check", "ledger", "report") else ["--out", "p.png"]
    words = [command] if not page else ["plot", command]
    Path("x.json").write_text('{"format": "dualfit-certificate"}')
    code, out, err = dualfit(*words, "x.json", *page)
    assert code == 2
    assert "x.json" in (out if command == "check" else err.split(": malformed")[0])
    bad = json.loads(Path(_certify(dualfit, "max-flow")).read_text())
    next(one for one in bad["goal"] if one["claim"] == "objective")["value"] = "12345"
    Path("y.json").write_text(json.dumps(bad))
    code, out, err = dualfit(*words, "y.json", *page)
    assert (code, "y.json" in out + err) == (1, True)
    Path("j.json").write_text(_instance("weighted", JOBS[:4]))
    assert dualfit("bound", "j.json", "--problem", "weighted", "--out", "b.cert.json")[0] == 0
    code, _, err = dualfit(*words, "b.cert.json", *page)
    if command in ("ledger", "queues", "ratio"):
        assert (code, err.startswith("bad input: b.cert.json: ")) == (2, True), err


def test_exact_numbers_are_decimals_for_people(dualfit: Run) -> None:
    """The table has no fraction of 80 digits; the JSON has it; what there is not is "none"."""
    certificate = _certify(dualfit, "energy", JOBS[:6])
    printed = _plot(dualfit, "ladder", certificate, "--out", "l.png")
    assert len(printed["upper"]) > 60
    _, out, _ = dualfit("plot", "ladder", certificate, "--out", "l.png")
    assert printed["upper"] not in out
    assert "~" in out
    Path("j.json").write_text(_instance("max-flow", JOBS))
    assert dualfit("bound", "j.json", "--method", "hall", "--out", "b.cert.json")[0] == 0
    document = json.loads(Path("b.cert.json").read_text())
    document["goal"] = [goal for goal in document["goal"] if goal["claim"] != "upper-bound"]
    Path("b.cert.json").write_text(json.dumps(document))
    assert "upper None" not in " ".join(dualfit("plot", "ladder", "b.cert.json", "--out", "l.png")[1].split())


def test_the_highest_marker_is_whole(dualfit: Run, figures: list[Figure]) -> None:
    """Every marker lies inside the axes with half its size around it, also a single one and one at ratio 1."""
    for ratios in (["1"], ["3/2", "3/2"], ["1", "100"]):
        rows = [
            {"algorithm": "a", "epsilon": f"1/{2 + k}", "refused": None, "ratio": one} for k, one in enumerate(ratios)
        ]
        Path("x.json").write_text(json.dumps({**COMPARED, "upper": "1", "rows": rows}))
        _plot(dualfit, "ratio", "x.json", "--out", "p.png", "--dpi", "72")
        _inside(figures[-1])
    Path("x.json").write_text(json.dumps(GREW))
    _plot(dualfit, "growth", "x.json", "--out", "p.png", "--dpi", "72")
    _inside(figures[-1])


def _inside(figure: Figure) -> None:
    figure.draw_without_rendering()
    axes = figure.axes[0]
    box, found = axes.get_window_extent(), 0
    for line in (line for line in axes.lines if line.get_marker() not in ("", "None")):
        half = line.get_markersize() / 2 * figure.dpi / 72
        for x, y in axes.transData.transform(line.get_xydata()):
            found += 1
            assert box.x0 <= x - half
            assert x + half <= box.x1
            assert y + half <= box.y1
    assert found


def test_ratios_that_are_close_have_several_ticks(dualfit: Run, figures: list[Figure]) -> None:
    """Ratios between 1.34 and 2 on a logarithmic axis have at least three numbers beside them."""
    rows = [{"machines": m, "order": order, "ratio": r} for m, order, r in ((2, "7/5", "27/20"), (4, "2", "39/20"))]
    Path("x.json").write_text(json.dumps({**MORE_SERVERS, "rows": rows}))
    _plot(dualfit, "growth", "x.json", "--out", "p.png")
    figures[0].draw_without_rendering()
    axes = figures[0].axes[0]
    low, high = axes.get_ylim()
    shown = [one for one in axes.yaxis.get_ticklabels() if low <= one.get_position()[1] <= high and one.get_text()]
    assert len(shown) > 2


def test_rejections_stand_between_the_curve_and_the_title(dualfit: Run, figures: list[Figure]) -> None:
    """Their marks are above the highest value, and inside the panel."""
    _plot(dualfit, "queues", _certify(dualfit, "max-flow", JOBS, "--guess", "5/2"), "--out", "q.png")
    axes = figures[0].axes[0]
    crosses = next(line for line in axes.lines if line.get_marker() == "x")
    assert max(axes.lines[0].get_ydata()) < crosses.get_ydata()[0] < axes.get_ylim()[1]


def test_certificates_of_two_instances_are_not_compared(dualfit: Run) -> None:
    """A ratio needs one bound: another instance, another problem, or a bound alone is refused by name."""
    one = _certify(dualfit, "weighted", name="one")
    two = _certify(dualfit, "weighted", JOBS[:5], name="two")
    assert _problem(dualfit("plot", "ratio", one, two, "--out", "p.png", "--json"))["reason"] == "another instance"
    speeds = _certify(dualfit, "energy", JOBS[:5], name="speeds")
    assert _problem(dualfit("plot", "ratio", speeds, "--out", "p.png", "--json"))["reason"] == "no epsilon"
    Path("c.json").write_text("{}")
    assert _problem(dualfit("plot", "ratio", "c.json", one, "--out", "p.png", "--json"))["reason"] == "several results"


@pytest.mark.parametrize(
    ("releases", "reason"),
    [([0, "1e290"], None), ([10**18, 10**18], "too short a stretch so far from 0"), ([0, 10**400], "too large")],
)
def test_times_that_floats_cannot_tell_apart_are_no_picture(
    releases: list[Any], reason: str | None, dualfit: Run
) -> None:
    """Long axes are drawn with exponents; a few ticks beside 10^18, and numbers above 10^300, are refused."""
    certificate = _certify(dualfit, "max-flow", [{"id": k, "r": r, "p": 1} for k, r in enumerate(releases)])
    for kind in ("queues", "families"):
        if reason is None:
            _plot(dualfit, kind, certificate, "--out", "p.png")
        else:
            assert _problem(dualfit("plot", kind, certificate, "--out", "p.png", "--json"))["reason"] == reason


@pytest.mark.parametrize(
    ("options", "place"),
    [
        (["--out", "p.jpg"], "--out"),
        (["--out", "nowhere/p.png"], "--out"),
        (["--out", "p.png", "--width", "0"], "--width"),
        (["--out", "p.png", "--font-size", "1000"], "--font-size"),
        (["--out", "p.png", "--title", "a", "--no-title"], "--title"),
        (["--out", "p.png", "--from", "2", "--to", "1"], "--to"),
    ],
)
def test_a_page_that_cannot_be_is_refused(options: list[str], place: str, dualfit: Run) -> None:
    """Suffix, folder, sizes, two titles, an empty window."""
    certificate = _certify(dualfit, "max-flow")
    assert _problem(dualfit("plot", "queues", certificate, *options, "--json"))["place"] == place


def test_without_matplotlib_the_message_says_what_to_install(dualfit: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any work is done: the certificate is not even opened."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for kind in ("queues", "families", "ladder", "ratio", "growth"):
        found = _problem(dualfit("plot", kind, "missing.json", "--out", "p.png", "--json"))
        assert found["fix"] == "pip install 'dualfit[plot]'"


@pytest.mark.slow
def test_a_hundred_thousand_jobs_are_one_picture(dualfit: Run, tmp_path: Path) -> None:
    """Queues and families of 10^5 jobs on 50 machines; a vector file of them stays below 10 MB."""
    jobs = [
        {"id": k, "r": k // 4, "p": 10, "eligible": sorted({1 + k * k % 50, 1 + k * 7 % 50})} for k in range(100_000)
    ]
    Path("big.json").write_text(json.dumps({"machines": 50, "jobs": jobs}))
    code, *_ = dualfit("run", "big.json", "--epsilon", "1/5", "--bound", "witness", "--out", "big.cert.json")
    assert code == 0
    for kind in ("queues", "families"):
        _plot(dualfit, kind, "big.cert.json", "--out", f"{kind}.svg")
        assert Path(f"{kind}.svg").stat().st_size < 10_000_000
