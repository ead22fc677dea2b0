"""A FastAPI application with one endpoint, which writes one row into SQLite. The site is measured against it.

Such an endpoint can't be much faster: it uses the driver without a library over it, one connection and no threads, and
pydantic reads the body. A row is as safe as a move on the site, since SQLite has the same settings.
"""

import os
import sqlite3
import time

from fastapi import FastAPI
from pydantic import BaseModel


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


database = _database()
app = FastAPI()


@app.get("/health")
async def health() -> dict[str, str]:
    """Whether it runs."""
    return {"status": "ok"}


@app.post("/play/{game}/move")
async def move(game: str, body: Move) -> dict[str, int]:
    """Write the row; it is safe before the answer."""
    database.execute("INSERT INTO moves VALUES (?, ?, ?, ?)", (game, body.ply, body.move, time.time()))
    return {"ply": body.ply + 1}
