"""Pages about games: what is shown of a game is what was played, and nothing is promised of one that was not."""

import json
from fractions import Fraction
from functools import cache

import pytest
from browser import chromium, opened  # noqa: F401
from report_scenes import corpus_scene, scene_of, text_of

from certify.build import certify
from certify.energy_build import certify_game as certify_routing
from certify.game import Finished
from certify.report.game import Played, game, moments
from certify.report.game_figures import label
from certify.report.page import page, sections
from certify.report.played_again import played_again
from certify.report.routing import jobs_of, reopen_game, routing
from certify.report.timeline import schedule
from certify.show import number
from online import exact
from online.adversary.contest import contest
from online.adversary.registry import game as sized
from online.algorithm import find
from online.flow_time.max_flow import LeastLoaded
from online.instance import Instance
from online.play import play
from online.rows import Row
from online.speed.games import GAMES

pytest.importorskip("jinja2")
pytest.importorskip("bokeh")

PLAYED = [
    ("lemma-8.1", "load", "1/8", {}),
    ("theorem-8.2", "greedy-load", "1/8", {"machines": 32}),
    ("lemma-8.3", "max-flow", "1/4", {"delta": 4}),
    ("lemma-8.3", "greedy", "1/4", {"delta": 5}),
    ("section-4", "per-size", "1/4", {"time": 60}),
    ("section-4", "weighted", "1/4", {"time": 20}),
]
ROUTED = [("greedy", "least-loaded"), ("round-robin", "round-robin"), ("staying-srpt", "staying-srpt")]


@cache
def finished(name, against, epsilon, size=()):
    """A game, played and certified."""
    chosen = sized(name, Fraction(epsilon), dict(size))
    algorithm = find(
        against, None if "max-flow" not in chosen.problems else "max-flow" if against != "weighted" else None
    )
    result = contest(chosen, algorithm, guess=chosen.guess if algorithm.takes_guess else None, name=against)
    return Finished.of(result, algorithm)


def scene_of_game(name, against, epsilon, size):
    """The scene of a game, as it is read from a file."""
    return scene_of(json.loads(json.dumps(finished(name, against, epsilon, tuple(size.items())).certificate)))


def words_of(scene):
    """What the section of the game says."""
    return text_of(game(scene).html)


@pytest.mark.parametrize(("name", "against", "epsilon", "size"), PLAYED)
def test_a_game_is_found_again_with_all_that_was_promised(name, against, epsilon, size):
    """Promise, guarantee, verdict and cost are those of the game that was played; so are its phases."""
    before = finished(name, against, epsilon, tuple(size.items())).contest
    scene = scene_of_game(name, against, epsilon, size)
    played = Played.of(scene)
    again = played.contest
    assert again is not None
    assert (again.verdict, again.promised, again.cost, again.opt_upper) == (
        before.verdict,
        before.promised,
        before.cost,
        before.opt_upper,
    )
    assert again.stages == before.stages
    words = words_of(scene)
    assert f"{before.game.title}: {before.verdict}" in words
    assert number(exact.text(before.cost / before.opt_upper), "down") in words
    if before.promised is not None:
        assert f"{number(exact.text(before.promised), 'down')} by the proof" in words
    assert ("An adversary chooses" in words) == before.game.adaptive


@pytest.mark.parametrize(("name", "against", "epsilon", "size"), PLAYED)
def test_the_table_and_the_moments_hold_what_machines_hold(name, against, epsilon, size):
    """A row a phase with the loads of the certificate; at its moment the picture has them on the same machines."""
    scene = scene_of_game(name, against, epsilon, size)
    played = Played.of(scene)
    ends = {one.last: one for one in moments(played) if one.words.endswith(" ends")}
    for phase in played.evidence["phases"]:
        shown = ends[phase["last"]]
        assert [exact.rational(shown.algorithm[0][i]) for i in phase["machine"]] == list(
            map(exact.rational, phase["load"])
        )
        assert all(0 <= new <= whole for whole, new in zip(*shown.algorithm, strict=True))
        assert all(0 <= new <= whole for whole, new in zip(*shown.offline, strict=True))
    assert [one.id for one in sections(scene)][:3] == ["summary", "game", "timeline"]
    assert schedule(scene) is not None


def test_steps_of_the_figures_aremoments():
    """Of Lemma 8.3 the steps of Figures 8 and 9, by their captions, in the order of arrivals."""
    played = Played.of(scene_of_game("lemma-8.3", "max-flow", "1/4", {"delta": 4}))
    found = list(moments(played))
    assert [one.last for one in found] == sorted({one.last for one in found})
    said = [label(one, played.run.instance) for one in found]
    assert sum("ends" in words for words in said) == 3
    assert any(words.endswith("phase 2, j") for words in said)


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "the offline schedule of the proof of Lemma 8.1"},
        {"origin": "something else"},
        {"phases": []},
    ],
)
def test_nothing_is_promised_of_a_game_that_goes_otherwise(change):
    """A certificate that names another game, or has other phases, is shown by what was certified alone."""
    document = json.loads(json.dumps(finished("lemma-8.3", "max-flow", "1/4", (("delta", 4),)).certificate))
    place = next(goal["evidence"] for goal in document["goal"] if goal["claim"] == "game")
    document["evidence"][place] |= change
    scene = scene_of(document)
    assert Played.of(scene).contest is None
    words = words_of(scene)
    assert "not played again" in words
    assert "promised" not in words
    assert "guaranteed" not in words


