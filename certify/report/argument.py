"""Why T* is at least what a piece of evidence shows: the numbers of its rule's proof on this instance, exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.check import in_parts
from certify.evidence import weights_of
from certify.problems.registry import TRACKS
from certify.reopen import reopen_family
from lp.load.weak_duality import largest_duals as least_prices
from lp.weak_duality import largest_duals
from online import exact
from online.instance import Instance
from online.weights import Weights

Evidence = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Ground:
    """The instance that evidence is about, the weights w_j of the objective, and the units of the input.

    `unit` is one tick times one unit of the weights.
    """

    problem: str
    instance: Instance
    weights: Weights
    tick: Fraction
    unit: Fraction

    @classmethod
    def of(cls, problem: str, instance: Instance) -> Ground:
        """The ground of one of the problems of [R]."""
        weights = weights_of(problem, instance) or Weights.ones(instance)
        return cls(problem, instance, weights, instance.tick, TRACKS[problem].unit(instance))

    @property
    def weighted(self) -> bool:
        """Whether the objective has weights."""
        return self.problem not in ("max-flow", "load")

    @property
    def weight_unit(self) -> Fraction:
        """The unit of the weights w_j, in that of the input."""
        return self.unit / self.tick


@dataclass(frozen=True)
class Argument:
    """A proof that T* >= `value`, by `rule`; `terms` are its numbers. All are in the units of the input."""

    rule: str
    value: Fraction
    terms: Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """A group of like things in a sum: `key` names it, `count` are how many, `amount` what they add up to."""

    key: Any
    count: int
    amount: Fraction


def argument(evidence: Evidence, ground: Ground) -> Argument:
    """The proof by evidence for a lower bound that the checker accepted.

    Claim: `value` is exactly what the evidence shows to the checker, in the units of the input.

    >>> from online.rows import Row
    >>> ground = Ground.of("max-flow", Instance.from_rows(1, [Row(j, 0, 2) for j in range(3)]))
    >>> found = argument({"rule": "C3", "per_tick": 1, "machine": [0], "start": [0], "end": [0]}, ground)
    >>> found.value, found.terms["volume"], found.terms["share"]
    (Fraction(6, 1), Fraction(6, 1), Fraction(1, 1))
    """
    return RULES[evidence["rule"]](evidence, ground)


def _job(evidence: Evidence, ground: Ground) -> Argument:
    j = evidence["job"]
    size, weight = int(ground.instance.size[j]), ground.weights[j]
    terms = {
        "job": ground.instance.ids[j],
        "size": size * ground.tick,
        "weight": weight * ground.weight_unit,
        "weighted": ground.weighted,
        "load": ground.problem == "load",
    }
    return Argument("C0", size * weight * ground.unit, terms)


def _family(evidence: Evidence, ground: Ground) -> Argument:
    """`W T* + L >= A`, with W the share of the intervals, L their length, A the volume, by alpha."""
    instance, tick = ground.instance, ground.tick
    family = reopen_family(evidence)
    alpha = evidence.get("alpha") or largest_duals(instance, family, weights=ground.weights)
    parts, whole = in_parts([1 / Fraction(weight) for weight in family.weights])
    times = family.multiplicity.tolist()
    per_class = grouped(family.weight_class.tolist(), times, times)
    classes = [
        Part(family.weights[w] * ground.weight_unit, count, Fraction(parts[w] * count, whole) / ground.weight_unit)
        for w, count, _ in per_class
    ]
    spans = zip(family.start.tolist(), family.end.tolist(), times, strict=True)
    lengths = [times * (end - start) for start, end, times in spans]
    machines = grouped(family.machine.tolist(), times, lengths)
    by_alpha = grouped(alpha, [1] * instance.n, instance.size.tolist())
    volume = sum(alpha * size for alpha, _, size in by_alpha) * tick
    length = Fraction(sum(lengths), family.per_tick) * tick
    share = sum((part.amount for part in classes), Fraction(0))
    terms = {
        "weighted": ground.weighted,
        "intervals": len(family),
        "count": family.count,
        "volume": Fraction(volume),
        "length": length,
        "share": share,
        "classes": classes,
        "machines": [
            Part(instance.machine_name(i), count, Fraction(length, family.per_tick) * tick)
            for i, count, length in machines
        ],
        "alpha": [Part(alpha, count, size * tick) for alpha, count, size in by_alpha],
    }
    return Argument("C3", (volume - length) / share, terms)


def _prices(evidence: Evidence, ground: Ground) -> Argument:
    """`B T* >= A`, with B the sum of the prices, A the volume at each job's cheapest price; rounded up to `step`s."""
    instance, machines = ground.instance, evidence["machine"]
    beta = [0] * instance.machines
    for i, price in zip(machines, evidence.get("beta") or [1] * len(machines), strict=True):
        beta[i] = price
    least, sizes = least_prices(instance, beta), instance.size.tolist()
    by_price = grouped(least, [1] * instance.n, sizes)
    volume, share = sum(price * size for price, _, size in by_price), sum(beta)
    value = Fraction(volume, share)
    step = max(1, math.gcd(*(size for price, size in zip(least, sizes, strict=True) if price)))
    rounded = bool(evidence.get("round"))
    terms = {
        "machines": [instance.machine_name(i) for i in machines],
        "plain": set(beta) <= {0, 1},
        "share": share,
        "volume": volume * ground.tick,
        "prices": [Part(price, count, size * ground.tick) for price, count, size in by_price],
        "by_price": [Part(price, count, Fraction(price)) for price, count, _ in grouped(beta, [1] * len(beta), beta)],
        "unrounded": value * ground.tick,
        "step": step * ground.tick if rounded else None,
    }
    return Argument("C4", (math.ceil(value / step) * step if rounded else value) * ground.tick, terms)


