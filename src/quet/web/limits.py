"""Limits of what one visitor, or one address, may ask for in a minute, and one address in a day.

Each server process counts in its memory.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

from ..core.messages import say
from .addresses import network_of
from .errors import TooMany
from .settings import Limits
from .shares import DAY, OfDay
from .visitors import Visitor

WINDOW = 60.0  # seconds


class Limiter:
    """Counts requests, and refuses those beyond a limit."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._window = 0
        self._counts: Counter[tuple[str, str]] = Counter()
        self._open: Counter[tuple[str, str]] = Counter()
        self._moves_of_day = OfDay()

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

    def charge(self, kind: str, visitor: Visitor, address: str, now: float, count: int) -> None:
        """Count so many more of a kind, for work that is done already."""
        with self._lock:
            self._begin_window(now)
            for key in _keys(kind, visitor, address):
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
    def stream(self, visitor: Visitor, address: str) -> Iterator[None]:
        """Count one more event stream while the block runs; raises TooMany."""
        keys = _keys("streams", visitor, address)
        with self._lock:
            if any(self._is_full(limit, self._open[limit, who]) for limit, who in keys):
                raise TooMany(say("You watch too many games at once; close some of their pages."))
            self._open.update(keys)
        try:
            yield
        finally:
            with self._lock:
                self._open.subtract(keys)
                for key in keys:
                    if not self._open[key]:
                        del self._open[key]

    def _is_full(self, limit: str, count: int) -> bool:
        most: int = getattr(self._limits, limit.replace("refused", "pages"))  # as many as pages, counted apart
        return 0 < most <= count


def _keys(kind: str, visitor: Visitor, address: str) -> list[tuple[str, str]]:
    """The keys to count under. A visitor without a cookie has a new id each time, so only the address counts."""
    return [(kind, address if visitor.is_new else visitor.id), (f"address_{kind}", address)]


def address_of(connection: HTTPConnection) -> str:
    """The network address of a request, as limits count it."""
    return network_of(connection.client.host) if connection.client else ""
