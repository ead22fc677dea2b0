"""The file of an SQLite database: what can be one, whose it is, whether it is still the served one, and its log."""

import contextlib
import os
import sqlite3
import stat
import time
from pathlib import Path
from typing import Self

from sqlalchemy.engine import URL

from ...core.errors import BadParameter, why
from ...core.messages import say
from ...core.quoting import printable


class _Cursor(sqlite3.Cursor):
    """Python can't read what SQLite says of a damaged schema, which it quotes, where that isn't UTF-8."""

    def execute(self, *words: object) -> Self:
        try:
            return super().execute(*words)  # type: ignore[arg-type]
        except UnicodeDecodeError:
            raise malformed() from None


class SqliteConnection(sqlite3.Connection):
    """A connection that says of every damaged file that it is one."""

    def cursor(self) -> sqlite3.Cursor:  # type: ignore[override]
        return super().cursor(_Cursor)

    def execute(self, *words: object) -> sqlite3.Cursor:
        return self.cursor().execute(*words)  # type: ignore[arg-type]


def malformed() -> sqlite3.DatabaseError:
    """The error of a damaged file, as SQLite has it."""
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


class Gone(sqlite3.OperationalError):
    """The SQLite file isn't the one that is served: it was deleted, moved or replaced."""

    sqlite_errorcode = sqlite3.SQLITE_CANTOPEN


def sqlite_file(url: URL) -> Path:
    """The file of an SQLite database, which need not be there yet. Raises BadParameter for what can't be one.

    A folder or a device would get another mode, or another name, from whoever may do everything.
    """
    if url.database in (None, "", ":memory:"):
        raise BadParameter(say("The database is in memory only; it must be a file."))
    if "uri" in url.query:  # then its name would be an address, with options of its own
        raise BadParameter(say("The address of an SQLite file can't have `{option}`.", option="uri"))
    file = Path(str(url.database)).resolve()
    with contextlib.suppress(OSError):  # whoever opens it says why that can't be done
        if not stat.S_ISREG(file.stat().st_mode):
            raise BadParameter(say("The database must be a file; {file} is something else.", file=printable(str(file))))
    return file


def identity(file: Path) -> str:
    """By which one knows whether a file is the same one: neither its name nor its content says so. Raises OSError."""
    found = file.stat()
    return f"{found.st_dev}:{found.st_ino}"


def check_served(file: Path, served: str) -> None:
    """Raise Gone unless the file is there and is the one with this identity, which is served.

    SQLite doesn't notice: connections that are open go on with a file that nobody finds again.
    """
    try:
        is_ours = identity(file) == served
    except OSError as error:
        raise Gone(say("{file} can't be found: {why}.", file=str(file), why=why(error))) from None
    if not is_ours:
        raise Gone(
            say(
                "Another file is in the place of {file}. Put the one back that is served, or end `quet serve` and "
                "start it again.",
                file=str(file),
            )
        )


def keep_to_owner(file: Path) -> None:
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


def keep_log_ahead(connection: sqlite3.Connection, seconds: float) -> None:
    """Have a write-ahead log. SQLite itself doesn't wait here for others who prepare the same new file."""
    until = time.monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
