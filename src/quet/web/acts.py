"""Acts of visitors, many written in one transaction: acts that come during a transaction wait for the next one.

A transaction waits for the disk, and wakes a thread. In a busy hour many moves share both costs. An act whose game has
to be read first, as another process has moved there, or which is refused, goes apart: a few games at once, in fair
turns. So moves in games that are in memory wait for none of these, and the others for few.
"""

import asyncio
from collections import deque
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from .match import SiteMatch
from .storage.store import Act, Store
from .turns import Asker, Turns

READ_AT_ONCE = 4  # games
MOST_APART = 2_000  # games that wait for that


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
        self._turns = Turns(READ_AT_ONCE, MOST_APART)
        self._apart: dict[str, deque[_Asked]] = {}  # by game: the acts that have gone apart, and later ones behind them
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
        line = self._apart.setdefault(asked.act.id, deque())
        line.append(asked)
        if len(line) == 1:
            task = asyncio.create_task(self._write_line(asked.act.id, line))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _write_line(self, id: str, line: deque[_Asked]) -> None:
        """Do the acts of a game that have gone apart, in the order in which they came."""
        try:
            while line:
                await self._write_apart(line[0])
                line.popleft()
        finally:
            del self._apart[id]
            for asked in line:  # if the server ends
                asked.answer.cancel()

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
