"""Outages of the database: what counts as one, how long it lasts, and what the log says of it.

While the database is away, it is tried once a second, and everything else is refused at once. The log gets one line
when an outage begins, one a minute while it lasts, and one when it is over. Of outages that come and go it tells a few
a minute, so that they don't fill it.
"""

import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable

from sqlalchemy.exc import DBAPIError, InvalidRequestError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from ...core.errors import one_line
from ...core.messages import say
from ..errors import Away, Unsure

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0  # between tries
LOG_SECONDS = 60.0  # between lines of the log
MOST_BEGINNINGS = 5  # that the log tells of in so many seconds

FULL = "disk full"
AWAY = "no database"
SLOW = "slow database"  # it waits for others, or all connections are in use

# SQLite's primary result codes; others, such as that of an unknown column, are errors of ours.
_SQLITE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOTADB,
}
# With these nothing was written, and one can still read.
_SQLITE_ROLLED_BACK = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY}
# PostgreSQL's SQLSTATEs, by how they begin: connection, read-only transaction, resources (53100 is a full disk), a lock
# that isn't available, intervention by an operator (a time-out too), system. A deadlock (40) is none.
_SQLSTATES = ("08", "25006", "53", "55P03", "57", "58")
_DISK_FULL = "53100"
_LOCKED = "55P03"
_NO_RIGHT = "42501"


class Outage:
    """What is known of the database's health. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` tells seconds."""
        self.on_change: Callable[[bool], None] = lambda is_out: None  # called when an outage begins, and when it ends
        self._clock = clock
        self._lock = threading.Lock()
        self._since: float | None = None  # None: the database answers
        self._tried = self._logged = float("-inf")
        self._beginnings: deque[float] = deque(maxlen=MOST_BEGINNINGS)  # when the log last told of one
        self._kind = ""
        self._is_of_writing = False  # one can still read
        self._refused = 0

    @property
    def kind(self) -> str:
        """FULL, AWAY or SLOW; empty while there is no outage."""
        return self._kind

    def check(self, *, is_write: bool) -> None:
        """Raise Away during an outage, except once a second, when somebody may try."""
        if self._since is None or (self._is_of_writing and not is_write):
            return
        with self._lock:
            now = self._clock()
            if self._since is None or now >= self._tried + RETRY_SECONDS:
                self._tried = now
                return
            self._refused += 1
        raise away()

    def failed(self, error: BaseException, *, is_commit: bool = False, is_reading: bool = False) -> Away | None:
        """Note that the database failed with this error. Return what to raise; None if the error is no outage.

        After a commit it may be unknown whether the transaction was written. A row that somebody holds for too long
        refuses this transaction only, and so does a right to a table that the role lacks: the database answers all
        others. Who only reads waits for no row, but for a whole table, and so does everybody.
        """
        orig = error.orig if isinstance(error, DBAPIError) else error
        code = (getattr(orig, "sqlite_errorcode", None) or 0) & 0xFF
        sqlstate: str = getattr(orig, "sqlstate", None) or ""
        if sqlstate == _LOCKED and not is_reading:
            return away()
        if sqlstate == _NO_RIGHT:
            with self._lock:
                now = self._clock()
                if self._may_tell_of_a_beginning(now):
                    self._beginnings.append(now)
                    log.error("The database refuses a right: %s", one_line(orig, 200))
            return away()
        if not _is_outage(error, code, sqlstate):
            return None
        with self._lock:
            now = self._clock()
            self._tried = now
            self._kind = _kind(error, code, sqlstate)
            self._is_of_writing = code in _SQLITE_ROLLED_BACK or sqlstate in (_DISK_FULL, "25006")
            begins = self._since is None
            if self._since is None:
                self._since, self._refused = now, 0
                self.on_change(True)
            self._refused += 1
            if now >= self._logged + LOG_SECONDS or (begins and self._may_tell_of_a_beginning(now)):
                self._logged = now
                if begins:
                    self._beginnings.append(now)
                log.error(
                    "The database fails (%s), for %d s so far, %d times: %s",
                    self._kind,
                    now - self._since,
                    self._refused,
                    one_line(orig, 200),
                )
        is_sure = code in _SQLITE_ROLLED_BACK or (sqlstate and not sqlstate.startswith(("08", "57")))
        return Unsure(_UNSURE) if is_commit and not is_sure else away()

    def succeeded(self, *, is_write: bool) -> None:
        """Note that the database has answered."""
        if self._since is None or (self._is_of_writing and not is_write):
            return
        with self._lock:
            if self._since is not None:
                if self._logged >= self._since:  # else the log has no line that it began
                    log.warning("The database answers again, after %d s.", self._clock() - self._since)
                self._since, self._kind, self._is_of_writing = None, "", False
                self.on_change(False)

    def _may_tell_of_a_beginning(self, now: float) -> bool:
        return len(self._beginnings) < MOST_BEGINNINGS or now >= self._beginnings[0] + LOG_SECONDS


def away() -> Away:
    """The error that a question gets during an outage."""
    return Away(say("The site can’t reach its games just now. What was played is kept; try again in a moment."))


_UNSURE = say(
    "The site lost its database just then and can’t say whether that was done. Look at the game before you try again."
)


def _is_outage(error: BaseException, code: int, sqlstate: str) -> bool:
    if code in _SQLITE or sqlstate.startswith(_SQLSTATES) or isinstance(error, NoConnectionFree):
        return True
    # What the pool says when a second connection doesn't answer either.
    if type(error) is InvalidRequestError and "connection is closed" in str(error):
        return True
    # A connection that is lost, or never comes about, has no SQLSTATE.
    orig = error.orig if isinstance(error, DBAPIError) else error
    names = {each.__name__ for each in type(orig).__mro__ if each.__module__.startswith("psycopg")}
    return bool(names & {"OperationalError", "InterfaceError"}) and not sqlstate


def _kind(error: BaseException, code: int, sqlstate: str) -> str:
    if code == sqlite3.SQLITE_FULL or sqlstate == _DISK_FULL:
        return FULL
    is_slow = code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or sqlstate == "57014"
    return SLOW if is_slow or isinstance(error, NoConnectionFree) else AWAY
