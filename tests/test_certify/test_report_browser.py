"""Pages of `dualfit report` in a real browser: they load alone, controls change pictures, numbers are exact."""

import json
import random
import time
from fractions import Fraction

import pytest
from browser import chromium, opened  # noqa: F401
from report_scenes import scene_of

from certify.build import certify
from certify.report.columns import ratio
from certify.report.page import page, sections
from certify.show import number
from online import exact
from online.algorithm import find
from online.generate import make
from online.instance import Instance
from online.play import play
from online.rows import Row

HOSTILE = '</script><script>document.title="taken"</script><marquee>$$x$$'


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Writes the page of a run, once, and says where."""
    folder = tmp_path_factory.mktemp("pages")

    def written(name, instance, algorithm="max-flow", problem="max-flow", epsilon="1/4", **options):
        path = folder / f"{name}.html"
        if not path.exists():
            cls = find(algorithm, problem)
            constants = {key: Fraction(value) for key, value in options.items()}
            run = play(instance, cls, Fraction(epsilon), name=algorithm, options=constants)
            scene = scene_of(json.loads(json.dumps(certify(run, cls).document)))
            path.write_text(page(name, sections(scene)), encoding="utf-8")
        return path

    return written


def hostile():
    """A few jobs, in thirds of the unit, with names that would take the page over."""
    rows = [Row(HOSTILE, 0, "1/3"), Row("b", "1/3", "1/3", [0]), Row("c", "1/3", "1/3", [0]), Row("d", "1/2", "1/3")]
    return Instance.from_rows(2, rows, machine_names=[HOSTILE, "$$m$$"])


def bursts():
    """3000 unit jobs on 12 machines, with several levels."""
    return make("bursts", seed=0, jobs=3000, machines=12)[0]


@pytest.fixture(scope="module")
def hostile_page(chromium, site):  # noqa: F811
    """The page of the hostile instance, open."""
    return opened(chromium, site("title", hostile()))


@pytest.fixture(scope="module")
def bursts_page(chromium, site):  # noqa: F811
    """The page of the bursts, open."""
    return opened(chromium, site("bursts", bursts()))


def test_a_page_loads_alone_without_a_fault(hostile_page):
    """Nothing is asked for but the file, no script fails, nothing is logged, and no name of a job takes over."""
    assert (hostile_page.asked, hostile_page.wrong) == ([], [])
    assert hostile_page.run("document.title") == "title"
    assert hostile_page.run("document.querySelectorAll('marquee').length") == 0


@pytest.mark.parametrize(
    ("algorithm", "problem", "options"),
    [
        ("load", "load", {}),
        ("weighted", "weighted", {"alpha": "1"}),
        ("two-weights", "two-weights", {"alpha": "1"}),
        ("stretch", "stretch", {"alpha": "1"}),
        ("srpt", "weighted", {}),
    ],
)
def test_every_problem_has_a_page_that_loads(algorithm, problem, options, chromium, site):  # noqa: F811
    """The pages of all problems draw their bars, ask for nothing and fail nowhere."""
    instance = make("weighted", seed=36, jobs=24, machines=3)[0]
    found = opened(chromium, site(f"{algorithm}-{problem}", instance, algorithm, problem, **options))
    assert (found.asked, found.wrong) == ([], [])
    assert len(found.data("timeline-shown")["left"]) >= 20
    found.page.close()


def test_numbers_of_scripts_are_those_of_the_tables(hostile_page):
    """What the scripts say of whole counts of a unit is what Python says, for numbers of any length."""
    dice = random.Random(7)
    for _ in range(200):
        digits = dice.choice([1, 3, 8, 30])
        unit = Fraction(dice.randrange(1, 10**digits), dice.choice([1, 2, 8, 3, 10**7, dice.randrange(1, 10**digits)]))
        count = dice.randrange(-(10**digits), 10**digits)
        said = hostile_page.run("([count, unit]) => dualfit.number(count, unit)", [str(count), ratio(unit)])
        assert said == number(exact.text(count * unit))


def test_cells_show_the_largest_value_of_their_part(hostile_page):
    """Each cell has the largest of the values that the step function takes in its part of the window."""
    dice = random.Random(3)
    for _ in range(30):
        time_, value = sorted(dice.sample(range(40), 9)), [dice.randrange(5) for _ in range(9)]
        left, bins = dice.randrange(0, 20), 10
        script = "([t, v, w]) => Array.from(dualfit.largest(t, v, 0, 9, w, 10), x => Number.isNaN(x) ? 0 : x)"
        found = hostile_page.run(script, [time_, value, {"left": left, "right": left + 20}])
        for b in range(bins):
            low, high = left + 2 * b, left + 2 * b + 2
            before = max((k for k in range(9) if time_[k] <= low), default=None)
            inside = [value[k] for k in range(9) if low < time_[k] < high]
            assert found[b] == max([0 if before is None else value[before], *inside])


def test_the_pointer_is_told_exact_numbers(hostile_page):
    """Over a bar: the job by name, from when to when it runs, its flow time, and where its alpha_j comes from."""
    row = hostile_page.data("timeline-shown")["job"].index("c")
    said = hostile_page.point("timeline-shown", row, "left right", "row")
    assert "job: c" in said
    assert "release: 1/3 (~0.333333)" in said
    assert "runs from: 2/3 (~0.666667) to 1" in said
    assert "flow time: 2/3 (~0.666667)" in said
    assert "on machine " + HOSTILE in said


def test_the_level_changes_picture_and_numbers(bursts_page):
    """A level dims the intervals of the others, fills the jobs whose alpha_j reaches it, and says m_l and L_l."""
    titles = bursts_page.run("Bokeh.documents[0].get_model_by_name('families-choice').options.map(one => one[1])")
    phase = next(k for k, title in enumerate(titles) if title.startswith("phase 2"))
    bursts_page.set("families-choice", value=str(phase))
    before, picture = bursts_page.data("families-shown"), bursts_page.pixels("#plot-families-picture")
    said = bursts_page.page.inner_text("#families-note")
    bursts_page.set("families-level", value=2)
    after = bursts_page.data("families-shown")
    assert set(before["shade"]) == {1}
    assert [shade == 1 for shade in after["shade"]] == [level == "2" for level in after["level"]]
    assert "2" in after["level"]
    assert bursts_page.pixels("#plot-families-picture") != picture
    assert "m_2 = " in bursts_page.page.inner_text("#families-note") != said
    bursts_page.set("families-level", value=0)
    assert bursts_page.data("families-shown") == before


def test_an_interval_rings_the_jobs_that_it_counts(hostile_page):
    """A chosen interval rings exactly the drawn jobs that are released in it and may run on its machine."""
    hostile_page.run("Bokeh.documents[0].get_model_by_name('families-shown').selected.indices = [0]")
    hostile_page.settle()
    shown, dots = hostile_page.data("families-shown"), hostile_page.data("families-dots")
    counted = {job for job, ring in zip(dots["job"], dots["ring"], strict=True) if ring == "#cc4c02"}
    machine = 0 if HOSTILE in shown["words"][0] else 1
    expected = {
        str(job.id)
        for job in hostile().jobs()
        if shown["left"][0] - 1e-9 <= job.release / 6 <= shown["right"][0] + 1e-9 and machine in job.eligible
    }
    assert counted == expected
    assert f"counts {len(expected)} job" in hostile_page.page.inner_text("#families-note-picked")


def test_many_jobs_are_cells_until_one_zooms_in(bursts_page):
    """More bars than can be told apart are cells, and the page says so; a window with few shows each of them."""
    note = bursts_page.page.locator("#timeline-note")
    assert note.inner_text().startswith("Aggregated: ")
    assert bursts_page.data("timeline-shown")["left"] == []
    bursts_page.set("timeline-x", start=20, end=40)
    shown = bursts_page.data("timeline-shown")
    assert note.inner_text().startswith(f"Shown: {len(shown['left'])} pieces")
    assert 0 < len(shown["left"]) < 1500
    assert all(left <= 40 and right >= 20 for left, right in zip(shown["left"], shown["right"], strict=True))
    bursts_page.page.get_by_role("button", name="everything").first.click()
    bursts_page.settle()
    assert note.inner_text().startswith("Aggregated: ")


def test_the_queue_is_that_of_the_chosen_machine(bursts_page):
    """The curve starts anew for another machine, and all machines hold as many jobs as the largest sum."""
    bursts_page.set("timeline-choice", value="0")
    one = bursts_page.data("timeline-curve")
    bursts_page.set("timeline-choice", value="12")
    every = bursts_page.data("timeline-curve")
    assert max(every["value"]) > max(one["value"]) > 0


def test_the_level_of_machine_sets_says_the_inequality(chromium, site):  # noqa: F811
    """At level s the page has m_s and J(sT) of the run's witness, and dark bars are just those jobs."""
    instance = make("bursts", seed=0, jobs=60, machines=4)[0]
    found = opened(chromium, site("sets", instance, "load-unit", "load"))
    run = play(instance, find("load-unit", "load"), Fraction(1, 4), name="load-unit")
    witness = find("load-unit", "load").explain(run, run.phases[-1]).classes[0]
    titles = found.run("Bokeh.documents[0].get_model_by_name('machine-sets-choice').options")
    found.set("machine-sets-choice", value=titles[-1][0])
    for s in (1, 2):
        found.set("machine-sets-level", value=s)
        said, shown = found.page.inner_text("#machine-sets-note"), found.data("machine-sets-shown")
        dark = {job for job, fill in zip(shown["job"], shown["fill"], strict=True) if fill == "#4292c6"}
        assert f"m_{s} = {witness.sizes_of_sets[s]}" in said
        assert dark == {str(instance.ids[j]) for j in witness.jobs(s)}
        assert witness.jobs(1)
    assert (found.asked, found.wrong) == ([], [])
    found.page.close()


