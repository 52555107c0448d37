"""The proof on the page: the numbers of the rule's proof, on the certificate's own instance."""

import json
from fractions import Fraction
from itertools import product

import pytest
from report_scenes import CORPUS, NAMES, corpus_scene, scene_of, text_of

from certify.build import certify_bounds
from certify.check import check_document
from certify.evidence import Bound, family_bound, price_bound, size_bound, weights_of
from certify.problems.registry import TRACKS
from certify.report.argument import Ground
from certify.report.case_tree import cases
from certify.report.proof import CASES, best_goal, first, proof, proven
from online import exact
from online.family import IntervalFamily
from online.instance import Instance
from online.rows import Row

pytest.importorskip("jinja2")

TOO_MANY_MACHINES = "load-in-huge-numbers"
"""The checker takes 10^30 machines; nobody else does."""

OF_RUNS = [
    name
    for name in NAMES
    if name != TOO_MANY_MACHINES and json.loads((CORPUS / f"{name}.json").read_text())["problem"] in TRACKS
]


def lower_goals(scene):
    return [goal for goal in scene.goals if goal["claim"] == "lower-bound" and "evidence" in goal]


@pytest.mark.parametrize("name", OF_RUNS)
def test_the_value_of_every_argument_is_just_what_the_checker_accepts(name: str) -> None:
    """With the argument's value for its goal a certificate is accepted, with a little more it is rejected."""
    scene = corpus_scene(name)
    ground = Ground.of(scene.problem, scene.instance)
    for goal in lower_goals(scene):
        evidence = scene.evidence[goal["evidence"]]
        value = proven(evidence, ground).value / scene.unit
        assert value >= exact.rational(goal["value"])
        for claimed, verdict in ((value, "accepted"), (value + Fraction(1, 10**40), "rejected")):
            alone = {**evidence, "value": exact.text(claimed)} if "value" in evidence else evidence
            if evidence["rule"] in ("C5", "C10") and verdict == "rejected":
                alone = evidence
            document = {
                **{key: scene.document[key] for key in ("format", "version", "problem", "sha256", "instance")},
                "goal": [{"claim": "lower-bound", "value": exact.text(claimed), "evidence": 0}],
                "evidence": [alone],
            }
            if len(exact.text(claimed)) < 900:
                assert check_document(document, None, str(CORPUS)).verdict == verdict


@pytest.mark.parametrize("name", OF_RUNS)
def test_the_numbers_of_the_two_lines_give_the_value(name: str) -> None:
    """Line 1 divided out is line 2: (A - L) / W for intervals, A / B for prices, less room than volume for crowds."""
    scene = corpus_scene(name)
    for goal in lower_goals(scene):
        found = proven(scene.evidence[goal["evidence"]], Ground.of(scene.problem, scene.instance))
        t = found.terms
        if found.rule == "C3":
            assert found.value == (t["volume"] - t["length"]) / t["share"]
            assert t["volume"] == sum(part.key * part.amount for part in t["alpha"])
            assert t["length"] == sum(part.amount for part in t["machines"])
            assert t["share"] == sum(part.amount for part in t["classes"])
            assert sum(part.count for part in t["alpha"]) == scene.instance.n
            assert sum(part.count for part in t["machines"]) == t["count"]
        elif found.rule == "C4":
            assert t["unrounded"] == Fraction(t["volume"]) / t["share"] <= found.value
            assert t["volume"] == sum(part.key * part.amount for part in t["prices"])
            assert t["share"] == sum(part.key * part.count for part in t["by_price"])
        elif found.rule == "C5":
            assert t["room"] == sum(part.amount for part in t["machines"])
            assert t["room"] < t["volume"] or (t["room"] == t["volume"] and t["step"] is None)


