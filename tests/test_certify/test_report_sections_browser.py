"""Proof, programs, ladder and ledger in a real browser: bars are as long as the numbers say, and details open."""

from fractions import Fraction

import pytest
from browser import chromium, opened  # noqa: F401
from report_scenes import scene_of

from certify.build import certify
from certify.report.ladder import SPARE, rungs
from certify.report.ledger import SPOKEN, anchor, filled
from certify.report.page import page, sections
from certify.report.proof import best_goal
from online import exact
from online.algorithm import find
from online.generate import make
from online.play import play

pytest.importorskip("bokeh")


@pytest.fixture(scope="module")
def scene():
    """A run on bursts of unit jobs."""
    instance, _ = make("bursts", seed=1, jobs=60, machines=3)
    algorithm = find("max-flow")
    run = play(instance, algorithm, Fraction(1, 4), name="max-flow")
    return scene_of(certify(run, algorithm).document)


@pytest.fixture(scope="module")
def shown(chromium, scene, tmp_path_factory):  # noqa: F811
    """Its page, open."""
    path = tmp_path_factory.mktemp("pages") / "sections.html"
    path.write_text(page("sections", sections(scene)), encoding="utf-8")
    return opened(chromium, path)


def test_nothing_is_asked_for_and_nothing_goes_wrong(shown) -> None:
    """The page asks for nothing beside itself, and no script fails."""
    assert (shown.asked, shown.wrong) == ([], [])


def test_bars_of_the_ledger_are_as_long_as_their_shares(shown, scene) -> None:
    """On the screen a bar takes its claim's share of its frame, to a hundredth."""
    for entry in scene.entries:
        if entry.verdict in SPOKEN:
            found = shown.run(
                """id => { const bar = document.getElementById(id).querySelector(".bar");
                return [bar.firstElementChild.getBoundingClientRect().width, bar.clientWidth]; }""",
                anchor(entry.claim.id),
            )
            assert abs(found[0] / found[1] - filled(entry)) < Fraction(1, 100)


def test_marks_of_the_ladder_stand_at_their_values(shown, scene) -> None:
    """On the axis from 0 each mark stands where its value is, to a hundredth of the axis."""
    found = rungs(scene)
    end = max(rung.value for rung in found) * SPARE
    places = shown.run(
        """() => Array.from(document.querySelectorAll(".axis .mark")).map(mark => {
        const axis = mark.parentElement.getBoundingClientRect(), own = mark.getBoundingClientRect();
        return ((own.left + own.right) / 2 - axis.left) / axis.width; })"""
    )
    assert len(places) == len(found)
    assert all(abs(place - rung.value / end) < Fraction(1, 100) for place, rung in zip(places, found, strict=True))


def test_the_derivation_opens_by_keyboard(shown, scene) -> None:
    """The two lines are in sight with the exact bound; Enter on the summary shows where its numbers come from."""
    value = exact.rational(best_goal(scene.goals)["value"])
    assert exact.text(value) in shown.page.locator("#proof .proof").inner_text()
    tables = shown.page.locator("#proof details table").first
    assert not tables.is_visible()
    shown.page.locator("#proof summary").focus()
    shown.page.keyboard.press("Enter")
    assert tables.is_visible()


def test_every_link_of_the_page_leads_somewhere(shown) -> None:
    """Contents and corrections are anchors that exist."""
    broken = shown.run(
        """() => Array.from(document.querySelectorAll('a[href^="#"]'))
        .map(a => decodeURIComponent(a.getAttribute("href").slice(1))).filter(id => !document.getElementById(id))"""
    )
    assert broken == []


def test_nothing_is_wider_than_the_page(shown) -> None:
    """At the width of a laptop no section makes the page scroll sideways."""
    assert shown.run("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
