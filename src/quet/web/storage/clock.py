"""The site's clock: seconds since 1970, except that time in which no server lived isn't counted.

Each server process writes a heartbeat into the database every two seconds: a row with the time of this clock. In
between it goes by the monotonic clock of the machine, which nobody can set. A server that starts goes on from the last
heartbeat. So neither downtime nor a machine whose clock is set costs a player time. The clock is behind the true time
by all downtime together. It also stands still while the process is frozen, or can't reach the database.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import delete, insert, select, update

from .database import Database
from .schema import heartbeats

BEAT_SECONDS = 2.0  # between heartbeats
MOST_SECONDS = 10.0  # that count between two heartbeats
FRESH_SECONDS = 5.0  # a heartbeat of another server that is younger shows that it lives
KEPT_SECONDS = 86400.0  # how long the heartbeats of servers that have ended are kept


class SiteClock:
    """The clock of one server process. Until `begin` it shows the time of the machine. Thread-safe."""

    def __init__(
        self,
        database: Database,
        *,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`wall` and `monotonic` are the clocks of the machine."""
        self.is_alone = False  # whether no other process serves the database
        self._database, self._wall, self._monotonic = database, wall, monotonic
        self._last: tuple[float, float] | None = None  # the last heartbeat, by this clock and by the monotonic one

    def now(self) -> float:
        """The time, in seconds since 1970."""
        last = self._last
        if last is None:
            return self._wall()
        at, monotonic = last
        return at + min(self._monotonic() - monotonic, MOST_SECONDS)

    def date(self, at: float) -> str:
        """The date in UTC, as 2026-11-22, on the calendar at a time of this clock that has just been."""
        behind = 0.0 if self._last is None else self._wall() - self.now()
        return datetime.fromtimestamp(at + behind, UTC).date().isoformat()

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
            monotonic, wall = self._monotonic(), self._wall()
            times = [other.at for other in others]
            if not self.is_alone:  # servers that live go on meanwhile
                times += [other.at + wall - other.wall for other in others if 0 <= wall - other.wall <= FRESH_SECONDS]
            if not is_first:
                times.append(self.now())
            at = max(times, default=wall)
            connection.execute(delete(heartbeats).where(heartbeats.c.at < at - KEPT_SECONDS))
            row = {"at": at, "wall": 0.0 if is_last else wall}
            if connection.execute(update(heartbeats).where(mine).values(**row)).rowcount == 0:
                connection.execute(insert(heartbeats).values(process=process, **row))
        self._last = at, monotonic
