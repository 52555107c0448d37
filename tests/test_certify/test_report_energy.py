"""Pages about flow time plus energy: what is drawn is what is certified, and every dual variable is explained."""

import json
from bisect import bisect_right
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from browser import chromium, opened  # noqa: F401
from hypothesis import given, settings
from hypothesis import strategies as st
from report_scenes import NAMES, corpus_scene, scene_of, text_of

from certify.energy_build import certify_bracket, certify_drift, certify_run
from certify.energy_reopen import reopen_trajectory
from certify.problems.energy import table_of
from certify.report.drift import drift as drift_section
from certify.report.energy import Speeds, cost, servers
from certify.report.page import page, sections
from certify.report.pays import bill, rents
from certify.report.prices import Against, prices
from certify.report.servers import Servers
from certify.show import number
from certify.speed.drift import drift
from certify.speed.unit_migration import shipped
from lp.energy.bracket import energy_bracket, run_bound
from lp.energy.prices import price_bound, tangent
from online import exact
from online.generate import make
from online.instance import Instance
from online.rows import Row
from online.speed.power import power_law
from online.speed.simulation import simulate

pytest.importorskip("jinja2")
pytest.importorskip("bokeh")

ENERGY = [name for name in NAMES if name.startswith("energy")]
HOSTILE = '</script><script>document.title="taken"</script><marquee>'


def generated(jobs, machines=2, seed=3, alpha=2):
    """An instance and its run by SRPT at the speeds of the paper."""
    instance = make("energy", seed=seed, jobs=jobs, machines=machines)[0]
    return instance, simulate(instance, power_law(alpha))


@cache
def run_scene(jobs=12, machines=2):
    """A run with prices along itself, a schedule from above if it is small, and a table."""
    instance, run = generated(jobs, machines)
    upper = energy_bracket(instance, run.trajectory.power).upper if jobs < 20 else None
    return scene_of(certify_run(run, run_bound(run.trajectory), upper, table_of(run)))


@cache
def drift_scene():
    """SRPT against first come, first served."""
    instance, run = generated(9)
    between = drift(run.trajectory, simulate(instance, run.trajectory.power, "fifo").trajectory)
    return scene_of(certify_drift(run, between, between.ratio, shortest=False))


@st.composite
def played(draw):
    """A run of some policy on a few jobs."""
    machines = draw(st.integers(1, 3))
    jobs = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 5)), min_size=1, max_size=6))
    instance = Instance.from_rows(machines, [Row(k, r, p) for k, (r, p) in enumerate(jobs)])
    policy = draw(st.sampled_from(["srpt", "fifo", "round-robin", "staying-srpt"]))
    return simulate(instance, power_law(draw(st.sampled_from([2, "3/2", 3]))), policy, bits=8).trajectory


@settings(derandomize=True, max_examples=40, deadline=None)
@given(played())
def test_the_bars_are_the_schedule(run):
    """No server has two bars at a time, no job is on two; bars do the work, and the area is the cost of the run."""
    one = Servers("the run", run)
    for key in ("server", "job"):
        rows = sorted(one.pieces, key=lambda piece: (getattr(piece, key), piece.start))
        assert all(getattr(a, key) != getattr(b, key) or a.end <= b.start for a, b in pairwise(rows))
    assert {piece.server for piece in one.pieces} <= set(range(run.instance.machines))
    done = [Fraction(0)] * run.instance.n
    for piece in one.pieces:
        done[piece.job] += (piece.end - piece.start) * run.power.at(piece.dial).speed
    assert done == run.work
    assert sum(one.cost) == run.cost
    area = sum((a.pays * (b.time - a.time) for a, b in pairwise(one.moments)), Fraction(0))
    assert area == run.cost
    assert all(moment.unfinished >= 0 for moment in one.moments)


@settings(derandomize=True, max_examples=15, deadline=None)
@given(played())
def test_jobs_pay_the_bound_and_never_more_than_their_cost_and_rent(run):
    """What jobs pay less the rent is the bound; job by job weak duality holds, and the slacks add up to the gap."""
    rung = run_bound(run)
    found = bill(run.instance, run.power, rung.prices)
    assert found.value == price_bound(run.instance, run.power, rung.prices) >= rung.value
    one, own = Servers("the run", run), rents(run, rung.prices)
    assert all(pay.value <= c + r for pay, c, r in zip(found.pays, one.cost, own, strict=True))
    assert sum(own) <= found.rent
    gap = Against(one, own).gap(found)
    assert gap["jobs"] + gap["servers"] == run.cost - found.value
    assert min(gap.values()) >= 0


