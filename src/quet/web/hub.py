"""The watchers of games in this process, and how they hear of changes.

This process announces its own changes at once. It hears of the changes of other processes by PostgreSQL's LISTEN and
NOTIFY. On SQLite with several workers it looks again and again whether the file has changed. A watcher hears only
that there is news, and then reads the match; so no change is lost, doubled or out of order.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Iterator

from .errors import Away, NoSuchGame
from .match import SiteMatch
from .storage.store import Store

log = logging.getLogger(__name__)

POLL_SECONDS = 0.05  # between looks at an SQLite file
RETRY_SECONDS = 1.0  # before this process listens to PostgreSQL again
AT_ONCE = 500  # versions asked for in one query


class Watcher:
    """Somebody who waits for news of one game."""

    def __init__(self) -> None:
        self.is_closed = False
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Tell the watcher that there is news."""
        self._news.set()

    def close(self) -> None:
        """Tell the watcher that no more news will come."""
        self.is_closed = True
        self._news.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news, for at most so many seconds, and return whether there is any."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


class Hub:
    """The watchers of this process."""

    def __init__(self, store: Store, *, is_alone: bool) -> None:
        """`is_alone` says that no other process writes to an SQLite file."""
        self._store = store
        self._is_alone = is_alone
        self._watchers: dict[str, set[Watcher]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._lock = threading.Lock()
        self._news: list[str] = []  # games whose watchers the loop has to wake
        self._seen: dict[str, int] = {}  # the versions of the games that were watched when all were looked at last

    def start(self) -> None:
        """Begin to listen, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._store.listeners.append(self._changed)
        if not (self._store.database.is_sqlite and self._is_alone):
            self._thread = threading.Thread(target=self._listen, name="news", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the waiting of all watchers, and of those who come later. Call it in the event loop."""
        self._is_closed = True
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.close()

    def join(self) -> None:
        """Wait until the listening thread has ended."""
        if self._thread is not None:
            self._thread.join(5.0)

    @contextlib.contextmanager
    def watch(self, id: str) -> Iterator[Watcher]:
        """A watcher of a game, within the block; call it in the event loop."""
        watcher = Watcher()
        if self._is_closed:
            watcher.close()
        self._watchers.setdefault(id, set()).add(watcher)
        try:
            yield watcher
        finally:
            watchers = self._watchers[id]
            watchers.remove(watcher)
            if not watchers:
                del self._watchers[id]

    def _changed(self, match: SiteMatch) -> None:
        """Listen to the store; called in any thread."""
        if match.id in self._watchers and self._loop is not None:
            self._bring(match.id)

    def _bring(self, id: str) -> None:
        """Wake the watchers of a game, from any thread. Calls at the same time share one call of the loop."""
        with self._lock:
            self._news.append(id)
            if len(self._news) > 1:
                return
        try:
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:  # the loop has ended, and all watchers with it
            log.debug("News came too late.")

    def _wake(self) -> None:
        with self._lock:
            ids, self._news = self._news, []
        for id in ids:
            for watcher in self._watchers.get(id, ()):
                watcher.wake()

    # Changes by other processes; this runs in its own thread.

    def _listen(self) -> None:
        database = self._store.database
        while not self._is_closed:
            try:
                if database.is_sqlite:
                    for _ in database.changes(lambda: not self._is_closed, POLL_SECONDS):
                        self._look()
                else:
                    for id in database.announcements(lambda: not self._is_closed):
                        if id is None:
                            self._look()
                        elif id in self._watchers:
                            self._load(id)
            except Away:  # watchers miss nothing that happens after the database is back
                time.sleep(RETRY_SECONDS)
            except Exception:  # without this thread all pages would stand still until the next start
                log.exception("There are no news from other processes.")
                time.sleep(RETRY_SECONDS)

    def _look(self) -> None:
        """Bring the games that are watched here and have changed since the last look.

        What the cache knows doesn't tell whether its watchers do: any page may have loaded the game.
        """
        watched, seen = list(self._watchers), dict[str, int]()
        for first in range(0, len(watched), AT_ONCE):
            part = watched[first : first + AT_ONCE]
            versions = self._store.versions(part)
            for id in part:
                if id not in versions or self._seen.get(id) != versions[id]:
                    self._load(id)
            seen |= versions
        self._seen = seen

    def _load(self, id: str) -> None:
        """Load a game that has changed, and wake its watchers."""
        with contextlib.suppress(NoSuchGame):  # an operator has taken it away
            self._store.load(id)
        self._bring(id)