@pytest.mark.slow
def test_a_hundred_thousand_jobs_are_fine(chromium, site):  # noqa: F811
    """A page of 10^5 jobs on 50 machines is below 25 MB, opens within 10 seconds, and shows single jobs on zooming."""
    path = site("large", make("uniform", seed=0, jobs=100_000, machines=50)[0])
    assert path.stat().st_size < 25_000_000
    start = time.monotonic()
    found = opened(chromium, path)
    assert time.monotonic() - start < 10
    assert (found.asked, found.wrong) == ([], [])
    found.set("timeline-x", start=100, end=110)
    assert 0 < len(found.data("timeline-shown")["left"]) < 1500
    found.page.close()


def epoch():
    """Four unit jobs at times as clocks count them."""
    return Instance.from_rows(2, [Row(k, 1_709_280_000 + k, 1) for k in range(4)])


def test_nobody_zooms_in_to_nothing(chromium, site):  # noqa: F811
    """However often one zooms in, the window is a tick at least and a job is drawn; zooming out brings all back."""
    shown = opened(chromium, site("epoch", epoch()))
    span = """() => { const x = Bokeh.documents[0].get_model_by_name("timeline-x"); return [x.start, x.end]; }"""
    button = "section#timeline button[data-range=timeline-x]"
    before = shown.run(span)
    for word, times in (("zoom in", 60), ("zoom out", 200), ("zoom in", 200)):
        found = shown.page.locator(button, has_text=word)
        found.evaluate("(one, times) => { for (let k = 0; k < times; k++) one.click(); }", times)
        shown.settle()
        start, end = shown.run(span)
        if word == "zoom in":
            assert 1 <= end - start < 1.001
            assert shown.data("timeline-shown")["left"]
        else:
            assert start <= before[0] < before[1] <= end
            assert len(shown.data("timeline-shown")["left"]) == 4
    shown.page.locator(button, has_text="everything").click()
    assert shown.run(span) == before
    assert shown.wrong == []


