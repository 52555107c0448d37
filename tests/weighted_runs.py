"""Runs of algorithm A for tests of its claims: bursts and lures, with the optimum of one machine."""

from __future__ import annotations

import heapq
from fractions import Fraction

from certify.audit import crafted
from certify.audit.crafted import Jobs
from certify.claims.claim import Claim, Entry, judge
from certify.claims.weighted import CLAIMS
from certify.claims.weighted_scene import WeightedScene
from online.generate import Dice
from online.instance import Instance
from online.rows import Row
from online.weighted.classes import Types
from online.weighted.doubling import decide
from online.weighted.parameters import Parameters
from online.weighted.trail import Trail

UNKNOWN = Fraction(10**15)
"""Above every optimum here."""


def one_machine(jobs: Jobs) -> Types:
    """The jobs on one machine; copies of a row come one after another."""
    return Types.two_weights(crafted.one_machine(jobs))


def one_machine_optimum(types: Types) -> int:
    """The least whole T for which EDF meets the deadlines `r + T/w`; weights are whole, hence so is the optimum."""
    sizes = types.instance.size.tolist()
    low = max(int(w) * p for w, p in zip(types.flow, sizes, strict=True))
    high = int(max(types.flow)) * sum(sizes)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _edf_meets(types, middle) else (middle + 1, high)
    return low


def _edf_meets(types: Types, bound: int) -> bool:
    release, size = types.instance.release.tolist(), types.instance.size.tolist()
    ready: list[list[Fraction | int]] = []
    now = j = 0
    while j < len(size) or ready:
        now = now if ready else max(now, release[j])
        while j < len(size) and release[j] <= now:
            heapq.heappush(ready, [release[j] + Fraction(bound, int(types.flow[j])), j, size[j]])
            j += 1
        deadline, _, left = ready[0]
        step = min(left, release[j] - now) if j < len(size) else left
        now += step
        if now > deadline:
            return False
        if left > step:
            ready[0][2] = left - step
        else:
            heapq.heappop(ready)
    return True


def scenes(
    types: Types,
    alpha: int,
    guess: Fraction | int | None = None,
    *,
    optimum: Fraction | int | None = None,
    epsilon: Fraction = Fraction(1, 2),
) -> list[WeightedScene]:
    """All phases; without `optimum` nothing is known of T*."""
    decisions = decide(types, Parameters.one_weight(epsilon, alpha=alpha), None if guess is None else Fraction(guess))
    lower, upper = (Fraction(0), UNKNOWN) if optimum is None else (Fraction(optimum), Fraction(optimum))
    return [WeightedScene(Trail(decisions, k), lower, upper, guess is None) for k in range(len(decisions.phases))]


def entry(id: str, found: list[WeightedScene]) -> Entry:
    """What a claim says on these phases."""
    claim: Claim[WeightedScene] = next(claim for claim in CLAIMS if claim.id == id)
    return judge(claim, found, Fraction(1))


def bursts(dice: Dice, alpha: int) -> Types:
    """A few bursts and dense streams on one or two machines, of sizes that fill queues, one weight or two."""
    machines, clock, rows = 1 + dice.below(2), 0, []
    two = dice.below(3) == 0
    for _ in range(1 + dice.below(4)):
        clock += dice.below(40)
        size, flow = 1 + dice.below(4), 1 << dice.below(4)
        rejection = 1 << dice.below(6) if two else flow
        count = 1 + dice.below(alpha**2 * (4 if dice.below(2) else 1) // (1 + dice.below(4)))
        wanted = None if dice.below(2) else [dice.below(machines)]
        step, slower = dice.below(3), 1 + dice.below(3)
        rows += [(clock + k * step // slower, size, wanted, flow, rejection) for k in range(count)]
    rows.sort(key=lambda row: row[0])
    listed = [
        Row(k, r, p, wanted, flow_weight=flow, rejection_weight=rejection)
        for k, (r, p, wanted, flow, rejection) in enumerate(rows)
    ]
    instance = Instance.from_rows(machines, listed)
    return Types.two_weights(instance) if two else Types.weighted(instance)


def lures(dice: Dice) -> Jobs:
    """Dense jobs of little flow weight that A serves first, while heavy ones come one by one: full queues at T = T*."""
    volume = (1 + dice.below(4)) << 3 + dice.below(4)
    after = dice.below(4) * volume + dice.below(volume)
    jobs = [(1, dice.below(3), volume, 1, 1 << 40)]
    for _ in range(1 + dice.below(3)):
        size, flow, density = 1 << dice.below(4), 1 << 3 + dice.below(9), dice.below(12)
        start = dice.below(4) if dice.below(2) else dice.below(volume + after)
        end = start + 1 + dice.below(volume + after) if dice.below(3) else start + 1 + dice.below(6)
        every = size * (1 + dice.below(2))
        jobs += [(1, t, size, flow, size << density) for t in range(start, end, every)]
        jobs += [(1, end, size, flow, size << density)] * dice.below(2)
    return sorted(jobs, key=lambda job: job[1])
