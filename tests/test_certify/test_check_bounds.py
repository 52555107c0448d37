"""Bounds under weights, Hall sets, case distinctions, upper witnesses: accepted exactly if true, never across T*."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from direct_evaluation import (
    PROBLEMS,
    Document,
    by_priority,
    case_distinction,
    certificate,
    eligible,
    hall_set,
    instances,
    lemma_6_6,
    lower_bound,
    machine_set,
    smallest_largest,
    true,
    weight,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from online.instance import Instance
from online.rows import Row

exactly = settings(derandomize=True, deadline=None, max_examples=120)
IN_TIME = ("max-flow", "weighted", "stretch")
TINY = Fraction(1, 10**9)


def judged(instance: Instance, problem: str, claim: str, value: Fraction | int, evidence: Document) -> check.Verdict:
    goal = {"claim": claim, "value": str(value), "evidence": 0}
    return check.check_document(certificate(instance, [goal], problem=problem, evidence=[evidence]))


def accepted(instance: Instance, problem: str, value: Fraction | int, evidence: Document) -> bool:
    return judged(instance, problem, "lower-bound", value, evidence).verdict == "accepted"


def least_shown(instance: Document, jobs: Sequence[int], problem: str, rounded: bool) -> Fraction:
    """The largest V that a set of jobs shows, to 1/16, by bisection."""
    evidence: Document = {"rule": "C5", "job": list(jobs), "round": rounded}
    low, high = Fraction(0), Fraction(64)
    while high - low > Fraction(1, 16):
        middle = (low + high) / 2
        shown = hall_set(instance, {**evidence, "value": str(middle)}, problem) is not None
        low, high = (middle, high) if shown else (low, middle)
    return low


@st.composite
def families(draw: st.DrawFn, instance: Instance) -> Document:
    """Intervals of up to three classes; thresholds are weights of jobs or other rationals."""
    per_tick = draw(st.integers(1, 2))
    threshold = st.sampled_from([Fraction(x) for x in ("1/4", "1/3", "1/2", "1", "3/2", "2", "3", "4")])
    weights = sorted(draw(st.sets(threshold, min_size=1, max_size=3)))
    span = st.tuples(st.integers(-1, 6 * per_tick), st.integers(0, 3 * per_tick))
    one = st.tuples(st.integers(0, instance.machines - 1), span, st.integers(0, 3), st.integers(0, len(weights) - 1))
    rows = draw(st.lists(one, min_size=1, max_size=6).filter(lambda rows: any(c for _, _, c, _ in rows)))
    evidence: Document = {"rule": "C3", "per_tick": per_tick, "machine": [i for i, *_ in rows]}
    evidence |= {"start": [s for _, (s, _), *_ in rows], "end": [s + length for _, (s, length), *_ in rows]}
    evidence |= {"multiplicity": [c for *_, c, _ in rows]}
    if draw(st.integers(0, 3)):
        evidence |= {"weights": [str(x) for x in weights], "class": [c for *_, c in rows]}
    if draw(st.integers(0, 3)) == 0:
        evidence["alpha"] = draw(st.lists(st.integers(0, 2), min_size=instance.n, max_size=instance.n))
    return evidence


@exactly
@given(st.data(), st.sampled_from(IN_TIME))
def test_weighted_family_shows_exactly_lemma_6_6(data: st.DataObject, problem: str) -> None:
    """The checker accepts the value of Lemma 6.6 and nothing above it, and that value is at most T*."""
    instance = data.draw(instances())
    evidence = data.draw(families(instance))
    bound = lemma_6_6(instance.to_document(), evidence, problem)
    if bound is None:
        assert not accepted(instance, problem, Fraction(-(10**6)), evidence)
    else:
        assert accepted(instance, problem, bound, evidence)
        assert not accepted(instance, problem, bound + TINY, evidence)
        assert bound <= smallest_largest(instance.to_document(), problem)


@st.composite
def hall_sets(draw: st.DrawFn, instance: Instance, problem: str) -> Document:
    """Any set of jobs, with any value or one close to the largest that it shows."""
    jobs = sorted(draw(st.sets(st.integers(0, instance.n - 1), min_size=1)))
    rounded = draw(st.booleans())
    near = least_shown(instance.to_document(), jobs, problem, rounded).limit_denominator(12)
    volume = sum(instance.size[j].item() for j in jobs)
    nudge = draw(st.sampled_from([Fraction(0), Fraction(1, 48), Fraction(-1, 48), Fraction(1), Fraction(-1)]))
    value = draw(st.sampled_from([near + nudge, Fraction(volume, draw(st.integers(1, 6)))]))
    evidence: Document = {"rule": "C5", "job": jobs, "value": str(value if value > 0 else TINY)}
    return evidence | ({"round": rounded} if rounded or draw(st.booleans()) else {})


@exactly
@given(st.data(), st.sampled_from(IN_TIME))
def test_hall_set_is_accepted_exactly_if_its_windows_are_too_small(data: st.DataObject, problem: str) -> None:
    """The verdict on a Hall set is that of the room measured segment by segment, or slot by slot; then V <= T*."""
    instance = data.draw(instances())
    evidence = data.draw(hall_sets(instance, problem))
    value, document = Fraction(evidence["value"]), instance.to_document()
    shown = hall_set(document, evidence, problem) is not None
    assert accepted(instance, problem, value, evidence) == shown
    assert not accepted(instance, problem, value + TINY, evidence)
    assert not shown or value <= smallest_largest(document, problem)


@exactly
@given(st.data(), st.sampled_from(IN_TIME))
def test_hall_set_shows_all_smaller_values(data: st.DataObject, problem: str) -> None:
    """What a set of jobs shows, with rounding or without, it also shows for any smaller value."""
    instance = data.draw(instances())
    evidence = data.draw(hall_sets(instance, problem))
    if hall_set(instance.to_document(), evidence, problem) is not None:
        less = Fraction(evidence["value"]) * data.draw(st.fractions(Fraction(1, 8), 1, max_denominator=8))
        assert accepted(instance, problem, less, {**evidence, "value": str(less)})


@exactly
@given(st.data(), st.sampled_from(IN_TIME))
def test_one_job_or_a_burst_is_a_hall_set(data: st.DataObject, problem: str) -> None:
    """A set of one job shows w_j p_j, as rule C0 does; jobs of one instant and weight their volume over machines."""
    instance = data.draw(instances())
    document, j = instance.to_document(), data.draw(st.integers(0, instance.n - 1))
    value = instance.size[j].item() * weight(document, j, problem)
    widened = len(eligible(document, j))
    for rounded in (False, True):
        evidence = {"rule": "C5", "job": [j], "value": str(value), "round": rounded}
        assert accepted(instance, problem, value, evidence) == (rounded or widened == 1)
    assert accepted(instance, problem, value, {"rule": "C0", "job": j})
    assert not accepted(instance, problem, value + TINY, {"rule": "C0", "job": j})


def test_rounding_needs_the_divisor_of_sizes_and_releases() -> None:
    """Two jobs of size 2, at 0 and 1, on one machine: T* = 3, and slots of length 2 would show 4 wrongly."""
    instance = Instance.from_rows(1, [Row("a", 0, 2), Row("b", 1, 2)])
    assert smallest_largest(instance.to_document(), "max-flow") == 3

    def shown(value: Fraction | int, jobs: list[int]) -> bool:
        return accepted(instance, "max-flow", value, {"rule": "C5", "job": jobs, "value": str(value), "round": True})

    assert [shown(3, [0, 1]), shown(3 + TINY, [0, 1]), shown(4, [0, 1])] == [True, False, False]
    assert [shown(2, [1]), shown(2 + TINY, [1])] == [True, False]


class Trees:
    """Random case distinctions with leaves that show `value` where a rule can."""

    def __init__(self, source: random.Random, problem: str, value: Fraction) -> None:
        self.source, self.problem, self.value = source, problem, value

    def nodes(self, instance: Document, sets: list[list[int]]) -> list[Document]:
        branch = {**instance, "eligible_sets": sets, "eligible": list(range(len(sets)))}
        leaf = self.leaf(branch)
        choices = [j for j, one in enumerate(sets) if len(one) > 1]
        bound = lower_bound(branch, leaf, self.problem)
        if not choices or (bound is not None and bound >= self.value):
            return [{"leaf": leaf}]
        j = self.source.choice(choices)
        parts = self.parts(sets[j])
        below = [self.nodes(instance, [*sets[:j], part, *sets[j + 1 :]]) for part in parts]
        split = {"split": j} | ({} if all(len(one) == 1 for one in parts) else {"parts": parts})
        return [split, *itertools.chain.from_iterable(below)]

    def parts(self, machines: list[int]) -> list[list[int]]:
        if len(machines) == 2 or self.source.random() < 0.6:
            return [[i] for i in machines]
        cut = self.source.randint(1, len(machines) - 1)
        return [machines[:cut], machines[cut:]]

    def leaf(self, branch: Document) -> Document:
        """Evidence for the value if there is some of a simple kind; else evidence that shows less."""
        n, fallback = len(branch["size"]), {"rule": "C0", "job": self.source.randrange(len(branch["size"]))}
        candidates = [{"rule": "C0", "job": j} for j in range(n)]
        if self.problem == "load":
            sets = sorted({tuple(one) for one in branch["eligible_sets"]})
            candidates += [{"rule": "C4", "machine": list(one)} for one in sets]
            candidates += [{"rule": "C4", "machine": list(range(branch["machines"])), "round": True}]
        else:
            jobs = [list(one) for size in range(1, n + 1) for one in itertools.combinations(range(n), size)]
            hall: Document = {"rule": "C5", "value": str(self.value)}
            candidates += [{**hall, "job": one, "round": rounded} for one in jobs for rounded in (False, True)]
        good = (one for one in candidates if (lower_bound(branch, one, self.problem) or 0) >= self.value)
        return next(good, fallback)


def distinction(instance: Instance, problem: str, value: Fraction, source: random.Random) -> Document:
    document = instance.to_document()
    sets = [eligible(document, j) for j in range(instance.n)]
    return {"rule": "C10", "value": str(value), "tree": Trees(source, problem, value).nodes(document, sets)}


@exactly
@given(instances(4), st.sampled_from(PROBLEMS), st.randoms(use_true_random=False))
def test_case_distinction_shows_the_optimum_and_nothing_above(
    instance: Instance, problem: str, source: random.Random
) -> None:
    """Distinguishing the jobs' machines until a simple rule suffices shows T* itself; no tree shows any more."""
    optimum = smallest_largest(instance.to_document(), problem)
    evidence = distinction(instance, problem, optimum, source)
    assert accepted(instance, problem, optimum, evidence)
    assert not accepted(instance, problem, optimum + TINY, evidence)
    more = optimum + Fraction(1, source.randint(1, 5))
    verdict = judged(instance, problem, "lower-bound", more, distinction(instance, problem, more, source))
    assert (verdict.verdict, len(verdict.shown)) == ("rejected", 1)


