"""The page of `dualfit report`: what is on it, that it is safe and always the same, and what the command refuses."""

import builtins
import json
import re
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_scenes import NAMES, corpus_scene, scene_of, text_of

from certify.build import certify, certify_bounds
from certify.cli import run as dualfit
from certify.commands.report import heading, write_page
from certify.problems.registry import TRACKS
from certify.reopen import reopen_schedule
from certify.report.columns import packed
from certify.report.drawn_family import by_strength, families_of, few, lanes_of
from certify.report.drawn_sets import sets_of
from certify.report.execution import LATE, Execution, loads, queue_steps
from certify.report.origins import origins, strongest
from certify.report.page import POLICY, page, sections
from certify.report.section import Section, render
from certify.report.told import Told
from online.algorithm import find
from online.errors import InvalidInput
from online.family import IntervalFamily
from online.generate import make
from online.instance import Instance
from online.play import play
from online.rows import Row

HOSTILE = '</script><script>alert("1")</script><!-- & \' $$x$$ é\u2028'


def certified(instance, algorithm, problem, epsilon="1/4", **options):
    """The scene of a run as `dualfit run` certifies it."""
    cls = find(algorithm, problem)
    options = {name: Fraction(value) for name, value in options.items()}
    run = play(instance, cls, Fraction(epsilon), name=algorithm, options=options)
    return scene_of(json.loads(json.dumps(certify(run, cls).document)))


