"""Both programs on the page: tight rows are those without slack, the gap adds up, an optimal pair is complementary."""

import json
from fractions import Fraction

import pytest
from report_scenes import CORPUS, NAMES, corpus_scene, scene_of, text_of

from certify.build import certify, certify_bounds
from certify.evidence import Bound, family_bound, price_bound, weights_of
from certify.problems.ladder import program_bound
from certify.problems.registry import TRACKS
from certify.report.argument import Ground
from certify.report.duality import WHOLE, duality, own_view, small_shape
from certify.report.points import dual_point, primal_point
from certify.report.programs import TELLING, large_view, small_view
from lp.complementary import optimal_pair
from lp.schedule import upper_evidence
from online import exact
from online.algorithm import find
from online.family import IntervalFamily
from online.instance import Instance
from online.play import play
from online.rows import Row

pytest.importorskip("jinja2")

READABLE = [
    name
    for name in NAMES
    if json.loads((CORPUS / f"{name}.json").read_text())["problem"] in TRACKS and name != "load-in-huge-numbers"
]

PROBLEMS = ["max-flow", "load", "weighted", "two-weights", "stretch"]


def instance_of(problem: str, jobs: int = 12) -> Instance:
    size = [1] * jobs if problem == "max-flow" else [1 + j % 3 for j in range(jobs)]
    rows = [Row(j, j // 4, size[j], [0] if j % 5 == 0 else None, flow_weight=1 + j % 2) for j in range(jobs)]
    return Instance.from_rows(2, rows)


def scene_of_run(problem: str, jobs: int = 12):
    instance = instance_of(problem, jobs)
    algorithm = find(problem)
    run = play(instance, algorithm, Fraction(1, 2), name=problem, options={})
    extra = TRACKS[problem].extra_bound(instance, algorithm, "lp")
    return scene_of(certify(run, algorithm, extra=[extra]).document)


def scene_of_program(problem: str, jobs: int = 12):
    """A certificate of nothing but the bound of the linear program."""
    instance = instance_of(problem, jobs)
    if problem == "load":
        return scene_of(certify_bounds(instance, problem, [price_bound(instance, [1, 2], "some prices")]))
    bound = program_bound(instance, "6.6", weights_of(problem, instance))
    return scene_of(certify_bounds(instance, problem, [bound]))


def all_lines(view):
    return [line for table in (*view.primal, *view.dual) for line in table.lines]


@pytest.mark.parametrize("name", READABLE)
def test_the_gap_of_every_certificate_adds_up(name: str) -> None:
    """Primal less dual value is the sum of the parts that the page names, and of multipliers times slacks."""
    scene = corpus_scene(name)
    if not scene.instance.n:
        assert duality(scene) is None
        return
    ground = Ground.of(scene.problem, scene.instance)
    primal, dual, shape = primal_point(scene, ground), dual_point(scene, ground), small_shape(ground)
    if dual is None:
        return
    view = own_view(ground, shape, primal, dual)
    assert view.gap == sum(cost for _, cost in view.parts)
    assert max(view.value, 0) >= dual.value
    if shape is not None:
        assert view.gap == sum(line.row.cost for line in all_lines(view))
        large = large_view(ground, primal, dual.family(ground))
        assert large.gap == sum(cost for _, cost in large.parts)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_an_optimal_pair_is_complementary_on_the_page(problem: str) -> None:
    """No row has slack and a multiplier, both values are equal, and the page says so without a cross in a row."""
    ground = Ground.of(problem, instance_of(problem, 6))
    view = small_view(ground, optimal_pair(small_shape(ground)))
    assert view.gap == 0
    assert all(line.row.tight or line.row.multiplier == 0 for line in all_lines(view))
    html = duality(scene_of_run(problem, 6)).html
    best = html.split("An optimal pair")[1]
    assert "has slack and a multiplier" not in best
    assert f"The optimum of the program is {exact.decimal(view.T)}" in text_of(best) or view.T.denominator != 1


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_row_is_shown_once_with_its_mark(problem: str) -> None:
    """A small program has one line a row, and as many marks as rows without slack."""
    scene = scene_of_program(problem, 6)
    ground = Ground.of(problem, scene.instance)
    shape = small_shape(ground)
    primal, dual = primal_point(scene, ground), dual_point(scene, ground)
    view = own_view(ground, shape, primal, dual)
    counts = [len(table.lines) for table in (*view.primal, *view.dual)]
    assert counts == [len(shape.intervals), scene.instance.n, scene.instance.pairs, 1]
    html = duality(scene).html
    own = html.split("An optimal pair")[0]
    tight = [line for line in all_lines(view) if line.row.slack == 0]
    assert own.count('title="tight"') == len(tight) == sum(t.tight for t in (*view.primal, *view.dual))
    costs = [line for line in all_lines(view) if line.row.slack * line.row.multiplier]
    assert own.count("has slack and a multiplier: adds") == len(costs)


def value_of(text: str, names: dict[str, Fraction]) -> Fraction:
    """The value of one side of a printed row, its variables looked up by name."""
    total = Fraction(0)
    sign = 1
    for word in text.replace(" + ", "\n").replace(" - ", "\n-").split("\n"):
        sign, rest = (-1, word[1:]) if word.startswith("-") else (1, word)
        factor, _, variable = rest.rpartition(" ")
        if variable in names:
            total += sign * Fraction(factor or 1) * names[variable]
        elif rest.startswith("T/"):
            total += sign * names["T"] / Fraction(rest[2:])
        else:
            total += sign * Fraction(rest)
    return total


@pytest.mark.parametrize("problem", ["max-flow", "weighted", "load"])
def test_the_numbers_of_a_row_are_those_of_its_text(problem: str) -> None:
    """Put the multipliers of the other program into the text of a row: out come its two sides."""
    scene = scene_of_run(problem, 6)
    ground = Ground.of(problem, scene.instance)
    both = optimal_pair(small_shape(ground))
    view = small_view(ground, both)
    instance = scene.instance
    names = {"T": both.T}
    for k, x in enumerate(both.x):
        j, i = int(both.shape.counted.job[k]), int(both.shape.counted.machine[k])
        names[f"x[{instance.ids[j]},{instance.machine_name(i)}]"] = x
    for j, a in enumerate(both.a):
        names[f"a[{instance.ids[j]}]"] = a
    for row, b in zip(both.shape.intervals, both.b, strict=True):
        machine = instance.machine_name(row.machine)
        span = "" if problem == "load" else f"{row.start}..{row.end},"
        heavy = f",{both.shape.weights.values[row.weight_class]}" if problem == "weighted" else ""
        names[f"b[{span}{machine}{heavy}]"] = b
    for line in all_lines(view):
        left, right = line.text.replace("≥", "≤").split(" ≤ ")
        assert (value_of(left, names), value_of(right, names)) == (line.row.left, line.row.right)


def test_a_large_program_shows_some_rows_and_says_of_how_many() -> None:
    """Of 400 jobs the page has a few lines; those that cost most come first."""
    scene = scene_of_run("max-flow", 400)
    assert small_shape(Ground.of("max-flow", scene.instance)) is None
    html = duality(scene).html
    assert html.count("<tr") < 4 * TELLING + 20
    assert f"{TELLING} of" in text_of(html)
    assert "too large to be written out" in text_of(html)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_large_and_small_views_agree(problem: str) -> None:
    """The same values and parts of the gap, whichever way the rows are looked at."""
    scene = scene_of_program(problem)
    ground = Ground.of(problem, scene.instance)
    primal, dual = primal_point(scene, ground), dual_point(scene, ground)
    family = dual.family(ground)
    large = large_view(ground, primal, family)
    shape = small_shape(ground)
    small = own_view(ground, shape, primal, dual) if shape else large
    if small.value == large.value:
        assert {cost for _, cost in small.parts if cost} == {cost for _, cost in large.parts if cost}
    assert small.T == large.T
    slacks = [line.row.cost for line in all_lines(large) if line.row.cost]
    assert len(slacks) <= 2 * TELLING


def test_the_limit_is_by_rows_and_pairs() -> None:
    """Programs of more than WHOLE pairs, or interval rows, are not written out."""
    few = Instance.from_rows(1, [Row(j, 0, 1) for j in range(WHOLE)])
    many = Instance.from_rows(1, [Row(j, 0, 1) for j in range(WHOLE + 1)])
    spread = Instance.from_rows(1, [Row(j, j, 1) for j in range(20)])
    assert small_shape(Ground.of("max-flow", few)) is not None
    assert small_shape(Ground.of("max-flow", many)) is None
    assert small_shape(Ground.of("max-flow", spread)) is None
    assert small_shape(Ground.of("load", spread)) is not None


def test_the_best_schedule_in_the_certificate_is_the_primal_point() -> None:
    """Of two schedules the smaller one is taken; a run that rejects is no point of the primal."""
    scene = corpus_scene("two-weights-in-pieces")
    primal = primal_point(scene, Ground.of(scene.problem, scene.instance))
    assert primal.T == 12
    assert "bounds T* from above" in primal.words
    assert primal_point(
        corpus_scene("load-with-late-rejections"), Ground.of("load", instance_of("load"))
    ).words.endswith("with little work")


def test_a_bound_by_another_rule_is_told_from_the_dual() -> None:
    """A crowd shows more than the program can: the page says that no dual does."""
    instance = Instance.from_rows(2, [Row(j, 0, 2) for j in range(3)])
    crowd = Bound(Fraction(4), {"rule": "C5", "job": [0, 1, 2], "value": 4, "round": True}, "a crowd")
    family = family_bound(instance, IntervalFamily.of([(0, 1, 0, 0), (1, 1, 0, 0)]), "both machines")
    upper = Bound(Fraction(4), upper_evidence([0, 1, 0], "fifo"), "a schedule")
    text = text_of(duality(scene_of(certify_bounds(instance, "max-flow", [family, crowd], upper))).html)
    assert "The certificate's best bound, 4, is by another rule" in text
    assert "The optimum of the program is 3" in text
    assert "shows T* ≥ 4, which no dual of this program can" in text


def test_without_a_family_only_the_optimal_pair_is_shown() -> None:
    """A bound by a crowd alone gives no point of the dual; a small program has its optimal pair all the same."""
    instance = Instance.from_rows(1, [Row("a", 0, 2), Row("b", 0, 1)])
    crowd = Bound(Fraction(3), {"rule": "C5", "job": [0, 1], "value": 3}, "a crowd")
    text = text_of(duality(scene_of(certify_bounds(instance, "max-flow", [crowd]))).html)
    assert "no interval family and no prices" in text
    assert "The optimum of the program is 3" in text


def test_shrunk_intervals_are_told() -> None:
    """An interval that is longer than the jobs that it counts need is shrunk, and the page says what that gives."""
    instance = Instance.from_rows(1, [Row("a", 1, 3), Row("b", 1, 3)])
    evidence = {"rule": "C3", "per_tick": 1, "machine": [0], "start": [0], "end": [1]}
    scene = scene_of(certify_bounds(instance, "max-flow", [Bound(Fraction(5), evidence, "loose")]))
    assert "improves its bound from 5 to 6" in text_of(duality(scene).html)


def test_texts_of_the_input_are_escaped() -> None:
    """Names of jobs and machines and the origin of evidence are text."""
    instance = Instance.from_rows(1, [Row("<b>", 0, 1), Row("</script>", 0, 1)], machine_names=["<i>"])
    bound = family_bound(instance, IntervalFamily.of([(0, 1, 0, 0)]), "<u>")
    html = duality(scene_of(certify_bounds(instance, "max-flow", [bound]))).html
    assert "</script>" not in html
    assert "[&lt;b&gt;,&lt;i&gt;]" in html
    assert "b: &lt;u&gt;" in html


def test_machines_that_nobody_may_use_have_a_row_of_load() -> None:
    """Every machine has a row, and prices of such machines cost what they are worth."""
    instance = Instance.from_rows(2, [Row("a", 0, 3, [0]), Row("b", 0, 1, [0])])
    scene = scene_of(certify_bounds(instance, "load", [price_bound(instance, [1, 1], "a test")]))
    ground = Ground.of("load", instance)
    view = own_view(ground, small_shape(ground), primal_point(scene, ground), dual_point(scene, ground))
    assert (view.T, view.value, len(view.primal[0].lines)) == (4, 2, 2)


def test_ticks_and_weight_units_are_named() -> None:
    """Numbers are those of the printed program; what a tick and a unit of T are is said."""
    rows = [Row("a", 0, "0.5", flow_weight="0.5"), Row("b", 0, "0.25", flow_weight=1)]
    instance = Instance.from_rows(1, rows)
    weights = weights_of("weighted", instance)
    family = IntervalFamily.of([(0, 1, 0, 0)], weights=weights.values)
    scene = scene_of(certify_bounds(instance, "weighted", [family_bound(instance, family, "a test", weights)]))
    text = text_of(duality(scene).html)
    assert "ticks of 0.25, weights in units of 0.5" in text
    assert "one unit of T is 0.125 of the input" in text
