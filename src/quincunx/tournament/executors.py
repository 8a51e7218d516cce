"""Where matches are played: processes of this computer, or a cluster of dask.distributed, with the very same code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager
from typing import Any, NamedTuple

from quincunx.core.words import Refused, Words
from quincunx.tournament.pool import pool
from quincunx.tournament.runner import MakeExecutor

NO_DASK = Words(
    "Pour une grappe il faut dask.distributed : pip install 'quincunx[cluster]'.",
    "A cluster needs dask.distributed: pip install 'quincunx[cluster]'.",
)
NO_CLUSTER = Words("La grappe {} ne répond pas ({}).", "The cluster {} does not answer ({}).")
PATIENCE = 10.0  # seconds for a cluster to answer


class Workplace(NamedTuple):
    make: MakeExecutor
    jobs: Callable[[], int]  # how many tasks can be played at the same time, now: workers come and go


@contextmanager
def workplace(cluster: str | None, jobs: int) -> Iterator[Workplace]:
    """`cluster`: the address of a scheduler, or `local` for one of `jobs` workers that lives as long as this."""
    if cluster is None:
        yield Workplace(lambda: pool(jobs, heed_interrupts=False), lambda: jobs)
        return
    with _client(cluster, jobs) as client:
        yield Workplace(lambda: _Cluster(client, cluster), lambda: _workers(client, cluster))


class _Cluster(Executor):
    """A lost worker is a BrokenExecutor, as a lost process is. Whether a task waits or is played, only the scheduler
    knows: none is called back, so none that is being played is lost."""

    def __init__(self, client: Any, cluster: str) -> None:
        _workers(client, cluster)
        self._executor = client.get_executor(pure=False)
        self._lost = _losses()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        ours: Future[Any] = Future()

        ours.set_running_or_notify_cancel()

        def done(theirs: Future[Any]) -> None:
            try:
                ours.set_result(theirs.result())
            except self._lost as error:
                ours.set_exception(BrokenExecutor(str(error)))
            except BaseException as error:
                ours.set_exception(error)

        self._executor.submit(fn, *args, **kwargs).add_done_callback(done)
        return ours

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait)


def _workers(client: Any, cluster: str) -> int:
    """How many there are, or one that may come. Refused when the scheduler is gone."""
    if client.status != "running":
        raise Refused("no_cluster", NO_CLUSTER.format(cluster, client.status))
    return max(1, int(client.scheduler_info(n_workers=0).get("n_workers", 0)))


def _losses() -> tuple[type[BaseException], ...]:
    """What becomes of a task whose worker, or scheduler, is gone."""
    from distributed import CancelledError as Forgotten
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    return KilledWorker, Forgotten, CancelledError, CommClosedError


@contextmanager
def _client(cluster: str, jobs: int) -> Iterator[Any]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise Refused("no_dask", NO_DASK) from None
    if cluster == "local":
        with LocalCluster(jobs, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:
            yield client
        return
    try:
        client = Client(cluster, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise Refused("no_cluster", NO_CLUSTER.format(cluster, error)) from None
    with client:
        yield client
