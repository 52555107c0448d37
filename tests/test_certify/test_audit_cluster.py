"""The audit on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from certify.audit import cluster as clusters
from certify.audit.cluster import Cluster
from certify.audit.plan import Plan
from certify.audit.session import audit, local
from online.errors import InvalidInput

distributed = pytest.importorskip("distributed")

PLAN = Plan(("6.5.flow*",), 40, 2)


@pytest.fixture
def scheduler() -> Iterator[object]:
    """A scheduler with one worker in this process."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None, host="127.0.0.1", protocol="tcp"
    ) as found:
        yield found


def test_a_cluster_gives_the_same_report(scheduler: distributed.LocalCluster) -> None:
    """Chunk by chunk through the scheduler."""
    found = audit(PLAN, Cluster(PLAN, scheduler.scheduler_address).finished)
    assert found.to_document() == audit(PLAN, local(PLAN, 1)).to_document()


def test_other_code_on_the_workers_is_refused(
    scheduler: distributed.LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results of two versions are never mixed."""
    with pytest.raises(InvalidInput, match="another version of dualfit"):
        clusters._checked("0", PLAN, ("max-flow/tiny/0",))


def test_no_scheduler_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong address, and one where nobody listens."""
    monkeypatch.setattr(clusters, "CONNECT", "1s")
    for address in ("tcp://127.0.0.1:9", "nowhere://x"):
        with pytest.raises(InvalidInput, match="--cluster: cannot be used"):
            audit(PLAN, Cluster(PLAN, address).finished)


def test_a_scheduler_that_is_lost_is_said_so(
    scheduler: distributed.LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of an audit: what was under way is cancelled, and the message says how to go on."""

    def cancelled(*_: object) -> Iterator[object]:
        raise distributed.client.FutureCancelledError("work", "scheduler-connection-lost")
        yield

    monkeypatch.setattr(Cluster, "_result", cancelled)
    with pytest.raises(InvalidInput, match=r"--cluster: lost: .*--resume"):
        audit(PLAN, Cluster(PLAN, scheduler.scheduler_address).finished)


def test_a_cluster_without_any_worker_left_is_said_so() -> None:
    """Nothing is finished and there is no worker: nobody is waited for in vain. With a worker, waiting goes on."""
    waits = iter([TimeoutError, TimeoutError, None])

    def wait(*_: object) -> object:
        failed = next(waits)
        if failed is not None:
            raise failed
        return SimpleNamespace(done={"ended"})

    dask, workers = SimpleNamespace(wait=wait), {"tcp://x:1": 2}
    client = SimpleNamespace(as_current=nullcontext, nthreads=lambda: workers)
    assert Cluster(PLAN, "tcp://x:2")._ended(dask, client, []) == {"ended"}  # type: ignore[arg-type]
    waits, workers = iter([TimeoutError]), {}
    with pytest.raises(InvalidInput, match=r"--cluster: lost: got tcp://x:2: no worker is left, .*--resume"):
        Cluster(PLAN, "tcp://x:2")._ended(dask, client, [])  # type: ignore[arg-type]
