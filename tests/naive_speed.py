"""A second program for policies with speeds: binary floats, true speeds, everything sorted anew at each event."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from online.instance import Instance

Jobs = list[list[float]]
"""[remaining, position, size, release] of each job of a queue."""


def naive_cost(
    instance: Instance,
    queues: int,
    order: Callable[[list[float]], object],
    speed: Callable[[int, int], float],
    power: Callable[[float], float],
    route: Callable[[list[float], Sequence[Jobs], Sequence[float]], int] = lambda job, queues, sent: 0,
) -> float:
    """Flow plus energy with `queues` queues that share the machines evenly; `sent` is the work ever sent to each."""
    servers = instance.machines // queues
    waiting: list[Jobs] = [[] for _ in range(queues)]
    sent, cost, now = [0.0] * queues, 0.0, 0.0
    for job in [*instance.jobs(), None]:
        until = float("inf") if job is None else float(job.release)
        cost += sum(_run(queue, servers, order, speed, power, now, until) for queue in waiting)
        if job is not None:
            new = [float(job.size), job.position, job.size, job.release]
            k = route(new, waiting, sent)
            waiting[k].append(new)
            sent[k] += job.size
        now = until
    return cost


def _run(
    queue: Jobs,
    servers: int,
    order: Callable[[list[float]], object],
    speed: Callable[[int, int], float],
    power: Callable[[float], float],
    now: float,
    until: float,
) -> float:
    cost = 0.0
    while queue and now < until:
        queue.sort(key=lambda job: (order(job), job[1]))
        running = queue[:servers]
        s = speed(len(queue), servers)
        span = min(min(job[0] for job in running) / s, until - now)
        cost += span * (len(queue) + len(running) * power(s))
        for job in running:
            job[0] -= s * span
        queue[:] = [job for job in queue if job[0] > 1e-9]
        now += span
    return cost
