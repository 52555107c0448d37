"""What certificates about schedules with speeds claim, evaluated directly from the definitions, at any pace."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from certify.speed.drift import Drift
from certify.speed.drift import serves_its_shortest as serves_shortest
from certify.speed.potential import Potential
from online.instance import Instance
from online.rows import Row
from online.speed.power import Power
from online.speed.power_text import power_of
from online.speed.trajectory import Segment, Trajectory

Document = dict[str, Any]
Piece = tuple[int, Fraction, Fraction, Fraction]
"""Job, start, end, dial."""


def power(document: Document) -> Power:
    return power_of({key: [[str(x) for x in pair] for pair in value] for key, value in document["power"].items()})


def pieces(schedule: Document) -> list[Piece]:
    d = schedule["per_tick"]
    columns = zip(*(schedule[name] for name in ("job", "start", "end", "dial")), strict=True)
    return [(j, Fraction(s, d), Fraction(e, d), Fraction(schedule["dials"][x])) for j, s, e, x in columns]


def cost(document: Document, schedule: Document) -> Fraction | None:
    """Flow plus energy, interval by interval; None if the schedule is infeasible."""
    instance, law, listed = document["instance"], power(document), pieces(schedule)
    release, size = instance["release"], instance["size"]
    good = all(release[j] <= s < e for j, s, e, _ in listed)
    good &= all(a[0] != b[0] or a[2] <= b[1] or b[2] <= a[1] for a, b in itertools.combinations(listed, 2))
    times = sorted({time for _, s, e, _ in listed for time in (s, e)} | set(map(Fraction, release)))
    end = {j: max((e for k, _, e, _ in listed if k == j), default=Fraction(-1)) for j in range(len(size))}
    total = Fraction(0)
    for a, b in itertools.pairwise(times):
        now = [x for j, s, e, x in listed if s <= a and b <= e]
        good &= len(now) <= instance["machines"]
        alive = sum(release[j] <= a and b <= end[j] for j in range(len(size)))
        total += (b - a) * (alive + sum((law.at(x).power for x in now), Fraction(0)))
    done = [sum((law.at(x).speed * (e - s) for k, s, e, x in listed if k == j), Fraction(0)) for j in range(len(size))]
    good &= all(d >= p for d, p in zip(done, size, strict=True))
    return total if good else None


def tangent(law: Document, dial: Fraction) -> tuple[Fraction, Fraction]:
    """Slope and conjugate of a dial: of a table, by trying every corner."""
    if "points" in law:
        corners = [(Fraction(s), Fraction(p)) for s, p in law["points"]]
        return dial, max(Fraction(0), *(dial * s - p for s, p in corners))
    point = power({"power": law}).at(dial)
    return point.marginal, point.conjugate


def price_bound(document: Document, evidence: Document) -> Fraction:
    """Sum over jobs of the least F(C), at C = the release and every grid point of each range; less the rent."""
    instance, grid = document["instance"], [Fraction(t) for t in evidence["grid"]]
    price = [Fraction(value) for value in evidence["price"]]

    def paid(y: Fraction, a: Fraction, b: Fraction) -> Fraction:
        cells = zip(itertools.pairwise([*grid, b + grid[-1] + 1]), [*price, Fraction(0)], strict=True)
        return sum((max(min(b, t) - max(a, s), 0) * max(y - value, 0) for (s, t), value in cells), Fraction(0))

    total = -instance["machines"] * sum(v * (b - a) for v, (a, b) in zip(price, itertools.pairwise(grid), strict=True))
    for r, w, ranges in zip(instance["release"], instance["size"], evidence["ranges"], strict=True):
        ends = [*(cell for cell, _ in ranges[1:]), len(grid) - 1]
        values = []
        for (cell, d), last in zip(ranges, ends, strict=True):
            mu, y = tangent(document["power"], Fraction(evidence["dials"][d]))
            times = {max(grid[cell], Fraction(r)), *(t for t in grid[cell : last + 1] if t >= r)}
            values += [c - r + mu * w - paid(y, Fraction(r), c) for c in times]
        total += min(values)
    return total


def trajectory(document: Document, schedule: Document) -> Trajectory:
    """The schedule as one of ours."""
    instance, listed = document["instance"], pieces(schedule)
    rows = [Row(j, *columns) for j, columns in enumerate(zip(instance["release"], instance["size"], strict=True))]
    times = sorted({time for _, s, e, _ in listed for time in (s, e)})
    segments = [
        Segment(a, b, tuple(sorted((j, x) for j, s, e, x in listed if s <= a and b <= e)))
        for a, b in itertools.pairwise(times)
    ]
    jobs = Instance.from_rows(instance["machines"], rows)
    return Trajectory(jobs, power(document), [one for one in segments if one.running], overshoot=True)


def drift_ratio(document: Document, evidence: Document) -> Fraction | None:
    """The least c of the drift condition; None if there is none, or the schedule is not of its class."""
    steps = tuple(Fraction(step) for step in evidence["steps"])
    both = [trajectory(document, one) for one in (document["run"]["schedule"], evidence["schedule"])]
    if evidence.get("class", "any") == "srpt" and not serves_shortest(both[1]):
        return None
    return Drift(*both, Potential(steps, Fraction(evidence["linear"]))).ratio


def backlog_holds(document: Document, evidence: Document) -> bool:
    """The drift inequality at the speeds that the run has, against 0, 1, ... jobs; in floats, but for a hair."""
    ((k, alpha),) = [(float(Fraction(c)), float(Fraction(e))) for c, e in document["power"]["terms"]]
    steps = [0.0, *(float(Fraction(step)) for step in evidence["steps"])]
    h, c, m = float(Fraction(evidence["linear"])), float(Fraction(evidence["ratio"])), document["instance"]["machines"]
    run = trajectory(document, document["run"]["schedule"])
    states = [(0, [])]
    for (segment, left), (a, _, n) in itertools.product(run.remaining(), run.unfinished):
        if segment.start <= a < segment.end:
            speeds = {j: run.power.at(dial).speed for j, dial in segment.running}
            now = [w - speeds.get(j, 0) * (a - segment.start) for j, w in enumerate(left)]
            alive = [j for j, w in enumerate(now) if w > 0 and document["instance"]["release"][j] <= a]
            alive.sort(key=lambda j: (now[j], -speeds.get(j, 0)))
            if len(alive) != n or any(j in speeds for j in alive[m:]):
                return False
            states.append((n, [float(speeds.get(j, 0)) for j in alive[:m]]))

    def conjugate(u: float) -> float:
        return k * (alpha - 1) * (u / (k * alpha)) ** (alpha / (alpha - 1))

    def excess(n: int, speeds: list[float], n_o: int) -> float:
        own = [k * s**alpha - s * (steps[max(0, n - n_o - i)] + h) for i, s in enumerate(speeds)]
        others = [c * conjugate((steps[max(0, n - i)] + h) / c) for i in range(min(m, n_o))]
        return n + sum(own) + sum(others) - c * n_o

    if any(n > len(evidence["steps"]) for n, _ in states):
        return False
    return all(excess(n, speeds, n_o) <= 1e-9 for n, speeds in states for n_o in range(max(n, m) + 3))


def routed(instance: Document, evidence: Document) -> bool:
    """Whether the policy routes so, job by job."""
    m, sent = instance["machines"], list(zip(instance["before"], evidence["before"], strict=True))
    for k in range(instance["rounds"]):
        each = zip(instance["each"], evidence["each"], strict=True)
        sent += [(size - k * instance["falling"], server) for size, server in each]
    jobs: list[list[int]] = [[] for _ in range(m)]
    for position, (size, server) in enumerate(sent):
        chosen = {position % m} if evidence["policy"] == "round-robin" else {min(range(m), key=lambda k: sum(jobs[k]))}
        if evidence["policy"] == "staying-srpt":
            idle = [k for k in range(m) if not jobs[k]][:1]
            chosen = set(idle or [k for k in range(m) if min(jobs[k]) > size]) or chosen
        if chosen != {server}:
            return False
        jobs[server].append(size)
    return True


def game_values(instance: Document, evidence: Document, alpha: Fraction) -> tuple[Decimal, Decimal]:
    """The cost where sent, and that of a schedule with the jobs dealt evenly, to many digits, in mu0 ticks."""
    with localcontext(prec=50):
        r, m = 1 - 1 / (Decimal(alpha.numerator) / Decimal(alpha.denominator)), instance["machines"]
        fall = (instance["rounds"] - 1) * instance["falling"]
        own: dict[int, list[int]] = {k: [] for k in range(m)}
        for size, server in zip(instance["before"], evidence["before"], strict=True):
            own[server].append(size)
        for size, server in zip(instance["each"], evidence["each"], strict=True):
            own[server] += [size - fall] * instance["rounds"]
        everything = [*instance["before"], *(size for size in instance["each"] for _ in range(instance["rounds"]))]
        groups = [[w for w in everything if w == size] for size in sorted(set(everything), reverse=True)]
        dealt: list[list[int]] = [[w for group in groups for w in group[k::m]] for k in range(m)]

        def weighed(sizes: list[int]) -> Decimal:
            ordered = sorted(sizes, reverse=True)
            return sum((Decimal(k) ** r * w for k, w in enumerate(ordered, start=1)), Decimal(0))

        return sum(map(weighed, own.values()), Decimal(0)), sum(map(weighed, dealt), Decimal(0))


def true(document: Document) -> bool:
    """Whether every goal of a well-formed certificate of `energy` or `routing` follows from what it holds."""
    if document["problem"] == "routing":
        return _routing_true(document)
    goals = document["goal"]
    run = cost(document, document["run"]["schedule"]) if "run" in document else None

    def shown(evidence: Document) -> Fraction | None:
        rule = evidence["rule"]
        if rule == "C9":
            return price_bound(document, evidence)
        if rule == "C6":
            return cost(document, evidence["schedule"])
        if run is None:
            return None
        if rule == "C9-drift":
            return None if cost(document, evidence["schedule"]) is None else drift_ratio(document, evidence)
        return Fraction(evidence["ratio"]) if backlog_holds(document, evidence) else None

    bounds = [shown(one) for one in document["evidence"]]
    best = max((Fraction(goal["value"]) for goal in goals if goal["claim"] == "lower-bound"), default=Fraction(0))

    def holds(goal: Document) -> bool:
        value, claim = Fraction(goal.get("value", 0)), goal["claim"]
        if claim == "lower-bound":
            return value <= (bounds[goal["evidence"]] if "evidence" in goal else 0)
        if claim in ("upper-bound", "drift", "competitive"):
            return value >= bounds[goal["evidence"]]
        if run is None:
            return False
        return {"feasible": True, "objective": value == run, "ratio": best > 0 and value * best >= run}[claim]

    return None not in bounds and all(map(holds, goals))


def _routing_true(document: Document) -> bool:
    ((_, alpha),) = document["power"]["terms"]
    instance = document["instance"]
    if instance["rounds"] * len(instance["each"]) > 10**5 or not all(routed(instance, e) for e in document["evidence"]):
        return False
    values = [game_values(instance, one, Fraction(alpha)) for one in document["evidence"]]
    hair = Decimal("1e-25")

    def decimal(text: str) -> Decimal:
        value = Fraction(text)
        return Decimal(value.numerator) / Decimal(value.denominator)

    return all(
        decimal(goal["cost"]) <= values[goal["evidence"]][0] * (1 + hair)
        and decimal(goal["opt"]) >= values[goal["evidence"]][1] * (1 - hair)
        for goal in document["goal"]
    )


def decimals(value: Fraction, places: int = 6) -> Fraction:
    """A little less, with few digits."""
    return Fraction(math.floor(value * 10**places), 10**places)
