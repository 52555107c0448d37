"""The problem `load`: what the checker accepts is true of every assignment, and nothing true is refused."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from direct_evaluation import (
    PROBLEMS,
    Document,
    certificate,
    eligible,
    instances,
    loads,
    machine_set,
    smallest_largest_load,
    true,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from online.instance import Instance
from online.rows import Row

exactly = settings(derandomize=True, deadline=None, max_examples=100)


def about_loads(instance: Instance, goals: list[Document], **more: Any) -> Document:
    return certificate(instance, goals, problem="load", **more)


def bound_of(value: Fraction | int) -> Document:
    return {"claim": "lower-bound", "value": str(value), "evidence": 0}


@st.composite
def machine_sets(draw: st.DrawFn, instance: Instance) -> Document:
    machine = sorted(draw(st.sets(st.integers(0, instance.machines - 1), min_size=1)))
    evidence: Document = {"rule": "C4", "machine": machine}
    if draw(st.booleans()):
        column = st.lists(st.integers(0, 4), min_size=len(machine), max_size=len(machine))
        evidence["beta"] = draw(column.filter(any))
    if max(instance.size.tolist()) < 1000 and draw(st.booleans()):
        evidence["round"] = draw(st.booleans())
    return evidence


@st.composite
def runs(draw: st.DrawFn, instance: Instance) -> Document:
    """Mostly eligible dispatches, some late rejections; now and then a fault."""
    document = instance.to_document()
    any_machine = st.integers(-1, instance.machines - 1)
    dispatch = [draw(st.sampled_from([*eligible(document, j), *eligible(document, j), -1])) for j in range(instance.n)]
    if draw(st.integers(0, 3)) == 0:
        dispatch[draw(st.integers(0, instance.n - 1))] = draw(any_machine)
    run: Document = {"algorithm": "random", "dispatch": dispatch, "schedule": "assignment"}
    taken = [j for j, i in enumerate(dispatch) if i >= 0]
    if taken and draw(st.booleans()):
        job = draw(st.lists(st.sampled_from(taken), max_size=3, unique=draw(st.integers(0, 3)) > 0))
        too_early = draw(st.integers(0, 3)) == 0
        rows = [(draw(st.integers(0 if too_early else j, instance.n - 1)), j) for j in job]
        rows.sort(key=lambda row: row[0])
        run["late"] = {"job": [j for _, j in rows], "after": [after for after, _ in rows]}
    return run


@exactly
@given(st.data())
def test_machine_set_shows_exactly_its_value(data: st.DataObject) -> None:
    """The checker accepts the value of a machine set and nothing above it, and that value is at most T*."""
    instance = data.draw(instances())
    evidence = data.draw(machine_sets(instance))
    bound = machine_set(instance.to_document(), evidence)

    def verdict(value: Fraction) -> str:
        return check.check_document(about_loads(instance, [bound_of(value)], evidence=[evidence])).verdict

    assert verdict(bound) == "accepted"
    assert verdict(bound + Fraction(1, 10**9)) == "rejected"
    assert bound <= smallest_largest_load(instance.to_document())


@exactly
@given(st.data())
def test_every_accepted_bound_is_below_every_assignment(data: st.DataObject) -> None:
    """No value above T* is accepted, whatever rule and evidence it comes with."""
    instance = data.draw(instances())
    optimum = smallest_largest_load(instance.to_document())
    job = st.integers(0, instance.n - 1).map(lambda j: {"rule": "C0", "job": j})
    evidence = data.draw(machine_sets(instance) | job)
    above = optimum + data.draw(st.sampled_from([Fraction(1, 7), Fraction(1), Fraction(10**6)]))
    verdict = check.check_document(about_loads(instance, [bound_of(above)], evidence=[evidence]))
    assert (verdict.verdict, verdict.failed[0].rule) == ("rejected", evidence["rule"])


@exactly
@given(st.data())
def test_without_beta_the_bound_is_the_volume_confined_to_the_set(data: st.DataObject) -> None:
    """Left out, beta is 1 on the set: the volume of the jobs with S_j inside it, over its size, is shown."""
    instance = data.draw(instances())
    evidence = {"rule": "C4", "machine": data.draw(machine_sets(instance))["machine"]}
    document, machines = instance.to_document(), set(evidence["machine"])
    confined = [p for j, p in enumerate(document["size"]) if set(eligible(document, j)) <= machines]
    value = Fraction(sum(confined), len(machines))
    for beta in (None, [1] * len(machines), [7] * len(machines)):
        one = evidence if beta is None else {**evidence, "beta": beta}
        assert machine_set(document, one) == value
        accepted = check.check_document(about_loads(instance, [bound_of(value)], evidence=[one])).verdict
        above = check.check_document(about_loads(instance, [bound_of(value + 1)], evidence=[one])).verdict
        assert (accepted, above) == ("accepted", "rejected")


@settings(exactly, max_examples=300)
@given(st.data())
def test_goals_about_a_run_are_accepted_exactly_if_true(data: st.DataObject) -> None:
    """On random runs, feasible or not, with late rejections and random claims, the verdict is the direct one."""
    instance = data.draw(instances(6))
    document = about_loads(instance, [], run=data.draw(runs(instance)))
    epsilon = st.sampled_from(["0", "1/4", "1/3", "2/5", "1/2", "2/3", "1"])
    goals: list[Document] = [
        {"claim": "budget", "epsilon": data.draw(epsilon), "weight": weight} for weight in ("count", "rejection")
    ]
    value = max(loads(document) or [], default=Fraction(0))
    goals.append({"claim": "objective", "value": str(value + data.draw(st.sampled_from([0, 0, 0, 1, -1])))})
    document["goal"] = data.draw(st.lists(st.sampled_from([{"claim": "feasible"}, *goals]), min_size=1))
    assert (check.check_document(document).verdict == "accepted") == true(document)


@exactly
@given(st.data())
def test_ratio_is_accepted_exactly_if_the_bound_shows_it(data: st.DataObject) -> None:
    """With objective and bound shown, a ratio holds exactly from objective / bound on; nobody rejected, it is >= 1."""
    instance = data.draw(instances())
    run, evidence = data.draw(runs(instance)), data.draw(machine_sets(instance))
    document = about_loads(instance, [], run=run, evidence=[evidence])
    values, bound = loads(document), machine_set(document["instance"], evidence)
    if values is None or bound == 0:
        return
    ratio = max(values, default=Fraction(0)) / bound
    assert ratio >= 1 or -1 in run["dispatch"] or run.get("late", {}).get("job")
    objective = {"claim": "objective", "value": str(ratio * bound)}
    for claimed in (ratio, ratio + 1, ratio - Fraction(1, 1000)):
        document["goal"] = [{"claim": "ratio", "value": str(claimed)}, objective, bound_of(bound)]
        assert check.check_document(document).verdict == ("accepted" if claimed >= ratio else "rejected")


@exactly
@given(st.data())
def test_refuted_guess_is_strictly_below_the_optimum(data: st.DataObject) -> None:
    """A guess is refuted exactly if the machine set shows more than it; then T* is above it."""
    instance = data.draw(instances())
    evidence = data.draw(machine_sets(instance))
    bound = machine_set(instance.to_document(), evidence)
    nearby = st.sampled_from([bound, bound + 1, bound - Fraction(1, 3), bound / 2]).filter(lambda guess: guess > 0)
    guess = data.draw(nearby)
    phases = [{"guess": str(guess), "first": 0, "last": instance.n - 1, "ended": False}]
    run = {"algorithm": "none", "dispatch": [-1] * instance.n, "schedule": "assignment", "phases": phases}
    goals = [{"claim": "refuted-guess", "phase": 0, "evidence": 0}]
    verdict = check.check_document(about_loads(instance, goals, run=run, evidence=[evidence])).verdict
    assert verdict == ("accepted" if bound > guess else "rejected")
    assert verdict == "rejected" or smallest_largest_load(instance.to_document()) > guess


@exactly
@given(st.data())
def test_releases_give_the_order_only(data: st.DataObject) -> None:
    """The same jobs in the same order, all released at once, get the same verdict on the same claims."""
    instance = data.draw(instances())
    run, evidence = data.draw(runs(instance)), data.draw(machine_sets(instance))
    columns = instance.to_document()
    rows = zip(columns["ids"], columns["size"], columns["rejection_weight"], strict=True)
    at_once = Instance.from_rows(
        instance.machines, [Row(k, 0, p, eligible(columns, j), 1, v) for j, (k, p, v) in enumerate(rows)]
    )
    goals = [{"claim": "budget", "epsilon": "1/2", "weight": "count"}, {"claim": "objective", "value": 3}, bound_of(2)]
    one, other = (
        check.check_document(about_loads(x, goals, run=run, evidence=[evidence])) for x in (instance, at_once)
    )
    assert (one.verdict, one.failed, one.shown[1:]) == (other.verdict, other.failed, other.shown[1:])


def test_late_rejections_at_one_arrival_are_judged_after_all_of_them() -> None:
    """Two of four jobs rejected after the last arrival: within 1/2, over 2/5, and over 1/2 one arrival earlier."""
    instance = Instance.from_rows(1, [Row(k, 0, 1) for k in range(4)])

    def verdict(epsilon: str, after: int) -> str:
        run = {"algorithm": "x", "dispatch": [0] * 4, "schedule": "assignment"}
        run |= {"late": {"job": [2, 0], "after": [after, after]}}
        return check.check_document(
            about_loads(instance, [{"claim": "budget", "epsilon": epsilon, "weight": "count"}], run=run)
        ).verdict

    assert [verdict("1/2", 3), verdict("2/5", 3), verdict("1/2", 2)] == ["accepted", "rejected", "rejected"]


def test_load_has_no_time() -> None:
    """Jobs of size 3 at times 0 and 100 on one machine: load 6 where the largest flow time is 3."""
    instance = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 100, 3)])
    dispatch: Document = {"algorithm": "x", "dispatch": [0, 0]}
    for problem, schedule, value in (("load", "assignment", 6), ("max-flow", "fifo", 3)):
        for claimed in (3, 6):
            goals = [{"claim": "objective", "value": claimed}]
            document = certificate(instance, goals, run={**dispatch, "schedule": schedule}, problem=problem)
            assert check.check_document(document).verdict == ("accepted" if claimed == value else "rejected")


EVIDENCE: dict[str, Document] = {
    "C0": {"rule": "C0", "job": 0},
    "C3": {"rule": "C3", "per_tick": 1, "machine": [0], "start": [0], "end": [0]},
    "C4": {"rule": "C4", "machine": [0]},
    "C5": {"rule": "C5", "job": [0], "value": 1},
    "C6": {"rule": "C6", "dispatch": [0, 0], "schedule": "fifo"},
    "C8": {"rule": "C8", "dispatch": [0, 0], "schedule": "fifo", "phases": [{"last": 1, "machine": [0], "load": [1]}]},
    "C9": {"rule": "C9", "grid": [0], "price": [], "dials": [1], "ranges": [[[0, 0]], [[0, 0]]]},
    "C10": {"rule": "C10", "value": 1, "tree": [{"leaf": {"rule": "C0", "job": 0}}]},
}
IN_TIME, OF_LOADS = {"C0", "C3", "C5", "C6", "C8", "C10"}, {"C0", "C4", "C6", "C8", "C10"}


@pytest.mark.parametrize(("problem", "rule"), [*itertools.product(PROBLEMS, EVIDENCE)])
def test_rule_of_another_problem_is_malformed(problem: str, rule: str) -> None:
    """Each problem takes its own rules only, in a leaf neither C6, C8 nor C10: a bound on one T* is none on another."""
    simple = "assignment" if problem == "load" else "fifo"
    evidence = EVIDENCE[rule] | ({"schedule": simple} if rule in ("C6", "C8") else {})
    instance = Instance.from_rows(1, [Row("a", 0, 1), Row("b", 100, 1)])
    known = OF_LOADS if problem == "load" else IN_TIME
    goal = {"claim": "upper-bound" if rule == "C6" else "lower-bound", "value": 2 if rule == "C6" else 1}
    goal = ({"claim": "game", "opt": 2, "cost": 1} if rule == "C8" else goal) | {"evidence": 0}
    run = {"algorithm": "x", "dispatch": [0, 0], "schedule": simple}
    alone = certificate(instance, [goal], evidence=[evidence], problem=problem, run=run)
    verdict = check.check_document(alone)
    place = verdict.failed[0].place if verdict.failed else None
    assert (verdict.verdict, place) == (("accepted", None) if rule in known else ("malformed", "$.evidence[0].rule"))
    verdict = check.check_document(
        {**alone, "goal": [bound_of(1)], "evidence": [EVIDENCE["C10"] | {"tree": [{"leaf": evidence}]}]}
    )
    place = verdict.failed[0].place if verdict.failed else None
    leaf = ("malformed", "$.evidence[0].tree[0].leaf.rule")
    assert (verdict.verdict, place) == (("accepted", None) if rule in known - {"C6", "C8", "C10"} else leaf)
