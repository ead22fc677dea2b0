"""What is measured for Prometheus: requests by page, how long they took, open event streams, and outages.

With several server processes each one writes its numbers into files of a folder that they share, and whoever is asked
adds them up. `quet serve` names the folder (PROMETHEUS_MULTIPROC_DIR, as the library calls it).
"""

import os
import re
from contextlib import AbstractContextManager
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from .. import __version__
from . import shared_numbers

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
METHODS = {"GET", "HEAD", "POST"}  # a client can send many others, and each would be kept
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds


class Metrics:
    """The numbers of a site."""

    def __init__(self) -> None:
        self._folder = os.environ.get(FOLDER, "")
        shared_numbers.use()
        registry = self._registry = CollectorRegistry()
        if not self._folder:
            ProcessCollector(registry=registry)  # memory, processor time and files of this process
        self._requests = Counter(
            "quet_requests", "Requests that were answered.", ["method", "path", "status"], registry=registry
        )
        self._seconds = Histogram(
            "quet_request_seconds", "Time to answer a request.", ["path"], buckets=BUCKETS, registry=registry
        )
        self._streams = Gauge(
            "quet_event_streams", "Open event streams.", registry=registry, multiprocess_mode="livesum"
        )
        self._outage = Gauge(
            "quet_outage", "1 while the database is away.", registry=registry, multiprocess_mode="livemax"
        )
        about = Gauge("quet_info", "The version.", ["version"], registry=registry, multiprocess_mode="livemax")
        about.labels(__version__).set(1)

    def stream(self) -> AbstractContextManager[None]:
        """Count one more event stream while the block runs."""
        return self._streams.track_inprogress()

    def count(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request; `path` is the template of its path."""
        self._requests.labels(method if method in METHODS else "other", path, status).inc()
        if not path.endswith("/events"):  # which last as long as the page is open
            self._seconds.labels(path).observe(seconds)

    def outage(self, is_out: bool) -> None:
        """Note that the database is away, or answers again. Other processes read it, whichever of them is asked."""
        self._outage.set(is_out)

    def text(self) -> bytes:
        """All numbers as Prometheus reads them."""
        self._outage.inc(0)  # writes what found no room in its file while the disk was full
        if not self._folder:
            return generate_latest(self._registry)
        for file in Path(self._folder).glob("gauge_live*.db"):
            found = re.search(r"_(\d+)\.db$", file.name)
            if found and not _lives(int(found[1])):  # a process that was killed has open streams no more
                mark_process_dead(int(found[1]), self._folder)  # type: ignore[no-untyped-call]
        registry = CollectorRegistry()
        MultiProcessCollector(registry, self._folder)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another's
        return True
    return True
