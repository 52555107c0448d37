"""`dualfit plot`: what is drawn is what the run is, in grey, the same bytes, or a refusal that says why."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plot_runs import JOBS, KINDS, Run, certify, instance_text, plot, problem_of, run_of

matplotlib = pytest.importorskip("matplotlib")

from matplotlib.figure import Figure  # noqa: E402
from matplotlib.image import imread  # noqa: E402


def test_a_queue_is_drawn_corner_by_corner(dualfit: Run, figures: list[Figure]) -> None:
    """Two jobs of half a unit at 0 and one at 3/4 on one machine: jumps to 1 and from 1/4 to 3/4, then down to 0."""
    jobs = [{"id": k, "r": r, "p": "1/2"} for k, r in enumerate([0, 0, "3/4"])]
    Path("j.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    assert dualfit("run", "j.json", "--epsilon", "1/4", "--guess", "1", "--out", "j.cert.json")[0] == 0
    result = plot(dualfit, "queues", "j.cert.json", "--out", "q.svg")
    assert (result["machines"], result["of"], result["rejected on arrival"]) == (["1"], 1, 0)
    corners = [(0, 0), (0, 1), (3 / 4, 1 / 4), (3 / 4, 3 / 4), (3 / 2, 0), (3 / 2, 0), (3 / 2, 0)]
    for axes in figures[0].axes:
        assert axes.lines[0].get_xydata().tolist() == [list(corner) for corner in corners]
    thresholds = {line.get_label(): set(line.get_ydata()) for line in figures[0].axes[1].lines[1:]}
    assert thresholds == {"T": {1}, "T/ε, up to 4: out of view": {4}}


def test_rejections_are_marked_where_they_happen(dualfit: Run, figures: list[Figure]) -> None:
    """Crosses at the releases of the jobs that are rejected on arrival, one each."""
    certificate = certify(dualfit, "max-flow", JOBS, "--guess", "5/2")
    run = run_of(certificate)
    refused = run.instance.release[run.dispatch == -1] * Fraction(run.instance.tick)
    assert len(refused) > 2
    result = plot(dualfit, "queues", certificate, "--out", "q.png")
    crosses = next(line for line in figures[0].axes[0].lines if line.get_marker() == "x")
    assert crosses.get_xdata().tolist() == [float(time) for time in refused]
    assert result["rejected on arrival"] == len(refused)


def test_loads_after_so_many_arrivals_end_where_the_run_ends(dualfit: Run, figures: list[Figure]) -> None:
    """The last value of each machine is its load in the certificate; late rejections are bars at their arrival."""
    certificate = certify(dualfit, "load", [*JOBS, *({"id": k, "r": 9, "p": 16} for k in (30, 31, 32))])
    run = run_of(certificate)
    assert run.late
    result = plot(dualfit, "queues", certificate, "--out", "q.png")
    assert [axes.lines[0].get_ydata()[-1] for axes in figures[0].axes[1:]] == [
        load * run.instance.tick for load in run.loads
    ]
    late = next(line for line in figures[0].axes[0].lines if line.get_marker() == "|")
    assert late.get_xdata().tolist() == [one.after + 1 for one in run.late]
    assert result["rejected late"] == len(run.late)


def test_all_machines_or_the_title_says_how_many(dualfit: Run, figures: list[Figure]) -> None:
    """Two of five machines are the two with most work, and the title names both numbers; all five need no words."""
    jobs = [{"id": k, "r": 0, "p": 1, "eligible": [1 + k * k % 5]} for k in range(20)]
    Path("j.json").write_text(json.dumps({"machines": 5, "jobs": jobs}))
    assert dualfit("run", "j.json", "--epsilon", "1/9", "--out", "j.cert.json")[0] == 0
    for kind, why in (("queues", "those with most work"), ("families", "those with most intervals")):
        result = plot(dualfit, kind, "j.cert.json", "--most", "2", "--out", "q.png")
        assert (result["machines"], result["of"]) == (["2", "5"], 5)
        assert f"2 of 5 machines, {why}" in figures[-1].axes[0].get_title(loc="left").replace("\n", " ")
        plot(dualfit, kind, "j.cert.json", "--out", "q.png")
        assert "of 5 machines" not in figures[-1].axes[0].get_title(loc="left")
    assert plot(dualfit, "queues", "j.cert.json", "--machine", "3", "--out", "q.png")["machines"] == ["3"]


def test_the_ladder_of_a_run_ends_at_its_objective(dualfit: Run) -> None:
    """A run's certificate has its bound and its objective; guesses that were given up are refuted ones."""
    result = plot(dualfit, "ladder", certify(dualfit, "weighted"), "--out", "l.png")
    assert result["rungs"]["run"] == 1
    assert result["rungs"]["lower"] == 1


