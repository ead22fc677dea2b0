"""Limits of what one visitor, or one address, may ask for in a minute, and one address in a day.

Each server process counts in its memory.
"""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

from ..core.messages import say
from .addresses import network_of
from .errors import TooMany
from .settings import Limits
from .shares import DAY, OfDay
from .turns import Asker, FairQueue
from .visitors import Visitor

WINDOW = 60.0  # seconds


class Limiter:
    """Counts requests, and refuses those beyond a limit."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._window, self._second = 0, 0
        self._counts: Counter[tuple[str, str]] = Counter()
        self._probes: set[tuple[str, str]] = set()  # of the second that goes on: who has asked for what
        self._moves_of_day = OfDay()
        self._streams: Counter[str] = Counter()  # by who listens
        self._ends: dict[str, FairQueue[Callable[[], None]]] = {}  # by address: what ends each of its streams

    def check(self, kind: str, visitor: Visitor, address: str, now: float) -> None:
        """Count one more of `moves`, `games`, `costly`, `pages` or `refused`; raises TooMany."""
        with self._lock:
            self._begin_window(now)
            keys = _keys(kind, visitor, address)
            if any(self._is_full(limit, self._counts[limit, who]) for limit, who in keys):
                left = WINDOW - now % WINDOW
                raise TooMany(say("That is too much in so short a time; wait a minute and try again."), wait=left)
            self._counts.update(keys)
        most = self._limits.address_moves_per_day
        if kind == "moves" and most and not self._moves_of_day.add(address, most, now):
            sentence = say("Very much was played from your network today; play on tomorrow.")
            raise TooMany(sentence, wait=DAY - now % DAY)

    def is_probe(self, path: str, address: str, now: float) -> bool:
        """Whether this is the first request of the address for that path in this second."""
        with self._lock:
            if int(now) != self._second:
                self._second = int(now)
                self._probes.clear()
            is_first = (path, address) not in self._probes
            self._probes.add((path, address))
        return is_first

    def charge(self, visitor: Visitor, address: str, now: float, count: int) -> None:
        """Count so many more pages, for work that is done already."""
        with self._lock:
            self._begin_window(now)
            for key in _keys("pages", visitor, address):
                self._counts[key] += count

    def give_back(self, kind: str, visitor: Visitor, address: str, now: float) -> None:
        """Count one less of a kind, after `check`."""
        with self._lock:
            self._begin_window(now)
            for key in _keys(kind, visitor, address):
                self._counts[key] = max(0, self._counts[key] - 1)  # it may have been counted in the minute before

    def _begin_window(self, now: float) -> None:
        if int(now // WINDOW) != self._window:
            self._window = int(now // WINDOW)
            self._counts.clear()

    @contextmanager
    def stream(self, visitor: Visitor, address: str, end: Callable[[], None]) -> Iterator[None]:
        """Count one more event stream while the block runs; raises TooMany. Called in one event loop.

        The visitors of an address share what it may have: where that is all taken, whoever has clearly more than the
        one who comes loses a stream, whose `end` is called.
        """
        [(_, who), _address] = _keys("streams", visitor, address)
        ends = self._ends.get(address) or FairQueue(self._limits.address_streams or sys.maxsize)
        taken = end if self._is_full("streams", self._streams[who]) else ends.add(Asker(address, who), end)
        if taken is end:
            raise TooMany(say("You watch too many games at once; close some of their pages."))
        if taken is not None:
            taken()
        self._ends[address] = ends
        self._streams[who] += 1
        try:
            yield
        finally:
            ends.discard(end)
            if not ends and self._ends.get(address) is ends:
                del self._ends[address]
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]

    def _is_full(self, limit: str, count: int) -> bool:
        most: int = getattr(self._limits, limit.replace("refused", "pages"))  # as many as pages, counted apart
        return 0 < most <= count


def _keys(kind: str, visitor: Visitor, address: str) -> list[tuple[str, str]]:
    """The keys to count under. A visitor without a cookie has a new id each time, so only the address counts."""
    return [(kind, address if visitor.is_new else visitor.id), (f"address_{kind}", address)]


def address_of(connection: HTTPConnection) -> str:
    """The network address of a request, as limits count it."""
    return network_of(connection.client.host) if connection.client else ""
