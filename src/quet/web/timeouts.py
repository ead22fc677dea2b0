"""Time-outs: a task asks the database each second in which games the mover's time has run out, and ends them.

The question is one look into an index. It also finds the games of other server processes. Another task keeps the site's
clock. If several processes ask, the uniqueness of (game, ply) lets one of them write.
"""

import asyncio
import logging

from starlette.concurrency import run_in_threadpool

from .errors import Away, Gone, Missing, NoSuchGame
from .log import shortened
from .storage.clock import BEAT_SECONDS
from .storage.store import PUT_OFF_SECONDS, Store

log = logging.getLogger(__name__)

SECONDS = 1.0  # between looks


async def let_time_fall(store: Store, archive_days: int = 0) -> None:
    """End the games whose mover has no time left, as long as the server runs.

    Games in which nobody has moved for so many days are archived; 0 for never.
    """
    failed: set[str] = set()
    while True:
        try:
            await run_in_threadpool(look, store, archive_days, failed)
        except Away:  # the next look may find the database again; the log has a line about the outage
            pass
        except Exception:  # without this task no time would fall any more
            log.exception("Nobody could see whose time has fallen.")
        await asyncio.sleep(SECONDS)


async def keep_time(store: Store) -> None:
    """Write a heartbeat every few seconds, as long as the server runs."""
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        try:
            await run_in_threadpool(store.clock.beat)
        except Away:  # the clock stands still until the database is back
            pass
        except Exception:  # without this task the site's clock would stand still
            log.exception("The heartbeat can't be written.")


def look(store: Store, archive_days: int = 0, failed: set[str] | None = None) -> int:
    """End the games whose mover has no time left, and those that nobody joined; return how many.

    Archive those in which nobody has moved for so many days. Games that can't be ended are added to `failed`, and only
    the first failure of each is written to the log. After the second they wait for some minutes, so that they don't
    stand before others.
    """
    failed = set() if failed is None else failed
    now = store.clock.now()
    idle = store.idle(now, 86400 * archive_days) if archive_days else []
    if idle:
        store.archive(idle, now - 86400 * archive_days)
    due = [(id, store.expire) for id in store.due(now)] + [(id, store.call_off) for id in store.forsaken(now)]
    for id, end in due:
        try:
            end(id, now)
        except Missing:
            if not store.put_off(id, now + PUT_OFF_SECONDS):
                store.lay_aside(id)  # nobody has joined it for very long
        except NoSuchGame:  # an operator took it away just then
            pass
        except Gone:
            store.lay_aside(id)
        except Away:
            raise
        except Exception:  # a game that can't be read must not stop the others
            if id not in failed:
                log.exception("The game %s can't be ended.", shortened(id))
            else:
                store.put_off(id, now + PUT_OFF_SECONDS)
            failed.add(id)
    return len(due)
