"""Copies of the whole database: made while it is served, and put back.

SQLite copies itself, and this copy is looked through before it counts. For PostgreSQL its own programs do the same, and
a sentence says what to run. The key by which visitors have their seats isn't in the database, and in no copy.
"""

import contextlib
import glob
import os
import secrets
import shlex
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.engine import URL

from ...core.errors import BadParameter, QuetError, why
from ...core.files import LockedFile, UnreadableFile, locked, open_file
from ...core.quoting import printable
from .database import Database, check_schema, known_schemas, read_url
from .schema import metadata
from .serving import alone, give
from .sqlite_file import SqliteConnection, sqlite_file

STREAM = "-"  # standard output or input in the place of a file
_FIRST_TABLES = ("games", "seats", "moves")  # which every version has
_PARTS = ("", "-wal", "-shm", "-journal")  # of an SQLite database, behind its name
KEY = (
    "the key of the site (QUET_SECRET_KEY, or the file secret-key in the data folder)"  # which signs visitors' cookies
)


_ALL_TABLES = (
    "All tables of the schema go, also those that aren't Quet's; a schema other than public goes with all that it has. "
    "Nothing changes unless the end is Restored."
)
# A dump makes every schema but public itself.
_DROPS = (
    "SELECT format($$DROP TABLE %I CASCADE$$, tablename) FROM pg_tables "
    "WHERE schemaname = current_schema() AND schemaname = $$public$$ "
    "UNION ALL SELECT format($$DROP SCHEMA %I CASCADE$$, current_schema()) WHERE current_schema() <> $$public$$"
)
_BEGIN = f"BEGIN; {_DROPS} \\gexec"
# psql reads this only after a dump that was read to its end. Where it isn't a dump of ours, psql stops at an error.
_END = (
    "RESET search_path; SELECT FROM {first} LIMIT 0; "
    "DO $$BEGIN IF NOT EXISTS (SELECT FROM alembic_version WHERE version_num = ANY ($a${{{known}}}$a$)) THEN "
    "RAISE $a$That dump is of a newer version of Quet. Nothing has changed.$a$; END IF; "
    "IF EXISTS (SELECT FROM alembic_version, unnest($a${{{all}}}$a$::text[]) AS each "
    "WHERE version_num = $a${newest}$a$ AND to_regclass(each) IS NULL) THEN "
    "RAISE $a$That dump lacks tables of Quet. Nothing has changed.$a$; END IF; END$$; "
    "COMMIT; \\warn Restored."
)
# After a dump that can't be read to its end. So psql ends with a status that says so.
_FAIL = "DO $$BEGIN RAISE $a$Nothing has changed.$a$; END$$;"


class ByPostgresql(QuetError):
    """The database is PostgreSQL, whose own programs copy it: with a line for a shell."""

    def __init__(self, sentence: str, line: str) -> None:
        super().__init__(f"The database is PostgreSQL. {sentence}")
        self.line = line


class Content(NamedTuple):
    """What a database holds."""

    games: int
    rows: int
    schema: str


def backup(url: str, target: str) -> Content:
    """Copy the SQLite database to a new file, as it is at one moment, and return what the copy holds.

    Servers go on meanwhile. Raises BadParameter, and ByPostgresql.
    """
    address = read_url(url)
    if address.get_backend_name() != "sqlite":
        raise ByPostgresql(f"Keep {KEY} too.", _pg_dump(address, target))
    source = sqlite_file(address)
    if not source.exists():
        raise BadParameter(f"There is no database {source} yet.")
    end = Path(target)
    if target != STREAM and end.exists():
        raise BadParameter(f"{end} is there already; name a new file.")
    with _beside(source if target == STREAM else end) as copy:
        try:
            with contextlib.closing(_opened(source)) as original:
                original.execute("SELECT count(*) FROM sqlite_master")  # where this is damaged, VACUUM names the copy
                original.execute("VACUUM INTO ?", [str(copy)])  # nothing that was deleted, as in a copy page by page
            content = _content(copy)
            if target == STREAM:
                with copy.open("rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
            else:
                _flush(copy)
                _put(copy, end)
        except (OSError, sqlite3.Error) as error:
            raise BadParameter(f"The backup can't be made: {why(error)}.") from None
    return content


def restore(url: str, source: str) -> tuple[Content, Path | None]:
    """Put a backup in the place of the SQLite database.

    Returns what it holds, and where the database of before is kept, if there was one. Raises BadParameter, also while
    the site is served, and ByPostgresql.
    """
    address = read_url(url)
    if address.get_backend_name() != "sqlite":
        raise ByPostgresql(f"End all servers first. {_ALL_TABLES}", _pg_restore(address, source))
    end = sqlite_file(address)
    with alone(Database(url)), _beside(end) as copy:  # nobody begins to serve it meanwhile
        try:
            give(copy, end)
            with copy.open("wb") as file:
                if source == STREAM:
                    shutil.copyfileobj(sys.stdin.buffer, file)
                else:
                    with open_file(source) as given:
                        shutil.copyfileobj(given, file)
            content = _content(copy)
            check_schema(content.schema)
            _flush(copy)
            with _aside(end) as kept:
                for rest in ("-wal", "-shm"):  # they would be taken for those of the new file
                    end.with_name(end.name + rest).unlink(missing_ok=True)
                _put(copy, end)
        except UnreadableFile as error:
            raise BadParameter(f"{printable(source, 200)}: {error}") from None
        except (OSError, sqlite3.Error) as error:
            raise BadParameter(f"The backup can't be restored: {why(error)}.") from None
    return content, kept


def _pg_dump(url: URL, file: str) -> str:
    to = "" if file == STREAM else f" --file={shlex.quote(file)}"
    return f"pg_dump --format=custom{to} --dbname={_address(url)}"


def _pg_restore(url: URL, file: str) -> str:
    """A line for a shell. It puts a dump in the place of all tables, in one transaction, and says when that is done.

    `pg_restore --clean` drops only what the dump has. A dump of before an upgrade lacks tables that depend on its own.
    """
    dump = "pg_restore --no-owner --no-privileges --file=-" + ("" if file == STREAM else f" {shlex.quote(file)}")
    into = f"psql --no-psqlrc --quiet --output=/dev/null --set=ON_ERROR_STOP=1 --dbname={_address(url)}"
    known = known_schemas()
    end = _END.format(
        first=", ".join(_FIRST_TABLES), known=",".join(known), newest=known[-1], all=",".join(metadata.tables)
    )
    return f"{{ echo '{_BEGIN}'; {dump} && echo '{end}' || echo '{_FAIL}'; }} | {into}"


def _address(url: URL) -> str:
    """The address as PostgreSQL's programs take it, without passwords, for which they ask: in the query, too."""
    shown = {name: value for name, value in url.query.items() if not name.endswith(("password", "secret"))}
    whole = url.set(drivername="postgresql", query=shown)._replace(password=None).render_as_string()
    head, mark, query = whole.partition("?")
    # SQLAlchemy writes a blank as it is, and in the query as `+`. PostgreSQL's programs understand neither.
    return shlex.quote(head.replace(" ", "%20") + mark + query.replace("+", "%20"))


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=30, isolation_level=None, factory=SqliteConnection)