def spoiled(tree: list[Document], source: random.Random, jobs: int) -> list[Document]:
    """A tree with one node left out, doubled, moved, or about another job."""
    out, k = [*tree], source.randrange(len(tree))
    kind = source.randrange(4)
    if kind == 0:
        del out[k]
    elif kind == 1:
        out.insert(source.randrange(len(out) + 1), out[k])
    elif kind == 2:
        x = source.randrange(len(out))
        out[k], out[x] = out[x], out[k]
    else:
        out[k] = {**out[k], "split": source.randrange(jobs)} if "split" in out[k] else {"split": source.randrange(jobs)}
    return out


@exactly
@given(instances(4), st.sampled_from(PROBLEMS), st.randoms(use_true_random=False))
def test_spoiled_tree_is_accepted_only_if_true(instance: Instance, problem: str, source: random.Random) -> None:
    """A tree with a node left out, doubled, moved or changed is accepted only if each leaf still shows V."""
    optimum = smallest_largest(instance.to_document(), problem)
    evidence = distinction(instance, problem, optimum + source.choice([0, 0, Fraction(1, 2)]), source)
    evidence["tree"] = spoiled(evidence["tree"], source, instance.n)
    if accepted(instance, problem, Fraction(evidence["value"]), evidence):
        assert case_distinction(instance.to_document(), evidence, problem) is not None
        assert Fraction(evidence["value"]) <= optimum