@pytest.mark.parametrize("name", ["epoch", "title"])
def test_a_phone_scrolls_down_only(chromium, site, name):  # noqa: F811
    """At 360 pixels nothing is wider than the screen but tables that scroll by themselves."""
    shown = opened(chromium, site(name, epoch() if name == "epoch" else hostile()))
    shown.page.set_viewport_size({"width": 360, "height": 700})
    shown.settle()
    assert shown.run("document.documentElement.scrollWidth") <= 360


def test_print_opens_what_is_closed_and_leaves_out_what_is_clicked(chromium, site):  # noqa: F811
    """While it is printed every detail is open, and no button or toolbar is seen; afterwards all is as before."""
    shown = opened(chromium, site("title", hostile()))
    closed = "() => document.querySelectorAll('details:not([open])').length"
    before = shown.run(closed)
    assert before
    shown.run("() => dispatchEvent(new Event('beforeprint'))")
    assert shown.run(closed) == 0
    shown.run("() => dispatchEvent(new Event('afterprint'))")
    assert shown.run(closed) == before
    toolbars = """() => { let seen = 0; const walk = node => {
      if (node.classList?.contains("bk-Toolbar") && node.getClientRects().length) seen++;
      for (const child of [...(node.shadowRoot?.children ?? []), ...node.children]) walk(child); };
      walk(document.body); return seen; }"""
    assert shown.run(toolbars)
    shown.page.emulate_media(media="print")
    assert shown.run(toolbars) == 0
    assert not shown.page.locator(".buttons").first.is_visible()