def test_a_window_cuts_the_axis_and_nothing_else(dualfit: Run, figures: list[Figure]) -> None:
    """From 1 to 2 the curve has the same values as in the whole picture, up to both limits."""
    certificate = certify(dualfit, "weighted")
    plot(dualfit, "queues", certificate, "--out", "a.png")
    plot(dualfit, "queues", certificate, "--out", "b.png", "--from", "1", "--to", "5/2")
    whole, part = (figure.axes[0].lines[0] for figure in figures)
    assert figures[1].axes[-1].get_xlim() == (1, 2.5)
    x, y = part.get_data()
    assert (x[0], x[-1]) == (1, 2.5)
    late = np.interp([1.25, 2.25, 2.5], *whole.get_data())
    assert np.interp([1.25, 2.25, 2.5], x, y).tolist() == late.tolist()


@pytest.mark.parametrize(
    ("kind", "problem"), [("queues", "max-flow"), ("families", "max-flow"), ("queues", "load"), ("queues", "energy")]
)
def test_a_window_outside_of_the_run_is_refused(kind: str, problem: str, dualfit: Run) -> None:
    """After all there is, or before it: the refusal says from when to when there is something."""
    jobs = [{**job, "r": job["r"] + 100} for job in JOBS[:8]]
    certificate = certify(dualfit, problem, jobs)
    spans = [(["--from", "5000", "--to", "5001"], "--from"), (["--from", "5000"], "--from")]
    for window, place in [*spans, (["--from", "-9", "--to", "-8"], "--to"), (["--to", "-8"], "--to")]:
        found = problem_of(dualfit("plot", kind, certificate, *window, "--out", "w.png", "--json"))
        assert (found["place"], found["reason"]) == (place, "nothing to draw")
        assert found["expected"].startswith("a part of 0 to 8" if problem == "load" else "a part of 100 to ")
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
            assert set(plot(dualfit, kind, "j.cert.json", "--out", "q.png", "--dpi", "100")["machines"]) == set(names)
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
    certificate = certify(dualfit, problem, JOBS[:8] if problem == "energy" else JOBS)
    assert plot(dualfit, kind, certificate, "--out", "p.png", "--dpi", "60")["kind"] == kind
    pixels = imread("p.png")[..., :3]
    assert (pixels.max(axis=2) == pixels.min(axis=2)).all()
    assert pixels.min() < 1 / 4


@pytest.mark.parametrize(
    ("kind", "suffix"), [("queues", "svg"), ("families", "pdf"), ("ladder", "png"), ("families", "svg")]
)
def test_the_same_certificate_gives_the_same_bytes(kind: str, suffix: str, dualfit: Run) -> None:
    """No clock, no chance."""
    certificate = certify(dualfit, "max-flow")
    for name in ("a", "b"):
        plot(dualfit, kind, certificate, "--out", f"{name}.{suffix}")
    assert Path(f"a.{suffix}").read_bytes() == Path(f"b.{suffix}").read_bytes()


def test_size_title_and_letters_are_the_papers(dualfit: Run, figures: list[Figure]) -> None:
    """Inches, a title of one's own or none, the size of the letters, pixels an inch."""
    certificate = certify(dualfit, "max-flow")
    options = ["--width", "3.3", "--height", "5/2", "--font-size", "7", "--dpi", "100", "--out", "p.png"]
    plot(dualfit, "queues", certificate, *options, "--title", "50 $ a day")
    assert figures[0].get_size_inches().tolist() == [3.3, 2.5]
    assert figures[0].axes[0].get_title(loc="left") == r"50 \$ a day"
    assert figures[0].axes[0].yaxis.label.get_fontsize() == 7
    assert imread("p.png").shape[:2] == (250, 330)
    plot(dualfit, "ladder", certificate, *options, "--no-title")
    assert figures[1].axes[0].get_title(loc="left") == ""


def test_a_column_of_a_paper_has_room_for_all_words(dualfit: Run, figures: list[Figure]) -> None:
    """At 3.4 inches and small letters, titles, labels of axes and legends lie on the paper."""
    certificate = certify(dualfit, "max-flow", JOBS, "--guess", "5/2")
    for kind in ("queues", "families", "ladder", "ratio"):
        plot(dualfit, kind, certificate, "--width", "3.4", "--font-size", "7", "--dpi", "100", "--out", "p.png")
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
        plot(dualfit, kind, "j.cert.json", "--out", "q.svg")
        assert figures[-1].axes[0].get_title(loc="left").startswith(r"\$x_{1} & <b>.json")
    assert [axes.get_ylabel() for axes in figures[0].axes[1:]] == [r"\$\frac{", r" _\u65e5"]


