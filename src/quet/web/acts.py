"""Acts of visitors, many written in one transaction: acts that come during a transaction wait for the next one.

A transaction waits for the disk, and wakes a thread. In a busy hour many moves share both costs. An act whose game has
to be read first, as another process has moved there, or which is refused, goes apart: one after another, in fair turns.
So nobody's moves wait while the long games of others are read.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from .match import SiteMatch
from .storage.store import Act, Store
from .turns import Asker, Turns

MOST_APART = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """An act, who asked for it, and the answer that they wait for."""

    act: Act
    asker: Asker
    answer: "asyncio.Future[SiteMatch]"

    def tell(self, what: SiteMatch | Exception) -> None:
        if self.answer.done():  # the visitor who asked has left
            return
        if isinstance(what, SiteMatch):
            self.answer.set_result(what)
        else:
            self.answer.set_exception(what)


class Acts:
    """The acts that wait to be written in this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[_Asked] = []
        self._writing: asyncio.Task[None] | None = None
        self._turns = Turns(1, MOST_APART)  # one at once, so that each visitor's acts keep their order
        self._apart: Counter[str] = Counter()  # the acts that have gone apart, by game: later ones go behind them
        self._tasks: set[asyncio.Task[None]] = set()

    async def act(self, act: Act, asker: Asker) -> SiteMatch:
        """The game after the act, which is then committed; raises as `Store.act`, and Busy."""
        asked = _Asked(act, asker, asyncio.get_running_loop().create_future())
        if act.id in self._apart or self._store.peek(act.id) is None:
            self._set_apart(asked)
        else:
            self._waiting.append(asked)
            if self._writing is None:
                self._writing = asyncio.create_task(self._write())
        return await asked.answer

    async def _write(self) -> None:
        """Write batch after batch until no act waits."""
        batch: list[_Asked] = []
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                done = await run_in_threadpool(self._store.act_all, [asked.act for asked in batch])
                for asked, what in zip(batch, done, strict=True):
                    if what is None:
                        self._set_apart(asked)
                    else:
                        asked.tell(what)
                batch = []
                for asked in (each for each in self._waiting if each.act.id in self._apart):
                    self._set_apart(asked)
                self._waiting = [asked for asked in self._waiting if asked.act.id not in self._apart]
        finally:  # even if the server ends: nobody waits for ever, and the next act starts a new task
            self._writing = None
            for asked in batch + self._waiting:
                asked.answer.cancel()
            self._waiting = []

    def _set_apart(self, asked: _Asked) -> None:
        """Have an act done by itself, after those in its game that went apart before."""
        self._apart[asked.act.id] += 1
        task = asyncio.create_task(self._write_apart(asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write_apart(self, asked: _Asked) -> None:
        act = asked.act
        try:
            await self._turns.wait(self._turns.ask(asked.asker))
            try:
                after = await run_in_threadpool(
                    self._store.act, act.id, act.visitor, act.kind, act.text, act.ply, act.now
                )
            finally:
                self._turns.give_back()
            asked.tell(after)
        except Exception as error:
            asked.tell(error)
        finally:
            asked.answer.cancel()  # if the server ends
            self._apart[act.id] -= 1
            if not self._apart[act.id]:
                del self._apart[act.id]
