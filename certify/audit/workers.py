"""Chunks of tasks done here, or by several processes; a worker that is killed loses no results."""

from __future__ import annotations

import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
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


Work = Callable[[Plan, Chunk], Finished]


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
    """Several processes. Where one is lost, what was under way is done again by one, chunk by chunk.

    Claim: every task is finished exactly once, or given up after `TRIES` workers were lost to it alone.
    """

    def __init__(self, plan: Plan, count: int, doing: Work | None = None) -> None:
        self.plan, self.count, self.work = plan, count, doing or work
        self.waiting: deque[Chunk] = deque()
        self.suspects: deque[Chunk] = deque()
        self.losses: Counter[Chunk] = Counter()

    def finished(self, chunks: Sequence[Chunk]) -> Iterator[Finished]:
        """All chunks, as they are finished."""
        self.waiting.extend(chunks)
        while self.waiting or self.suspects:
            yield from self._one_by_one() if self.suspects else self._together()

    def _together(self) -> Iterator[Finished]:
        """Until all is done, or a worker is lost."""
        running: dict[Future[Finished], Chunk] = {}
        with processes(self.count) as pool:
            while self.waiting or running:
                try:
                    while self.waiting and len(running) < 2 * self.count:
                        future = pool.submit(self.work, self.plan, self.waiting[0])
                        running[future] = self.waiting.popleft()
                    for ended in wait(running, return_when=FIRST_COMPLETED).done:
                        found = ended.result()
                        del running[ended]
                        yield found
                except BrokenProcessPool:
                    self.suspects.extend(running.values())
                    return

    def _one_by_one(self) -> Iterator[Finished]:
        """Until no suspect is left, or the one worker is lost: then it was the suspect at hand, or one of its tasks."""
        with processes(1) as pool:
            while self.suspects:
                chunk = self.suspects.popleft()
                try:
                    found = pool.submit(self.work, self.plan, chunk).result()
                except BrokenProcessPool:
                    yield from self._blamed(chunk)
                    return
                yield found

    def _blamed(self, chunk: Chunk) -> Iterator[Finished]:
        self.losses[chunk] += 1
        if len(chunk) > 1:
            self.suspects.extend((name,) for name in chunk)
        elif self.losses[chunk] < TRIES:
            self.suspects.append(chunk)
        else:
            yield given_up(chunk[0])


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that are ended, in the middle of their work if need be, when nobody waits for them any more."""
    before = active_children()
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_begin)
    try:
        with _deaf():
            for _ in range(count):
                pool.submit(int)
        yield pool
        pool.shutdown()
    finally:
        for process in active_children():
            if process not in before:
                process.terminate()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _deaf() -> Iterator[None]:
    """Interrupts wait, and do not reach the processes that are started here before they have begun."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """A worker leaves interrupts to whoever started it, and ends when that one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