@contextlib.contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """An empty file in the same folder that only its owner can read; it is gone afterwards if it is still there.

    A lock beside it shows others that this program lives. What programs that were killed left there goes, too.
    """
    made = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with contextlib.ExitStack() as stack:
        stack.callback(_remove, made, ".lock")
        try:
            stack.enter_context(locked(made))
            stack.callback(_remove, made, *_PARTS)
            os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise BadParameter(f"{made.parent} can't be written: {error.strerror}.") from None
        ours = f".{glob.escape(file.name)}.{'[0-9a-f]' * 8}"
        for left in {*made.parent.glob(ours), *(one.with_suffix("") for one in made.parent.glob(f"{ours}.lock"))}:
            if left != made:
                with contextlib.suppress(LockedFile, OSError), locked(left):
                    _remove(left, *_PARTS, ".lock")
        yield made


def _remove(file: Path, *ends: str) -> None:
    """Remove files that have the name of this one with something behind it, if they are there."""
    for end in ends:
        with contextlib.suppress(OSError):  # the next program tries again
            file.with_name(file.name + end).unlink()


def _content(file: Path) -> Content:
    """What a copy holds. Raises BadParameter where it is damaged, or isn't a database of ours."""
    damaged = BadParameter("That is no database of Quet, or it is damaged.")
    try:
        with contextlib.closing(_opened(file)) as connection:
            if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise damaged
            (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not there.issuperset(metadata.tables if version == known_schemas()[-1] else _FIRST_TABLES):
                raise damaged
            (games,) = connection.execute("SELECT count(*) FROM games").fetchone()
            (rows,) = connection.execute("SELECT count(*) FROM moves").fetchone()
            connection.execute("PRAGMA journal_mode=DELETE")
    except (sqlite3.DatabaseError, TypeError):
        raise damaged from None
    return Content(games, rows, version)


def _flush(file: Path) -> None:
    """Flush the file to the disk, which may find only now that it has no room."""
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())


def _put(copy: Path, end: Path) -> None:
    """Give a file that was flushed its name, on the disk too."""
    copy.replace(end)
    folder = os.open(end.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextlib.contextmanager
def _aside(file: Path) -> Iterator[Path | None]:
    """Keep the database, if there is one, in one file: yields its other path, while another file is put in its place.

    Where that fails, it is as before. Raises BadParameter while it is open.
    """
    if not file.exists():
        try:
            yield None
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        return
    _close_log(file)
    for one in file.parent.glob(f"{glob.escape(file.name)}.20*"):  # a second name that a killed program left
        if one.samefile(file):
            one.unlink()
    aside = file.with_name(f"{file.name}.{time.strftime('%Y-%m-%d-%H%M%S')}")
    number = 1
    while aside.exists():
        number += 1
        aside = file.with_name(f"{file.name}.{time.strftime('%Y-%m-%d-%H%M%S')}.{number}")
    try:
        os.link(file, aside)  # not renamed: a server that starts where there is none would begin an empty one
    except OSError:  # a file system without links
        file.rename(aside)
    try:
        yield aside
    except BaseException:
        aside.replace(file)
        aside.unlink(missing_ok=True)  # of two names of one file, none is replaced
        raise


def _close_log(file: Path) -> None:
    """Have the database in one file. Raises BadParameter while it is open."""
    with contextlib.closing(
        sqlite3.connect(file, timeout=1, isolation_level=None, factory=SqliteConnection)
    ) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")  # only a sole user of the file may do this
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise BadParameter("The site is being served; end `quet serve` first.") from None
        except sqlite3.DatabaseError:  # what is there is no database: it is kept as it is
            pass