def test_a_game_against_somebody_unknown_is_not_played_again():
    """Nobody's module is imported for it."""
    document = json.loads(json.dumps(finished("lemma-8.3", "max-flow", "1/4", (("delta", 4),)).certificate))
    document["run"]["algorithm"] = "nobody:Knows"
    scene = scene_of(document)
    assert Played.of(scene).contest is None
    assert "not played again" in words_of(scene)


def test_large_games_are_not_played_again(monkeypatch):
    """Over the limit only what is certified is shown."""
    monkeypatch.setattr("certify.report.played_again.MOST_JOBS", 10)
    scene = scene_of_game("lemma-8.1", "load", "1/8", {})
    assert played_again(scene, scene.evidence[1]) is None


@pytest.mark.parametrize("name", ["game-at-a-speed-with-late-rejections", "load-game-of-three-phases"])
def test_games_of_the_corpus_have_pages(name):
    """Games at another speed, with late rejections, against examples: cost and ratio are those of the goal."""
    scene = corpus_scene(name)
    goal = next(goal for goal in scene.goals if goal["claim"] == "game")
    assert number(exact.text(exact.rational(goal["cost"]) / exact.rational(goal["opt"])), "down") in words_of(scene)
    page("game", sections(scene))


def test_a_run_is_no_game():
    """Without a goal of that kind there is no section."""
    run = play(Instance.from_rows(1, [Row("a", 0, 1)]), LeastLoaded, Fraction(1, 2), name="max-flow")
    scene = scene_of(certify(run, LeastLoaded).document)
    assert game(scene) is None
    assert routing(scene) is None


@pytest.mark.parametrize(("name", "policy"), ROUTED)
@pytest.mark.parametrize("alpha", ["2", "3/2"])
def test_a_game_of_routing_is_found_again(name, policy, alpha):
    """Both costs are those that are certified, jobs and work of each server those that are sent one by one."""
    made = GAMES[name](4, Fraction(alpha), 50)
    scene = scene_of(json.loads(json.dumps(certify_routing(made, policy))))
    again = reopen_game(scene.document)
    goal = scene.goals[0]
    assert again.policy_lower == exact.rational(goal["cost"])
    assert again.optimum_upper == exact.rational(goal["opt"])
    sent = list(made.arrivals())
    for server in range(4):
        sizes = [size for size, k in sent if k == server]
        assert jobs_of(again, server) == (len(sizes), sum(sizes))
    words = text_of(routing(scene).html)
    assert exact.decimal(again.policy_lower / again.optimum_upper, toward="down") in words
    assert f"{made.jobs}, all at time 0" in words
    assert [one.id for one in sections(scene)] == ["summary", "routing"]


@pytest.mark.parametrize("name", ["routing-in-turn", "routing-least-loaded", "routing-staying"])
def test_routing_of_the_corpus_has_a_page(name):
    """The claimed costs may be weaker than those of the jobs; the page says the claimed ones."""
    scene = corpus_scene(name)
    tick = reopen_game(scene.document).tick
    words = text_of(routing(scene).html)
    for key, toward in (("cost", "down"), ("opt", "up")):
        assert exact.decimal(exact.rational(scene.goals[0][key]) * tick, toward=toward) in words


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where pages are written."""
    return tmp_path_factory.mktemp("games")


def shown(chromium, folder, name, scene):  # noqa: F811
    """The page of a scene, open."""
    path = folder / f"{name}.html"
    path.write_text(page(name, sections(scene)), encoding="utf-8")
    return opened(chromium, path)


def test_the_page_of_a_game_works_in_a_browser(chromium, folder):  # noqa: F811
    """It loads alone; another moment is another picture, with the loads of that moment; the pointer is told them."""
    scene = scene_of_game("lemma-8.3", "max-flow", "1/4", {"delta": 4})
    found = shown(chromium, folder, "game", scene)
    assert (found.asked, found.wrong) == ([], [])
    known = list(moments(Played.of(scene)))
    whole = found.data("game-algorithm")["whole"]
    assert whole == [float(load) for load in known[-1].algorithm[0]]
    assert f"holds: {int(max(whole))}" in found.point("game-algorithm", whole.index(max(whole)), "x", "old whole")
    picture = found.pixels("#plot-game-machines")
    found.set("game-choice", value="0")
    assert found.data("game-algorithm")["whole"] == [float(load) for load in known[0].algorithm[0]]
    assert found.data("game-offline")["whole"] == [float(load) for load in known[0].offline[0]]
    assert found.pixels("#plot-game-machines") != picture
    assert found.wrong == []


def test_the_page_of_routing_works_in_a_browser(chromium, folder):  # noqa: F811
    """It loads alone; the pointer is told how many jobs the first server is sent."""
    scene = scene_of(certify_routing(GAMES["round-robin"](4, Fraction(2), 50), "round-robin"))
    found = shown(chromium, folder, "routing", scene)
    assert (found.asked, found.wrong) == ([], [])
    assert "50 jobs, 50 of work" in found.point("routing-costs", 0, "left", "sent dealt")
