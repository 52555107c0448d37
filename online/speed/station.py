"""One queue and its servers, played forward in exact time."""

from __future__ import annotations

import heapq
import math
from bisect import insort
from fractions import Fraction
from typing import Any

from online.algorithm import blame
from online.errors import InvalidInput, Problem, typed
from online.instance import Job
from online.speed.policy import SpeedPolicy
from online.speed.trajectory import Segment


class Station:
    """A queue with `servers` servers: the first jobs by the policy's order run, all at its dial for their number.

    Claim: between events exactly min(servers, jobs) jobs run. With a `grid` completions are decided at the multiples of
    `2**-grid` ticks only, so that a job does its size in work or, in less than one such step, more. `running` holds
    (the clock at which the job is done, position), where `clock` counts the work that each running job gets.
    """

    def __init__(self, servers: int, policy: SpeedPolicy, grid: int | None) -> None:
        self.servers, self.policy, self.grid = servers, policy, grid
        self.now = Fraction(0)
        self.known: dict[int, Job] = {}
        self.clock = Fraction(0)
        self.running: list[tuple[Fraction, int]] = []
        self.waiting: list[tuple[Any, int, Fraction]] = []
        self.waiting_work = Fraction(0)
        self.assigned = 0
        self.segments: list[Segment] = []

    @property
    def jobs(self) -> int:
        """Number of unfinished jobs."""
        return len(self.running) + len(self.waiting)

    @property
    def workload(self) -> Fraction:
        """Work left, in ticks."""
        return self.waiting_work + sum((due - self.clock for due, _ in self.running), Fraction(0))

    @property
    def least_left(self) -> Fraction:
        """The least remaining size, 0 if there is no job."""
        shortest = [due - self.clock for due, _ in self.running[:1]]
        return min((*shortest, *(left for *_, left in self.waiting)), default=Fraction(0))

    def admit(self, job: Job) -> None:
        """Let a job join now; it preempts at once if the order says so."""
        self.known[job.position] = job
        self.assigned += job.size
        self._wait(job.position, Fraction(job.size))
        if len(self.running) < self.servers:
            self._start()
            return
        last = max((self._rank(position, due - self.clock), due) for due, position in self.running)
        if self.waiting[0][:2] < last[0]:
            self._start()
            self.running.remove((last[1], last[0][1]))
            self._wait(last[0][1], last[1] - self.clock)

    def advance(self, until: Fraction | None) -> None:
        """Play on to a time, or with None until all is done."""
        while self.running and self.now != until:
            dial = self._dial()
            speed = self.policy.setting.power.at(dial).speed
            end = self._round_up(self.now + (self.running[0][0] - self.clock) / speed)
            self._work(dial, speed, end if until is None else min(end, until))
        if until is not None:
            self.now = until

    def _work(self, dial: Fraction, speed: Fraction, end: Fraction) -> None:
        """Run to `end`: all running jobs get the same work, so a common clock of it tells which are done."""
        self.segments.append(
            Segment(self.now, end, tuple((job, dial) for job in sorted(job for _, job in self.running)))
        )
        self.clock += speed * (end - self.now)
        while self.running and self.running[0][0] <= self.clock:
            del self.running[0]
        if not self.running:
            self.clock = Fraction(0)
        while self.waiting and len(self.running) < self.servers:
            self._start()
        self.now = end

    def _rank(self, position: int, left: Fraction) -> tuple[Any, int]:
        job = self.known[position]
        try:
            return self.policy.order(job, left), position
        except BaseException as failed:
            blame(_name(self.policy), f"order() of job {job.id!r}", failed)

    def _wait(self, position: int, left: Fraction) -> None:
        heapq.heappush(self.waiting, (*self._rank(position, left), left))
        self.waiting_work += left

    def _start(self) -> None:
        _, position, left = heapq.heappop(self.waiting)
        insort(self.running, (self.clock + left, position))
        self.waiting_work -= left

    def _dial(self) -> Fraction:
        try:
            dial = self.policy.dial(self.jobs, self.servers)
        except BaseException as failed:
            blame(_name(self.policy), f"dial({self.jobs}, {self.servers})", failed)
        if not isinstance(dial, Fraction) or dial <= 0:
            name = type(self.policy).__qualname__
            raise InvalidInput(Problem(name, "bad dial", typed(dial), "a Fraction > 0", "correct the policy's dial()"))
        return dial

    def _round_up(self, time: Fraction) -> Fraction:
        return time if self.grid is None else Fraction(math.ceil(time * (1 << self.grid)), 1 << self.grid)


def _name(policy: SpeedPolicy) -> str:
    return f"{type(policy).__module__}:{type(policy).__qualname__}"
