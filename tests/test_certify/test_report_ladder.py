"""The ladder on the page: every bound of the certificate once, in order, and where T* may be."""

import json
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from report_scenes import CORPUS, NAMES, corpus_scene, scene_of, text_of

from certify import cli
from certify.build import certify_bounds
from certify.evidence import Bound, size_bound
from certify.problems.registry import TRACKS
from certify.report.ladder import command, ladder, rungs
from lp.schedule import upper_evidence
from online import exact
from online.instance import Instance
from online.rows import Row

pytest.importorskip("jinja2")

READABLE = [name for name in NAMES if name != "load-in-huge-numbers"]


@pytest.mark.parametrize("name", READABLE)
def test_every_bound_is_a_rung(name: str) -> None:
    """The rungs are the goals about T*, by value in the units of the input."""
    scene = corpus_scene(name)
    found = rungs(scene)
    expected = [
        exact.rational(goal["value"]) * scene.unit
        for goal in scene.goals
        if goal["claim"] in ("lower-bound", "upper-bound", "objective")
    ]
    listed = [rung.value for rung in found]
    assert listed == sorted(listed)
    assert all(listed.count(value) >= expected.count(value) for value in expected)
    refuted = sum(goal["claim"] == "refuted-guess" for goal in scene.goals)
    games = sum(goal["claim"] == "game" for goal in scene.goals) if scene.problem in TRACKS else 0
    assert len(found) == len(expected) + refuted + games


@pytest.mark.parametrize("name", READABLE)
def test_lower_rungs_are_below_upper_ones(name: str) -> None:
    """No lower bound exceeds an upper one, and a refuted guess is below both."""
    found = rungs(corpus_scene(name))
    upper = min((rung.value for rung in found if rung.kind == "upper"), default=None)
    if upper is not None:
        assert all(rung.value <= upper for rung in found if rung.kind == "lower")
        assert all(rung.value < upper for rung in found if rung.kind == "refuted")


@pytest.mark.parametrize("name", READABLE)
def test_the_verdict_of_the_checker_on_t_star_is_on_the_page(name: str) -> None:
    """The page calls T* known where the checker says what it is, and where a run that rejects nobody attains it."""
    scene = corpus_scene(name)
    section = ladder(scene)
    known = any(line.startswith(("T* = ", "T* is ")) for line in scene.verdict.shown)
    objective = [exact.rational(goal["value"]) for goal in scene.goals if goal["claim"] == "objective"]
    record = scene.document.get("run", {})
    late = record.get("late", {}).get("job")
    complete = not late and -1 not in record.get("dispatch", []) and record.get("speed", 1) == 1
    attained = complete and scene.bound in objective and any(goal["claim"] == "lower-bound" for goal in scene.goals)
    assert (section is not None and "is known" in text_of(section.html)) == (known or attained)


def test_a_lone_bound_names_the_command_that_climbs_the_ladder() -> None:
    """The file, the options it was read with, and the size of every job are in the command, each as one word."""
    instance = Instance.from_rows(1, [Row("a", 0, 3)])
    source = {"file": "my trace.csv", "format": "csv", "options": {"zero_size": "drop"}, "unit_size": "3"}
    scene = scene_of(certify_bounds(instance, "max-flow", [size_bound(instance)], None, source))
    assert command(scene) == "dualfit bound 'my trace.csv' --problem max-flow --zero-size drop --size one:3"
    text = text_of(ladder(scene).html)
    assert "does not have the whole ladder" in text
    assert "has no bound from above" in text


def test_the_command_can_be_run_as_it_stands(tmp_path, monkeypatch) -> None:
    """What the page of a run on a file names bounds the optimum of the same instance."""
    monkeypatch.chdir(tmp_path)
    Path("a trace.csv").write_text(
        "# machines: 2\njob,r,p,w,v,eligible\na,0,1.5,1,1,1\nb,0.5,2,1,1,7\nc,0.5,2,1,1,1|2\n"
    )
    options = ["--size", "one", "--invalid", "drop", "--unplaceable", "drop"]
    assert cli.run(["run", "a trace.csv", "--epsilon", "1/2", *options, "--out", "run.json"]) == 0
    document = json.loads(Path("run.json").read_text())
    words = shlex.split(command(scene_of(document)))
    assert words[:3] == ["dualfit", "bound", "a trace.csv"]
    assert cli.run([*words[1:], "--out", "bound.json"]) == 0
    assert json.loads(Path("bound.json").read_text())["sha256"] == document["sha256"]


def test_an_unknown_file_is_called_file() -> None:
    """A certificate that does not say where its instance came from leaves the name to the reader."""
    instance = Instance.from_rows(1, [Row("a", 0, 3)])
    assert command(scene_of(certify_bounds(instance, "load", [size_bound(instance)]))) == (
        "dualfit bound FILE --problem load"
    )


def test_no_command_where_t_star_is_known() -> None:
    """A closed bracket needs no climbing."""
    instance = Instance.from_rows(1, [Row("a", 0, 3)])
    upper = Bound(Fraction(3), upper_evidence([0], "fifo"), "a <b>schedule</b>")
    html = ladder(scene_of(certify_bounds(instance, "max-flow", [size_bound(instance)], upper))).html
    assert "T* is known: 3" in text_of(html)
    assert "dualfit bound" not in html
    assert "a &lt;b&gt;schedule" in html


def test_a_bracket_says_how_wide_it_is() -> None:
    """Lower bound 3, schedule of value 4: the lower one is three quarters of the upper one."""
    instance = Instance.from_rows(2, [Row("a", 0, 3), Row("b", 0, 1)])
    upper = Bound(Fraction(4), upper_evidence([0, 0], "fifo"), "a schedule")
    text = text_of(ladder(scene_of(certify_bounds(instance, "max-flow", [size_bound(instance)], upper))).html)
    assert "3 ≤ T* ≤ 4" in text
    assert "75 %" in text


def test_nothing_but_the_run_is_no_ladder() -> None:
    """A certificate that bounds T* by nothing has no such section."""
    document = json.loads((CORPUS / "energy-backlog-of-few-jobs.json").read_text())
    assert ladder(scene_of(document)) is None
