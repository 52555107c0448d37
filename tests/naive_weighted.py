"""Algorithms A and B of sections 6.2, 6.3 and 7 tick by tick: slow, short, and written from the paper alone."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from online.generate import Dice
from online.generate.small import small_weighted
from online.instance import Instance
from online.rows import Row
from online.weighted.classes import Types
from online.weighted.parameters import Parameters


@dataclass
class Waiting:
    """A job in a queue: `d`, `w` are its density and weight class."""

    job: int
    d: int
    w: int
    left: int
    since: int


@dataclass
class Naive:
    """All that happened, tick by tick; `a_work[i]` and `b_work[i]` name the job served at each tick, or None."""

    dispatch: list[int] = field(default_factory=list)
    level: list[int] = field(default_factory=list)
    phases: list[tuple[Fraction, int]] = field(default_factory=list)
    a_work: list[list[int | None]] = field(default_factory=list)
    b_work: list[list[int | None]] = field(default_factory=list)
    loads: list[list[dict[tuple[int, int], int]]] = field(default_factory=list)
    a_done: dict[int, int] = field(default_factory=dict)
    b_done: dict[int, int] = field(default_factory=dict)
    late: dict[int, int] = field(default_factory=dict)
    immediate: list[int] = field(default_factory=list)


def largest_exponent(value: Fraction) -> int:
    """The largest k with 2^k <= value, by counting."""
    k = 0
    while Fraction(2) ** k > value:
        k -= 1
    while Fraction(2) ** (k + 1) <= value:
        k += 1
    return k


def play(
    instance: Instance,
    flow: Sequence[Fraction | int],
    rejection: Sequence[Fraction | int],
    *,
    epsilon: Fraction,
    alpha: int,
    offset: int,
    beta: Fraction,
    period: int | None = None,
    guess: Fraction | None = None,
) -> Naive:
    """Play tick by tick; with `guess` one phase, else guess and double."""
    out, m = Naive(), instance.machines
    out.a_work, out.b_work, out.loads = [[] for _ in range(m)], [[] for _ in range(m)], [[] for _ in range(m)]
    jobs = list(instance.jobs())
    w = [largest_exponent(Fraction(x)) for x in flow]
    v = [largest_exponent(Fraction(x)) for x in rejection]
    d = [largest_exponent(Fraction(2) ** v[j] / jobs[j].size) for j in range(len(jobs))]
    a_queue: list[list[Waiting]] = [[] for _ in range(m)]
    b_queue: list[list[Waiting]] = [[] for _ in range(m)]
    count: dict[tuple[int, ...], int] = {}
    doubling, T, rejected, arrived = guess is None, guess, 0, 0
    t, nxt = 0, 0

    def load(i: int, j: int) -> Fraction | int:
        return sum(Fraction(2) ** x.w * x.left for x in a_queue[i] if (x.d, x.w) == (d[j], w[j]))

    def new_phase(j: int, value: Fraction) -> None:
        nonlocal T, rejected, arrived
        T, rejected, arrived = value, 0, 0
        out.phases.append((T, j))
        for i in range(m):
            a_queue[i].clear()
            for x in b_queue[i]:
                x.since = t

    def deadline(x: Waiting) -> int:
        s = math.ceil(beta * T / Fraction(2) ** x.w)
        return (x.since // s + 2) * s

    while nxt < len(jobs) or any(a_queue) or any(b_queue):
        for i in range(m):
            for x in [x for x in b_queue[i] if deadline(x) <= t]:
                b_queue[i].remove(x)
                out.late[x.job] = t
        while nxt < len(jobs) and jobs[nxt].release == t:
            job, j = jobs[nxt], nxt
            alone = Fraction(2) ** w[j] * job.size
            if j == 0:
                new_phase(0, guess if guess is not None else alone)
            elif doubling and alone > T:
                larger = T
                while larger < alone:
                    larger *= 2
                new_phase(j, larger)
            while True:
                i = min((load(k, j), k) for k in job.eligible)[1]
                level = load(i, j) + alone
                fits = level < alpha * alpha * T
                if fits or not doubling or rejected + rejection[j] <= epsilon * (arrived + rejection[j]):
                    break
                new_phase(j, 2 * T)
            arrived += rejection[j]
            rejected += 0 if fits else rejection[j]
            out.dispatch.append(i if fits else -1)
            out.level.append(int(level / Fraction(2) ** w[j]))
            if fits:
                a_queue[i].append(Waiting(j, d[j], w[j], job.size, t))
                key = (i, d[j], w[j], largest_exponent(Fraction(job.size)))
                count[key] = count.get(key, 0) + 1
                if period is not None and count[key] % period == 0:
                    out.immediate.append(j)
                else:
                    b_queue[i].append(Waiting(j, d[j], w[j], job.size, t))
            nxt += 1
        for i in range(m):
            loads: dict[tuple[int, int], int] = {}
            for x in a_queue[i]:
                loads[x.d, x.w] = loads.get((x.d, x.w), 0) + x.left
            out.loads[i].append(loads)
            best = max(
                ((Fraction(2) ** (d_ + w_) * n, d_, w_) for (d_, w_), n in loads.items()), default=(0, None, None)
            )[1:]
            served = next((x for x in a_queue[i] if (x.d, x.w) == best), None)
            out.a_work[i].append(served and served.job)
            top = max((x.d for x in b_queue[i]), default=None)
            wanted = top
            if served and top is not None and top < served.d + offset and any(x.d == served.d for x in b_queue[i]):
                wanted = served.d
            of_class = [x for x in b_queue[i] if x.d == wanted]
            mine = max(of_class, key=lambda x: x.w, default=None)
            out.b_work[i].append(mine and mine.job)
            for queue, x, done in ((a_queue[i], served, out.a_done), (b_queue[i], mine, out.b_done)):
                if x:
                    x.left -= 1
                    if not x.left:
                        queue.remove(x)
                        done[x.job] = t + 1
        t += 1
    return out


def reference(types: Types, parameters: Parameters, guess: Fraction | None) -> Naive:
    """The same play tick by tick, from the instance, the true weights and the constants."""
    return play(
        types.instance,
        types.flow,
        types.rejection,
        epsilon=parameters.epsilon,
        alpha=parameters.alpha,
        offset=parameters.offset,
        beta=parameters.beta,
        period=parameters.period,
        guess=guess,
    )


def worked(name: str) -> tuple[Types, dict[str, Any]]:
    """A worked example of `cases/weighted`: its jobs, numbered from 0, as types, and the whole document."""
    path = Path(__file__).parent / "cases" / "weighted" / f"{name}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    jobs = [job for job in document["jobs"] for _ in range(job.get("count", 1))]
    rows = [
        Row(k, job["release"], job["size"], job["eligible"], job["weight"], job.get("rejection_weight"))
        for k, job in enumerate(jobs)
    ]
    return Types.two_weights(Instance.from_rows(document["machines"], rows)), document


class Case(NamedTuple):
    """Something to run: `guess` None is guess and double."""

    types: Types
    parameters: Parameters
    guess: Fraction | None


def cases(count: int, seed: int, *, two: bool = False, span: int = 12) -> Iterator[Case]:
    """Random cases with small constants, so that A and B reject; about half of them double.

    With `two` weights every third case is about stretch, whose weight classes are negative.
    """
    dice = Dice(seed)
    for _ in range(count):
        instance = small_weighted(dice, longest=1 + dice.below(9), heaviest=dice.below(7), span=span)
        of = Types.weighted if not two else Types.two_weights if dice.below(3) else Types.stretch
        types = of(instance)
        constants = Parameters.two_weights if two else Parameters.one_weight
        beta = (None, Fraction(1, 2), Fraction(3, 2), Fraction(5))[dice.below(4)]
        offset = (None, 0, 1, 2, 5)[dice.below(5)]
        epsilon = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(1))[dice.below(4)]
        parameters = constants(epsilon, alpha=1 << dice.below(4), beta=beta, offset=offset)
        flow, sizes = map(Fraction, types.flow), instance.size.tolist()
        alone = max(Fraction(2) ** largest_exponent(w) * p for w, p in zip(flow, sizes, strict=True))
        yield Case(types, parameters, (None, None, alone, alone * 3 / 2, alone / 3)[dice.below(5)])
