"""The intervals of algorithm B's late rejections, and what is counted in them, against a look at every single tick."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from naive_weighted import Naive, play

from online.generate import Dice
from online.generate.small import small_weighted
from online.weighted.classes import Types
from online.weighted.doubling import decide
from online.weighted.intervals import Measured, Wait, figure_5, figure_7, look_back, measured
from online.weighted.parameters import Parameters
from online.weighted.schedule import Schedule

RULES = {"figure 5": figure_5, "figure 7": figure_7, "look back": look_back}
Ticks = set[int]


class Naively:
    """One machine and density class, tick by tick: `held[t]` are the jobs of the class in B's queue at tick t."""

    def __init__(self, types: Types, run: Naive, machine: int, density: int) -> None:
        self.types, self.run, self.machine, self.density = types, run, machine, density
        release = types.instance.release.tolist()
        self.jobs = [j for j, i in enumerate(run.dispatch) if i == machine and types.types[j].density == density]
        self.release = {j: release[j] for j in self.jobs}
        out = {j: run.b_done.get(j, run.late.get(j, release[j])) for j in self.jobs}
        self.held = [{j for j in self.jobs if release[j] <= t < out[j]} for t in range(len(run.b_work[machine]))]
        self.late = {j: run.late[j] for j in self.jobs if j in run.late}

    def weight(self, job: int) -> int:
        return self.types.types[job].weight

    def where(self, wanted: Callable[[int], bool]) -> Ticks:
        return {t for t, jobs in enumerate(self.held) if any(map(wanted, jobs))}

    def figure_5(self) -> list[Ticks]:
        return _runs(self.where(lambda j: j in self.late))

    def figure_7(self) -> list[Ticks]:
        found: list[Ticks] = []
        for w in {self.weight(j) for j in self.late}:
            for ticks in _runs(self.where(lambda j, w=w: self.weight(j) >= w)):
                kept = any(self.weight(j) == w and self.release[j] in ticks for j in self.late)
                if kept and ticks not in found:
                    found.append(ticks)
        return [one for one in found if not any(one < other for other in found)]

    def backwards(self, job: int) -> Ticks:
        t = self.late[job]
        while t and any(self.weight(j) >= self.weight(job) for j in self.held[t - 1]):
            t -= 1
        return set(range(t, self.late[job]))

    def look_back(self) -> list[Ticks]:
        return _runs(set().union(*(self.backwards(j) for j in self.late)))

    def counts(self, rule: str, ticks: Ticks, job: int) -> bool:
        if self.release[job] not in ticks:
            return False
        if rule == "look back":
            steps = [(self.backwards(j), self.weight(j)) for j in self.late]
            return any(self.release[job] in step and self.weight(job) >= w for step, w in steps)
        least = min(self.weight(j) for j in self.late if self.release[j] in ticks)
        return self.weight(job) >= least


def _runs(ticks: Ticks) -> list[Ticks]:
    out: list[Ticks] = []
    for t in sorted(ticks):
        if t - 1 in ticks:
            out[-1].add(t)
        else:
            out.append({t})
    return out


def _described(naive: Naively, rule: str, ticks: Ticks) -> tuple:
    types, size = naive.types, naive.types.instance.size.tolist()
    inside = sorted(j for j in naive.late if naive.release[j] in ticks)
    dispatched: Counter[int] = Counter()
    for j in naive.jobs:
        if naive.counts(rule, ticks, j):
            dispatched[naive.weight(j)] += size[j]
    spent: Counter[tuple] = Counter()
    for t in ticks:
        a, b = naive.run.a_work[naive.machine][t], naive.run.b_work[naive.machine][t]
        spent[None if a is None else types.types[a], types.types[b], b in inside] += 1
    least = min(naive.weight(j) for j in inside)
    return min(ticks), max(ticks) + 1, least, tuple(inside), sum(size[j] for j in inside), dispatched, spent


def _measured(one: Measured) -> tuple:
    return (*one.interval[:4], one.rejected, one.dispatched, one.spent)


def _cases(number: int) -> Iterator[tuple[Types, dict, Naive]]:
    """Short segments, so that small instances have late rejections; one weight and two, one phase and many."""
    for seed in range(number):
        dice = Dice(seed)
        two = dice.below(2)
        parameters = {
            "epsilon": Fraction(1, 1 + dice.below(4)),
            "alpha": 1 << dice.below(3),
            "offset": dice.below(3),
            "beta": Fraction(1 + dice.below(8), 1 + dice.below(4)),
            "period": 2 + dice.below(3) if two else None,
        }
        instance = small_weighted(dice, jobs=30, span=8)
        types = (Types.two_weights if two else Types.weighted)(instance)
        guess = Fraction(1 + dice.below(40)) if dice.below(2) else None
        yield (
            types,
            parameters | {"guess": guess},
            play(instance, types.flow, types.rejection, **parameters, guess=guess),
        )


def test_intervals_and_their_counts_are_those_seen_tick_by_tick() -> None:
    """On 250 instances each rule gives the same intervals, R(I), w_min, volumes and ticks as the naive look at time."""
    seen: Counter[str] = Counter()
    for types, parameters, run in _cases(250):
        guess = parameters.pop("guess")
        schedule = Schedule.of(decide(types, Parameters(**parameters), guess))
        assert (schedule.late, schedule.completion) == (run.late, run.b_done)
        for machine in range(types.instance.machines):
            found = measured(schedule, machine, *RULES.values())
            for rule, by_rule in zip(RULES, found, strict=True):
                wanted = []
                for density in sorted({types.types[j].density for j in run.late if run.dispatch[j] == machine}):
                    naive = Naively(types, run, machine, density)
                    spans = getattr(naive, rule.replace(" ", "_"))()
                    wanted += [(density, *_described(naive, rule, ticks)) for ticks in spans]
                got = [(one.density, *_measured(one)) for one in by_rule]
                assert sorted(got, key=lambda one: one[:3]) == sorted(wanted, key=lambda one: one[:3])
                seen[rule] += len(got)
    assert min(seen.values()) > 150


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_every_late_job_waits_inside_one_interval_and_b_works_throughout(rule: Callable) -> None:
    """Intervals of a class are disjoint, hold the whole wait of each late-rejected job, and B is never idle in them."""
    late = 0
    for types, parameters, _ in _cases(60):
        guess = parameters.pop("guess")
        schedule = Schedule.of(decide(types, Parameters(**parameters), guess))
        for machine in range(types.instance.machines):
            [found] = measured(schedule, machine, rule)
            for one in found:
                assert sum(one.spent.values()) == one.length
                assert all(
                    one.interval.start <= types.instance.release[j] and schedule.late[j] <= one.interval.end
                    for j in one.interval.late
                )
                late += len(one.interval.late)
            for density in {one.density for one in found}:
                spans = sorted(one.interval[:2] for one in found if one.density == density)
                assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
        assert sum(
            len(one.interval.late) for i in range(types.instance.machines) for one in measured(schedule, i, rule)[0]
        ) == len(schedule.late)
    assert late > 100


def test_the_rules_differ_where_an_older_job_of_larger_weight_waits() -> None:
    """A heavy job waits at [0, 9), a light one of the class at [4, 8) and is dropped: Figure 5 sees only the latter."""
    waits = [Wait(0, 9, 1, 7, late=False), Wait(4, 8, 0, 8, late=True)]
    assert [rule(waits)[0][:2] for rule in RULES.values()] == [(4, 8), (0, 9), (0, 8)]
