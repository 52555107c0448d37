"""Good orders of completions: from runs of SRPT at several speeds, then improved where events meet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lp.deadline import Deadline
from lp.energy.curve import Curve
from lp.energy.plan import Order, Plan, cheapest, order_of
from lp.program import Floats
from online.instance import Instance

MEET = 1e-7
"""Events closer than this share of the span meet."""


def srpt(instance: Instance, curve: Curve, kappa: float) -> Floats:
    """Completion times of SRPT at the speed that is right for server price kappa * max(1, n/m), in floats."""
    release, left = instance.release.astype(np.float64), instance.size.astype(np.float64)
    done, now = np.full(instance.n, np.inf), 0.0
    while not np.isfinite(done).all():
        open_jobs = np.flatnonzero((release <= now) & np.isinf(done))
        later = release[release > now].min(initial=np.inf)
        if not len(open_jobs):
            now = later
            continue
        served = open_jobs[np.lexsort((open_jobs, left[open_jobs]))][: instance.machines]
        price = kappa * max(1.0, len(open_jobs) / instance.machines)
        speed = float(curve.speed_of_conjugate(np.array([price]))[0])
        step = min(float(left[served[0]]) / speed, later - now)
        left[served] -= speed * step
        now += step
        finished = served[left[served] <= 1e-12 * instance.size[served]]
        done[finished] = now
    return done


def improved(instance: Instance, curve: Curve, plan: Plan, deadline: Deadline) -> Plan:
    """Exchange events that meet, as long as that helps: inside an order the program is convex."""
    tried = {plan.order}
    better = True
    while better and not deadline.passed():
        better = False
        for order in _neighbours(plan):
            if order in tried or deadline.passed():
                continue
            tried.add(order)
            other = cheapest(instance, curve, order, 0)
            if other is not None and other.cost < plan.cost * (1 - 1e-7):
                plan, better = other, True
                break
    return plan


def _neighbours(plan: Plan) -> Iterator[Order]:
    """Exchange two neighbouring events that meet, one of them a completion."""
    span = float(plan.time[-1] - plan.time[0])
    for k in range(1, len(plan.order) - 1):
        first, second = plan.order[k], plan.order[k + 1]
        if first.job is None and second.job is None:
            continue
        if plan.time[k + 1] - plan.time[k] <= MEET * span:
            yield (*plan.order[:k], second, first, *plan.order[k + 2 :])


def good_plan(instance: Instance, curve: Curve, deadline: Deadline) -> Plan | None:
    """The best of the plans that start from SRPT runs."""
    best: Plan | None = None
    seen: set[Order] = set()
    for kappa in (1.0, 0.6, 1.6):
        order = order_of(instance, srpt(instance, curve, kappa))
        if order in seen:
            continue
        seen.add(order)
        plan = cheapest(instance, curve, order, 0)
        if plan is not None:
            plan = improved(instance, curve, plan, deadline)
            best = plan if best is None or plan.cost < best.cost else best
    return None if best is None else cheapest(instance, curve, best.order, 2) or best