def integral(prices, y, start, end):
    """The integral of (y - price)^+, cell by cell."""
    value, now = Fraction(0), start
    for time in (*[t for t in prices.grid if start < t < end], end):
        cell = bisect_right(prices.grid, now) - 1
        price = prices.price[cell] if cell < len(prices.price) else 0
        value += max(y - price, 0) * (time - now)
        now = time
    return value


@settings(derandomize=True, max_examples=8, deadline=None)
@given(played())
def test_the_explanation_of_a_dual_variable_is_the_least_by_definition(run):
    """`at` is in its range, the tangent gives the value there, and ends of cells in any range are not cheaper."""
    prices = run_bound(run).prices
    for j, pay in enumerate(bill(run.instance, run.power, prices).pays):
        release, size = int(run.instance.release[j]), int(run.instance.size[j])

        def costs(time, dial, release=release, size=size):
            mu, y = tangent(run.power, dial)
            return time - release + mu * size - integral(prices, y, Fraction(release), time)

        assert pay.value == costs(pay.at, pay.dial)
        assert pay.first <= pay.at
        assert pay.last is None or pay.at <= pay.last
        own = prices.ranges[j]
        for (first, dial), after in zip(own, (*own[1:], None), strict=True):
            last = len(prices.grid) if after is None else after[0] + 1
            times = [t for t in prices.grid[first:last] if t >= release] + [Fraction(release)] * (first == own[0][0])
            some = times[:: 1 + len(times) // 6]
            assert all(costs(time, prices.dials[dial]) >= pay.value for time in some)


@pytest.mark.parametrize("name", ENERGY)
def test_the_bill_of_a_certificate_is_what_it_claims(name):
    """Of each certificate of the corpus with prices; its number is on the page."""
    found = Speeds.of(corpus_scene(name))
    if found.bill is None:
        assert prices(found.scene) is None
        return
    assert found.bill.value >= found.scene.bound
    words = number(exact.text(found.bill.value * found.instance.tick), "down")
    assert words in text_of(prices(found.scene).html)


def test_the_page_of_a_run_says_what_it_costs():
    """Cost, flow time, energy, ratio, table and theorems, exactly; the sections are those of the problem."""
    scene = run_scene()
    run = reopen_trajectory(scene.document)
    words = text_of(cost(scene).html)
    for value in (run.cost, run.flow, run.energy):
        assert exact.decimal(value * scene.tick) in words
    assert f"at most {exact.decimal(run.cost / scene.bound, toward='up')} times" in words
    assert "T1" in words
    assert "c_N" in words
    assert "hypothesis not met" in words
    assert [one.id for one in sections(scene)] == ["summary", "cost", "servers", "prices", "ladder", "ledger"]
    assert 'plot-servers-picture"' in str(servers(scene).html)


def test_a_bar_of_a_theorem_is_the_share_of_its_right_side():
    """Of T1 the cost takes cost / (c OPT) of the bar."""
    scene = run_scene()
    entry = next(one for one in scene.entries if one.claim.id == "T1")
    tenths = int(1000 * Fraction(entry.reading.lhs) / Fraction(entry.reading.rhs))
    assert f'style="width:{tenths // 10}.{tenths % 10}%"' in str(cost(scene).html)


def test_bounds_alone_and_their_parts_have_pages():
    """A bracket, a schedule alone, prices alone, and jobs of nobody."""
    instance, _ = generated(4)
    bracket = energy_bracket(instance, power_law(2))
    made = {"bracket": certify_bracket(instance, power_law(2), bracket), **shipped().certificates}
    ids = {name: [one.id for one in sections(scene_of(one))] for name, one in made.items()}
    assert ids["bracket"] == ["summary", "servers", "prices", "ladder"]
    assert ids["unit-migration-schedule"] == ["summary", "servers", "ladder"]
    assert ids["unit-migration-server-1"] == ["summary", "prices", "ladder"]
    none = Instance.from_rows(2, [])
    empty = scene_of(certify_run(simulate(none, power_law(2)), None, None, None))
    assert "servers" not in [one.id for one in sections(empty)]
    page("nobody", sections(empty))


def test_a_drift_is_shown_with_its_sides():
    """Both costs, c, and the tightest pieces; where c is the smallest one, some piece has no slack."""
    scene = drift_scene()
    words = text_of(drift_section(scene).html)
    run = reopen_trajectory(scene.document)
    assert exact.decimal(run.cost * scene.tick) in words
    assert exact.decimal(Fraction(scene.goals[2]["value"]), toward="up") in words
    assert "srpt" in scene.document["run"]["algorithm"]
    assert drift_section(run_scene()) is None


def test_numbers_that_nobody_can_draw_are_said_not_drawn():
    """A size of 10^400 has its page, without a picture."""
    instance = Instance.from_rows(1, [Row("a", 0, 10**400)])
    run = simulate(instance, power_law(2))
    scene = scene_of(certify_run(run, None, None, None))
    section = servers(scene)
    assert "too large to be drawn" in text_of(section.html)
    assert section.models == {}
    page("large", sections(scene))


def test_claims_that_nobody_measured_are_said(monkeypatch):
    """Over the limit of the ledger the page says so, and has all the rest."""
    monkeypatch.setattr("certify.problems.energy.LEDGER_JOBS", 5)
    _, run = generated(6)
    scene = scene_of(certify_run(run, run_bound(run.trajectory), None, None))
    found = {one.id: one for one in sections(scene)}
    assert "the limit is 5" in text_of(found["ledger"].html)
    assert "servers" in found


def test_names_of_jobs_are_text_and_bytes_are_always_the_same():
    """A job cannot end a script, and two pages of one certificate are equal."""
    instance = Instance.from_rows(1, [Row(HOSTILE, 0, 2), Row("b", 1, 1)])
    run = simulate(instance, power_law(2))
    document = json.loads(json.dumps(certify_run(run, run_bound(run.trajectory), None, table_of(run))))
    text = page("title", sections(scene_of(document)))
    assert "<marquee" not in text
    assert text == page("title", sections(scene_of(document)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where pages are written."""
    return tmp_path_factory.mktemp("energy")


def shown(chromium, folder, name, scene):  # noqa: F811
    """The page of a scene, open."""
    path = folder / f"{name}.html"
    path.write_text(page(name, sections(scene)), encoding="utf-8")
    return opened(chromium, path)


def test_the_page_of_a_run_works_in_a_browser(chromium, folder):  # noqa: F811
    """It loads alone; the choice of the schedule changes the bars; the pointer is told exact numbers."""
    scene = run_scene()
    found = shown(chromium, folder, "run", scene)
    assert (found.asked, found.wrong) == ([], [])
    run = Servers("the run", reopen_trajectory(scene.document))
    before, picture = found.data("servers-shown"), found.pixels("#plot-servers-picture")
    assert len(before["left"]) == len(run.pieces)
    longest = max(range(len(run.pieces)), key=lambda k: run.pieces[k].end - run.pieces[k].start)
    piece = run.pieces[longest]
    words = found.point("servers-shown", longest, "left right", "bottom top")
    assert number(exact.text(run.cost[piece.job] * scene.tick)) in words
    assert number(exact.text(Speeds.of(scene).bill.pays[piece.job].value * scene.tick), "down") in words
    found.set("servers-choice", value="1")
    assert found.data("servers-shown")["right"] != before["right"]
    assert found.pixels("#plot-servers-picture") != picture
    found.set("servers-x", start=-100.0, end=-50.0)
    assert (found.data("servers-shown")["left"], found.wrong) == ([], [])


def test_many_pieces_are_aggregated_until_one_zooms_in(chromium, folder):  # noqa: F811
    """400 jobs on 8 servers: bars of parts of the window first, single jobs in a part of it."""
    found = shown(chromium, folder, "many", run_scene(400, 8))
    assert (found.asked, found.wrong) == ([], [])
    assert found.page.inner_text("#servers-note").startswith("Aggregated")
    assert set(found.data("servers-shown")["job"]) == {"several"}
    start, end = found.run("(x => [x.start, x.end])(Bokeh.documents[0].get_model_by_name('servers-x'))")
    found.set("servers-x", start=start, end=start + (end - start) / 20)
    assert found.page.inner_text("#servers-note").startswith("Shown")
    assert "several" not in found.data("servers-shown")["job"]


def test_a_drift_works_in_a_browser(chromium, folder):  # noqa: F811
    """It loads alone, and the potential begins and ends at 0."""
    found = shown(chromium, folder, "drift", drift_scene())
    assert (found.asked, found.wrong) == ([], [])
    curve = found.data("drift-curves")
    assert curve["phi_told"][0] == curve["phi_told"][-1] == "0"
    assert all(left <= right + 1e-9 for left, right in zip(curve["left"], curve["right"], strict=True))