def unit_jobs(n, machines=3):
    """Unit jobs, two at a time, some for few machines."""
    return Instance.from_rows(machines, [Row(f"j{k}", k // 2, 1, [k % machines] if k % 3 else None) for k in range(n)])


class Reader(HTMLParser):
    """The elements, attributes and visible text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.words, self.inside = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.inside = tag if tag in ("script", "style") else ""
        self.links += [value for name, value in attributes if name in ("src", "href", "action", "data")]

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if not self.inside:
            self.words.append(data)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "load-in-huge-numbers"])
def test_every_accepted_certificate_has_a_page(name):
    """Whatever the checker accepts can be shown: the page has the checker's word and every line that it showed."""
    scene = corpus_scene(name)
    found = sections(scene)
    head = text_of(found[0].html)
    assert found[0].id == "summary"
    assert "accepted" in head
    assert all(" ".join(line.split()) in head for line in scene.verdict.shown)
    assert len({section.id for section in found}) == len(found)


def test_too_many_machines_are_refused():
    """The checker takes any number of machines; a page of 10^30 of them is refused, and of 10^4 not drawn."""
    with pytest.raises(InvalidInput, match="too many machines"):
        sections(corpus_scene("load-in-huge-numbers"))
    scene = certified(Instance.from_rows(10_000, [Row("a", 0, 1)]), "max-flow", "max-flow")
    timeline = next(section for section in sections(scene) if section.id == "timeline")
    assert "10000 machines is not drawn" in text_of(timeline.html)
    assert not timeline.models


def test_the_page_shows_the_exact_numbers_of_the_run():
    """Objective, bound and ratio stand on the page as the certificate has them."""
    scene = certified(unit_jobs(12), "max-flow", "max-flow")
    head = text_of(sections(scene)[0].html)
    assert f"objective {scene.run.objective}" in head
    assert f"bound {scene.bound}" in head
    assert "rejected 0 of 12" in head


def test_the_same_certificate_gives_the_same_bytes():
    """The page says nothing of when or after what it was made: other pictures of the same process change nothing."""
    from bokeh.plotting import figure

    def once():
        return page("title", sections(certified(unit_jobs(9), "max-flow", "max-flow")))

    first = once()
    figure().line([1, 2], [3, 4])
    assert once() == first


def test_hostile_names_stay_text():
    """Names of jobs, machines and files end no script, open no element, and are shown as they are."""
    rows = [Row(HOSTILE, 0, 1), Row("b", 0, 1), Row("<img src=x>", 1, 2)]
    instance = Instance.from_rows(2, rows, machine_names=[HOSTILE, "m"])
    text = page(HOSTILE, sections(certified(instance, "greedy", "max-flow")))
    plain = page("title", sections(certified(Instance.from_rows(2, [*rows[1:], Row("c", 0, 1)]), "greedy", "max-flow")))
    assert Reader(text).tags.count("script") == Reader(plain).tags.count("script")
    assert "img" not in Reader(text).tags
    assert HOSTILE in "".join(Reader(text).words)
    drawn = re.search(r'<script type="application/json" id="drawn">(.*?)</script>', text, re.S).group(1)
    assert HOSTILE in json.dumps(json.loads(drawn), ensure_ascii=False).replace('\\"', '"')


def test_nothing_on_the_page_leads_to_a_network():
    """No element loads anything, and the page's own policy forbids it: only links to its sections are left."""
    text = page("title", sections(certified(unit_jobs(9), "max-flow", "max-flow")))
    assert POLICY in text.replace("&#39;", "'")
    assert POLICY.startswith("default-src 'none'")
    assert all(link.startswith("#") or link == "data:," for link in Reader(text).links)


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize(
    ("algorithm", "problem"),
    [("max-flow", "max-flow"), ("load", "load"), ("weighted", "weighted"), ("stretch", "stretch")],
)
def test_no_job_and_one_job_are_fine(n, algorithm, problem):
    """The smallest runs have a page too; without jobs there is nothing to draw."""
    scene = certified(unit_jobs(n), algorithm, problem)
    found = sections(scene)
    assert ("timeline" in [section.id for section in found]) == (n == 1)
    assert f"jobs {n} on 3 machines" in text_of(found[0].html)


def test_an_unnamed_algorithm_is_not_imported(monkeypatch):
    """A module that only the certificate names is never run; the run and the certificate's own evidence are drawn."""
    document = dict(certified(unit_jobs(12), "max-flow", "max-flow").document)
    document["run"] = {**document["run"], "algorithm": "evil_module:Class"}
    known = builtins.__import__

    def guarded(name, *arguments, **named):
        assert name != "evil_module"
        return known(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", guarded)
    ids = [section.id for section in sections(scene_of(document))]
    assert "timeline" in ids


def test_the_command_writes_the_page_beside_the_certificate(tmp_path, capsys):
    """The default name ends in .html; --json says where, how large, and which sections."""
    jobs = tmp_path / "jobs.json"
    jobs.write_text('{"machines": 1, "jobs": [{"id": "a", "r": 0, "p": "1/3"}, {"id": "b", "r": 0, "p": "1/3"}]}')
    certificate = str(tmp_path / "x.cert.json")
    assert dualfit(["run", str(jobs), "--epsilon", "1/4", "--out", certificate]) == 0
    capsys.readouterr()
    assert dualfit(["report", certificate, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    written = (tmp_path / "x.html").read_bytes()
    assert told["page"] == str(tmp_path / "x.html")
    assert told["bytes"] == len(written)
    assert told["sections"][:2] == ["summary", "timeline"]
    assert "2/3 (~0.666667)" in written.decode()


@pytest.mark.parametrize("options", [["--epsilon", "1/4"], ["--problem", "energy", "--alpha", "2"]])
def test_a_run_writes_the_page_that_its_certificate_gives(options, tmp_path, capsys):
    """`run --report` writes what `report` writes from the run's certificate, but for its name."""
    jobs = tmp_path / "jobs.json"
    jobs.write_text('{"machines": 1, "jobs": [{"id": "a", "r": 0, "p": 1}, {"id": "b", "r": 0, "p": 1}]}')
    certificate, own = (str(tmp_path / name) for name in ("x.cert.json", "own.html"))
    assert dualfit(["run", str(jobs), *options, "--out", certificate, "--report", own]) == 0
    assert dualfit(["report", certificate]) == 0
    written, again = ((tmp_path / name).read_text() for name in ("own.html", "x.html"))
    assert written.replace("<td>own</td>", "<td>x.cert.json</td>") == again
    assert dualfit(["run", str(jobs), *options, "--out", own, "--report", own]) == 2
    assert "overwrite" in capsys.readouterr().err


def test_a_rejected_certificate_has_no_page(tmp_path, capsys):
    """A false claim is told and nothing is written."""
    document = dict(certified(unit_jobs(6), "max-flow", "max-flow").document)
    document["goal"] = [{**goal, "value": "1/7"} if goal["claim"] == "objective" else goal for goal in document["goal"]]
    certificate = tmp_path / "x.json"
    certificate.write_text(json.dumps(document))
    assert dualfit(["report", str(certificate)]) == 1
    assert not (tmp_path / "x.html").exists()
    assert "rejected" in capsys.readouterr().err


@pytest.mark.parametrize("library", ["bokeh", "jinja2"])
def test_a_missing_library_is_named_before_any_work(library, tmp_path, monkeypatch, capsys):
    """Without bokeh or jinja2 the command ends with 2 and says what to install, whatever the certificate."""
    monkeypatch.setitem(__import__("sys").modules, library, None)
    assert dualfit(["report", str(tmp_path / "none.json")]) == 2
    assert "pip install 'dualfit[report]'" in capsys.readouterr().err


def test_a_page_does_not_overwrite_its_certificate(tmp_path, capsys):
    """--out with the name of the certificate is refused."""
    certificate = tmp_path / "x.json"
    certificate.write_text(json.dumps(certified(unit_jobs(2), "max-flow", "max-flow").document))
    assert dualfit(["report", str(certificate), "--out", str(certificate)]) == 2
    assert "overwrite" in capsys.readouterr().err


def test_the_heading_names_algorithm_and_file(tmp_path):
    """Without --title the page is called by what the certificate is about; with it, by that."""
    scene = certified(unit_jobs(2), "max-flow", "max-flow")
    assert heading(scene) == "max-flow on test.cert.json: max-flow"
    told = write_page(scene, str(tmp_path / "a.html"), "My <run>", "-")
    assert "<title>My &lt;run&gt;</title>" in (tmp_path / "a.html").read_text()
    assert told["bytes"] > 0


def test_a_section_is_escaped():
    """What templates are given is text."""
    assert "&lt;b&gt;" in Section("a", "b", render("summary", verdict=VERDICT, rows=[("w", "<b>")], notes=[])).html


VERDICT = corpus_scene(NAMES[0]).verdict


@given(st.lists(st.integers(-(2**70), 2**70), max_size=8))
@settings(derandomize=True, max_examples=60)
def test_packed_columns_are_exact(values):
    """Whatever form a column takes for a script, each number in it is the one that was put in."""
    assert [int(one) for one in packed(values)] == values


@st.composite
def stays(draw):
    """Jobs on two machines from one time to a later one."""
    rows = draw(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9), st.integers(1, 5)), max_size=12))
    return [(i, start, start + length) for i, start, length in rows]


@given(stays())
@settings(derandomize=True, max_examples=80)
def test_queue_steps_count_the_jobs_that_are_there(rows):
    """At every time a series has the number of jobs on its machine, or on all, that came and are not gone."""
    machine, start, end = (np.array([row[k] for row in rows], dtype=np.int64) for k in range(3))
    steps = queue_steps(machine, start, end, 2)
    for series in range(3):
        first, last = steps.first[series], steps.first[series + 1]
        for now in range(16):
            before = np.searchsorted(steps.time[first:last], now, side="right")
            value = steps.value[first + before - 1] if before else 0
            assert value == sum(series in (i, 2) for i, s, e in rows if s <= now < e)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9), st.integers(0, 5)), max_size=14))