def upper_schedule(instance: Document, problem: str, source: random.Random) -> Document:
    """Any assignment; in time any order of priority on each machine, in pieces of one tick."""
    n = len(instance["size"])
    dispatch = [source.choice(eligible(instance, j)) for j in range(n)]
    if problem == "load":
        return {"rule": "C6", "dispatch": dispatch, "schedule": "assignment"}
    left, time, rows = list(instance["size"]), 0, []
    order = source.sample(range(n), n)
    while any(left):
        for i in sorted(set(dispatch)):
            there = (j for j in order if dispatch[j] == i and left[j] and instance["release"][j] <= time)
            if (j := next(there, None)) is not None:
                rows.append((j, i, time, time + 1))
                left[j] -= 1
        time += 1
    columns = (list(column) for column in zip(*rows, strict=True))
    schedule = {"per_tick": 1, **dict(zip(("job", "machine", "start", "end"), columns, strict=True))}
    return {"rule": "C6", "dispatch": dispatch, "schedule": schedule}


@exactly
@given(instances(), st.sampled_from(PROBLEMS), st.randoms(use_true_random=False))
def test_upper_witness_shows_exactly_its_value(instance: Instance, problem: str, source: random.Random) -> None:
    """A schedule of all jobs shows T* <= its objective, nothing below, and that is at least T*."""
    evidence = upper_schedule(instance.to_document(), problem, source)
    optimum = smallest_largest(instance.to_document(), problem)
    run = {"algorithm": "x", **{key: evidence[key] for key in ("dispatch", "schedule")}}
    for value in (optimum, optimum - TINY, optimum + Fraction(1, 3), optimum + 7):
        goal = {"claim": "upper-bound", "value": str(value), "evidence": 0}
        document = certificate(instance, [goal], problem=problem, evidence=[evidence], run=run)
        assert (check.check_document(document).verdict == "accepted") == true(document)
        assert value >= optimum or not true(document)


