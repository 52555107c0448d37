"""Games: accepted exactly if the schedule, the cost and the work left on the machines are as stated."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction

import pytest
from direct_evaluation import (
    PROBLEMS,
    Document,
    certificate,
    eligible,
    flows,
    instances,
    loads,
    smallest_largest,
    true,
    work_held,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from online.instance import Instance
from online.rows import Row

exactly = settings(derandomize=True, deadline=None, max_examples=150)
TINY = Fraction(1, 10**9)
SPEEDS = [Fraction(x) for x in ("1", "1", "1/2", "3/2", "2", "5/4")]


def assignment(instance: Document, source: random.Random) -> Document:
    """A run of load: some jobs rejected on arrival, some late."""
    n = len(instance["size"])
    dispatch = [source.choice([*eligible(instance, j), *eligible(instance, j), -1]) for j in range(n)]
    late = sorted((source.randint(j, n - 1), j) for j, i in enumerate(dispatch) if i >= 0 and source.random() < 0.3)
    record = {"job": [j for _, j in late], "after": [after for after, _ in late]}
    return {"algorithm": "x", "dispatch": dispatch, "schedule": "assignment", "late": record}


def schedule(instance: Document, source: random.Random) -> Document:
    """A run in time at any speed: a random order of priority, jobs rejected late at releases or between them."""
    n, speed = len(instance["size"]), source.choice(SPEEDS)
    release = [r * speed.numerator for r in instance["release"]]
    left = [p * speed.denominator for p in instance["size"]]
    dispatch = [source.choice([*eligible(instance, j), *eligible(instance, j), -1]) for j in range(n)]
    if speed == 1 and source.random() < 0.3:
        return {"algorithm": "x", "dispatch": dispatch, "schedule": "fifo"}
    never, order, rows = 10**6, source.sample(range(n), n), []
    at = [max(release[j], source.choice([*release, *range(9)])) if source.random() < 0.3 else never for j in range(n)]
    for time in itertools.count():
        waiting = [j for j in order if left[j] and dispatch[j] >= 0 and time < at[j]]
        if not waiting:
            break
        for i in sorted({dispatch[j] for j in waiting}):
            j = next((j for j in waiting if dispatch[j] == i and release[j] <= time), None)
            if j is not None:
                rows.append((j, i, time, time + 1))
                left[j] -= 1
    late = sorted((at[j], j) for j in range(n) if left[j] and dispatch[j] >= 0)
    columns = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [])
    pieces = dict(zip(("job", "machine", "start", "end"), columns, strict=True))
    run: Document = {"algorithm": "x", "dispatch": dispatch, "schedule": {"per_tick": speed.numerator, **pieces}}
    run |= {"late": {"job": [j for _, j in late], "time": [time for time, _ in late]}} if late else {}
    return run | ({"speed": str(speed)} if speed != 1 else {})


def played(instance: Instance, problem: str, source: random.Random) -> Document:
    """A game with a random run, exact values, and in its phases exactly what the machines hold."""
    columns = instance.to_document()
    run = assignment(columns, source) if problem == "load" else schedule(columns, source)
    whole = [source.choice(eligible(columns, j)) for j in range(instance.n)]
    simple = "assignment" if problem == "load" else "fifo"
    evidence: Document = {"rule": "C8", "dispatch": whole, "schedule": simple, "phases": []}
    document = certificate(instance, [], problem=problem, run=run, evidence=[evidence])
    for last in sorted(source.sample(range(instance.n), source.randint(0, instance.n))):
        machine = source.sample(range(instance.machines), source.randint(1, instance.machines))
        load = [str(work_held(document, last, i)) for i in machine]
        evidence["phases"].append({"last": last, "machine": machine, "load": load})
    value = loads if problem == "load" else flows
    cost, opt = (max(value(document, one) or [], default=Fraction(0)) for one in (run, evidence))
    document["goal"] = [{"claim": "game", "opt": str(opt), "cost": str(cost), "evidence": 0}]
    return document


@exactly
@given(instances(5), st.sampled_from(PROBLEMS), st.randoms(use_true_random=False))
def test_game_is_accepted_with_its_values_and_nothing_beyond(
    instance: Instance, problem: str, source: random.Random
) -> None:
    """Exactly the values of a game are accepted: not a smaller opt, a larger cost, or more on any machine."""
    document = played(instance, problem, source)
    verdict = check.check_document(document)
    assert verdict.verdict == "accepted", verdict
    goal, phases = document["goal"][0], document["evidence"][0]["phases"]
    assert Fraction(goal["opt"]) >= smallest_largest(document["instance"], problem)
    for key, nudge in (("opt", -TINY), ("cost", TINY)):
        changed = {**document, "goal": [{**goal, key: str(Fraction(goal[key]) + nudge)}]}
        failed = check.check_document(changed).failed[0]
        assert (failed.rule, failed.place) == ("C8", f"$.goal[0].{key}")
    for k, phase in enumerate(phases):
        for x, load in enumerate(phase["load"]):
            phase["load"][x] = str(Fraction(load) + TINY)
            failed = check.check_document(document).failed[0]
            assert (failed.rule, failed.place) == ("C8", f"$.evidence[0].phases[{k}].load[{x}]")
            phase["load"][x] = load


def numbers(value: object) -> list[tuple[list[int], int]]:
    """Every whole number of a run or game, with the list that it stands in."""
    if isinstance(value, dict):
        return [one for inner in value.values() for one in numbers(inner)]
    if isinstance(value, list) and value and type(value[0]) is int:
        return [(value, k) for k in range(len(value))]
    return [one for inner in value for one in numbers(inner)] if isinstance(value, list) else []


def test_changed_games_are_accepted_exactly_if_true() -> None:
    """On 2000 games with up to three numbers of run, witness or phases changed the verdict is the truth."""
    source, count = random.Random(8), Counter[tuple[str, str]]()
    for _ in range(2000):
        machines, problem = source.randint(1, 3), source.choice(PROBLEMS)
        sets = [sorted(source.sample(range(machines), source.randint(1, machines))) for _ in range(4)]
        rows = [Row(k, source.choice([0, 0, 1, 2, 3]), source.randint(1, 3), one, 1) for k, one in enumerate(sets)]
        document = played(Instance.from_rows(machines, rows), problem, source)
        places = numbers(document["run"]) + numbers(document["evidence"])
        for _ in range(source.choice([0, 1, 1, 2, 3])):
            column, k = source.choice(places)
            column[k] += source.choice([-1, 1])
        for phase in document["evidence"][0]["phases"]:
            if source.random() < 0.2:
                phase["load"][0] = str(max(Fraction(phase["load"][0]) + source.choice([-1, Fraction(1, 4)]), 0))
        verdict = check.check_document(document).verdict
        assert verdict == "malformed" or (verdict == "accepted") == true(document), document
        count[problem, verdict] += 1
    assert all(count[problem, verdict] >= 30 for problem in PROBLEMS for verdict in ("accepted", "rejected"))


def holds(problem: str, run: Document, rows: list[Row], last: int, load: Fraction | int, machine: int = 0) -> bool:
    """Whether the checker accepts that the machine holds this much after the arrival of job `last`."""
    instance = Instance.from_rows(2, rows)
    simple = "assignment" if problem == "load" else "fifo"
    evidence = {"rule": "C8", "dispatch": [1] * instance.n, "schedule": simple}
    evidence |= {"phases": [{"last": last, "machine": [machine], "load": [str(load)]}]}
    goal = {"claim": "game", "opt": 99, "cost": 0, "evidence": 0}
    document = certificate(instance, [goal], problem=problem, run={"algorithm": "x", **run}, evidence=[evidence])
    verdict = check.check_document(document)
    assert (verdict.verdict == "accepted") == true(document)
    assert all(failure.rule == "C8" for failure in verdict.failed)
    return verdict.verdict == "accepted"


def exactly_holds(problem: str, run: Document, rows: list[Row], last: int, load: Fraction | int) -> bool:
    return holds(problem, run, rows, last, load) and not holds(problem, run, rows, last, load + TINY)


def pieces(*rows: tuple[int, int, int, int], per_tick: int = 1) -> Document:
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]
    return {"per_tick": per_tick, **dict(zip(("job", "machine", "start", "end"), columns, strict=True))}


def test_jobs_of_one_instant_count_up_to_the_named_one() -> None:
    """Three jobs of size 2 at time 1 on a machine with one of size 3: it holds 4, 6, 8 as they arrive."""
    rows = [Row("a", 0, 3), *(Row(k, 1, 2) for k in range(3))]
    for problem, schedule in (("max-flow", "fifo"), ("stretch", "fifo")):
        run = {"dispatch": [0] * 4, "schedule": schedule}
        assert [exactly_holds(problem, run, rows, k, load) for k, load in enumerate([3, 4, 6, 8])] == [True] * 4
    run = {"dispatch": [0] * 4, "schedule": "assignment"}
    assert [exactly_holds("load", run, rows, k, load) for k, load in enumerate([3, 5, 7, 9])] == [True] * 4


def test_late_rejection_of_the_instant_is_done_by_then() -> None:
    """A running job rejected late at the release of the next one leaves nothing; a tick part later, what was left."""
    rows = [Row("a", 0, 4), Row("b", 3, 1)]

    def run(time: int) -> Document:
        rows = [(0, 0, 0, 4), (1, 0, 10, 12)]
        return {"dispatch": [0, 0], "schedule": pieces(*rows, per_tick=2), "late": {"job": [0], "time": [time]}}

    assert exactly_holds("max-flow", run(6), rows, 1, 1)
    assert exactly_holds("max-flow", run(7), rows, 1, 1 + 2)
    assert exactly_holds("max-flow", run(6), rows, 0, 4)


def test_job_rejected_at_its_own_release_never_counts() -> None:
    """Job c arrives at 2 and is rejected late at 2: neither after b, of that instant, nor after c or d is it held."""
    rows = [Row("a", 0, 5), Row("b", 2, 1), Row("c", 2, 7), Row("d", 4, 1)]
    run = {"dispatch": [0] * 4, "schedule": pieces((0, 0, 0, 5), (1, 0, 5, 6), (3, 0, 6, 7))}
    run |= {"late": {"job": [2], "time": [2]}}
    assert [exactly_holds("max-flow", run, rows, k, load) for k, load in enumerate([5, 4, 4, 3])] == [True] * 4


def test_late_rejections_of_load_count_from_the_arrival_that_they_follow() -> None:
    """Job a, rejected right after the arrival of b, is held after a and no longer after b."""
    rows = [Row("a", 0, 4), Row("b", 0, 1), Row("c", 0, 2)]
    run = {"dispatch": [0] * 3, "schedule": "assignment", "late": {"job": [0], "after": [1]}}
    assert [exactly_holds("load", run, rows, k, load) for k, load in enumerate([4, 1, 3])] == [True] * 3


def test_piece_across_the_moment_counts_up_to_it() -> None:
    """At speed 3/2 a job of size 6 runs from 0 to 4: at time 1 there is 9/2 left of it, at 4 nothing."""
    rows = [Row("a", 0, 6), Row("b", 1, 3, [1]), Row("c", 4, 3, [1])]
    run = {"dispatch": [0, 1, 1], "speed": "3/2", "schedule": pieces((0, 0, 0, 4), (1, 1, 1, 3), (2, 1, 4, 6))}
    assert [exactly_holds("max-flow", run, rows, k, load) for k, load in enumerate([6, Fraction(9, 2), 0])] == [
        True
    ] * 3


def test_machine_that_was_given_nothing_holds_nothing() -> None:
    """A machine without jobs, or with jobs rejected on arrival only, holds 0 and no more."""
    rows = [Row("a", 0, 6), Row("b", 1, 3)]
    run = {"dispatch": [0, -1], "schedule": "fifo"}
    assert holds("max-flow", run, rows, 1, 0, machine=1)
    assert not holds("max-flow", run, rows, 1, TINY, machine=1)


def test_game_names_its_ratio_and_speed() -> None:
    """The verdict of a game says opt, cost and ratio, and the speed unless it is 1; without jobs no ratio."""
    rows = [Row("a", 0, 2), Row("b", 0, 2)]
    evidence = {"rule": "C8", "dispatch": [0, 1], "schedule": "fifo", "phases": []}

    def shown(rows: list[Row], opt: int, cost: int, run: Document) -> list[str]:
        goal = {"claim": "game", "opt": opt, "cost": cost, "evidence": 0}
        witness = {**evidence, "dispatch": evidence["dispatch"][: len(rows)]}
        run = {"algorithm": "x", **run}
        return check.check_document(certificate(Instance.from_rows(2, rows), [goal], run=run, evidence=[witness])).shown

    told = "a game: T* <= 2 ticks, while the largest flow time of an accepted job"
    assert shown(rows, 2, 3, {"dispatch": [0, 0], "schedule": "fifo"})[1:] == [
        f"{told} is at least 3 ticks, a ratio of at least 3/2; its phases hold (rule C8)"
    ]
    fast = {"dispatch": [0, 0], "speed": 2, "schedule": pieces((0, 0, 0, 1), (1, 0, 1, 2))}
    assert shown(rows, 2, 2, fast)[1:] == [
        f"{told} at speed 2 is at least 2 ticks, a ratio of at least 1; its phases hold (rule C8)"
    ]
    assert "ratio" not in shown([], 2, 0, {"dispatch": [], "schedule": "fifo"})[1]


def test_opt_of_a_game_meets_a_lower_bound() -> None:
    """A bound from below equal to the opt of a game shows what T* is; one below an opt that is too large does not."""
    instance = Instance.from_rows(1, [Row("a", 0, 2)])
    goals = [{"claim": "game", "opt": 2, "cost": 0, "evidence": 1}, {"claim": "lower-bound", "value": 2, "evidence": 0}]
    evidence = [{"rule": "C0", "job": 0}, {"rule": "C8", "dispatch": [0], "schedule": "fifo", "phases": []}]
    run = {"algorithm": "x", "dispatch": [-1], "schedule": "fifo"}
    verdict = check.check_document(certificate(instance, goals, run=run, evidence=evidence))
    assert verdict.shown[-1] == "T* = 2 ticks, as the bounds meet"
    goals[0]["opt"] = 3
    verdict = check.check_document(certificate(instance, goals, run=run, evidence=evidence))
    assert verdict.shown[-1] == "T* >= 2 ticks (rule C0)"


@pytest.mark.parametrize("claim", ["lower-bound", "upper-bound", "refuted-guess"])
def test_game_is_no_other_evidence(claim: str) -> None:
    """Evidence of a game is malformed under any other goal, and a game without a run is none."""
    instance = Instance.from_rows(1, [Row("a", 0, 2)])
    run = {"algorithm": "x", "dispatch": [0], "schedule": "fifo"}
    run |= {"phases": [{"guess": 1, "first": 0, "last": 0, "ended": False}]}
    evidence = [{"rule": "C8", "dispatch": [0], "schedule": "fifo", "phases": []}]
    goal: Document = {"claim": claim, "evidence": 0} | ({"phase": 0} if claim == "refuted-guess" else {"value": 2})
    verdict = check.check_document(certificate(instance, [goal], run=run, evidence=evidence))
    assert (verdict.verdict, verdict.failed[0].place) == ("malformed", "$.goal[0].evidence")
    game = {"claim": "game", "opt": 2, "cost": 0, "evidence": 0}
    verdict = check.check_document(certificate(instance, [game], evidence=evidence))
    assert (verdict.verdict, verdict.failed[0].place) == ("malformed", "$.run")


def test_game_of_an_infeasible_run_is_not_shown() -> None:
    """A run that leaves a job unfinished loses its game, whatever its phases say."""
    rows, run = [Row("a", 0, 2)], {"dispatch": [0], "schedule": pieces((0, 0, 0, 1))}
    instance = Instance.from_rows(2, rows)
    evidence = {"rule": "C8", "dispatch": [1], "schedule": "fifo", "phases": []}
    goal = {"claim": "game", "opt": 2, "cost": 0, "evidence": 0}
    verdict = check.check_document(certificate(instance, [goal], run={"algorithm": "x", **run}, evidence=[evidence]))
    assert [one.rule for one in verdict.failed] == ["C1", "C8", "C8"]
