"""Good orders of completions: from runs of SRPT at several speeds, then improved where events meet."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import takewhile

import numpy as np

from lp.deadline import Deadline
from lp.energy.curve import Curve
from lp.energy.plan import Event, Order, Plan, cheapest, order_of
from lp.program import Floats
from online.exact import Column
from online.instance import Instance

MEET = 1e-7
"""Events closer than this share of the span meet."""

KAPPAS = (1.0, 0.6, 1.6)
"""Speeds of the SRPT runs to start from."""

SWAPS = 4000
"""Most exchanges tried for one start, times the square of the number of jobs: linear programs grow."""

BETTER = 1e-6
"""Share by which a plan must be cheaper to replace another."""


def srpt(instance: Instance, curve: Curve, kappa: float) -> Floats:
    """Completion times of SRPT at the speed that is right for server price kappa * max(1, n/m), in floats."""
    return _srpt(instance.release, instance.size, instance.machines, curve, kappa)


def dealt(instance: Instance, curve: Curve) -> Floats:
    """Completion times if the jobs, by falling size, are dealt out to the servers in turn, and each does SRPT."""
    hand = np.empty(instance.n, dtype=np.int64)
    hand[np.argsort(-instance.size, kind="stable")] = np.arange(instance.n) % instance.machines
    done = np.empty(instance.n)
    for server in range(min(instance.machines, instance.n)):
        own = hand == server
        done[own] = _srpt(instance.release[own], instance.size[own], 1, curve, 1.0)
    return done


def _srpt(releases: Column, sizes: Column, machines: int, curve: Curve, kappa: float) -> Floats:
    release, size = releases.astype(np.float64), sizes.astype(np.float64)
    left, done, now = size.copy(), np.full(len(size), np.inf), 0.0
    while not np.isfinite(done).all():
        open_jobs = np.flatnonzero((release <= now) & np.isinf(done))
        later = release[release > now].min(initial=np.inf)
        if not len(open_jobs):
            now = later
            continue
        served = open_jobs[np.lexsort((open_jobs, left[open_jobs]))][:machines]
        price = kappa * max(1.0, len(open_jobs) / machines)
        speed = float(curve.speed_of_conjugate(np.array([price]))[0])
        step = min(float(left[served[0]]) / speed, later - now)
        left[served] -= speed * step
        now += step
        finished = served[left[served] <= 1e-12 * size[served]]
        done[finished] = now
    return done


class Search:
    """The best plan so far, and the orders already tried."""

    def __init__(self, instance: Instance, curve: Curve, deadline: Deadline) -> None:
        self.instance, self.curve, self.deadline = instance, curve, deadline
        self.tried: set[Order] = set()
        self.best: Plan | None = None
        self.alike: dict[tuple[int, int], list[int]] = {}
        for job in instance.jobs():
            self.alike.setdefault((job.release, job.size), []).append(job.position)

    def start(self) -> None:
        """Try the orders of SRPT at several speeds; the first one whatever the time."""
        for kappa in KAPPAS:
            self.offer(srpt(self.instance, self.curve, kappa), wide=False)
        if self.instance.machines > 1:
            self.offer(dealt(self.instance, self.curve), wide=False)

    def offer(self, completion: Floats, *, wide: bool) -> bool:
        """Improve the order of these completions; whether that gave a new best plan."""
        plan = self._plan(order_of(self.instance, completion))
        if plan is None:
            return False
        plan = self._improved(plan, wide)
        if not math.isfinite(plan.cost):
            return False
        if self.best is not None and plan.cost >= self.best.cost * (1 - BETTER):
            return False
        self.best = cheapest(self.instance, self.curve, plan.order, 1e-6) or plan
        return True

    def _plan(self, order: Order) -> Plan | None:
        order = self._canonical(order)
        if order in self.tried or (self.best is not None and self.deadline.passed()):
            return None
        self.tried.add(order)
        return cheapest(self.instance, self.curve, order)

    def _canonical(self, order: Order) -> Order:
        """Equal jobs complete by position."""
        waiting = {kind: iter(sorted(jobs)) for kind, jobs in self.alike.items()}
        size = self.instance.size.tolist()
        jobs = [e if e.job is None else Event(e.time, next(waiting[e.time, size[e.job]])) for e in order]
        return tuple(jobs)

    def _improved(self, plan: Plan, wide: bool) -> Plan:
        """Exchange neighbouring events, as long as that helps; inside an order the program is convex.

        Events that meet first; if `wide`, then any two.
        """
        found: Plan | None = plan
        until = len(self.tried) + SWAPS // self.instance.n**2
        while found is not None:
            plan = found
            orders = takewhile(lambda _: len(self.tried) < until, _neighbours(plan, wide))
            others = map(self._plan, orders)
            found = next((other for other in others if other and other.cost < plan.cost * (1 - BETTER)), None)
        return plan


def _neighbours(plan: Plan, wide: bool) -> Iterator[Order]:
    """The orders with two neighbouring events exchanged, one of them a completion; nearest events first."""
    span = float(plan.time[-1] - plan.time[0])
    gaps = np.diff(plan.time)
    for k in np.argsort(gaps, kind="stable").tolist():
        first, second = plan.order[k], plan.order[k + 1]
        if first.job is None and (second.job is None or second.time == first.time):
            continue
        if k > 0 and (wide or gaps[k] <= MEET * span):
            yield (*plan.order[:k], second, first, *plan.order[k + 2 :])