@exactly
@given(instances(4), st.sampled_from(PROBLEMS), st.randoms(use_true_random=False), st.data())
def test_spoiled_schedule_is_no_upper_witness(
    instance: Instance, problem: str, source: random.Random, data: st.DataObject
) -> None:
    """One machine, time or job of a schedule changed: accepted only if it is still a schedule of that value."""
    evidence = upper_schedule(instance.to_document(), problem, source)
    columns: list[list[int]] = [evidence["dispatch"]]
    if problem != "load":
        columns += [evidence["schedule"][key] for key in ("job", "machine", "start", "end")]
    column = data.draw(st.sampled_from(columns))
    column[source.randrange(len(column))] += source.choice([-1, 1])
    verdict = judged(instance, problem, "upper-bound", 40, evidence)
    document = certificate(instance, [{"claim": "upper-bound", "value": 40, "evidence": 0}], problem=problem)
    assert (verdict.verdict == "accepted") == (
        verdict.verdict != "malformed" and true({**document, "evidence": [evidence]})
    )
    places = ("$.evidence[0]", "$.goal[0].evidence")
    assert all(one.rule in ("C6", "format") and one.place.startswith(places) for one in verdict.failed)


def random_instance(source: random.Random) -> Instance:
    machines, n = source.randint(1, 3), source.randint(1, 4)
    return Instance.from_rows(
        machines,
        [
            Row(
                k,
                source.choice([0, 0, source.randint(0, 4)]),
                source.randint(1, 4),
                sorted(source.sample(range(machines), source.randint(1, machines))),
                source.choice([1, 2, 3, 4, 6]),
            )
            for k in range(n)
        ],
    )


