"""The database: SQLite or PostgreSQL. The program itself brings it to the newest schema.

SQLite keeps a write-ahead log, and every commit flushes it to the disk (synchronous=FULL). NORMAL would be faster and
would survive the death of the process, but it would lose acknowledged moves when the machine loses power.
"""

import contextlib
import secrets
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

from sqlalchemy import Connection, Dialect, Engine, create_engine, event, insert, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DisconnectionError, SQLAlchemyError

from ...core.errors import BadParameter, why
from ...core.messages import say
from .outage import Outage, away
from .schema import key_fingerprints
from .sqlite_file import (
    Gone,
    SqliteConnection,
    check_served,
    identity,
    keep_log_ahead,
    keep_to_owner,
    malformed,
    sqlite_file,
)
from .watch import Watch

CHANNEL = "quet"  # of PostgreSQL's LISTEN and NOTIFY
STARTING_SECONDS = 30.0  # how long a server that starts waits for another process that brings the schema up to date
WAITING_SECONDS = 4.0  # how long a writer waits for other writers
LOG_SECONDS = 1.0  # how long readers of the log are waited for, before it is emptied; writers wait meanwhile
CONNECTIONS, KEPT = 40, 10  # of a process to PostgreSQL at most, and those that stay open; `announcements` has another
CONNECTING_SECONDS = 2  # to PostgreSQL
PING_SECONDS = 1.0  # for a connection to show that it is still one
LOCK_SECONDS = 1.0  # for a row of PostgreSQL that another transaction holds; a statement that takes longer is an outage
STATEMENT_SECONDS = 3.0  # for what is done with a connection of PostgreSQL, all together
LISTENING_SECONDS = 5.0  # after which who listens to PostgreSQL asks whether it is still there
ERRORS = (SQLAlchemyError, sqlite3.Error)  # a new connection of SQLite is prepared without SQLAlchemy
ROOM = 200_000  # bytes on the disk, without which SQLite may have no room for the files beside its own
_OF_A_FULL_DISK = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
# What shows that one can write. It changes nothing; the last two show that a role of PostgreSQL may write games.
_WITHOUT_EFFECT = (
    "UPDATE alembic_version SET version_num = version_num",
    "UPDATE games SET version = version WHERE 1 = 0",
    "INSERT INTO moves SELECT * FROM moves WHERE 1 = 0",
)
_UPGRADING = 0x71756574  # PostgreSQL's advisory lock: one process upgrades at a time


