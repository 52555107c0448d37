"""Chunks of tasks done here, or by several processes; a worker that is killed loses no results."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import NamedTuple

from certify.audit.case import Task
from certify.audit.measure import done
from certify.audit.plan import Plan
from certify.audit.tally import Tally

TRIES = 3
"""How often a task that kills its worker is tried."""

Chunk = tuple[str, ...]


class Finished(NamedTuple):
    """Names of tasks, and what they found."""

    names: Chunk
    found: Tally


def work(plan: Plan, names: Chunk) -> Finished:
    """Do these tasks."""
    todo = [Task.of(name) for name in names]
    wanted = {problem: plan.wanted(problem) for problem in {task.problem for task in todo}}
    return Finished(names, Tally.total(done(plan.seed, task, wanted[task.problem]) for task in todo))


def given_up(name: str) -> Finished:
    """A task that no worker survives."""
    return Finished((name,), Tally(lost={name: "its worker was lost, again and again"}))


def here(plan: Plan, chunks: Sequence[Chunk]) -> Iterator[Finished]:
    """All chunks, one after another, in this process."""
    return (work(plan, chunk) for chunk in chunks)


class Workers:
    """Several processes. Where one is lost, what was under way is done again, each chunk alone.

    Claim: every task is finished exactly once, or given up after `TRIES` workers were lost to it alone.
    """

    def __init__(self, plan: Plan, count: int) -> None:
        self.plan, self.count = plan, count
        self.waiting: deque[Chunk] = deque()
        self.suspects: deque[Chunk] = deque()

    def finished(self, chunks: Sequence[Chunk]) -> Iterator[Finished]:
        """All chunks, as they are finished."""
        self.waiting.extend(chunks)
        while self.waiting or self.suspects:
            while self.suspects:
                yield from self._alone(self.suspects.popleft())
            yield from self._together()

    def _together(self) -> Iterator[Finished]:
        """Until all is done, or a worker is lost."""
        running: dict[Future[Finished], Chunk] = {}
        with _pool(self.count) as pool:
            while self.waiting or running:
                try:
                    while self.waiting and len(running) < 2 * self.count:
                        future = pool.submit(work, self.plan, self.waiting[0])
                        running[future] = self.waiting.popleft()
                    for ended in wait(running, return_when=FIRST_COMPLETED).done:
                        found = ended.result()
                        del running[ended]
                        yield found
                except BrokenProcessPool:
                    self.suspects.extend(running.values())
                    return

    def _alone(self, chunk: Chunk) -> Iterator[Finished]:
        """With a process of its own; if that is lost too, task by task."""
        for _ in range(TRIES if len(chunk) == 1 else 1):
            with _pool(1) as pool:
                try:
                    found = pool.submit(work, self.plan, chunk).result()
                except BrokenProcessPool:
                    continue
            yield found
            return
        if len(chunk) == 1:
            yield given_up(chunk[0])
        else:
            self.suspects.extend((name,) for name in chunk)


@contextmanager
def _pool(count: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that are ended, in the middle of their work if need be, when nobody waits for them any more."""
    before = active_children()
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_leave_interrupts_to_others)
    try:
        yield pool
        pool.shutdown()
    finally:
        for process in active_children():
            if process not in before:
                process.terminate()
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_others() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
