"""Acts of visitors, many written in one transaction: acts that come during a transaction wait for the next one.

A transaction waits for the disk, and wakes a thread. In a busy hour many moves share both costs.
"""

import asyncio

from starlette.concurrency import run_in_threadpool

from .match import SiteMatch
from .storage.store import Act, Store


class Acts:
    """The acts that wait to be written in this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Act, asyncio.Future[SiteMatch]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def act(self, act: Act) -> SiteMatch:
        """The game after the act, which is then committed; raises as `Store.act`."""
        if self._store.peek(act.id) is None:  # here, so that nobody else waits while a long game is loaded
            await run_in_threadpool(self._store.load, act.id)
        answer: asyncio.Future[SiteMatch] = asyncio.get_running_loop().create_future()
        self._waiting.append((act, answer))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return await answer

    async def _write(self) -> None:
        """Write batch after batch until no act waits."""
        batch: list[tuple[Act, asyncio.Future[SiteMatch]]] = []
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                done = await run_in_threadpool(self._store.act_all, [act for act, _ in batch])
                for (_, answer), what in zip(batch, done, strict=True):
                    if answer.done():  # the visitor who asked has left
                        continue
                    if isinstance(what, SiteMatch):
                        answer.set_result(what)
                    else:
                        answer.set_exception(what)
        finally:  # even if the server ends: nobody waits for ever, and the next act starts a new task
            self._writing = None
            for _, answer in batch + self._waiting:
                answer.cancel()
            self._waiting = []
