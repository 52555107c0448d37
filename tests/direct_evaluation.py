"""What a certificate claims, evaluated directly from the definitions; and small random instances to claim it of."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from online.instance import Instance
from online.rows import Row

Document = dict[str, Any]


@st.composite
def instances(draw: st.DrawFn, most_jobs: int = 5) -> Instance:
    machines = draw(st.integers(1, 3))
    sets = st.sets(st.integers(0, machines - 1), min_size=1)
    weight = st.integers(1, 4)
    job = st.tuples(st.integers(0, 5), st.integers(1, 4), sets, weight, weight)
    jobs = draw(st.lists(job, min_size=1, max_size=most_jobs))
    return Instance.from_rows(machines, [Row(k, r, p, sorted(s), w, v) for k, (r, p, s, w, v) in enumerate(jobs)])


def certificate(instance: Instance, goals: list[Document], **more: Any) -> Document:
    head = {"format": "dualfit-certificate", "version": 1, "problem": "max-flow", "goal": goals}
    return {**head, "sha256": instance.sha256, "instance": instance.to_document(), "evidence": [], **more}


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


def machine_set(instance: Document, evidence: Document) -> Fraction:
    """Total size of the jobs, each times the smallest beta of an eligible machine, over the total beta.

    With `round`: up to a multiple of every common divisor of the sizes of jobs whose smallest beta is positive.
    """
    listed = evidence["machine"]
    beta = evidence.get("beta", [1] * len(listed))
    smallest = [
        min(beta[listed.index(i)] if i in listed else 0 for i in eligible(instance, j))
        for j in range(len(instance["size"]))
    ]
    bound = Fraction(sum(b * p for b, p in zip(smallest, instance["size"], strict=True)), sum(beta))
    sizes = [p for b, p in zip(smallest, instance["size"], strict=True) if b]
    if not sizes or not evidence.get("round", False):
        return bound
    divisors = [d for d in range(1, min(sizes) + 1) if not any(p % d for p in sizes)]
    return Fraction(max(math.ceil(bound / d) * d for d in divisors))


def loads(document: Document) -> list[Fraction] | None:
    """The loads of the machines that were used, or None if the run is infeasible."""
    instance, dispatch = document["instance"], document["run"]["dispatch"]
    late = document["run"].get("late", {"job": [], "after": []})
    taken = [j for j, i in enumerate(dispatch) if i >= 0]
    good = all(dispatch[j] in eligible(instance, j) for j in taken)
    good &= len(set(late["job"])) == len(late["job"]) and set(late["job"]) <= set(taken)
    good &= all(j <= after for j, after in zip(late["job"], late["after"], strict=True))
    kept = [j for j in taken if j not in late["job"]]
    machines = sorted({dispatch[j] for j in kept})
    return [Fraction(sum(instance["size"][j] for j in kept if dispatch[j] == i)) for i in machines] if good else None


def within_load_budget(document: Document, epsilon: Fraction, weight: str) -> bool:
    """Rejected <= epsilon * arrived after each arrival and the late rejections that follow it."""
    instance, run = document["instance"], document["run"]
    size = instance["rejection_weight"] if weight == "rejection" else [1] * len(run["dispatch"])
    late = run.get("late", {"job": [], "after": []})
    for k in range(len(size)):
        rejected = [j for j in range(k + 1) if run["dispatch"][j] < 0]
        rejected += [j for j, after in zip(late["job"], late["after"], strict=True) if after <= k]
        if sum(size[j] for j in rejected) > epsilon * sum(size[: k + 1]):
            return False
    return True


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
    load = document["problem"] == "load"
    rules = {
        "C0": lambda one: Fraction(instance["size"][one["job"]]),
        "C3": lambda one: lemma_6_1(instance, one),
        "C4": lambda one: machine_set(instance, one),
    }
    shown = [rules[one["rule"]](one) for one in document["evidence"]]
    if any(bound is None for bound in shown):
        return False
    values = (loads if load else flows)(document) if "run" in document else None
    best = max((Fraction(goal["value"]) for goal in goals if goal["claim"] == "lower-bound"), default=Fraction(0))

    def holds(goal: Document) -> bool:
        value = Fraction(goal.get("value", 0))
        if goal["claim"] == "lower-bound":
            return value <= (shown[goal["evidence"]] if "evidence" in goal else 0)
        if goal["claim"] == "refuted-guess":
            return shown[goal["evidence"]] > Fraction(document["run"]["phases"][goal["phase"]]["guess"])
        if values is None:
            return False
        if goal["claim"] == "budget":
            within = within_load_budget if load else within_budget
            return within(document, Fraction(goal["epsilon"]), goal["weight"])
        objective = max(values, default=Fraction(0))
        return {"feasible": True, "objective": value == objective, "ratio": best > 0 and value * best >= objective}[
            goal["claim"]
        ]

    return all(map(holds, goals))


def optimum(instance: Document) -> int:
    """T*, by trying every assignment: on one machine first in, first out minimises the largest flow time."""
    n = len(instance["release"])

    def value(dispatch: tuple[int, ...]) -> int:
        done = (fifo_completion(instance, list(dispatch), j) for j in range(n))
        return max(c - r for c, r in zip(done, instance["release"], strict=True))

    return min(map(value, itertools.product(*(eligible(instance, j) for j in range(n)))))


def smallest_largest_load(instance: Document) -> int:
    """T* of the problem load, by trying every assignment."""
    size, machines = instance["size"], range(instance["machines"])

    def value(dispatch: tuple[int, ...]) -> int:
        return max(sum(p for i, p in zip(dispatch, size, strict=True) if i == machine) for machine in machines)

    return min(map(value, itertools.product(*(eligible(instance, j) for j in range(len(size))))))
