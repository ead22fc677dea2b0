"""The workers that do the parts of a long solve: processes of this machine, or a Dask cluster.

Both are used through an Executor of `concurrent.futures`. It is made when the first part is sent, so that a solve of a
few seconds doesn't wait for it.
"""

import contextlib
import functools
import hashlib
import logging
import math
import multiprocessing
import os
import signal
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import ModuleType
from typing import Protocol

from ..core.errors import QuetError
from ..core.extras import needs

# This process does the parts of the first seconds: another one takes a second to start, doesn't know the tables of
# this one, and would search again what is in them.
FIRST_SECONDS = 10.0
SOLVING = (
    "core",
    "engine",
    "distribution",
    "tablebases",
    "games",
    "solving",
)  # the packages on which an answer depends
MOST_WORKERS = 61  # processes, as many as concurrent.futures can have on every system
CONNECTING = 10.0  # seconds for the scheduler of a cluster to answer
COUNTING = 2.0  # seconds for it to say who its workers are


class WorkersWarning(UserWarning):
    """Nobody does the parts of a solve."""


class Sent(Protocol):
    """A part that was sent: a Future."""

    def done(self) -> bool:
        """Whether it has ended."""

    def cancel(self) -> bool:
        """Cancel it if it has not begun, and return whether it is cancelled."""


class Client(Protocol):
    """A client of a Dask cluster."""

    @property
    def nthreads(self) -> Callable[..., Mapping[str, int]]:
        """What tells how many threads each worker has."""

    def get_executor(self, *, pure: bool) -> Executor:
        """Where parts are sent."""

    def close(self) -> object:
        """End the connection."""


class Workers(Protocol):
    """Who does the parts of one solve."""

    count: int  # parts done at once on this machine, which share its memory
    most_sent: int  # parts that the executor is given before one is finished
    seconds_here: float  # how much longer parts are done in this process
    code: str  # the version of Quet that must do the parts; empty if there can be no other
    are_far: bool  # they may be on other machines

    @property
    def executor(self) -> Executor:
        """Where parts are sent. Raises QuetError."""

    def look(self) -> None:
        """Look for workers, as no part has come for long. The first time that there are none, warn of it."""

    def begin_again(self, error: BaseException) -> bool:
        """Whether the part that ended with this error was lost and can be sent again, to a new executor.

        Raises QuetError where it was lost and can't be.
        """

    def drop(self, futures: Iterable[Sent]) -> None:
        """Give these parts up, as far as they aren't done."""

    def close(self) -> None:
        """Leave no process and no connection."""


class Processes:
    """Processes of this machine, one for each core unless another number is given. If the number is one, it is this
    process alone.
    """

    code = ""
    are_far = False

    def __init__(self, count: int | None = None) -> None:
        self.count = count or num_cores()
        self.most_sent = self.count + 1
        self.seconds_here = FIRST_SECONDS if self.count > 1 else math.inf
        self._pool: ProcessPoolExecutor | None = None
        self._closing: Callable[[], object] | None = None

    @property
    def executor(self) -> Executor:
        if self._pool is None:
            # Not forked from this process, which has threads and compiled code in it.
            has_server = "forkserver" in multiprocessing.get_all_start_methods()
            context = multiprocessing.get_context("forkserver" if has_server else "spawn")
            if has_server:
                context.set_forkserver_preload(["numba", __name__])
            self._pool = ProcessPoolExecutor(self.count, context, _begin_worker)
            self.seconds_here = 0.0
            self._closing = weakref.finalize(self, _kill, self._pool)
        return self._pool

    def look(self) -> None:
        """A process that ends breaks the pool."""

    def begin_again(self, error: BaseException) -> bool:
        if not isinstance(error, BrokenProcessPool):
            return False
        self.close()
        return True

    def drop(self, futures: Iterable[Sent]) -> None:
        # A part that has begun would keep a core busy, and compiled code can't be interrupted.
        # No future is cancelled: if a worker dies, Python 3.11's pool fails on cancelled ones, and the rest wait.
        if not all(future.done() for future in futures):
            self.close()

    def close(self) -> None:
        if self._closing is not None:
            self._closing()
        self._pool = self._closing = None


def here() -> Processes:
    """This process alone, for any time. Compiled code may use all its cores."""
    workers = Processes()
    workers.seconds_here = math.inf
    return workers


def num_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _begin_worker() -> None:
    """Leave Ctrl-C to the process that sends the parts, and end whenever that process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _kill(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())  # Python 3.14 has kill_workers() for this
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()
    pool.shutdown(wait=True)


class Cluster:
    """The workers of a Dask cluster, whose scheduler listens at `address`."""

    count = 1  # each worker has a memory of its own
    most_sent = 1000
    seconds_here = 0.0  # a user who names a cluster wants it to be used
    are_far = True
    is_asked = False  # whether anything was sent to it

    def __init__(self, address: str) -> None:
        self._address = address
        self._client: Client | None = None
        self._is_warned = False
        self._executor: Executor | None = None
        self.code = code()

    @property
    def executor(self) -> Executor:
        if self._executor is None:
            with needs("cluster", "Dask"):
                import distributed
            for name in ("distributed", "distributed.client", "tornado", "tornado.application"):
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what goes wrong is told in one sentence
            try:
                self._check(distributed.comm)
                client: Callable[..., Client] = distributed.Client
                self._client = client(self._address, timeout=CONNECTING, set_as_default=False)
            except (OSError, ValueError) as error:
                raise QuetError(f"No scheduler of a Dask cluster answers at {self._address}.") from error
            self._executor = self._client.get_executor(pure=False)
            self.is_asked = True
            self.look()
        return self._executor

    def look(self) -> None:
        if self._client is None or self._is_warned:
            return
        with contextlib.suppress(OSError, TimeoutError):  # a scheduler that is gone is told where parts are lost
            if not self._client.nthreads(callback_timeout=COUNTING):
                self._is_warned = True
                warnings.warn(
                    f"The scheduler at {self._address} has no workers; the solve waits for one.",
                    WorkersWarning,
                    stacklevel=2,
                )

    def _check(self, comm: ModuleType) -> None:
        """Raises ValueError for what is no address. A client with such an address would try for a long time."""
        scheme, location = comm.parse_address(self._address)
        if scheme not in comm.registry.backends:
            raise ValueError
        comm.parse_host_port(location)

    def begin_again(self, error: BaseException) -> bool:
        from distributed import KilledWorker

        if isinstance(error, CancelledError):
            raise QuetError(f"The scheduler of the cluster at {self._address} is gone.") from error
        if isinstance(error, KilledWorker):
            raise QuetError("Several workers of the cluster ended at the same part; their memory may be too small.")
        lacking = error if isinstance(error, ModuleNotFoundError) else error.__cause__
        if isinstance(lacking, ModuleNotFoundError):
            raise QuetError(f"The scheduler or a worker of the cluster has no module {lacking.name}.") from error
        return False

    def drop(self, futures: Iterable[Sent]) -> None:
        for future in futures:
            future.cancel()

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = self._executor = None


@functools.cache
def code() -> str:
    """The version of Quet and a digest of its solvers, which all who do parts of one solve must have alike."""
    top = sys.modules[__name__.partition(".")[0]]
    folder = Path(__file__).parents[1]
    total = hashlib.sha256()
    for file in sorted(file for room in SOLVING for file in (folder / room).rglob("*.py")):
        total.update(f"{file.relative_to(folder).as_posix()}\0".encode() + file.read_bytes())
    return f"{top.__version__} ({total.hexdigest()[:8]})"
