"""The database: SQLite or PostgreSQL. The program itself brings it to the newest schema.

SQLite keeps a write-ahead log, and every commit flushes it to the disk (synchronous=FULL). NORMAL would be faster and
would survive the death of the process, but it would lose acknowledged moves when the machine loses power.
"""

import contextlib
import os
import secrets
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from ...core.errors import BadParameter, one_line
from ...core.messages import say

CHANNEL = "quet"  # of PostgreSQL's LISTEN and NOTIFY
BUSY_SECONDS = 30.0  # how long a writer waits for another process
_UPGRADING = 0x71756574  # PostgreSQL's advisory lock: one process upgrades at a time


class Database:
    """A database with its connections. Thread-safe."""

    def __init__(self, url: str) -> None:
        """Opens no connection yet. Raises BadParameter for an address that can't be used."""
        self.process = secrets.token_hex(8)  # names this process in its announcements
        try:
            self.url = make_url(url)
            self.is_sqlite = self.url.get_backend_name() == "sqlite"
            if self.is_sqlite and self.url.database in (None, "", ":memory:"):
                raise ValueError("SQLite needs a file here, which many connections share")
            self._engine = _engine(self.url)
        except (ArgumentError, ImportError, ValueError) as error:  # ValueError also if the port is no number
            raise BadParameter(say("The database can't be used: {error}.", error=one_line(error, 200))) from None
        # SQLite has one writer at a time. A writer that waits for another process only looks again now and then, so
        # the writers of this process queue here.
        self._turn: contextlib.AbstractContextManager[object] = (
            threading.Lock() if self.is_sqlite else contextlib.nullcontext()
        )
        self._reading, self._writing = self._engine, self._engine
        if self.is_sqlite:
            self._writing = self._engine.execution_options(is_write=True)
        else:
            self._reading = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees the database as it is at one moment."""
        with self._reading.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection in a transaction, which is committed when the block ends without an error."""
        with self._turn, self._writing.begin() as connection:
            yield connection

    def announce(self, connection: Connection, *ids: str) -> None:
        """Tell the other processes on PostgreSQL, when the transaction is committed, that these games have changed."""
        if not self.is_sqlite:
            connection.execute(_NOTIFY, {"news": [f"{self.process} {id}" for id in ids]})

    def upgrade(self) -> None:
        """Bring the schema to the newest version; raises BadParameter where the database can't be reached."""
        from alembic import command
        from alembic.config import Config

        config = Config()
        if self.is_sqlite:
            _keep_to_owner(Path(str(self.url.database)))
        config.set_main_option("script_location", str(resources.files(__package__) / "migrations"))
        try:
            with self.write() as connection:
                if not self.is_sqlite:
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADING})
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            raise BadParameter(say("The database can't be opened: {cause}.", cause=one_line(cause, 300))) from None

    def version(self) -> str:
        """The version of the schema. Asking for it also shows that the database answers."""
        with self.read() as connection:
            return str(connection.scalar(text("SELECT version_num FROM alembic_version")))

    def announcements(self, is_wanted: Callable[[], bool]) -> Iterator[str | None]:
        """Yield the games that other processes on PostgreSQL announce.

        Yields None at first, and whenever some may have been missed.
        Waits for them in this thread as long as `is_wanted`. Raises psycopg.Error when the connection is lost.
        """
        import psycopg

        address = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            yield None
            while is_wanted():
                for notice in connection.notifies(timeout=0.5):
                    process, _, id = notice.payload.partition(" ")
                    if process != self.process:
                        yield id

    def changes(self, is_wanted: Callable[[], bool], seconds: float) -> Iterator[None]:
        """Yield each time that a connection has written to this SQLite file; look for that every so many seconds."""
        with self._engine.connect() as kept:
            connection = kept.connection.driver_connection
            before = None
            while is_wanted():
                (version,) = connection.execute("PRAGMA data_version").fetchone()  # type: ignore[union-attr]
                if version != before:
                    before = version
                    yield None
                time.sleep(seconds)

    def close(self) -> None:
        self._engine.dispose()


def _keep_to_owner(file: Path) -> None:
    """Let only the owner read the SQLite file, which holds names and tokens. It is made here if it isn't there.

    A file that is there isn't opened: closing it would release the locks that SQLite holds in this process.
    """
    with contextlib.suppress(OSError):  # SQLite itself says why a file can't be opened; another's mode stays as it is
        if not file.exists():
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        for end in ("", "-wal", "-shm"):  # SQLite gives new ones the mode of the first
            part = file.with_name(file.name + end)
            if part.exists() and stat.S_IMODE(part.stat().st_mode) & 0o077:
                part.chmod(0o600)


_NOTIFY = text(f"SELECT pg_notify('{CHANNEL}', news) FROM unnest(CAST(:news AS text[])) AS news")


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=10, max_overflow=30, pool_pre_ping=True, hide_parameters=True)
    engine = create_engine(
        url,
        pool_size=10,
        max_overflow=60,
        hide_parameters=True,  # so that no error writes values to the log
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # the driver begins no transaction by itself; `_begin` does
    _keep_log_ahead(connection)
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _keep_log_ahead(connection: sqlite3.Connection) -> None:
    """Have a write-ahead log. SQLite itself doesn't wait here for others who prepare the same new file."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _begin(connection: Connection) -> None:
    """Begin a transaction. A writer waits for its turn now, since it can't wait after it has read."""
    is_write = connection.get_execution_options().get("is_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_write else "BEGIN")