@settings(derandomize=True, max_examples=80)
def test_intervals_at_one_height_do_not_meet(rows):
    """Closed intervals of a machine that share a point are drawn at different heights, all below the last."""
    rows = [(i, start, start + length) for i, start, length in rows]
    lane, lanes = lanes_of(IntervalFamily.of([(i, 0, start, end) for i, start, end in rows]))
    assert all(0 <= one < lanes for one in lane)
    for k, (i, s, e) in enumerate(rows):
        for l, (j, t, f) in enumerate(rows[:k]):  # noqa: E741
            assert i != j or e < t or f < s or lane[k] != lane[l]


@given(stays())
@settings(derandomize=True, max_examples=60)
def test_alpha_comes_from_the_machine_that_allows_least(rows):
    """The machine named for a job is eligible, just so many of its intervals hold the release, and none has fewer."""
    instance = Instance.from_rows(2, [Row("a", 1, 1), Row("b", 4, 1, [0]), Row("c", 6, 1, [1]), Row("d", 9, 1)])
    evidence = {
        "rule": "C3",
        "per_tick": 1,
        **{n: [r[k] for r in rows] for k, n in enumerate(("machine", "start", "end"))},
    }
    found = origins("max-flow", instance, evidence)
    for j in instance.jobs():
        count = [sum(i == on and s <= j.release <= e for i, s, e in rows) for on in range(2)]
        assert found.alpha[j.position] == min(count[i] for i in j.eligible) == count[found.machine[j.position]]
        assert found.machine[j.position] in j.eligible