class Database:
    """A database with its connections. Thread-safe."""

    def __init__(self, url: str) -> None:
        """Opens no connection yet. Raises BadParameter for an address that can't be used."""
        self.process = secrets.token_hex(8)  # names this process in its announcements
        self.url = read_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.file = ""  # which SQLite file is served, once that is known; see `identity`
        if self.is_sqlite:
            sqlite_file(self.url)
            self._path = Path(str(self.url.database)).absolute()
        try:
            self._engine = self._new_engine()
        except (ArgumentError, ImportError, ValueError) as error:
            raise BadParameter(say("The database can't be used: {error}.", error=why(error))) from None
        # SQLite has one writer at a time. A writer that waits for another process only looks again now and then, so
        # the writers of this process queue here.
        self._turn = threading.Lock()
        self._waiting_seconds = WAITING_SECONDS
        self.outage = Outage()
        self.schema = ""  # the version of the schema, once it is known
        self._write_turn, self._written, self._has_our_schema = threading.Lock(), float("-inf"), True
        self._watch = Watch()
        self._reading, self._writing = self._engine, self._engine
        if self.is_sqlite:
            self._writing = self._engine.execution_options(is_write=True)
        else:
            self._reading = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees the database as it is at one moment. Raises Away."""
        self.outage.check(is_write=False)
        try:
            self._check_file()
            with self._reading.begin() as connection:
                yield connection
        except ERRORS as error:
            refused = self.outage.failed(error, is_reading=True)
            if refused is None:
                raise
            raise refused from error
        self.outage.succeeded(is_write=False)

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection in a transaction, which is committed when the block ends without an error.

        Raises Away where nothing was changed, and Unsure where nobody knows.
        """
        self.outage.check(is_write=True)
        is_commit = False
        try:
            with self._turn_to_write(), self._writing.begin() as connection:
                yield connection
                is_commit = True
        except ERRORS as error:
            refused = self.outage.failed(error, is_commit=is_commit)
            if refused is None:
                raise
            raise refused from error
        self.outage.succeeded(is_write=True)

    @contextlib.contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        """Wait until no other thread writes into this SQLite file. Raises Gone, and Away if that takes too long."""
        if not self.is_sqlite:
            yield
            return
        began = time.monotonic()
        if not self._turn.acquire(timeout=self._waiting_seconds):
            raise away()
        try:
            if time.monotonic() - began > 1:  # perhaps whoever had the turn found out why it takes so long
                self.outage.check(is_write=True)
            self._check_file()
            yield
        finally:
            self._turn.release()

    def announce(self, connection: Connection, *ids: str) -> None:
        """Tell the other processes on PostgreSQL, when the transaction is committed, that these games have changed."""
        if not self.is_sqlite:
            connection.execute(_NOTIFY, {"news": [f"{self.process} {id}" for id in ids]})

    def upgrade(self, fingerprint: str = "") -> None:
        """Bring the schema to the newest version; for a server, also write down the fingerprint of its key.

        Raises BadParameter where the database can't be reached or written, is damaged, isn't UTF-8, is of a newer
        version of Quet, or has the fingerprint of another key. Then nothing has changed.
        """
        from alembic import command
        from alembic.config import Config
        from alembic.migration import MigrationContext

        config = Config()
        config.set_main_option("script_location", str(resources.files(__package__) / "migrations"))
        if self.is_sqlite and not self.file:
            keep_to_owner(self._path)
        self._waiting_seconds = STARTING_SECONDS
        try:
            with self._turn, self._writing.begin() as connection:
                if not self.is_sqlite:
                    self._watch.end(connection.connection.driver_connection)
                    connection.execute(text("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0"))
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADING})
                    _check_encoding(connection)
                elif not self.file:
                    self.file = identity(self._path)
                config.attributes["connection"] = connection
                check_schema(MigrationContext.configure(connection).get_current_revision())
                command.upgrade(config, "head")
                if fingerprint:
                    _check_key(connection, fingerprint)
                _try_writing(connection)  # else nothing is written where all is as it should be
        except ERRORS as error:
            raise BadParameter(say("The database can't be opened: {cause}.", cause=self._cause(error))) from None
        finally:
            self._waiting_seconds = WAITING_SECONDS
            self._engine.dispose()  # its connections wait too long
        self.schema = self.version()

    def _cause(self, error: Exception) -> str:
        """Why the database can't be opened. Of a full disk SQLite itself says only that it can't read or write."""
        cause = getattr(error, "orig", None) or error
        if self.is_sqlite and (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF in _OF_A_FULL_DISK:
            with contextlib.suppress(OSError):
                if shutil.disk_usage(Path(str(self.url.database)).resolve().parent).free < ROOM:
                    return say("the disk is full")
        return why(cause)

    def write_a_row(self) -> bool:
        """Write a row that changes nothing, and ask whether games may be written, while all is well once a second.

        Return whether the schema is that with which this process began, as it isn't where somebody has restored a dump
        of another one. Raises Away; `outage.kind` says why.
        """
        with self._write_turn:
            if self.outage.kind or time.monotonic() >= self._written + 1:
                with self.write() as connection:
                    _try_writing(connection)
                    version = connection.scalar(text("SELECT version_num FROM alembic_version"))
                self._has_our_schema = version == self.schema
                self._written = time.monotonic()
            return self._has_our_schema

    def version(self) -> str:
        """The version of the schema. Asking for it also shows that the database answers."""
        with self.read() as connection:
            return str(connection.scalar(text("SELECT version_num FROM alembic_version")))

    def empty_log(self) -> bool:
        """Write what is in SQLite's log into the database, and empty the log; False while somebody reads it.

        The log has pages as they were before things were deleted.
        """
        if not self.is_sqlite:
            return True
        try:
            with contextlib.closing(sqlite3.connect(str(self.url.database), timeout=LOG_SECONDS)) as connection:
                is_busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error:
            return False
        return not is_busy

    def announcements(self, is_wanted: Callable[[], bool]) -> Iterator[str | None]:
        """Yield the games that other processes on PostgreSQL announce.

        Yields None at first, and whenever some may have been missed.
        Waits for them in this thread as long as `is_wanted`. Raises Away when the connection is lost.
        """
        import psycopg

        self.outage.check(is_write=False)
        _, words = self._engine.dialect.create_connect_args(self.url)
        options = {**words, **_postgresql_options(self.url), "autocommit": True}
        try:
            with psycopg.connect(**options) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                self.outage.succeeded(is_write=False)  # or reading what was missed would be refused
                yield None
                asked = time.monotonic()
                while is_wanted():
                    for notice in connection.notifies(timeout=0.5):
                        process, _, id = notice.payload.partition(" ")
                        if process != self.process:
                            yield id
                    if time.monotonic() >= asked + LISTENING_SECONDS:  # one that has died in silence looks like no news
                        self._watch.begin(connection, STATEMENT_SECONDS)  # type: ignore[arg-type]
                        connection.execute("SELECT 1")
                        self._watch.end(connection)
                        asked = time.monotonic()
        except psycopg.Error as error:
            refused = self.outage.failed(error)
            if refused is None:
                raise
            raise refused from error

    def changes(self, is_wanted: Callable[[], bool], seconds: float) -> Iterator[None]:
        """Yield each time that a connection has written to this SQLite file; look for that every so many seconds."""
        try:
            with self._engine.connect() as kept:
                connection = kept.connection.driver_connection
                before = None
                while is_wanted():
                    (version,) = connection.execute("PRAGMA data_version").fetchone()  # type: ignore[union-attr]
                    if version != before:
                        before = version
                        yield None
                    time.sleep(seconds)
        except ERRORS as error:
            refused = self.outage.failed(error)
            if refused is None:
                raise
            raise refused from error

    def close(self) -> None:
        self._watch.close()
        try:
            self._check_file()
        except Gone:
            # SQLite would leave its log where the file was, and whatever file is there next would be taken for the one
            # that the log belongs to. The connections have the file itself, wherever it is now.
            with contextlib.suppress(*ERRORS), contextlib.closing(self._engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._engine.dispose()

    def _check_file(self) -> None:
        """Raise Gone unless the SQLite file that is served is there, once it is known."""
        if self.file:
            check_served(self._path, self.file)

    def _new_engine(self) -> Engine:
        if not self.is_sqlite:
            engine = create_engine(
                self.url,
                pool_size=KEPT,
                max_overflow=CONNECTIONS - KEPT,
                pool_timeout=WAITING_SECONDS,
                hide_parameters=True,
                connect_args=_postgresql_options(self.url),
            )
            event.listen(engine, "checkout", self._check)
            event.listen(engine, "checkin", lambda connection, record: self._watch.end(connection))
            return engine
        engine = create_engine(
            self.url,
            pool_size=10,
            max_overflow=60,
            pool_timeout=WAITING_SECONDS,
            hide_parameters=True,  # so that no error writes values to the log
            connect_args={"check_same_thread": False, "factory": SqliteConnection},
        )
        event.listen(engine, "do_connect", self._name_file)
        event.listen(engine, "connect", self._prepare)
        event.listen(engine, "begin", _begin)
        return engine

    def _check(self, connection: DBAPIConnection, *others: object) -> None:
        """Ask PostgreSQL for an answer before a pooled connection is used. If none comes, the pool opens another."""
        self._watch.begin(connection, PING_SECONDS)
        try:
            self._engine.dialect.do_ping(connection)
        except Exception as error:
            self._watch.end(connection)
            raise DisconnectionError from error
        self._watch.begin(connection, STATEMENT_SECONDS)

    def _name_file(self, dialect: Dialect, record: object, words: list[str], options: dict[str, object]) -> None:
        """Have SQLite open the file that is served; it makes none."""
        self._check_file()
        words[0], options["uri"] = f"{self._path.as_uri()}?mode=rw", True

    def _prepare(self, connection: sqlite3.Connection, record: object) -> None:
        connection.isolation_level = None  # the driver begins no transaction by itself; `_begin` does
        connection.execute(f"PRAGMA busy_timeout = {int(1000 * self._waiting_seconds)}")
        keep_log_ahead(connection, self._waiting_seconds)
        # secure_delete: what is deleted is overwritten. Whether SQLite does so by itself depends on how it was built.
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")


def read_url(text: str) -> URL:
    """The address of a database; raises BadParameter."""
    try:
        return make_url(text)
    except (ArgumentError, ValueError):  # ValueError if the port is no number
        raise BadParameter(
            say("The address of the database can't be read; one has the form postgresql://NAME@HOST:5432/DATABASE.")
        ) from None


def known_schemas() -> list[str]:
    """The versions of the schema that this version of Quet knows, the first one first."""
    versions = resources.files(__package__) / "migrations" / "versions"
    return sorted(each.name.partition("_")[0] for each in versions.iterdir() if each.name[0].isdigit())


def check_schema(version: str | None) -> None:
    """Raise BadParameter for the version of a schema that this version of Quet doesn't know; None is a new database."""
    if version is not None and version not in known_schemas():
        raise BadParameter(say("That database is of a newer version of Quet (schema {version}).", version=version))


def _check_encoding(connection: Connection) -> None:
    """Raise BadParameter for a PostgreSQL database in which not every name has a place."""
    encoding = str(connection.scalar(text("SHOW server_encoding")))
    if encoding != "UTF8":
        raise BadParameter(
            say(
                "The database has the encoding {encoding}, in which not every name can be written. Make one that is "
                "UTF-8: CREATE DATABASE quet OWNER quet ENCODING 'UTF8' TEMPLATE template0.",
                encoding=encoding,
            )
        )


def _try_writing(connection: Connection) -> None:
    for statement in _WITHOUT_EFFECT:
        connection.execute(text(statement))


def _check_key(connection: Connection, fingerprint: str) -> None:
    """Let the key with this fingerprint be the site's, where none is yet; raise BadParameter where another is.

    A damaged SQLite file may have lost its own, or have an old one: then it raises DatabaseError.
    """
    known = set(connection.scalars(select(key_fingerprints.c.fingerprint)))
    if not known:
        connection.execute(insert(key_fingerprints).values(fingerprint=fingerprint))
    elif fingerprint not in known:
        is_sqlite = connection.dialect.name == "sqlite"
        if is_sqlite and connection.exec_driver_sql("PRAGMA integrity_check").scalars().all() != ["ok"]:
            raise malformed()
        raise BadParameter(
            say(
                "This database was served with another key, by which visitors have their seats. Give the server that "
                "key: in QUET_SECRET_KEY, or in the file secret-key of the data folder. If it is lost, or is to be "
                "another, end all servers and run `quet forget key`: whoever has a seat by the old key then loses it."
            )
        )


_NOTIFY = text(f"SELECT pg_notify('{CHANNEL}', news) FROM unnest(CAST(:news AS text[])) AS news")


def _postgresql_options(url: URL) -> dict[str, object]:
    """Options of a connection to PostgreSQL: its encoding, and how long it may take, in milliseconds without a unit."""
    most, lock = int(1000 * STATEMENT_SECONDS), int(1000 * LOCK_SECONDS)
    given = url.query.get("options", "")
    limits = f"-c statement_timeout={most} -c lock_timeout={lock} -c idle_in_transaction_session_timeout={2 * most}"
    return {
        "connect_timeout": CONNECTING_SECONDS,
        "tcp_user_timeout": most,
        "client_encoding": "utf8",
        "options": f"{given if isinstance(given, str) else ' '.join(given)} {limits}".strip(),
    }


def _begin(connection: Connection) -> None:
    """Begin a transaction. A writer waits for its turn now, since it can't wait after it has read."""
    is_write = connection.get_execution_options().get("is_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_write else "BEGIN")