def test_the_pointer_says_only_what_the_problem_has(chromium, site, hostile_page):  # noqa: F811
    """No weight where jobs have none, no flow time where there is no time; a slider says what it sets."""
    left = "Bokeh.documents[0].get_model_by_name('timeline-shown')"
    assert hostile_page.run(f"() => {left}.data.left.length")
    words = hostile_page.point("timeline-shown", 0, "left right", "row")
    assert "flow time:" in words
    assert "weight:" not in words
    load = opened(chromium, site("load-tips", hostile(), "load", "load"))
    words = load.point("timeline-shown", 0, "left right", "row")
    assert "size:" in words
    assert "flow time:" not in words
    handles = """() => { const found = []; const walk = node => {
      if (node.classList?.contains("noUi-handle")) found.push(node.getAttribute("aria-label"));
      for (const child of [...(node.shadowRoot?.children ?? []), ...node.children]) walk(child); };
      walk(document.body); return found; }"""
    assert all(label.startswith("Level") for label in hostile_page.run(handles) + load.run(handles))
    assert hostile_page.run(handles)


def test_jobs_that_are_too_many_are_counted_in_cells(chromium, site):  # noqa: F811
    """In the view of a whole family every job is in one cell of its machine; zoomed in there are jobs and no cells."""
    shown = opened(chromium, site("crowd", make("bursts", seed=1, jobs=4000, machines=3)[0]))
    cells = shown.data("families-crowds")
    assert sum(cells["many"]) == 4000 - shown.run("() => document.body.innerText.match(/rejected\\s+(\\d+) of/)[1] * 1")
    assert len(cells["many"]) <= 6000
    assert not shown.data("families-dots")["at"]
    assert max(cells["shade"]) == 1
    assert f"darkest: {max(cells['many'])}" in shown.page.locator("#families-note").inner_text()
    x = shown.run("() => { const x = Bokeh.documents[0].get_model_by_name('families-x'); return [x.start, x.end]; }")
    shown.set("families-x", start=x[0], end=x[0] + (x[1] - x[0]) / 20)
    assert shown.data("families-dots")["at"]
    assert not shown.data("families-crowds")["many"]