def _crowd(evidence: Evidence, ground: Ground) -> Argument:
    """The windows of the jobs J have the room R, their volume is P: P >= R, or P > R with windows cut to the grid."""
    instance, jobs, rounded = ground.instance, evidence["job"], bool(evidence.get("round"))
    value = exact.rational(evidence["value"])
    release, size = instance.release[jobs].tolist(), instance.size[jobs].tolist()
    rank = ground.weights.rank[jobs].tolist()
    used = sorted(set(rank))
    lengths = [value / ground.weights.values[k] for k in used]
    step = math.gcd(*size, *(r - release[0] for r in release))
    if rounded:
        lengths = [Fraction((math.ceil(length / step) - 1) * step) for length in lengths]
    parts, whole = in_parts(lengths)
    length_of = dict(zip(used, parts, strict=True))
    rooms = _rooms(instance, jobs, [r * whole for r in release], [length_of[k] for k in rank])
    tick = ground.tick
    windows = [
        Part(ground.weights.values[k] * ground.weight_unit, count, Fraction(length_of[k], whole) * tick)
        for k, count, _ in grouped(rank, [1] * len(jobs), size)
    ]
    terms = {
        "weighted": ground.weighted,
        "jobs": len(jobs),
        "names": [instance.ids[j] for j in jobs],
        "volume": sum(size) * tick,
        "room": Fraction(sum(room for _, _, room in rooms), whole) * tick,
        "step": step * tick if rounded else None,
        "windows": windows,
        "machines": [
            Part(instance.machine_name(i), count, Fraction(room, whole) * tick) for i, count, room in sorted(rooms)
        ],
    }
    return Argument("C5", value * ground.unit, terms)


def _rooms(
    instance: Instance, jobs: Sequence[int], starts: Sequence[int], lengths: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Of each machine that some job may use: how many may, and the length of the union of their windows."""
    by_set: dict[int, list[int]] = {}
    for x, k in enumerate(instance.eligible_set[jobs].tolist()):
        by_set.setdefault(k, []).append(x)
    sets_on: dict[int, list[int]] = {}
    for k in by_set:
        for i in instance.sets[k]:
            sets_on.setdefault(i, []).append(k)
    alike: dict[tuple[int, ...], list[int]] = {}
    for i, sets in sets_on.items():
        alike.setdefault(tuple(sets), []).append(i)
    found = []
    for same, machines in alike.items():
        own = sorted(x for k in same for x in by_set[k])
        room = _union([(starts[x], starts[x] + lengths[x]) for x in own])
        found += [(i, len(own), room) for i in machines]
    return found


def _union(windows: Iterable[tuple[int, int]]) -> int:
    """The length of the union of windows whose starts ascend.

    >>> _union([(0, 3), (1, 2), (5, 6)])
    4
    """
    room, reach = 0, None
    for start, end in windows:
        if reach is None or end > reach:
            room += end - (start if reach is None else max(start, reach))
            reach = end
    return room


def grouped(keys: Sequence[int], counts: Sequence[int], amounts: Sequence[int]) -> list[tuple[int, int, int]]:
    """Counts and amounts added up by key, keys ascending.

    >>> grouped([1, 0, 1], [1, 1, 1], [5, 6, 7])
    [(0, 1, 6), (1, 2, 12)]
    """
    found: dict[int, tuple[int, int]] = {}
    for key, count, amount in zip(keys, counts, amounts, strict=True):
        counted, added = found.get(key, (0, 0))
        found[key] = counted + count, added + amount
    return [(key, *found[key]) for key in sorted(found)]


RULES: dict[str, Callable[[Evidence, Ground], Argument]] = {"C0": _job, "C3": _family, "C4": _prices, "C5": _crowd}
"""The proof by each rule but that of cases, which stands on these."""
