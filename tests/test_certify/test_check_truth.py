"""The checker accepts exactly what is true: compared with direct evaluations written independently."""

from __future__ import annotations

from fractions import Fraction

from direct_evaluation import (
    Document,
    certificate,
    eligible,
    fifo_completion,
    flows,
    instances,
    lemma_6_1,
    optimum,
    true,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from online.instance import Instance
from online.rows import Row

exactly = settings(derandomize=True, deadline=None, max_examples=100)


@st.composite
def families(draw: st.DrawFn, instance: Instance) -> Document:
    per_tick = draw(st.integers(1, 3))
    span = st.tuples(st.integers(-2, 6 * per_tick), st.integers(0, 6 * per_tick))
    one = st.tuples(st.integers(0, instance.machines - 1), span, st.integers(1, 3))
    rows = draw(st.lists(one, min_size=1, max_size=6))
    evidence: Document = {"rule": "C3", "per_tick": per_tick, "machine": [i for i, _, _ in rows]}
    evidence |= {"start": [s for _, (s, _), _ in rows], "end": [s + length for _, (s, length), _ in rows]}
    if draw(st.booleans()):
        evidence["multiplicity"] = [c for _, _, c in rows]
    if draw(st.booleans()):
        evidence["alpha"] = draw(st.lists(st.integers(0, 2), min_size=instance.n, max_size=instance.n))
    return evidence


@exactly
@given(st.data())
def test_interval_family_shows_exactly_lemma_6_1(data: st.DataObject) -> None:
    """The checker accepts the value of Lemma 6.1 and nothing above it, and that value is at most T*."""
    instance = data.draw(instances())
    evidence = data.draw(families(instance))
    bound = lemma_6_1(instance.to_document(), evidence)

    def verdict(value: Fraction) -> str:
        goal = {"claim": "lower-bound", "value": str(value), "evidence": 0}
        return check.check_document(certificate(instance, [goal], evidence=[evidence])).verdict

    if bound is None:
        assert verdict(Fraction(-(10**6))) == "rejected"
    else:
        assert verdict(bound) == "accepted"
        assert verdict(bound + Fraction(1, 10**9)) == "rejected"
        assert bound <= optimum(instance.to_document())


@exactly
@given(st.data())
def test_refuted_guess_is_strictly_below_the_optimum(data: st.DataObject) -> None:
    """A guess is refuted exactly if Lemma 6.1 shows more than it; then T* is above it."""
    instance = data.draw(instances())
    evidence = {k: v for k, v in data.draw(families(instance)).items() if k != "alpha"}
    guess = data.draw(st.fractions(min_value=Fraction(1, 4), max_value=8, max_denominator=4))
    phases = [{"guess": str(guess), "first": 0, "last": instance.n - 1, "ended": False}]
    run = {"algorithm": "none", "dispatch": [-1] * instance.n, "schedule": "fifo", "phases": phases}
    goals = [{"claim": "refuted-guess", "phase": 0, "evidence": 0}]
    verdict = check.check_document(certificate(instance, goals, run=run, evidence=[evidence])).verdict
    bound = lemma_6_1(instance.to_document(), evidence)
    assert bound is not None
    assert verdict == ("accepted" if bound > guess else "rejected")
    assert verdict == "rejected" or optimum(instance.to_document()) > guess


@exactly
@given(st.data())
def test_goals_about_a_run_are_accepted_exactly_if_true(data: st.DataObject) -> None:
    """On random runs, feasible or not, with random claims, the verdict is the direct evaluation's."""
    instance = data.draw(instances())
    machine = st.integers(-1, instance.machines - 1)
    dispatch = data.draw(st.lists(machine, min_size=instance.n, max_size=instance.n))
    run = {"algorithm": "random", "dispatch": dispatch, "schedule": "fifo"}
    epsilon = st.sampled_from(["0", "1/4", "1/3", "1/2", "1"])
    goals: list[Document] = [
        {"claim": "budget", "epsilon": data.draw(epsilon), "weight": weight} for weight in ("count", "rejection")
    ]
    document = certificate(instance, [], run=run)
    times = flows(document)
    value = max(times, default=0) if times is not None else 1
    goals.append({"claim": "objective", "value": str(value + data.draw(st.sampled_from([0, 0, 0, 1, -1])))})
    document["goal"] = data.draw(st.lists(st.sampled_from([{"claim": "feasible"}, *goals]), min_size=1))
    assert (check.check_document(document).verdict == "accepted") == true(document)


@exactly
@given(st.data())
def test_pieces_of_a_run_are_accepted_exactly_if_true(data: st.DataObject) -> None:
    """A schedule at any speed, cut into pieces, keeps its objective; with a piece or the speed changed, the truth."""
    instance = data.draw(instances(4))
    document, speed = instance.to_document(), Fraction(data.draw(st.sampled_from(["1", "1/2", "5/4", "3/2", "2"])))
    dispatch = [data.draw(st.sampled_from(eligible(document, j))) for j in range(instance.n)]
    parts, length = 2 * speed.numerator, 2 * speed.denominator
    in_parts = {"release": [r * parts for r in document["release"]], "size": [p * length for p in document["size"]]}
    rows: list[list[int]] = []
    for j in range(instance.n):
        end = fifo_completion(in_parts, dispatch, j)
        start = end - in_parts["size"][j]
        cut = data.draw(st.integers(start, end))
        rows += [[j, dispatch[j], a, b] for a, b in ((start, cut), (cut, end)) if a < b]
    rows = data.draw(st.permutations(rows))
    if data.draw(st.booleans()):
        row, column = data.draw(st.sampled_from(rows)), data.draw(st.integers(2, 3))
        row[column] += data.draw(st.sampled_from([-1, 1]))
    job, machine, start_column, end_column = (list(column) for column in zip(*rows, strict=True))
    schedule = {"per_tick": parts, "job": job, "machine": machine, "start": start_column, "end": end_column}
    run: Document = {"algorithm": "pieces", "dispatch": dispatch, "schedule": schedule}
    told = data.draw(st.sampled_from([speed, speed, speed, Fraction(1), Fraction(3, 2)]))
    run |= {} if told == 1 else {"speed": str(told)}
    if data.draw(st.booleans()):
        late = data.draw(st.integers(0, instance.n - 1))
        run["late"] = {"job": [late], "time": [data.draw(st.integers(0, 12 * parts))]}
    claims = [{"claim": "feasible"}, {"claim": "budget", "epsilon": "1/3", "weight": "rejection"}]
    made = certificate(instance, claims[:1], run=run)
    times = flows(made)
    objective = {"claim": "objective", "value": str(max(times, default=0) if times is not None else 0)}
    made["goal"] = data.draw(st.sampled_from([[*claims[:1], objective], [claims[1]], [objective]]))
    assert (check.check_document(made).verdict == "accepted") == true(made)


def test_verdict_names_the_speed_in_each_line_about_the_run() -> None:
    """A run at speed 2 halves its flow times: every line about it says so, and no line of a run at speed 1 does."""
    instance = Instance.from_rows(1, [Row("a", 0, 4), Row("b", 0, 4)])
    goals = [{"claim": "feasible"}, {"claim": "budget", "epsilon": 0, "weight": "count"}]
    goals += [{"claim": "lower-bound", "value": 4, "evidence": 0}]

    def shown(speed: int) -> list[str]:
        schedule = {"per_tick": 1, "job": [0, 1], "machine": [0, 0]}
        schedule |= {"start": [0, 4 // speed], "end": [4 // speed, 8 // speed]}
        run = {"algorithm": "x", "dispatch": [0, 0], "schedule": schedule, "speed": speed}
        own = [{"claim": "objective", "value": 8 // speed}, {"claim": "ratio", "value": 2 // speed}]
        made = certificate(instance, [*goals, *own], run=run, evidence=[{"rule": "C0", "job": 0}])
        verdict = check.check_document(made)
        assert verdict.verdict == "accepted"
        return verdict.shown

    assert ["at speed 2" in line for line in shown(2)] == [False, True, True, False, True, True]
    assert shown(2)[-1].startswith("largest flow time at speed 2 / T* at speed 1 <= 1;")
    assert not any("speed" in line for line in shown(1))


def test_late_rejection_comes_before_the_arrivals_of_its_instant() -> None:
    """One of two jobs rejected late, the other arriving at 2: within 1/2 from half a tick after 2, not at 2."""
    instance = Instance.from_rows(2, [Row("a", 0, 9, [0]), Row("b", 2, 1, [1])])
    goals = [{"claim": "budget", "epsilon": "1/2", "weight": "count"}]
    schedule = {"per_tick": 2, "job": [1], "machine": [1], "start": [4], "end": [6]}

    def verdict(half_ticks: int) -> str:
        late = {"job": [0], "time": [half_ticks]}
        run = {"algorithm": "x", "dispatch": [0, 1], "schedule": schedule, "late": late}
        return check.check_document(certificate(instance, goals, run=run)).verdict

    assert [verdict(3), verdict(4), verdict(5)] == ["rejected", "rejected", "accepted"]
