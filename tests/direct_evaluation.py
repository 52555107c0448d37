"""What a certificate claims, evaluated directly from the definitions; and small random instances to claim it of."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import speed_evaluation
from hypothesis import strategies as st

from online.instance import Instance
from online.rows import Row

Document = dict[str, Any]

PROBLEMS = ("max-flow", "weighted", "two-weights", "stretch", "load")
"""Those on machines at one speed."""


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


def weight(instance: Document, j: int, problem: str) -> Fraction:
    """w_j in the objective of the problem."""
    if problem == "stretch":
        return Fraction(1, instance["size"][j])
    return Fraction(instance["flow_weight"][j] if problem in ("weighted", "two-weights") else 1)


def lemma_6_6(instance: Document, evidence: Document, problem: str) -> Fraction | None:
    """The bound of Lemma 6.6, interval by interval and job by job; None if the duals are infeasible."""
    d, columns = evidence["per_tick"], (evidence["machine"], evidence["start"], evidence["end"])
    times = evidence.get("multiplicity") or [1] * len(evidence["machine"])
    least = [Fraction(evidence["weights"][c]) for c in evidence["class"]] if "weights" in evidence else [1] * len(times)
    family = list(zip(*columns, times, least, strict=True))

    def counting(j: int, machine: int) -> int:
        r, w = instance["release"][j], weight(instance, j, problem)
        return sum(c for i, s, e, c, omega in family if i == machine and s <= r * d <= e and w >= omega)

    most = [min(counting(j, i) for i in eligible(instance, j)) for j in range(len(instance["release"]))]
    alpha = evidence.get("alpha", most)
    if any(a > b for a, b in zip(alpha, most, strict=True)) or any(s > e for _, s, e, _, _ in family):
        return None
    volume = sum(Fraction(a * p) for a, p in zip(alpha, instance["size"], strict=True))
    length = sum(Fraction((e - s) * c, d) for _, s, e, c, _ in family)
    return (volume - length) / sum(c / Fraction(omega) for *_, c, omega in family)


def lemma_6_1(instance: Document, evidence: Document) -> Fraction | None:
    """The bound of Lemma 6.1: that of Lemma 6.6 where all weights are 1."""
    return lemma_6_6(instance, evidence, "max-flow")


def hall_set(instance: Document, evidence: Document, problem: str) -> Fraction | None:
    """The value of a Hall set if its windows have too little room for anything less; else None.

    The room is measured in the segments between neighbouring ends; with `round` in slots of length g.
    """
    jobs, value = evidence["job"], Fraction(evidence["value"])
    volume = sum(instance["size"][j] for j in jobs)
    first = [instance["release"][j] for j in jobs]
    machines = sorted({i for j in jobs for i in eligible(instance, j)})
    on = [[x for x, j in enumerate(jobs) if i in eligible(instance, j)] for i in machines]
    if not evidence.get("round", False):
        last = [r + value / weight(instance, j, problem) for r, j in zip(first, jobs, strict=True)]
        ends = sorted({*map(Fraction, first), *last})
        segments = list(itertools.pairwise(ends))
        covered = ((a, b, any(first[x] <= a and b <= last[x] for x in mine)) for a, b in segments for mine in on)
        return value if sum((b - a for a, b, inside in covered if inside), Fraction(0)) <= volume else None
    numbers = [*(instance["size"][j] for j in jobs), *(r - first[0] for r in first)]
    g = max(d for d in range(1, min(instance["size"][j] for j in jobs) + 1) if not any(x % d for x in numbers))
    slots: set[tuple[int, int]] = set()
    for i, mine in zip(machines, on, strict=True):
        for x in mine:
            slot = first[x]
            while weight(instance, jobs[x], problem) * (slot + g - first[x]) < value:
                slots.add((i, slot))
                slot += g
    return value if len(slots) * g < volume else None


def case_distinction(instance: Document, evidence: Document, problem: str) -> Fraction | None:
    """The value of a case distinction if each leaf of the tree shows it; else None."""
    nodes, value = iter(evidence["tree"]), Fraction(evidence["value"])

    def shown(sets: list[list[int]]) -> bool:
        node = next(nodes)
        if "leaf" in node:
            branch = {**instance, "eligible_sets": sets, "eligible": list(range(len(sets)))}
            bound = lower_bound(branch, node["leaf"], problem)
            return bound is not None and bound >= value
        j = node["split"]
        parts = node.get("parts", [[i] for i in sets[j]])
        return False not in [shown([*sets[:j], part, *sets[j + 1 :]]) for part in parts]

    return value if shown([eligible(instance, j) for j in range(len(instance["size"]))]) else None


def lower_bound(instance: Document, evidence: Document, problem: str) -> Fraction | None:
    """What a piece of evidence shows that T* is at least; None if it shows nothing."""
    rule = evidence["rule"]
    if rule == "C0":
        return instance["size"][evidence["job"]] * weight(instance, evidence["job"], problem)
    if rule == "C4":
        return machine_set(instance, evidence)
    return {"C3": lemma_6_6, "C5": hall_set, "C10": case_distinction}[rule](instance, evidence, problem)


def fifo_completion(instance: Document, dispatch: list[int], j: int) -> int:
    """C_j as the largest r_k + (volume from k to j) over the jobs k up to j on the same machine."""
    mine = [k for k in range(j + 1) if dispatch[k] == dispatch[j]]
    tails = [instance["release"][k] + sum(instance["size"][x] for x in mine if x >= k) for k in mine]
    return max(tails)


def flows(document: Document, run: Document | None = None) -> list[Fraction] | None:
    """w_j F_j of the accepted jobs, or None if the run is infeasible."""
    run = document["run"] if run is None else run
    times, instance = flow_times(document["instance"], run), document["instance"]
    if times is None:
        return None
    return [weight(instance, j, document["problem"]) * flow for j, flow in times.items()]


def flow_times(instance: Document, run: Document) -> dict[int, Fraction] | None:
    """Flow times of the accepted jobs, or None if the run is infeasible."""
    dispatch = run["dispatch"]
    taken = [j for j, i in enumerate(dispatch) if i >= 0]
    if any(dispatch[j] not in eligible(instance, j) for j in taken):
        return None
    if run["schedule"] == "fifo":
        return {j: Fraction(fifo_completion(instance, dispatch, j) - instance["release"][j]) for j in taken}
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
    speed = Fraction(run.get("speed", 1))
    done = [sum((speed * (e - s) for k, _, s, e in pieces if k == j), Fraction(0)) for j in range(len(dispatch))]
    good &= all((done[j] < p) if j in late else (done[j] == p) for j, p in enumerate(instance["size"]) if j in taken)
    kept = [j for j in taken if j not in late]
    return {j: max(e for k, _, _, e in pieces if k == j) - instance["release"][j] for j in kept} if good else None


def work_held(document: Document, last: int, machine: int) -> Fraction:
    """What the machine of a feasible run holds just after the arrival of a job, job by job and piece by piece."""
    instance, run = document["instance"], document["run"]
    dispatch, late = run["dispatch"], run.get("late", {"job": []})
    mine = [j for j in range(last + 1) if dispatch[j] == machine]
    if document["problem"] == "load":
        gone = [j for k, j in enumerate(late["job"]) if late["after"][k] <= last]
        return Fraction(sum(instance["size"][j] for j in mine if j not in gone))
    now, schedule = instance["release"][last], run["schedule"]
    if schedule == "fifo":
        ends = {j: fifo_completion(instance, dispatch, j) for j in mine}
        return Fraction(sum(min(max(ends[j] - now, 0), instance["size"][j]) for j in mine))
    d, columns = schedule["per_tick"], [schedule[name] for name in ("job", "start", "end")]
    before = [(j, min(Fraction(e, d), now) - min(Fraction(s, d), now)) for j, s, e in zip(*columns, strict=True)]
    gone = [j for k, j in enumerate(late["job"]) if Fraction(late["time"][k], d) <= now]
    speed = Fraction(run.get("speed", 1))
    left = (instance["size"][j] - speed * sum(time for k, time in before if k == j) for j in mine if j not in gone)
    return sum(left, Fraction(0))


def phases_hold(document: Document, evidence: Document) -> bool:
    """Whether in each phase of a game every machine holds what it is said to hold."""
    return all(
        Fraction(load) <= work_held(document, phase["last"], machine)
        for phase in evidence["phases"]
        for machine, load in zip(phase["machine"], phase["load"], strict=True)
    )


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


def loads(document: Document, run: Document | None = None) -> list[Fraction] | None:
    """The loads of the machines that were used, or None if the run is infeasible."""
    run = document["run"] if run is None else run
    instance, dispatch = document["instance"], run["dispatch"]
    late = run.get("late", {"job": [], "after": []})
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
    if document["problem"] in ("energy", "routing"):
        return speed_evaluation.true(document)
    instance, goals, problem = document["instance"], document["goal"], document["problem"]
    load = problem == "load"
    valued = loads if load else flows

    def bound(evidence: Document) -> Fraction | None:
        if evidence["rule"] not in ("C6", "C8"):
            return lower_bound(instance, evidence, problem)
        each = valued(document, evidence)
        if evidence["rule"] == "C8" and (valued(document) is None or not phases_hold(document, evidence)):
            return None
        return None if each is None else max(each, default=Fraction(0))

    shown = [bound(one) for one in document["evidence"]]
    if any(one is None for one in shown):
        return False
    values = valued(document) if "run" in document else None
    best = max((Fraction(goal["value"]) for goal in goals if goal["claim"] == "lower-bound"), default=Fraction(0))

    def holds(goal: Document) -> bool:
        value = Fraction(goal.get("value", 0))
        if goal["claim"] == "lower-bound":
            return value <= (shown[goal["evidence"]] if "evidence" in goal else 0)
        if goal["claim"] == "upper-bound":
            return value >= shown[goal["evidence"]]
        if goal["claim"] == "refuted-guess":
            return shown[goal["evidence"]] > Fraction(document["run"]["phases"][goal["phase"]]["guess"])
        if values is None:
            return False
        if goal["claim"] == "game":
            opt, cost = Fraction(goal["opt"]), Fraction(goal["cost"])
            return shown[goal["evidence"]] <= opt and cost <= max(values, default=Fraction(0))
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


def smallest_largest(instance: Document, problem: str) -> Fraction:
    """T* of any problem, by trying every assignment and, on each machine, every order of priority of its jobs.

    With deadlines r_j + T / w_j the rule of the earliest deadline is such an order, so one of them is optimal.
    """
    if problem == "load":
        return Fraction(smallest_largest_load(instance))
    n = len(instance["release"])
    alone = {
        jobs: min(by_priority(instance, order, problem) for order in itertools.permutations(jobs))
        for size in range(n + 1)
        for jobs in itertools.combinations(range(n), size)
    }

    def value(dispatch: tuple[int, ...]) -> Fraction:
        return max(alone[tuple(j for j in range(n) if dispatch[j] == i)] for i in set(dispatch))

    return min(map(value, itertools.product(*(eligible(instance, j) for j in range(n)))))


def by_priority(instance: Document, order: tuple[int, ...], problem: str) -> Fraction:
    """The largest w_j F_j on one machine that works tick by tick on the first job of the order that is there."""
    left, flow, time = {j: instance["size"][j] for j in order}, {}, 0
    while left:
        now = next((j for j in order if j in left and instance["release"][j] <= time), None)
        time += 1
        if now is not None:
            left[now] -= 1
            if left[now] == 0:
                del left[now]
                flow[now] = time - instance["release"][now]
    return max((weight(instance, j, problem) * flow[j] for j in order), default=Fraction(0))