@pytest.mark.parametrize(
    ("problem", "jobs"), [*((problem, 0) for problem in KINDS), ("max-flow", 1), ("load", 1), ("weighted", 1)]
)
def test_nobody_and_one_job_are_pictures_too(problem: str, jobs: int, dualfit: Run) -> None:
    """An instance without jobs has queues of nothing; it has no family, and the refusal says so."""
    certificate = certify(dualfit, problem, JOBS[:jobs])
    plot(dualfit, "queues", certificate, "--out", "q.png")
    code, out, _ = dualfit("plot", "families", certificate, "--out", "f.png", "--json")
    assert code == (0 if jobs else 2)
    if not jobs:
        assert json.loads(out)["problems"][0]["reason"] == "no family to draw"


def test_a_rejected_certificate_is_no_picture(dualfit: Run) -> None:
    """Exit code 1, and nothing is written; one that is no certificate at all is bad input."""
    certificate = certify(dualfit, "max-flow")
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


@pytest.mark.parametrize("command", ["check", "ledger", "report", "queues", "families", "ladder", "ratio"])
def test_what_is_wrong_in_a_certificate_is_said_of_its_file(command: str, dualfit: Run) -> None:
    """Malformed, rejected, or a bound without a run: the message begins with the file's name."""
    page = [] if command in ("check", "ledger", "report") else ["--out", "p.png"]
    words = [command] if not page else ["plot", command]
    Path("x.json").write_text('{"format": "dualfit-certificate"}')
    code, out, err = dualfit(*words, "x.json", *page)
    assert code == 2
    assert "x.json" in (out if command == "check" else err.split(": malformed")[0])
    bad = json.loads(Path(certify(dualfit, "max-flow")).read_text())
    next(one for one in bad["goal"] if one["claim"] == "objective")["value"] = "12345"
    Path("y.json").write_text(json.dumps(bad))
    code, out, err = dualfit(*words, "y.json", *page)
    assert (code, "y.json" in out + err) == (1, True)
    Path("j.json").write_text(instance_text("weighted", JOBS[:4]))
    assert dualfit("bound", "j.json", "--problem", "weighted", "--out", "b.cert.json")[0] == 0
    code, _, err = dualfit(*words, "b.cert.json", *page)
    if command in ("ledger", "queues", "ratio"):
        assert (code, err.startswith("bad input: b.cert.json: ")) == (2, True), err


def test_rejections_stand_between_the_curve_and_the_title(dualfit: Run, figures: list[Figure]) -> None:
    """Their marks are above the highest value, and inside the panel."""
    plot(dualfit, "queues", certify(dualfit, "max-flow", JOBS, "--guess", "5/2"), "--out", "q.png")
    axes = figures[0].axes[0]
    crosses = next(line for line in axes.lines if line.get_marker() == "x")
    assert max(axes.lines[0].get_ydata()) < crosses.get_ydata()[0] < axes.get_ylim()[1]


@pytest.mark.parametrize(
    ("releases", "reason"),
    [([0, "1e290"], None), ([10**18, 10**18], "too short a stretch so far from 0"), ([0, 10**400], "too large")],
)
def test_times_that_floats_cannot_tell_apart_are_no_picture(
    releases: list[Any], reason: str | None, dualfit: Run
) -> None:
    """Long axes are drawn with exponents; a few ticks beside 10^18, and numbers above 10^300, are refused."""
    certificate = certify(dualfit, "max-flow", [{"id": k, "r": r, "p": 1} for k, r in enumerate(releases)])
    for kind in ("queues", "families"):
        if reason is None:
            plot(dualfit, kind, certificate, "--out", "p.png")
        else:
            assert problem_of(dualfit("plot", kind, certificate, "--out", "p.png", "--json"))["reason"] == reason


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
    certificate = certify(dualfit, "max-flow")
    assert problem_of(dualfit("plot", "queues", certificate, *options, "--json"))["place"] == place


def test_without_matplotlib_the_message_says_what_to_install(dualfit: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any work is done: the certificate is not even opened."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for kind in ("queues", "families", "ladder", "ratio", "growth"):
        found = problem_of(dualfit("plot", kind, "missing.json", "--out", "p.png", "--json"))
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
        plot(dualfit, kind, "big.cert.json", "--out", f"{kind}.svg")
        assert Path(f"{kind}.svg").stat().st_size < 10_000_000
