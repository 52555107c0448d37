"""Chunks of tasks done by the workers of a running Dask scheduler."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

from certify.audit.plan import Plan, fingerprint
from certify.audit.workers import Chunk, Finished, given_up, work
from online.errors import InvalidInput, Problem, one_line

PER_WORKER = 3
"""Chunks handed out at once, for each thread of the cluster."""

CONNECT = "10s"
"""How long a scheduler may take to answer."""

CLOSE = "2s"
"""How long it may take to take leave of a scheduler."""

PATIENCE = "30s"
"""How long nothing may be finished before it is asked whether there is any worker left."""


LOUD = ("distributed", "tornado", "asyncio")
"""Loggers of the library that tell at length what our one message says."""


class Cluster:
    """The workers of a Dask scheduler. What a lost worker had is done again by others, as Dask does.

    Claim: every task is finished exactly once, or given up after as many workers were lost to it
    alone as Dask allows (`distributed.scheduler.allowed-failures`).
    """

    def __init__(self, plan: Plan, address: str) -> None:
        self.plan, self.address = plan, address

    def finished(self, chunks: Sequence[Chunk]) -> Iterator[Finished]:
        """All chunks, as they are finished.

        Raises: `InvalidInput` if there is no scheduler or no worker, or its code is another version.
        """
        dask = library()
        with _client(dask, self.address) as client:
            try:
                yield from self._through(dask, client, deque(chunks))
            except CancelledError:
                raise self._lost("the scheduler does not answer any more") from None
            except OSError as failed:
                raise self._lost(one_line(str(failed)) or type(failed).__name__) from failed

    def _through(self, dask: ModuleType, client: Any, waiting: deque[Chunk]) -> Iterator[Finished]:
        running: dict[Any, Chunk] = {}
        threads = _threads(client, self.address)
        while waiting or running:
            room = PER_WORKER * threads - len(running)
            for chunk in [waiting.popleft() for _ in range(min(room, len(waiting)))]:
                running[client.submit(_checked, fingerprint(), self.plan, chunk, pure=False)] = chunk
            for ended in self._ended(dask, client, running):
                yield from self._result(dask, ended, running.pop(ended), waiting)
            threads = sum(client.nthreads().values()) or threads

    def _ended(self, dask: ModuleType, client: Any, running: Collection[Any]) -> Iterable[Any]:
        """Some that have ended. Raises: `InvalidInput` if there is nobody left who could."""
        while True:
            try:
                with client.as_current():
                    ended: Iterable[Any] = dask.wait(list(running), PATIENCE, "FIRST_COMPLETED").done
            except TimeoutError:
                if not client.nthreads():
                    raise self._lost("no worker is left") from None
            else:
                return ended

    def _result(self, dask: ModuleType, future: Any, chunk: Chunk, waiting: deque[Chunk]) -> Iterator[Finished]:
        try:
            yield future.result()
        except dask.scheduler.KilledWorker:
            if len(chunk) == 1:
                yield given_up(chunk[0])
            else:
                waiting.extend((name,) for name in chunk)

    def _lost(self, why: str) -> InvalidInput:
        fix = "start it again, and give --resume if there was an --out"
        expected = "a scheduler with workers to the end"
        return InvalidInput(Problem("--cluster", "lost", f"{self.address}: {why}", expected, fix))


def _checked(version: str, plan: Plan, chunk: Chunk) -> Finished:
    """Do these tasks, if the worker's code is that of whoever asks."""
    if fingerprint() != version:
        expected = "the same files in all three packages"
        fix = "install this version on the workers and start them again"
        raise InvalidInput(
            Problem("--cluster", "another version of dualfit", "a worker with other code", expected, fix)
        )
    return work(plan, chunk)


def library() -> ModuleType:
    """Dask's. Raises: `InvalidInput` where distributed is not installed."""
    try:
        import distributed
        import distributed.scheduler
    except ImportError:
        fix = "pip install 'dualfit[cluster]'"
        raise InvalidInput(Problem("--cluster", "missing library", "no distributed", "Dask's scheduler", fix)) from None
    for name in [name for name in logging.root.manager.loggerDict if name.split(".")[0] in LOUD]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return distributed


@contextmanager
def _client(dask: ModuleType, address: str) -> Iterator[Any]:
    try:
        client = dask.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as failed:
        raise _unreachable(address, one_line(str(failed)) or type(failed).__name__) from failed
    try:
        yield client
    finally:
        with suppress(Exception):  # a scheduler that is gone cannot be told
            client.close(timeout=CLOSE)


def _threads(client: Any, address: str) -> int:
    """Threads of all workers. Raises: `InvalidInput` if there is no worker."""
    try:
        client.wait_for_workers(1, timeout=CONNECT)
    except TimeoutError:
        raise _unreachable(address, "a scheduler without workers") from None
    return sum(client.nthreads().values())


def _unreachable(address: str, got: str) -> InvalidInput:
    expected = "the address of a running Dask scheduler with workers, such as tcp://host:8786"
    return InvalidInput(
        Problem("--cluster", "cannot be used", f"{address}: {got}", expected, "start it, or correct it")
    )