@pytest.mark.parametrize(
    ("algorithm", "problem", "options"),
    [
        ("max-flow", "max-flow", {}),
        ("weighted", "weighted", {"alpha": "1"}),
        ("srpt", "max-flow", {}),
        ("stretch", "stretch", {"alpha": "1"}),
    ],
)
def test_bars_are_the_work_of_the_accepted_jobs(algorithm, problem, options):
    """Bars of a machine never overlap, lie between release and end, and add up to the sizes of the accepted jobs."""
    run = certified(unit_jobs(40), algorithm, problem, **options).run
    bars = Execution.of(run)
    done = np.zeros(run.instance.n, dtype=np.int64)
    for i in range(run.instance.machines):
        mine = np.flatnonzero(bars.machine == i)
        mine = mine[np.argsort(bars.start[mine])]
        assert (bars.end[mine][:-1] <= bars.start[mine][1:]).all()
        np.add.at(done, bars.job[mine], bars.end[mine] - bars.start[mine])
    assert (bars.start >= run.instance.release[bars.job] * bars.per_tick).all()
    assert (bars.end <= bars.leave[bars.job]).all()
    assert (done == run.instance.size * bars.per_tick)[run.accepted].all()


def test_stacks_end_at_the_loads_of_the_run():
    """Without time the accepted jobs of a machine fill its row from 0 to its load, the late ones lie on top."""
    rows = [Row(k, k, 1 + 7 * (k % 5 == 0), [k % 2] if k % 3 else None) for k in range(60)]
    run = certified(Instance.from_rows(2, rows), "load", "load", epsilon="1/2").run
    bars = Execution.of(run)
    for i, load in enumerate(run.loads):
        mine = np.flatnonzero((bars.machine == i) & (bars.fate[bars.job] != LATE))
        assert bars.end[mine].max(initial=0) == load
    steps = loads(run)
    last = [steps.value[steps.first[i + 1] - 1] for i in range(2)]
    assert last == [load * run.instance.tick for load in run.loads]


def test_the_costliest_job_has_the_objective():
    """The darkest bar is that of the job that makes the objective, in every problem with time."""
    for algorithm, problem in (("max-flow", "max-flow"), ("weighted", "weighted"), ("stretch", "stretch")):
        scene = certified(unit_jobs(30), algorithm, problem)
        assert max(Told.of(scene, scene.run).cost) == scene.run.objective


def test_the_families_are_those_of_figure_3():
    """For max-flow each phase offers its levels: m_l intervals of total length L_l, and alpha_j as before Claim 6.3."""
    scene = certified(unit_jobs(60), "max-flow", "max-flow")
    found = [one for one in families_of(scene) if one.levels]
    assert len(found) == len(scene.explanations)
    for drawn, witness in zip(found, scene.explanations, strict=True):
        assert drawn.alpha == witness.duals.tolist()
        assert all(a <= most for a, most in zip(drawn.alpha, drawn.most, strict=True))
        assert (drawn.family.level - 1 == drawn.lane).all()


def test_families_that_do_not_fit_are_counted(monkeypatch):
    """What a page leaves out it says."""
    scene = certified(unit_jobs(60), "max-flow", "max-flow")
    found = list(families_of(scene))
    monkeypatch.setattr("certify.report.drawn_family.MOST_ALPHAS", 1)
    kept, left = few(iter(found * 3))
    assert (len(kept), left) == (1, 3 * len(found) - 1)


