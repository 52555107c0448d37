"""Chunks of tasks done by the workers of a running Dask scheduler."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from certify.audit.plan import Plan, fingerprint
from certify.audit.workers import Chunk, Finished, given_up, work
from online.errors import InvalidInput, Problem

PER_WORKER = 3
"""Chunks handed out at once, for each thread of the cluster."""

CONNECT = "10s"
"""How long a scheduler may take to answer."""


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
        dask = _distributed()
        with _client(dask, self.address) as client:
            try:
                yield from self._through(dask, client, deque(chunks))
            except (OSError, CancelledError) as failed:
                raise self._lost(failed) from failed

    def _through(self, dask: ModuleType, client: Any, waiting: deque[Chunk]) -> Iterator[Finished]:
        running: dict[Any, Chunk] = {}
        done = dask.as_completed(loop=client.loop)
        while waiting or running:
            room = PER_WORKER * _threads(client, self.address) - len(running)
            for chunk in [waiting.popleft() for _ in range(min(room, len(waiting)))]:
                future = client.submit(_checked, fingerprint(), self.plan, chunk, pure=False)
                running[future] = chunk
                done.add(future)
            ended = next(done)
            yield from self._result(dask, ended, running.pop(ended), waiting)

    def _result(self, dask: ModuleType, future: Any, chunk: Chunk, waiting: deque[Chunk]) -> Iterator[Finished]:
        try:
            yield future.result()
        except dask.scheduler.KilledWorker:
            if len(chunk) == 1:
                yield given_up(chunk[0])
            else:
                waiting.extend((name,) for name in chunk)

    def _lost(self, failed: Exception) -> InvalidInput:
        got = f"{self.address}: {failed or type(failed).__name__}"
        fix = "start it again, and give --resume if there was an --out"
        return InvalidInput(Problem("--cluster", "lost", got, "a scheduler that stays to the end", fix))


def _checked(version: str, plan: Plan, chunk: Chunk) -> Finished:
    """Do these tasks, if the worker's code is that of whoever asks."""
    if fingerprint() != version:
        expected = "the same files in all three packages"
        fix = "install this version on the workers and start them again"
        raise InvalidInput(
            Problem("--cluster", "another version of dualfit", "a worker with other code", expected, fix)
        )
    return work(plan, chunk)


def _distributed() -> ModuleType:
    try:
        import distributed
        import distributed.scheduler
    except ImportError:
        fix = "pip install 'dualfit[cluster]'"
        raise InvalidInput(Problem("--cluster", "missing library", "no distributed", "Dask's scheduler", fix)) from None
    return distributed


@contextmanager
def _client(dask: ModuleType, address: str) -> Iterator[Any]:
    try:
        client = dask.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as failed:
        raise _unreachable(address, str(failed) or type(failed).__name__) from failed
    try:
        yield client
    finally:
        client.close()


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
