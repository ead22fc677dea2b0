"""A FastAPI application with one endpoint, which writes one row into SQLite. The site is measured against it.

Such an endpoint can't be much faster: it uses the driver without a library over it, and one connection, and pydantic
reads the body. A row is as safe as a move on the site, since SQLite has the same settings.

With BARE_BATCHED=1 rows that come during a transaction are written together in the next one, in a thread, as the site
writes moves. Without it each row has a transaction, and so a wait for the disk, of its own.
"""

import asyncio
import os
import sqlite3
import time

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

IS_BATCHED = os.environ["BARE_BATCHED"] == "1"
Row = tuple[str, int, str, float]


class Move(BaseModel):
    """The body of the request."""

    ply: int
    move: str


def _database() -> sqlite3.Connection:
    connection = sqlite3.connect(os.environ["BARE_DATABASE"], isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {os.environ['BARE_SYNCHRONOUS']}")
    connection.execute("CREATE TABLE moves (game TEXT, ply INTEGER, move TEXT, at REAL, PRIMARY KEY (game, ply))")
    return connection


class Batches:
    """Rows that wait to be written, batch after batch."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Row, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, row: Row) -> None:
        """Return when the row is safe."""
        safe: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, safe))
        if self._task is None:
            self._task = asyncio.create_task(self._write())
        await safe

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await run_in_threadpool(_insert, [row for row, _ in batch])
            for _, safe in batch:
                safe.set_result(None)
        self._task = None


def _insert(rows: list[Row]) -> None:
    database.execute("BEGIN IMMEDIATE")
    database.executemany(INSERT, rows)
    database.execute("COMMIT")


INSERT = "INSERT INTO moves VALUES (?, ?, ?, ?)"
database = _database()
batches = Batches()
app = FastAPI()


@app.get("/health")
async def health() -> dict[str, str]:
    """Whether it runs."""
    return {"status": "ok"}


@app.post("/play/{game}/move")
async def move(game: str, body: Move) -> dict[str, int]:
    """Write the row; it is safe before the answer."""
    row = (game, body.ply, body.move, time.time())
    if IS_BATCHED:
        await batches.write(row)
    else:
        database.execute(INSERT, row)
    return {"ply": body.ply + 1}