@pytest.mark.parametrize("name", OF_RUNS)
def test_the_page_names_the_bound_of_the_certificate(name: str) -> None:
    """The section states the certificate's best lower bound; without one there is no section."""
    scene = corpus_scene(name)
    section, goal = proof(scene), best_goal(scene.goals)
    if goal is None:
        assert section is None
        return
    value = exact.rational(goal["value"]) * scene.unit
    text = text_of(section.html)
    assert len(exact.text(value)) > 30 or exact.text(value) in text or exact.decimal(value) in text


def test_a_certificate_of_speeds_has_its_proof_elsewhere() -> None:
    """Server prices are proven by the section on energy."""
    assert proof(corpus_scene("energy-alone-on-servers")) is None


def test_three_jobs_at_once_need_three_times_their_size() -> None:
    """One interval of no length, counted by three jobs of half a unit: T* is 1.5 at least, line by line."""
    instance = Instance.from_rows(1, [Row(j, 0, "0.5") for j in range(3)])
    bound = family_bound(instance, IntervalFamily.of([(0, 1, 0, 0)]), "a test")
    text = text_of(proof(scene_of(certify_bounds(instance, "max-flow", [bound]))).html)
    assert "pj T* ≥ 1.5 2 T* ≥ (" in text
    assert "by a test (rule C3)" in text


def test_weights_are_in_the_units_of_the_input() -> None:
    """Two jobs of weight 2.5 and size 3 at once: one interval from weight 2.5 on, W = 0.4, T* is 15 at least."""
    instance = Instance.from_rows(1, [Row("a", 0, 3, flow_weight="2.5"), Row("b", 0, 3, flow_weight="2.5")])
    weights = weights_of("weighted", instance)
    family = IntervalFamily.of([(0, 1, 0, 0)], weights=weights.values)
    bound = family_bound(instance, family, "a test", weights)
    found = proven(bound.evidence, Ground.of("weighted", instance))
    assert (found.value, found.terms["share"], found.terms["volume"]) == (15, Fraction(2, 5), 6)
    assert "0.4 T* ≥ 6" in text_of(proof(scene_of(certify_bounds(instance, "weighted", [bound]))).html)


def test_stretch_has_no_unit() -> None:
    """Two jobs of half a unit at once have the stretch 2, whatever a tick is."""
    instance = Instance.from_rows(1, [Row("a", 0, "0.5"), Row("b", 0, "0.5"), Row("c", "7.25", 1)])
    weights = weights_of("stretch", instance)
    bound = family_bound(instance, IntervalFamily.of([(0, 1, 0, 0)], weights=weights.values), "a test", weights)
    ground = Ground.of("stretch", instance)
    assert instance.tick == Fraction(1, 4)
    assert proven(bound.evidence, ground).value == 1
    exact_family = IntervalFamily.of([(0, 1, 0, 0)], weights=weights.values, weight_class=[1])
    found = proven(family_bound(instance, exact_family, "a test", weights).evidence, ground)
    assert (found.value, found.terms["share"]) == (2, Fraction(1, 2))


def test_the_longest_job_proves_its_size() -> None:
    """Of load, some machine has the whole job; in time, it is on one machine at a time."""
    instance = Instance.from_rows(2, [Row("a", 0, "1.5"), Row("<b>", 0, 1)])
    for problem in ("load", "max-flow"):
        html = proof(scene_of(certify_bounds(instance, problem, [size_bound(instance)]))).html
        assert "T* ≥ 1.5" in text_of(html)


def test_rounded_prices_name_the_common_divisor() -> None:
    """Three jobs of 2 on two machines: 3 on average, and every load is a multiple of 2, so 4."""
    instance = Instance.from_rows(2, [Row(k, 0, 2) for k in range(3)])
    scene = scene_of(certify_bounds(instance, "load", [price_bound(instance, [1, 1], "a test")]))
    text = text_of(proof(scene).html)
    assert "T* ≥ 6 / 2 = 3, and all loads are multiples of 2: T* ≥ 4" in text