def test_a_crowd_has_less_time_than_work():
    """A Hall set is drawn as the time of its machines, which is no more than the volume of its jobs, if not rounded."""
    scene = corpus_scene("hall-sets")
    crowds = [one for one in families_of(scene) if one.crowd]
    sets = [scene.evidence[e] for _, e in by_strength(scene) if scene.evidence[e]["rule"] == "C5"]
    exactly = [(drawn, one) for drawn, one in zip(crowds, sets, strict=True) if not one.get("round")]
    assert exactly
    for drawn, one in exactly:
        assert [j for j, member in enumerate(drawn.alpha) if member] == sorted(one["job"])
        assert drawn.family.total_length <= sum(int(scene.instance.size[j]) for j in one["job"])


def test_the_sets_are_those_of_section_5():
    """For load each phase and class offers its jobs as high as the load that they saw: those from s T on are J(sT)."""
    scene = certified(unit_jobs(60), "load-unit", "load")
    found = [one for one in sets_of(scene) if one.levels]
    classes = [one for witness in scene.explanations for one in witness.classes]
    assert len(found) == len(classes)
    for drawn, witness in zip(found, classes, strict=True):
        for s in range(witness.alpha + 1):
            rows = zip(drawn.job, drawn.machine, drawn.start, strict=True)
            assert sorted(j for j, i, low in rows if i >= 0 and low >= s * drawn.guess) == sorted(witness.jobs(s))


def test_prices_are_drawn_as_the_bound_adds_them_up():
    """The bars of a priced set are as long together as the bound's numerator; over the prices they give its value."""
    scene = certified(unit_jobs(60), "load-unit", "load")
    drawn = next(iter(sets_of(scene)))
    total = sum(end - start for start, end in zip(drawn.start, drawn.end, strict=True))
    assert total > 0
    assert scene.bound - 1 < Fraction(total, drawn.prices) <= scene.bound


def test_the_schedule_from_above_is_drawn_too():
    """Of a bound alone the schedule that proves the upper bound is drawn, and its costliest job makes that bound."""
    instance = make("weighted", seed=36, jobs=12, machines=2)[0]
    found = TRACKS["weighted"].bracket(instance, "best")
    document = certify_bounds(instance, "weighted", [rung.bound for rung in found.rungs], found.upper)
    scene = scene_of(json.loads(json.dumps(document)))
    ids = [section.id for section in sections(scene)]
    assert "schedule" in ids
    assert "timeline" not in ids
    upper = next(goal for goal in scene.goals if goal["claim"] == "upper-bound")
    run = reopen_schedule(scene.instance, "weighted", scene.evidence[upper["evidence"]], "schedule")
    assert max(Told.of(scene, run, "schedule").cost) == Fraction(upper["value"])


def test_duals_are_those_of_the_best_bound_that_has_any():
    """A larger bound by a case distinction or a crowd has no alpha_j: those of the best family or prices are told."""
    evidence = [{"rule": "C5"}, {"rule": "C3"}, {"rule": "C4"}]
    goals = [{"claim": "lower-bound", "value": value, "evidence": e} for e, value in enumerate(("9", "5/2", "3"))]
    assert strongest([{"claim": "feasible"}, *goals], evidence) == (3, 2)
    assert strongest(goals[:1], evidence) is None


def test_the_page_says_how_the_checker_counts():
    """Its lines count from 0, which is said before them."""
    head = text_of(sections(certified(unit_jobs(3), "max-flow", "max-flow"))[0].html)
    assert head.index("counts machines, jobs and phases from 0") < head.index("SHA-256")


def test_an_assignment_has_its_article():
    """What is made for the page is called rightly, also where there is no time."""
    text = page("t", sections(certified(unit_jobs(5), "load", "load", "1/2")))
    assert " a assignment" not in text


def test_pages_about_energy_call_the_optimum_one_name():
    """Beside the checker's own lines no T* stands on a page about flow time plus energy."""
    for name in NAMES:
        if name.startswith("energy"):
            for section in sections(corpus_scene(name)):
                assert "T*" not in text_of(section.html).split("The checker")[0]