def random_evidence(instance: Instance, problem: str, value: Fraction, source: random.Random) -> Document:
    """Evidence of a random rule, meant for this value."""
    n, machines = instance.n, range(instance.machines)
    some = sorted(source.sample(range(n), source.randint(1, n)))
    rule = source.choice(["C0", "C4", "C10"] if problem == "load" else ["C0", "C3", "C5", "C5", "C5", "C10"])
    if rule == "C0":
        return {"rule": "C0", "job": source.randrange(n)}
    if rule == "C4":
        chosen = sorted(source.sample(machines, source.randint(1, len(machines))))
        return {"rule": "C4", "machine": chosen, "round": source.random() < 0.5}
    if rule == "C5":
        return {"rule": "C5", "job": some, "value": str(value), "round": source.random() < 0.5}
    if rule == "C10":
        evidence = distinction(instance, problem, value, source)
        return evidence if source.random() < 0.5 else {**evidence, "tree": spoiled(evidence["tree"], source, n)}
    rows = [(i, source.choice([0, 0, 1, 2]), source.choice([0, 1, 2]), source.randrange(2)) for i in machines] * 2
    omega = sorted({str(weight(instance.to_document(), j, problem)) for j in some}, key=Fraction)[:2]
    evidence = {"rule": "C3", "per_tick": 1, "machine": [i for i, *_ in rows], "start": [s for _, s, *_ in rows]}
    evidence |= {"end": [s + length for _, s, length, _ in rows], "weights": omega}
    return evidence | {"class": [min(c, len(omega) - 1) for *_, c in rows]}


def test_nothing_false_is_accepted_on_thousands_of_instances() -> None:
    """On 2000 random instances T* >= V is never accepted for V > T*, whatever the evidence; often for V <= T*."""
    source, count = random.Random(61), Counter[tuple[str, bool]]()
    for _ in range(2000):
        instance, problem = random_instance(source), source.choice(PROBLEMS)
        optimum = smallest_largest(instance.to_document(), problem)
        value = optimum * source.choice([Fraction(1, 2), Fraction(3, 4), 1, 1, 1, 1 + TINY, Fraction(9, 8), 2])
        evidence = random_evidence(instance, problem, value, source)
        if evidence["rule"] == "C3":
            value = lemma_6_6(instance.to_document(), evidence, problem) or value
        shown = accepted(instance, problem, value, evidence)
        assert not shown or value <= optimum, (instance.to_document(), problem, str(value), evidence)
        count[evidence["rule"], shown] += 1
    assert all(count[rule, True] >= 40 for rule in ("C0", "C3", "C4", "C5", "C10")), count


def test_brute_force_agrees_with_deadlines() -> None:
    """The best order of priority on one machine has the value that deadlines r_j + T / w_j allow at the least."""
    source = random.Random(5)
    for _ in range(200):
        instance = random_instance(source).to_document()
        n, problem = len(instance["size"]), source.choice(IN_TIME)
        best = min(by_priority(instance, order, problem) for order in itertools.permutations(range(n)))

        def fits(T: Fraction, instance: Document = instance, problem: str = problem, n: int = n) -> bool:
            last = [r + math.floor(T / weight(instance, j, problem)) for j, r in enumerate(instance["release"])]
            return all(
                sum(instance["size"][j] for j in range(n) if a <= instance["release"][j] and last[j] <= b) <= b - a
                for a in instance["release"]
                for b in last
                if a <= b
            ) and all(last[j] >= instance["release"][j] + instance["size"][j] for j in range(n))

        assert fits(best)
        assert not fits(best - TINY)


def case(goals: list[Document], evidence: list[Document], problem: str = "max-flow") -> check.Verdict:
    instance = Instance.from_rows(1, [Row("a", 0, 3, None, 2)])
    return check.check_document(certificate(instance, goals, problem=problem, evidence=evidence))


UPPER: dict[str, Any] = {"rule": "C6", "dispatch": [0], "schedule": "fifo"}


@pytest.mark.parametrize(("problem", "value"), [("max-flow", 3), ("weighted", 6), ("stretch", 1)])
def test_optimum_is_named_where_the_bounds_meet(problem: str, value: int) -> None:
    """A lower and an upper bound with the same value, both shown, give one line more: what T* is."""
    lower = {"claim": "lower-bound", "value": value, "evidence": 0}
    upper = {"claim": "upper-bound", "value": value, "evidence": 1}
    verdict = case([lower, upper], [{"rule": "C0", "job": 0}, UPPER], problem)
    unit = {"max-flow": " ticks", "weighted": " ticks x weight units", "stretch": ""}[problem]
    assert verdict.shown[-1] == f"T* = {value}{unit}, as the bounds meet"
    apart = case([lower, {**upper, "value": value + 1}], [{"rule": "C0", "job": 0}, UPPER], problem)
    assert apart.verdict == "accepted"
    assert not any("T* =" in line for line in apart.shown)