def test_texts_of_the_input_are_escaped() -> None:
    """Names of jobs and machines, and the origin of evidence, are text and not HTML."""
    rows = [Row("<script>alert(1)</script>", 0, 3), Row("\"'&", 0, 2)]
    instance = Instance.from_rows(1, rows, machine_names=["<img src=x>"])
    evidence = {"rule": "C5", "job": [0, 1], "value": 5}
    bound = Bound(Fraction(5), evidence, "<i onload=x>")
    html = proof(scene_of(certify_bounds(instance, "max-flow", [bound]))).html
    assert not any(tag in html for tag in ("<script", "<img", "<i onload"))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "&lt;img src=x&gt;" in html


def all_cases(tree, instance, eligible):
    """The cases of a tree by recursion: the eligible sets of each leaf, and the nodes that are left."""
    node, rest = tree[0], tree[1:]
    if "leaf" in node:
        return [tuple(eligible)], rest
    found = []
    for part in node.get("parts") or [[i] for i in eligible[node["split"]]]:
        own = list(eligible)
        own[node["split"]] = tuple(part)
        leaves, rest = all_cases(rest, instance, own)
        found += leaves
    return found, rest


@pytest.mark.parametrize("name", ["case-distinction", "load-case-distinction", "two-weights-in-pieces"])
def test_the_cases_are_those_of_the_tree(name: str) -> None:
    """The eligible sets of the cases are those that a recursion over the tree finds, and leave no dispatch out."""
    scene = corpus_scene(name)
    instance = scene.instance
    for evidence in (one for one in scene.evidence if one["rule"] == "C10"):
        sets = list(instance.sets)
        eligible = [sets[k] for k in instance.eligible_set.tolist()]
        expected, rest = all_cases(evidence["tree"], instance, eligible)
        found = []
        for case in cases(evidence["tree"], instance):
            left = case.of(instance)
            own = list(left.sets)
            found.append(tuple(own[k] for k in left.eligible_set.tolist()))
        assert (found, rest) == (expected, [])
        for dispatch in product(*eligible):
            assert any(all(i in own for i, own in zip(dispatch, one, strict=True)) for one in found)


def test_only_the_first_cases_are_shown() -> None:
    """A tree of 16 cases: the first eight are shown, and it is said how many there are."""
    instance = Instance.from_rows(2, [Row(k, 0, 2) for k in range(9)])
    leaf = {"leaf": {"rule": "C0", "job": 0}}
    tree: list = [leaf]
    for job in range(1, 5):
        tree = [{"split": job}, *tree, *tree]
    bound = Bound(Fraction(2), {"rule": "C10", "value": 2, "tree": tree}, "a test")
    html = proof(scene_of(certify_bounds(instance, "max-flow", [bound]))).html
    assert html.count("<li>") == CASES == 8
    assert "The first 8 of 16 cases" in text_of(html)


def test_a_long_table_adds_up_its_rest() -> None:
    """The lines that are shown and the line of the rest have all counts and amounts between them."""
    instance = Instance.from_rows(20, [Row(k, 0, 1, [k]) for k in range(20)])
    family = IntervalFamily.of([(k, 1, 0, 0) for k in range(20)])
    found = proven(family_bound(instance, family, "a test").evidence, Ground.of("max-flow", instance))
    table = first(found.terms["machines"])
    assert len(table["shown"]) + table["more"] == 20
    assert sum(part.count for part in table["shown"]) + table["count"] == 20
    names = text_of(proof(scene_of(certify_bounds(instance, "max-flow", [family_bound(instance, family, "x")]))).html)
    assert "8 more 8 0" in names


def test_nothing_is_proven_of_no_jobs() -> None:
    """Without jobs the bound is 0, which needs no proof."""
    instance = Instance.from_rows(2, [])
    text = text_of(proof(scene_of(certify_bounds(instance, "max-flow", []))).html)
    assert "T* ≥ 0, which needs no proof" in text
