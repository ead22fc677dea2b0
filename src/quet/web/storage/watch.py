"""Hangs up on connections to PostgreSQL that are in use for too long."""

import contextlib
import os
import socket
import threading
import time

from sqlalchemy.engine.interfaces import DBAPIConnection

WATCH_SECONDS = 0.25  # between looks at the connections in use


class Watch:
    """Hangs up on connections that are in use for too long: a server that is frozen keeps no time-out of its own.

    Thread-safe. One thread looks after all of them; it starts with the first.
    """

    def __init__(self) -> None:
        self._ends: dict[int, tuple[float, DBAPIConnection]] = {}
        self._lock = threading.Lock()
        self._is_closed = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, connection: DBAPIConnection, seconds: float) -> None:
        """From now on the connection may be used for so many seconds."""
        with self._lock:
            self._ends[id(connection)] = time.monotonic() + seconds, connection
            if self._thread is None and not self._is_closed.is_set():
                self._thread = threading.Thread(target=self._run, name="database-watch", daemon=True)
                self._thread.start()

    def end(self, connection: object) -> None:
        """The connection isn't used any more."""
        with self._lock:
            self._ends.pop(id(connection), None)

    def close(self) -> None:
        """End the thread."""
        self._is_closed.set()

    def _run(self) -> None:
        while not self._is_closed.wait(WATCH_SECONDS):
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Hang up where the time is over."""
        with self._lock:
            for key, (end, connection) in list(self._ends.items()):
                if end <= now:
                    del self._ends[key]
                    _hang_up(connection)


def _hang_up(connection: DBAPIConnection) -> None:
    """Have the thread that waits for an answer read the end of the connection instead."""
    with contextlib.suppress(Exception):  # it may be closed by now
        line = socket.socket(fileno=os.dup(connection.pgconn.socket))  # of psycopg
        with line:
            line.shutdown(socket.SHUT_RDWR)