def test_crossing_bounds_are_a_contradiction_and_no_verdict_accepts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a rule of the checker wrong, so that T* >= 4 and T* <= 3 are both shown, the certificate is rejected."""
    monkeypatch.setitem(check.RULES, "C0", lambda node, ground: Fraction(4))
    goals = [
        {"claim": "lower-bound", "value": 4, "evidence": 0},
        {"claim": "upper-bound", "value": 3, "evidence": 1},
    ]
    verdict = case(goals, [{"rule": "C0", "job": 0}, UPPER])
    assert (verdict.verdict, verdict.failed[0].rule, verdict.failed[0].place) == (
        "rejected",
        "contradiction",
        "$.goal",
    )


def test_weights_of_many_digits_only_weaken_a_bound() -> None:
    """Reciprocal weights without a common denominator of 1000 digits are rounded up, by less than 10^-1000."""
    primes = [10**400 + 69, 10**401 + 3, 10**402 + 13]
    parts, whole = check.in_parts([Fraction(1, w) for w in primes])
    assert all(
        0 < Fraction(part, whole) - Fraction(1, w) < Fraction(1, 10**1000)
        for part, w in zip(parts, primes, strict=True)
    )
    instance = Instance.from_rows(1, [Row(k, 0, 1, None, w) for k, w in enumerate(primes)])
    family = {"rule": "C3", "per_tick": 1, "machine": [0] * 3, "start": [0] * 3, "end": [0] * 3}
    family |= {"weights": primes, "class": [0, 1, 2]}
    exact = Fraction(6) / sum(Fraction(1, w) for w in primes)
    below = Fraction(math.floor(exact))
    assert accepted(instance, "weighted", below, family)
    assert not accepted(instance, "weighted", below + 1, family)
    hall = {"rule": "C5", "job": [0, 1, 2], "value": str(3 * primes[0])}
    assert accepted(instance, "weighted", 3 * primes[0], hall)
    assert not accepted(instance, "weighted", 3 * primes[0] + 1, {**hall, "value": str(3 * primes[0] + 1)})


def test_objectives_are_told_in_their_own_unit() -> None:
    """Weighted flow times are told in ticks x weight units and in the input's units, stretches as plain numbers."""
    instance = Instance.from_rows(1, [Row("a", 0, 2, None, 3)])
    columns = instance.to_document() | {"tick": "1/4", "weight_unit": "1/2"}
    more: Document = {"instance": columns, "sha256": check.read_columns(check.Node(columns)).sha256}
    more |= {"run": {"algorithm": "x", "dispatch": [0], "schedule": "fifo"}}

    def told(problem: str, value: int) -> list[str]:
        goals = [{"claim": "objective", "value": value}]
        return check.check_document(certificate(instance, goals, problem=problem) | more).shown

    assert (
        "the largest weighted flow time of an accepted job is 6 ticks x weight units (3/4 in the input's units)"
        in (told("weighted", 6)[1])
    )
    assert told("stretch", 1)[1] == "the largest stretch of an accepted job is 1 (rule C2)"
    assert told("stretch", 1)[0].startswith("all of this is about stretches, flow times over sizes, in the instance")
    assert told("weighted", 6)[0].startswith("all of this is about weighted flow times in the instance of 1 jobs")


def test_machine_set_of_a_branch_is_judged_on_the_branch() -> None:
    """Inside a case distinction a machine set confines the jobs of its branch: direct value and verdict agree."""
    instance = Instance.from_rows(2, [Row("a", 0, 3), Row("b", 0, 3), Row("c", 0, 2)])
    document = instance.to_document()
    branch = {**document, "eligible_sets": [[0], [0], [0, 1]], "eligible": [0, 1, 2]}
    assert machine_set(branch, {"rule": "C4", "machine": [0]}) == 6
    tree = [{"split": 0}, {"split": 1}, {"leaf": {"rule": "C4", "machine": [0]}}]
    verdict = judged(instance, "load", "lower-bound", 5, {"rule": "C10", "value": 5, "tree": tree})
    assert (verdict.verdict, verdict.failed[0].place) == ("malformed", "$.evidence[0].tree")
