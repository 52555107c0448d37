"""The checker accepts exactly what is true: compared with direct evaluations written independently here."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from online.instance import Instance
from online.rows import Row

Document = dict[str, Any]
ACCEPT = Path(__file__).parents[1] / "corpus" / "accept"
exactly = settings(derandomize=True, deadline=None, max_examples=100)


# ---------------------------------------------------------------- direct evaluations, from the definitions
def eligible(instance: Document, j: int) -> list[int]:
    return instance["eligible_sets"][instance["eligible"][j]]


def lemma_6_1(instance: Document, evidence: Document) -> Fraction | None:
    """The bound of Lemma 6.1, interval by interval and job by job; None if the duals are infeasible."""
    d = evidence["per_tick"]
    times = evidence.get("multiplicity") or [1] * len(evidence["machine"])
    family = list(zip(evidence["machine"], evidence["start"], evidence["end"], times, strict=True))
    most = [
        min(sum(c for i, s, e, c in family if i == machine and s <= r * d <= e) for machine in eligible(instance, j))
        for j, r in enumerate(instance["release"])
    ]
    alpha = evidence.get("alpha", most)
    if any(a > b for a, b in zip(alpha, most, strict=True)) or any(s > e for _, s, e, _ in family):
        return None
    volume = sum(Fraction(a * p) for a, p in zip(alpha, instance["size"], strict=True))
    return (volume - sum(Fraction((e - s) * c, d) for _, s, e, c in family)) / sum(c for *_, c in family)


def fifo_completion(instance: Document, dispatch: list[int], j: int) -> int:
    """C_j as the largest r_k + (volume from k to j) over the jobs k up to j on the same machine."""
    mine = [k for k in range(j + 1) if dispatch[k] == dispatch[j]]
    tails = [instance["release"][k] + sum(instance["size"][x] for x in mine if x >= k) for k in mine]
    return max(tails)


def flows(document: Document) -> list[Fraction] | None:
    """Flow times of the accepted jobs, or None if the run is infeasible."""
    instance, run = document["instance"], document["run"]
    dispatch = run["dispatch"]
    taken = [j for j, i in enumerate(dispatch) if i >= 0]
    if any(dispatch[j] not in eligible(instance, j) for j in taken):
        return None
    if run["schedule"] == "fifo":
        return [Fraction(fifo_completion(instance, dispatch, j) - instance["release"][j]) for j in taken]
    d, schedule = run["schedule"]["per_tick"], run["schedule"]
    columns = (schedule[name] for name in ("job", "machine", "start", "end"))
    pieces = [(j, i, Fraction(s, d), Fraction(e, d)) for j, i, s, e in zip(*columns, strict=True)]
    late_columns = run.get("late", {"job": [], "time": []})
    late_pairs = list(zip(late_columns["job"], late_columns["time"], strict=True))
    late = {j: Fraction(time, d) for j, time in late_pairs}
    good = len(late) == len(late_pairs) and all(j in taken and instance["release"][j] <= late[j] for j in late)
    good &= all(dispatch[j] == i and instance["release"][j] <= s < e for j, i, s, e in pieces)
    good &= all(e <= late[j] for j, _, _, e in pieces if j in late)
    good &= all(a[1] != b[1] or a[3] <= b[2] or b[3] <= a[2] for a, b in itertools.combinations(pieces, 2))
    done = [sum((e - s for k, _, s, e in pieces if k == j), Fraction(0)) for j in range(len(dispatch))]
    good &= all((done[j] < p) if j in late else (done[j] == p) for j, p in enumerate(instance["size"]) if j in taken)
    kept = [j for j in taken if j not in late]
    return [max(e for k, _, _, e in pieces if k == j) - instance["release"][j] for j in kept] if good else None


def within_budget(document: Document, epsilon: Fraction, weight: str) -> bool:
    """Rejected <= epsilon * arrived after each event, each side summed afresh."""
    instance, run = document["instance"], document["run"]
    size = instance["rejection_weight"] if weight == "rejection" else [1] * len(run["dispatch"])
    d = 1 if run["schedule"] == "fifo" else run["schedule"]["per_tick"]
    late = run.get("late", {"job": [], "time": []})
    events = [(Fraction(time, d), 0, j) for j, time in zip(late["job"], late["time"], strict=True)]
    events += [(Fraction(r), 1, j) for j, r in enumerate(instance["release"])]
    events.sort(key=lambda event: event[:2])
    for k in range(len(events)):
        seen = events[: k + 1]
        rejected = sum(size[j] for _, kind, j in seen if kind == 0 or run["dispatch"][j] < 0)
        if rejected > epsilon * sum(size[j] for _, kind, j in seen if kind == 1):
            return False
    return True


def true(document: Document) -> bool:
    """Whether every goal of a well-formed certificate follows from what it holds."""
    instance, goals = document["instance"], document["goal"]
    shown = [
        Fraction(instance["size"][one["job"]]) if one["rule"] == "C0" else lemma_6_1(instance, one)
        for one in document["evidence"]
    ]
    if any(bound is None for bound in shown):
        return False
    times = flows(document) if "run" in document else None
    best = max((Fraction(goal["value"]) for goal in goals if goal["claim"] == "lower-bound"), default=Fraction(0))

    def holds(goal: Document) -> bool:
        value = Fraction(goal.get("value", 0))
        if goal["claim"] == "lower-bound":
            return value <= (shown[goal["evidence"]] if "evidence" in goal else 0)
        if goal["claim"] == "refuted-guess":
            return shown[goal["evidence"]] > Fraction(document["run"]["phases"][goal["phase"]]["guess"])
        if times is None:
            return False
        if goal["claim"] == "budget":
            return within_budget(document, Fraction(goal["epsilon"]), goal["weight"])
        objective = max(times, default=Fraction(0))
        return {"feasible": True, "objective": value == objective, "ratio": best > 0 and value * best >= objective}[
            goal["claim"]
        ]

    return all(map(holds, goals))


# ---------------------------------------------------------------- mutation
def accepted_documents() -> dict[str, Document]:
    documents = {path.name: json.loads(path.read_bytes()) for path in sorted(ACCEPT.glob("*.json"))}
    return {name: document for name, document in documents.items() if "file" not in document["instance"]}


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every number of a document (integers, and texts that are numbers) with its path."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(inner, (*path, key))
    elif type(value) is int or (isinstance(value, str) and value.replace("/", "").isdigit()):
        yield path, value


def with_number(document: Document, path: tuple[Any, ...], value: Any) -> Document:
    out = copy.deepcopy(document)
    inner = out
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return out


def reason(document: Document, path: tuple[Any, ...], old: Fraction, new: Fraction) -> str:
    """Why a certificate with one number changed may still be accepted; empty if it may not."""
    if path[0] == "goal":
        claim, key = document["goal"][path[1]]["claim"], path[2]
        if (claim, key) in {("budget", "epsilon"), ("ratio", "value")}:
            return "a weaker claim" if new > old else ""
        if key == "evidence":
            return "another evidence that shows it too"
        return "a weaker claim" if (claim, key) == ("lower-bound", "value") and new < old else ""
    if path[0] == "evidence":
        return "another family or job that shows it too"
    if path[:2] == ("run", "phases") and path[-1] == "guess":
        return "a guess that no goal is about, or a smaller one"
    return "another run with the same properties" if path[0] == "run" and path[1] != "phases" else ""


@pytest.mark.parametrize("name", accepted_documents())
def test_nudged_number_is_noticed_or_harmless(name: str) -> None:
    """A number changed by one, or in sign, is accepted only for a stated reason, and only if all goals stay true."""
    document = accepted_documents()[name]
    assert true(document)
    for path, value in numbers(document):
        if path[0] in ("sha256", "source"):
            continue
        old = Fraction(value)
        for new in dict.fromkeys((old - 1, old + 1, -old, old * 2, 2**70 * old + 1)):
            changed = with_number(document, path, str(new) if isinstance(value, str) else int(new))
            if new == old or check.check_document(changed).verdict != "accepted":
                continue
            assert reason(document, path, old, new), f"{path}: {old} -> {new} went unnoticed"
            assert true(changed), f"{path}: {old} -> {new} is accepted but false"


@pytest.mark.parametrize("name", accepted_documents())
def test_number_of_another_type_is_malformed(name: str) -> None:
    """A float, boolean, null, list or object in place of any number is malformed, at exactly that place."""
    document = accepted_documents()[name]
    for path, value in numbers(document):
        if path[0] in ("sha256", "source") or "ids" in path or "parameters" in path:
            continue
        place = "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
        for other in (float(Fraction(value)) if abs(Fraction(value)) < 10**9 else 0.5, True, None, [], {}, "x", b"1"):
            verdict = check.check_document(with_number(document, path, other))
            assert (verdict.verdict, verdict.failed[0].place) == ("malformed", place), other


@pytest.mark.parametrize("name", accepted_documents())
def test_missing_member_is_never_accepted_in_silence(name: str) -> None:
    """A certificate without one of its members is accepted only if that member is optional, and then true."""
    document = accepted_documents()[name]
    optional = {"source", "parameters", "phases", "late", "multiplicity", "alpha", "guess", "evidence", "file"}
    optional |= {"format", "options", "invalid", "machines", "names", "epsilon"}

    def members(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            if isinstance(inner, dict | list):
                yield from members(inner, (*path, key))

    for path in members(document):
        changed = copy.deepcopy(document)
        inner = changed
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
        if check.check_document(changed).verdict == "accepted":
            assert path[-1] in optional or path[0] in ("goal", "source") or path[1:2] == ("phases",), path
            assert true(changed), path


# ---------------------------------------------------------------- properties on random small instances
@st.composite
def instances(draw: st.DrawFn, most_jobs: int = 5) -> Instance:
    machines = draw(st.integers(1, 3))
    sets = st.sets(st.integers(0, machines - 1), min_size=1)
    weight = st.integers(1, 4)
    job = st.tuples(st.integers(0, 5), st.integers(1, 4), sets, weight, weight)
    jobs = draw(st.lists(job, min_size=1, max_size=most_jobs))
    return Instance.from_rows(machines, [Row(k, r, p, sorted(s), w, v) for k, (r, p, s, w, v) in enumerate(jobs)])


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


def certificate(instance: Instance, goals: list[Document], **more: Any) -> Document:
    head = {"format": "dualfit-certificate", "version": 1, "problem": "max-flow", "goal": goals}
    return {**head, "sha256": instance.sha256, "instance": instance.to_document(), "evidence": [], **more}


def optimum(instance: Document) -> int:
    """T*, by trying every assignment: on one machine first in, first out minimises the largest flow time."""
    n = len(instance["release"])

    def value(dispatch: tuple[int, ...]) -> int:
        done = (fifo_completion(instance, list(dispatch), j) for j in range(n))
        return max(c - r for c, r in zip(done, instance["release"], strict=True))

    return min(map(value, itertools.product(*(eligible(instance, j) for j in range(n)))))


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
    """A schedule cut into pieces keeps its objective; with a piece moved or cut wrongly the verdict is the truth."""
    instance = data.draw(instances(4))
    document, parts = instance.to_document(), 2
    dispatch = [data.draw(st.sampled_from(eligible(document, j))) for j in range(instance.n)]
    rows: list[list[int]] = []
    for j in range(instance.n):
        end = fifo_completion(document, dispatch, j) * parts
        start = end - document["size"][j] * parts
        cut = data.draw(st.integers(start, end))
        rows += [[j, dispatch[j], a, b] for a, b in ((start, cut), (cut, end)) if a < b]
    rows = data.draw(st.permutations(rows))
    if data.draw(st.booleans()):
        row, column = data.draw(st.sampled_from(rows)), data.draw(st.integers(2, 3))
        row[column] += data.draw(st.sampled_from([-1, 1]))
    job, machine, start_column, end_column = (list(column) for column in zip(*rows, strict=True))
    schedule = {"per_tick": parts, "job": job, "machine": machine, "start": start_column, "end": end_column}
    run: Document = {"algorithm": "pieces", "dispatch": dispatch, "schedule": schedule}
    if data.draw(st.booleans()):
        late = data.draw(st.integers(0, instance.n - 1))
        run["late"] = {"job": [late], "time": [data.draw(st.integers(0, 12 * parts))]}
    claims = [{"claim": "feasible"}, {"claim": "budget", "epsilon": "1/3", "weight": "rejection"}]
    made = certificate(instance, claims[:1], run=run)
    times = flows(made)
    objective = {"claim": "objective", "value": str(max(times, default=0) if times is not None else 0)}
    made["goal"] = data.draw(st.sampled_from([[*claims[:1], objective], [claims[1]], [objective]]))
    assert (check.check_document(made).verdict == "accepted") == true(made)
