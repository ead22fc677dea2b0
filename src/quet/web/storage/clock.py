"""The site's clock: seconds since 1970, except that time in which no server lived isn't counted.

Each server process writes a heartbeat into the database every two seconds: a row with the time of this clock. In
between it goes by the monotonic clock of the machine, which nobody can set. A server that starts goes on from the last
heartbeat. So neither downtime nor a machine whose clock is set costs a player time. The clock is behind the true time
by all downtime together. It also stands still while the process is frozen, or can't reach the database.

Servers agree by a clock that they share: PostgreSQL's own, or with an SQLite file that of the one machine. It says how
old a heartbeat of another is. The clocks of their machines may differ.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, insert, select, text, update

from .database import Database
from .schema import heartbeats

BEAT_SECONDS = 2.0  # between heartbeats
MOST_SECONDS = 10.0  # that count between two heartbeats
FRESH_SECONDS = 5.0  # a heartbeat of another server that is younger shows that it lives
SET_SECONDS = 0.2  # by which the shared clock may differ from the monotonic one between two heartbeats; else it was set
KEPT_SECONDS = 86400.0  # how long the heartbeats of servers that have ended are kept


class SiteClock:
    """The clock of one server process. Until `begin` it shows the time of the machine. Thread-safe."""

    def __init__(
        self,
        database: Database,
        *,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        shared: Callable[[Connection], float] | None = None,
    ) -> None:
        """`wall` and `monotonic` are the clocks of the machine, `shared` is that of all servers at the database."""
        self.is_alone = False  # whether no other process serves the database
        self._database, self._wall, self._monotonic = database, wall, monotonic
        self._shared = shared or ((lambda _: wall()) if database.is_sqlite else _of_postgresql)
        self._last: tuple[float, float] | None = None  # the last heartbeat, by this clock and by the monotonic one
        self._last_shared = 0.0  # the last heartbeat by the shared clock

    def now(self) -> float:
        """The time, in seconds since 1970."""
        last = self._last
        return self._wall() if last is None else _later(last, self._monotonic())

    def wall(self, at: float) -> float:
        """The time by the clock of the machine, in seconds since 1970, at a time of this clock that has just been."""
        return at if self._last is None else at + self._wall() - self.now()

    def date(self, at: float) -> str:
        """The date in UTC, as 2026-11-22, on the calendar at a time of this clock that has just been."""
        return datetime.fromtimestamp(self.wall(at), UTC).date().isoformat()

    def begin(self) -> None:
        """Go on from the last heartbeat; without any, from the time of the machine. Raises Away."""
        self._beat(is_first=True)

    def beat(self) -> None:
        """Write a heartbeat. Raises Away."""
        self._beat()

    def end(self) -> None:
        """Write the last heartbeat, which shows nobody that this process lives. Raises Away."""
        self._beat(is_last=True)

    def _beat(self, *, is_first: bool = False, is_last: bool = False) -> None:
        mine, process = heartbeats.c.process == self._database.process, self._database.process
        with self._database.write() as connection:
            others = connection.execute(select(heartbeats).where(~mine)).all()
            # This clock is read before the shared one and set after it. So what a server makes of the row of another
            # is never ahead of the other's clock, however long the question takes; or each would drive the other on.
            before = self.now()
            shared, monotonic = self._shared(connection), self._monotonic()
            times = [other.at for other in others]
            if not self.is_alone and not self._was_set(shared, monotonic):  # servers that live go on meanwhile
                ages = [(other, shared - other.wall) for other in others]
                times += [other.at + age for other, age in ages if 0 <= age <= FRESH_SECONDS]
            if not is_first:
                times.append(before)
            at = max(times, default=before)
            connection.execute(delete(heartbeats).where(heartbeats.c.at < at - KEPT_SECONDS))
            row = {"at": at, "wall": 0.0 if is_last else shared}
            if connection.execute(update(heartbeats).where(mine).values(**row)).rowcount == 0:
                connection.execute(insert(heartbeats).values(process=process, **row))
        if self._last is not None:
            at = max(at, _later(self._last, monotonic))
        self._last, self._last_shared = (at, monotonic), shared

    def _was_set(self, shared: float, monotonic: float) -> bool:
        """Whether somebody has set the shared clock since the last heartbeat."""
        if self._last is None:
            return False
        return abs(shared - self._last_shared - (monotonic - self._last[1])) > SET_SECONDS


def _later(last: tuple[float, float], monotonic: float) -> float:
    """The time so long after a heartbeat, which was at a time of this clock and at one of the monotonic clock."""
    at, since = last
    return at + min(monotonic - since, MOST_SECONDS)


def _of_postgresql(connection: Connection) -> float:
    return float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0.0)
